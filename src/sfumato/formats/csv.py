"""CSV and TSV (RFC 4180), scanned as bytes so that all but the text column stays as it was.

Every field of the text column is written in one way: quoted when its new text needs it (a
separator, a quote, a line end), whether the old field was quoted or not.

A field is quoted when its first byte is a quote; any other field is taken literally, quotes
included. Records end with CRLF, LF or CR; blank lines are kept and are no records. The first
record is the header. The first of comma, semicolon, bar and tab that the header has separates.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from sfumato.core.errors import BadInput
from sfumato.formats.chunks import cut
from sfumato.formats.source import (
    BOM,
    Source,
    names_of,
    require_column,
    require_groups,
    require_text_column,
    splice,
)

from ..core.printed_form import by_sizes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sfumato.formats.source import Columns

_QUOTED = rb'"[^"]*+(?:""[^"]*+)*+"'
_END = rb"(?:[\r\n]++|\Z)"


@dataclass(slots=True)
class _Table:
    """What the header says, and how many lines and records came before."""

    place: str
    format: str
    delimiter: bytes
    header: list[str]
    texts: tuple[str, ...]
    group: str | None
    lines: int = 0
    records: int = 0

    __repr__ = by_sizes

    @property
    def many(self) -> bool:
        """Whether a record has several documents, which then belong together."""
        return len(self.texts) > 1


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "csv",
    text_column: Columns = None,
    group_column: str | None = None,
    delimiter: str | None = None,
    has_header: bool = True,
) -> Source:
    """The documents of a CSV or TSV file: one per record, the text column's values.

    Of several text columns each record has several documents, which belong together: without a
    group column the record is their group.

    Cost: O(bytes), one regular expression match per record.
    >>> source = read(b'id,note\\r\\n7,"calm, ""well"" today"\\r\\n', "n.csv", text_column="note")
    >>> source.texts
    ['calm, "well" today']
    >>> b"".join(source.pieces(["★"]))
    b'id,note\\r\\n7,\\xe2\\x98\\x85\\r\\n'
    """
    table, body = _table(raw, place, format, text_column, group_column, delimiter, has_header)
    return _part(raw, body, table)


def parts(
    blocks: Iterable[bytes],
    place: str,
    *,
    format: str = "csv",
    text_column: Columns = None,
    group_column: str | None = None,
    delimiter: str | None = None,
    has_header: bool = True,
) -> Iterator[Source]:
    """The documents of a CSV or TSV file, some records at a time.

    >>> [part.texts for part in parts([b"t\\na\\nb", b"c\\nd"], "n.csv", text_column="t")]
    [['a'], ['bc'], ['d']]
    """
    table: _Table | None = None
    body = 0

    def whole(raw: bytes) -> int:
        nonlocal table, body
        if table is None:
            if not _has_header(raw):
                return 0
            table, body = _table(
                raw, place, format, text_column, group_column, delimiter, has_header
            )
        return _last_end(raw, body, table)

    # The last records are held back: another block may go on where this one ends.
    for raw in cut(blocks, whole):
        if table is None:
            table, body = _table(
                raw, place, format, text_column, group_column, delimiter, has_header
            )
        yield _part(raw, body, table)
        body = 0


def _table(
    raw: bytes,
    place: str,
    format: str,
    text_column: Columns,
    group_column: str | None,
    stated: str | None,
    has_header: bool,
) -> tuple[_Table, int]:
    """The header's table, and where the records begin."""
    begin = len(BOM) if raw.startswith(BOM) else 0
    begin = _match(rb"[\r\n]*", raw, begin).end()
    delimiter = delimiter_of(raw, begin, format, stated, has_header)
    header, body = _header(raw, begin, delimiter, place)
    if not has_header:
        header, body = numbered(len(header)), begin
    texts = names_of(text_column) or (require_text_column(place, header, None),)
    for name in (*texts, *([] if group_column is None else [group_column])):
        require_column(place, header, name)
    return _Table(place, format, delimiter, header, texts, group_column), body


def _has_header(raw: bytes) -> bool:
    """Whether the first record that is not blank ends before the bytes do."""
    found = re.compile(rb"(?:\xef\xbb\xbf)?+[\r\n]*+(?:[^\"\r\n]|%b)++[\r\n]++(?!\Z)" % _QUOTED)
    return found.match(raw) is not None


def _last_end(raw: bytes, body: int, table: _Table) -> int:
    """Where the last record ends that no further bytes can change."""
    field = _field(table.delimiter)
    fields = rb"%b(?:%b%b)*+[\r\n]++(?!\Z)" % (field, re.escape(table.delimiter), field)
    match, position = re.compile(fields).match, body
    while found := match(raw, position):
        position = found.end()
    return position if position > body else 0


