"""Documents read again by other code than wrote them: ElementTree, lxml, email, pdfium."""

from __future__ import annotations

import email
import io
import zipfile
from collections.abc import Iterator
from email.header import decode_header, make_header
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

if TYPE_CHECKING:
    from typing import BinaryIO, TextIO

    from sfumato.formats.read_options import ReadOptions


def i2b2(stream: TextIO, asked: ReadOptions) -> Iterator[str]:
    """The text of an i2b2 file."""
    text = stream.read()
    root = ElementTree.fromstring(text.encode())  # noqa: S314  what we wrote ourselves
    found = ["".join(one.itertext()) for one in root.iter("TEXT")]
    if len(found) != 1:
        raise ValueError
    yield from found


_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_PARTS = ("header", "footer", "footnotes", "endnotes", "comments")


def word(stream: BinaryIO, asked: ReadOptions) -> Iterator[str]:
    """The paragraphs of a Word document."""
    with zipfile.ZipFile(io.BytesIO(stream.read())) as archive:
        names = set(archive.namelist())
        listed = "word/_rels/document.xml.rels"  # a document that leads nowhere has none
        raw = archive.read(listed) if listed in names else b"<none/>"
        links = ElementTree.fromstring(raw)  # noqa: S314
        found = sorted(
            (_PARTS.index(kind), f"word/{one.get('Target', '')}".replace("word//", ""))
            for one in links
            if (kind := one.get("Type", "").rpartition("/")[2]) in _PARTS
        )
        for name in ["word/document.xml", *(part for _, part in found if part in names)]:
            root = ElementTree.fromstring(archive.read(name))  # noqa: S314
            for paragraph in root.iter(_WORD + "p"):
                yield "".join(_runs(paragraph))


def _runs(element: Any) -> Iterator[str]:
    """The characters of a paragraph, but for those of paragraphs inside it."""
    for one in element:
        name = one.tag.rpartition("}")[2]
        if one.tag == _WORD + "p":
            continue
        if name == "t":
            yield one.text or ""
        elif element.tag == _WORD + "r" and one.tag.startswith(_WORD):
            yield {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\u2011"}.get(name, "")
        yield from _runs(one)


def page(stream: TextIO, asked: ReadOptions) -> Iterator[str]:
    """The texts of a web page."""
    yield from page_texts(stream.read())


def page_texts(content: str) -> Iterator[str]:
    """The texts of a web page as lxml reads them; as our own reader does where it is missing.

    >>> [one for one in page_texts('<p title="calm">Ann <b>is</b> ill</p>well') if one]
    ['calm', 'Ann is ill', 'well']
    """
    from sfumato.formats.html import BLOCKS, READ, page_of

    try:
        from lxml import etree
    except ImportError:
        yield from page_of(content).texts
        return
    root = etree.HTML(content, etree.HTMLParser(huge_tree=True)) if content.strip() else None
    met: list[str] = []
    for event, element in () if root is None else etree.iterwalk(root, events=("start", "end")):
        if element.tag in BLOCKS and met:
            yield "".join(met)
            met = []
        if event == "start":
            yield from (one for name, one in element.attrib.items() if name in READ)
        met.append((element.text if event == "start" else element.tail) or "")
    yield "".join(met)


def mail(stream: BinaryIO, asked: ReadOptions) -> Iterator[str]:
    """The texts of a message."""
    yield from _message(email.message_from_bytes(stream.read()))


def mailbox(stream: BinaryIO, asked: ReadOptions) -> Iterator[str]:
    """The texts of all messages of a mailbox."""
    for one in stream.read().split(b"From - Thu Jan  1 00:00:00 1970\n")[1:]:
        yield from _message(email.message_from_bytes(one))


def _message(message: Any) -> Iterator[str]:
    from sfumato.formats.mail import HEADERS

    for name in HEADERS:
        for value in message.get_all(name, ()):
            yield str(make_header(decode_header(str(value))))
    if message.is_multipart():
        for one in message.get_payload():
            yield from _message(one)
    else:
        text = message.get_payload(decode=True).decode()
        yield from page_texts(text) if message.get_content_subtype() == "html" else [text]


def pages(stream: BinaryIO, asked: ReadOptions) -> Iterator[str]:
    """The texts of the pages of a PDF file, as pdfium reads them."""
    import pypdfium2

    file = pypdfium2.PdfDocument(stream.read())
    try:
        for number in range(len(file)):
            yield file[number].get_textpage().get_text_range().replace("\x02", "-")
    finally:
        file.close()


def text_pages(stream: TextIO, asked: ReadOptions) -> Iterator[str]:
    """The pages of a PDF file that was released as text."""
    yield from stream.read().split("\f")
