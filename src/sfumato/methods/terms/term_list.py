"""W, the list of quasi-identifying terms: distinct strings, held by length as arrays of codes."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, overload
from unicodedata import category

import numpy as np

from ...core.corpus import Corpus
from ...core.errors import BadInput
from ...core.options import read_text
from ...kernels.terms import layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...core.values import Array
    from .folding import Folding

CODE_POINTS = 0x110000


@dataclass(frozen=True, slots=True, eq=False)
class TermList(Sequence[str]):
    """Terms ordered by length, then by code points; their place in this order is their number.

    `classes` has one array for each length that occurs, ascending: a row for every position, a
    column for every term, in codes that number the characters of `alphabet`.

    >>> terms = TermList.of(["draw", "crew", "crawl", "crew"])
    >>> list(terms), terms.number("draw"), "docs" in terms
    (['crew', 'draw', 'crawl'], 1, False)
    """

    alphabet: NDArray[np.uint32]
    classes: tuple[Array, ...]

    @classmethod
    def of(cls, terms: Iterable[str]) -> TermList:
        """The distinct terms; empty ones are left out. Cost: O(M log M)."""
        by_length: dict[int, list[str]] = {}
        for term in set(terms):
            by_length.setdefault(len(term), []).append(term)
        by_length.pop(0, None)
        points, ends = layout(
            [t for length in sorted(by_length) for t in sorted(by_length[length])]
        )
        seen = np.zeros(CODE_POINTS, np.bool_)
        seen[points] = True
        alphabet = np.flatnonzero(seen).astype(np.uint32)
        dtype = np.uint16 if len(alphabet) < 1 << 16 else np.uint32
        numbers = np.zeros(CODE_POINTS, dtype)
        numbers[alphabet] = np.arange(len(alphabet), dtype=dtype)
        lengths, counts = np.unique(np.diff(ends, prepend=0), return_counts=True)
        classes, at = [], 0
        for length, count in zip(lengths.tolist(), counts.tolist(), strict=True):
            codes = numbers[points[at : at + length * count]]
            classes.append(np.ascontiguousarray(codes.reshape(count, length).T))
            at += length * count
        return cls(alphabet, tuple(classes))

    def __len__(self) -> int:
        return sum(codes.shape[1] for codes in self.classes)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        place, row = self.place(range(len(self))[index])
        return self.decoded(self.classes[place][:, row])

    def __iter__(self) -> Iterator[str]:
        return iter(self.strings())

    def __contains__(self, term: object) -> bool:
        return isinstance(term, str) and self.find(term) is not None

    def decoded(self, codes: Array) -> str:
        """The string of some codes."""
        points = self.alphabet[codes].tobytes()
        return str(points, "utf-32-le", "surrogatepass")

    def place(self, number: int) -> tuple[int, int]:
        """The class of a term and its column there."""
        for place, codes in enumerate(self.classes):
            if number < codes.shape[1]:
                return place, number
            number -= codes.shape[1]
        raise IndexError("no term has this number")

    def class_of(self, length: int) -> int | None:
        """Which class holds the terms of a length, None if there are none."""
        for place, codes in enumerate(self.classes):
            if codes.shape[0] == length:
                return place
        return None

    def find(self, term: str) -> int | None:
        """A term's number, None if it is not in the list. Cost: O(l log M)."""
        place = self.class_of(len(term))
        if place is None:
            return None
        codes = self.classes[place]
        row = bisect_left(range(codes.shape[1]), term, key=lambda r: self.decoded(codes[:, r]))
        if row == codes.shape[1] or self.decoded(codes[:, row]) != term:
            return None
        return int(sum(other.shape[1] for other in self.classes[:place])) + row

    def number(self, term: str) -> int:
        """A term's number; a string that is no term is refused."""
        found = self.find(term)
        if found is None:
            raise BadInput("is not in the list", where="term", remedy="add it to the list first")
        return found

    def strings(self) -> list[str]:
        """All the terms, in order."""
        return [term for codes in self.classes for term in class_strings(self.alphabet[codes.T])]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TermList) and self.strings() == other.strings()

    __hash__ = None  # type: ignore[assignment]


def class_strings(points: Array) -> list[str]:
    """The strings of a table of code points, a row for each.

    >>> class_strings(np.array([[97, 98], [99, 100]]))
    ['ab', 'cd']
    """
    count, length = points.shape
    text = points.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    return [text[at : at + length] for at in range(0, count * length, length)]


def read_terms(given: object, folding: Folding, where: str = "terms") -> TermList:
    """The list from strings, a frame's column or a file with one term a line.

    Missing and empty terms are left out, also blank lines; the lines of a file are stripped. Terms
    are composed (NFC), with one blank where blanks part words.
    With folding, terms that differ in width alone become one in usual width, and of those that
    differ in case alone the first in the order of code points stands for all.
    """
    if isinstance(given, TermList):
        terms: Iterable[str] = given
    elif isinstance(given, (str, os.PathLike)):
        terms = _lines(Path(given), where)
    else:
        terms = Corpus.of(
            list(given) if isinstance(given, (set, frozenset, Iterator)) else given, where
        ).texts
    terms = folding.terms(terms)
    _must_begin_with_letters(terms, where)
    if folding.case:
        first: dict[str, str] = {}
        for term in sorted(set(terms)):
            first.setdefault(folding.without_case(term), term)
        terms = first.values()
    return TermList.of(terms)


def _must_begin_with_letters(terms: Sequence[str], where: str) -> None:
    """Refuses terms that begin with a combining mark: it is part of the letter before it."""
    marks = {one for one in {term[:1] for term in terms} if one and category(one)[0] == "M"}
    for number, term in enumerate(terms) if marks else ():
        if term[:1] in marks:
            raise BadInput(
                "a term begins with a combining mark, which belongs to the letter before it",
                where=f"{where}, term {number + 1}",
                remedy="list it with its letter, or leave it out",
            )


def _lines(path: Path, where: str) -> list[str]:
    text = read_text(path, where, "one term a line, UTF-8")
    return [line.strip() for line in text.splitlines()]
