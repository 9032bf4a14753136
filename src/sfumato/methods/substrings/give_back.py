"""Stars that a strict release can do without, given back against a reader."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from ...kernels import reader
from ...kernels.covers import judge_stars
from ...kernels.repeats import shared_when_shown
from .legible import HASHED, LARGE, TURNS

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from ...core.values import Array
    from ...kernels.repeats import Lengths
    from .reader_stars import Words

    Flags = NDArray[np.uint8]


def given_back(
    words: Words, stars: Flags, fixed: Flags, k: int, counted: Callable[[Flags], Lengths]
) -> Flags:
    """The stars without those that can be made legible while every stretch still has k.

    Runs of stars are tried whole, then without their first, their last and an inner word, never two
    beside one stretch. Stops when every way was tried in vain, in large texts after a few turns.
    """
    idle, large = 0, len(stars) > LARGE
    for turn in range(TURNS * len(WAYS)) if large else itertools.count():
        way = WAYS[turn % len(WAYS)]
        tried = way(words, stars, fixed, turn // len(WAYS), k)
        given = 0
        if tried.any():
            # 1: stars that are left, 2: on trial. What is starred again was a run's before.
            trial = words.left(np.where(tried, 0, stars).astype(np.uint8))
            trial[tried] = 2
            dropped = 1
            while dropped:
                lengths = counted((trial == 1).astype(np.uint8))
                dropped, given = judge_stars(lengths, words.codes.ends, trial, min_run=1)
            stars = np.where(tried & (trial == 0), 0, stars).astype(np.uint8)
        idle = 0 if given else idle + 1
        if idle >= 2 * len(WAYS) and turn >= HASHED * len(WAYS):
            break
    return stars


def _whole(words: Words, stars: Flags, fixed: Flags, turn: int, k: int) -> NDArray[np.bool_]:
    """Runs of stars, no two in a row; in the first turns equal runs alike."""
    first, last = words.runs(stars)
    before = np.concatenate([[0], np.cumsum(fixed != 0)])
    free = before[last + 1] == before[first]
    rank = ranks(words.codes.codes, first, last, free, turn, np.arange(len(first)))
    after = np.append(rank[1:], np.uint64(0))
    ahead = np.concatenate([[np.uint64(0)], rank[:-1]]).astype(np.uint64)
    return flags(len(stars), first, last, free & (rank > ahead) & (rank >= after))


def ranks(
    codes: Array,
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    free: NDArray[np.bool_],
    turn: int,
    index: NDArray[np.int64],
) -> NDArray[np.uint64]:
    """A rank of every run; 0: it is not tried. `index` numbers the runs of all documents."""
    if turn < HASHED:
        rank = codes[first].astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        rank ^= codes[last].astype(np.uint64) + (last - first).astype(np.uint64) + np.uint64(turn)
        rank = (rank ^ (rank >> np.uint64(29))) * np.uint64(0xD6E8FEB86659FD93)
    else:
        rank = (index + turn).astype(np.uint64) % np.uint64(2) + np.uint64(1)
    return np.where(free, rank | np.uint64(1), np.uint64(0))


def _first(words: Words, stars: Flags, fixed: Flags, turn: int, k: int) -> NDArray[np.bool_]:
    """The first word of every run whose rest still is a break."""
    first, last = words.runs(stars)
    return _one(words, stars, fixed, first, first, first + 1, last)


def _last(words: Words, stars: Flags, fixed: Flags, turn: int, k: int) -> NDArray[np.bool_]:
    """The last word of every run whose rest still is a break."""
    first, last = words.runs(stars)
    return _one(words, stars, fixed, last, last, first, last - 1)


def _inner(words: Words, stars: Flags, fixed: Flags, turn: int, k: int) -> NDArray[np.bool_]:
    """An inner word of every run, if k share it by itself and both parts still are breaks."""
    return inner(words, stars, fixed, lambda at: _shared(words, stars, at, k))


def inner(
    words: Words,
    stars: Flags,
    fixed: Flags,
    shared: Callable[[NDArray[np.int64]], NDArray[np.bool_]],
) -> NDArray[np.bool_]:
    """The same, where `shared` says which words k share."""
    first, last = words.runs(stars)
    at = np.flatnonzero(stars)
    run = np.searchsorted(first, at, "right") - 1
    at, run = (one[run >= 0] for one in (at, run))
    here = (at > first[run]) & (at < last[run]) & (fixed[at] == 0)
    at, run = at[here], run[here]
    here = is_break(words, first[run], at - 1) & is_break(words, at + 1, last[run])
    at, run = at[here], run[here]
    here = shared(at)
    at, run = at[here], run[here]
    _, leftmost = np.unique(run, return_index=True)
    tried = np.zeros(len(stars), bool)
    tried[at[leftmost]] = True
    return tried


def is_break(words: Words, first: NDArray[np.int64], last: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether nothing is written back of a run from a first to a last word."""
    size, ahead, behind = last - first, words.bits[first], words.bits[last]
    sides = ((ahead & reader.LEFT) == 0) & ((behind & reader.RIGHT) == 0)
    alone = (ahead & (reader.LEFT | reader.RIGHT | reader.BOTH)) == 0
    both = sides & ((ahead & reader.PAIR) == 0)
    found: NDArray[np.bool_] = np.where(size == 0, alone, np.where(size == 1, both, sides))
    return found


def _shared(words: Words, stars: Flags, at: NDArray[np.int64], k: int) -> NDArray[np.bool_]:
    """Of some starred words whether k share each, once it is legible; elsewhere as stars stand."""
    asked = np.zeros(len(stars), np.uint8)
    asked[at] = 1
    codes, ends = words.codes.codes, words.codes.ends
    shared = shared_when_shown(codes, k, labels=words.labels, ends=ends, stars=stars, asked=asked)
    return shared[at] != 0


WAYS = (_whole, _first, _last, _inner)


def _one(
    words: Words,
    stars: Flags,
    fixed: Flags,
    at: NDArray[np.int64],
    upto: NDArray[np.int64],
    rest_first: NDArray[np.int64],
    rest_last: NDArray[np.int64],
) -> NDArray[np.bool_]:
    before = np.concatenate([[0], np.cumsum(fixed != 0)])
    low, high = np.minimum(at, rest_first), np.maximum(upto, rest_last)
    chosen = (rest_last >= rest_first) & (before[high + 1] == before[low])
    tried = flags(len(stars), at, upto, chosen)
    left = words.left(np.where(tried, 0, stars).astype(np.uint8))
    kept = np.concatenate([[0], np.cumsum(left)])
    chosen[chosen] &= (
        kept[rest_last[chosen] + 1] - kept[rest_first[chosen]]
        == rest_last[chosen] + 1 - rest_first[chosen]
    )
    return flags(len(stars), at, upto, chosen)


def flags(
    size: int, first: NDArray[np.int64], last: NDArray[np.int64], chosen: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Flags of the words of chosen runs."""
    steps = np.zeros(size + 1, np.int8)
    steps[first[chosen]] += 1
    steps[last[chosen] + 1] -= 1
    return np.cumsum(steps[:-1], dtype=np.int8) > 0
