"""English articles before what was written: they would tell the first sound of what stood there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ...ontologies.articles import article_by_place
from ...recognizers.told_language import language_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...core.spans import Change
    from .places import Places

    Where = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]


def articles(text: str, document: int, places: Sequence[tuple[int, int, int, str]]) -> list[Change]:
    """The articles of a text that have to change, by (before, start, stop, what is written).

    `before` is where the place before the written one stops. Texts of other languages have none:
    there, "a" and "an" are words of their own.

    >>> [one.replacement for one in articles("an Irish nurse", 0, [(0, 3, 8, "[NORP]")])]
    ['a']
    >>> articles("Das ist ein Brief an Irene Weber.", 0, [(0, 21, 32, "[PERSON]")])
    []
    """
    found = []
    for before, start, _, word in places:
        one = article_by_place(text, document, start, before, word.strip("[]()").lower())
        if one is not None:
            found.append(one)
    if found and not is_english(text, [(start, stop) for _, start, stop, _ in places]):
        return []
    return found


def is_english(text: str, without: Iterable[tuple[int, int]]) -> bool:
    """Whether a text is English but for these stretches, or too short to be anything else."""
    pieces, at = [], 0
    for start, stop in without:
        pieces.append(text[at:start])
        at = stop
    return language_of(" ".join([*pieces, text[at:]])) in ("en", None)


def with_articles(
    texts: list[str],
    places: Places,
    chosen: NDArray[np.int64],
    where: Where,
    written: NDArray[np.int32],
    words: dict[str, int],
    why: NDArray[np.int32],
    reasons: dict[str, int],
) -> tuple[Where, NDArray[np.int32], NDArray[np.int32]]:
    """The changes with those of the articles before them, in order.

    Cost: O(text).
    """
    documents, starts, stops = where
    said = list(words)
    follows = np.append(False, places.documents[1:] == places.documents[:-1])
    before = np.where(follows, np.append(0, places.stops[:-1]), 0)[chosen]
    edges = np.flatnonzero(np.diff(documents, prepend=-1))
    found: list[Change] = []
    for first, last in pairwise([*edges.tolist(), len(chosen)]):
        rows = zip(
            before[first:last].tolist(),
            starts[first:last].tolist(),
            stops[first:last].tolist(),
            [said[one] for one in written[first:last].tolist()],
            strict=True,
        )
        document = int(documents[first])
        found += articles(texts[document], document, list(rows))
    if not found:
        return where, written, why
    reason = reasons.setdefault("article", len(reasons))
    number = [words.setdefault(one.replacement, len(words)) for one in found]
    documents = np.append(documents, [one.document for one in found])
    starts = np.append(starts, [one.start for one in found])
    stops = np.append(stops, [one.stop for one in found])
    order = np.lexsort((starts, documents))
    new = np.append(written, np.array(number, np.int32))[order]
    told = np.append(why, np.full(len(found), reason, np.int32))[order]
    return (documents[order], starts[order], stops[order]), new, told
