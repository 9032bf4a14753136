"""Word documents: every paragraph is a document, its runs keep their formats.

Read are body, tables, text boxes, headers, footers, notes and comments, hidden text too. Tracked
deletions, authors, revision ids, field codes, targets of links, bookmarks, properties, alternative
texts, pictures and whatever is not read are taken out; what was inserted stays as text. Elements
keep their bytes otherwise, and parts without text are not touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from sfumato.core.errors import BadInput
from sfumato.core.printed_form import by_sizes
from sfumato.formats.hidden_words import hidden_words, words
from sfumato.formats.markup import FORBIDDEN, Token, edited_tag, replaced, tokens
from sfumato.formats.package import (
    TYPES,
    is_known,
    local,
    packed,
    parts_of,
    relations,
    relations_of,
    without,
)
from sfumato.formats.shares import shares
from sfumato.formats.source import Source
from sfumato.formats.word_names import STYLES, Names

if TYPE_CHECKING:
    from sfumato.formats.source import Columns, Piece, Texts

_MAIN = "word/document.xml"
# Parts that hold text, by the last word of the relation that leads to them, in their order.
_TEXTS = ("header", "footer", "footnotes", "endnotes", "comments")
_KEPT = re.compile(
    r"_rels/\.rels|word/(styles|numbering|settings|fontTable)\.xml|word/theme/theme[0-9]*\.xml"
)
_NAMED = re.compile(r"word/[a-z]+[0-9]*\.xml")
_SPACES = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
)
_MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"
# Elements that are taken out with all they hold.
_GONE = {
    *("del", "moveFrom", "delText", "delInstrText", "instrText", "fldChar", "sdtPr", "sdtEndPr"),
    *("bookmarkStart", "bookmarkEnd", "proofErr", "permStart", "permEnd", "object", "Fallback"),
    *("rPrChange", "pPrChange", "sectPrChange", "tblPrChange", "tcPrChange", "trPrChange"),
    *("tblGridChange", "tblPrExChange", "numberingChange", "cellIns", "cellDel", "cellMerge"),
    *(
        "moveFromRangeStart",
        "moveFromRangeEnd",
        "moveToRangeStart",
        "moveToRangeEnd",
        "printerSettings",
    ),
    *("customXmlInsRangeStart", "customXmlDelRangeStart", "customXmlPr", "smartTagPr", "ffData"),
    *("customXmlInsRangeEnd", "customXmlDelRangeEnd", "attachedTemplate", "tblCaption"),
    *(
        "tblDescription",
        "extLst",
        "contentPart",
        "divId",
        "hlinkClick",
        "hlinkHover",
        "imagedata",
        "pic",
    ),
}
# Elements whose tags are taken out; what they hold stays.
_BARE = {"ins", "moveTo", "smartTag", "customXml", "hyperlink", "fldSimple"}
_REFUSED = {"altChunk": "another file inside it", "subDoc": "a part in another file"}
_PICTURES = {"drawing", "pict"}
# Attributes that people write, or that tell who wrote and when.
_WRITTEN = {"descr", "title", "tooltip", "alt", "name", "author", "initials", "string", "instr"}
_TOLD = {
    "displacedByCustomXml",
    "date",
    "paraId",
    "textId",
    "dateUtc",
    "href",
    "tgtFrame",
    "docLocation",
    "spid",
    "gfxdata",
}
_SETTINGS = {
    *("zoom", "defaultTabStop", "evenAndOddHeaders", "characterSpacingControl", "footnotePr"),
    *("endnotePr", "compat", "themeFontLang", "clrSchemeMapping", "decimalSymbol", "listSeparator"),
    *("mirrorMargins", "autoHyphenation", "hyphenationZone", "displayBackgroundShape"),
}
_SYMBOLS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\u2011"}
_SILENT = {"softHyphen", "footnoteRef", "endnoteRef", "annotationRef", "separator"}
_NUMBER = re.compile(r"[\s\d.,%-]*")
_SIDES = frozenset(("left", "right", "center", "top", "bottom", "inside", "outside"))


@dataclass(slots=True)
class _Place:
    """A piece of a paragraph's text: a w:t, or an element that stands for one character."""

    __repr__ = by_sizes

    part: str
    start: int
    stop: int
    text: str
    prefix: str
    is_symbol: bool = False


