"""What a person decided of recognised places, as the review file that every verb reads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from ..core.errors import BadInput
from ..core.spans import Span
from ..recognizers import review
from ..recognizers.overlaps import require_inside
from ..recognizers.roles import preset

if TYPE_CHECKING:
    from ..core.values import JsonObject

SHORT = 80  # symbols of a place's text, by which the page finds its like


class DoubtfulPlace(Protocol):
    """A place that a recogniser found, or nearly found."""

    @property
    def span(self) -> Span:
        """Where it is."""

    @property
    def found(self) -> bool:
        """Whether it was found, not nearly."""


def listed_places(found: Sequence[DoubtfulPlace], texts: Sequence[str]) -> list[list[object]]:
    """The places as the page has them: where, label, score, whether found, why, role, text."""
    book = preset("default")
    listed: list[list[object]] = []
    for doubt in found:
        span = doubt.span
        text = texts[span.document][span.start : span.stop]
        told = [span.document, span.start, span.stop, span.label, round(span.score, 3)]
        listed.append([*told, doubt.found, span.why, book.role(span, text), text[:SHORT]])
    return listed


def review_file(
    found: Sequence[DoubtfulPlace], texts: list[str], given: Sequence[JsonObject]
) -> bytes:
    """The review file of all places with what was decided of them; what is left open is accepted.

    A decision has document, start, stop, label, decision, scope and new_label; one of a place that
    no recogniser found adds it.
    """
    try:
        decided = {
            (int(one["document"]), int(one["start"]), int(one["stop"])): one for one in given
        }
    except (KeyError, TypeError, ValueError):
        raise BadInput("a decision names no place", where="decisions") from None
    spans: list[Span] = []
    lines: list[JsonObject] = []
    for doubt in found:
        one = doubt.span
        mine = decided.pop((one.document, one.start, one.stop), None)
        if mine is not None or doubt.found:
            spans.append(one)
            lines.append(mine or {})
    for place, added in decided.items():  # by the person
        spans.append(Span(*place, str(added.get("label") or "OTHER"), 1.0, "added by a person"))
        lines.append(added)
    require_inside(spans, texts)
    order = sorted(range(len(spans)), key=lambda i: (spans[i].document, spans[i].start))
    return b"".join(_line(spans[i], lines[i], texts) for i in order)


def _line(span: Span, decided: JsonObject, texts: list[str]) -> bytes:
    """A line of the review file, with what was decided of it."""
    stated = json.loads(review.write([span], texts).decode("utf-8", "surrogatepass"))
    for name in ("decision", "scope", "new_label"):
        if decided.get(name):
            stated[name] = decided[name]
    if stated["decision"] != "relabel":
        stated.pop("new_label", None)
    return (json.dumps(stated, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")
