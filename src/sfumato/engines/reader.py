"""What the reader of stars guesses, over documents in many blocks (docs/reader.md).

Counted are n-grams of words in all blocks; a person stands whole in one block, which takes away
what is its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels.reader import BOTH, LEFT, PAIR, RIGHT, bits_of_counts
from .exchange import Query
from .messages import once

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from .exchange import Exchange
    from .messages import Numbers, Question
    from .values import Blocks, State

    Ints = NDArray[np.int64]

START, END = 1, 2
"""The neighbours at a document's ends, counted on from the last word of a block."""
WORDS = {0: (0,), 1: (), 2: (0,), 3: (0, 1), 4: (0,), 6: (0, 1), 7: (0, 1, 2)}
"""Which columns of an n-gram are words, by its kind; the others are sizes."""
FULL = 1 << 62


def guessed(exchange: Exchange, blocks: Blocks, guess: Fraction) -> Blocks:
    """The blocks with what is guessed of each word, as `bits`.

    A block has `codes` of words (0 for breaks and at the ends of documents), the `numbers` of codes
    in all blocks, `ends`, `owner` (or None: each place is left out by itself), and `sizes` of words
    (or None).

    Cost: an exchange of at most ten rows for each word.
    """
    single = Query(
        lambda state: _beside(state)[0],
        lambda state, _, sums: _single_bits(state, sums, guess),
        named=False,
    )
    pairs = Query(
        lambda state: _two(state)[0],
        lambda state, _, sums: _pair_bits(state, sums, guess),
        named=False,
    )
    return exchange.ask(blocks, single, pairs)


def _neighbours(state: State) -> tuple[Ints, Ints]:
    """The words beside each place, by their codes in this block."""
    codes, ends, last = state["codes"], state["ends"], len(state["numbers"]) - 1
    left, right = np.roll(codes, 1), np.roll(codes, -1)
    begins = ends - np.diff(ends, prepend=-1) + 1
    left[begins] = last + START
    filled = ends > begins
    right[ends[filled] - 1] = last + END
    return left, right


def _sizes(state: State) -> Ints:
    if state["sizes"] is None:
        return np.zeros(len(state["codes"]), np.int64)
    sizes: Ints = state["sizes"].astype(np.int64)
    return sizes


@once
def _beside(state: State) -> tuple[Question, Ints, Ints, Ints]:
    """The eight n-grams of each word: which, how often in all, and how often its own."""
    x = state["codes"]
    left, right = _neighbours(state)
    size, none = _sizes(state), np.zeros(len(x), np.int64)
    here, has_left, has_right = x != 0, left != 0, right != 0
    both = has_left & has_right
    kinds = (
        (here, x, none, none),
        (here, size, none, none),
        (here & has_left, left, size, none),
        (here & has_left, left, x, none),
        (here & has_right, right, size, none),
        (here & has_right, x, right, none),
        (here & both, left, right, size),
        (here & both, left, x, right),
    )
    columns: list[list[Ints]] = [[], [], [], []]
    places = []
    for kind, (known, *parts) in enumerate(kinds):
        # The pairs (l,x) and (x,r) are one kind of n-gram, counted once for each place.
        tag = 3 if kind == 5 else kind
        at = np.flatnonzero(known)
        for column, part in zip(columns, (np.full(len(at), tag), *parts), strict=True):
            column.append(part if column is columns[0] else part[at])
        places.append(at * 8 + kind)
    return _counted(state, list(map(np.concatenate, columns)), np.concatenate(places), 8, WORDS, 5)


