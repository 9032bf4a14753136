"""What was found and changed in each document, as JSON beside it: places, then changes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ..core.spans import Change, Changes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Place = list[int | str | float]


def marks_of(
    documents: int, changes: Changes, places: Iterable[Sequence[int | str | float]] = ()
) -> list[str]:
    """For each document its places, and its changes: start, stop, replacement, reason.

    >>> marks_of(2, Changes.of([Change(1, 0, 3, "★★★", "rare")]))[1]
    '[[], [[0, 3, "★★★", "rare"]]]'
    """
    found: list[tuple[list[Place], list[Place]]] = [([], []) for _ in range(documents)]
    for document, *place in places:
        found[int(document)][0].append(place)
    for one in changes:
        found[one.document][1].append([one.start, one.stop, one.replacement, one.reason])
    return [json.dumps(one, ensure_ascii=False) for one in found]


def changes_in(marks: Sequence[str | None]) -> Changes:
    """The changes of some documents.

    >>> changes_in([None, '[[], [[0, 3, "★★★", "rare"]]]'])[0].document
    1
    """
    known = ((i, json.loads(one)[1]) for i, one in enumerate(marks) if one)
    return Changes.of([Change(i, *one) for i, some in known for one in some])


def explained(before: Sequence[str], after: Sequence[str], made: Changes, reason: str) -> Changes:
    """The changes, where they give the release; of other documents that all was written anew."""
    found: list[Change] = []
    for i, (old, new) in enumerate(zip(before, after, strict=True)):
        here, pieces, at = list(made.of_document(i)), [], 0
        for one in here:
            pieces += [old[at : one.start], one.replacement]
            at = one.stop
        if "".join([*pieces, old[at:]]) != new:
            here = [Change(i, 0, len(old), new, reason)]
        found += here
    return Changes.of(found)
