"""Where a document's sentences and paragraphs begin and end."""

from __future__ import annotations

import itertools
import re
from typing import Literal

Segment = Literal["document", "paragraph", "sentence"]

PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")
# A full stop ends a sentence when a capital, a digit or a quotation follows it.
SENTENCE = re.compile(r"[.!?]+[\"'’”)\]]*\s+(?=[\"'‘“(\[]*[A-Z0-9])|\n\s*\n\s*")


def segments(text: str, unit: Segment) -> list[tuple[int, int]]:
    """The segments of a text as offsets, in order; together they are the whole text.

    >>> segments("One. Two three. Four", "sentence")
    [(0, 5), (5, 16), (16, 20)]
    >>> segments("One.", "document")
    [(0, 4)]
    """
    if unit == "document":
        return [(0, len(text))]
    pattern = PARAGRAPH if unit == "paragraph" else SENTENCE
    cuts = [0, *(match.end() for match in pattern.finditer(text)), len(text)]
    return [(start, stop) for start, stop in itertools.pairwise(cuts) if start < stop]
