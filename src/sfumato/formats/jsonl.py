"""JSON lines: one object per line; only the bytes of text values are replaced.

Every text is written in one way, in plain UTF-8, whatever escapes the old one had.

The text column is a key, or a path (`note[].text`) that may lead to several texts of a record. A
line whose text is null or absent has the document None and passes through; a path to several has
a document for each that is there. A text key that occurs twice in one object is refused: a reader
sees the last, the first would be published unseen.
"""

from __future__ import annotations

import json
import re
from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.formats.chunks import cut
from sfumato.formats.json_places import Places
from sfumato.formats.paths import (
    JSON,
    PathValue,
    Value,
    found_at,
    is_many,
    scan_value,
    steps_of,
    syntax_problem,
)
from sfumato.formats.source import (
    BOM,
    Source,
    names_of,
    require_column,
    require_groups,
    require_text_column,
)

from ..core.printed_form import by_sizes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sfumato.formats.source import Columns

_SPACE = r"[ \t\r\n]*+"
_OPEN = re.compile(rf"{_SPACE}\{{{_SPACE}")
_KEY = re.compile(rf'("[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+)*+"){_SPACE}:{_SPACE}')
_COMMA = re.compile(rf"{_SPACE},{_SPACE}")
_EMPTY = re.compile(rf"{_SPACE}\{{{_SPACE}\}}{_SPACE}\Z")
_CLOSE = re.compile(rf"{_SPACE}\}}{_SPACE}\Z")


@dataclass(slots=True)
class _Reading:
    """What is looked for, and what the lines before have told."""

    place: str
    format: str
    texts: tuple[str, ...]
    group: str | None
    line: int = 1
    records: int = 0
    names: dict[str, None] = field(default_factory=dict)
    met: set[str] = field(default_factory=set)

    __repr__ = by_sizes

    @property
    def wanted(self) -> tuple[str, ...]:
        """The names of all columns that are read."""
        return (*self.texts, *([] if self.group is None else [self.group]))

    @property
    def many(self) -> bool:
        """Whether a record may have several documents, which then belong together."""
        return len(self.texts) > 1 or any(map(is_many, self.texts))

    def require_met(self) -> None:
        """Refuse columns that no line has."""
        if not self.records:
            remedy = "give a file with records"
            raise BadInput("every line is blank", where=self.place, remedy=remedy)
        for name in self.wanted:
            if name not in self.met:
                require_column(self.place, tuple(self.names), name)


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "jsonl",
    text_column: Columns = None,
    group_column: str | None = None,
) -> Source:
    """The documents of a JSON lines file: one per object, the text key's values.

    Cost: O(bytes).
    >>> source = read(b'{"n": 1e5, "t": "caf\\\\u00e9"}\\n', "n.jsonl", text_column="t")
    >>> source.texts
    ['café']
    >>> b"".join(source.pieces(["★"]))
    b'{"n": 1e5, "t": "\\xe2\\x98\\x85"}\\n'
    >>> read(b'{"n": [{"t": "a"}, {"t": "b"}]}', "n.jsonl", text_column="n[].t").texts
    ['a', 'b']
    """
    reading = _Reading(place, format, names_of(text_column), group_column)
    source = _part(raw, reading, True)
    reading.require_met()
    return source


def parts(
    blocks: Iterable[bytes],
    place: str,
    *,
    format: str = "jsonl",
    text_column: Columns = None,
    group_column: str | None = None,
) -> Iterator[Source]:
    """The documents of a JSON lines file, some lines at a time.

    >>> [part.where(0) for part in parts([b'{"t": "a"}\\n{"t', b'": "b"}'], "n", text_column="t")]
    ['n, line 1', 'n, line 2']
    """
    reading = _Reading(place, format, names_of(text_column), group_column)
    for number, raw in enumerate(cut(blocks, lambda raw: raw.rfind(b"\n") + 1)):
        yield _part(raw, reading, number == 0)
    reading.require_met()


