"""FHIR resources as JSON: numbers stay as they are written, and none is read as another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from sfumato.core.errors import BadInput
from sfumato.formats.source import BOM


class JsonNumber(str):
    """A number as it is written: 1.0 and 1.00 are different measurements."""

    __slots__ = ()


_DECODER = json.JSONDecoder(parse_int=JsonNumber, parse_float=JsonNumber)


def read_json(raw: bytes, place: str) -> tuple[bool, list[Any]]:
    """Whether the file has a resource a line, and its resources."""
    try:
        text = raw.removeprefix(BOM).decode()
    except UnicodeDecodeError:
        raise BadInput("is not valid UTF-8", where=place, remedy="FHIR is UTF-8") from None
    try:
        found, lines = [_DECODER.decode(text.strip())], False
    except (ValueError, RecursionError):
        lines, found = True, []
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                try:
                    found.append(_DECODER.decode(line.strip()))
                except (ValueError, RecursionError):
                    where = f"{place}, line {number}"
                    raise BadInput("is no JSON", where=where, remedy="repair it") from None
    for number, one in enumerate(found, 1):
        if not isinstance(one, dict) or not isinstance(one.get("resourceType"), str):
            raise BadInput(
                "is no FHIR resource: it has no resourceType", where=f"{place}, resource {number}"
            )
    return lines, found


def json_bytes(value: object) -> bytes:
    """JSON in one form; numbers as they were."""
    return "".join(_json(value)).encode("utf-8", "strict")


def _json(value: object) -> Iterator[str]:
    if isinstance(value, JsonNumber):
        yield str(value)
    elif isinstance(value, dict):
        yield "{"
        for i, (name, one) in enumerate(value.items()):
            yield ("," if i else "") + json.dumps(name, ensure_ascii=False) + ":"
            yield from _json(one)
        yield "}"
    elif isinstance(value, list):
        yield "["
        for i, one in enumerate(value):
            yield "," if i else ""
            yield from _json(one)
        yield "]"
    else:
        yield json.dumps(value, ensure_ascii=False)