def _counted(
    state: State,
    columns: list[Ints],
    places: Ints,
    width: int,
    words: dict[int, tuple[int, ...]],
    doubled: int | None = None,
) -> tuple[Question, Ints, Ints, Ints]:
    """A question of these n-grams, the group of each place, and what each place leaves out.

    Of kind `doubled` only what no other kind has is added up: the pair at a document's end.
    """
    numbers = state["numbers"]
    first, same = _alike(columns)
    count = len(first)
    adds = np.ones(len(places), bool)
    if doubled is not None:
        adds = (places % width != doubled) | (columns[2] == len(numbers) - 1 + END)
    occurrences = np.bincount(same[adds], minlength=count).astype(np.int64)
    if state["owner"] is None:
        own = np.ones(len(places), np.int64)
    else:
        owner = state["owner"][places // width].astype(np.int64)
        most = int(owner.max(initial=0)) + 1
        pairs, inverse = np.unique(same * most + owner, return_inverse=True)
        own = np.bincount(inverse[adds], minlength=len(pairs)).astype(np.int64)[inverse]
    return (_keys([one[first] for one in columns], numbers, words), occurrences[:, None]), *(
        same,
        places,
        own,
    )


def _alike(columns: list[Ints]) -> tuple[Ints, Ints]:
    """The first place of each different row, and the number of every row's.

    >>> _alike([np.array([5, 5, 5]), np.array([1, 0, 1])])
    (array([1, 0]), array([1, 0, 1]))
    """
    packed, most = np.zeros(len(columns[0]), np.int64), 1
    for column in columns:
        base = int(column.max(initial=0)) + 1
        if most * base >= FULL:
            _, packed = np.unique(packed, return_inverse=True)
            most = len(packed)
        packed, most = packed * base + column, most * base
    _, first, same = np.unique(packed, return_index=True, return_inverse=True)
    return first, same


def _keys(rows: list[Ints], numbers: Numbers, words: dict[int, tuple[int, ...]]) -> Any:
    """Rows of a kind and columns as all blocks have them: words by their common numbers."""
    ends = np.array([0, 1], np.uint64)  # no word has these numbers
    known = np.concatenate([numbers + np.uint64(1), ends])
    keys = np.stack(rows, axis=1).astype(np.uint64)
    for kind, places in words.items():
        here = np.flatnonzero(rows[0] == kind)
        for place in places:
            keys[here, place + 1] = known[rows[place + 1][here]]
    return keys


def _others(state: State, sums: Ints, asked: tuple[Question, Ints, Ints, Ints], width: int) -> Ints:
    """For each word and n-gram how often everybody else writes it."""
    _, same, places, own = asked
    counts = np.zeros(len(state["codes"]) * width, np.int64)
    counts[places] = sums[same, 0] - own
    return counts.reshape(-1, width)


def _single_bits(state: State, sums: Ints, guess: Fraction) -> State:
    counts = _others(state, sums, _beside(state), 8)
    known = (state["codes"] != 0).astype(np.uint8)
    return {**state, "bits": bits_of_counts(counts, known, guess)}


@once
def _two(state: State) -> tuple[Question, Ints, Ints, Ints]:
    """Two words side by side: with what stands around them, and the gap between that.

    A place where no pair is looked for adds to the counts only if another one asks, so every
    place is sent.
    """
    x, ends = state["codes"], state["ends"]
    left, right = _neighbours(state)
    size = _sizes(state)
    y, after, size_after = np.roll(x, -1), np.roll(right, -1), np.roll(size, -1)
    inside = np.ones(len(x), bool)
    inside[ends] = False
    inside[ends[np.diff(ends, prepend=-1) > 1] - 1] = False
    known = inside & (x != 0) & (y != 0) & (left != 0) & (after != 0)
    at = np.flatnonzero(known)
    none = np.zeros(len(at), np.int64)
    whole = (none, left[at], x[at], y[at], after[at])
    around = (none + 1, left[at], after[at], size[at], size_after[at])
    columns = [np.concatenate(pair) for pair in zip(whole, around, strict=True)]
    places = np.concatenate([at * 2, at * 2 + 1])
    return _counted(state, columns, places, 2, {0: (0, 1, 2, 3), 1: (0, 1)})


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
