"""The one way overlaps are resolved: the longest span, then the best score, then the order."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..core.spans import Span


def resolve(spans: Iterable[Span]) -> list[Span]:
    """The spans that stay when none may overlap, in the order of documents and places.

    The longest is taken first; of equally long ones the best score, then the one that came first.
    What overlaps a taken span goes. Spans that merely touch both stay and are never merged.
    Cost: O(n log n).

    >>> from sfumato import Span
    >>> found = [Span(0, 0, 4, "A"), Span(0, 2, 9, "B"), Span(0, 9, 12, "B")]
    >>> [(span.start, span.stop) for span in resolve(found)]
    [(2, 9), (9, 12)]
    """
    spans = list(spans)
    placed = sorted(
        [span for span in spans if span.start < span.stop], key=attrgetter("document", "start")
    )
    if not any(map(_overlap, placed, placed[1:])):
        return placed
    ranked = sorted(spans, key=_rank)
    taken: dict[int, list[tuple[int, int]]] = {}
    result = []
    for span in ranked:
        if span.start == span.stop:
            continue
        places = taken.setdefault(span.document, [])
        at = bisect_left(places, (span.start, span.start))
        before_free = at == 0 or places[at - 1][1] <= span.start
        after_free = at == len(places) or places[at][0] >= span.stop
        if before_free and after_free:
            insort(places, (span.start, span.stop))
            result.append(span)
    return sorted(result, key=lambda span: (span.document, span.start))


def cover(spans: Iterable[Span]) -> list[Span]:
    """The spans when none may overlap and nothing that was found may be lost.

    Spans that overlap become one, from the first start to the last stop, with the label, score and
    reason of the one that `resolve` would take. Spans that merely touch both stay.
    Cost: O(n log n).

    >>> from sfumato import Span
    >>> found = [Span(0, 0, 6, "PERSON"), Span(0, 4, 14, "LOCATION"), Span(0, 14, 15, "AGE")]
    >>> [(span.start, span.stop, span.label) for span in cover(found)]
    [(0, 14, 'LOCATION'), (14, 15, 'AGE')]
    """
    groups: list[tuple[Span, int, int]] = []  # the leading span, and what all cover
    for span in sorted(spans, key=attrgetter("document", "start")):
        if span.start == span.stop:
            continue
        if groups:
            leading, start, stop = groups[-1]
            if leading.document == span.document and span.start < stop:
                better = _rank(span) < _rank(leading)
                groups[-1] = (span if better else leading, start, max(stop, span.stop))
                continue
        groups.append((span, span.start, span.stop))
    return [
        span if (span.start, span.stop) == (start, stop) else replace(span, start=start, stop=stop)
        for span, start, stop in groups
    ]


def _rank(span: Span) -> tuple[int, float]:
    return span.start - span.stop, -span.score


def _overlap(one: Span, following: Span) -> bool:
    return one.stop > following.start and one.document == following.document


def require_inside(spans: Iterable[Span], texts: list[str]) -> None:
    """Refuses spans that do not lie in the documents.

    >>> from sfumato import Span
    >>> require_inside([Span(0, 0, 2)], ["ab"])
    """
    from ..core.errors import BadInput

    for number, span in enumerate(spans):
        if not 0 <= span.document < len(texts):
            raise BadInput(
                f"span {number} belongs to document {span.document}, there are {len(texts)}",
                where="spans",
                remedy="give the spans of these documents",
            )
        length = len(texts[span.document])
        if not 0 <= span.start < span.stop <= length:
            raise BadInput(
                f"span {number} goes from {span.start} to {span.stop} in a text of {length}",
                where=f"document {span.document}",
                remedy="offsets are code points, half open",
            )
