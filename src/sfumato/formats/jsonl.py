"""JSON lines: one object per line; only the text value's bytes are replaced.

A line whose text is null or absent has the document None and passes through. A text key that
occurs twice in one line is refused: a reader sees the last, the first would be published unseen.
"""

from __future__ import annotations

import json
import re
from array import array
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

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
    from collections.abc import Iterator

# Numbers stay text: 1e5 is not 100000.0, and a thousand digits are nobody's concern here.
_JSON = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)

_SPACE = r"[ \t\r\n]*+"
_OPEN = re.compile(rf"{_SPACE}\{{{_SPACE}")
_KEY = re.compile(rf'("[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+)*+"){_SPACE}:{_SPACE}')
_COMMA = re.compile(rf"{_SPACE},{_SPACE}")
_EMPTY = re.compile(rf"{_SPACE}\{{{_SPACE}\}}{_SPACE}\Z")
_CLOSE = re.compile(rf"{_SPACE}\}}{_SPACE}\Z")
_ESCAPE = re.compile(rb"\\(?:u(....)|.)")
_SURROGATE = re.compile("[\ud800-\udfff]")

_REASONS = (
    "Expecting value",
    "Expecting ',' delimiter",
    "Expecting ':' delimiter",
    "Expecting property name enclosed in double quotes",
    "Illegal trailing comma",
    "Unterminated string",
    "Invalid control character",
    "Invalid \\escape",
    "Invalid \\uXXXX escape",
    "Extra data",
)


class _Value(NamedTuple):
    """A value of the object on one line, with its place in the line's characters."""

    value: Any
    start: int
    stop: int


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "jsonl",
    text_column: str | None = None,
    group_column: str | None = None,
) -> Source:
    """The documents of a JSON lines file: one per object, the text key's values.

    Cost: O(bytes).
    >>> source = read(b'{"n": 1e5, "t": "caf\\\\u00e9"}\\n', "n.jsonl", text_column="t")
    >>> source.texts
    ['café']
    >>> b"".join(source.pieces(["★"]))
    b'{"n": 1e5, "t": "\\\\u2605"}\\n'
    """
    lines = list(_lines(raw))
    if not lines:
        raise BadInput("every line is blank", where=place, remedy="give a file with records")

    def where(i: int) -> str:
        return f"{place}, line {lines[i][0]}"

    if text_column is None:
        first = _line(raw, *lines[0][1:], where(0))
        require_text_column(place, list(_walk(first, (), where(0))), None)
    names = dict[str, None]()
    starts, stops, texts, labels = array("q"), array("q"), list[str | None](), list[str | None]()
    for i, (_, begin, end) in enumerate(lines):
        line = _line(raw, begin, end, where(i))
        values = _walk(line, (text_column, group_column), where(i))
        names.update(dict.fromkeys(values))
        text = _text(line, values.get(text_column or ""), where(i))
        texts.append(text.value if text else None)
        starts.append(begin + _offset(line, text.start) if text else -1)
        stops.append(begin + _offset(line, text.stop) if text else -1)
        labels.append(_label(line, values.get(group_column or "")))
    for name in (text_column, group_column):
        if name is not None:
            require_column(place, tuple(names), name)

    def column(name: str) -> list[str | None]:
        require_column(place, tuple(names), name)
        whole = (_line(raw, begin, end, where(i)) for i, (_, begin, end) in enumerate(lines))
        return [_label(line, _walk(line, (), place).get(name)) for line in whole]

    return Source(
        place=place,
        format=format,
        texts=texts,
        groups=None if group_column is None else require_groups(labels, where),
        columns=tuple(names),
        column=column,
        where=where,
        pieces=lambda new: splice(raw, starts, stops, texts, new, _render, where),
    )


def _lines(raw: bytes) -> Iterator[tuple[int, int, int]]:
    """The number, start and stop of every line that is not blank."""
    start, number = len(BOM) if raw.startswith(BOM) else 0, 1
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
            remedy="name the file's encoding (latin-1, say), or repair the line",
        ) from None


def _walk(line: str, once: tuple[str | None, ...], where: str) -> dict[str, _Value]:
    """The values of the line's object by their keys; the keys in `once` may not come twice."""
    values: dict[str, _Value] = {}
    try:
        found = _OPEN.match(line)
        while found and (named := _KEY.match(line, found.end())):
            key = named[1][1:-1] if "\\" not in named[1] else _JSON.decode(named[1])
            if key in values and key in once:
                problem, remedy = f"the key {key!r} occurs twice", "keep one of the two"
                raise BadInput(problem, where=where, remedy=remedy)
            start = named.end()
            value, stop = _JSON.raw_decode(line, start)
            values[key] = _Value(value, start, stop)
            found = _COMMA.match(line, stop)
            if found is None and _CLOSE.match(line, stop):
                return values
    except (json.JSONDecodeError, RecursionError):
        pass
    if not _EMPTY.match(line):
        _refuse_line(line, where)
    return values


def _refuse_line(line: str, where: str) -> NoReturn:
    """Say where the line stops being a JSON object, in words that hold nothing of the line."""
    remedy = "fix or remove the line"
    try:
        _JSON.decode(line)
    except json.JSONDecodeError as error:
        reason = next((r for r in _REASONS if error.msg.startswith(r)), "syntax error")
        problem = f"not valid JSON ({reason[0].lower()}{reason[1:]})"
        raise BadInput(problem, where=f"{where}, column {error.colno}", remedy=remedy) from None
    except RecursionError:
        raise BadInput("nested too deeply", where=where, remedy=remedy) from None
    raise BadInput("expected an object {...}, found another value", where=where, remedy=remedy)


def _text(line: str, found: _Value | None, where: str) -> _Value | None:
    if found is None or found.value is None:
        return None
    if line[found.start] == '"':
        return found
    raise BadInput(
        "the text is neither a string nor null",
        where=where,
        remedy="make it a string, or name another text column",
    )


def _label(line: str, found: _Value | None) -> str | None:
    """A value as a string: a string's characters, of anything else its JSON."""
    if found is None or found.value is None:
        return None
    return line[found.start : found.stop] if line[found.start] != '"' else str(found.value)


def _offset(line: str, position: int) -> int:
    """How many bytes the line has before this character."""
    return position if line.isascii() else len(line[:position].encode())


def _render(old: bytes, text: str) -> bytes:
    """The new string, in ASCII with escapes when the old one was, else in plain UTF-8."""
    ascii_only = old.isascii() and any(code >= b"0080" for code in _ESCAPE.findall(old))
    new = json.dumps(text, ensure_ascii=ascii_only)
    return _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", new).encode()
