"""Classes dealt from strata of sensitive values: which sizes, which strata, who begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import _core
from .records import MOST_DEALT, Column, Partition, People, Sensitive, rows_of_column

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

# Of the classes drawn for a try so many, and this share of them must hold.
TRIES, SHARE = 200, 0.7
# Sizes tried beyond the smallest one in which most hold.
FACTORS = (1.0, 1.25, 1.6)


def dealt(
    people: People,
    k: int,
    weight: float,
    progress: Callable[[float], None] | None = None,
) -> Partition | None:
    """Classes formed with the sensitive values in mind; None where that is of no use.

    People are sorted by their sensitive values and cut into as many strata as a class has people;
    every class has one of each. Those of the most frequent values are clustered, the others dealt
    to the clusters at the least cost. The smallest classes are taken in which most hold; those that
    do not are joined. After SABRE (Cao et al. 2011). Cost: O(people x classes x columns).
    """
    count, columns, sensitive = people.count, people.columns, people.sensitive
    if not sensitive or count > MOST_DEALT or count < 2 * k:
        return None
    values = joint_values(sensitive)
    order = np.lexsort((np.arange(count), values))
    size = smallest_size(people, order, k)
    best: Partition | None = None
    for factor in FACTORS:
        strata = int(np.ceil(size * factor))
        if strata * 2 > count:
            break
        made = _dealt(people, columns, values, order, strata, k, weight, progress)
        if best is None or people.loss(made, k, weight) < people.loss(best, k, weight):
            best = made
    return best


def joint_values(sensitive: Sequence[Sensitive]) -> NDArray[np.int64]:
    """One number a person for all sensitive values: ordered ones by value, others by frequency.

    >>> joint_values([Sensitive(np.array([0, 1, 1], np.int32), 2)]).tolist()
    [1, 0, 0]
    """
    result = np.zeros(len(sensitive[0].codes), np.int64)
    for one in sensitive:
        ranks = np.arange(one.distinct)
        if not one.ordered:
            counts = np.bincount(one.codes, minlength=one.distinct)
            ranks[np.argsort(-counts, kind="stable")] = np.arange(one.distinct)
        _, result = np.unique(result * one.distinct + ranks[one.codes], return_inverse=True)
    return result.astype(np.int64)


def smallest_size(people: People, order: NDArray[np.int64], k: int) -> int:
    """The least number of strata of which most classes hold, whoever is drawn from each."""
    size = k
    while size * 2 <= people.count:
        classes = np.full(people.count, -1, np.int32)
        starts = np.arange(size + 1) * people.count // size
        width = int(np.diff(starts).min())
        tries = min(TRIES, width)
        for stratum in range(size):
            # Another way through every stratum, without chance.
            chosen = (np.arange(tries) * width // tries + stratum * 7919) % width
            classes[order[starts[stratum] + chosen]] = np.arange(tries)
        if _core.classes_held(people._table, classes, k) >= SHARE * tries:
            return size
        size += max(1, size // 8)
    return size


def _dealt(
    people: People,
    columns: Sequence[Column],
    values: NDArray[np.int64],
    order: NDArray[np.int64],
    size: int,
    k: int,
    weight: float,
    progress: Callable[[float], None] | None,
) -> Partition:
    count = people.count
    starts = np.arange(size + 1) * count // size
    strata = np.empty(count, np.int32)
    strata[order] = np.repeat(np.arange(size, dtype=np.int32), np.diff(starts))
    classes = np.full(count, -1, np.int32)
    pure = _pure_strata(values, order, starts)
    if len(pure) > 1:  # those of the most frequent values begin the classes, as many of each
        chosen = np.flatnonzero(np.isin(strata, pure))
        begun = People(len(chosen), [rows_of_column(column, chosen) for column in columns])
        classes[chosen] = begun.clusters(len(pure), weight).classes
        strata[chosen] = -1
    made = _core.dealt(people._table, classes, strata, max(count // size, 1), k, weight, progress)
    return Partition(np.asarray(made, np.int32))


def _pure_strata(
    values: NDArray[np.int64], order: NDArray[np.int64], starts: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The strata in which everybody has the one value that fills most of them."""
    first, last = values[order[starts[:-1]]], values[order[starts[1:] - 1]]
    whole = np.flatnonzero(first == last)
    if not len(whole):
        return whole
    most = np.bincount(first[whole]).argmax()
    pure: NDArray[np.int64] = whole[first[whole] == most]
    return pure
