"""Tables with many changed columns: every byte outside the changed fields stays as it was.

    table = read_table("people.csv")
    pieces = table.pieces({"age": ["[24-36]", ..]}, rows, dropped={"name"})

Cells of CSV and TSV are strings; of JSON lines the strings, the JSON of numbers, and lists.
"""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.core.errors import BadInput
from sfumato.formats import csv, jsonl
from sfumato.formats.json_places import _render as json_string
from sfumato.formats.packed import codec_name, require_text, split_name, to_utf8, unpack
from sfumato.formats.paths import JSON
from sfumato.formats.source import BOM

if TYPE_CHECKING:
    import polars as pl

Cells = Sequence[Any]
SUFFIXES = {"csv": "csv", "tsv": "tsv", "jsonl": "jsonl", "ndjson": "jsonl", "parquet": "parquet"}


@dataclass(frozen=True, repr=False, eq=False)
class Table:
    """A table of a file: its cells, and its bytes with other cells, fewer rows or columns."""

    place: str
    format: str
    frame: pl.DataFrame
    pieces: Callable[[Mapping[str, Cells], Sequence[int], set[str]], Iterator[bytes]]
    path: Path | None = None
    encoding: str = "utf-8"


def read_table(path: str, *, format: str | None = None, encoding: str = "utf-8") -> Table:
    """The table of a CSV, TSV, JSONL or Parquet file, packed or not, or of standard input (`-`).

    Cost: O(bytes); the bytes are kept.
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "people.csv")
    ...     _ = path.write_text('id;age\\n07;"36"\\n')
    ...     table = read_table(str(path))
    >>> b"".join(table.pieces({"age": ["[24-36]"]}, [0], {"id"}))
    b'age\\n"[24-36]"\\n'
    """
    place = "standard input" if path == "-" else path
    suffix, packing = split_name(Path(path).name)
    if format is not None:
        suffix, outer = split_name(format)
        packing = outer or packing
    if suffix not in SUFFIXES:
        raise BadInput(
            "expected a table", where=place, remedy="give a csv, tsv, jsonl or parquet file"
        )
    try:
        content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as problem:
        raise BadInput(f"cannot be read ({problem.strerror})", where=place) from None
    raw = unpack(content, packing, place)
    kind = SUFFIXES[suffix]
    codec = codec_name(encoding)
    if kind != "parquet":
        raw = require_text(to_utf8(raw, codec, place), place, lines=True)
    frame, pieces = {"parquet": _parquet, "jsonl": _json_lines}.get(kind, _fields)(raw, place, kind)
    return Table(place, kind, frame, pieces, None if path == "-" else Path(path), codec)


def _fields(raw: bytes, place: str, kind: str) -> tuple[pl.DataFrame, Any]:
    """CSV and TSV: where every field starts and stops."""
    import polars as pl

    begin = len(BOM) if raw.startswith(BOM) else 0
    begin = csv._match(rb"[\r\n]*", raw, begin).end()
    delimiter = b"\t" if kind == "tsv" else csv._sniffed_delimiter(raw, begin)
    names, body = csv._header(raw, begin, delimiter, place)
    if len(set(names)) < len(names):
        raise BadInput("two columns have one name", where=place, remedy="rename one")
    field = csv._field(delimiter)
    record = re.compile(delimiter.join([rb"(%b)" % field] * len(names)) + csv._END)
    places: list[tuple[int, ...]] = []  # of each record: its fields' borders, and its end
    position = body
    while position < len(raw):
        found = record.match(raw, position)
        if found is None:
            raise BadInput(
                f"expected {len(names)} fields as in the header, each quote closed",
                where=f"{place}, record {len(places) + 1} (line {csv._line(raw, position)})",
                remedy="repair the record; a field with the separator or a line end needs quotes",
            )
        borders = [found.span(i + 1) for i in range(len(names))]
        places.append((*(edge for border in borders for edge in border), found.end()))
        position = found.end()
    try:
        columns = {
            name: [csv._value(raw[one[2 * i] : one[2 * i + 1]]) for one in places]
            for i, name in enumerate(names)
        }
    except UnicodeDecodeError:
        raise BadInput("a field is not valid UTF-8", where=place) from None
    frame = pl.DataFrame(columns, schema=dict.fromkeys(names, pl.String))
    special = re.compile(rb'["\r\n%b]' % delimiter)

    def pieces(
        changed: Mapping[str, Cells], rows: Sequence[int], dropped: set[str]
    ) -> Iterator[bytes]:
        kept = [i for i, name in enumerate(names) if name not in dropped]
        yield raw[:begin] + _header_without(raw[begin:body], field, delimiter, kept, len(names))
        new = [changed.get(name) for name in names]
        for at, row in enumerate(rows):
            one = places[row]
            cells = []
            for i in kept:
                old = raw[one[2 * i] : one[2 * i + 1]]
                cells_of = new[i]
                before = columns[names[i]][row]
                cell = before if cells_of is None else cells_of[at]
                if cell == before or (cell is None and not before):
                    cells.append(old)
                else:
                    text = "" if cell is None else str(cell)
                    cells.append(csv._render(old, text, special, len(kept) == 1))
            yield delimiter.join(cells) + raw[one[2 * len(names) - 1] : one[-1]]

    return frame, pieces


