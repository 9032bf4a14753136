"""The XML of the i2b2 de-identification tasks, one document a file: TEXT changes, TAGS follow.

A file is one element with a TEXT, and a TAGS whose elements mark stretches of it; anything else
(comments, instructions, other elements, texts between them) is refused, because what people wrote
there may tell what the release hides.

A tag quotes the text it marks. Where the released text has its old length, offsets stay right:
every tag is written anew, its `text` quoted from the release; `comment` is emptied, and attributes
that the tasks do not have are dropped. Where the length differs, offsets are wrong and the tags are
dropped; in a folder those of all files then, because tags would show which texts did not change.
The TEXT is one section of CDATA. All other bytes stay.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from sfumato.core.errors import BadInput
from sfumato.core.printed_form import by_sizes
from sfumato.formats.markup import FORBIDDEN, Token, replaced, tokens
from sfumato.formats.source import Source

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from sfumato.formats.source import Columns, Piece, Texts

# The elements and types of the task of 2014, which tell nothing of a text.
_NAMES = """
    NAME PROFESSION LOCATION AGE DATE CONTACT ID OTHER PHI PATIENT DOCTOR USERNAME ROOM DEPARTMENT
    HOSPITAL ORGANIZATION STREET CITY STATE COUNTRY ZIP LOCATION-OTHER PHONE FAX EMAIL URL IPADDR
    SSN MEDICALRECORD HEALTHPLAN ACCOUNT LICENSE VEHICLE DEVICE BIOID IDNUM
"""
_KINDS = frozenset(_NAMES.split())
_TYPE = re.compile(r"[A-Z][A-Z0-9_-]{0,40}")
_ID = re.compile(r"[A-Z]{0,3}[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Document:
    """The text of a file, the places of its two elements, and its tags with their depths."""

    __repr__ = by_sizes

    raw: bytes
    place: str
    text: str
    body: tuple[int, int]
    tags: tuple[int, int] | None
    marks: list[tuple[int, Token]]

    def written(self, new: str | None, *, tags: bool) -> bytes:
        """The file with another text (None: the same); without `tags` they are dropped."""
        text = self.text if new is None else new
        if FORBIDDEN.search(text) or "\r" in text:
            problem = "the new text has a control symbol, which XML does not keep"
            raise BadInput(problem, where=self.place, remedy="choose another mask")
        made = {self.body: _body(text)}
        if self.tags is not None:
            made[self.tags] = _tags(self, text) if tags else "<TAGS>\n</TAGS>"
        edits = ((*at, _with_line_ends(self.raw[slice(*at)], made[at])) for at in made)
        return replaced(self.raw, edits)


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
    >>> source.texts, b"".join(source.pieces(["*** is ill."]))[-60:]
    (['Ann is ill.'], b'<NAME start="0" end="3" text="***" comment="" />\\n</TAGS></d>')
    """
    if text_column or group_column is not None:
        remedy = "name no column"
        raise BadInput("an i2b2 file has no columns", where=place, remedy=remedy)
    document = document_of(raw, place)

    def pieces(new: Texts) -> Iterator[Piece]:
        [after] = new
        yield document.written(after, tags=after is None or len(after) == len(document.text))

    where, column = partial(_same, place), partial(_no_column, place)
    return Source(place, format, [document.text], None, (), column, where, pieces)


def document_of(raw: bytes, place: str) -> Document:
    """Walks a file, and refuses what is not understood.

    >>> document_of(b"<d><TEXT>Ann &amp; Bo</TEXT></d>", "a.xml").text
    'Ann & Bo'
    """
    path: list[Token] = []
    text: list[str] = []
    places: dict[str, tuple[int, int]] = {}
    marks: list[tuple[int, Token]] = []
    for token in tokens(raw, place):
        found = _not_understood(token, path, places)
        if found is not None:
            line = 1 + raw.count(b"\n", 0, token.start)
            raise BadInput(
                f"found {found}, which is not understood and might tell of the text",
                where=f"{place}, line {line}",
                remedy="remove it; the files of the i2b2 tasks have one TEXT and one TAGS",
            )
        if token.kind == "open":
            path.append(token)
            if len(path) > 2:
                marks.append((len(path) - 3, token))
        elif token.kind == "close":
            opened = path.pop()
            if len(path) == 1:
                places[token.name] = opened.start, token.stop
        elif token.kind == "text" and len(path) == 2 and path[1].name == "TEXT":
            text.append(token.name)
    if "TEXT" not in places:
        remedy = "give the files of the i2b2 tasks; other XML is not read"
        raise BadInput("expected one element TEXT", where=place, remedy=remedy)
    return Document(raw, place, "".join(text), places["TEXT"], places.get("TAGS"), marks)


