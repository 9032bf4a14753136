"""Presidio's results in and out: the same places under its names for entities."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..core.errors import BadInput, NotInstalled
from ..core.spans import Span

if TYPE_CHECKING:
    from ..core.values import JsonObject

# Our label -> Presidio's entity type; others keep their names.
ENTITIES = {
    "EMAIL": "EMAIL_ADDRESS",
    "PHONE": "PHONE_NUMBER",
    "IP": "IP_ADDRESS",
    "IBAN": "IBAN_CODE",
    "SSN": "US_SSN",
    "DATE": "DATE_TIME",
    "ORG": "ORGANIZATION",
    "LICENSE": "MEDICAL_LICENSE",
}
LABELS = {entity: label for label, entity in ENTITIES.items()}


def from_presidio(results: Any) -> list[Span]:
    """Spans from Presidio's `RecognizerResult` objects or their dictionaries, a list a document.

    >>> from_presidio([[{"entity_type": "EMAIL_ADDRESS", "start": 0, "end": 5, "score": 0.5}]])
    [Span(document=0, start=0, stop=5, label='EMAIL', score=0.5, why='presidio')]
    """
    found = []
    for document, entries in enumerate(results):
        if not isinstance(entries, Sequence) or isinstance(entries, str):
            raise BadInput("expected a list of results for each document", where="recognizer")
        for entry in entries:
            values = entry if isinstance(entry, Mapping) else getattr(entry, "__dict__", {})
            try:
                entity, start, stop = values["entity_type"], values["start"], values["end"]
                score = float(values.get("score", 1.0))
                label = LABELS.get(str(entity), str(entity))
                found.append(Span(document, int(start), int(stop), label, score, "presidio"))
            except (KeyError, TypeError, ValueError):
                raise BadInput(
                    "a result lacks entity_type, start or end", where=f"document {document}"
                ) from None
    return found


def as_dictionaries(spans: Sequence[Span], documents: int) -> list[list[JsonObject]]:
    """Spans as Presidio's JSON: for each document a list of dictionaries.

    >>> as_dictionaries([Span(0, 0, 5, "EMAIL", 0.5)], 1)
    [[{'entity_type': 'EMAIL_ADDRESS', 'start': 0, 'end': 5, 'score': 0.5}]]
    """
    result: list[list[dict[str, object]]] = [[] for _ in range(documents)]
    for span in spans:
        entity = ENTITIES.get(span.label, span.label)
        result[span.document].append(
            {"entity_type": entity, "start": span.start, "end": span.stop, "score": span.score}
        )
    return result


def to_presidio(spans: Sequence[Span], documents: int) -> list[list[Any]]:
    """Spans as Presidio's own `RecognizerResult`, for its anonymizer; it must be installed."""
    try:
        from presidio_analyzer import RecognizerResult
    except ImportError:
        raise NotInstalled(
            "Presidio is not installed", where="presidio-analyzer", remedy="pip install it"
        ) from None
    return [
        [RecognizerResult(**entry) for entry in entries]
        for entries in as_dictionaries(spans, documents)
    ]


def read(content: bytes, place: str, documents: int | None = None) -> list[Span]:
    """Spans from Presidio JSON: a list of results for each document, or one such list.

    Another number of lists than of `documents` is refused.

    >>> [span.label for span in read(b'[{"entity_type": "PERSON", "start": 0, "end": 3}]', "p")]
    ['PERSON']
    """
    try:
        stated = json.loads(content)
    except ValueError:
        raise BadInput("is not valid JSON", where=place) from None
    if not isinstance(stated, list):
        raise BadInput("expected a list of results for each document", where=place)
    one_document = isinstance(stated[0], dict) if stated else documents == 1
    lists = [stated] if one_document else stated
    if documents is not None and len(lists) != documents:
        raise BadInput(
            f"expected {documents} lists, one for each document, found {len(lists)}",
            where=place,
            remedy="give the results of these documents",
        )
    return from_presidio(lists)


def write(spans: Sequence[Span], documents: int) -> bytes:
    """Spans as Presidio JSON.

    >>> write([], 1)
    b'[[]]\\n'
    """
    return json.dumps(as_dictionaries(spans, documents)).encode() + b"\n"
