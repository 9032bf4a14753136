"""FASTA: a line that begins with > opens a record, the lines below it are its sequence.

Headers stay as they are. Every sequence is written in one way, changed or not: with the line ends
of the first header, wrapped at the width of the first sequence if that one has several lines. The
width of each record's own lines would tell how long its sequence was.
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

_FIRST = re.compile(rb"(?:\xef\xbb\xbf)?\s*>[^\r\n]*(\r?\n|\Z)(?:([^\s>]+)[^\S\n]*(\n[^\s>])?)?")
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
    return _part(raw, place, format, 0, _form(raw))


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
    lines, form = 0, None
    for raw in cut(blocks, lambda raw: raw.rfind(b"\n>") + 1):
        form = form or _form(raw)
        yield _part(raw, place, format, lines, form)
        lines += raw.count(b"\n")


def _form(raw: bytes) -> tuple[bytes, int]:
    """The line end and the width of the first record: 0 where its sequence is one line."""
    found = _FIRST.match(raw)
    if found is None:
        return b"\n", 0
    return found[1] or b"\n", len(found[2]) if found[3] else 0


def _part(raw: bytes, place: str, format: str, lines: int, form: tuple[bytes, int]) -> Source:
    headers = list(_RECORD.finditer(raw))
    begin = len(BOM) if not lines and raw.startswith(BOM) else 0
    if raw[begin : headers[0].start() if headers else len(raw)].strip():
        raise BadInput(
            "no header stands before the first sequence",
            where=f"{place}, line {lines + 1}",
            remedy="begin every record with a line that starts with >",
        )
    starts = [header.end() for header in headers]
    ends = [header.start() for header in headers[1:]] + [len(raw)] * bool(headers)
    stops = [_stop(raw, a, b) for a, b in zip(starts, ends, strict=True)]

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
        render = partial(_render, end=form[0], width=form[1])
        last, several = len(texts) - 1, {}
        if texts and texts[last] and not raw[: stops[last]].endswith(b"\n"):
            # The file ends without a line end, and so does its release.
            several[last] = lambda text: [
                (starts[last], stops[last], render(text).removesuffix(form[0]))
            ]
        return splice(raw, starts, stops, texts, new, render, where, several)

    return Source(place, format, texts, None, (), partial(_no_column, place), where, pieces)


def _stop(raw: bytes, start: int, end: int) -> int:
    """Where the sequence between these places ends, with its last line end; blank lines follow."""
    content = raw[start:end].rstrip()
    if not content:
        return start
    line = raw.find(b"\n", start + len(content), end)
    return end if line < 0 else line + 1


def _render(text: str, end: bytes, width: int) -> bytes:
    width = width or len(text) or 1
    lines = [text[i : i + width].encode() for i in range(0, len(text), width)]
    return b"".join(line + end for line in lines)


def _refuse_columns(place: str, text_column: Columns, group_column: str | None) -> None:
    if text_column or group_column is not None:
        raise BadInput("FASTA has no columns", where=place, remedy="leave the columns out")


def _no_column(place: str, name: str) -> list[str | None]:
    raise BadInput("FASTA has no columns", where=place, remedy="leave the column out")
