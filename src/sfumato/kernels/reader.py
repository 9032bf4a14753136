"""The reader of stars: what can be guessed, what is left of stars, and covers that withstand it.

Tokens are codes, document d is `[ends[d - 1] + 1, ends[d])`, and no token stands at `ends[d]`. Code
0 inside a document is a break. The definition is docs/reader.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import _core

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from numpy.typing import NDArray

    from ..core.values import Array
    from .repeats import Lengths

    Numbers = NDArray[np.uint32]
    Flags = NDArray[np.uint8]

BOTH, LEFT, RIGHT, PAIR = 1, 2, 4, 8
"""Guessed from both sides, from the left, from the right; with the next token, both together."""


def guessed(
    codes: Array,
    ends: NDArray[np.int64],
    guess: Fraction,
    *,
    lengths: Numbers | None,
    labels: NDArray[np.int32] | None,
    judged: int | None = None,
    progress: Callable[[float], object] | None = None,
) -> Flags:
    """What the reader guesses of each token, who knows all texts but its person's.

    `lengths` of tokens are given where the mask shows them. Without `labels` each place is left out
    by itself. Of documents after the first `judged`, which are public, nothing is left out.

    Cost: O(n) expected.

    >>> codes = np.array([1, 2, 0, 1, 2, 0, 1, 2, 0], np.uint32)
    >>> from fractions import Fraction
    >>> people = np.array([0, 1, 2], np.int32)
    >>> guessed(codes, np.array([2, 5, 8]), Fraction(1, 2), lengths=None, labels=people)
    array([7, 7, 0, 7, 7, 0, 7, 7, 0], dtype=uint8)
    """
    count = len(ends) if judged is None else judged
    bits = _core.guessed(
        codes.astype(np.uint32, copy=False),
        lengths,
        ends,
        labels,
        count,
        guess.numerator,
        guess.denominator,
        progress,
    )
    return np.asarray(bits, np.uint8)


def bits_of_counts(counts: NDArray[np.int64], known: Flags, guess: Fraction) -> Flags:
    """The same, but for pairs, from counts among everybody else that were made elsewhere.

    A row has, of x between l and r: (x), all words, (l), (l,x), (r), (x,r), (l,.,r) and (l,x,r).
    What is not `known` is a break. Cost: O(n).

    >>> from fractions import Fraction
    >>> counts = np.array([[3, 9, 4, 3, 4, 0, 2, 2], [0, 9, 9, 0, 9, 0, 0, 0]])
    >>> bits_of_counts(counts, np.ones(2, np.uint8), Fraction(1, 2))
    array([3, 0], dtype=uint8)
    """
    found = _core.bits_of_counts(counts, known, guess.numerator, guess.denominator)
    return np.asarray(found, np.uint8)


def read_through(bits: Flags, ends: NDArray[np.int64], stars: Flags) -> Flags:
    """The stars that are left when what can be guessed is written back; breaks must be starred.

    Cost: O(n).

    >>> bits, ends = np.array([0, LEFT, 0, 0], np.uint8), np.array([3])
    >>> read_through(bits, ends, np.array([0, 1, 1, 0], np.uint8))
    array([0, 0, 1, 0], dtype=uint8)
    """
    return np.asarray(_core.read_through(bits, ends, stars), np.uint8)


def one_way(codes: Array, ends: NDArray[np.int64], stars: Flags) -> Flags:
    """Whether each document, with one mark for a run of stars, fits its original in one way only.

    Cost: O(n).

    >>> codes = np.array([1, 2, 1, 2, 3, 0, 1, 2, 3, 0])
    >>> one_way(codes, np.array([5, 9]), np.array([1, 0, 0, 1, 0, 0, 1, 0, 1, 0], np.uint8))
    array([1, 1], dtype=uint8)
    >>> one_way(codes, np.array([5, 9]), np.array([1, 1, 1, 0, 1, 0, 1, 0, 1, 0], np.uint8))
    array([0, 1], dtype=uint8)
    """
    return np.asarray(_core.one_way(codes.astype(np.uint32, copy=False), ends, stars), np.uint8)


def cover(
    lengths: Lengths,
    ends: NDArray[np.int64],
    bits: Flags,
    places: tuple[NDArray[np.int64], NDArray[np.int64]],
    *,
    starred: Flags | None = None,
    left: Flags | None = None,
    min_run: int = 1,
    run_price: int = 0,
    progress: Callable[[float], object] | None = None,
) -> Flags:
    """The fewest starred symbols such that what the reader is left with are k-repeats.

    `lengths` says how far the k-repeat from each token reaches, `places` where tokens start and
    stop; tokens that are `starred` already cost nothing. With `left`, what `read_through` leaves of
    them, documents that need no other star get none at all, if runs have no least size or price.

    Cost: O(n).

    >>> places = np.array([0, 4, 0]), np.array([3, 7, 0])
    >>> cover(np.array([0, 1, 0], np.int32), np.array([2]), np.zeros(3, np.uint8), places)
    array([1, 0, 0], dtype=uint8)
    """
    starts, stops = places
    if min_run > 1 or run_price > 0:
        left = None
    stars = _core.cover_against_reader(
        lengths, ends, bits, starts, stops, starred, left, min_run, run_price, progress
    )
    return np.asarray(stars, np.uint8)


def within_reach(lengths: Lengths, ends: NDArray[np.int64], reach: int) -> None:
    """Makes of k-repeats, in place, stretches whose parts of `reach` tokens are k-repeats.

    Cost: O(n).

    >>> lengths = np.array([1, 1, 0, 1, 0], np.int32)
    >>> within_reach(lengths, np.array([4]), 1)
    >>> lengths.tolist()
    [2, 1, 0, 1, 0]
    """
    _core.within_reach(lengths, ends, reach)


def rare_separators(
    texts: list[str],
    ends: NDArray[np.int64],
    places: tuple[NDArray[np.int64], NDArray[np.int64]],
    k: int,
    *,
    keep: str = "",
    hidden: Flags | None = None,
    labels: NDArray[np.int32] | None = None,
) -> tuple[Flags, int]:
    """A flag for each symbol between tokens that fewer than k share, and how many separators.

    Blanks count as one, `hidden` symbols as blanks, symbols of `keep` not at all.

    Cost: O(n) expected.

    >>> starts, stops = np.array([0, 2, 0, 4, 6, 0]), np.array([1, 3, 0, 5, 7, 0])
    >>> ends, places = np.array([2, 5]), (starts, stops)
    >>> rare_separators(["a,b", "a;b"], ends, places, 2)
    (array([0, 1, 0, 0, 0, 1, 0, 0], dtype=uint8), 2)
    """
    blank = np.zeros(sum(map(len, texts)) + len(texts), np.uint8)
    starts, stops = places
    found = _core.rare_separators(texts, starts, stops, ends, keep, hidden, k, labels, blank)
    return blank, int(found)


def separators(
    texts: list[str],
    ends: NDArray[np.int64],
    places: tuple[NDArray[np.int64], NDArray[np.int64]],
    *,
    keep: str = "",
    hidden: Flags | None = None,
) -> tuple[list[str], NDArray[np.int64], NDArray[np.int64]]:
    """The different separators, and of each place with one its document and the number of it.

    Cost: O(n) expected.

    >>> starts, stops = np.array([0, 2, 0, 4, 6, 0]), np.array([1, 3, 0, 5, 7, 0])
    >>> keys, documents, numbers = separators(["a,b", "a;b"], np.array([2, 5]), (starts, stops))
    >>> keys, documents.tolist(), numbers.tolist()
    ([',', ';'], [0, 1], [0, 1])
    """
    found: tuple[list[str], NDArray[np.int64], NDArray[np.int64]]
    found = _core.separators(texts, *places, ends, keep, hidden)
    return found


def blank_separators(
    texts: list[str],
    ends: NDArray[np.int64],
    places: tuple[NDArray[np.int64], NDArray[np.int64]],
    rare: Flags,
    *,
    keep: str = "",
    hidden: Flags | None = None,
) -> tuple[Flags, int]:
    """What `rare_separators` gives, where `rare` says of each of `separators` whether it is.

    Cost: O(n) expected.

    >>> starts, stops = np.array([0, 2, 0, 4, 6, 0]), np.array([1, 3, 0, 5, 7, 0])
    >>> rare = np.array([0, 1], np.uint8)
    >>> blank_separators(["a,b", "a;b"], np.array([2, 5]), (starts, stops), rare)
    (array([0, 0, 0, 0, 0, 1, 0, 0], dtype=uint8), 1)
    """
    blank = np.zeros(sum(map(len, texts)) + len(texts), np.uint8)
    found = _core.blank_separators(texts, *places, ends, keep, hidden, rare, blank)
    return blank, int(found)
