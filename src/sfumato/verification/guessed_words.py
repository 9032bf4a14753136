"""What a reader guesses of starred words, from the words beside them: docs/reader.md, checked."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ..core.allowance import allowance
from ..core.errors import BadInput
from ..core.printed_form import by_sizes
from ..kernels import checks

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from ..core.values import Array

    Int64s = NDArray[np.int64]
    Numbers = NDArray[np.int32]
    Bools = NDArray[np.bool_]

NEAR = 1e-9  # shares that differ by less are compared as fractions


@dataclass(frozen=True, slots=True, eq=False)
class GuessedWords:
    """Which words are guessed: from the left, the right, both sides, or with the next word."""

    __repr__ = by_sizes

    left: Bools
    right: Bools
    both: Bools
    pair: Bools


def guessed_stars(
    laid: checks.WordAlignment,
    judged: int,
    guess: Fraction,
    lengths: bool,
    labels: NDArray[np.int32] | None,
    starred: Bools,
) -> GuessedWords:
    """What the reader guesses of the starred words of the first `judged` documents.

    Counted among the words of everybody else: of other labels, or without labels at other places.
    """
    tell = allowance().told(0.2, 0.6) or (lambda _: None)
    around = _Around.of(laid, judged, lengths, labels)
    tell(0.1)
    x, left, right = around.word, around.left, around.right
    asked = np.zeros(len(x), bool)
    asked[: len(starred)] = starred
    asked &= x >= 0
    at = np.flatnonzero(asked)
    word, all_words = around.others(x)[0][at], around.others(around.size)[0][at]
    # Counts are taken where they are asked for, and dropped: each is as long as the text.
    tell(0.2)
    counts, of_left = around.others(around.beside(left))
    with_left = counts[at]
    tell(0.35)
    counts, of_right = around.others(around.beside(right))
    with_right = counts[at]
    tell(0.5)
    counts, pair = around.pairs()
    from_left = Share(counts[at], with_left, word, all_words)
    # The pair of a word and the one after it is that one's.
    from_right = Share(counts[around.after[at]], with_right, word, all_words)
    del counts
    in_left, in_right = from_left.reaches(guess), from_right.reaches(guess)
    # What one side tells is written back anyway; what both sides tell beyond it, others have.
    open_ = ~in_left & ~in_right & (from_left.part > 0) & (from_right.part > 0)
    asked = _flags(len(x), at[open_])
    tell(0.65)
    trigram = around.others(around.joined(pair[: len(x)], right), asked)[0]
    asked &= trigram > 0
    between = around.others(around.joined(of_left, right), asked)[0]
    here = asked[at]
    tell(0.85)
    told = (trigram[at[here]], between[at[here]])
    in_both = here.copy()
    in_both[here] = from_left.only(here).with_both(*told, guess) | from_right.only(here).with_both(
        *told, guess
    )
    words = [_flags(len(x), at[one]) for one in (in_left, in_right, in_both)]
    found = GuessedWords(words[0], words[1], words[2], asked)
    both = _pairs(around, guess, found, pair, of_left, of_right)
    count = int(laid.ends[judged - 1]) if judged else 0
    return GuessedWords(found.left[:count], found.right[:count], found.both[:count], both[:count])


def beside(
    laid: checks.WordAlignment,
    judged: int,
    lengths: bool,
    labels: NDArray[np.int32] | None,
    most: int,
) -> tuple[Int64s, Int64s, Int64s, NDArray[np.int32] | None]:
    """Of every word: those to its left and right, its size, and whose it is.

    `most` stands for a document's beginning, the number after it for its end. Sizes are 0 where
    they are not seen; words of documents after `judged` are nobody's.
    """
    sizes = np.diff(laid.ends, prepend=0)
    x = laid.numbers
    of = None
    if labels is not None:
        nobody = np.full(len(sizes) - judged, -1, np.int32)
        of = np.repeat(np.concatenate([labels[:judged].astype(np.int32), nobody]), sizes)
    filled = sizes > 0
    left, right = np.empty_like(x), np.empty_like(x)
    left[1:], right[:-1] = x[:-1], x[1:]
    left[(laid.ends - sizes)[filled]] = most
    right[(laid.ends - 1)[filled]] = most + 1
    return left, right, laid.stops - laid.starts if lengths else np.zeros_like(x), of


@dataclass(frozen=True, slots=True, eq=False)
class _Around:
    """Each word's number, those beside it (or of the document's start and end), and its length.

    -1: a break.
    """

    __repr__ = by_sizes

    word: Numbers
    left: Numbers
    right: Numbers
    size: Numbers
    base: int
    labels: NDArray[np.int32] | None
    ends: Int64s
    """Of each document that has words: after its last one."""

    @classmethod
    def of(
        cls,
        laid: checks.WordAlignment,
        judged: int,
        lengths: bool,
        labels: NDArray[np.int32] | None,
    ) -> _Around:
        """The words of a release laid on its original; those after `judged` documents nobody's."""
        x = laid.numbers
        most = int(x.max(initial=0)) + 1
        left, right, size, of = beside(laid, judged, lengths, labels, most)
        base = max(most + 2, int(size.max(initial=0)) + 1, len(x) + len(laid.ends) + 1)
        if base >= 2**31:
            raise BadInput("too many words, or a word too long, to be verified")
        filled = np.diff(laid.ends, prepend=0) > 0
        narrow = [one.astype(np.int32) for one in (x, left, right, size)]
        return cls(narrow[0], narrow[1], narrow[2], narrow[3], base, of, laid.ends[filled])

    def others(self, values: Array, asked: Bools | None = None) -> tuple[Array, Array]:
        """How often each value stands with others, and its number; of breaks none is known.

        Values of 64 bits are used up.
        """
        known = values.astype(np.int64, copy=False)
        known[self.word < 0] = -1
        return checks.elsewhere(known, self.labels, asked)

    def joined(self, a: Array, b: Array) -> Int64s:
        """Two numbers as one; -1 where either is unknown."""
        one = a.astype(np.int64)
        one *= self.base
        one += b
        one[(a < 0) | (b < 0)] = -1
        return one

    def beside(self, neighbour: Numbers) -> Int64s:
        """A neighbour, and the length of the word."""
        return self.joined(neighbour, self.size)

    @property
    def after(self) -> Numbers:
        """Where, in `pairs`, the pair of each word and the next stands."""
        after = np.arange(1, len(self.word) + 1, dtype=np.int32)
        after[self.ends - 1] = len(self.word) + np.arange(len(self.ends))
        return after

    def pairs(self) -> tuple[Array, Array]:
        """Of each word with the one before it, then of each document's last with its end."""
        values = self.joined(self.left, self.word)
        last = self.joined(self.word[self.ends - 1], self.right[self.ends - 1])
        labels = self.labels
        if labels is not None:
            labels = np.concatenate([labels, labels[self.ends - 1]])
        return checks.elsewhere(np.concatenate([values, last]), labels)


