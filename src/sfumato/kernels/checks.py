"""What verification computes: exact counts of stretches, and a release against its original.

Shares no code with the kernels that make releases. Stretches are counted by the machine of Aho
and Corasick (Efficient string matching, CACM 18(6), 1975): no suffix array, no fingerprints,
linear time whatever the input. Words are split by the default rules of Unicode Standard Annex #29
(version 15.0), with tables of their own. Offsets are code points, half open. Errors are TypeError
(a wrong kind of array or document) and ValueError, and name indices only, never text.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import compress, pairwise

import numpy as np
from numpy.typing import NDArray

from sfumato.kernels import _checks

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Flags = NDArray[np.uint8]
Spans = tuple[Int32s, Int64s, Int64s]
Progress = Callable[[float], object]

AT_ONCE = 1 << 30
"""Symbols of stretches counted in one pass over the reference: a bound on the memory."""
PART_SIZE = 1 << 15
"""Symbols of the reference in each of the parts that are read in turns: for speed alone."""


@dataclass(frozen=True)
class StretchCounts:
    """How often stretches occur: a claim of k holds if `failures` is 0."""

    smallest: int
    """The smallest count, but at most k."""
    first: int
    """The first stretch that occurs fewer than k times, or -1."""
    failures: int
    """How many stretches occur fewer than k times."""
    checked: int


@dataclass(frozen=True, eq=False)
class LegibleStretches:
    """The legible stretches of a release, and whether it is its original with symbols masked."""

    documents: Int32s
    starts: Int64s
    stops: Int64s
    masked: int
    """How many symbols of the originals are not legible, where a release fits its original."""
    first_difference: tuple[int, int] | None
    """Document and offset in the release of the first symbol that is not explained, or None."""


@dataclass(frozen=True, eq=False)
class Words:
    """Words as numbers: equal words, and no others, have equal numbers."""

    reference: Int64s
    """The words of all documents of the reference, one document after another."""
    reference_ends: Int64s
    """Where each document ends in `reference`."""
    queries: Int64s
    """The words of all spans, one span after another."""
    query_ends: Int64s
    """Where each span ends in `queries`."""
    query_starts: Int64s
    """The offset of each word of `queries` in its document."""


@contextmanager
def arrays_in_files(least: int, folder: str | None = None) -> Iterator[None]:
    """Arrays of `least` bytes or more that checks make within lie in files without a name.

    The files are in `folder`, by default where temporary files go. Only on Linux:
    elsewhere arrays are in memory as always.

    >>> texts, many = ["calm"] * (1 << 18), 1 << 18
    >>> with arrays_in_files(1 << 20):
    ...     len(compare_masked(texts, texts, "*").starts) == many
    True
    """
    _checks.store_from(max(1, least), tempfile.gettempdir() if folder is None else folder)
    try:
        yield
    finally:
        _checks.store_from(0, "")


def count_stretches(
    reference: list[str],
    documents: Int32s,
    starts: Int64s,
    stops: Int64s,
    queries: list[str],
    k: int,
    *,
    labels: Int32s | None = None,
    breaks: str = "",
    within: Spans | None = None,
    at_once: int = AT_ONCE,
    part_size: int = PART_SIZE,
    memory: int | None = None,
    progress: Progress | None = None,
) -> StretchCounts:
    """Count each stretch queries[documents[i]][starts[i]:stops[i]] in the reference, up to k.

    Without labels every occurrence counts (overlapping ones too); with labels, one for each
    document of the reference, the distinct labels of documents with an occurrence. A stretch
    that contains a symbol of `breaks` occurs nowhere. `within` limits the reference to the given
    stretches of its documents (such as what is legible between masks).

    With `memory` the machine of one pass takes about so many bytes at most: stretches that do not
    fit wait for another pass over the reference.

    Cost: O(n + m) for a reference of n symbols and stretches of m in all, whatever they are;
    with labels, at most k steps more for each distinct stretch; n steps for each further pass.

    >>> zero = np.array([0], dtype=np.int32)
    >>> count_stretches(["abracadabra"], zero, np.array([0]), np.array([4]), ["abra*a*abra"], 2)
    StretchCounts(smallest=2, first=-1, failures=0, checked=1)
    """
    spans = (documents, starts, stops)
    return StretchCounts(
        *_checks.count_stretches(
            reference,
            spans,
            queries,
            breaks,
            k,
            labels,
            within,
            *(at_once, part_size, memory),
            progress,
        )
    )


def count_sequences(
    reference: Int64s,
    reference_ends: Int64s,
    documents: Int32s,
    starts: Int64s,
    stops: Int64s,
    queries: Int64s,
    query_ends: Int64s,
    k: int,
    *,
    labels: Int32s | None = None,
    within: Spans | None = None,
    at_once: int = AT_ONCE,
    part_size: int = PART_SIZE,
    memory: int | None = None,
    progress: Progress | None = None,
) -> StretchCounts:
    """Count stretches of tokens (words, say), as `count_stretches` counts stretches of symbols.

    Documents are given as all their tokens, one document after another, and the end of each.

    Cost: as `count_stretches`.

    >>> words, ends = np.array([7, 8, 9, 7, 8]), np.array([3, 5])
    >>> one = np.array([1], dtype=np.int32)
    >>> count_sequences(words, ends, one, np.array([0]), np.array([2]), words, ends, 3)
    StretchCounts(smallest=2, first=0, failures=1, checked=1)
    """
    spans = (documents, starts, stops)
    return StretchCounts(
        *_checks.count_sequences(
            reference,
            reference_ends,
            spans,
            queries,
            query_ends,
            k,
            labels,
            within,
            at_once,
            part_size,
            memory,
            progress,
        )
    )


def compare_masked(
    originals: list[str], releases: list[str], mask: str, *, progress: Progress | None = None
) -> LegibleStretches:
    """Compare position by position: each shows the original's symbol or the mask (one symbol).

    A different length or number of documents is a difference too. A mask that the original had
    already counts as masked.

    Cost: O(n).

    >>> compare_masked(["abracadabra"], ["abra*a*abra"], "*").stops.tolist()
    [4, 6, 11]
    >>> compare_masked(["abracadabra"], ["abra*x*abra"], "*").first_difference
    (0, 5)
    """
    spans, masked, difference = _checks.compare_masked(originals, releases, mask, progress)
    documents, starts, stops = spans
    return LegibleStretches(documents, starts, stops, masked, difference)


def align_collapsed(
    originals: list[str],
    releases: list[str],
    mask: str,
    *,
    collapsed: bool = True,
    progress: Progress | None = None,
) -> LegibleStretches:
    """Decide if masks, put for one or more symbols each, turn the originals into the releases.

    With collapsed=False a mask stands for exactly one symbol. The mask may have any length; the
    release is split at it from left to right, so a mask that overlaps itself (as "**" does) must
    not stand beside its own symbols: such a release may be refused, though never accepted wrongly.

    Cost: O(n) (leftmost placing of each stretch, by Knuth, Morris and Pratt).

    >>> align_collapsed(["abracadabra"], ["abra[..]abra"], "[..]").masked
    3
    >>> align_collapsed(["abracadabra"], ["abra[..]cab[..]a"], "[..]").first_difference
    (0, 8)
    """
    spans, masked, difference = _checks.align_collapsed(
        originals, releases, mask, collapsed, progress
    )
    documents, starts, stops = spans
    return LegibleStretches(documents, starts, stops, masked, difference)


def strip_kept(
    texts: list[str], documents: Int32s, starts: Int64s, stops: Int64s, keep: str
) -> Spans:
    """Strip the symbols of `keep` from both ends of stretches, and drop those that become empty.

    Cost: O(m) for stretches of m symbols in all.

    >>> both, starts, stops = np.array([0, 0], dtype=np.int32), np.array([0, 5]), np.array([4, 6])
    >>> [array.tolist() for array in strip_kept([" an *."], both, starts, stops, " .")]
    [[0], [1], [3]]
    """
    return _checks.strip_kept(texts, (documents, starts, stops), keep)


def number_words(
    reference: list[str], queries: list[str], spans: Spans, *, progress: Progress | None = None
) -> Words:
    """Number the words of the reference and of spans (documents, starts, stops) of the queries.

    Words are those of `words`; each span is split as if it were a text of its own. Words are
    compared exactly, symbol by symbol, and numbered in the order in which they first occur.

    Cost: O(n) expected, whatever the n symbols of the reference and the spans are.

    >>> spans = (np.array([0], dtype=np.int32), np.array([3]), np.array([11]))
    >>> found = number_words(["to be, or not", "be"], ["or to be or"], spans)
    >>> found.reference.tolist(), found.reference_ends.tolist()
    ([0, 1, 2, 3, 1], [4, 5])
    >>> found.queries.tolist(), found.query_ends.tolist(), found.query_starts.tolist()
    ([0, 1, 2], [3], [3, 6, 9])
    """
    return Words(*_checks.number_words(reference, queries, spans, progress))


def words(text: str) -> list[tuple[int, int]]:
    """Split text at the default word boundaries, and keep the segments with a letter or number.

    Unlike there, white space is cut into single symbols (rule WB3d is left out): a letter that
    extends a blank, such as a half-width sound mark, then makes a word with that blank alone.

    Paper: Unicode Standard Annex #29, section 4.1.1, version 15.0; a letter or number is a symbol
    with Word_Break ALetter, Hebrew_Letter, Numeric or Katakana, or General_Category L* or N*.

    Cost: O(n).

    >>> words("It can't be $3.50!")
    [(0, 2), (3, 8), (9, 11), (13, 17)]
    """
    ends, is_word = _checks.segments(text, False)
    return list(compress(pairwise([0, *ends.tolist()]), is_word.tolist()))


def word_boundaries(text: str) -> list[int]:
    """The default word boundaries of text, those round what is no word included.

    Paper: Unicode Standard Annex #29, section 4.1.1, version 15.0.

    Cost: O(n).

    >>> word_boundaries("$3.50 ?")
    [0, 1, 5, 6, 7]
    """
    ends, _ = _checks.segments(text, True)
    return [0, *ends.tolist()] if text else []


@dataclass(frozen=True, eq=False)
class WordAlignment:
    """A release laid on its original, word by word; pictographs are words too."""

    numbers: Int64s
    """Of each word of the originals, equal words alike; -1 where the mask stood in it."""
    starts: Int64s
    stops: Int64s
    shown: Int64s
    """Where each word, or the mask over it, stands in the release."""
    ends: Int64s
    """Where each document ends in `numbers`."""
    starred: NDArray[np.uint8]
    """Whether each word is masked; one with the mask in it is."""
    hidden: NDArray[np.uint8]
    """Whether each symbol of the originals is not shown, one document after another."""
    separators: Int64s
    """What is shown before each word and after the last one, equal ones alike; 0: blanks only."""
    first_difference: tuple[int, int] | None
    """Document and offset in the release where it is not its original with words masked, or None.

    Then nothing after that document is known.
    """


def lay_words(
    originals: list[str],
    releases: list[str],
    mask: str,
    *,
    keep: str = "",
    collapsed: bool = False,
    progress: Progress | None = None,
) -> WordAlignment:
    """Lay each release on its original: words are as they were or masked whole.

    A symbol between words is as it was, masked, or a blank. A masked word has a mask for each
    symbol; with `collapsed` a mask hides one word or more and what stands between them, as few
    symbols as it can. Of what is shown between words, blanks count as one, masked symbols as
    blanks, and symbols of `keep` not at all.

    Cost: O(n log n).

    >>> laid = lay_words(["Ann (12) is ill"], ["*** (12) is ill"], "*")
    >>> laid.starred.tolist(), laid.separators.tolist()
    ([1, 0, 0, 0], [0, 1, 2, 0, 0])
    >>> lay_words(["Ann Ho is ill"], ["* ill"], "*", collapsed=True).starred.tolist()
    [1, 1, 1, 0]
    >>> lay_words(["Ann"], ["A**"], "*").first_difference
    (0, 0)
    """
    return WordAlignment(*_checks.lay_words(originals, releases, mask, keep, collapsed, progress))


def elsewhere(
    values: Int64s, labels: Int32s | None, asked: NDArray[np.bool_] | None = None
) -> tuple[Int32s, Int32s]:
    """Of the value at each place: at how many places of other labels it stands too.

    Without labels, at how many other places. Where it is negative stands none: 0. With `asked`
    only the counts of places that are; others are 0. And a number of each value, from 0; -1 where
    stands none, or (with `asked`) none that was asked for.

    Cost: O(n) expected.

    >>> values = np.array([7, 7, 7, -1])
    >>> elsewhere(values, None)[0].tolist()
    [2, 2, 2, 0]
    >>> elsewhere(values, np.array([0, 0, 1, 1], dtype=np.int32))[0].tolist()
    [1, 1, 2, 0]
    """
    counts, numbers = _checks.elsewhere(
        values, labels, None if asked is None else asked.astype(np.uint8)
    )
    return np.asarray(counts, np.int32), np.asarray(numbers, np.int32)
