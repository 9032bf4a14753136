"""Resolving overlaps, literally: take the best span, throw out what overlaps it, repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.core.spans import Span


def resolve(spans: list[Span]) -> list[Span]:
    """Longest, then score, then order."""
    left = [(number, span) for number, span in enumerate(spans) if span.start < span.stop]
    taken: list[Span] = []
    while left:
        best = min(left, key=lambda item: (item[1].start - item[1].stop, -item[1].score, item[0]))
        taken.append(best[1])
        left = [item for item in left if item is not best and not overlap(item[1], best[1])]
    return sorted(taken, key=lambda span: (span.document, span.start))


def overlap(one: Span, other: Span) -> bool:
    """Whether two spans share a symbol."""
    return one.document == other.document and one.start < other.stop and other.start < one.stop


def occurrences(text: str, terms: dict[str, str]) -> list[tuple[int, int, str]]:
    """Every place of every term where a word begins and ends."""
    found = []
    for term, label in sorted(terms.items()):
        for start in range(len(text) - len(term) + 1):
            stop = start + len(term)
            if text[start:stop] != term:
                continue
            inside_left = start > 0 and text[start - 1].isalnum() and text[start].isalnum()
            inside_right = stop < len(text) and text[stop].isalnum() and text[stop - 1].isalnum()
            if not inside_left and not inside_right:
                found.append((start, stop, label))
    return found
