"""Whether classes of one person of every stratum are as demanded, whoever is in them.

Bounds from the values alone: of a value it counts in how many strata somebody has it, and in how
many everybody. What they call good is good; they may call good strata bad.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from .records import Sensitive

    Counts = NDArray[np.int64]

_SLACK = 1e-9


def always_hold(sensitive: Sequence[Sensitive], strata: NDArray[np.int64]) -> bool:
    """Whether every choice of one person of each row of `strata` is as demanded.

    Cost: O(people log people).

    >>> from sfumato.kernels.records import Sensitive
    >>> ill = Sensitive(np.array([0, 0, 1, 1], np.int32), 2, diversity="distinct", l=2)
    >>> always_hold([ill], np.array([[0, 1], [2, 3]]))
    True
    >>> always_hold([ill], np.array([[0, 2], [1, 3]]))
    False
    """
    return all(_diverse(one, strata) and _close(one, strata) for one in sensitive)


def _somewhere(codes: NDArray[np.int32], distinct: int) -> tuple[Counts, Counts]:
    """In which strata there is which code: pairs of both, each once."""
    rows = np.arange(len(codes), dtype=np.int64)[:, None]
    pairs = np.unique(rows * distinct + codes)
    return pairs // distinct, pairs % distinct


def _diverse(one: Sensitive, strata: NDArray[np.int64]) -> bool:
    if one.diversity is None:
        return True
    rows, codes = _somewhere(one.codes[strata], one.distinct)
    full = len(strata)
    if one.missing:  # who has no value makes nobody diverse: her stratum may as well not be there
        full -= int((codes == 0).sum())
        rows, codes = rows[codes > 0], codes[codes > 0]
    if full == 0:
        return False
    if one.offsets is not None and _fewest(_values(one, rows, codes), full) < ceil(one.l - _SLACK):
        return False
    counts = _most_alike(np.bincount(codes), full)
    if one.diversity == "distinct":
        return bool(len(counts) + _SLACK >= one.l)
    if one.diversity == "entropy":
        shares = counts / counts.sum()
        return bool(-(shares * np.log(shares)).sum() + _SLACK >= np.log(one.l))
    return bool(counts[0] < one.c * counts[int(one.l) - 1 :].sum())


def _values(one: Sensitive, rows: Counts, codes: Counts) -> Counts:
    """In how many strata somebody has each value, where codes stand for several values."""
    assert one.offsets is not None
    sizes = np.diff(one.offsets)[codes]
    starts = np.repeat(one.offsets[codes] - (np.cumsum(sizes) - sizes), sizes)
    values = one.values[starts + np.arange(sizes.sum())].astype(np.int64)
    width = int(values.max(initial=0)) + 1
    return np.bincount(np.unique(np.repeat(rows, sizes) * width + values) % width)


def _most_alike(somewhere: Counts, full: int) -> Counts:
    """Counts of values, as unequal as they can be: no others have more in their first few.

    `somewhere` says in how many strata each value is; `full` strata have no missing value.
    """
    ordered = np.sort(somewhere[somewhere > 0])[::-1]
    left = max(full - int(ordered[0]), 0)
    rest = np.diff(np.minimum(np.cumsum(ordered[1:]), left), prepend=0)
    return np.concatenate([ordered[:1], rest[rest > 0]])


def _fewest(somewhere: Counts, full: int) -> int:
    """How many values it takes at least so that every stratum has one of them."""
    ordered = np.sort(somewhere)[::-1]
    return int(np.searchsorted(np.cumsum(ordered), full)) + 1


def _close(one: Sensitive, strata: NDArray[np.int64]) -> bool:
    if one.t is None:
        return True
    codes, size = one.codes[strata], len(strata)
    whole = np.bincount(one.codes, minlength=one.distinct) / len(one.codes)
    if one.ordered:
        return _ordered(codes, whole) <= one.t + _SLACK
    rows, found = _somewhere(codes, one.distinct)
    pure = (np.bincount(rows) == 1)[rows]
    always = np.bincount(found[pure], minlength=one.distinct)
    sometimes = np.bincount(found[~pure], minlength=one.distinct)
    before = np.maximum(always / size - whole, 0)
    after = np.maximum((always + sometimes) / size - whole, 0)
    # Convex: one more person of a value adds at most what all that can be add on average.
    slope = (after - before) / np.maximum(sometimes, 1)
    added = np.zeros(size)
    np.maximum.at(added, rows[~pure], slope[found[~pure]])
    return bool(before.sum() + added.sum() <= one.t + _SLACK)


def _ordered(codes: NDArray[np.int32], whole: NDArray[np.float64]) -> float:
    """The farthest by the ordered distance: at every value as many below it as can be, or few."""
    if len(whole) < 2:
        return 0.0
    size, values = len(codes), np.arange(len(whole))
    below = np.cumsum(whole)
    fewest = np.searchsorted(np.sort(codes.max(axis=1)), values, side="right") / size
    most = np.searchsorted(np.sort(codes.min(axis=1)), values, side="right") / size
    away = np.maximum(np.abs(fewest - below), np.abs(most - below))
    return float(away.sum() / (len(whole) - 1))
