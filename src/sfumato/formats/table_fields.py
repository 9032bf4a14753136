"""Tables of CSV and TSV: changed columns written in one way, all other bytes as they were.

A field of a changed column is quoted when its released value needs it. No value and an empty one
are both written as nothing, or as "" where the field is the only one of its record.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sfumato.core.errors import BadInput
from sfumato.formats import csv
from sfumato.formats.source import BOM

if TYPE_CHECKING:
    import polars as pl

_LINE_END = re.compile(rb"\r\n|\r|\n")


def delimiter_in(raw: bytes, kind: str, said: str | None, has_header: bool = True) -> str:
    """The delimiter that is stated, or that the first line tells.

    >>> delimiter_in(b"id;age\\n", "csv", None)
    ';'
    """
    return csv.delimiter_of(raw, _begin(raw), kind, said, has_header).decode()


def _begin(raw: bytes) -> int:
    """Where the first line begins: behind the byte order mark and blank lines."""
    begin = len(BOM) if raw.startswith(BOM) else 0
    return csv._match(rb"[\r\n]*", raw, begin).end()


def fields(
    raw: bytes, place: str, kind: str, delimiter_said: str | None = None, has_header: bool = True
) -> tuple[pl.DataFrame, Any]:
    """The cells of a table, and what gives its bytes with other ones.

    >>> frame, pieces = fields(b'id,age\\n7,"36"\\n8,24\\n', "people.csv", "csv")
    >>> b"".join(pieces({"age": ["[24-36]", "[24-36]"]}, [0, 1], set()))
    b'id,age\\n7,[24-36]\\n8,[24-36]\\n'
    """
    import polars as pl

    begin = _begin(raw)
    delimiter = csv.delimiter_of(raw, begin, kind, delimiter_said, has_header)
    names, body = csv._header(raw, begin, delimiter, place)
    if not has_header:
        names, body = csv.numbered(len(names)), begin
    if len(set(names)) < len(names):
        raise BadInput("two columns have one name", where=place, remedy="rename one")
    record = re.compile(re.escape(delimiter).join([rb"(%b)" % csv._field(delimiter)] * len(names)))
    places = list(_places(raw, body, re.compile(record.pattern + csv._END), len(names), place))
    try:
        columns = {
            name: [csv._value(raw[slice(*one[i])]) for one in places]
            for i, name in enumerate(names)
        }
    except UnicodeDecodeError:
        raise BadInput(
            "a field is not valid UTF-8",
            where=place,
            remedy="name the file's encoding (--encoding latin-1 or cp1252)",
        ) from None
    frame = pl.DataFrame(columns, schema=dict.fromkeys(names, pl.String))
    special = re.compile(rb'["\r\n%b]' % re.escape(delimiter))

    def pieces(
        changed: Mapping[str, Iterable[object]], rows: Sequence[int], dropped: set[str]
    ) -> Iterator[bytes]:
        if not changed and not dropped and list(rows) == list(range(len(places))):
            yield raw
            return
        kept = [i for i, name in enumerate(names) if name not in dropped]
        lone = len(kept) == 1
        header = record.match(raw, begin)
        assert header is not None
        titles = delimiter.join(header[i + 1] for i in kept) + raw[header.end() : body]
        yield raw[:begin] + (titles if has_header else b"")
        usual = _LINE_END.match(raw, header.end())
        new = {i: list(changed[names[i]]) for i in kept if names[i] in changed}
        last = places[-1] if places else None
        for at, row in enumerate(rows):
            one = places[row]
            cells = [
                _cell(new[i][at], special, lone) if i in new else raw[slice(*one[i])] for i in kept
            ]
            if lone and not cells[0]:
                cells = [b'""']  # a blank line would be no record
            # One line end for all: its own would tell a record apart. The last may have none.
            ends = at + 1 < len(rows) or (last is not None and last[-2][1] < last[-1][1])
            yield delimiter.join(cells) + (usual[0] if ends and usual is not None else b"")

    return frame, pieces


def _places(
    raw: bytes, body: int, record: re.Pattern[bytes], width: int, place: str
) -> Iterator[list[tuple[int, int]]]:
    """Of each record: the places of its fields, and of itself with its line ends."""
    position, number = body, 0
    while position < len(raw):
        found = record.match(raw, position)
        number += 1
        if found is None:
            raise BadInput(
                f"expected {width} fields as in the header, each quote closed",
                where=f"{place}, record {number} (line {csv._line(raw, position)})",
                remedy="repair the record; a field with the separator or a line end needs quotes",
            )
        yield [*(found.span(i + 1) for i in range(width)), found.span()]
        position = found.end()


def _cell(value: object, special: re.Pattern[bytes], lone: bool) -> bytes:
    return csv._render("" if value is None else str(value), special, lone)
