"""What was written is read again, by other code where there is any, before it gets its name.

Every text of the file must be the one that was released, and what the release hides must stand
nowhere else in it. A file of which this does not hold is not released: exit code 4.
"""

from __future__ import annotations

import csv
import hashlib
import html
import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from sfumato.core.errors import NotVerified
from sfumato.formats import read_back_records as records
from sfumato.formats import read_back_tables as tables
from sfumato.formats.source import filled

if TYPE_CHECKING:
    from typing import BinaryIO

    from sfumato.formats.read_options import ReadOptions
    from sfumato.formats.source import Texts

    TextReader = Callable[[Any, ReadOptions], Iterator[str | None]]

_LONG = 12


class Seal:
    """The released texts as they are written, one after another: their number and their hash.

    Empty and missing texts are not told apart: some formats have one form for both.

    >>> one, other = Seal(), Seal()
    >>> one.add(["calm", None]), other.add(["", "calm"])
    (None, None)
    >>> one == other
    True
    """

    def __init__(self) -> None:
        self._hash, self.count = hashlib.sha256(), 0

    def add(self, texts: Iterable[str | None]) -> None:
        """Takes further texts."""
        for text in texts:
            if text:
                raw = text.encode("utf-8", "surrogatepass")
                self._hash.update(len(raw).to_bytes(8, "little") + raw)
                self.count += 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Seal) and self._hash.digest() == other._hash.digest()

    __hash__ = None  # type: ignore[assignment]


def expected(format: str, old: Texts, new: Texts) -> Iterator[str | None]:
    """The texts that a file will hold, in the form in which they are read again.

    >>> list(expected("fasta", ["ACGT", "AC"], [None, "A C"]))
    ['ACGT', 'AC']
    """
    form = _FORMS.get(format)
    for before, after in zip(old, new, strict=True):
        text = before if after is None else after
        yield form(text) if form and text else text


def require_read_back(
    stream: BinaryIO, asked: ReadOptions, packing: str | None, encoding: str, seal: Seal, place: str
) -> None:
    """Refuses a file whose texts are not those that were released.

    >>> from sfumato.formats.read_options import ReadOptions
    >>> seal = Seal()
    >>> seal.add(["c*lm"])
    >>> raw = io.BytesIO(b"id,note\\n1,c*lm\\n")
    >>> require_read_back(raw, ReadOptions("csv", "note"), None, "utf-8", seal, "out.csv")
    >>> raw = io.BytesIO(b"id,note\\n1,calm\\n")
    >>> require_read_back(raw, ReadOptions("csv", "note"), None, "utf-8", seal, "out.csv")
    Traceback (most recent call last):
    sfumato.core.errors.NotVerified: out.csv: the file was read again and holds other texts ...
    """
    read = OTHERS.get(asked.format)
    if read is None:
        return
    found, form = Seal(), _FORMS.get(asked.format)
    with _unpacked(stream, packing) as raw, _text(raw, asked, encoding) as content:
        try:
            for text in read(content, asked):
                found.add([form(text) if form and text else text])
        except (ValueError, KeyError, csv.Error, SyntaxError, zipfile.BadZipFile):
            # SyntaxError is what XML that cannot be parsed ends with.
            raise _wrong("the file was written and cannot be read again", place) from None
    if found != seal:
        raise _wrong("the file was read again and holds other texts than the release", place)


def require_gone(raw: bytes, format: str, old: Texts, new: Texts, place: str) -> None:
    """Refuses a file in whose parts a text stands that the release changed.

    Searched are formats of which all is a text's or nobody's; cells of other columns stay.

    >>> old, new = ["Ann Marlow is ill"], ["*"]
    >>> require_gone(b"<p>*</p>", "html", old, new, "out.html")
    >>> require_gone(b"<p>*</p><!-- Ann Marlow is ill -->", "html", old, new, "out.html")
    Traceback (most recent call last):
    sfumato.core.errors.NotVerified: out.html: a part of the file holds a text that ...
    """
    if format not in SEARCHED:
        return
    kept = "\n".join(filled(new))
    changed = {
        before.strip()
        for before, after in zip(old, new, strict=True)
        if before and after is not None and before != after and len(before.strip()) >= _LONG
    }
    wanted = [text for text in changed if text not in kept]
    if not wanted:
        return
    from ahocorasick_rs import AhoCorasick

    search = AhoCorasick(wanted)
    if any(search.find_matches_as_indexes(text) for text in SEARCHED[format](raw)):
        raise _wrong("a part of the file holds a text that the release changed", place)


