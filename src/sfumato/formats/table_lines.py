"""Tables of JSON lines: changed columns written in one way, all other members as they were.

A changed column stands in every record, null where it has no value: an absent key would tell that
there was none. Where all records keep one order of keys, changed keys stand at their place in it;
where they do not, behind all others. What stands between members is the same in all records.
A value is a string, unless all of its column were numbers and are still.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from sfumato.core.errors import BadInput
from sfumato.core.printed_form import by_sizes
from sfumato.formats import jsonl
from sfumato.formats.json_places import json_bytes
from sfumato.formats.paths import JSON

if TYPE_CHECKING:
    import polars as pl


class _Member(NamedTuple):
    """The places of a key and of its value in a line, and the value."""

    key: int
    after_key: int
    start: int
    stop: int
    value: Any


@dataclass(frozen=True, slots=True)
class _Record:
    """A line's place in the bytes, its text and its members."""

    __repr__ = by_sizes

    start: int
    stop: int
    line: str
    members: dict[str, _Member]


def json_lines(raw: bytes, place: str, kind: str) -> tuple[pl.DataFrame, Any]:
    """The cells of a table, and what gives its bytes with other ones.

    >>> frame, pieces = json_lines(b'{"age": 36, "id": 7}\\n{"id": 8}\\n', "people.jsonl", "jsonl")
    >>> print(b"".join(pieces({"age": ["24-36"] * 2}, [0, 1], set())).decode())
    {"age": "24-36", "id": 7}
    {"age": "24-36", "id": 8}
    <BLANKLINE>
    """
    import polars as pl

    records: list[_Record] = []
    for number, start, stop in jsonl._lines(raw, True, 1):
        where = f"{place}, line {number}"
        line = jsonl._line(raw, start, stop, where)
        records.append(_Record(start, stop, line, _members(line, where)))
    names = dict.fromkeys(name for one in records for name in one.members)
    frame = pl.DataFrame({name: _column([_cell(one, name) for one in records]) for name in names})

    def pieces(
        changed: Mapping[str, Iterable[object]], rows: Sequence[int], dropped: set[str]
    ) -> Iterator[bytes]:
        if not changed and not dropped and list(rows) == list(range(len(records))):
            yield raw
            return
        yield raw[: records[0].start if records else len(raw)]
        released = [records[row] for row in rows]
        cells = {name: _plain(changed[name]) for name in names if name in changed}
        numbers = {name for name, column in cells.items() if _are_numbers(column, released, name)}
        form = _Form.of(released, list(cells), numbers, dropped)
        # One line end for all: its own would tell a record apart. The last may have none.
        usual = b"\r\n" if records and records[0].line.endswith("\r") else b"\n"
        ended = bool(records) and raw.endswith((b"\n", b"\r"))
        for at, one in enumerate(released):
            if cells or dropped:
                line = form.line(one, {name: column[at] for name, column in cells.items()})
            else:
                line = raw[one.start : one.stop]
            yield line.strip()
            yield usual if ended or at + 1 < len(rows) else b""

    return frame, pieces


_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def _are_numbers(cells: Sequence[object], records: Sequence[_Record], name: str) -> bool:
    """Whether a column held JSON's numbers alone, and its released values are such numbers."""
    if not all(one is None or (isinstance(one, str) and _NUMBER.fullmatch(one)) for one in cells):
        return False
    held = [(one.line, one.members[name]) for one in records if name in one.members]
    return all(
        one.value is None or _NUMBER.fullmatch(line, one.start, one.stop) for line, one in held
    )


def _members(line: str, where: str) -> dict[str, _Member]:
    """The members of a line's object by their keys."""
    result: dict[str, _Member] = {}
    values = jsonl._walk(line, (), where)
    found = jsonl._OPEN.match(line)
    while found and (named := jsonl._KEY.match(line, found.end())):
        key = str(json.loads(named[1]))
        if key in result:
            raise BadInput("a key occurs twice", where=where, remedy="keep one of the two")
        value, stop = JSON.raw_decode(line, named.end())
        result[key] = _Member(named.start(), named.end(1), named.end(), stop, value)
        found = jsonl._COMMA.match(line, stop)
    assert len(result) == len(values)
    return result


