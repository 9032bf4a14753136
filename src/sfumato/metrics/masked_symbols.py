"""Which symbols of the original cannot be read in the release."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import numpy as np

from ..core.corpus import Corpus
from ..core.errors import BadInput
from ..core.release import Release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from ..core.values import Data

    Flags = NDArray[np.bool_]

HIDDEN = "★*"  # what stars become unless told otherwise
_TOKEN = re.compile(r"\w+|[^\w\s]")


def texts_of(original: Data, release: Data) -> tuple[list[str], list[str]]:
    """The documents of both, which must be as many.

    >>> texts_of("ann", "★★★")
    (['ann'], ['★★★'])
    """
    before = Corpus.of(original, "original").texts
    after = Corpus.of(release.data if isinstance(release, Release) else release, "release").texts
    if len(before) != len(after):
        raise BadInput(
            f"expected {len(before)} documents, one for each of the original, found {len(after)}",
            where="release",
        )
    return before, after


def marks_of(release: Data, mask: str | None = None) -> str:
    """The symbols that stand for something hidden: as told, or as the release was made."""
    if mask is not None:
        return mask
    own = release.parameters.get("mask") if isinstance(release, Release) else None
    return own if isinstance(own, str) and len(own) == 1 else HIDDEN


def starred(old: str, new: str, marks: str) -> Flags | None:
    """Which symbols became a mark; None unless all others stand as they were.

    A blank over a symbol between words, which few share, is a mark too.

    >>> starred("ann", "a★★", "★").tolist()
    [False, True, True]
    """
    if len(old) != len(new):
        return None
    before, after = _codes(old), _codes(new)
    flags: Flags = before != after
    other = flags & ~np.isin(after, _codes(marks))
    places = np.flatnonzero(other).tolist()
    return flags if all(new[i] == " " and not old[i].isalnum() for i in places) else None


def masked(original: Data, release: Data, mask: str | None = None) -> list[Flags]:
    """For each document, which symbols of the original are not in the release as they stood.

    Symbol by symbol where marks took their places; else by the release's changes; else what the
    longest common runs of words leave out. Cost: O(n); the last O(words squared) a document.

    >>> masked(["Ann has flu"], ["*** has illness"])[0].astype(int).tolist()
    [1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1]
    """
    before, after = texts_of(original, release)
    marks = marks_of(release, mask)
    changes = release.changes if isinstance(release, Release) and len(release.changes) else None
    result = []
    for number, (old, new) in enumerate(zip(before, after, strict=True)):
        flags = starred(old, new, marks)
        if flags is None:
            flags = np.zeros(len(old), np.bool_)
            spans: Iterable[tuple[int, int]]
            if changes is not None:
                own = changes.of_document(number)
                spans = zip(own.starts.tolist(), own.stops.tolist(), strict=True)
            else:
                spans = _differences(old, new)
            for start, stop in spans:
                flags[start:stop] = True
        result.append(flags)
    return result


def _differences(old: str, new: str) -> Iterator[tuple[int, int]]:
    places = [match.span() for match in _TOKEN.finditer(old)]
    matcher = SequenceMatcher(None, _TOKEN.findall(old), _TOKEN.findall(new), autojunk=False)
    for kind, start, stop, _, _ in matcher.get_opcodes():
        if kind in ("replace", "delete"):
            yield places[start][0], places[stop - 1][1]


def _codes(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def flags_of(spans: Sequence[tuple[int, int]], length: int) -> Flags:
    """Flags over a text that are set inside the spans.

    >>> flags_of([(0, 2)], 3).tolist()
    [True, True, False]
    """
    flags = np.zeros(length, np.bool_)
    for start, stop in spans:
        flags[start:stop] = True
    return flags
