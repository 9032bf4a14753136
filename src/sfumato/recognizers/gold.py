"""Gold spans: what people marked, with its role and the entity it mentions."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from ..core.spans import Gold, Span
from . import brat, i2b2, presidio, review
from .presidio import LABELS
from .roles import preset

if TYPE_CHECKING:
    from ..core.values import JsonObject, JsonValues

ROLES = {"DIRECT": "direct", "QUASI": "quasi", "NO_MASK": "keep", "KEEP": "keep"}


def gold_of(given: object, texts: Sequence[str], name: str = "default") -> list[Gold]:
    """Gold from spans, from a list of dictionaries for each document, or from a file.

    A dictionary has `start`, `end` (or `stop`) and `label` (Presidio: `entity_type`), and may have
    `id_type` (DIRECT, QUASI or NO_MASK; TAB: `identifier_type`) and `entity_id`. Where no role is
    stated the preset tells the label's.

    >>> gold_of([[{"start": 0, "end": 3, "entity_type": "PERSON"}]], ["Ann has flu"])[0].role
    'direct'
    """
    if isinstance(given, (str, os.PathLike)):
        given = read_path(Path(given), texts)
    if isinstance(given, (bytes, Mapping)) or not isinstance(given, Iterable):
        raise BadInput("expected spans, or a list of dictionaries for each document", where="gold")
    found: list[Gold] = []
    entries = list(given)
    if not all(isinstance(one, Span) for one in entries) and len(entries) != len(texts):
        raise BadInput(
            f"expected {len(texts)} lists, one for each document, found {len(entries)}",
            where="gold",
        )
    for number, one in enumerate(entries):
        found += [one] if isinstance(one, Gold) else _gold(one, number)
    book = preset(name)
    result = []
    for span in found:
        if not 0 <= span.document < len(texts):
            raise BadInput(f"there is no document {span.document}", where="gold")
        text = texts[span.document]
        if not 0 <= span.start < span.stop <= len(text):
            raise BadInput("a span is outside its text", where=f"gold, document {span.document}")
        role = span.role or book.role(span, text[span.start : span.stop])
        result.append(
            Gold(
                *(span.document, span.start, span.stop, span.label, span.score, span.why),
                role=role,
                entity=span.entity,
            )
        )
    return result


def read_path(
    path: Path,
    texts: Sequence[str],
    members: Sequence[PurePath] | None = None,
    place: str | None = None,
) -> object:
    """Gold of a file: records with `spans` or a review file (.jsonl), Presidio's results (.json),
    or a folder of brat or i2b2 annotations (`read_folder`). Messages call it `place`.
    """
    if path.is_dir():
        return read_folder(path, texts, members)
    content, name = content_of(path), place or str(path)
    if path.suffix == ".json":
        return presidio.read(content, name)
    if has_spans(content):
        return read(content, name)
    return review.read(content, list(texts), name)


def read_folder(
    folder: Path, texts: Sequence[str], members: Sequence[PurePath] | None = None
) -> list[Span]:
    """The spans of brat's .ann and i2b2's .xml files of a folder.

    They are called as the documents are (`members`), or by their numbers: `0.ann`, `1.ann`.
    """
    found: list[Span] = []
    seen = 0
    for number, text in enumerate(texts):
        name = PurePath(str(number)) if members is None else members[number]
        annotations, page = ((folder / name).with_suffix(one) for one in (".ann", ".xml"))
        if annotations.is_file():
            found += brat.read(content_of(annotations), number, str(annotations), text)
        elif page.is_file():
            held, spans = i2b2.read(content_of(page), number, str(page))
            if held != text:
                raise BadInput(f"holds another text than document {number}", where=str(page))
            found += spans
        else:
            continue
        seen += 1
    if not seen:
        raise BadInput(
            "no .ann or .xml here belongs to a document",
            where=str(folder),
            remedy="their names are those of the texts, or the documents' numbers: 0.ann, 1.ann",
        )
    return found


def content_of(path: Path) -> bytes:
    """The bytes of a file."""
    try:
        return path.read_bytes()
    except OSError as problem:
        raise BadInput(f"cannot be read ({problem.strerror})", where=str(path)) from None


def has_spans(content: bytes) -> bool:
    """Whether a JSONL file has its spans inside its records.

    >>> has_spans(b'{"text": "Ann", "spans": []}')
    True
    """
    try:
        first = json.loads(content.split(b"\n", 1)[0])
    except ValueError:
        return False
    return isinstance(first, dict) and "spans" in first


def read(content: bytes, place: str) -> list[list[JsonObject]]:
    """The `spans` of every record of a JSONL file.

    >>> read(b'{"text": "Ann", "spans": [{"start": 0, "end": 3, "label": "PERSON"}]}', "a.jsonl")
    [[{'start': 0, 'end': 3, 'label': 'PERSON'}]]
    """
    result = []
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line.decode("utf-8", "surrogatepass"))
            spans = record["spans"]
            if not isinstance(spans, list):
                raise TypeError
        except (ValueError, KeyError, TypeError):
            raise BadInput(
                "expected a record with spans", where=f"{place}, line {number}"
            ) from None
        result.append(spans)
    return result


def _gold(given: object, number: int) -> list[Gold]:
    if isinstance(given, Span):
        return [
            Gold(
                *(given.document, given.start, given.stop, given.label, given.score, given.why),
                role="",
            )
        ]
    if isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
        raise BadInput("expected a list of dictionaries", where=f"gold, document {number}")
    return [_from_dictionary(one, number) for one in given]


def _from_dictionary(one: JsonValues, number: int) -> Gold:
    try:
        label = one["label"] if "label" in one else one["entity_type"]
        stop = one["end"] if "end" in one else one["stop"]
        stated = one.get("id_type", one.get("identifier_type"))
        role = "" if stated is None else ROLES[str(stated).upper()]
        return Gold(
            *(number, int(one["start"]), int(stop), LABELS.get(str(label), str(label))),
            role=role,
            entity=str(one.get("entity_id", "")),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise BadInput(
            "expected start, end, label, and of id_type DIRECT, QUASI or NO_MASK",
            where=f"gold, document {number}",
        ) from None
