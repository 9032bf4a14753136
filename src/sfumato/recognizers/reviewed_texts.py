"""Reviewed texts: documents with what a person accepted, and the places that were spoken of."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.errors import BadInput
from ..core.printed_form import by_sizes
from ..core.spans import Span
from . import brat, review
from .gold import content_of, has_spans
from .overlaps import require_inside

Place = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class ReviewedTexts:
    """Texts, the spans that are accepted in them, and all places that the review speaks of."""

    texts: Sequence[str]
    spans: list[Span]
    spoken: list[Place]

    __repr__ = by_sizes


def reviewed_of(given: Any, texts: Sequence[str] | None, column: str = "text") -> ReviewedTexts:
    """Reviewed texts from spans or a review file with its texts, records with spans, or brat.

    >>> reviewed_of([Span(0, 0, 3, "PERSON")], ["Ann has flu."]).spoken
    [(0, 0, 3)]
    """
    if isinstance(given, (str, os.PathLike)):
        return _from_path(Path(given), texts, column)
    if texts is None:
        raise BadInput("spans need the texts they belong to", where="texts")
    listed = list(given) if isinstance(given, Iterable) else [given]
    if not all(isinstance(one, Span) for one in listed):
        raise BadInput("expected spans, or a file of them", where="reviewed")
    require_inside(listed, list(texts))
    return ReviewedTexts(list(texts), listed, [(s.document, s.start, s.stop) for s in listed])


def _from_path(path: Path, texts: Sequence[str] | None, column: str) -> ReviewedTexts:
    if path.is_dir():
        return _folder(path)
    content = content_of(path)
    if has_spans(content):
        return _records(content, str(path), column)
    if texts is None:
        raise BadInput(
            "a review file needs the texts it belongs to",
            where=str(path),
            remedy="name them (texts, --texts), or write records with their spans: "
            "sfumato recognize --to records",
        )
    spans = review.read(content, list(texts), str(path))
    lines = (json.loads(line) for line in content.splitlines() if line.strip())
    spoken = [(int(one["document"]), int(one["start"]), int(one["stop"])) for one in lines]
    return ReviewedTexts(list(texts), spans, spoken)


def _folder(folder: Path) -> ReviewedTexts:
    """Texts of a folder with brat's marks beside them."""
    texts: list[str] = []
    spans: list[Span] = []
    for page in sorted(folder.rglob("*.ann")):
        text = content_of(page.with_suffix(".txt")).decode("utf-8")
        spans += brat.read(content_of(page), len(texts), str(page), text)
        texts.append(text)
    if not texts:
        raise BadInput("no .ann with its .txt here", where=str(folder))
    return ReviewedTexts(texts, spans, [(s.document, s.start, s.stop) for s in spans])


def _records(content: bytes, place: str, column: str) -> ReviewedTexts:
    """Records with a text and its spans, each with what was decided."""
    texts: list[str] = []
    spans: list[Span] = []
    spoken: list[Place] = []
    for number, line in enumerate(content.split(b"\n"), 1):
        if not line.strip():
            continue
        where = f"{place}, line {number}"
        try:
            record = json.loads(line.decode("utf-8", "surrogatepass"))
            text, marks = record[column], record["spans"]
            if not isinstance(text, str) or not isinstance(marks, list):
                raise TypeError
            for one in marks:
                decision = one.get("decision", "accept")
                start, stop = int(one["start"]), int(one["end"] if "end" in one else one["stop"])
                label = str(one["new_label"] if decision == "relabel" else one["label"])
                spoken.append((len(texts), start, stop))
                if decision != "reject":
                    spans.append(Span(len(texts), start, stop, label))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise BadInput(
                f"expected a record with {column} and spans (start, stop, label, decision)",
                where=where,
            ) from None
        texts.append(text)
    require_inside(spans, texts)
    return ReviewedTexts(texts, spans, spoken)
