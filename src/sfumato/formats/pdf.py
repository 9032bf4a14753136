"""PDF: the text of a page is a document; a release is made anew from text alone.

Nothing of the original file is kept: no fonts, pictures, forms, notes, layers, history or
properties. Lines stay lines, in one fixed font; `.txt` releases the pages as text, with a form feed
between two. A page of pictures without text (a scan) is refused: what it shows cannot be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sfumato.core.errors import BadInput, NotInstalled
from sfumato.formats.source import Source, filled

if TYPE_CHECKING:
    from sfumato.formats.source import Columns, Piece, Texts

_SIZE, _LEAD, _MARGIN = 10, 12, 50
_WIDE, _HIGH = 595, 842
_STAR = "★"


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "pdf",
    text_column: Columns = None,
    group_column: str | None = None,
) -> Source:
    """The pages of a PDF file, one document each."""
    if text_column or group_column is not None:
        remedy = "leave out text_column and group_column"
        raise BadInput("a PDF file has no columns", where=place, remedy=remedy)
    texts: list[str | None] = list(pages(raw, place))

    def where(i: int) -> str:
        return f"{place}, page {i + 1}"

    def kept(new: Texts) -> list[str]:
        pairs = zip(texts, new, strict=True)
        return filled(old if after is None else after for old, after in pairs)

    def pieces(new: Texts) -> Iterator[Piece]:
        yield made(kept(new), place)

    def as_text(new: Texts) -> Iterator[Piece]:
        yield "\f".join(kept(new)).encode()

    def column(name: str) -> list[str | None]:
        raise BadInput("a PDF file has no columns", where=place)

    return Source(
        *(place, format, texts, None, (), column, where, pieces), others={"text": as_text}
    )


def pages(raw: bytes, place: str) -> Iterator[str]:
    """The text of every page; a page that is a picture is refused."""
    try:
        import pypdfium2
        import pypdfium2.raw as pdfium
    except ImportError:
        remedy = "install it: pip install 'sfumato[pdf]'"
        raise NotInstalled("PDF needs pypdfium2", where=place, remedy=remedy) from None
    try:
        file = pypdfium2.PdfDocument(raw)
    except pypdfium2.PdfiumError:
        problem = "is no PDF file, damaged, or protected by a password"
        raise BadInput(problem, where=place, remedy="make it again without protection") from None
    try:
        for number in range(len(file)):
            page = file[number]
            text = _text(page)
            kinds = {one.type for one in page.get_objects(max_depth=4)}
            if not text.strip() and pdfium.FPDF_PAGEOBJ_IMAGE in kinds:
                raise BadInput(
                    "the page is a picture without text (a scan), which cannot be read",
                    where=f"{place}, page {number + 1}",
                    remedy="recognise its text first (OCR), or take the page out",
                )
            yield text
    except pypdfium2.PdfiumError:
        remedy = "make the file again, or take the page out"
        raise BadInput("a page is damaged", where=place, remedy=remedy) from None
    finally:
        file.close()


_PRIVATE = re.compile("[\ue000-\uf8ff]")


def _text(page: Any) -> str:
    """The characters of a page, line by line."""
    text = page.get_textpage().get_text_bounded().replace("\r\n", "\n").replace("\r", "\n")
    text = text.replace("\ufffe", "-").replace("\x02", "-")  # a hyphen at a line's end
    text = _PRIVATE.sub("\u2022", text)  # what only its font can show: bullets of lists
    plain = "".join(one for one in text if one in "\n\t" or ord(one) >= 32)
    return "\n".join(line.rstrip() for line in plain.split("\n")).strip("\n")


def made(texts: list[str], place: str) -> bytes:
    """A plain PDF file with these pages, as wide and high as they need.

    >>> made(["calm"], "a.pdf")[:8]
    b'%PDF-1.4'
    """
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    objects.append(
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"
    )
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>")
    kids = []
    for number, text in enumerate(texts):
        lines = text.split("\n")
        wide = max(_WIDE, 2 * _MARGIN + max(map(len, lines)) * _SIZE * 6 // 10 + _SIZE)
        high = max(_HIGH, 2 * _MARGIN + len(lines) * _LEAD)
        content = _content(lines, high, f"{place}, page {number + 1}")
        objects.append(b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents %d 0 R"
            b" /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>" % (wide, high, len(objects))
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Kids [%b] /Count %d >>" % (b" ".join(kids), len(kids))
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, one in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, one)
    begin = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(places) + 1,
        begin,
    )
    return bytes(out)


def _content(lines: list[str], high: int, where: str) -> bytes:
    """The lines of a page as its operators; stars stand in the font that has them."""
    out = []
    for number, line in enumerate(lines):
        down = high - _MARGIN - number * _LEAD
        for column, font, text in _stretches(line):
            left = _MARGIN + column * _SIZE * 6 / 10
            try:
                raw = text.replace("\t", " ").encode("cp1252")
            except UnicodeEncodeError:
                raise BadInput(
                    "a symbol is in no font of plain PDF",
                    where=where,
                    remedy="release the file as .txt, or choose another mask (--mask '*')",
                ) from None
            for special in (b"\\", b"(", b")"):
                raw = raw.replace(special, b"\\" + special)
            size = _SIZE if font == b"F1" else 7
            out.append(b"BT /%b %d Tf %.1f %d Td (%b) Tj ET" % (font, size, left, down, raw))
    return b"\n".join(out)


def _stretches(line: str) -> Iterator[tuple[int, bytes, str]]:
    """A line cut where the font changes: where each piece begins, its font and its characters.

    >>> list(_stretches("a ★★"))
    [(0, b'F1', 'a '), (2, b'F2', 'H'), (3, b'F2', 'H')]
    """
    begin = 0
    for at, symbol in enumerate(line):
        if symbol == _STAR:
            if at > begin:
                yield begin, b"F1", line[begin:at]
            yield at, b"F2", "H"
            begin = at + 1
    if begin < len(line):
        yield begin, b"F1", line[begin:]