def _part(raw: bytes, reading: _Reading, first: bool) -> Source:
    """The documents of some lines; `reading` is carried on."""
    place, many = reading.place, reading.many
    lines = list(_lines(raw, first, reading.line))
    found, labels, home = Places(raw), list[str | None](), array("q")

    def where(i: int) -> str:
        return f"{place}, line {lines[home[i]][0]}"

    once = tuple(key for name in reading.wanted for key in (name, steps_of(name)[0]))
    for i, (number, begin, end) in enumerate(lines):
        at = f"{place}, line {number}"
        line = _line(raw, begin, end, at)
        values = _walk(line, once, at)
        if not reading.texts:
            require_text_column(place, list(values), None)
        reading.names.update(dict.fromkeys(values))
        texts = list(_texts(line, values, reading, at))
        label = _group(line, values, reading, at) if reading.group else str(reading.records + 1)
        reading.records += 1
        for text in texts:
            found.add(line, begin, text, at)
            labels.append(label)
            home.append(i)
    reading.line += raw.count(b"\n")
    if reading.group and reading.group not in reading.met and home:
        require_column(place, tuple(reading.names), reading.group)

    def column(name: str) -> list[str | None]:
        require_column(place, tuple(reading.names), name)
        if name == reading.group and steps_of(name) == (name,):  # read already
            return list(labels)
        whole = (_line(raw, begin, end, place) for _, begin, end in lines)
        values = [_label(line, _walk(line, (), place).get(name)) for line in whole]
        return [values[i] for i in home]

    return Source(
        place=place,
        format=reading.format,
        texts=found.texts,
        groups=require_groups(labels, where) if reading.group or many else None,
        columns=tuple(reading.names),
        column=column,
        where=where,
        pieces=lambda new: found.pieces(new, where),
    )


def _lines(raw: bytes, first: bool, number: int) -> Iterator[tuple[int, int, int]]:
    """The number, start and stop of every line that is not blank."""
    start = len(BOM) if first and raw.startswith(BOM) else 0
    while start < len(raw):
        end = raw.find(b"\n", start)
        stop = len(raw) if end < 0 else end
        if not raw[start:stop].isspace() and stop > start:
            yield number, start, stop
        start, number = stop + 1, number + 1


def _line(raw: bytes, start: int, stop: int, where: str) -> str:
    try:
        return raw[start:stop].decode()
    except UnicodeDecodeError as error:
        raise BadInput(
            f"byte {error.start + 1} of the line is not valid UTF-8",
            where=where,
            remedy="name the file's encoding (--encoding latin-1 or cp1252), or repair the line",
        ) from None


def _walk(line: str, once: tuple[str | None, ...], where: str) -> dict[str, Value]:
    """The values of the line's object by their keys; the keys in `once` may not come twice."""
    values: dict[str, Value] = {}
    try:
        found = _OPEN.match(line)
        while found and (named := _KEY.match(line, found.end())):
            key = named[1][1:-1] if "\\" not in named[1] else JSON.decode(named[1])
            if key in values and key in once:
                problem, remedy = f"the key {key!r} occurs twice", "keep one of the two"
                raise BadInput(problem, where=where, remedy=remedy)
            start = named.end()
            value, stop = scan_value(line, start)
            values[key] = Value(value, start, stop)
            found = _COMMA.match(line, stop)
            if found is None and _CLOSE.match(line, stop):
                return values
    except (StopIteration, json.JSONDecodeError, RecursionError):
        pass
    if not _EMPTY.match(line):
        raise syntax_problem(line, where, "line") or BadInput(
            "expected an object {...}, found another value",
            where=where,
            remedy="fix or remove the line",
        )
    return values


def _texts(
    line: str, values: dict[str, Value], reading: _Reading, where: str
) -> Iterator[PathValue | None]:
    """The text values of a line in their order; one that may have several has those it has."""
    found: list[PathValue] = []
    for name in reading.texts:
        here = _at(line, values, name, where)
        if here:
            reading.met.add(name)
        found += here
    if not found and not reading.many:
        yield None
    yield from sorted(found, key=lambda one: one.value.start)


def _at(line: str, values: dict[str, Value], name: str, where: str) -> list[PathValue]:
    """What a key of this name holds, else what stands at the end of this path."""
    if name in values:
        return [PathValue(values[name], values)]
    first, *rest = steps_of(name)
    if first not in values or first is None:
        return []
    return list(found_at(line, PathValue(values[first], values), rest, where))


def _group(line: str, values: dict[str, Value], reading: _Reading, where: str) -> str | None:
    assert reading.group is not None
    found = _at(line, values, reading.group, where)
    if found:
        reading.met.add(reading.group)
    if len(found) > 1:
        raise BadInput("the record has several groups", where=where, remedy="name another path")
    return _label(line, found[0].value) if found else None


def _label(line: str, found: Value | None) -> str | None:
    """A value as a string: a string's characters, of anything else its JSON."""
    if found is None or found.value is None:
        return None
    return line[found.start : found.stop] if line[found.start] != '"' else str(found.value)