def _part(raw: bytes, body: int, table: _Table) -> Source:
    """The documents of some records; `table` is carried on."""
    place, header, many = table.place, table.header, table.many
    lines, first = table.lines, table.records
    records, width = array("q"), len(header)

    def record(i: int) -> str:
        line = lines + _line(raw, records[i])
        return f"{place}, record {first + i + 1} (line {line})"

    def where(i: int) -> str:
        return record(i // len(table.texts))

    def spans(names: Sequence[str]) -> tuple[array[int], array[int]]:
        columns = [header.index(name) for name in names]
        return _spans(raw, body, table, columns, records)

    def values(name: str) -> list[str | None]:
        require_column(place, header, name)
        found = _decoded(raw, *spans([name]), record)
        return [value for value in found for _ in table.texts]

    starts, stops = spans(sorted(table.texts, key=header.index))
    texts = _decoded(raw, starts, stops, where)
    table.records += len(records)
    table.lines += _line(raw, len(raw)) - 1
    groups: list[str] | None = None
    if table.group is not None:
        groups = require_groups(values(table.group), where)
    elif many:
        groups = [str(first + i + 1) for i in range(len(records)) for _ in table.texts]
    special = re.compile(rb'["\r\n%b]' % re.escape(table.delimiter))
    render = partial(_render, special=special, lone=width == 1)
    return Source(
        place=place,
        format=table.format,
        texts=texts,
        groups=groups,
        columns=tuple(header),
        column=values,
        where=where,
        pieces=lambda new: splice(raw, starts, stops, texts, new, render, where),
    )


def _match(pattern: bytes, raw: bytes, position: int) -> re.Match[bytes]:
    found = re.compile(pattern).match(raw, position)
    assert found is not None
    return found


def _field(delimiter: bytes) -> bytes:
    return rb'(?:%b|(?!")[^%b\r\n]*+)' % (_QUOTED, re.escape(delimiter))


def delimiter_of(
    raw: bytes, begin: int, format: str, stated: str | None = None, has_header: bool = True
) -> bytes:
    """The delimiter that is stated, else that of TSV, else the first of , ; | tab in the header.

    >>> delimiter_of(b"a|b", 0, "csv"), delimiter_of(b"a|b,c", 0, "csv", "|")
    (b'|', b'|')

    A record that is no header may have commas in its texts: several candidates are refused there.
    """
    if stated is not None or format == "tsv":
        return (stated or "\t").encode()
    line = re.sub(rb'"[^"]*"', b"", _match(rb"[^\r\n]*", raw, begin)[0])
    found = [one for one in (b",", b";", b"|", b"\t") if one in line]
    if len(found) > 1 and not has_header:
        problem = "without a header nothing tells which of several characters separates fields"
        raise BadInput(problem, where="delimiter", remedy="state it (--delimiter ';', csv:;)")
    return found[0] if found else b","


def numbered(count: int) -> list[str]:
    """The names of columns that have none.

    >>> numbered(2)
    ['column_1', 'column_2']
    """
    return [f"column_{i + 1}" for i in range(count)]


def _line(raw: bytes, position: int) -> int:
    ends = [raw.count(end, 0, position) for end in (b"\n", b"\r", b"\r\n")]
    return 1 + ends[0] + ends[1] - ends[2]


def _header(raw: bytes, begin: int, delimiter: bytes, place: str) -> tuple[list[str], int]:
    """The column names and where the records begin."""
    field = re.compile(rb"(%b)(%b|%b)" % (_field(delimiter), re.escape(delimiter), _END))
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
    raw: bytes, body: int, table: _Table, columns: Sequence[int], records: array[int]
) -> tuple[array[int], array[int]]:
    """Where the columns' fields start and stop; `records` is filled with the records' starts."""
    field, delimiter = _field(table.delimiter), re.escape(table.delimiter)
    fields = [b"(%b)" % field if i in columns else field for i in range(len(table.header))]
    match, end = re.compile(delimiter.join(fields) + _END).match, len(raw)
    starts, stops, known = array("q"), array("q"), len(records)
    groups, position, number = range(1, len(columns) + 1), body, 0
    while position < end:
        found = match(raw, position)
        number += 1
        if found is None:
            _refuse_record(raw, position, table, number)
        if not known:
            records.append(position)
        for group in groups:
            starts.append(found.start(group))
            stops.append(found.end(group))
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


def _render(text: str, special: re.Pattern[bytes], lone: bool) -> bytes:
    """The field of a text: quoted when it must be.

    The only field of a record must not become a blank line, which would be no record.
    """
    new = text.encode()
    if special.search(new) or (lone and not new):
        return b'"' + new.replace(b'"', b'""') + b'"'
    return new


def _undecodable(where: str) -> BadInput:
    return BadInput(
        "a byte here is not valid UTF-8",
        where=where,
        remedy="name the file's encoding (--encoding latin-1 or cp1252), or repair the record",
    )


def _refuse_quotes(raw: bytes, position: int, where: str) -> NoReturn:
    """Say what is wrong with the quoted field at this position."""
    if re.compile(_QUOTED).match(raw, position) is None:
        problem = "a quoted field begins here and its closing quote is missing"
    else:
        problem = "a quoted field is followed by more text before the next separator"
    remedy = 'close the quote; a quote inside a quoted field is written ""'
    raise BadInput(problem, where=where, remedy=remedy)


def _refuse_record(raw: bytes, position: int, table: _Table, record: int) -> NoReturn:
    """Find out why the record at this position is not one of as many fields as the header's."""
    number, width = table.records + record, len(table.header)
    line = table.lines + _line(raw, position)
    between = re.escape(table.delimiter)
    step = re.compile(rb"%b(%b|%b)" % (_field(table.delimiter), between, _END))
    fields = 0
    while True:
        found = step.match(raw, position)
        if found is None:
            line = table.lines + _line(raw, position)
            where = f"{table.place}, record {number} (line {line}, field {fields + 1})"
            _refuse_quotes(raw, position, where)
        fields, position = fields + 1, found.end()
        if found[1] != table.delimiter:
            break
    raise BadInput(
        f"expected {width} fields as in the header, found {fields}",
        where=f"{table.place}, record {number} (line {line})",
        remedy="repair the record; a field that holds the separator or a line end needs quotes",
    )
