"""The paper's exact searches with pruning: ESearch_Prune for t-PAT, UEP for uniform t-PAT."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .plausibility import TOLERANCE, cost

if TYPE_CHECKING:
    from .ladders import Ladder

Levels = tuple[int, ...]


def esearch_prune(ladders: Sequence[Ladder], t: int, *, stop_at_t: bool = False) -> Levels | None:
    """The t-plausible text with the smallest |D|, by exhaustive search with pruning.

    Words in order, levels upward; a branch is left when its product exceeds the best found.
    Of equal |D| the lower uniform cost wins, then the lower levels, so that the search goes on
    where the paper stops at |D| = t (`stop_at_t`). None if no text is t-plausible.

    Paper: Algorithm 1, as meant. Cost: O(h^m).

    >>> from .ladders import ladder_of_volumes
    >>> figure2 = [ladder_of_volumes(v) for v in ([1, 4, 32], [1, 2], [1, 2], [1, 2])]
    >>> esearch_prune(figure2, 32)
    (1, 1, 1, 1)
    """
    log_t = math.log2(t)
    best: tuple[float, float, int, Levels] = (math.inf, math.inf, 0, ())

    def search(i: int, product: int, levels: Levels) -> None:
        nonlocal best
        if i == len(ladders):
            if product >= t and product <= best[0]:
                entropies = [ladder.entropies[j] for ladder, j in zip(ladders, levels, strict=True)]
                # Rounded, so that costs that are equal compare as equal.
                local = round(cost(entropies, log_t, 0.0), 9)
                best = min(best, (product, local, sum(levels), levels))
            return
        for j in range(ladders[i].floor, len(ladders[i].volumes)):
            if product * ladders[i].volumes[j] > best[0]:
                return
            search(i + 1, product * ladders[i].volumes[j], (*levels, j))
            if stop_at_t and best[0] == t:
                return

    search(0, 1, ())
    return best[3] if best[0] < math.inf else None


def uep(ladders: Sequence[Ladder], log_t: float, alpha: float) -> Levels | None:
    """The text with H >= log t of least cost, by exhaustive search with pruning.

    A branch is left when the local terms already fixed reach the best cost.

    Paper: Uniform_ESearch_Prune of Section VI-C, whose pruning is not printed. Cost: O(h^m).

    >>> from .ladders import ladder_of_volumes
    >>> uep([ladder_of_volumes(v) for v in ([1, 4, 32], [1, 2], [1, 2], [1, 2])], 5, 0.5)
    (1, 1, 1, 1)
    """
    m = len(ladders)
    best_cost, best = math.inf, None

    def search(i: int, total: float, local: float, levels: Levels) -> None:
        nonlocal best_cost, best
        if i == m:
            here = (alpha / m**2 * (total - log_t) ** 2 if m else 0.0) + local
            if total >= log_t - TOLERANCE and here < best_cost - 1e-12:
                best_cost, best = here, levels
            return
        for j in range(ladders[i].floor, len(ladders[i].volumes)):
            h = ladders[i].entropies[j]
            term = local + (1 - alpha) / m * (h - log_t / m) ** 2
            if term < best_cost:
                search(i + 1, total + h, term, (*levels, j))

    search(0, 0.0, 0.0, ())
    return best
