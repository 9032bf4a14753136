"""What the reader of stars guesses, over documents in many blocks (docs/reader.md).

Counted are n-grams of words in all blocks; a person stands whole in one block, which takes away
what is its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.printed_form import by_sizes
from ..kernels.reader import BOTH, LEFT, PAIR, RIGHT, bits_of_counts
from .exchange import Query
from .messages import alike, narrow, once

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from ..core.values import Array
    from .exchange import Exchange
    from .messages import Numbers, Question
    from .values import Blocks, State

    Ints = NDArray[np.int64]
    Places = list[tuple[int, int, Array, Array, Array]]
    """Of a kind of n-gram: the first of the asked, where some stand (bits), which of the asked from
    that on each is, and how many are its own.

    It waits with the block for its answers, in as few bytes as it takes."""

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
def _beside(state: State) -> tuple[Question, Places]:
    """The eight n-grams of each word: how often each stands here, and how often it is its own."""
    x, last = state["codes"], len(state["numbers"]) - 1
    left, right = _neighbours(state)
    size = _sizes(state)
    here, has_left, has_right = x != 0, left != 0, right != 0
    both = has_left & has_right
    final = right == last + END
    word = _counted(state, 0, here, x)
    sizes = _counted(state, 1, here, size)
    after_word = _counted(state, 2, here & has_left, left, size)
    pair = _counted(state, 3, here & has_left, left, x)
    before_word = _counted(state, 4, here & has_right, right, size)
    # The pair (x,r) of a place is the pair (l,x) of the next one, but for the last of a document.
    ending = _counted(state, 3, here & final, x, right)
    around = _counted(state, 6, here & both, left, right, size)
    three = _counted(state, 7, here & both, left, x, right)
    kinds = (word, sizes, after_word, pair, before_word, ending, around, three)
    question, firsts = _joined(state, kinds, WORDS)
    follows = here & has_left & (left != last + START)
    inner, before = follows[here & has_left], np.append(follows[1:], False)
    again = (5, firsts[3], np.packbits(before), pair.same[inner], pair.own[inner])
    return question, [*_places(kinds, firsts), again]


@dataclass(frozen=True, slots=True)
class _Kind:
    """One kind of n-gram in a block: the different ones, and those of each place."""

    keys: list[Ints]
    there: Array
    """Bits: which places there are."""
    same: Array
    own: Array
    """How often the n-gram of each place is its own person's, or 1: the place itself."""

    __repr__ = by_sizes


def _counted(state: State, kind: int, known: NDArray[np.bool_], *parts: Ints) -> _Kind:
    """The n-grams of the places that are known."""
    at = np.flatnonzero(known)
    first, same = _alike([one[at] for one in parts])
    keys = [np.full(len(first), kind), *(one[at[first]] for one in parts)]
    own = np.ones(len(at), np.int64)
    if state["owner"] is not None:
        owner = state["owner"][at].astype(np.int64)
        most = int(owner.max(initial=0)) + 1
        _, mine = alike(same * most + owner)
        own = np.bincount(mine)[mine] if len(mine) else own
    return _Kind(keys, np.packbits(known), narrow(same), narrow(own))


def _places(kinds: Sequence[_Kind], firsts: list[int]) -> Places:
    rows = enumerate(zip(firsts, kinds, strict=False))
    return [(i, first, one.there, one.same, one.own) for i, (first, one) in rows]


def _joined(
    state: State, kinds: Sequence[_Kind], words: dict[int, tuple[int, ...]]
) -> tuple[Question, list[int]]:
    """A question of all these n-grams, and where those of each kind begin in it."""
    counts = [np.bincount(one.same, minlength=len(one.keys[0])) for one in kinds]
    firsts = np.cumsum([0, *map(len, counts)]).tolist()
    width = max(len(one.keys) for one in kinds)
    rows = np.zeros((width, firsts[-1]), np.int64)
    for first, one in zip(firsts, kinds, strict=False):
        for row, part in zip(rows, one.keys, strict=False):
            row[first : first + len(part)] = part
    occurrences = np.concatenate(counts).astype(np.int64)
    return (_keys(list(rows), state["numbers"], words), occurrences[:, None]), firsts


def _alike(columns: list[Ints]) -> tuple[Ints, Ints]:
    """The first place of each different row, and the number of every row's.

    >>> _alike([np.array([5, 5, 5]), np.array([1, 0, 1])])
    (array([0, 1]), array([0, 1, 0]))
    """
    packed, most = np.zeros(len(columns[0]), np.int64), 1
    for column in columns:
        base = int(column.max(initial=0)) + 1
        if most * base >= FULL:
            _, packed = alike(packed)
            most = len(packed)
        packed, most = packed * base + column, most * base
    return alike(packed)


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


def _others(state: State, sums: Ints, places: Places, width: int) -> Ints:
    """For each word and n-gram how often everybody else writes it."""
    counts = np.zeros((len(state["codes"]), width), np.int64)
    for kind, first, there, same, own in places:
        at = np.flatnonzero(np.unpackbits(there, count=len(counts)))
        counts[at, kind] = sums[first:, 0][same] - own
    return counts


def _single_bits(state: State, sums: Ints, guess: Fraction) -> State:
    counts = _others(state, sums, _beside(state)[1], 8)
    known = (state["codes"] != 0).astype(np.uint8)
    return {**state, "bits": bits_of_counts(counts, known, guess)}


@once
def _two(state: State) -> tuple[Question, Places]:
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
    kinds = (
        _counted(state, 0, known, left, x, y, after),
        _counted(state, 1, known, left, after, size, size_after),
    )
    question, firsts = _joined(state, kinds, {0: (0, 1, 2, 3), 1: (0, 1)})
    return question, _places(kinds, firsts)


def _pair_bits(state: State, sums: Ints, guess: Fraction) -> State:
    both, around = _others(state, sums, _two(state)[1], 2).T
    bits = state["bits"].copy()
    after = np.append(bits[1:], 0)
    some = LEFT | RIGHT | BOTH
    looked_for = ((bits & some) != 0) & ((after & some) != 0)
    looked_for &= ((bits & LEFT) == 0) & ((after & RIGHT) == 0)
    found = looked_for & (around > 0) & (both * guess.denominator >= around * guess.numerator)
    bits[found] |= PAIR
    return {**state, "bits": bits}