def _archive(raw: bytes) -> Iterator[str]:
    """The parts of an archive as bytes, and of XML its texts without tags and its attributes."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        for name in archive.namelist():
            if name.startswith("xl/worksheets/") or name == "xl/sharedStrings.xml":
                continue  # other cells stay as they are
            yield from _markup(archive.read(name))


def _markup(raw: bytes) -> Iterator[str]:
    from xml.etree import ElementTree

    yield raw.decode("utf-8", "replace")
    try:
        root = ElementTree.fromstring(raw)  # noqa: S314  what we wrote ourselves
    except ElementTree.ParseError:
        return
    yield "".join(root.itertext())
    yield "\n".join(value for one in root.iter() for value in one.attrib.values())


def _page(raw: bytes) -> Iterator[str]:
    """A page with its entities resolved, and without its tags."""
    plain = html.unescape(raw.decode("utf-8", "replace"))
    yield plain
    yield re.sub("<[^>]*>", "", plain)


def _mail(raw: bytes) -> Iterator[str]:
    """A message, and the bodies of all its parts out of their transfer encoding."""
    import email

    yield raw.decode("utf-8", "replace")
    for one in email.message_from_bytes(raw).walk():
        content = one.get_payload(decode=True)
        if isinstance(content, bytes):
            yield from _page(content)


def _mailbox(raw: bytes) -> Iterator[str]:
    for one in raw.split(b"\nFrom - "):
        yield from _mail(one.partition(b"\n")[2])


def _plain(raw: bytes) -> Iterator[str]:
    yield raw.decode("cp1252", "replace")


def _wrong(problem: str, place: str) -> NotVerified:
    remedy = "nothing was written; this is a defect: report it"
    return NotVerified(problem, where=place, remedy=remedy)


def _unpacked(stream: BinaryIO, packing: str | None) -> BinaryIO:
    if packing == "gz":
        import gzip

        return gzip.GzipFile(fileobj=stream)  # type: ignore[return-value]
    if packing == "zip":
        with zipfile.ZipFile(stream) as archive:
            return io.BytesIO(archive.read(archive.namelist()[0]))
    if packing == "zst":
        import zstandard

        return zstandard.ZstdDecompressor().stream_reader(stream)
    return stream


def _text(stream: BinaryIO, asked: ReadOptions, encoding: str) -> Any:
    """The characters of a text format; the bytes of another."""
    if asked.format not in _NEWLINES:
        return stream
    codec = "utf-8-sig" if encoding == "utf-8" else encoding
    return io.TextIOWrapper(stream, codec, newline=_NEWLINES[asked.format])


def _document(kind: str) -> TextReader:
    """How a document is read again; what reads mails and XML is loaded for them alone."""

    def read(stream: BinaryIO, asked: ReadOptions) -> Iterator[str | None]:
        from sfumato.formats import read_back_documents as documents

        found: Iterator[str | None] = getattr(documents, kind)(stream, asked)
        return found

    return read


# format: how its texts are read by other code than wrote them
OTHERS: dict[str, TextReader] = {
    "csv": tables.fields,
    "tsv": tables.fields,
    "jsonl": records.json_lines,
    "json": records.json_texts,
    "fhir": records.resources,
    "events": tables.event_rows,
    "xes": records.log,
    "lines": records.lines,
    "text": records.whole,
    "separated": records.separated,
    "fasta": records.fasta,
    "parquet": tables.parquet,
    "arrow": tables.arrow,
    "xlsx": tables.sheet,
    "i2b2": _document("i2b2"),
    "docx": _document("word"),
    "html": _document("page"),
    "mail": _document("mail"),
    "mbox": _document("mailbox"),
    "pdf": _document("pages"),
    "pdf as text": _document("text_pages"),
}
# How the line ends of a text format are read.
_NEWLINES: dict[str, str | None] = {
    **dict.fromkeys(("csv", "tsv", "events", "json", "fhir", "text", "separated"), ""),
    **dict.fromkeys(("i2b2", "html", "pdf as text"), ""),
    **dict.fromkeys(("jsonl", "fasta"), "\n"),
    "lines": None,
}
# What two readers of a format may see differently.
_FORMS: dict[str, Callable[[str], str]] = {
    "fasta": lambda text: "".join(text.split()),
    "mail": lambda text: "".join(text.split()),
    "mbox": lambda text: "".join(text.split()),
    "html": lambda text: "".join(text.split()),
    "pdf": lambda text: "".join(text.split()),
    "i2b2": lambda text: text.replace("\r\n", "\n").replace("\r", "\n"),
}
# How all that a file of a format holds is searched.
SEARCHED: dict[str, Callable[[bytes], Iterator[str]]] = {
    **dict.fromkeys(("docx", "xlsx"), _archive),
    **dict.fromkeys(("i2b2", "xes"), _markup),
    "html": _page,
    "mail": _mail,
    "mbox": _mailbox,
    "pdf": _plain,
}
