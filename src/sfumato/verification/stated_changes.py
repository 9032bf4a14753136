"""The stated changes of a release of `generalize`: made, of marked words, of all listed ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .base_values import MarkedPlace, Violation
from .listed_words import Listed, uncovered


def must_be_applied(old: str, new: str, changes: Mapping[tuple[int, int], str], i: int) -> None:
    """The original with the changes is the release."""
    pieces, at = [], 0
    for (start, stop), replacement in sorted(changes.items()):
        if start < at:
            raise Violation("two changes overlap", f"document {i}, offset {start}")
        pieces += [old[at:start], replacement]
        at = stop
    if "".join([*pieces, old[at:]]) != new:
        raise Violation("the release is not the original with the stated changes", f"document {i}")


def must_be_marks(
    old: str, changes: Mapping[tuple[int, int], str], found: Sequence[MarkedPlace], i: int
) -> None:
    """What was changed was marked, or is an article."""
    marked = {(place.start, place.stop) for place in found}
    for (start, stop), replacement in changes.items():
        articles = {old[start:stop].casefold(), replacement.casefold()} <= {"a", "an"}
        if (start, stop) not in marked and not articles:
            raise Violation("an unmarked word was changed", f"document {i}, offset {start}")


def must_be_complete(old: str, phrases: Listed, found: Sequence[MarkedPlace], i: int) -> None:
    """Every place where the words of a listed phrase follow each other overlaps a marked place."""
    place = uncovered(old, phrases, ((one.start, one.stop) for one in found))
    if place is not None:
        raise Violation("a listed word was not marked", f"document {i}, offset {place[0]}")


def threshold(t: Any, single: bool, document: int, segment: int) -> int:
    """The t of a segment, however it was given."""
    if isinstance(t, int):
        return t
    here = t if single else t[document]
    return int(here if isinstance(here, int) else here[segment])
