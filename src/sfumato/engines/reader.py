"""What the reader of stars guesses, over documents in many blocks (docs/reader.md).

Counted are n-grams of words in all blocks; a person stands whole in one block, which takes away
what is its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels.reader import BOTH, LEFT, PAIR, RIGHT, bits_of_counts
from .exchange import grouped, once

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from .exchange import Exchange, Question, State

    Ints = NDArray[np.int64]

START, END = np.uint64(2**64 - 2), np.uint64(2**64 - 1)
"""The neighbours at a document's ends; no word has these numbers."""


def guessed(exchange: Exchange, blocks: Any, guess: Fraction) -> Any:
    """The blocks with what is guessed of each word, as `bits`.

    A block has `words` (the number of each word, 0 for breaks and at the ends of documents),
    `ends`, `owner` (or None: each place is left out by itself), and `sizes` of words (or None).

    Cost: two exchanges, of at most eight and two rows for each word.
    """
    blocks = exchange.ask(
        blocks,
        lambda state: _beside(state)[0],
        lambda state, _, sums: _single_bits(state, sums, guess),
    )
    return exchange.ask(
        blocks,
        lambda state: _two(state)[0],
        lambda state, _, sums: _pair_bits(state, sums, guess),
    )


def _neighbours(state: State) -> tuple[Any, Any]:
    words, ends = state["words"], state["ends"]
    left, right = np.roll(words, 1), np.roll(words, -1)
    begins = ends - np.diff(ends, prepend=-1) + 1
    left[begins] = START
    filled = ends > begins
    right[ends[filled] - 1] = END
    return left, right


def _sizes(state: State) -> Any:
    if state["sizes"] is None:
        return np.zeros(len(state["words"]), np.uint64)
    return state["sizes"].astype(np.uint64)


@once
def _beside(state: State) -> tuple[Question, Ints, Ints, Ints]:
    """The eight n-grams of each word: which, how often in all, and how often its own."""
    x = state["words"]
    left, right = _neighbours(state)
    size, none = _sizes(state), np.zeros(len(x), np.uint64)
    has_left, has_right = left != 0, right != 0
    both = has_left & has_right
    kinds = (
        (np.ones(len(x), bool), x, none, none),
        (np.ones(len(x), bool), size, none, none),
        (has_left, left, size, none),
        (has_left, left, x, none),
        (has_right, right, size, none),
        (has_right, x, right, none),
        (both, left, right, size),
        (both, left, x, right),
    )
    keys, places = [], []
    here = x != 0
    for kind, (known, *parts) in enumerate(kinds):
        # The pairs (l,x) and (x,r) are one kind of n-gram, counted once for each place.
        tag = 3 if kind == 5 else kind
        at = np.flatnonzero(here & known)
        keys.append(np.stack([np.full(len(at), tag, np.uint64), *(one[at] for one in parts)], 1))
        places.append(at * 8 + kind)
    return _counted(state, np.concatenate(keys), np.concatenate(places), 8, doubled=5)


def _counted(
    state: State, keys: Any, places: Ints, width: int, doubled: int | None = None
) -> tuple[Question, Ints, Ints, Ints]:
    """A question of these keys, the group of each place, and what each place leaves out.

    Of kind `doubled` only what no other kind has is added up: the pair at a document's end.
    """
    same, count = grouped(keys)
    adds = np.ones(len(places), bool)
    if doubled is not None:
        ends = keys[:, 2] == END
        adds = (places % width != doubled) | ends
    occurrences = np.bincount(same[adds], minlength=count).astype(np.int64)
    if state["owner"] is None:
        own = np.ones(len(places), np.int64)
    else:
        owner = state["owner"][places // width].astype(np.int64)
        most = int(owner.max(initial=0)) + 1
        pairs, inverse = np.unique(same * most + owner, return_inverse=True)
        own = np.bincount(inverse[adds], minlength=len(pairs)).astype(np.int64)[inverse]
    one_of_each = np.zeros((count, keys.shape[1]), np.uint64)
    one_of_each[same] = keys
    return (one_of_each, occurrences[:, None]), same, places, own


def _others(state: State, sums: Ints, asked: tuple[Question, Ints, Ints, Ints], width: int) -> Ints:
    """For each word and n-gram how often everybody else writes it."""
    _, same, places, own = asked
    counts = np.zeros(len(state["words"]) * width, np.int64)
    counts[places] = sums[same, 0] - own
    return counts.reshape(-1, width)


def _single_bits(state: State, sums: Ints, guess: Fraction) -> State:
    counts = _others(state, sums, _beside(state), 8)
    known = (state["words"] != 0).astype(np.uint8)
    return {**state, "bits": bits_of_counts(counts, known, guess)}


@once
def _two(state: State) -> tuple[Question, Ints, Ints, Ints]:
    """Two words side by side: with what stands around them, and the gap between that.

    A place where no pair is looked for adds to the counts only if another one asks, so every
    place is sent.
    """
    x, ends = state["words"], state["ends"]
    left, right = _neighbours(state)
    size = _sizes(state)
    y, after, size_after = np.roll(x, -1), np.roll(right, -1), np.roll(size, -1)
    inside = np.ones(len(x), bool)
    inside[ends] = False
    inside[ends[np.diff(ends, prepend=-1) > 1] - 1] = False
    known = inside & (x != 0) & (y != 0) & (left != 0) & (after != 0)
    at = np.flatnonzero(known)
    gap = size[at] << np.uint64(32) | size_after[at]
    none = np.zeros(len(at), np.uint64)
    whole = np.stack([none, left[at], x[at], y[at], after[at]], 1)
    around = np.stack([none + np.uint64(1), left[at], after[at], gap, none], 1)
    return _counted(state, np.concatenate([whole, around]), np.concatenate([at * 2, at * 2 + 1]), 2)


def _pair_bits(state: State, sums: Ints, guess: Fraction) -> State:
    both, around = _others(state, sums, _two(state), 2).T
    bits = state["bits"].copy()
    after = np.append(bits[1:], 0)
    some = LEFT | RIGHT | BOTH
    looked_for = ((bits & some) != 0) & ((after & some) != 0)
    looked_for &= ((bits & LEFT) == 0) & ((after & RIGHT) == 0)
    found = looked_for & (around > 0) & (both * guess.denominator >= around * guess.numerator)
    bits[found] |= PAIR
    return {**state, "bits": bits}