@dataclass(slots=True)
class _Paragraph:
    __repr__ = by_sizes

    pieces: list[_Place] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "docx",
    text_column: Columns = None,
    group_column: str | None = None,
) -> Source:
    """The paragraphs of a Word document, one document each; empty ones are none."""
    if text_column or group_column is not None:
        remedy = "leave out text_column and group_column"
        raise BadInput("a Word document has no columns", where=place, remedy=remedy)
    parts = parts_of(raw, place, "docx")
    if not {_MAIN, TYPES, relations_of("")} <= parts.keys():
        problem = "is no Word document, or damaged"
        raise BadInput(problem, where=place, remedy="open it in Word and save it as .docx again")
    named = [_MAIN, *_linked_parts(parts, place)]
    if not all(_NAMED.fullmatch(name) for name in named):
        raise BadInput("a part has an unusual name", where=place, remedy="save it as .docx again")
    names = Names(parts.get(STYLES, b""), place)
    found: list[_Paragraph] = []
    edits = {name: _walk(name, parts[name], found, names, place) for name in named}
    paragraphs = [one for one in found if one.text]
    texts: list[str | None] = [one.text for one in paragraphs]

    def where(i: int) -> str:
        return f"{place}, paragraph {i + 1}"

    def pieces(new: Texts) -> Iterator[Piece]:
        hidden = hidden_words(texts, new)
        made = {name: list(one) for name, one in edits.items()}
        for i, (paragraph, after) in enumerate(zip(paragraphs, new, strict=True)):
            text = paragraph.text if after is None else after
            if FORBIDDEN.search(text) or "\r" in text:
                problem = "the new text has a control symbol, which XML does not keep"
                raise BadInput(problem, where=where(i), remedy="choose another mask")
            for piece, new_text in _divided(paragraph, text):
                made[piece.part].append((piece.start, piece.stop, new_text))
        written = {name: replaced(parts[name], _outer(made[name])) for name in named}
        for name, content in parts.items():
            if name == "word/settings.xml":
                content = without(content, place, _of_settings)
            if _KEPT.fullmatch(name) and name.endswith(".xml"):
                _require_unquoted(content, hidden, place)
                written[name] = names.part(name, content)
        stay = {*named, *map(relations_of, named)}
        yield packed(raw, written, lambda one: one in stay or bool(_KEPT.fullmatch(one)), place)

    def column(name: str) -> list[str | None]:
        raise BadInput("a Word document has no columns", where=place)

    return Source(place, format, texts, None, (), column, where, pieces)


def _linked_parts(parts: Mapping[str, bytes], place: str) -> list[str]:
    """The parts with text that the document leads to, in the order of their kinds and names."""
    links = relations(parts, _MAIN, place).values()
    found = [(_TEXTS.index(kind), part) for kind, part in links if kind in _TEXTS]
    return [part for _, part in sorted(set(found)) if part in parts]


def _walk(
    name: str, raw: bytes, found: list[_Paragraph], names: Names, place: str
) -> list[tuple[int, int, bytes]]:
    """Adds the paragraphs of a part, and gives what must be edited whatever the texts are."""
    walk = _Walk(name, raw, found, names, place)
    for token in tokens(raw, place, spaces=True):
        walk.take(token)
    return walk.edits


