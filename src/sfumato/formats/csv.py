"""CSV and TSV (RFC 4180), scanned as bytes so that all but the text field stays as it was.

A field is quoted when its first byte is a quote; any other field is taken literally, quotes
included. Records end with CRLF, LF or CR; blank lines are kept and are no records. The first
record is the header. Without a comma but with semicolons in the header, `;` separates.
"""

from __future__ import annotations

import re
from array import array
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from sfumato.core.errors import BadInput
from sfumato.formats.source import (
    BOM,
    Source,
    require_column,
    require_groups,
    require_text_column,
    splice,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_QUOTED = rb'"[^"]*+(?:""[^"]*+)*+"'
_END = rb"(?:[\r\n]++|\Z)"


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "csv",
    text_column: str | None = None,
    group_column: str | None = None,
) -> Source:
    """The documents of a CSV or TSV file: one per record, the text column's values.

    Cost: O(bytes), one regular expression match per record.
    >>> source = read(b'id,note\\r\\n7,"calm, ""well"" today"\\r\\n', "n.csv", text_column="note")
    >>> source.texts
    ['calm, "well" today']
    >>> b"".join(source.pieces(["★"]))
    b'id,note\\r\\n7,"\\xe2\\x98\\x85"\\r\\n'
    """
    begin = len(BOM) if raw.startswith(BOM) else 0
    begin = _match(rb"[\r\n]*", raw, begin).end()
    delimiter = b"\t" if format == "tsv" else _sniffed_delimiter(raw, begin)
    header, body = _header(raw, begin, delimiter, place)
    text_column = require_text_column(place, header, text_column)
    width = len(header)

    records = array("q")
    line_of = partial(_line, raw)

    def where(i: int) -> str:
        return f"{place}, record {i + 1} (line {line_of(records[i])})"

    def values(name: str) -> tuple[array[int], array[int], list[str | None]]:
        require_column(place, header, name)
        starts, stops = _spans(raw, body, delimiter, width, header.index(name), place, records)
        return starts, stops, _decoded(raw, starts, stops, where)

    starts, stops, texts = values(text_column)
    groups = None if group_column is None else require_groups(values(group_column)[2], where)
    render = partial(_render, special=re.compile(rb'["\r\n%b]' % delimiter), lone=width == 1)
    return Source(
        place=place,
        format=format,
        texts=texts,
        groups=groups,
        columns=tuple(header),
        column=lambda name: values(name)[2],
        where=where,
        pieces=lambda new: splice(raw, starts, stops, texts, new, render, where),
    )


def _match(pattern: bytes, raw: bytes, position: int) -> re.Match[bytes]:
    found = re.compile(pattern).match(raw, position)
    assert found is not None
    return found


def _field(delimiter: bytes) -> bytes:
    return rb'(?:%b|(?!")[^%b\r\n]*+)' % (_QUOTED, delimiter)


def _sniffed_delimiter(raw: bytes, begin: int) -> bytes:
    line = re.sub(rb'"[^"]*"', b"", _match(rb"[^\r\n]*", raw, begin)[0])
    return b";" if b";" in line and b"," not in line else b","


def _line(raw: bytes, position: int) -> int:
    ends = [raw.count(end, 0, position) for end in (b"\n", b"\r", b"\r\n")]
    return 1 + ends[0] + ends[1] - ends[2]


def _header(raw: bytes, begin: int, delimiter: bytes, place: str) -> tuple[list[str], int]:
    """The column names and where the records begin."""
    field = re.compile(rb"(%b)(%b|%b)" % (_field(delimiter), delimiter, _END))
    names, position = [], begin
    while True:
        found = field.match(raw, position)
        where = f"{place}, header (line {_line(raw, position)})"
        if found is None:
            _refuse_quotes(raw, position, where)
        try:
            names.append(_value(found[1]))
        except UnicodeDecodeError:
            raise _undecodable(where) from None
        position = found.end()
        if found[2] != delimiter:
            return names, position


def _spans(
    raw: bytes,
    body: int,
    delimiter: bytes,
    width: int,
    column: int,
    place: str,
    records: array[int],
) -> tuple[array[int], array[int]]:
    """Where the column's fields start and stop; `records` is filled with the records' starts."""
    field, after = _field(delimiter), width - column - 1
    pattern = rb"(?:%b%b){%d}(%b)(?:%b%b){%d}%b" % (
        *(field, delimiter, column, field),
        *(delimiter, field, after, _END),
    )
    match, end = re.compile(pattern).match, len(raw)
    starts, stops, known = array("q"), array("q"), len(records)
    position = body
    while position < end:
        found = match(raw, position)
        if found is None:
            _refuse_record(raw, position, field, delimiter, width, place, len(starts) + 1)
        if not known:
            records.append(position)
        starts.append(found.start(1))
        stops.append(found.end(1))
        position = found.end()
    return starts, stops


def _value(field: bytes) -> str:
    if field[:1] == b'"':
        return field[1:-1].replace(b'""', b'"').decode()
    return field.decode()


def _decoded(
    raw: bytes, starts: Sequence[int], stops: Sequence[int], where: Callable[[int], str]
) -> list[str | None]:
    values: list[str | None] = []
    try:
        for start, stop in zip(starts, stops, strict=True):
            values.append(_value(raw[start:stop]))
    except UnicodeDecodeError:
        raise _undecodable(where(len(values))) from None
    return values


def _render(old: bytes, text: str, special: re.Pattern[bytes], lone: bool) -> bytes:
    """The new field: quoted when the old one was, or when it must be.

    The only field of a record must not become a blank line, which would be no record.
    """
    new = text.encode()
    if old[:1] == b'"' or special.search(new) or (lone and not new):
        return b'"' + new.replace(b'"', b'""') + b'"'
    return new


def _undecodable(where: str) -> BadInput:
    return BadInput(
        "a byte here is not valid UTF-8",
        where=where,
        remedy="name the file's encoding (latin-1, say), or repair the record",
    )


def _refuse_quotes(raw: bytes, position: int, where: str) -> NoReturn:
    """Say what is wrong with the quoted field at this position."""
    if re.compile(_QUOTED).match(raw, position) is None:
        problem = "a quoted field begins here and its closing quote is missing"
    else:
        problem = "a quoted field is followed by more text before the next separator"
    remedy = 'close the quote; a quote inside a quoted field is written ""'
    raise BadInput(problem, where=where, remedy=remedy)


def _refuse_record(
    raw: bytes, position: int, field: bytes, delimiter: bytes, width: int, place: str, record: int
) -> NoReturn:
    """Find out why the record at this position is not one of `width` fields."""
    where = f"{place}, record {record} (line {_line(raw, position)})"
    step = re.compile(rb"%b(%b|%b)" % (field, delimiter, _END))
    fields = 0
    while True:
        found = step.match(raw, position)
        if found is None:
            where = f"{place}, record {record} (line {_line(raw, position)}, field {fields + 1})"
            _refuse_quotes(raw, position, where)
        fields, position = fields + 1, found.end()
        if found[1] != delimiter:
            break
    raise BadInput(
        f"expected {width} fields as in the header, found {fields}",
        where=where,
        remedy="repair the record; a field that holds the separator or a line end needs quotes",
    )
