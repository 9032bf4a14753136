"""Terms in texts: which places are replaced, and which are starred because they overlap."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import CannotBeMet
from ...core.letters import is_wordlike
from ...kernels import terms as kernel
from .folding import read
from .publication import SHARED_MARKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from ...kernels.terms import Automaton, TermStrings
    from .folding import FoldedDocuments, Folding

BATCH = 1 << 22  # characters that are laid out at a time
_is_wordlike = lru_cache(maxsize=None)(is_wordlike)


@dataclass(frozen=True, slots=True)
class Search:
    """What is searched for and how: terms, direct identifiers, their strings, borders of words."""

    terms: Automaton
    direct: Automaton | None
    strings: TermStrings
    folding: Folding
    whole_words: bool


@dataclass(frozen=True, slots=True)
class Places:
    """Changed places of one document, in order: half open, with the term's number or -1.

    `marks` says why: REPLACED, OVERLAP, DIRECT, STARRED or SHARED of the kernel; `sizes` is how
    many marks stand for what is no replaced term.
    """

    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    terms: NDArray[np.int64]
    marks: NDArray[np.uint8]
    sizes: NDArray[np.int64]

    def part(self, low: int, high: int) -> Places:
        """Some of them."""
        return Places(
            self.starts[low:high],
            self.stops[low:high],
            self.terms[low:high],
            self.marks[low:high],
            self.sizes[low:high],
        )


def places(
    texts: Sequence[str],
    search: Search,
    blocked: Mapping[int, Sequence[tuple[int, int]]],
    progress: Callable[[float], None] | None = None,
) -> Iterator[Places]:
    """The changed places of every document; the `blocked` ones are starred as direct identifiers.

    Paper: Step 2; instead of n-grams an automaton reads each text once. Cost: O(n + occurrences)
    a round, two rounds unless patterns side by side spell a term.
    """
    done, total = 0, max(1, sum(map(len, texts)))
    for first, last in _batches(texts):
        here = [blocked.get(document, ()) for document in range(first, last)]
        yield from _batch(texts[first:last], first, search, here)
        done += sum(map(len, texts[first:last]))
        if progress is not None:
            progress(done / total)


def _batches(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    first = size = 0
    for i, text in enumerate(texts):
        size += len(text)
        if size >= BATCH or i + 1 == len(texts):
            yield first, i + 1
            first, size = i + 1, 0


def _batch(
    texts: Sequence[str],
    first: int,
    search: Search,
    blocked: Sequence[Sequence[tuple[int, int]]],
) -> Iterator[Places]:
    laid = read(texts, search.folding)
    present = _present(laid.points, search.strings.symbols)
    words = flagged(present, _is_wordlike) if search.whole_words else None
    found = kernel.mark_terms(
        search.terms, search.direct, search.strings, laid.points, laid.ends, words,
        flagged(present, _is_edge), _flags(laid, blocked),
    )  # fmt: skip
    if found.unmet >= 0:
        document = first + int(np.searchsorted(laid.ends, found.unmet, "right"))
        raise CannotBeMet(
            "terms overlap so that fewer than k could stand at a place, and fewer than k terms "
            "share one mark",
            where=f"document {document}",
            remedy="make the dictionary anew with rare_lengths='shared', give more terms, or a "
            "smaller k",
        )
    runs = _starred_runs(found.marks, laid.ends)
    count = len(found.starts)
    here = (
        np.concatenate([found.starts, runs[0]]),
        np.concatenate([found.stops, runs[1]]),
        np.concatenate([found.terms.astype(np.int64), np.full(len(runs[0]), -1)]),
        np.concatenate([np.full(count, kernel.REPLACED, np.uint8), runs[2]]),
    )
    yield from _by_document(_in_order(*here, laid), np.sort(here[0]), laid.ends)


def _by_document(
    every: Places, starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> Iterator[Places]:
    """The places of each document; `starts` are those of the layout, in order."""
    low, none = 0, every.part(0, 0)
    for high in np.searchsorted(starts, ends).tolist():
        yield every.part(low, high) if high > low else none
        low = high


def _flags(
    laid: FoldedDocuments, blocked: Sequence[Sequence[tuple[int, int]]]
) -> NDArray[np.uint8] | None:
    """Which characters of a layout are blocked; None: none."""
    if not any(blocked):
        return None
    flags = np.zeros(len(laid.points), np.uint8)
    begin = 0
    for end, places in zip(laid.ends.tolist(), blocked, strict=True):
        for start, stop in places:
            if laid.starts is not None and laid.stops is not None:  # to the places as searched
                start = int(np.searchsorted(laid.stops[begin:end], start, "right"))
                stop = int(np.searchsorted(laid.starts[begin:end], stop, "left"))
            flags[begin + start : begin + stop] = 1
        begin = end
    return flags


def _starred_runs(
    marks: NDArray[np.uint8], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
    """Runs of one mark that star outside replaced terms, none over the end of a document."""
    starred = (marks != kernel.CLEAR) & (marks != kernel.REPLACED)
    if not starred.any():
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.uint8)
    borders = np.ones(len(marks) + 1, np.bool_)
    borders[1:-1] = marks[1:] != marks[:-1]
    borders[ends] = True
    at = np.flatnonzero(borders)
    chosen = starred[at[:-1]]
    return at[:-1][chosen], at[1:][chosen], marks[at[:-1][chosen]]


def _in_order(
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    terms: NDArray[np.int64],
    marks: NDArray[np.uint8],
    laid: FoldedDocuments,
) -> Places:
    """Places of a layout, in order, as places of their documents as they were given."""
    order = np.argsort(starts, kind="stable")
    starts, stops, terms, marks = starts[order], stops[order], terms[order], marks[order]
    sizes = stops - starts
    if laid.starts is not None and laid.stops is not None:
        starts = laid.starts[starts].astype(np.int64)
        stops = laid.stops[stops - 1].astype(np.int64)
    else:
        begins = np.concatenate([[0], laid.ends])
        begin = begins[np.searchsorted(laid.ends, starts, "right")]
        starts, stops = starts - begin, stops - begin
    as_given = (marks == kernel.OVERLAP) | (marks == kernel.DIRECT)
    sizes = np.where(as_given, stops - starts, sizes)
    sizes = np.where(marks == kernel.SHARED, SHARED_MARKS, sizes)
    return Places(starts, stops, terms, marks, sizes)


def _present(points: NDArray[np.uint32], others: NDArray[np.uint32]) -> list[int]:
    """The code points that occur here or there."""
    seen = np.zeros(kernel.CODE_POINTS, np.bool_)
    seen[points] = True
    seen[others] = True
    return list(np.flatnonzero(seen).tolist())


def flagged(present: Iterable[int], is_one: Callable[[str], bool]) -> NDArray[np.uint8]:
    """Which code points of those that occur are of a kind, a flag for every code point.

    >>> flagged([97, 32, 26481], is_wordlike)[[97, 98, 32, 26481]].tolist()
    [1, 0, 0, 0]
    """
    flags = np.zeros(kernel.CODE_POINTS, np.uint8)
    for point in present:
        flags[point] = is_one(chr(point))
    return flags


@cache
def _is_edge(character: str) -> bool:
    """Whether a character parts sentences: what is no letter, digit, blank or unseen."""
    return unicodedata.category(character)[0] in "PS"
