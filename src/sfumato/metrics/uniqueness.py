"""Who is special before a release: people alone with their values, and which columns make it so.

Everything is counted over people by codes, one for each person and column.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import lgamma, log, prod
from typing import TYPE_CHECKING

import numpy as np

from ..core.printed_form import by_sizes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Codes = NDArray[np.int64]

MOST_SETS = 2_000  # sets of columns that are looked at


def joint(columns: Sequence[Codes], count: int) -> Codes:
    """One code a person for all columns together, from 0 without gaps.

    >>> joint([np.array([0, 0, 1]), np.array([2, 2, 2])], 3).tolist()
    [0, 0, 1]
    """
    result = np.zeros(count, np.int64)
    for codes in columns:
        width = int(codes.max(initial=0)) + 1
        _, result = np.unique(result * width + codes, return_inverse=True)
    return result.astype(np.int64)


def sizes_of(codes: Codes) -> Codes:
    """How many people share each person's values."""
    return np.bincount(codes)[codes].astype(np.int64) if len(codes) else codes


def subsets(columns: int, most: int) -> Iterator[tuple[int, ...]]:
    """Sets of columns by their size, up to `most` columns and `MOST_SETS` sets in all."""
    left = MOST_SETS
    for size in range(1, min(most, columns) + 1):
        for one in combinations(range(columns), size):
            if not left:
                return
            left -= 1
            yield one


@dataclass(frozen=True, slots=True, eq=False)
class Special:
    """Minimal sample uniques: the least sets of columns that make a person unique.

    `scores` are SUDA scores, `columns` how much of all scores every column has a part in, `fewest`
    the size of the smallest set that makes each person unique (0: none up to `most`), `first` its
    number in `sets`.
    """

    scores: NDArray[np.float64]
    columns: NDArray[np.float64]
    fewest: NDArray[np.int64]
    first: NDArray[np.int64]
    sets: tuple[tuple[int, ...], ...]
    uniques: NDArray[np.int64]  # people alone on each set

    __repr__ = by_sizes


def suda(columns: Sequence[Codes], count: int, most: int = 3) -> Special:
    """SUDA scores: a person unique on a set of s columns, and on no part of it, counts more the
    smaller s is: the product of (columns - i) for i from s to `most` - 1; the sum over such sets.

    Paper: Elliot, Manning & Ford 2002. Cost: O(sets of columns x people log people).

    >>> found = suda([np.array([0, 0, 1]), np.array([0, 1, 1])], 3, most=2)
    >>> found.scores.tolist(), found.fewest.tolist()
    ([1.0, 1.0, 1.0], [1, 2, 1])
    """
    width, most = len(columns), min(most, len(columns))
    alone: dict[tuple[int, ...], NDArray[np.bool_]] = {}
    scores, by_column = np.zeros(count), np.zeros(width)
    fewest, first = np.zeros(count, np.int64), np.full(count, -1, np.int64)
    sets: list[tuple[int, ...]] = []
    uniques: list[int] = []
    for one in subsets(width, most):
        codes = joint([columns[i] for i in one], count)
        is_alone = sizes_of(codes) == 1
        minimal = is_alone.copy()
        for smaller in combinations(one, len(one) - 1):
            if smaller in alone:
                minimal &= ~alone[smaller]
        weight = float(prod(max(width - i, 1) for i in range(len(one), most)))
        scores += weight * minimal
        by_column[list(one)] += weight * minimal.sum()
        is_first = minimal & (first < 0)
        fewest[is_first], first[is_first] = len(one), len(sets)
        sets.append(one)
        uniques.append(int(is_alone.sum()))
        alone[one] = is_alone
    total = by_column.sum()
    shares = by_column / total if total else by_column
    return Special(scores, shares, fewest, first, tuple(sets), np.array(uniques, np.int64))


def pitman_uniques(sizes: Codes, population: int) -> float | None:
    """How many people of a population are alone, by Pitman's model of class sizes.

    `sizes` are the sizes of the sample's classes. None where the model does not fit: no uniques,
    no classes of two, or parameters outside its range.
    Paper: Hoshino 2001, the estimates in closed form. Cost: O(classes).

    >>> round(pitman_uniques(np.array([1] * 50 + [2] * 15 + [3] * 7 + [9] * 3), 1280))
    82
    """
    n, u = int(sizes.sum()), len(sizes)
    one, two = int((sizes == 1).sum()), int((sizes == 2).sum())
    if population < n or one < 2 or two < 1:
        return None
    c = one * (one - 1) / two
    below = 2 * one * u + one * c - n * c
    if not below:
        return None
    theta = (n * u * c - one * (n - 1) * (2 * u + c)) / below
    alpha = (theta * (one - n) + (n - 1) * one) / (n * u)
    if not 0 < alpha < 1 or theta <= -alpha or theta + 1 <= 0:
        return None
    found = np.exp(lgamma(theta + 1) - lgamma(theta + alpha) + alpha * log(population))
    return float(min(found, population))
