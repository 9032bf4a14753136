"""Words that an attacker may know of a person: k people show any m of them, or nobody does.

Items are the words that are legible once a reader has written back what can be guessed, as they
are written, each once for a person (or document). Words that more than a share of the people show
are free: they single nobody out, and are not counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...core.printed_form import by_sizes
from ...kernels import reader
from ...kernels.known_sets import shown_items
from .give_back import given_back, is_break

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from numpy.typing import NDArray

    from ...kernels.repeats import Lengths
    from .reader_stars import Words

    Flags = NDArray[np.uint8]
    Bools = NDArray[np.bool_]
    Int64s = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Knows:
    """How many words of a person are known; words that a larger share of people shows are free."""

    __repr__ = by_sizes

    most: int
    common: Fraction


def against_known(
    words: Words,
    stars: Flags,
    fixed: Flags,
    k: int,
    knows: Knows,
    settled: Callable[[Flags], Flags],
    counted: Callable[[Flags], Lengths],
) -> Flags:
    """Stars until k people, or nobody, show any set of so many known words.

    What is starred makes other stretches and sets rarer: `settled` stars those stretches, and sets
    are counted again, until nothing is added. Stars over free words are then given back where all
    stretches keep k: no set has a free word. Cost: for each round that of counting both.
    """
    tried = not (words.rules.run_price == 0 and words.rules.min_run == 1)
    while True:
        held = _Held.of(words, words.left(stars), k, knows)
        gone = held.withheld(k, knows)
        if gone.any():
            stars = settled(with_stars(words, stars, gone))
        elif tried:
            return stars
        else:
            tried = True
            stays = (fixed != 0) | ((stars != 0) & ~held.free[words.codes.codes])
            stars = given_back(words, stars, stays.astype(np.uint8), k, counted)


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """Who shows which words: a key (person and word) for every place, and those that are shown."""

    __repr__ = by_sizes

    keys: Int64s
    legible: Bools
    pairs: Int64s
    """Each person's words once, in order."""
    width: int
    people: int
    free: Bools
    """By word."""

    @classmethod
    def of(cls, words: Words, left: Flags, k: int, knows: Knows) -> _Held:
        codes, ends = words.codes.codes.astype(np.int64), words.codes.ends
        labels = np.zeros(len(ends), np.int32) if words.labels is None else words.labels
        names, person = np.unique(labels, return_inverse=True)
        width = int(codes.max(initial=0)) + 1
        keys = np.repeat(person, np.diff(ends, prepend=-1)) * width + codes
        legible = (left == 0) & (codes != 0)
        pairs = np.unique(keys[legible])
        counts = np.bincount(pairs % width, minlength=width)
        share = knows.common
        free = (counts * share.denominator > share.numerator * len(names)) & (counts >= k)
        return cls(keys, legible, pairs, width, len(names), free)

    def withheld(self, k: int, knows: Knows) -> Bools:
        """The legible places of words that their person may not show."""
        own = self.pairs[~self.free[self.pairs % self.width]]
        offsets = np.searchsorted(own, np.arange(self.people + 1) * self.width).astype(np.int64)
        items = (own % self.width).astype(np.int32)
        one = np.zeros(self.people, np.int32)
        shown = shown_items(one, offsets, items, k, knows.most)
        gone = own[shown < 0]
        if not len(gone):
            return np.zeros(len(self.keys), bool)
        at = np.minimum(np.searchsorted(gone, self.keys), len(gone) - 1)
        found: Bools = self.legible & (gone[at] == self.keys)
        return found


def with_stars(words: Words, stars: Flags, wanted: Bools) -> Flags:
    """Stars over wanted words, and over so many beside them that no reader writes these back.

    A run of stars stays where its first word is not guessed from the left, nor its last from the
    right, nor a single word or a pair from both sides; the shortest such run is taken, in documents
    that have none all words. Cost: O(n).
    """
    result = np.where(wanted, 1, stars).astype(np.uint8)
    at = np.flatnonzero(wanted & (words.left(result) == 0))
    if not len(at):
        return result
    size, bits = len(stars), words.bits
    start = np.concatenate([[0], words.codes.ends[:-1] + 1])
    document = np.searchsorted(words.codes.ends, at)
    low, high = start[document], words.codes.ends[document] - 1
    places = np.arange(size)
    onto = np.maximum.accumulate(np.where(bits & reader.LEFT, -1, places))
    upto = np.minimum.accumulate(np.where(bits & reader.RIGHT, size, places)[::-1])[::-1]
    onto, upto = np.append(onto, -1), np.append(upto, size)  # one before the first, after the last
    firsts = [onto[at], onto[onto[at] - 1]]
    lasts = [upto[at], upto[np.minimum(upto[at] + 1, size)]]
    best = np.full(len(at), size, np.int64)
    first, last = low.copy(), high.copy()
    for a in firsts:
        for b in lasts:
            inside = (a >= low) & (b <= high) & (b - a < best)
            inside[inside] = is_break(words, a[inside], b[inside])
            first, last = np.where(inside, a, first), np.where(inside, b, last)
            best = np.where(inside, b - a, best)
    steps = np.zeros(size + 1, np.int64)
    np.add.at(steps, first, 1)
    np.add.at(steps, last + 1, -1)
    return np.where(np.cumsum(steps[:-1]) > 0, 1, result).astype(np.uint8)
