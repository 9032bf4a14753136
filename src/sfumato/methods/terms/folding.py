"""Texts as terms are looked for in them, and the way back to their own places.

Blanks of any number and kind are one, what shows nothing is nothing, composed and decomposed
letters are one, and in scripts without blanks none parts two letters. Case and width may be
overlooked too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ...core.letters import (
    compose,
    fold_case,
    fold_width,
    is_invisible,
    is_unspaced,
    join_sound_mark,
)
from ...kernels.terms import CODE_POINTS, layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...core.values import JsonObject

SOUND_MARKS = ("\uff9e", "\uff9f")
BLANK = ord(" ")
_case = lru_cache(maxsize=None)(fold_case)
_width = lru_cache(maxsize=None)(fold_width)
ODD = re.compile("[^\\x20-\\x7e]|^ | $|  ")  # what a term may have that is read otherwise


@dataclass(frozen=True, slots=True)
class Folding:
    """Which differences between a text and a term are overlooked.

    >>> Folding(case=True, width=True).text("ＡＢｶﾞ")
    'abガ'
    """

    case: bool = False
    width: bool = False

    def text(self, text: str) -> str:
        """A text without what is overlooked."""
        return self.without_case(self.term(text))

    def term(self, term: str) -> str:
        """A term as the list has it: with its case.

        >>> Folding().term(" Pine\\n  Stre\\u00adet ")
        'Pine Street'
        """
        return self.terms([term])[0]

    def terms(self, terms: Iterable[str]) -> list[str]:
        """Terms as the list has them, all at once."""
        listed = list(terms)
        if not any(map(ODD.search, listed)):
            return listed
        usual = [self.without_width(compose(term)[0])[0] for term in listed]
        points, ends = layout(usual)
        kept, blank = squeezed(points, ends)
        if kept is not None:
            points = np.where(blank, np.uint32(BLANK), points)[kept]
            ends = np.concatenate([[0], np.cumsum(kept)])[ends]
            text = str(points.tobytes(), "utf-32-le", "surrogatepass")
            usual = [text[a:b] for a, b in pairwise([0, *ends.tolist()])]
        return [term.strip(" ") for term in usual]

    def without_width(self, text: str) -> tuple[str, NDArray[np.int64] | None]:
        """The text in usual widths, and where each character began (None: where it stands)."""
        if not self.width or text.isascii():
            return text, None
        if not any(mark in text for mark in SOUND_MARKS):
            return "".join(map(_width, text)), None
        letters: list[str] = []
        starts: list[int] = []
        for at, letter in enumerate(text):
            joined = join_sound_mark(letters[-1], letter) if letters else None
            if joined is not None and at == starts[-1] + 1:
                letters[-1] = joined
                continue
            letters.append(_width(letter))
            starts.append(at)
        return "".join(letters), np.array([*starts, len(text)], np.int64)

    def without_case(self, text: str) -> str:
        """The text without case, one character for each."""
        if not self.case:
            return text
        folded = text.casefold()  # which never shortens: equal length means one for one
        return folded if len(folded) == len(text) else "".join(map(_case, text))


@dataclass(frozen=True, slots=True)
class FoldedDocuments:
    """Documents as they are searched, without breaks, and where each ends.

    `starts` and `stops` are the places of every character in its document as it was given; None
    where it stands there.
    """

    points: NDArray[np.uint32]
    ends: NDArray[np.int64]
    starts: NDArray[np.integer] | None
    stops: NDArray[np.integer] | None


def read(texts: Sequence[str], folding: Folding) -> FoldedDocuments:
    """Lays out texts as they are searched.

    Cost: O(n) array operations; letter by letter where a text is not composed.

    >>> found = read(["Pine \\n Stre\\u00adet"], Folding())
    >>> "".join(map(chr, found.points)), found.starts.tolist()[3:10]
    ('Pine Street', [3, 4, 7, 8, 9, 10, 12])
    """
    usual, sources = [], []
    for text in texts:
        composed, began = compose(text)
        wide, source = folding.without_width(composed)
        usual.append(folding.without_case(wide))
        sources.append(_through(began, source))
    points, ends = layout(usual)
    if all(map(_stands_as_it_is, usual)):  # of ASCII no letter was composed or widened
        return FoldedDocuments(points, ends, None, None)
    kept, blank = squeezed(points, ends)
    if (points[blank] != BLANK).any():
        points = np.where(blank, np.uint32(BLANK), points)
    if all(source is None for source in sources):
        return _kept(points, ends, kept)
    starts, stops = _places(ends, sources)
    if kept is not None:
        points, starts, stops = points[kept], starts[kept], stops[kept]
        ends = np.searchsorted(np.flatnonzero(kept), ends)
    return FoldedDocuments(points, ends, starts, stops)


def _kept(
    points: NDArray[np.uint32], ends: NDArray[np.int64], kept: NDArray[np.bool_] | None
) -> FoldedDocuments:
    """What is left of documents of which some characters are dropped, and none is changed."""
    if kept is None:
        return FoldedDocuments(points, ends, None, None)
    at = np.flatnonzero(kept)
    if len(points) < 1 << 31:  # of a large document places take more room than anything else
        at = at.astype(np.int32)
    left = np.searchsorted(at, ends)
    begins = np.concatenate([[0], ends[:-1]]).astype(at.dtype)
    at -= np.repeat(begins, np.diff(left, prepend=0)) if len(ends) > 1 else 0
    return FoldedDocuments(points[kept], left, at, at + 1)


def _stands_as_it_is(text: str) -> bool:
    """Whether a text surely has nothing unseen, and single blanks."""
    return text.isascii() and text.isprintable() and "  " not in text


def _through(
    first: Sequence[int] | None, second: NDArray[np.int64] | None
) -> NDArray[np.int64] | None:
    """Where characters began that were changed twice."""
    if first is None:
        return second
    places = np.asarray(first, np.int64)
    return places if second is None else places[second]


def _places(
    ends: NDArray[np.int64], sources: Sequence[NDArray[np.int64] | None]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    sizes = np.diff(ends, prepend=0)
    begins = [
        np.arange(size + 1) if source is None else source
        for size, source in zip(sizes.tolist(), sources, strict=True)
    ]
    none = np.zeros(0, np.int64)
    return (
        np.concatenate([none, *(places[:-1] for places in begins)]),
        np.concatenate([none, *(places[1:] for places in begins)]),
    )


def squeezed(
    points: NDArray[np.uint32], ends: NDArray[np.int64]
) -> tuple[NDArray[np.bool_] | None, NDArray[np.bool_]]:
    """Which characters are kept (None: all), and which are blanks.

    What shows nothing goes; of blanks the first stays, and none between letters of scripts that
    have no blanks, if at most one line ends there.
    """
    unseen, blank, unspaced = flags_of(points, ("unseen", "blank", "unspaced"))
    plain = not unseen.any() and not blank[1:][blank[:-1]].any()
    if plain and not _parted(blank, unspaced).any():
        return None, blank
    kept = ~unseen
    at = np.flatnonzero(kept)
    white = blank[at]
    again = white.copy()
    again[1:] &= white[:-1]
    begins = np.searchsorted(at, np.concatenate([[0], ends]))
    again[begins[begins < len(at)]] = False
    kept[at[again]] = False
    if not unspaced.any():
        return kept, blank
    at = np.flatnonzero(kept)
    lines = np.concatenate([[0], np.cumsum((points == 10) | (points == 0x2029))])
    white, single = blank[at], unspaced[at]
    inside = np.flatnonzero(white[1:-1] & single[:-2] & single[2:]) + 1
    inside = inside[lines[at[inside + 1]] - lines[at[inside]] <= 1]
    document = np.searchsorted(ends, at, "right")
    inside = inside[document[inside - 1] == document[inside + 1]]
    kept[at[inside]] = False
    return kept, blank


def _parted(blank: NDArray[np.bool_], unspaced: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return blank[1:-1] & unspaced[:-2] & unspaced[2:]


_KINDS: JsonObject = {"unseen": is_invisible, "blank": str.isspace, "unspaced": is_unspaced}
_KNOWN: dict[str, dict[int, bool]] = {name: {} for name in _KINDS}


def flags_of(points: NDArray[np.uint32], names: Sequence[str]) -> list[NDArray[np.bool_]]:
    """Of every character whether it shows nothing, is a blank, belongs to a script without them.

    >>> [flags.tolist() for flags in flags_of(np.array([32, 173], np.uint32), ["unseen", "blank"])]
    [[False, True], [True, False]]
    """
    seen = np.zeros(CODE_POINTS, np.bool_)
    seen[points] = True
    present = np.flatnonzero(seen).tolist()
    result = []
    for name in names:
        known, table = _KNOWN[name], np.zeros(CODE_POINTS, np.bool_)
        for point in present:
            if point not in known:
                known[point] = bool(_KINDS[name](chr(point)))
            table[point] = known[point]
        result.append(table[points])
    return result
