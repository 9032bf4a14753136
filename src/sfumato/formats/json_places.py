"""Text values of JSON with their places in the bytes, and the bytes with other texts."""

from __future__ import annotations

import json
import re
from array import array
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.formats.attachment import attachment
from sfumato.formats.source import splice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.formats.paths import PathValue
    from sfumato.formats.source import Piece, Texts

_SURROGATE = re.compile("[\ud800-\udfff]")
_written = json.JSONEncoder(ensure_ascii=False).encode


class Places:
    """The texts of a JSON file in their order, and where they stand in its bytes.

    >>> from sfumato.formats.paths import PathValue, members
    >>> places, line = Places(b'{"t": "calm"}'), '{"t": "calm"}'
    >>> places.add(line, 0, PathValue(members(line, 0, (), "n")["t"], {}), "n.jsonl, line 1")
    >>> places.texts, b"".join(places.pieces(["c*lm"], str))
    (['calm'], b'{"t": "c*lm"}')
    """

    def __init__(self, raw: bytes):
        self._raw = raw
        self.texts: list[str | None] = []
        self._starts, self._stops = array("q"), array("q")
        self._several: dict[int, Callable[[str], list[tuple[int, int, bytes]]]] = {}
        self._last = ("", 0, 0)  # a line, a place in its characters and in its bytes

    def add(self, line: str, begin: int, found: PathValue | None, where: str) -> None:
        """Take up one value; `line` stands at `begin` in the bytes, None is no text."""
        value = None if found is None else found.value
        if found is None or value is None or value.value is None:
            self.texts.append(None)
            self._starts.append(-1)
            self._stops.append(-1)
            return
        if line[value.start] != '"':
            raise BadInput(
                "the text is neither a string nor null",
                where=where,
                remedy="make it a string, or name another text column",
            )

        def place(at: int) -> int:
            return begin + (at if line.isascii() else self._byte(line, at))

        coded = attachment(found, place, where) if "contentType" in found.holder else None
        if coded is not None:
            self._several[len(self.texts)] = coded.edits
        self.texts.append(value.value if coded is None else coded.text)
        self._starts.append(place(value.start))
        self._stops.append(place(value.stop))

    def _byte(self, line: str, at: int) -> int:
        """The byte of a character, counted from the last one asked for."""
        last, character, byte = self._last
        if last is not line:
            character = byte = 0
        if at >= character:
            byte += len(line[character:at].encode("utf-8", "surrogatepass"))
        else:
            byte -= len(line[at:character].encode("utf-8", "surrogatepass"))
        self._last = line, at, byte
        return byte

    def pieces(self, new: Texts, where: Callable[[int], str]) -> Iterator[Piece]:
        """The bytes with other texts."""
        places = self._raw, self._starts, self._stops, self.texts
        return splice(*places, new, json_bytes, where, self._several)


def json_bytes(value: object) -> bytes:
    """A value in plain UTF-8: escaped is only what JSON demands, and half a surrogate pair.

    >>> json_bytes('★ "a" \\n').decode()
    '"★ \\\\"a\\\\" \\\\n"'
    """
    new = _written(value)
    if new.isascii():
        return new.encode()
    return _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", new).encode()
