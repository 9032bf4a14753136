"""Whether the bytes of a table tell apart what its cells make alike.

A released file is read here cell by cell as it was written, by other code than wrote it. In each
of the changed columns cells of one value must have the same bytes, over all records and so within
every class; the keys of JSON must stand at the same places; lists of values (Enum) must hold
released values alone.
"""

from __future__ import annotations

import io
import json
import re
import string
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from ..core.errors import NotVerified
from .sheet_written import require_hidden, sheet_records

if TYPE_CHECKING:
    import polars as pl

_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
_SEPARATORS = ",;|\t" + "".join(one for one in string.punctuation if one not in ',;|"') + " "
_BLANK = re.compile(r"[ \t\r\n]*")


def require_written(
    content: bytes,
    format: str,
    data: pl.DataFrame,
    columns: Sequence[str],
    has_header: bool = True,
    delimiter: str | None = None,
    before: pl.DataFrame | None = None,
) -> None:
    """Refuses bytes of a table that are not those of its cells, or tell equal ones apart.

    `columns` are those that were changed, `data` is the table that the bytes shall be, `before` the
    one that it was made of: of a workbook no part may hold a cell that had to change.

    >>> import polars as pl
    >>> table = pl.DataFrame({"id": ["1", "2"], "age": ["[24-36]", "[24-36]"]})
    >>> require_written(b"id,age\\n1,[24-36]\\n2,[24-36]\\n", "csv", table, ["age"])
    >>> require_written(b'id,age\\n1,[24-36]\\n2,"[24-36]"\\n', "csv", table, ["age"])
    Traceback (most recent call last):
    sfumato.core.errors.NotVerified: age, record 2: equal values are written differently, ...
    """
    if format in ("parquet", "arrow"):
        _check_columns(content, format, data, columns)
        return
    cells = {name: data[name].to_list() for name in columns}
    if format == "xlsx":
        records: Iterator[Mapping[str, tuple[str, object]]] = sheet_records(content, data.columns)
        cells = {name: [one or None for one in column] for name, column in cells.items()}
        require_hidden(content, data, columns, before)
    elif format == "jsonl":
        _check_places(content, columns)
        records = _json_records(content)
    else:
        records = _field_records(
            content, list(data.columns), has_header, _tried(format, has_header, delimiter)
        )
        cells = {name: [_as_field(one) for one in column] for name, column in cells.items()}
    seen: dict[str, dict[str, str]] = {name: {} for name in columns}
    count = 0
    for count, record in enumerate(records, 1):
        for name, known in seen.items():
            where = f"{name}, record {count}"
            if count > len(cells[name]) or name not in record:
                raise _wrong("the file does not have the cells of the release", where)
            raw, value = record[name]
            if value != _as_read(cells[name][count - 1]):
                raise _wrong("the file holds another value than the release", where)
            if known.setdefault(json.dumps(value), raw) != raw:
                raise _wrong("equal values are written differently, which tells them apart", where)
    if columns and count != data.height:
        raise _wrong("the file does not have the records of the release", f"record {count + 1}")


def _wrong(problem: str, where: str | None = None) -> NotVerified:
    return NotVerified(
        problem, where=where, remedy="nothing was written; this is a defect: report it"
    )


def _as_read(cell: object) -> object:
    """A cell as it is read: numbers as they are written."""
    return cell if cell is None or isinstance(cell, str | list) else json.dumps(cell)


def _as_field(cell: object) -> str:
    return "" if cell is None else str(cell)


def _tried(format: str, has_header: bool, delimiter: str | None) -> str:
    """What may separate fields: a header shows it, else it must have been said."""
    if format == "tsv":
        return "\t"
    return _SEPARATORS if has_header or delimiter is None else delimiter


def _field_records(
    content: bytes, names: Sequence[str], has_header: bool, separators: str
) -> Iterator[dict[str, tuple[str, str]]]:
    """The fields of every record as they are written, and what they say."""
    text = content.decode("utf-8-sig")
    for separator in separators:
        try:
            header = next(_rows(text, separator), [])
        except NotVerified:
            continue  # another character separates
        rows = _rows(text, separator)
        if not has_header and len(header) in (0, len(names)):
            header = list(names)
        else:
            next(rows, None)
        if sorted(map(_said, header)) == sorted(names):
            titles = [_said(one) for one in header]
            for row in rows:
                yield {name: (raw, _said(raw)) for name, raw in zip(titles, row, strict=False)}
            return
    raise _wrong("the file does not have the columns of the release")


