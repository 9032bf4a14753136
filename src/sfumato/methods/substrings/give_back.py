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
        if words.progress is not None:
            words.progress(0.5 + 0.5 * min(1.0, turn / (TURNS * len(WAYS))))
        way = WAYS[turn % len(WAYS)]
        tried = way(words, stars, fixed, turn // len(WAYS), k)
        given = 0
        if tried.any():
            # 1: stars that are left, 2: on trial. What is starred again was a run's before.
            trial = words.left(stars * ~tried)
            trial[tried] = 2
            dropped = 1
            while dropped:
                dropped, given = judge_stars(counted(trial), words.codes.ends, trial, min_run=1)
            stars = stars.copy()
            stars[tried & (trial == 0)] = 0
        idle = 0 if given else idle + 1
        if idle >= 2 * len(WAYS) and turn >= HASHED * len(WAYS):
            break
    return stars


def _whole(words: Words, stars: Flags, fixed: Flags, turn: int, k: int) -> NDArray[np.bool_]:
    """Runs of stars, no two in a row; in the first turns equal runs alike."""
    first, last = words.runs(stars)
    free = _free(fixed, first, last)
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
    chosen = _free(fixed, first, last) & (last > first)
    chosen[chosen] = is_break(words, first[chosen] + 1, last[chosen])
    return flags(len(stars), first, first, chosen)


def _last(words: Words, stars: Flags, fixed: Flags, turn: int, k: int) -> NDArray[np.bool_]:
    """The last word of every run whose rest still is a break."""
    first, last = words.runs(stars)
    chosen = _free(fixed, first, last) & (last > first)
    chosen[chosen] = is_break(words, first[chosen], last[chosen] - 1)
    return flags(len(stars), last, last, chosen)


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
    many = np.maximum(last - first - 1, 0)  # words between the first and the last
    run = np.repeat(np.arange(len(first)), many)
    at = np.arange(len(run)) - np.repeat(np.cumsum(many) - many, many) + first[run] + 1
    here = fixed[at] == 0
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
    result: NDArray[np.bool_] = shared[at] != 0
    return result


WAYS = (_whole, _first, _last, _inner)


def _free(fixed: Flags, first: NDArray[np.int64], last: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether no word of each run is fixed."""
    at = np.flatnonzero(fixed)
    free: NDArray[np.bool_] = np.searchsorted(at, first) == np.searchsorted(at, last, "right")
    return free


def flags(
    size: int, first: NDArray[np.int64], last: NDArray[np.int64], chosen: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Flags of the words of chosen runs."""
    steps = np.zeros(size + 1, np.int8)
    steps[first[chosen]] += 1
    steps[last[chosen] + 1] -= 1
    return np.cumsum(steps[:-1], dtype=np.int8) > 0
