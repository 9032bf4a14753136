"""The paper's heuristic for uniform t-PAT: words up to their share, then single steps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .plausibility import TOLERANCE

if TYPE_CHECKING:
    from .exhaustive import Levels
    from .ladders import Ladder


def lub_search(ladders: Sequence[Ladder], log_t: float, alpha: float) -> Levels | None:
    """A text with H >= log t and almost the least cost.

    Every word takes its least level with H >= log(t)/m, or the best it has; if the text is still
    below log t words are raised greedily. None if even that does not reach it.

    Paper: Algorithm 2 (LUB_Search), as meant. Cost: O(m^2).

    >>> from .ladders import ladder_of_volumes
    >>> lub_search([ladder_of_volumes(v) for v in ([1, 4, 32], [1, 2], [1, 2], [1, 2])], 5, 0.5)
    (1, 1, 1, 1)
    """
    m = len(ladders)
    levels = [_least_upper_bound(ladder, log_t / m) for ladder in ladders]
    # Levels need not be monotone in entropy, so that one of them may start below the share.
    while _sum(ladders, levels) < log_t - TOLERANCE:
        steps = [
            (ladder.entropies[j] - ladder.entropies[levels[i]], i, j)
            for i, ladder in enumerate(ladders)
            for j in range(levels[i] + 1, len(ladder.entropies))
            if ladder.entropies[j] > ladder.entropies[levels[i]]
        ]
        if not steps:
            return None
        _, i, j = min(steps)
        levels[i] = j
    return one_step_alternatives(ladders, levels, log_t, alpha)


def _least_upper_bound(ladder: Ladder, share: float) -> int:
    allowed = range(ladder.floor, len(ladder.entropies))
    for j in allowed:
        if ladder.entropies[j] >= share - TOLERANCE:
            return j
    return max(allowed, key=lambda j: (ladder.entropies[j], -j))


def _sum(ladders: Sequence[Ladder], levels: Sequence[int]) -> float:
    return math.fsum(ladder.entropies[j] for ladder, j in zip(ladders, levels, strict=True))


def one_step_alternatives(
    ladders: Sequence[Ladder], levels: Sequence[int], log_t: float, alpha: float
) -> Levels:
    """The best text that m times changing one word by one level, up or down, leads to.

    Paper: Algorithm 3, as meant: word j is replaced by an alternative of word j, H >= log t is
    enough, and the search starts from the text it was given. Cost: O(m^2).
    """
    m = len(ladders)
    now = list(levels)

    def local(i: int, j: int) -> float:
        return (ladders[i].entropies[j] - log_t / m) ** 2

    def total_cost(total: float, deviation: float) -> float:
        return alpha / m**2 * (total - log_t) ** 2 + (1 - alpha) / m * deviation

    for _ in range(m):
        total = _sum(ladders, now)
        deviation = math.fsum(local(i, now[i]) for i in range(m))
        least, change = total_cost(total, deviation) - 1e-12, None
        for i, ladder in enumerate(ladders):
            h, q = ladder.entropies[now[i]], local(i, now[i])
            for j in (now[i] + 1, now[i] - 1):
                if not ladder.floor <= j < len(ladder.entropies):
                    continue
                other = total - h + ladder.entropies[j]
                here = total_cost(other, deviation - q + local(i, j))
                if here < least and other >= log_t - TOLERANCE:
                    least, change = here, (i, j)
        if change is None:
            break
        now[change[0]] = change[1]
    return tuple(now)
