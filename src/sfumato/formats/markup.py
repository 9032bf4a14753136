"""XML with the places of all it consists of, so that parts of it can be written anew.

What XML calls entities and document types is refused: their texts stand elsewhere than they seem.
"""

from __future__ import annotations

import re
from html import unescape
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.parsers import expat
from xml.sax.saxutils import escape

from sfumato.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

_BLOCK = 1 << 16
_DEEPEST = 100
# What XML cannot hold, not even by its number.
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class Token(NamedTuple):
    """A piece of XML. `kind`: open, close, text, cdata, comment, instruction or other.

    `name` is that of the element; of a text its characters. An empty element `<a/>` is opened by
    all its bytes and closed by none.
    """

    kind: str
    name: str
    attributes: dict[str, str]
    start: int
    stop: int


def tokens(raw: bytes, place: str, *, spaces: bool = False) -> Iterator[Token]:
    """The pieces of an XML file in UTF-8, which together are all its bytes.

    With `spaces` a name is its namespace, a blank and the name without its prefix.
    Cost: O(bytes) time, the memory of a block.

    >>> [one[:2] for one in tokens(b"<a><b/>x</a>", "a.xml")]
    [('open', 'a'), ('open', 'b'), ('close', 'b'), ('text', 'x'), ('close', 'a')]
    """
    parser = expat.ParserCreate("UTF-8", " " if spaces else None)
    met: list[Token] = []
    _listen(parser, met, place)
    for begin in range(0, len(raw), _BLOCK):
        _fed(parser, raw[begin : begin + _BLOCK], False, place)
        for one, following in pairwise(met):
            yield one._replace(stop=following.start)
        del met[:-1]
    _fed(parser, b"", True, place)
    met.append(Token("other", "", {}, len(raw), len(raw)))
    for one, following in pairwise(met):
        yield one._replace(stop=following.start)


def _fed(parser: Any, block: bytes, final: bool, place: str) -> None:
    try:
        parser.Parse(block, final)
    except expat.ExpatError as problem:
        where = f"{place}, line {problem.lineno}"
        raise BadInput("is not well-formed XML", where=where, remedy="make it again") from None


def _listen(parser: Any, met: list[Token], place: str) -> None:
    """Lets the parser note every piece with its place."""

    def noted(kind: str, name: str = "", attributes: dict[str, str] | None = None) -> None:
        at = parser.CurrentByteIndex
        met.append(Token(kind, name, attributes or {}, at, at))

    depth = 0

    def opened(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise BadInput("elements are nested too deeply", where=place, remedy="make it again")
        noted("open", name, attributes)

    def closed(name: str) -> None:
        nonlocal depth
        depth -= 1
        noted("close", name)

    def declared(version: str, encoding: str | None, standalone: int) -> None:
        if encoding is not None and encoding.casefold() not in ("utf-8", "utf8"):
            remedy = "convert the file to UTF-8, and its declaration with it"
            raise BadInput("declares another encoding than UTF-8", where=place, remedy=remedy)
        noted("other")

    def refused(*_: object) -> None:
        raise BadInput("declares a document type or entities", where=place, remedy="remove them")

    parser.StartElementHandler, parser.EndElementHandler = opened, closed
    parser.CharacterDataHandler = lambda text: noted("text", text)
    parser.StartCdataSectionHandler = lambda: noted("cdata")
    parser.EndCdataSectionHandler = lambda: noted("cdata")
    parser.CommentHandler = lambda text: noted("comment", text)
    parser.ProcessingInstructionHandler = lambda target, text: noted("instruction", text)
    parser.XmlDeclHandler = declared
    parser.StartDoctypeDeclHandler = refused
    parser.DefaultHandler = lambda text: noted("other")


def replaced(raw: bytes, edits: Iterable[tuple[int, int, bytes]]) -> bytes:
    """The bytes with other ones at some places.

    >>> replaced(b"abc", [(1, 2, b"-"), (0, 0, b"+")])
    b'+a-c'
    """
    pieces, position = [], 0
    for start, stop, piece in sorted(edits):
        pieces += [raw[position:start], piece]
        position = stop
    return b"".join([*pieces, raw[position:]])


def without_attributes(tag: bytes, names: Collection[bytes]) -> bytes:
    """A start tag without some attributes, else as it was.

    >>> without_attributes(b'<row r="2" ht="30.5" x="a"/>', [b"ht"])
    b'<row r="2" x="a"/>'
    """
    return edited_tag(tag, lambda name, value: None if name.encode() in names else value)


def edited_tag(tag: bytes, becomes: Callable[[str, str], str | None]) -> bytes:
    """A start tag whose attributes get other values, or go (None); the same value keeps its bytes.

    >>> new = {"1": "1", "2": "<", "3": None}
    >>> edited_tag(b"<a x='1' y = '2' z='3'/>", lambda name, value: new[value])
    b'<a x=\\'1\\' y="&lt;"/>'
    """
    position = next(i for i, one in enumerate(tag) if one in b" \t\r\n/>")
    kept = [tag[:position]]
    while (equals := tag.find(b"=", position)) >= 0:
        quote = min(one for one in (tag.find(b'"', equals), tag.find(b"'", equals)) if one >= 0)
        end = tag.index(tag[quote : quote + 1], quote + 1) + 1
        name, value = (
            tag[position:equals].strip().decode(),
            unescape(tag[quote + 1 : end - 1].decode()),
        )
        new = becomes(name, value)
        if new == value:
            kept.append(tag[position:end])
        elif new is not None:
            quoted = escape(new, {'"': "&quot;"})
            kept.append(f' {name}="{quoted}"'.encode())
        position = end
    rest = tag[position:]
    return b"".join(kept) + rest