def _rows(text: str, separator: str) -> Iterator[list[str]]:
    """The records of a text, each as the fields it is written with; blank lines are none."""
    mark = re.escape(separator)
    field = re.compile(rf'("(?:[^"]|"")*"|(?!")[^{mark}\r\n]*)({mark}|\r\n|\r|\n|\Z)')
    row: list[str] = []
    position = 0
    while position < len(text):
        found = field.match(text, position)
        if found is None:
            raise _wrong("a field of the file cannot be read")
        row.append(found[1])
        position = found.end()
        if found[2] == separator:
            if position == len(text):
                row.append("")
            else:
                continue
        if row != [""]:
            yield row
        row = []


def _said(raw: str) -> str:
    return raw[1:-1].replace('""', '"') if raw.startswith('"') else raw


def _members(line: str) -> Iterator[tuple[str, int, int, object]]:
    """The key of every member of an object, where it begins and its value ends, and the value."""
    at = _after(line, _after(line, 0) + 1)
    while line[at] != "}":
        key, stop = _DECODER.raw_decode(line, at)
        value, end = _DECODER.raw_decode(line, _after(line, _after(line, stop) + 1))
        yield key, at, end, value
        at = _after(line, end)
        if line[at] == ",":
            at = _after(line, at + 1)


def _after(line: str, at: int) -> int:
    found = _BLANK.match(line, at)
    assert found is not None
    return found.end()


def _lines(content: bytes) -> Iterator[str]:
    for line in content.decode("utf-8-sig").split("\n"):
        if line.strip():
            yield line


def _json_records(content: bytes) -> Iterator[dict[str, tuple[str, object]]]:
    for line in _lines(content):
        yield {key: (line[start:stop], value) for key, start, stop, value in _members(line)}


def _check_places(content: bytes, columns: Sequence[str]) -> None:
    """The changed keys stand in every record, at the same places, with the same between them."""
    wanted, between = set(columns), set[str]()
    known: set[tuple[str, ...]] = set()
    before: set[tuple[str, str]] = set()
    for number, line in enumerate(_lines(content) if columns else (), 1):
        members = list(_members(line))
        keys = tuple(key for key, *_ in members)
        opening = line[line.index("{") + 1 : members[0][1]] if members else ""
        closing = line[members[-1][2] : line.rindex("}")] if members else ""
        between |= {f"{{{opening}", f"{closing}}}"}
        between |= {line[one[2] : following[1]] for one, following in pairwise(members)}
        if len(between) > 3:
            problem = "what stands between members tells records apart"
            raise _wrong(problem, f"record {number}")
        if keys in known:
            continue
        known.add(keys)
        for i, key in enumerate(keys):
            before |= {(key, one) for one in keys[i + 1 :] if wanted & {key, one}}
        if not wanted <= set(keys) or any((b, a) in before for a, b in before):
            raise _wrong("the place of a key tells records apart", f"record {number}")


def _check_columns(content: bytes, format: str, data: pl.DataFrame, columns: Sequence[str]) -> None:
    import polars as pl

    made = (pl.read_parquet if format == "parquet" else pl.read_ipc)(io.BytesIO(content))
    if made.columns != data.columns:
        raise _wrong("the file does not have the columns of the release")
    for name in columns:
        if made[name].to_list() != data[name].to_list():
            raise _wrong("the file holds another value than the release", name)
    for name in made.columns:
        kind = made[name].dtype
        if isinstance(kind, pl.Enum) and set(kind.categories) - set(made[name].cast(pl.String)):
            raise _wrong("the column lists values that no cell has", name)
    if format == "arrow":
        return
    if set(pl.read_parquet_metadata(io.BytesIO(content))) - {"ARROW:schema"}:
        raise _wrong("the file has notes beside its columns")
