"""Web pages: the text of a block is a document, and so is an attribute that people read.

A release is written anew from tags, text and a few plain attributes: tags that are not of HTML,
other attributes (addresses of links and pictures, names, styles, classes), scripts, styles,
comments and everything else that nobody reads on the page are not in it. Formats inside a block
(bold, links) stay where they were. Letters beyond ASCII are written by their numbers, so that no
reader mistakes the encoding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.core.printed_form import by_sizes
from sfumato.formats.shares import shares
from sfumato.formats.source import BOM, Source

if TYPE_CHECKING:
    from sfumato.formats.source import Columns, Piece, Texts


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_INLINE = _names(
    "a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span"
    " strike strong sub sup time tt u var wbr"
)
BLOCKS = _names(
    "address article aside blockquote body br button caption center col colgroup dd details dialog"
    " div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html img"
    " input legend li main menu nav ol optgroup option p pre section select summary table tbody td"
    " textarea tfoot th thead title tr ul"
)
_VOID = frozenset(("br", "col", "hr", "img", "input", "wbr"))
_DROPPED = _names(
    "script style template noscript iframe object applet audio video canvas map frameset"
)
_BARE = frozenset(("title", "textarea"))  # which hold characters and no tags
# Attributes that people read on the page, or have read to them.
READ = _names("alt title placeholder label summary aria-label aria-description value abbr")
_NUMBER, _LANGUAGE = re.compile("[0-9]{1,4}%?"), re.compile("[A-Za-z]{2,3}(-[A-Za-z]{2})?")
_PLAIN: dict[str, re.Pattern[str]] = {
    **dict.fromkeys(("colspan", "rowspan", "start", "border", "width", "height"), _NUMBER),
    "lang": _LANGUAGE,
    "dir": re.compile("ltr|rtl|auto"),
    "align": re.compile("left|right|center|justify"),
    "type": re.compile("[1aAiI]|text|checkbox|radio|button|submit"),
    "scope": re.compile("row|col|rowgroup|colgroup"),
}


@dataclass(slots=True)
class Page:
    """What a page is written from: strings as they are, and shares of its texts."""

    __repr__ = by_sizes

    texts: list[str] = field(default_factory=list)
    lengths: list[list[int]] = field(default_factory=list)
    """Of each text: how long its pieces are."""
    items: list[str | tuple[int, int]] = field(default_factory=list)
    """Strings, and the pieces of texts by text and number."""

    def written(self, new: Mapping[int, str]) -> bytes:
        """The page with other texts."""
        parts = [
            shares(text, new.get(i, text), lengths)
            for i, (text, lengths) in enumerate(zip(self.texts, self.lengths, strict=True))
        ]
        made = [
            one if isinstance(one, str) else escape(parts[one[0]][one[1]]) for one in self.items
        ]
        return "".join(made).encode("ascii", "xmlcharrefreplace")


class _Reader(HTMLParser):
    """Fills a page; whatever it mistakes for text is a text, and whatever else is not written."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page, self._open, self._skip = Page(), list[tuple[int, str]](), list[str]()
        self._bare = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._skip:
            if tag == self._skip[-1]:
                self._skip.append(tag)
            return
        if self._bare and tag != self._bare:  # what looks like a tag there is none to a browser
            return
        if tag in _DROPPED:
            self._skip.append(tag)
            return
        if tag in BLOCKS:
            self.end_block()
        self._bare = tag if tag in _BARE else ""
        if tag in _INLINE or tag in BLOCKS:
            self.page.items.extend([f"<{tag}", *self._attributes(tag, attrs), ">"])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _DROPPED:
            self.handle_starttag(tag, attrs)

    def _attributes(
        self, tag: str, attrs: list[tuple[str, str | None]]
    ) -> Iterator[str | tuple[int, int]]:
        for name, value in dict(attrs).items():
            if name in _PLAIN and value and _PLAIN[name].fullmatch(value):
                yield f' {name}="{value}"'
            elif name in READ and value:
                yield f' {name}="'
                yield self._alone(value)
                yield '"'

    def _alone(self, text: str) -> tuple[int, int]:
        """A text that is one piece: an attribute's. It stands before the block it is met in."""
        self.page.texts.append(text)
        self.page.lengths.append([len(text)])
        return len(self.page.texts) - 1, 0

    def handle_endtag(self, tag: str) -> None:
        if self._skip:
            if tag == self._skip[-1]:
                self._skip.pop()
            return
        if self._bare and tag != self._bare:
            return
        self._bare = ""
        if tag in BLOCKS and tag not in _VOID:
            self.end_block()
        if (tag in _INLINE or tag in BLOCKS) and tag not in _VOID:
            self.page.items.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if self._skip or not data:
            return
        self._open.append((len(self.page.items), data))
        self.page.items.append("")

    def handle_decl(self, decl: str) -> None:
        if decl.lower().startswith("doctype") and not self.page.items:
            self.page.items.append("<!DOCTYPE html>\n")

    def end_block(self) -> None:
        """What was met since the last block is one text, unless it is blank."""
        text = "".join(data for _, data in self._open)
        if text.strip():
            number = len(self.page.texts)
            self.page.texts.append(text)
            self.page.lengths.append([len(data) for _, data in self._open])
            for piece, (at, _) in enumerate(self._open):
                self.page.items[at] = (number, piece)
        else:
            for at, data in self._open:
                self.page.items[at] = "\n" if "\n" in data else " "
        self._open = []


def page_of(text: str) -> Page:
    """The texts of a page, and how it is written with others.

    >>> page = page_of('<p class="x">Ann <b>Mar</b>low</p><!-- Ann --><script>Ann</script>')
    >>> page.texts, page.written({0: "*** ******"})
    (['Ann Marlow'], b'<p>*** <b>******</b></p>')
    """
    reader = _Reader()
    reader.feed(text)
    reader.close()
    reader.end_block()
    return reader.page


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "html",
    text_column: Columns = None,
    group_column: str | None = None,
) -> Source:
    """The texts of a page, block by block.

    >>> source = read(b'<h1>Ann</h1><p>is <i>ill</i></p><img alt="Ann" src="ann.png">', "a.html")
    >>> source.texts, b"".join(source.pieces(["***", None, "***"]))
    (['Ann', 'is ill', 'Ann'], b'<h1>***</h1><p>is <i>ill</i></p><img alt="***">')
    """
    if text_column or group_column is not None:
        remedy = "leave out text_column and group_column"
        raise BadInput("a web page has no columns", where=place, remedy=remedy)
    try:
        page = page_of(raw[len(BOM) if raw.startswith(BOM) else 0 :].decode())
    except UnicodeDecodeError:
        remedy = "name the page's encoding (--encoding latin-1 or cp1252)"
        raise BadInput("is not valid UTF-8", where=place, remedy=remedy) from None
    if not page.texts:
        raise BadInput("the page has no text", where=place, remedy="give a page with text")

    def where(i: int) -> str:
        return f"{place}, text {i + 1}"

    def pieces(new: Texts) -> Iterator[Piece]:
        yield page.written({i: text for i, text in enumerate(new) if text is not None})

    def column(name: str) -> list[str | None]:
        raise BadInput("a web page has no columns", where=place)

    return Source(place, format, list(page.texts), None, (), column, where, pieces)
