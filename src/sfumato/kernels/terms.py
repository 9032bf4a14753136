"""Patterns of terms, groups of terms, and the search for terms in text.

The terms of one length are held position by position: `columns` has one row for every position
and one column for every term, in codes of the list's alphabet (uint16 or uint32).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Codes = NDArray[np.unsignedinteger[Any]]
    Report = Callable[[float], None]

CODE_POINTS = 0x110000
CLEAR, OVERLAP, DIRECT, REPLACED, STARRED, SHARED = range(6)


def pattern_matches(columns: Codes, term: Codes) -> NDArray[np.uint32]:
    """How many terms match each of a term's 2^l patterns, by the bits of its kept positions.

    The leftmost position is the highest bit. Cost: O(M l + l 2^l) for M terms of length l.

    >>> columns = np.array([[1, 1, 2], [3, 4, 4]], np.uint16)  # the terms 13, 14, 24
    >>> pattern_matches(columns, np.array([1, 4], np.uint16)).tolist()  # **, *4, 1*, 14
    [3, 2, 2, 1]
    """
    return _core.pattern_matches(columns, term)


def best_patterns(
    columns: Codes, alphabet: int, k: int, progress: Report | None = None
) -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
    """Every term's pattern with the most kept characters among those that k terms match.

    Returns which characters are kept (a row for every term) and how many terms match.

    Cost: O(l) passes over the terms of every closed set of positions that k terms share.

    >>> columns = np.array([[1, 1, 2], [3, 4, 4]], np.uint16)
    >>> best_patterns(columns, 5, 2)[0].tolist()
    [[1, 0], [1, 0], [0, 1]]
    """
    return _core.best_patterns(columns, alphabet, k, progress)


def group_terms(
    columns: Codes,
    alphabet: int,
    k: int,
    least: NDArray[np.uint32],
    exact: bool = True,
    progress: Report | None = None,
) -> NDArray[np.uint8]:
    """Which characters every term keeps when groups of at least k share one pattern.

    `least` is a lower bound of every term's stars: those of `best_patterns`. With `exact` up to 16
    terms have the fewest stars, and near groups of up to 200 are grouped anew exactly.

    Cost: for each number of stars as `best_patterns`, over the terms that have no group yet.

    >>> columns = np.array([[1, 1, 2], [3, 4, 4]], np.uint16)
    >>> group_terms(columns, 5, 2, np.array([1, 1, 1], np.uint32)).tolist()
    [[0, 0], [0, 0], [0, 0]]
    """
    return _core.group_terms(columns, alphabet, k, least, exact, progress)


@dataclass(frozen=True, slots=True, eq=False)
class Automaton:
    """An Aho-Corasick automaton over code points, as arrays that can be saved and mapped."""

    first: NDArray[np.uint32]
    code: NDArray[np.uint32]
    fail: NDArray[np.uint32]
    suffix: NDArray[np.uint32]
    term: NDArray[np.uint32]
    lengths: NDArray[np.uint32]
    alphabet: NDArray[np.uint32]
    compiled: _core.TermAutomaton = field(init=False, repr=False)

    def __post_init__(self) -> None:
        codes = np.zeros(CODE_POINTS, np.uint32)
        codes[self.alphabet] = np.arange(1, len(self.alphabet) + 1, dtype=np.uint32)
        arrays = (self.first, self.code, self.fail, self.suffix, self.term, self.lengths)
        object.__setattr__(self, "compiled", _core.TermAutomaton(*arrays, codes))

    @classmethod
    def of(cls, terms: Sequence[str], progress: Report | None = None) -> Automaton:
        """Builds the automaton of distinct terms that are not empty; they keep their numbers.

        Cost: O(total length) time and 20 bytes for every distinct prefix.

        >>> Automaton.of(["he", "she"]).lengths.tolist()
        [2, 3]
        """
        order = np.array(sorted(range(len(terms)), key=terms.__getitem__), np.uint32)
        points, ends = layout([terms[i] for i in order])
        alphabet, codes = _alphabet(points)
        offsets = np.concatenate([[0], ends]).astype(np.int64)
        first, code, fail, suffix, term = _core.automaton_arrays(codes + 1, offsets, progress)
        numbered = np.where(
            term < len(terms), np.append(order, 0)[np.minimum(term, len(terms))], term
        )
        lengths = np.empty(len(terms), np.uint32)
        lengths[order] = np.diff(offsets)
        return cls(first, code, fail, suffix, numbered.astype(np.uint32), lengths, alphabet)


def find_terms(
    automaton: Automaton,
    text: NDArray[np.uint32],
    ends: NDArray[np.int64],
    wordlike: NDArray[np.uint8] | None = None,
    progress: Report | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint32]]:
    """Every occurrence of every term, as starts, stops and terms, in order of their stops.

    `text` is documents without breaks, `ends` where each ends. With `wordlike` (one flag for each
    character) an occurrence must not begin or end between two characters of words.

    Cost: O(n + occurrences).

    >>> text, ends = layout(["ushers"])
    >>> starts, stops, terms = find_terms(Automaton.of(["he", "she", "hers"]), text, ends)
    >>> starts.tolist(), stops.tolist(), terms.tolist()
    ([1, 2, 2], [4, 4, 6], [1, 0, 2])
    """
    return _core.find_terms(automaton.compiled, text, ends, wordlike, progress)


@dataclass(frozen=True, slots=True, eq=False)
class TermStrings:
    """How terms are published: their symbols and stars, one after another, and their groups.

    Term t has [offsets[t], offsets[t + 1]); terms with one number in `groups` share a string. Those
    of the group `pool` (-1: none) share one mark, whatever their length. With k > 0 the terms that
    could stand at a place are counted, and more is hidden where they are fewer.
    """

    symbols: NDArray[np.uint32]
    stars: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    groups: NDArray[np.uint32]
    pool: int
    k: int
    compiled: _core.TermStrings = field(init=False, repr=False)

    def __post_init__(self) -> None:
        made = _core.TermStrings(
            self.symbols, self.stars, self.offsets, self.groups, self.pool, self.k
        )
        object.__setattr__(self, "compiled", made)


class MarkedTerms(NamedTuple):
    """The replaced terms, a mark for every character, and where a mark is shared by too few."""

    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    terms: NDArray[np.uint32]
    marks: NDArray[np.uint8]
    unmet: int


def mark_terms(
    automaton: Automaton,
    direct: Automaton | None,
    strings: TermStrings,
    text: NDArray[np.uint32],
    ends: NDArray[np.int64],
    words: NDArray[np.uint8] | None = None,
    edges: NDArray[np.uint8] | None = None,
    blocked: NDArray[np.uint8] | None = None,
    progress: Report | None = None,
) -> MarkedTerms:
    """The replaced terms (starts, stops, terms) and a mark for every character.

    Marks are CLEAR, OVERLAP (starred because a term that overlaps something replaced may stand
    there), DIRECT, REPLACED, STARRED (a replaced term that would help to spell another one) or
    SHARED (a place or more that becomes the pool's mark; `unmet` is where the first document
    begins in which fewer than k terms share it, or -1). `words` and `edges` (flags for every code
    point) say which characters belong to words and which part sentences; `blocked` characters (one
    flag each) are starred like direct identifiers.

    Cost: O(n + occurrences) a round; usually two rounds. With k, the terms of every place's group.

    >>> text, ends = layout(["abcd"])
    >>> symbols, offsets = layout(["abc", "bcd"])[0], np.array([0, 3, 6])
    >>> stars, groups = np.array([1, 0, 0, 0, 0, 1], np.uint8), np.arange(2, dtype=np.uint32)
    >>> strings = TermStrings(symbols, stars, offsets, groups, -1, 0)
    >>> mark_terms(Automaton.of(["abc", "bcd"]), None, strings, text, ends).marks.tolist()
    [3, 3, 3, 1]
    """
    second = None if direct is None else direct.compiled
    if edges is None:
        edges = np.zeros(CODE_POINTS, np.uint8)
    found = _core.mark_terms(
        automaton.compiled, second, strings.compiled, text, ends, words, edges, blocked, progress
    )
    return MarkedTerms(*found)


def layout(texts: Sequence[str]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The code points of texts, one text after another, and where each ends.

    >>> points, ends = layout(["ab", "", "c"])
    >>> points.tolist(), ends.tolist()
    ([97, 98, 99], [2, 2, 3])
    """
    joined = "".join(texts).encode("utf-32-le", "surrogatepass")
    sizes = np.fromiter(map(len, texts), np.int64, len(texts))
    return np.frombuffer(joined, np.uint32), np.cumsum(sizes)


def _alphabet(points: NDArray[np.uint32]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    seen = np.zeros(CODE_POINTS, np.bool_)
    seen[points] = True
    alphabet = np.flatnonzero(seen).astype(np.uint32)
    codes = np.zeros(CODE_POINTS, np.uint32)
    codes[alphabet] = np.arange(len(alphabet), dtype=np.uint32)
    return alphabet, codes[points]