def _cell(record: _Record, name: str) -> Any:
    """A string as it is, a list as strings, of anything else its JSON; null is missing."""
    found = record.members.get(name)
    if found is None or found.value is None:
        return None
    if isinstance(found.value, str) and record.line[found.start] == '"':
        return found.value
    if isinstance(found.value, list):
        return [one if isinstance(one, str) else json.dumps(one) for one in found.value]
    return record.line[found.start : found.stop]


def line_cells(line: str) -> dict[str, str | list[str] | None]:
    """The cells of one line, by their keys; those of `json_lines`.

    >>> line_cells('{"age": 1.50, "ids": [7, "x"], "note": null}')
    {'age': '1.50', 'ids': ['7', 'x'], 'note': None}
    """
    record = _Record(0, len(line), line, _members(line, "line"))
    return {name: _cell(record, name) for name in record.members}


def _plain(cells: Iterable[object]) -> list[Any]:
    """The cells as Python's values; iterating a column of lists gives columns of its own."""
    return list(cells.to_list() if hasattr(cells, "to_list") else cells)


def _column(cells: list[Any]) -> pl.Series:
    import polars as pl

    if not any(isinstance(one, list) for one in cells):
        return pl.Series(cells, dtype=pl.String)
    lists = [one if one is None or isinstance(one, list) else [one] for one in cells]
    return pl.Series(lists, dtype=pl.List(pl.String))


@dataclass(frozen=True, slots=True)
class _Form:
    """How the records of a release are written: the order of keys, and what stands between."""

    __repr__ = by_sizes

    changed: list[str]
    numbers: set[str]
    dropped: set[str]
    order: list[str] | None
    opening: str
    colon: str
    comma: str
    closing: str

    @classmethod
    def of(
        cls,
        records: Sequence[_Record],
        changed: list[str],
        numbers: set[str],
        dropped: set[str],
    ) -> _Form:
        """The order that all records keep, if there is one, and what most have between members."""
        opening, colon, comma, closing = (Counter[str]() for _ in range(4))
        for one in records:
            members = list(one.members.values())
            if not members:
                continue
            opening[one.line[one.line.index("{") + 1 : members[0].key]] += 1
            closing[one.line[members[-1].stop : one.line.rindex("}")]] += 1
            colon.update(one.line[each.after_key : each.start] for each in members)
            comma.update(
                one.line[each.stop : following.key] for each, following in pairwise(members)
            )
        return cls(
            changed,
            numbers,
            dropped,
            _order(dict.fromkeys(tuple(one.members) for one in records)),
            _most(opening, ""),
            _most(colon, ": "),
            _most(comma, ", "),
            _most(closing, ""),
        )

    def line(self, record: _Record, cells: Mapping[str, object]) -> bytes:
        """The record with these cells in the changed columns."""
        line, members = record.line, record.members
        if self.order is None:
            keys = [name for name in members if name not in cells] + self.changed
        else:
            keys = [name for name in self.order if name in members or name in cells]
            keys += [name for name in self.changed if name not in self.order]
        written = []
        for name in keys:
            if name in self.dropped:
                continue
            if name in cells:
                value = json_bytes(cells[name])
                if name in self.numbers and cells[name] is not None:
                    value = str(cells[name]).encode()
                written.append(json_bytes(name) + self.colon.encode() + value)
            else:
                found = members[name]
                written.append(line[found.key : found.stop].encode())
        inside = self.comma.encode().join(written)
        return ("{" + self.opening).encode() + inside + (self.closing + "}").encode()


def _order(records: Iterable[tuple[str, ...]]) -> list[str] | None:
    """One order of keys that every record keeps; None where there is none.

    >>> _order([("a", "c"), ("a", "b", "c")]), _order([("a", "b"), ("b", "a")])
    (['a', 'b', 'c'], None)
    """
    before: dict[str, dict[str, None]] = {}
    for keys in records:
        for key, previous in zip(keys, [None, *keys], strict=False):
            before.setdefault(key, {}).update({} if previous is None else {previous: None})
    try:
        return list(TopologicalSorter(before).static_order())
    except CycleError:
        return None


def _most(counted: Counter[str], otherwise: str) -> str:
    return counted.most_common(1)[0][0] if counted else otherwise
