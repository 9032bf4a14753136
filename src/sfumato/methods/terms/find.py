"""Terms in texts: which places are replaced, and which are starred because they overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...core.letters import is_wordlike
from ...kernels import terms as kernel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from ...kernels.terms import Automaton
    from .folding import Folding

BATCH = 1 << 22  # characters that are laid out at a time


@dataclass(frozen=True, slots=True)
class Search:
    """What is searched for and how: terms, direct identifiers, folding, borders of words.

    `stars` and `offsets` say which characters of every term its published string stars.
    """

    terms: Automaton
    direct: Automaton | None
    stars: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    folding: Folding
    whole_words: bool


@dataclass(frozen=True, slots=True)
class Places:
    """Changed places of one document, in order: half open, with the term's number or -1.

    `marks` says why: REPLACED, OVERLAP or DIRECT of the kernel.
    """

    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    terms: NDArray[np.int64]
    marks: NDArray[np.uint8]


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
        yield from _batch(texts[first:last], search, here)
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
    texts: Sequence[str], search: Search, blocked: Sequence[Sequence[tuple[int, int]]]
) -> Iterator[Places]:
    usual = [search.folding.without_width(text) for text in texts]
    folded = [search.folding.without_case(text) for text, _ in usual]
    points, ends = kernel.layout(folded)
    words = wordlike(points) if search.whole_words else None
    flags = _flags(len(points), ends, [source for _, source in usual], blocked)
    starts, stops, terms, marks = kernel.mark_terms(
        search.terms, search.direct, search.stars, search.offsets, points, ends, words, flags
    )
    begin = 0
    for end, (_, source) in zip(ends.tolist(), usual, strict=True):
        low, high = np.searchsorted(starts, [begin, end])
        runs = _starred_runs(marks[begin:end])
        here = Places(
            np.concatenate([starts[low:high] - begin, runs[0]]),
            np.concatenate([stops[low:high] - begin, runs[1]]),
            np.concatenate([terms[low:high].astype(np.int64), np.full(len(runs[0]), -1)]),
            np.concatenate([np.full(high - low, kernel.REPLACED, np.uint8), runs[2]]),
        )
        yield _in_order(here, source)
        begin = end


def _flags(
    size: int,
    ends: NDArray[np.int64],
    sources: Sequence[NDArray[np.int64] | None],
    blocked: Sequence[Sequence[tuple[int, int]]],
) -> NDArray[np.uint8] | None:
    """Which characters of a layout are blocked; None: none."""
    if not any(blocked):
        return None
    flags = np.zeros(size, np.uint8)
    begins = [0, *ends.tolist()]
    for begin, source, places in zip(begins, sources, blocked, strict=False):
        for start, stop in places:
            if source is not None:  # to the places in the text of usual width
                start = int(np.searchsorted(source, start, "right")) - 1
                stop = int(np.searchsorted(source, stop, "left"))
            flags[begin + start : begin + stop] = 1
    return flags


def _starred_runs(
    marks: NDArray[np.uint8],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
    """Runs of one mark that star outside replaced terms."""
    if not len(marks):
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.uint8)
    starts = np.flatnonzero(np.diff(marks, prepend=255))
    stops = np.append(starts[1:], len(marks))
    chosen = (marks[starts] == kernel.OVERLAP) | (marks[starts] == kernel.DIRECT)
    return starts[chosen], stops[chosen], marks[starts][chosen]


def _in_order(found: Places, source: NDArray[np.int64] | None) -> Places:
    order = np.argsort(found.starts)
    starts, stops = found.starts[order], found.stops[order]
    if source is not None:  # back to the places in the text as it was given
        starts, stops = source[starts], source[stops]
    return Places(starts, stops, found.terms[order], found.marks[order])


def wordlike(points: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Which characters are parts of words, one flag each.

    >>> wordlike(np.array([97, 32, 26481], np.uint32)).tolist()
    [1, 0, 0]
    """
    seen = np.zeros(kernel.CODE_POINTS, np.bool_)
    seen[points] = True
    flags = np.zeros(kernel.CODE_POINTS, np.uint8)
    for point in np.flatnonzero(seen).tolist():
        flags[point] = is_wordlike(chr(point))
    return flags[points]
