"""Paths to texts inside JSON: `text`, `note[].text`, `content[].attachment.data`.

A dot goes into an object, `[]` to every element of an array. A key that has this very name, dots
and all, comes before a path. What is found keeps its place in the JSON text, so that its bytes
can be replaced.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from sfumato.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Step = str | None
"""A key of an object, or None: every element of an array."""

# Numbers stay text: 1e5 is not 100000.0, and a thousand digits are nobody's concern here.
JSON = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
scan_value: Callable[[str, int], tuple[Any, int]] = JSON.scan_once  # type: ignore[attr-defined]
"""A value that begins at a place, and where it ends; StopIteration where none does."""

_SPACE = re.compile(r"[ \t\r\n]*+")
_KEY = re.compile(r'("[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+)*+")[ \t\r\n]*+:[ \t\r\n]*+')
_PATH = re.compile(r"(?:[^.\[\]]+|\[\])(?:\[\]|\.[^.\[\]]+)*")
_STEP = re.compile(r"\[\]|[^.\[\]]+")

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


class Value(NamedTuple):
    """A value of a JSON text, with its place in the text's characters."""

    value: Any
    start: int
    stop: int


def steps_of(name: str) -> tuple[Step, ...]:
    """The steps of a path.

    >>> steps_of("note[].text"), steps_of("[].a")
    (('note', None, 'text'), (None, 'a'))
    """
    if not _PATH.fullmatch(name):
        return (name,)
    return tuple(None if step == "[]" else step for step in _STEP.findall(name))


def is_many(name: str) -> bool:
    """Whether a path can lead to several texts of one record.

    >>> is_many("note[].text"), is_many("subject.text")
    (True, False)
    """
    return None in steps_of(name)


def shared_steps(one: Sequence[Step], other: Sequence[Step]) -> int:
    """How many steps two paths go together, up to their last common array.

    >>> shared_steps(steps_of("entry[].note[].text"), steps_of("entry[].who"))
    2
    """
    last = 0
    for number, (a, b) in enumerate(zip(one, other, strict=False), 1):
        if a != b:
            break
        last = number if a is None else last
    return last


class PathValue(NamedTuple):
    """A value that a path leads to, and the object it is a member of."""

    value: Value
    holder: dict[str, Value]


def found_at(text: str, node: PathValue, steps: Sequence[Step], where: str) -> Iterator[PathValue]:
    """What the steps lead to from a value; nothing where a key is absent or null.

    >>> text = '{"note": [{"text": "calm"}, {"text": null}, {}]}'
    >>> top = PathValue(whole(text, "n.json"), {})
    >>> [one.value.value for one in found_at(text, top, steps_of("note[].text"), "n.json")]
    ['calm', None]
    """
    value = node.value
    if not steps:
        yield node
        return
    if value.value is None:
        return
    step, rest = steps[0], steps[1:]
    if text[value.start] != ("[" if step is None else "{"):
        kind = "array" if step is None else "object"
        raise BadInput(
            f"the path to the text expects an {kind} here, found another value",
            where=where,
            remedy="name the path to the text in this file, for instance note[].text",
        )
    if step is None:
        for element in elements(text, value.start):
            yield from found_at(text, PathValue(element, {}), rest, where)
        return
    inner = members(text, value.start, (step,), where)
    if step in inner:
        yield from found_at(text, PathValue(inner[step], inner), rest, where)


def whole(text: str, where: str) -> Value:
    """The one value of a JSON text.

    >>> whole(' {"a": 1e5} ', "n.json")
    Value(value={'a': '1e5'}, start=1, stop=11)
    """
    start = _after_space(text, 0)
    try:
        value, stop = JSON.raw_decode(text, start)
        if _after_space(text, stop) == len(text):
            return Value(value, start, stop)
    except (json.JSONDecodeError, RecursionError):
        pass
    raise syntax_problem(text, where, "file") or BadInput("not valid JSON", where=where)


def members(text: str, start: int, once: Sequence[str | None], where: str) -> dict[str, Value]:
    """The values of a well-formed object by their keys; those in `once` may not come twice.

    >>> sorted(members('{"a": 1, "b": [2]}', 0, ("a",), "n.json"))
    ['a', 'b']
    """
    values: dict[str, Value] = {}
    at = _after_space(text, start + 1)
    while named := _KEY.match(text, at):
        key = named[1][1:-1] if "\\" not in named[1] else JSON.decode(named[1])
        if key in values and key in once:
            problem, remedy = f"the key {key!r} occurs twice", "keep one of the two"
            raise BadInput(problem, where=where, remedy=remedy)
        value, stop = JSON.raw_decode(text, named.end())
        values[key] = Value(value, named.end(), stop)
        at = _after_space(text, _after_space(text, stop) + 1)  # behind the comma or the brace
    return values


def elements(text: str, start: int) -> Iterator[Value]:
    """The elements of a well-formed array.

    >>> [one.value for one in elements('[1, "b"]', 0)]
    ['1', 'b']
    """
    at = _after_space(text, start + 1)
    while text[at] != "]":
        value, stop = JSON.raw_decode(text, at)
        yield Value(value, at, stop)
        at = _after_space(text, stop)
        if text[at] == ",":
            at = _after_space(text, at + 1)


def syntax_problem(text: str, where: str, what: str) -> BadInput | None:
    """Where a text stops being JSON, in words that hold nothing of it.

    >>> print(syntax_problem('{"a": }', "n.jsonl, line 1", "line"))
    n.jsonl, line 1, column 7: not valid JSON (expecting value); fix or remove the line
    """
    remedy = f"fix or remove the {what}"
    try:
        JSON.decode(text)
    except json.JSONDecodeError as error:
        reason = next((r for r in _REASONS if error.msg.startswith(r)), "syntax error")
        problem = f"not valid JSON ({reason[0].lower()}{reason[1:]})"
        line = f", line {error.lineno}" if what == "file" else ""
        return BadInput(problem, where=f"{where}{line}, column {error.colno}", remedy=remedy)
    except RecursionError:
        return BadInput("nested too deeply", where=where, remedy=remedy)
    return None


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found is not None
    return found.end()
