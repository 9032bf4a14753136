"""Where terms stand in texts, found by hashed windows and confirmed letter by letter."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.corpus import Corpus
from ..core.letters import fold_case, fold_width, is_wordlike, join_sound_mark

if TYPE_CHECKING:
    from numpy.typing import NDArray

BATCH = 1 << 21
BITS = 22
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_wordlike = cache(is_wordlike)


class _Folded(dict[int, str]):
    """Every character without its case, worked out when it is first met."""

    def __missing__(self, point: int) -> str:
        return self.setdefault(point, fold_case(chr(point)))


_FOLDED = _Folded()


@dataclass(frozen=True, slots=True)
class Found:
    """A term in a document; places are those of the text as it is given."""

    document: int
    start: int
    stop: int
    term: str


@dataclass(frozen=True, slots=True)
class Reading:
    """How texts are read: what the mask is, what is overlooked, where a term may begin and end.

    >>> Reading("*", True, False, True).folded("Añ*")
    ('añ*', range(0, 4))
    """

    mask: str
    case: bool
    width: bool
    whole_words: bool

    @classmethod
    def of(cls, parameters: Mapping[str, object]) -> Reading:
        """The reading that a claim states."""
        return cls(
            str(parameters["mask"]),
            bool(parameters["fold_case"]),
            bool(parameters["fold_width"]),
            bool(parameters["whole_words"]),
        )

    def listed(self, terms: object) -> list[str]:
        """The terms of a list, in usual width where that is overlooked."""
        listed = Corpus.of(terms, "terms").texts
        return [self._usual_width(term)[0] if self.width else term for term in listed]

    def folded(self, text: str) -> tuple[str, Sequence[int]]:
        """A text without what is overlooked, and where each of its characters began."""
        at: Sequence[int] = range(len(text) + 1)
        if self.width:
            text, at = self._usual_width(text)
        if self.case:
            text = text.translate(_FOLDED)
        return text, at

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


def occurrences(texts: Sequence[str], terms: Sequence[str], reading: Reading) -> Iterator[Found]:
    """Every occurrence of every term, document by document in batches.

    Cost: O(n) array operations for each length up to the longest term's.

    >>> [found.start for found in occurrences(["ab-ab"], ["ab"], Reading("*", False, False, True))]
    [0, 3]
    """
    if not terms:
        return
    by_length: dict[int, dict[str, str]] = {}
    for term in terms:
        key = "".join(map(fold_case, term)) if reading.case else term
        by_length.setdefault(len(key), {}).setdefault(key, term)
    filters = {length: _filter(list(keys)) for length, keys in by_length.items()}
    first = size = 0
    for i, text in enumerate(texts):
        size += len(text)
        if size >= BATCH or i + 1 == len(texts):
            yield from _batch(texts[first : i + 1], first, by_length, filters, reading)
            first, size = i + 1, 0


def leftmost_longest(found: Iterable[Found], blocked: Iterable[Found]) -> list[Found]:
    """The occurrences that are replaced: from the left, the longest, none inside another.

    >>> ab, abc, c = Found(0, 0, 2, "ab"), Found(0, 0, 3, "abc"), Found(0, 2, 3, "c")
    >>> leftmost_longest([ab, c, abc], []) == [abc]
    True
    """
    starred = {i for one in blocked for i in range(one.start, one.stop)}
    result: list[Found] = []
    past = 0
    for one in sorted(found, key=lambda one: (one.start, -one.stop)):
        if one.start >= past and starred.isdisjoint(range(one.start, one.stop)):
            result.append(one)
            past = one.stop
    return result


def _batch(
    texts: Sequence[str],
    first: int,
    by_length: Mapping[int, Mapping[str, str]],
    filters: Mapping[int, NDArray[Any]],
    reading: Reading,
) -> Iterator[Found]:
    folded = [reading.folded(text) for text in texts]
    joined = "".join(text for text, _ in folded)
    ends = list(accumulate(len(text) for text, _ in folded))
    points = _points(joined)
    hashes = np.zeros(len(points), np.uint64)
    for length in range(1, max(by_length) + 1):
        windows = max(0, len(points) - length + 1)
        hashes = hashes[:windows] * MULTIPLIER + points[length - 1 : length - 1 + windows]
        if length not in by_length:
            continue
        for at in np.flatnonzero(filters[length][_slots(hashes)]).tolist():
            term = by_length[length].get(joined[at : at + length])
            if term is None:
                continue
            document = bisect_right(ends, at)
            text, places = folded[document]
            start = at - (ends[document] - len(text))
            stop = start + length
            inside = stop <= len(text)
            if inside and reading.is_border(text, start) and reading.is_border(text, stop):
                yield Found(first + document, places[start], places[stop], term)


def _filter(keys: Sequence[str]) -> NDArray[Any]:
    """Which hashes the terms of one length have; others cannot be terms."""
    table = np.zeros(1 << BITS, np.bool_)
    points = _points("".join(keys)).reshape(len(keys), -1)
    hashes = np.zeros(len(keys), np.uint64)
    for column in points.T:
        hashes = hashes * MULTIPLIER + column
    table[_slots(hashes)] = True
    return table


def _points(text: str) -> NDArray[Any]:
    raw = text.encode("utf-32-le", "surrogatepass")
    return np.frombuffer(raw, np.uint32).astype(np.uint64)


def _slots(hashes: NDArray[Any]) -> NDArray[Any]:
    return (hashes * MULTIPLIER) >> np.uint64(64 - BITS)
