"""Where terms stand in texts, found by hashed windows and confirmed letter by letter."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np

from ..core.corpus import Corpus
from ..core.letters import (
    fold_case,
    fold_width,
    is_invisible,
    is_unspaced,
    is_wordlike,
    join_sound_mark,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

BATCH = 1 << 21
BITS = 16, 26  # the fewest and the most slots of a filter, as powers of two
SPARE = 5  # of 2^5 slots at most one is taken, unless the list is huge
CODE_POINTS = 0x110000
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_wordlike = cache(is_wordlike)
_invisible = cache(is_invisible)
# Words read as they stand (nothing composes with them), with single blanks; a run of blanks, with
# what shows nothing between them; or a letter with what composes with it.
PIECE = re.compile(
    "(?P<plain>[\x21-\x7e]+(?: [\x21-\x7e]+)*)(?=[\x00-\x7f]|\\Z)|"
    "\\s(?:[\u00ad\u200b-\u200f\u2060\ufeff]*\\s)*|"
    ".[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0903\u093a-\u094f\u09bc-\u09d7\u0b3c-\u0b57\u0bbe-\u0bd7\u0c55\u0c56\u0cbc-\u0cd6"
    "\u0d3e-\u0d57\u0dca-\u0ddf\u1160-\u11ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a"
    "\ufe20-\ufe2f]*",
    re.DOTALL,
)
Folded = tuple[str, Sequence[int], Sequence[int]]  # a text, where its characters begin and end

# What is neither a blank nor a character that is read as it stands, whatever is beside it.
NOT_SIMPLE = re.compile(
    "[^\\s\x21-\x7e\xa1-\xac\xae-\u017f\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e"
    "\u20a0-\u20bf\u2190-\u21ff\u2500-\u27bf]"
)
LONG = re.compile("\\s\\s+")


def _is_plain(text: str) -> bool:
    """Whether a text is read as it stands: ASCII that is seen, with single blanks inside."""
    return (
        text.isascii()
        and text.isprintable()
        and "  " not in text
        and not text.startswith(" ")
        and not text.endswith(" ")
    )


@dataclass(frozen=True, slots=True, eq=False)
class ShiftedPlaces(Sequence[int]):
    """Places of a text in which some runs of blanks were longer: each moves all after it."""

    first: int  # what the first place is
    size: int
    after: Sequence[int]  # from which places on more is added
    shifts: Sequence[int]  # how much: nothing at first

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> list[int]: ...
    def __getitem__(self, index: int | slice) -> int | list[int]:
        if not isinstance(index, slice):
            if not -self.size <= index < self.size:
                raise IndexError
            at = index + self.size if index < 0 else index
            return self.first + at + self.shifts[bisect_right(self.after, at)]
        return [self[at] for at in range(*index.indices(self.size))]


def _simply_spaced(text: str) -> Folded | None:
    """What `_spaced` gives for a text of characters that are read one by one; None for others.

    >>> _simply_spaced("a \\n b")[0], list(_simply_spaced("a \\n b")[1])
    ('a b', [0, 1, 4, 5])
    """
    if NOT_SIMPLE.search(text):
        return None
    words = text.split()
    ends = (text[:1].isspace(), bool(words) and text[-1:].isspace())  # blanks are read there, too
    read = " " * ends[0] + " ".join(words) + " " * ends[1]
    if len(read) == len(text):
        return read, range(len(text) + 1), range(1, len(text) + 1)
    at, shifts, moved = list[int](), [0], 0
    for match in LONG.finditer(text):
        at.append(match.start() - moved)
        moved += match.end() - match.start() - 1
        shifts.append(moved)
    begins = ShiftedPlaces(0, len(read) + 1, [one + 1 for one in at], shifts)
    return read, begins, ShiftedPlaces(1, len(read), at, shifts)


def _read(piece: str, start: int, *, is_plain: bool) -> tuple[str, Iterable[int], Iterable[int]]:
    """What is read of a piece of a text, and where each of its letters begins and ends."""
    if is_plain:
        stop = start + len(piece)
        return piece, range(start, stop), range(start + 1, stop + 1)
    seen = [i for i, one in enumerate(piece) if not _invisible(one)]
    written = "".join(piece[i] for i in seen)
    if len(seen) > 1 or not written.isascii():
        written = unicodedata.normalize("NFC", written)
    if not written:
        return "", (), ()
    many = len(written)
    return written, [start + seen[0]] * many, [start + seen[-1] + 1] * many


def _is_broken(one: str, blanks: str, other: str) -> bool:
    """Whether blanks part two letters of a script without them, and at most one line ends there."""
    lines = blanks.count("\n") + blanks.count("\u2029")
    return lines <= 1 and is_unspaced(one) and is_unspaced(other)


class _CaseFolding(dict[int, str]):
    """Every character without its case, worked out when it is first met."""

    def __missing__(self, point: int) -> str:
        return self.setdefault(point, fold_case(chr(point)))


_FOLDED = _CaseFolding()


class FoundTerm(NamedTuple):
    """A term in a document; places are those of the text as it is given."""

    document: int
    start: int
    stop: int
    term: str
    at: int = -1  # where it begins and ends in the text as it is searched
    to: int = -1

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: document {self.document}, term {len(self.term)}>"


@dataclass(frozen=True, slots=True)
class Reading:
    """How texts are read: what the mask is, what is overlooked, where a term may begin and end.

    Blanks of any number and kind are one, and none parts letters of scripts without blanks; what
    shows nothing is overlooked; composed and decomposed letters are one (`tokens`; version 0.1 read
    letter by letter).

    >>> Reading("*", True, False, True).folded("Pine \\n Stre\\u00adet")[0]
    'pine street'
    """

    mask: str
    case: bool
    width: bool
    whole_words: bool
    tokens: bool = True

    @classmethod
    def of(cls, parameters: Mapping[str, object]) -> Reading:
        """The reading that a claim states."""
        return cls(
            str(parameters["mask"]),
            bool(parameters["fold_case"]),
            bool(parameters["fold_width"]),
            bool(parameters["whole_words"]),
            "candidates" in parameters,
        )

    def listed(self, terms: object) -> list[str]:
        """The terms of a list, as it is read."""
        listed = Corpus.of(terms, "terms").texts
        if self.tokens:
            listed = [term if _is_plain(term) else self._spaced(term)[0] for term in listed]
        return [self._usual_width(term)[0] if self.width else term for term in listed]

    def folded(self, text: str) -> Folded:
        """A text without what is overlooked, and where each of its characters begins and ends."""
        begins: Sequence[int] = range(len(text) + 1)
        ends: Sequence[int] = range(1, len(text) + 1)
        if self.tokens and not _is_plain(text):
            text, begins, ends = _simply_spaced(text) or self._spaced(text)
        if self.width:
            text, at = self._usual_width(text)
            ends = [ends[i - 1] for i in at[1:]]
            begins = [*(begins[i] for i in at[:-1]), *begins[-1:]]
        return self.without_case(text) if self.case else text, begins, ends

    @staticmethod
    def without_case(text: str) -> str:
        """A text of which every letter is folded by itself."""
        folded = text.casefold()  # of no letter less than one: of as many, each is one
        return folded if len(folded) == len(text) else text.translate(_FOLDED)

    @staticmethod
    def _spaced(text: str) -> tuple[str, list[int], list[int]]:
        """A text of composed letters with single blanks, and where each begins and ends."""
        pieces: list[str] = []
        begins: list[int] = []
        ends: list[int] = []
        blank, is_single = None, True  # the blanks before what is read next
        for match in PIECE.finditer(text):
            piece = match.group()
            if piece[0].isspace():
                is_single = blank is None and piece.isspace()
                blank = blank or match
                continue
            read = _read(piece, match.start(), is_plain=match.lastgroup == "plain")
            if not read[0]:
                continue
            if blank is not None:
                within = is_single and bool(pieces)
                if not (within and _is_broken(pieces[-1][-1], blank.group(), read[0][0])):
                    pieces.append(" ")
                    begins.append(blank.start())
                    ends.append(blank.end())
                blank = None
            pieces.append(read[0])
            begins.extend(read[1])
            ends.extend(read[2])
        if blank is not None:
            pieces.append(" ")
            begins.append(blank.start())
            ends.append(blank.end())
        return "".join(pieces), [*begins, len(text)], ends

    @staticmethod
    def _usual_width(text: str) -> tuple[str, list[int]]:
        result, places = "", []
        i = 0
        while i < len(text):
            letter = fold_width(text[i])
            joined = join_sound_mark(letter, text[i + 1]) if i + 1 < len(text) else None
            result += joined or letter
            places.append(i)
            i += 2 if joined else 1
        return result, [*places, len(text)]

    def is_border(self, text: str, at: int) -> bool:
        """Whether a term may begin or end here."""
        if not self.whole_words or at in (0, len(text)):
            return True
        return not (_wordlike(text[at - 1]) and _wordlike(text[at]))


def occurrences(
    texts: Sequence[str],
    terms: Sequence[str],
    reading: Reading,
    read: list[Folded | None] | None = None,
) -> Iterator[FoundTerm]:
    """Every occurrence of every term, document by document in batches.

    `read` keeps the texts as they were read, where that takes little room: one for each, or None.

    Cost: O(n) array operations, and O(beginnings of terms in the texts) for each length.

    >>> [found.start for found in occurrences(["ab-ab"], ["ab"], Reading("*", False, False, True))]
    [0, 3]
    """
    if not terms:
        return
    listed: dict[str, str] = {}
    for term in terms:
        listed.setdefault(reading.without_case(term) if reading.case else term, term)
    filters = _Filters.of(list(listed))
    first = size = 0
    for i, text in enumerate(texts):
        size += len(text)
        if size >= BATCH or i + 1 == len(texts):
            folded = _folded(texts, range(first, i + 1), reading, read)
            yield from _batch(folded, first, listed, filters, reading)
            first, size = i + 1, 0


def leftmost_longest(found: Iterable[FoundTerm], blocked: Iterable[FoundTerm]) -> list[FoundTerm]:
    """The occurrences that are replaced: from the left, the longest, none inside another.

    >>> ab, abc, c = FoundTerm(0, 0, 2, "ab"), FoundTerm(0, 0, 3, "abc"), FoundTerm(0, 2, 3, "c")
    >>> leftmost_longest([ab, c, abc], []) == [abc]
    True
    """
    starred = {i for one in blocked for i in range(one.start, one.stop)}
    result: list[FoundTerm] = []
    past = 0
    ordered = sorted(found, key=itemgetter(2), reverse=True)
    ordered.sort(key=itemgetter(1))  # which keeps the longest first
    for one in ordered:
        if one.start < past:
            continue
        if not starred or starred.isdisjoint(range(one.start, one.stop)):
            result.append(one)
            past = one.stop
    return result


@dataclass(frozen=True, slots=True)
class _Filters:
    """Which hashes the terms and their beginnings have; what has another cannot be one."""

    longest: int
    firsts: frozenset[int]  # the letters that terms begin with
    bits: int
    terms: NDArray[np.bool_]
    beginnings: NDArray[np.bool_]

    @classmethod
    def of(cls, keys: Sequence[str]) -> _Filters:
        """The filters of a list."""
        by_length: dict[int, list[str]] = {}
        for key in keys:
            by_length.setdefault(len(key), []).append(key)
        letters = sum(map(len, keys))
        bits = min(max((letters - 1).bit_length() + SPARE, BITS[0]), BITS[1])
        firsts = frozenset(ord(key[0]) for key in keys if key)
        result = cls(
            max(by_length), firsts, bits, *(np.zeros(1 << bits, np.bool_) for _ in range(2))
        )
        for alike in by_length.values():
            points = _points("".join(alike)).reshape(len(alike), -1)
            hashes = np.zeros(len(alike), np.uint64)
            for column in points.T:
                hashes = hashes * MULTIPLIER + column
                result.beginnings[result.slots(hashes)] = True
            result.terms[result.slots(hashes)] = True
        return result

    def slots(self, hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Where hashes stand in the filters."""
        return (hashes * MULTIPLIER) >> np.uint64(64 - self.bits)