class _Walk:
    """One way through a part of the document."""

    def __init__(
        self, name: str, raw: bytes, found: list[_Paragraph], names: Names, place: str
    ) -> None:
        self.name, self.raw, self.found, self.place = name, raw, found, place
        self.names = names
        self.path: list[Token] = []
        self.inside: list[_Paragraph] = []
        self.text: list[str] = []
        self.gone: int | None = None
        """How deep the element stands that is being taken out."""
        self.pictures: list[tuple[int, int]] = []
        """Of open pictures: their depth, and how many paragraphs there were before them."""
        self.edits: list[tuple[int, int, bytes]] = []

    def take(self, token: Token) -> None:
        kind = token.kind
        if kind == "open":
            self._opened(token)
            self.path.append(token)
        elif kind == "close":
            self._closed(self.path.pop(), token)
        elif self.gone is not None:
            return
        elif kind == "text":
            if self.path and _is_text(self.path[-1]):
                self.text.append(token.name)
            elif not _NUMBER.fullmatch(token.name) and not self._is_layout(token.name):
                raise self._not_understood("text outside paragraphs")
        elif kind in ("comment", "instruction"):
            self.edits.append((token.start, token.stop, b""))

    def _opened(self, token: Token) -> None:
        if self.gone is not None:
            return
        name = local(token)
        if name in _REFUSED:
            raise self._not_understood(_REFUSED[name])
        if name in _GONE or not is_known(token.name.rpartition(" ")[0]):
            self.gone = len(self.path)
            return
        start, stop = token.start, token.stop
        if name in _PICTURES:
            self.pictures.append((len(self.path), len(self.found)))
        if name == "p" and _is_word(token):
            self.inside.append(_Paragraph())
            self.found.append(self.inside[-1])
        elif _is_text(token):
            self.text = []
        elif name in _BARE:
            self.edits.append((start, stop, b""))
            return
        edited = edited_tag(self.raw[start:stop], self._attribute(token))
        if edited != self.raw[start:stop]:
            self.edits.append((start, stop, edited))

    def _attribute(self, token: Token) -> Callable[[str, str], str | None]:
        """What becomes of an attribute: the same value, another, nothing ("") or it goes (None)."""
        named = self.names.attribute(token)

        def becomes(name: str, value: str) -> str | None:
            own = name.rpartition(":")[2]
            if not name.startswith("xmlns") and (own in _TOLD or own.startswith("rsid")):
                return None
            return "" if own in _WRITTEN and not name.startswith("xmlns") else named(name, value)

        return becomes

    def _closed(self, opened: Token, token: Token) -> None:
        depth = len(self.path)
        if self.gone is not None:
            if self.gone == depth:
                self.gone = None
                self.edits.append((opened.start, token.stop, b""))
            return
        name = local(opened)
        if name in _BARE:
            self.edits.append((token.start, token.stop, b""))
        elif name in _PICTURES:
            _, before = self.pictures.pop()
            if len(self.found) == before:  # a picture, a chart: nothing to read
                self.edits.append((opened.start, token.stop, b""))
        elif name == "p" and _is_word(opened):
            self.inside.pop()
        elif _is_text(opened):
            self._add(opened, token, "".join(self.text))
        elif name in _SYMBOLS and _is_word(opened) and self.path and local(self.path[-1]) == "r":
            self._add(opened, token, _SYMBOLS[name], is_symbol=True)
        elif name == "sym" and _is_word(opened):
            self.edits.append((opened.start, token.stop, b""))

    def _is_layout(self, word: str) -> bool:
        """Whether a word says where a drawing stands."""
        return bool(self.path) and local(self.path[-1]) == "align" and word.strip() in _SIDES

    def _add(self, opened: Token, token: Token, text: str, is_symbol: bool = False) -> None:
        if not self.inside:
            raise self._not_understood("text outside paragraphs")
        prefix = self.raw[opened.start + 1 : opened.stop].partition(b":")
        head = prefix[0].decode() + ":" if prefix[1] and b" " not in prefix[0] else ""
        place = _Place(self.name, opened.start, token.stop, text, head, is_symbol)
        self.inside[-1].pieces.append(place)

    def _not_understood(self, what: str) -> BadInput:
        remedy = "save it as .docx again, or remove it"
        return BadInput(f"the document has {what}", where=self.place, remedy=remedy)


def _is_word(token: Token) -> bool:
    return token.name.rpartition(" ")[0] in _SPACES


def _is_text(token: Token) -> bool:
    space, _, name = token.name.rpartition(" ")
    return name == "t" and (space in _SPACES or space == _MATH)


def _divided(paragraph: _Paragraph, new: str) -> Iterator[tuple[_Place, bytes]]:
    """The pieces of a paragraph, each with the bytes of its share of the new text."""
    lengths = [len(piece.text) for piece in paragraph.pieces]
    parts = shares(paragraph.text, new, lengths)
    for piece, text in zip(paragraph.pieces, parts, strict=True):
        if piece.is_symbol and piece.text == text:
            continue
        yield piece, _written(text, piece.prefix)


def _written(text: str, prefix: str) -> bytes:
    """A text as elements of a run: tabs and line ends have their own."""
    made = []
    for part in re.split("([\t\n])", text):
        if part in ("\t", "\n"):
            made.append(f"<{prefix}{'tab' if part == chr(9) else 'br'}/>")
        elif part:
            made.append(f'<{prefix}t xml:space="preserve">{escape(part)}</{prefix}t>')
    return "".join(made or [f"<{prefix}t/>"]).encode()


def _outer(edits: list[tuple[int, int, bytes]]) -> list[tuple[int, int, bytes]]:
    """Without edits inside what is taken out."""
    kept: list[tuple[int, int, bytes]] = []
    for one in sorted(edits, key=lambda edit: (edit[0], -edit[1])):
        if not kept or one[0] >= kept[-1][1] or kept[-1][0] == kept[-1][1]:
            kept.append(one)
    return kept


def _of_settings(path: list[str], tag: Token) -> bool:
    return len(path) == 1 and local(tag) not in _SETTINGS


def _require_unquoted(raw: bytes, hidden: set[str], place: str) -> None:
    """Refuses lists whose numbers are written with a word which the release hides."""
    for token in tokens(raw, place, spaces=True):
        if token.kind != "open" or local(token) != "lvlText":
            continue
        if not words(" ".join(token.attributes.values())).isdisjoint(hidden):
            problem = "the numbers of a list are written with a hidden word"
            raise BadInput(problem, where=place, remedy="change the list")
