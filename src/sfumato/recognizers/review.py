"""The review file: a JSON line for every found place, edited by a person, read back by verbs.

A line has `document`, `start`, `stop`, `label`, `score`, `why`, `text`, and two fields to edit:
`decision` is `accept`, `reject` or `relabel` (then `new_label` says what it is), and `scope` is
`here` or `everywhere`. Everywhere means all places with the same text, found or not: an accepted
or relabelled text is looked for in all documents. Rejecting or relabelling one place beats a
decision for all, which beats lines left as they were; of two for all the later wins.
The file holds the texts of people: it is not for publication.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..core.errors import BadInput
from ..core.options import choose
from ..core.spans import Span
from .gazetteer import Gazetteer
from .overlaps import resolve

DECISIONS = ("accept", "reject", "relabel")
SCOPES = ("here", "everywhere")


def write(spans: Sequence[Span], texts: Sequence[str]) -> bytes:
    """The review file of these spans, everything accepted.

    >>> print(write([Span(0, 0, 3, "PERSON", 0.9, "rule")], ["Ann has flu."]).decode().strip())
    {"document": 0, "start": 0, "stop": 3, "label": "PERSON", "score": 0.9, "why": "rule",
     "text": "Ann", "decision": "accept", "scope": "here"}
    """
    lines = []
    for span in spans:
        line = {
            "document": span.document,
            "start": span.start,
            "stop": span.stop,
            "label": span.label,
            "score": span.score,
            "why": span.why,
            "text": texts[span.document][span.start : span.stop],
            "decision": "accept",
            "scope": "here",
        }
        lines.append(json.dumps(line, ensure_ascii=False) + "\n")
    return "".join(lines).encode("utf-8", "surrogatepass")


def read(content: bytes, texts: list[str], place: str) -> list[Span]:
    """The spans a reviewed file leaves, checked against the documents it belongs to.

    >>> texts = ["Ann saw Ann.", "Ann left."]
    >>> line = b'{"document": 0, "start": 0, "stop": 3, "label": "PERSON", "scope": "everywhere"}'
    >>> [(span.document, span.start) for span in read(line, texts, "spans.jsonl")]
    [(0, 0), (0, 8), (1, 0)]
    """
    here: list[Span] = []
    rejected: set[tuple[int, int, int]] = set()
    placed: set[tuple[int, int, int]] = set()
    everywhere: dict[str, str | None] = {}
    for number, line in enumerate(content.split(b"\n"), 1):
        if not line.strip():
            continue
        where = f"{place}, line {number}"
        span, stated = _span(line, texts, where)
        decision, scope = stated.get("decision", "accept"), stated.get("scope", "here")
        choose(f"{where}: decision", decision, DECISIONS)
        choose(f"{where}: scope", scope, SCOPES)
        if decision == "relabel":
            if not isinstance(stated.get("new_label"), str):
                raise BadInput("relabel needs new_label", where=where)
            span = replace(span, label=stated["new_label"])
        at = span.document, span.start, span.stop
        if scope == "everywhere":
            text = texts[span.document][span.start : span.stop]
            everywhere[text] = None if decision == "reject" else span.label
        elif decision == "reject":
            rejected.add(at)
        else:
            if decision == "relabel":
                placed.add(at)
            here.append(span)
    return _decided(here, rejected, placed, everywhere, texts)


def _decided(
    here: list[Span],
    rejected: set[tuple[int, int, int]],
    placed: set[tuple[int, int, int]],
    everywhere: dict[str, str | None],
    texts: list[str],
) -> list[Span]:
    """The spans left by decisions for one place and decisions for all."""
    kept = []
    for span in here:
        text = texts[span.document][span.start : span.stop]
        at = span.document, span.start, span.stop
        if text not in everywhere or at in placed:
            kept.append(span)
            continue
        label = everywhere[text]
        if label is not None:
            kept.append(replace(span, label=label))
    terms = {text: label for text, label in everywhere.items() if label is not None}
    taken = rejected | {(span.document, span.start, span.stop) for span in kept}
    found = Gazetteer("review", terms, score=1.0)(texts) if terms else []
    kept += [span for span in found if (span.document, span.start, span.stop) not in taken]
    return resolve(kept)


def _span(line: bytes, texts: list[str], where: str) -> tuple[Span, dict[str, Any]]:
    try:
        stated = json.loads(line.decode("utf-8", "surrogatepass"))
        span = Span(
            int(stated["document"]),
            int(stated["start"]),
            int(stated["stop"]),
            str(stated["label"]),
            float(stated.get("score", 1.0)),
            str(stated.get("why", "")),
        )
    except (ValueError, KeyError, TypeError):
        raise BadInput(
            "expected an object with document, start, stop, label", where=where
        ) from None
    if not 0 <= span.document < len(texts):
        raise BadInput(f"there is no document {span.document}", where=where)
    text = texts[span.document]
    inside = 0 <= span.start < span.stop <= len(text)
    if (
        not inside
        or stated.get("text", text[span.start : span.stop]) != text[span.start : span.stop]
    ):
        raise BadInput(
            f"document {span.document} does not have this text at {span.start} to {span.stop}",
            where=where,
            remedy="give the file of these documents; offsets and text are not to be edited",
        )
    return span, stated
