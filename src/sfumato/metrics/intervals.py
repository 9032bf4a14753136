"""How far a share of few trials can be off: confidence intervals of a proportion."""

from __future__ import annotations

from math import comb, sqrt
from statistics import NormalDist

from ..core.errors import BadInput

SMALL = 50  # below so many trials the exact interval is taken


def interval(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Between which bounds the true share lies: Clopper and Pearson if few trials, else Wilson.

    No trials say nothing: the bounds are 0 and 1. Cost: O(1); O(trials) if few.

    >>> low, high = interval(8, 10)
    >>> round(low, 3), round(high, 3)
    (0.444, 0.975)
    >>> low, high = interval(800, 1000)
    >>> round(low, 3), round(high, 3)
    (0.774, 0.824)
    """
    if not 0 <= successes <= trials or not 0 < confidence < 1:
        raise BadInput("expected 0 <= successes <= trials and a confidence between 0 and 1")
    if trials == 0:
        return 0.0, 1.0
    chosen = clopper_pearson if trials < SMALL else wilson
    return chosen(successes, trials, confidence)


def wilson(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval.

    >>> low, high = wilson(0, 100)
    >>> low, round(high, 3)
    (0.0, 0.037)
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, weight = successes / trials, z * z / trials
    middle = (share + weight / 2) / (1 + weight)
    half = z / (1 + weight) * sqrt(share * (1 - share) / trials + weight / (4 * trials))
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == trials else min(1.0, middle + half)
    return low, high


def clopper_pearson(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The exact interval: no share outside would be this far off more often than allowed.

    >>> low, high = clopper_pearson(0, 10)
    >>> low, round(high, 3)
    (0.0, 0.308)
    """
    tail = (1 - confidence) / 2
    low = 0.0 if successes == 0 else _share_where(successes, trials, tail)
    high = 1.0 if successes == trials else 1 - _share_where(trials - successes, trials, tail)
    return low, high


def _share_where(successes: int, trials: int, tail: float) -> float:
    """The share at which so many successes or more have the probability `tail`, by bisection."""
    low, high = 0.0, 1.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        at_least = sum(
            comb(trials, i) * middle**i * (1 - middle) ** (trials - i)
            for i in range(successes, trials + 1)
        )
        low, high = (middle, high) if at_least < tail else (low, middle)
    return (low + high) / 2
