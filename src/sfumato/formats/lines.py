"""Lines: a plain text file with one document a line; line ends stay as they are.

A blank line is an empty document, so that documents and lines have the same numbers. What follows
the last line end is a document unless it is empty.
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

_LINE = re.compile(rb"([^\r\n]*)(?:\r\n|\n|\r|\Z)")
_LINE_END = re.compile("[\r\n]")


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "lines",
    text_column: Columns = None,
    group_column: str | None = None,
) -> Source:
    """The documents of a file with one a line.

    >>> source = read(b"calm\\r\\nwell", "notes.txt")
    >>> source.texts, b"".join(source.pieces(["c*lm", None]))
    (['calm', 'well'], b'c*lm\\r\\nwell')
    """
    _refuse_columns(place, text_column, group_column)
    return _part(raw, place, format, 0)


def parts(
    blocks: Iterable[bytes],
    place: str,
    *,
    format: str = "lines",
    text_column: Columns = None,
    group_column: str | None = None,
) -> Iterator[Source]:
    """The documents of a file with one a line, some lines at a time.

    >>> [part.texts for part in parts([b"calm\\nwe", b"ll\\n"], "notes.txt")]
    [['calm'], ['well']]
    """
    _refuse_columns(place, text_column, group_column)
    lines = 0
    # A file whose lines end with CR alone is one block; LF or CRLF end all others.
    for raw in cut(blocks, lambda raw: raw.rfind(b"\n") + 1):
        part = _part(raw, place, format, lines)
        lines += len(part.texts)
        yield part


def _part(raw: bytes, place: str, format: str, lines: int) -> Source:
    begin = len(BOM) if not lines and raw.startswith(BOM) else 0
    starts, stops = list[int](), list[int]()
    while begin < len(raw):
        found = _LINE.match(raw, begin)
        assert found is not None
        starts.append(begin)
        stops.append(found.end(1))
        begin = found.end()

    def where(i: int) -> str:
        return f"{place}, line {lines + i + 1}"

    texts: list[str | None] = []
    for start, stop in zip(starts, stops, strict=True):
        try:
            texts.append(raw[start:stop].decode())
        except UnicodeDecodeError:
            raise BadInput(
                "a byte here is not valid UTF-8",
                where=where(len(texts)),
                remedy="name the file's encoding (--encoding latin-1 or cp1252)",
            ) from None

    def pieces(new: Texts) -> Iterator[Piece]:
        for i, text in enumerate(new):
            if text is not None and text != texts[i] and _LINE_END.search(text):
                remedy = "release the file as JSON lines"
                raise BadInput("the new text has a line end", where=where(i), remedy=remedy)
        return splice(raw, starts, stops, texts, new, str.encode, where)

    return Source(place, format, texts, None, (), partial(_no_column, place), where, pieces)


def _refuse_columns(place: str, text_column: Columns, group_column: str | None) -> None:
    if text_column or group_column is not None:
        remedy = "name no column"
        raise BadInput("a file of lines has no columns", where=place, remedy=remedy)


def _no_column(place: str, name: str) -> list[str | None]:
    raise BadInput("a file of lines has no columns", where=place)