def _pairs(
    around: _Around,
    guess: Fraction,
    found: GuessedWords,
    pair: Array,
    of_left: Array,
    of_right: Array,
) -> Bools:
    """Two words, neither a break alone, that are guessed together from what stands around them.

    Those that one side tells are written back before; what others do not have is not guessed.
    """
    some = found.left | found.right | found.both
    after = around.after
    inside = after < len(some)
    asked = some & ~found.left & inside
    asked[:-1] &= (some & ~found.right)[1:]
    second = np.where(inside, after, 0)
    last = pair[after[second]]  # of the second word with what comes after
    values = around.joined(pair[: len(some)], last)
    values[~inside] = -1
    whole = around.others(values, asked)[0]
    asked &= whole > 0
    values = around.joined(of_left, of_right[second])
    values[~inside] = -1
    any_two = around.others(values, asked)[0]
    at = np.flatnonzero(asked & (any_two > 0))
    both, of = whole[at].astype(np.int64), any_two[at].astype(np.int64)
    return _flags(len(some), at[both * guess.denominator >= of * guess.numerator])


def _flags(size: int, at: Int64s) -> Bools:
    flags = np.zeros(size, bool)
    flags[at] = True
    return flags


@dataclass(frozen=True, slots=True, eq=False)
class Share:
    """(part + word / words) / (whole + 1), exactly; word / words is 0 where there are none."""

    __repr__ = by_sizes

    part: Array
    whole: Array
    word: Array
    words: Array

    def only(self, chosen: Bools) -> Share:
        """The shares of some words."""
        return Share(*(one[chosen] for one in (self.part, self.whole, self.word, self.words)))

    def _value(self) -> NDArray[np.float64]:
        chance = self.word / np.maximum(self.words, 1)
        share: NDArray[np.float64] = (self.part + chance) / (self.whole + 1)
        return share

    def _exact(self, i: int) -> Fraction:
        words = int(self.words[i])
        chance = Fraction(int(self.word[i]), words) if words else Fraction(0)
        return (int(self.part[i]) + chance) / (int(self.whole[i]) + 1)

    def reaches(self, guess: Fraction) -> Bools:
        """Whether it is at least the share from which a guess counts."""
        return _at_least(self._value(), guess, self._exact)

    def with_both(self, part: Int64s, whole: Int64s, guess: Fraction) -> Bools:
        """The same of (part + 2 share) / (whole + 2)."""

        def exact(i: int) -> Fraction:
            return (int(part[i]) + 2 * self._exact(i)) / (int(whole[i]) + 2)

        return _at_least((part + 2 * self._value()) / (whole + 2), guess, exact)


def _at_least(
    values: NDArray[np.float64], guess: Fraction, exact: Callable[[int], Fraction]
) -> Bools:
    result: Bools = values >= float(guess)
    for i in np.flatnonzero(np.abs(values - float(guess)) < NEAR).tolist():
        result[i] = exact(i) >= guess
    return result
