"""Copied passages: what stands in a long run of words that another's text has before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.values import Array

    Int64s = NDArray[np.int64]


def copied_words(numbers: Int64s, ends: Int64s, labels: Array, least: int) -> NDArray[np.bool_]:
    """Flags words in runs of `least` words, none negative, that another label's text has before.

    The first text with a run is no copy, nor are others of its label. `ends` has the end of each
    document, `labels` whose it is. Cost: O(n log n log least).

    >>> numbers, ends = np.array([1, 2, 3, 4, 1, 2, 3]), np.array([3, 7])
    >>> copied_words(numbers, ends, np.array([0, 1]), 3).astype(int).tolist()
    [0, 0, 0, 0, 1, 1, 1]
    """
    sizes = np.diff(ends, prepend=0)
    owner = np.repeat(np.asarray(labels), sizes)
    runs = _runs(numbers, least)
    runs[np.arange(len(numbers)) + least > np.repeat(ends, sizes)] = -1
    at = np.flatnonzero(runs >= 0)
    _, first, of = np.unique(runs[at], return_index=True, return_inverse=True)
    copies = at[owner[at] != owner[at[first]][of.reshape(-1)]]
    steps = np.zeros(len(numbers) + 1, np.int64)
    np.add.at(steps, copies, 1)
    np.add.at(steps, copies + least, -1)
    found: NDArray[np.bool_] = np.cumsum(steps[:-1]) > 0
    return found


def _runs(numbers: Int64s, least: int) -> Int64s:
    """A number for the run of `least` words from each word on, equal ones alike; -1: none."""
    grams = {1: np.unique(numbers, return_inverse=True)[1].reshape(-1)}
    grams[1] = np.where(numbers < 0, -1, grams[1])
    size = 1
    while 2 * size <= least:
        grams[2 * size] = _joined(grams[size], grams[size], size)
        size *= 2
    result, done = grams[size], size
    while done < least:
        size = 1 << ((least - done).bit_length() - 1)
        result = _joined(result, grams[size], done)
        done += size
    return result


def _joined(a: Int64s, b: Int64s, apart: int) -> Int64s:
    """Numbers of pairs: a at a place, and b so far after it."""
    after = np.append(b[apart:], np.full(min(apart, len(b)), -1, np.int64))
    pairs = np.where((a < 0) | (after < 0), -1, a * (len(a) + 1) + after)
    numbers = np.unique(pairs, return_inverse=True)[1].reshape(-1)
    return np.where(pairs < 0, -1, numbers)
