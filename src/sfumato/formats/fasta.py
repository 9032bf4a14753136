"""FASTA: a line that begins with > opens a record, the lines below it are its sequence.

Headers and line ends stay as they are; a changed sequence is wrapped at the width of its record's
first line.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.formats.chunks import cut
from sfumato.formats.source import BOM, Source, splice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sfumato.formats.source import Columns, Piece, Texts

_RECORD = re.compile(rb"(?:^|(?<=\A\xef\xbb\xbf))>[^\n]*(?:\n|\Z)", re.MULTILINE)


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "fasta",
    text_column: Columns = None,
    group_column: str | None = None,
) -> Source:
    """The sequences of a FASTA file, one document a record.

    >>> source = read(b">one\\nACGT\\nAC\\n>two\\nTT\\n", "genes.fa")
    >>> source.texts, b"".join(source.pieces(["ACGTTTACG", None]))
    (['ACGTAC', 'TT'], b'>one\\nACGT\\nTTAC\\nG\\n>two\\nTT\\n')
    """
    _refuse_columns(place, text_column, group_column)
    return _part(raw, place, format, 0)


def parts(
    blocks: Iterable[bytes],
    place: str,
    *,
    format: str = "fasta",
    text_column: Columns = None,
    group_column: str | None = None,
) -> Iterator[Source]:
    """The sequences of a FASTA file, some records at a time.

    >>> [part.texts for part in parts([b">a\\nAC\\n>b\\nG", b"T\\n"], "genes.fa")]
    [['AC'], ['GT']]
    """
    _refuse_columns(place, text_column, group_column)
    lines = 0
    for raw in cut(blocks, lambda raw: raw.rfind(b"\n>") + 1):
        yield _part(raw, place, format, lines)
        lines += raw.count(b"\n")


def _part(raw: bytes, place: str, format: str, lines: int) -> Source:
    headers = list(_RECORD.finditer(raw))
    begin = len(BOM) if not lines and raw.startswith(BOM) else 0
    if raw[begin : headers[0].start() if headers else len(raw)].strip():
        raise BadInput(
            "no header stands before the first sequence",
            where=f"{place}, line {lines + 1}",
            remedy="begin every record with a line that starts with >",
        )
    starts = [header.end() for header in headers]
    stops = [header.start() for header in headers[1:]] + [len(raw)] * bool(headers)

    def where(i: int) -> str:
        before = raw.count(b"\n", 0, starts[i])
        return f"{place}, line {lines + before + 1}"

    texts: list[str | None] = []
    for a, b in zip(starts, stops, strict=True):
        try:
            texts.append(b"".join(raw[a:b].split()).decode("utf-8"))
        except UnicodeDecodeError:
            remedy = "repair the sequence"
            raise BadInput("not valid UTF-8", where=where(len(texts)), remedy=remedy) from None

    def pieces(new: Texts) -> Iterator[Piece]:
        return splice(raw, starts, stops, texts, new, _render, where)

    return Source(place, format, texts, None, (), partial(_no_column, place), where, pieces)


def _render(old: bytes, text: str) -> bytes:
    end = b"\r\n" if b"\r\n" in old else b"\n"
    width = len(old.split(b"\n", 1)[0].rstrip()) or len(text) or 1
    lines = [text[i : i + width] for i in range(0, len(text), width)]
    tail = end if old.endswith(b"\n") or not old else b""
    return end.join(line.encode("utf-8") for line in lines) + (tail if lines else b"")


def _refuse_columns(place: str, text_column: Columns, group_column: str | None) -> None:
    if text_column or group_column is not None:
        raise BadInput("FASTA has no columns", where=place, remedy="leave the columns out")


def _no_column(place: str, name: str) -> list[str | None]:
    raise BadInput("FASTA has no columns", where=place, remedy="leave the column out")
