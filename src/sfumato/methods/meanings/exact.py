"""The optimum of both objectives in milliseconds, by dynamic programs over the volumes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import BadInput
from ...kernels.meanings import TooManyStates, plausible_smallest, plausible_uniform

if TYPE_CHECKING:
    from .exhaustive import Levels
    from .ladders import Ladder


def exact_uniform(ladders: Sequence[Ladder], log_t: float, alpha: float) -> Levels | None:
    """The text with H >= log t of least cost; None if none has.

    Paper: Definition 4. Cost: a Pareto dynamic program over (sum of entropies, local cost).

    >>> from .ladders import ladder_of_volumes
    >>> exact_uniform([ladder_of_volumes(v) for v in ([1, 4, 32], [1, 2], [1, 2], [1, 2])], 5, 0.5)
    (1, 1, 1, 1)
    """
    if len(ladders) == 1:
        return _one_word(ladders[0], log_t)
    rows = [ladder.entropies[ladder.floor :] for ladder in ladders]
    values = np.fromiter(chain.from_iterable(rows), np.float64)
    try:
        chosen = plausible_uniform(values, _starts(rows), log_t, alpha)
    except TooManyStates:
        raise _too_large() from None
    return _levels(ladders, chosen)


def exact_smallest(ladders: Sequence[Ladder], t: int) -> Levels | None:
    """The t-plausible text with the smallest |D|, ties as in `esearch_prune`; None if none is.

    Paper: Definition 3. Cost: a dynamic program over the products below t.

    >>> from .ladders import ladder_of_volumes
    >>> exact_smallest([ladder_of_volumes(v) for v in ([1, 4, 32], [1, 2], [1, 2], [1, 2])], 32)
    (1, 1, 1, 1)
    """
    rows = [ladder.volumes[ladder.floor :] for ladder in ladders]
    values = np.fromiter(chain.from_iterable(rows), np.int64)
    try:
        chosen = plausible_smallest(values, _starts(rows), t)
    except TooManyStates:
        raise _too_large() from None
    return _levels(ladders, chosen)


def _one_word(ladder: Ladder, log_t: float) -> Levels | None:
    """Both terms of the cost grow with H above log t, so the least H that suffices is best."""
    enough = [
        (h, j) for j, h in enumerate(ladder.entropies) if j >= ladder.floor and h >= log_t - 1e-9
    ]
    return (min(enough)[1],) if enough else None


def _starts(rows: Sequence[Sequence[float]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.fromiter(accumulate(map(len, rows), initial=0), np.int64)


def _levels(ladders: Sequence[Ladder], chosen: Sequence[int]) -> Levels | None:
    if len(chosen) != len(ladders):
        return None
    return tuple(ladder.floor + j for ladder, j in zip(ladders, chosen, strict=True))


def _too_large() -> BadInput:
    return BadInput(
        "the exact search would need more than 4 million states",
        where="search",
        remedy="use search='lub', or segment='sentence'",
    )
