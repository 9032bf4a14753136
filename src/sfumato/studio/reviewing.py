"""Review: what a recogniser found, the most doubtful first; what a person decided, kept as the
review file that `sfumato recognize` writes and every verb reads.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from ..core.printed_form import by_sizes
from ..core.spans import Span
from ..pipeline.inputs import read_input
from ..pipeline.stages import recognizer_name
from ..pipeline.steps import RunContext
from ..recognizers import recognizer, review
from ..recognizers.overlaps import require_inside
from ..recognizers.roles import preset
from ..recognizers.uncertain_places import uncertain
from . import policies
from .places import REVIEW, write_private

if TYPE_CHECKING:
    from ..core.values import JsonObject
    from ..formats import Source
    from ..recognizers.uncertain_places import Doubt

DECISIONS = "decisions.json"
MOST = 20_000  # places that a page is given


@dataclass(frozen=True, slots=True, eq=False)
class ColumnSpans:
    """What was recognised in the texts of one column."""

    key: str
    column: str | None
    source: Source
    doubts: list[Doubt]

    __repr__ = by_sizes


_last: dict[str, ColumnSpans] = {}


def found(project: Path) -> ColumnSpans:
    """What the policy's recogniser finds in the first text column, the most doubtful first."""
    written = policies.read(project)
    policy = written.policy
    columns = policy.input.columns
    column = columns[0] if columns else None
    name = recognizer_name(RunContext(written, b""))
    path = written.path(policy.input.path)
    key = json.dumps([name, column, policy.input.person, path.stat().st_mtime_ns])
    if str(project) not in _last or _last[str(project)].key != key:
        source = read_input(written, path, column)
        doubts = uncertain(recognizer(name), source.filled, MOST)
        _last[str(project)] = ColumnSpans(key, column, source, doubts)
    return _last[str(project)]


def places(project: Path) -> JsonObject:
    """All places as the page shows them, and what was decided so far."""
    this = found(project)
    texts = this.source.filled
    book = preset("default")
    listed = []
    for doubt in this.doubts:
        span = doubt.span
        role = book.role(span, texts[span.document][span.start : span.stop])
        told = [span.document, span.start, span.stop, span.label, round(span.score, 3)]
        listed.append([*told, doubt.found, span.why, role])
    return {
        "column": this.column,
        "documents": len(texts),
        "places": listed,
        "labels": sorted({one[3] for one in listed}),
        "decisions": decisions(project),
    }


def decisions(project: Path) -> list[JsonObject]:
    """What was decided so far."""
    path = project / DECISIONS
    return json.loads(path.read_text("utf-8")) if path.is_file() else []


def text_of(project: Path, document: int) -> str:
    """One document of the reviewed column."""
    texts = found(project).source.filled
    if not 0 <= document < len(texts):
        raise BadInput(f"there is no document {document}", where="document")
    return texts[document]


def save(project: Path, given: list[JsonObject]) -> JsonObject:
    """Keeps decisions: as the page has them, and as a review file of all places."""
    this = found(project)
    texts = this.source.filled
    decided = {(one["document"], one["start"], one["stop"]): one for one in given}
    spans: list[Span] = []
    lines: list[dict[str, object]] = []
    for doubt in this.doubts:
        one = doubt.span
        place = one.document, one.start, one.stop
        mine = decided.pop(place, None)
        if mine is not None or doubt.found:
            spans.append(one)
            lines.append(mine or {})
    for (document, start, stop), added in decided.items():  # by the person
        spans.append(Span(document, start, stop, str(added["label"]), 1.0, "added by a person"))
        lines.append(added)
    require_inside(spans, texts)
    order = sorted(range(len(spans)), key=lambda i: (spans[i].document, spans[i].start))
    content = b"".join(_line(spans[i], lines[i], texts) for i in order)
    review.read(content, texts, REVIEW)
    write_private(project / DECISIONS, json.dumps(given).encode())
    write_private(project / REVIEW, content)
    return {"lines": len(order), "decided": len(given)}


def _line(span: Span, decided: JsonObject, texts: list[str]) -> bytes:
    """A line of the review file, with what was decided of it."""
    stated = json.loads(review.write([span], texts).decode("utf-8", "surrogatepass"))
    for name in ("decision", "scope", "new_label"):
        if decided.get(name):
            stated[name] = decided[name]
    if stated["decision"] != "relabel":
        stated.pop("new_label", None)
    return (json.dumps(stated, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")