def _folded(
    texts: Sequence[str], numbers: range, reading: Reading, read: list[Folded | None] | None
) -> list[Folded]:
    """Texts as they are read: from those that were kept, or kept now."""
    result = []
    for number in numbers:
        found = None if read is None else read[number]
        if found is None:
            found = reading.folded(texts[number])
            if read is not None and not isinstance(found[1], list):  # which has a number a letter
                read[number] = found
        result.append(found)
    return result


def _batch(
    folded: Sequence[Folded],
    first: int,
    listed: Mapping[str, str],
    filters: _Filters,
    reading: Reading,
) -> Iterator[FoundTerm]:
    joined = "".join(text for text, _, _ in folded)
    ends = np.cumsum([len(text) for text, _, _ in folded])
    begun = [0, *ends.tolist()]
    for places, length in _candidates(_points(joined), ends, filters, reading):
        documents = np.searchsorted(ends, places, "right")
        for at, document in zip(places.tolist(), documents.tolist(), strict=True):
            term = listed.get(joined[at : at + length])
            start = at - begun[document]
            stop = start + length
            text, begins, stops = folded[document]
            if term is not None and stop <= len(text):
                place = begins[start], stops[stop - 1]
                yield FoundTerm(first + document, *place, term, start, stop)


def _candidates(
    points: NDArray[np.unsignedinteger],
    ends: NDArray[np.int64],
    filters: _Filters,
    reading: Reading,
) -> Iterator[tuple[NDArray[np.int64], int]]:
    """Places of what may be a term, by length: all that are, and few others.

    From every place the text is followed letter by letter, while a term may begin so.
    """
    borders = _borders(points, ends, reading)
    begun = np.zeros(CODE_POINTS, np.bool_)
    begun[list(filters.firsts)] = True
    places = np.flatnonzero(borders[:-1] & begun[points])
    hashes = np.zeros(len(places), np.uint64)
    for length in range(1, filters.longest + 1):
        if length > 1 and len(places) and places[-1] + length > len(points):
            inside = places + length <= len(points)
            places, hashes = places[inside], hashes[inside]
        if not len(places):
            return
        hashes = hashes * MULTIPLIER + points[places + (length - 1)]
        slots = filters.slots(hashes)
        yield places[filters.terms[slots] & borders[places + length]], length
        more = np.flatnonzero(filters.beginnings[slots])
        places, hashes = places[more], hashes[more]


def _borders(
    points: NDArray[np.unsignedinteger], ends: NDArray[np.int64], reading: Reading
) -> NDArray[np.bool_]:
    """Before which letters a term may begin and end: any, or those at borders of words and texts.

    `Reading.is_border` says it of one place.
    """
    borders = np.ones(len(points) + 1, np.bool_)
    if reading.whole_words:
        seen = np.zeros(CODE_POINTS, np.bool_)
        seen[points] = True
        for point in np.flatnonzero(seen).tolist():
            seen[point] = _wordlike(chr(point))
        words = seen[points]
        borders[1:-1] = ~(words[:-1] & words[1:])
        borders[ends] = True
    return borders


def _points(text: str) -> NDArray[np.unsignedinteger]:
    """The code points of a text; those of ASCII take a quarter of the room."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), np.uint8)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