def _not_understood(token: Token, path: list[Token], places: Container[str]) -> str | None:
    """What a piece of the file is, if it is nothing that such a file has."""
    inside = path[1].name if len(path) > 1 else None
    if token.kind == "open":
        if len(path) == 1 and (token.name not in ("TEXT", "TAGS") or token.name in places):
            return "another element, or a second TEXT or TAGS"
        if inside == "TEXT":
            return "an element inside TEXT"
        # Those of TAGS are written anew without attributes, and its elements with known ones.
        if token.attributes and inside is None and token.name != "TAGS":
            return "an attribute of the file's own elements"
    elif token.kind in ("comment", "instruction"):
        return "a comment" if token.kind == "comment" else "a processing instruction"
    elif token.kind == "cdata" or (token.kind == "text" and token.name.strip()):
        return None if inside == "TEXT" else "text outside TEXT"
    return None


def _with_line_ends(old: bytes, new: str) -> bytes:
    """The new text with the line ends of the old one, which XML does not tell apart."""
    return (new.replace("\n", "\r\n") if b"\r\n" in old else new).encode()


def _body(text: str) -> str:
    return "<TEXT><![CDATA[{}]]></TEXT>".format(text.replace("]]>", "]]]]><![CDATA[>"))


def _tags(document: Document, text: str) -> str:
    """The tags with what they quote taken from another text of the same length."""
    lines, open_tags = ["<TAGS>"], list[str]()
    depths = [depth for depth, _ in document.marks]
    after = [*depths[1:], 0] if depths else []
    for (depth, token), following in zip(document.marks, after, strict=True):
        if not _is_told(token.name, document.text, text):
            problem = "a tag has a name that the release hides in the text"
            raise BadInput(problem, where=document.place, remedy="rename the tag")
        stated = "".join(
            f" {name}={quoteattr(value)}"
            for name, value in _attributes(token, document.text, text, document.place)
        )
        lines.append(f"<{token.name}{stated}{'>' if following > depth else ' />'}")
        if following > depth:
            open_tags.append(token.name)
        lines += [f"</{open_tags.pop()}>" for _ in range(depth - following) if open_tags]
    return "\n".join([*lines, "</TAGS>"])


def _attributes(token: Token, old: str, new: str, place: str) -> Iterator[tuple[str, str]]:
    """The attributes of a tag that the tasks have, with values that tell nothing hidden."""
    stated = token.attributes
    edges = [stated[name] for name in ("start", "end") if name in stated]
    if edges and not (
        len(edges) == 2
        and all(one.isascii() and one.isdecimal() for one in edges)
        and int(edges[0]) <= int(edges[1]) <= len(old)
    ):
        problem = "a tag's start and end are no places of the text"
        raise BadInput(problem, where=place, remedy="repair the tag")
    for name, value in stated.items():
        if name in ("start", "end"):
            yield name, value
        elif name == "text":
            yield name, new[slice(*map(int, edges))].replace("\n", " ") if edges else ""
        elif name in ("id", "TYPE"):
            shape = _ID if name == "id" else _TYPE
            yield name, value if shape.fullmatch(value) and _is_told(value, old, new) else ""
        elif name == "comment":
            yield name, ""


def _is_told(word: str, old: str, new: str) -> bool:
    """Whether a name or number beside the text tells nothing that the text no longer does."""
    if word.upper() in _KINDS:
        return True
    whole = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)
    return whole.search(old) is None or whole.search(new) is not None


def _same(place: str, i: int) -> str:
    return place


def _no_column(place: str, name: str) -> list[str | None]:
    raise BadInput("an i2b2 file has no columns", where=place)
