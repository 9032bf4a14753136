"""The XML of the i2b2 de-identification tasks, one document a file: TEXT changes, TAGS follow.

A tag quotes the text it marks. Where a changed text has its old length, offsets stay right: each
`text` is quoted anew from the release, and comments, which people wrote, are emptied. Where the
length differs, offsets are wrong and the tags are dropped. All other bytes stay.
"""

from __future__ import annotations

import re
from functools import partial
from html import unescape
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from sfumato.core.errors import BadInput
from sfumato.formats.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.formats.source import Columns, Piece, Texts

_TEXT = re.compile(rb"(<TEXT\s*>)(.*?)(</TEXT\s*>)", re.DOTALL)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_TAGS = re.compile(rb"(<TAGS\s*>)(.*?)(</TAGS\s*>)", re.DOTALL)
_ATTRIBUTE = re.compile(r"""([\w:.-]+)(\s*=\s*)("[^"]*"|'[^']*')""")
_START = re.compile(r"""<[A-Za-z_][\w.-]*(?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*/?>""")
_KEPT = frozenset(("id", "start", "end", "TYPE"))
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "i2b2",
    text_column: Columns = None,
    group_column: str | None = None,
) -> Source:
    """The one document of an i2b2 file.

    >>> raw = b'<d><TEXT><![CDATA[Ann is ill.]]></TEXT><TAGS><NAME start="0" end="3" text="Ann" '
    >>> source = read(raw + b'comment="Ho"/></TAGS></d>', "a.xml")
    >>> source.texts, b"".join(source.pieces(["*** is ill."]))[-58:]
    (['Ann is ill.'], b'<NAME start="0" end="3" text="***" comment=""/></TAGS></d>')
    """
    if text_column or group_column is not None:
        remedy = "leave out text_column and group_column"
        raise BadInput("an i2b2 file has no columns", where=place, remedy=remedy)
    text, body = _document(raw, place)
    where = partial(_same, place)

    def pieces(new: Texts) -> Iterator[Piece]:
        [after] = new
        if after is None or after == text:
            yield raw
            return
        if _FORBIDDEN.search(after) or "\r" in after:
            problem = "the new text has a control symbol, which XML does not keep"
            raise BadInput(problem, where=place, remedy="choose another mask")
        yield _released(raw, body, text, after)

    return Source(place, format, [text], None, (), partial(_no_column, place), where, pieces)


def _document(raw: bytes, place: str) -> tuple[str, re.Match[bytes]]:
    """The text of a file, and where it stands."""
    from xml.etree import ElementTree

    if b"<!DOCTYPE" in raw or b"<!ENTITY" in raw:
        raise BadInput("declares a document type or entities", where=place, remedy="remove them")
    try:
        root = ElementTree.fromstring(raw)  # noqa: S314 (no declarations, see above)
    except (ElementTree.ParseError, ValueError, LookupError) as problem:
        line = problem.position[0] if isinstance(problem, ElementTree.ParseError) else 1
        raise BadInput("is not well-formed XML", where=f"{place}, line {line}") from None
    found = list(_TEXT.finditer(raw))
    text = root.findtext("TEXT")
    if len(found) != 1 or text is None or _decoded(found[0][2]) != text:
        raise BadInput(
            "expected one element TEXT with nothing but text in it",
            where=place,
            remedy="give the files of the i2b2 tasks; other XML is not read",
        )
    return text, found[0]


def _decoded(body: bytes) -> str:
    """The characters of an element's content: CDATA as it is, elsewhere entities."""
    parts = _CDATA.split(body.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n"))
    return "".join(part if i % 2 else unescape(part) for i, part in enumerate(parts))


def _released(raw: bytes, body: re.Match[bytes], old: str, new: str) -> bytes:
    tags = _TAGS.search(raw)
    edits = [(body.start(2), body.end(2), _content(body[2], new))]
    if tags is not None:
        marks = tags[2].decode()
        followed = _followed(marks, new) if len(new) == len(old) else "\n"
        edits.append((tags.start(2), tags.end(2), followed.encode()))
    for start, stop, piece in sorted(edits, reverse=True):
        raw = raw[:start] + piece + raw[stop:]
    return raw


def _content(old: bytes, new: str) -> bytes:
    is_cdata = old.strip().startswith(b"<![CDATA[")
    made = new.replace("]]>", "]]]]><![CDATA[>") if is_cdata else escape(new)
    made = f"<![CDATA[{made}]]>" if is_cdata else made
    return (made.replace("\n", "\r\n") if b"\r\n" in old else made).encode()


def _followed(tags: str, text: str) -> str:
    """The tags with their quotes taken from another text of the same length."""

    def tag(match: re.Match[str]) -> str:
        stated = {name: value[1:-1] for name, _, value in _ATTRIBUTE.findall(match[0])}
        start, stop = stated.get("start", ""), stated.get("end", "")
        known = start.isdecimal() and stop.isdecimal()
        quoted = text[int(start) : int(stop)].replace("\n", " ") if known else ""

        def attribute(one: re.Match[str]) -> str:
            if one[1] in _KEPT:
                return one[0]
            value = escape(quoted, {'"': "&quot;"}) if one[1] == "text" else ""
            return f'{one[1]}{one[2]}"{value}"'

        return _ATTRIBUTE.sub(attribute, match[0])

    return _START.sub(tag, tags)


def _same(place: str, i: int) -> str:
    return place


def _no_column(place: str, name: str) -> list[str | None]:
    raise BadInput("an i2b2 file has no columns", where=place)
