"""FASTA: a line that begins with > opens a record, the lines below it are its sequence.

Headers and line ends stay as they are; a changed sequence is wrapped at the width of its record's
first line.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.formats.source import Source, splice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.formats.source import Piece, Texts

_RECORD = re.compile(rb"^>[^\n]*(?:\n|\Z)", re.MULTILINE)


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "fasta",
    text_column: str | None = None,
    group_column: str | None = None,
) -> Source:
    """The sequences of a FASTA file, one document a record.

    >>> source = read(b">one\\nACGT\\nAC\\n>two\\nTT\\n", "genes.fa")
    >>> source.texts, b"".join(source.pieces(["ACGTTTACG", None]))
    (['ACGTAC', 'TT'], b'>one\\nACGT\\nTTAC\\nG\\n>two\\nTT\\n')
    """
    if text_column is not None or group_column is not None:
        raise BadInput("FASTA has no columns", where=place, remedy="leave the columns out")
    headers = list(_RECORD.finditer(raw))
    if raw[: headers[0].start() if headers else len(raw)].strip():
        raise BadInput(
            "no header stands before the first sequence",
            where=f"{place}, line 1",
            remedy="begin every record with a line that starts with >",
        )
    starts = [header.end() for header in headers]
    stops = [header.start() for header in headers[1:]] + [len(raw)] * bool(headers)
    texts: list[str | None] = [
        b"".join(raw[a:b].split()).decode("utf-8") for a, b in zip(starts, stops, strict=True)
    ]

    def where(i: int) -> str:
        before = raw.count(b"\n", 0, starts[i])
        return f"{place}, line {before + 1}"

    def pieces(new: Texts) -> Iterator[Piece]:
        return splice(raw, starts, stops, texts, new, _render, where)

    return Source(place, format, texts, None, (), partial(_no_column, place), where, pieces)


def _render(old: bytes, text: str) -> bytes:
    end = b"\r\n" if b"\r\n" in old else b"\n"
    width = len(old.split(b"\n", 1)[0].rstrip()) or len(text) or 1
    lines = [text[i : i + width] for i in range(0, len(text), width)]
    tail = end if old.endswith(b"\n") or not old else b""
    return end.join(line.encode("utf-8") for line in lines) + (tail if lines else b"")


def _no_column(place: str, name: str) -> list[str | None]:
    raise BadInput("FASTA has no columns", where=place, remedy="leave the column out")
