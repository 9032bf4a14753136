"""Records and plain texts read again by other code than wrote them: json, ElementTree."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sfumato.formats.paths import steps_of
from sfumato.formats.source import names_of

if TYPE_CHECKING:
    from typing import BinaryIO, TextIO
    from xml.etree import ElementTree

    from sfumato.formats.read_options import ReadOptions


def json_lines(stream: TextIO, asked: ReadOptions) -> Iterator[str]:
    """The texts of JSON lines."""
    names = names_of(asked.columns)
    for line in stream:
        if line.strip():
            record = _loaded(line)
            yield from walked(record, [(n,) if n in record else steps_of(n) for n in names])


def json_texts(stream: TextIO, asked: ReadOptions) -> Iterator[str]:
    """The texts of a JSON file."""
    paths = [steps_of(name) for name in names_of(asked.columns)]
    yield from walked(_loaded(stream.read()), paths)


def resources(stream: TextIO, asked: ReadOptions) -> Iterator[str]:
    """The texts of FHIR resources: a bundle, or a resource a line."""
    from sfumato.formats.fhir_rules import read_rules

    rules, content = read_rules(asked.said.rules), stream.read()
    try:
        found = [json.loads(content)]
    except ValueError:
        found = [json.loads(line) for line in content.splitlines() if line.strip()]
    todo: list[tuple[tuple[str, ...], Any]] = [((), one) for one in reversed(found)]
    while todo:
        path, value = todo.pop()
        if isinstance(value, list):
            todo += [(path, one) for one in reversed(value)]
        elif isinstance(value, dict):
            path = (value["resourceType"],) if "resourceType" in value else path
            kind = value.get("contentType")
            inside = [((*path, name), one) for name, one in value.items()]
            if isinstance(kind, str) and isinstance(value.get("data"), str):
                text = _attached(base64.b64decode(value["data"]), kind)
                inside = [(at, text if at[-1] == "data" else one) for at, one in inside]
            todo += inside[::-1]
        elif isinstance(value, str) and len(path) > 1 and rules.action(path) == "text":
            yield value


_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)


def _loaded(text: str) -> Any:
    return _DECODER.decode(text)


def walked(value: object, paths: Sequence[tuple[str | None, ...]]) -> Iterator[str]:
    """The texts of a JSON value at the ends of paths, in the order of the file."""
    if isinstance(value, list):
        inner = [path[1:] for path in paths if path[:1] == (None,)]
        for one in value if inner else ():
            if isinstance(one, str) and () in inner:
                yield one
            else:
                yield from walked(one, inner)
    elif isinstance(value, dict):
        for key, one in value.items():
            inner = [path[1:] for path in paths if path[:1] == (key,)]
            if isinstance(one, str) and () in inner:
                kind = value.get("contentType")
                is_attachment = key == "data" and isinstance(kind, str)
                yield _attached(base64.b64decode(one), str(kind)) if is_attachment else one
            elif inner:
                yield from walked(one, inner)


def _attached(raw: bytes, kind: str) -> str:
    from email.message import Message

    stated = Message()
    stated["content-type"] = kind
    return raw.decode(str(stated.get_param("charset") or "utf-8"))


def symbol(attributes: Sequence[str]) -> str:
    """A separator stands in the place of every attribute."""
    same = len(attributes) > 1 and len(set(attributes)) == 1 and len(attributes[0]) == 1
    return attributes[0] if same else " | ".join(attributes)


def log(stream: BinaryIO, asked: ReadOptions) -> Iterator[str]:
    """The traces of a log in XES."""
    from xml.etree import ElementTree

    root = ElementTree.fromstring(stream.read())  # noqa: S314  what we wrote ourselves
    for trace in root.iter("trace"):
        yield "\x1f".join(_event(one, asked.said.timed) for one in trace.findall("event"))


def _event(event: ElementTree.Element, timed: bool) -> str:
    found = symbol([one.get("value", "") for one in event if one.tag == "string"])
    times = [one.get("value", "") for one in event if one.tag == "date"]
    return f"{found}\x1e{''.join(times)}" if timed else found


def separated(stream: TextIO, asked: ReadOptions) -> Iterator[str]:
    """The documents of a text between separators."""
    yield from stream.read().split(asked.said.separator)


def lines(stream: TextIO, asked: ReadOptions) -> Iterator[str]:
    """The lines of a text."""
    yield from (line.rstrip("\n") for line in stream)


def whole(stream: TextIO, asked: ReadOptions) -> Iterator[str]:
    """A text as one document."""
    yield stream.read()


def fasta(stream: TextIO, asked: ReadOptions) -> Iterator[str]:
    """The sequences of a FASTA file."""
    sequence: list[str] = []
    for line in stream:
        if line.startswith(">"):
            yield "".join(sequence)
            sequence = []
        else:
            sequence.append(line)
    yield "".join(sequence)