def _header_without(
    header: bytes, field: bytes, delimiter: bytes, kept: list[int], width: int
) -> bytes:
    if len(kept) == width:
        return header
    found = re.compile(delimiter.join([rb"(%b)" % field] * width)).match(header)
    assert found is not None
    return delimiter.join(found[i + 1] for i in kept) + header[found.end() :]


def _json_lines(raw: bytes, place: str, kind: str) -> tuple[pl.DataFrame, Any]:
    """JSON lines: the members of every object with their places."""
    import polars as pl

    lines: list[tuple[int, int, str, dict[str, tuple[int, int, int]]]] = []
    values: list[dict[str, Any]] = []
    names: dict[str, None] = {}
    for number, start, stop in jsonl._lines(raw, True, 1):
        where = f"{place}, line {number}"
        line = jsonl._line(raw, start, stop, where)
        found = _members(line, where)
        names.update(dict.fromkeys(found))
        lines.append((start, stop, line, {key: one[:3] for key, one in found.items()}))
        values.append({key: _cell(line, *one[1:]) for key, one in found.items()})
    frame = pl.DataFrame({name: _column([one.get(name) for one in values]) for name in names})

    def pieces(
        changed: Mapping[str, Cells], rows: Sequence[int], dropped: set[str]
    ) -> Iterator[bytes]:
        starts = [one[0] for one in lines]
        yield raw[: starts[0] if starts else len(raw)]
        for at, row in enumerate(rows):
            _, stop, line, members = lines[row]
            after = starts[row + 1] if row + 1 < len(lines) else len(raw)
            cells = {name: column[at] for name, column in changed.items()}
            new = _rewritten(line, members, values[row], cells, dropped)
            yield new + raw[stop:after]

    return frame, pieces


def _members(line: str, where: str) -> dict[str, tuple[int, int, int, Any]]:
    """The key's start, the value's start and stop, and the value, by the object's keys."""
    result: dict[str, tuple[int, int, int, Any]] = {}
    values = jsonl._walk(line, (), where)
    found = jsonl._OPEN.match(line)
    while found and (named := jsonl._KEY.match(line, found.end())):
        key = str(json.loads(named[1]))
        if key in result:
            raise BadInput("a key occurs twice", where=where, remedy="keep one of the two")
        value, stop = JSON.raw_decode(line, named.end())
        result[key] = named.start(), named.end(), stop, value
        found = jsonl._COMMA.match(line, stop)
    assert len(result) == len(values)
    return result


def _cell(line: str, start: int, stop: int, value: Any) -> Any:
    """A string as it is, a list as strings, of anything else its JSON; null is missing."""
    if value is None or (isinstance(value, str) and line[start] == '"'):
        return value
    if isinstance(value, list):
        return [one if isinstance(one, str) else json.dumps(one) for one in value]
    return line[start:stop]


def _column(cells: list[Any]) -> pl.Series:
    import polars as pl

    if not any(isinstance(one, list) for one in cells):
        return pl.Series(cells, dtype=pl.String)
    lists = [one if one is None or isinstance(one, list) else [one] for one in cells]
    return pl.Series(lists, dtype=pl.List(pl.String))


def _rewritten(
    line: str,
    members: Mapping[str, tuple[int, int, int]],
    before: Mapping[str, Any],
    cells: Mapping[str, Any],
    dropped: set[str],
) -> bytes:
    """The line with other values; what was absent and has a value now comes last."""
    opened = jsonl._OPEN.match(line)
    assert opened is not None
    result, last = line[: opened.end()], opened.end()
    first = True
    for name, (key, start, stop) in members.items():
        between, last = line[last:key], stop
        if name in dropped:
            continue
        cell = cells.get(name, before[name])
        old = line[start:stop]
        same = cell == before[name]
        result += ("" if first else between or ", ") + line[key:start]
        result += old if same else _json(old, cell)
        first = False
    for name, cell in cells.items():
        if name not in members and cell is not None and name not in dropped:
            result += ("" if first else ", ") + f"{json.dumps(name)}: {_json('', cell)}"
            first = False
    return (result + line[last:]).encode("utf-8", "surrogatepass")


def _json(old: str, cell: Any) -> str:
    if isinstance(cell, str):
        return json_string(old.encode("utf-8", "surrogatepass"), cell).decode()
    return json.dumps(cell, ensure_ascii=False)


def _parquet(raw: bytes, place: str, kind: str) -> tuple[pl.DataFrame, Any]:
    import polars as pl

    try:
        frame = pl.read_parquet(io.BytesIO(raw))
    except pl.exceptions.PolarsError:
        raise BadInput("is no Parquet file", where=place) from None

    def pieces(
        changed: Mapping[str, Cells], rows: Sequence[int], dropped: set[str]
    ) -> Iterator[bytes]:
        kept = frame[list(rows)].with_columns(
            pl.Series(name, cells) for name, cells in changed.items()
        )
        stream = io.BytesIO()
        kept.drop(dropped).write_parquet(stream)
        yield stream.getvalue()

    return frame, pieces
