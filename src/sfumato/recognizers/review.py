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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from ..core.options import choose
from ..core.printed_form import by_sizes
from ..core.spans import Span, quick_span
from .gazetteer import Gazetteer
from .overlaps import resolve

if TYPE_CHECKING:
    from ..core.values import JsonObject

DECISIONS = ("accept", "reject", "relabel")
SCOPES = ("here", "everywhere")
AT_ONCE = 1024  # lines


def write(
    spans: Sequence[Span],
    texts: Sequence[str],
    first: int = 0,
    rejected: frozenset[int] = frozenset(),
) -> bytes:
    """The review file of these spans, everything accepted but those whose number is `rejected`;
    `first` is the first text's number.

    >>> print(write([Span(0, 0, 3, "PERSON", 0.9, "rule")], ["Ann has flu."]).decode().strip())
    {"document": 0, "start": 0, "stop": 3, "label": "PERSON", "score": 0.9, "why": "rule",
     "text": "Ann", "decision": "accept", "scope": "here"}
    """
    lines = []
    for number, span in enumerate(spans):
        line = {
            "document": first + span.document,
            "start": span.start,
            "stop": span.stop,
            "label": span.label,
            "score": span.score,
            "why": span.why,
            "text": texts[span.document][span.start : span.stop],
            "decision": "reject" if number in rejected else "accept",
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
    decided = _Decisions()
    for number, line in enumerate(content.split(b"\n"), 1):
        if line.strip():
            where = f"{place}, line {number}"
            decided.take(_stated(line, where), texts, 0, where)
    return decided.spans(texts)


class Review:
    """A review file whose documents come in parts; its lines are in the order of documents.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "spans.jsonl")
    ...     _ = path.write_bytes(write([Span(0, 0, 3, "PERSON"), Span(1, 0, 2, "PERSON")],
    ...         ["Ann has flu.", "Bo left."]))
    ...     review = Review(path)
    ...     review.spans(["Ann has flu."])[0].stop, review.spans(["Bo left."])[0].stop
    (3, 2)
    """

    def __init__(self, path: str | Path):
        self._path, self._documents = str(path), 0
        self._everywhere: dict[str, str | None] = {}
        for number, line in enumerate(self._opened(), 1):  # decisions for all come first
            if b"everywhere" in line:
                self._note(line, f"{self._path}, line {number}")
        self._lines = _many_stated(self._opened(), self._path)
        self._held: tuple[int, dict[str, object]] | None = None

    def spans(self, texts: list[str]) -> list[Span]:
        """The spans of the next documents."""
        decided = _Decisions(everywhere=dict(self._everywhere))
        last = self._documents + len(texts)
        while (held := self._held or next(self._lines, None)) is not None:
            self._held = held
            where, stated = f"{self._path}, line {held[0]}", held[1]
            if _document(stated, where) >= last:
                break
            decided.take(stated, texts, self._documents, where)
            self._held = None
        self._documents = last
        return decided.spans(texts)

    def require_end(self) -> None:
        """Refuses lines for documents that did not come."""
        held = self._held or next(self._lines, None)
        if held is not None:
            where, stated = f"{self._path}, line {held[0]}", held[1]
            raise BadInput(f"there is no document {_document(stated, where)}", where=where)

    def _opened(self) -> Iterator[bytes]:
        try:
            with open(self._path, "rb") as stream:
                yield from stream
        except OSError as problem:
            where = self._path
            raise BadInput(f"cannot be read ({problem.strerror})", where=where) from None

    def _note(self, line: bytes, where: str) -> None:
        """Notes a decision for all documents by the text that the line has."""
        stated = _stated(line, where)
        if stated.get("scope") != "everywhere":
            return
        if not isinstance(stated.get("text"), str):
            remedy = "leave the text in the line"
            raise BadInput("a decision for all needs the text", where=where, remedy=remedy)
        rejected = stated.get("decision") == "reject"
        named = stated.get("new_label" if stated.get("decision") == "relabel" else "label")
        self._everywhere[stated["text"]] = None if rejected else str(named)


@dataclass(slots=True)
class _Decisions:
    """What the lines of a review file say about some documents."""

    here: list[Span] = field(default_factory=list)
    rejected: set[tuple[int, int, int]] = field(default_factory=set)
    placed: set[tuple[int, int, int]] = field(default_factory=set)
    everywhere: dict[str, str | None] = field(default_factory=dict)

    __repr__ = by_sizes

    def take(self, stated: JsonObject, texts: list[str], first: int, where: str) -> None:
        """Takes up one line; `first` is the number of the first text."""
        span = _span(stated, texts, first, where)
        decision, scope = stated.get("decision", "accept"), stated.get("scope", "here")
        if decision == "accept" and scope == "here":  # as nearly all lines are
            self.here.append(span)
            return
        choose(f"{where}: decision", decision, DECISIONS)
        choose(f"{where}: scope", scope, SCOPES)
        if decision == "relabel":
            if not isinstance(stated.get("new_label"), str):
                raise BadInput("relabel needs new_label", where=where)
            span = replace(span, label=stated["new_label"])
        at = span.document, span.start, span.stop
        if scope == "everywhere":
            text = texts[span.document][span.start : span.stop]
            self.everywhere[text] = None if decision == "reject" else span.label
        elif decision == "reject":
            self.rejected.add(at)
        else:
            if decision == "relabel":
                self.placed.add(at)
            self.here.append(span)

    def spans(self, texts: list[str]) -> list[Span]:
        """The spans that are left."""
        return _decided(self.here, self.rejected, self.placed, self.everywhere, texts)


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


def _stated(line: bytes, where: str) -> JsonObject:
    try:
        stated = json.loads(line.decode("utf-8", "surrogatepass"))
        if isinstance(stated, dict):
            return stated
    except ValueError:
        pass
    raise BadInput("expected an object with document, start, stop, label", where=where)


def _many_stated(lines: Iterable[bytes], place: str) -> Iterator[tuple[int, dict[str, object]]]:
    """What each line that is not blank says, by its number; many lines are read at a time."""
    numbered = ((number, line) for number, line in enumerate(lines, 1) if line.strip())
    while some := list(islice(numbered, AT_ONCE)):
        try:
            raw = b",".join(line for _, line in some).decode("utf-8", "surrogatepass")
            stated = json.loads(f"[{raw}]")
        except ValueError:
            stated = []
        if len(stated) != len(some) or not all(isinstance(one, dict) for one in stated):
            stated = [_stated(line, f"{place}, line {number}") for number, line in some]
        yield from zip((number for number, _ in some), stated, strict=True)


def _document(stated: JsonObject, where: str) -> int:
    try:
        return int(stated["document"])
    except (ValueError, KeyError, TypeError):
        raise BadInput(
            "expected an object with document, start, stop, label", where=where
        ) from None


def _span(stated: JsonObject, texts: list[str], first: int, where: str) -> Span:
    try:
        span = quick_span(
            int(stated["document"]) - first,
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
        order = ", or its lines are not in the order of documents" if first else ""
        raise BadInput(f"there is no document {span.document + first}{order}", where=where)
    text = texts[span.document]
    inside = 0 <= span.start < span.stop <= len(text)
    if (
        not inside
        or stated.get("text", text[span.start : span.stop]) != text[span.start : span.stop]
    ):
        document = span.document + first
        raise BadInput(
            f"document {document} does not have this text at {span.start} to {span.stop}",
            where=where,
            remedy="give the file of these documents; offsets and text are not to be edited",
        )
    return span


def write_records(spans: Iterable[Span], texts: Sequence[str]) -> bytes:
    """A record for every text, with its spans and what is decided of each: all that `learn` needs.

    >>> print(write_records([Span(0, 0, 3, "PERSON")], ["Ann has flu."]).decode().strip())
    {"document": 0, "text": "Ann has flu.", "spans": [{"start": 0, "stop": 3, "label": "PERSON",
     "score": 1.0, "why": "", "decision": "accept"}]}
    """
    found: list[list[dict[str, object]]] = [[] for _ in texts]
    for span in spans:
        told = {name: getattr(span, name) for name in ("start", "stop", "label", "score", "why")}
        found[span.document].append({**told, "decision": "accept"})
    records = (
        {"document": number, "text": text, "spans": found[number]}
        for number, text in enumerate(texts)
    )
    lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    return lines.encode("utf-8", "surrogatepass")
