"""MCSR: separators replaced or deleted at the least cost in ghosts, with bounded distortion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.errors import BadInput
from ...core.options import check_kinds
from ...kernels import patterns as kernels
from .knapsack import multiple_choice_knapsack
from .separators import require_admissible

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from .separators import Choices
    from .sequences import EncodedSequences

    Ghost = Callable[[Any, int, int], float]
    Sub = Callable[[Any, int], float]


def mcsr(
    choices: Choices,
    encoded: EncodedSequences,
    tau: int,
    theta: float | None = None,
    ghost: Ghost | None = None,
    sub: Sub | None = None,
    progress: Callable[[float], None] | None = None,
) -> NDArray[np.int32]:
    """One choice a separator, such that the cost is least and the weights sum to at most theta.

    `ghost(pattern, frequency, position)` is what an occurrence of a candidate ghost costs (default
    1); `sub(letter, position)` what a letter weighs, None standing for deletion (default 1). theta
    is the number of separators by default: with the default weights each takes its cheapest choice.
    Positions are those of the text with separators. On ties a letter wins over deletion, then the
    lighter and the first letter.

    Paper: MCSR-ALGO, Lemma 6. Cost: O(n + k q l), and the knapsack's when theta binds.
    """
    costs = _costs(choices, encoded, tau, ghost, progress)
    require_admissible(choices, np.all(np.isinf(costs), axis=1))
    if sub is None:
        weights = np.ones_like(costs)
    else:
        names = [encoded.symbols[letter - 1] for letter in choices.letters] + [None]
        weights = np.array(
            [
                [_told("sub", sub(name, place)) for name in names]
                for place in choices.places.tolist()
            ]
        ).reshape(costs.shape)
    return multiple_choice_knapsack(costs, weights, len(costs) if theta is None else theta)


def _costs(
    choices: Choices,
    encoded: EncodedSequences,
    tau: int,
    ghost: Ghost | None,
    progress: Callable[[float], None] | None,
) -> NDArray[np.float64]:
    """c_ij: the sum of Ghost over the candidate ghosts that choice j at separator i creates."""
    known = choices.text, choices.letters, choices.windows, choices.k
    most = kernels.most_created(*known)
    candidate = (choices.frequency < tau) & (choices.frequency + most >= tau)
    weight = candidate.astype(np.float64) if ghost is None else np.zeros(len(candidate))
    costs = kernels.choice_costs(*known, weight, choices.forbidden, progress)
    if ghost is None:
        return costs
    rows = choices.windows.reshape(-1, choices.k)
    patterns: dict[int, object] = {}
    for i, j, u, place in zip(
        *(array.tolist() for array in kernels.incidences(*known)), strict=True
    ):
        if candidate[u]:
            if u not in patterns:
                patterns[u] = encoded.symbols_of(rows[u], "\0")
            told = ghost(patterns[u], int(choices.frequency[u]), place)
            costs[i, j] += _told("ghost", told)
    return costs


def _told(name: str, value: Any) -> float:
    """What a function of the user tells: a number from 0 on; infinite forbids."""
    if type(value) not in (float, int):  # asked for every window: the usual kinds are cheap
        check_kinds(number={name: value})
    if not value >= 0:
        raise BadInput(f"expected numbers from 0 on, found {value:g}", where=name)
    return float(value)
