"""What was written is read again, by other code where there is any, before it gets its name.

Every text of the file must be the one that was released (the csv and json modules, Polars,
openpyxl, the XML of the standard library read it), and what the release hides must stand nowhere in
the parts of an archive. A file of which this does not hold is not released: exit code 4.
"""

from __future__ import annotations

import base64
import csv
import email
import hashlib
import io
import itertools
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from email.header import decode_header, make_header
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from sfumato.core.errors import NotVerified
from sfumato.formats.form import Form
from sfumato.formats.paths import steps_of
from sfumato.formats.source import filled, names_of

if TYPE_CHECKING:
    from typing import BinaryIO, TextIO

    from sfumato.formats.source import Columns, Texts

_LONG = 12
_FIELD = 1 << 30
_ROWS = 50_000
_HEADER = 1000


_PLAIN = Form(None)


@dataclass(frozen=True, slots=True)
class Asked:
    """How a source was read: its format, its text columns, and what the format's name says."""

    format: str
    columns: Columns = None
    said: Form = _PLAIN


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
    stream: BinaryIO, asked: Asked, packing: str | None, encoding: str, seal: Seal, place: str
) -> None:
    """Refuses a file whose texts are not those that were released.

    >>> seal = Seal()
    >>> seal.add(["c*lm"])
    >>> raw = io.BytesIO(b"id,note\\n1,c*lm\\n")
    >>> require_read_back(raw, Asked("csv", "note"), None, "utf-8", seal, "out.csv")
    >>> raw = io.BytesIO(b"id,note\\n1,calm\\n")
    >>> require_read_back(raw, Asked("csv", "note"), None, "utf-8", seal, "out.csv")
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
        except (ValueError, KeyError, csv.Error, ElementTree.ParseError, zipfile.BadZipFile):
            raise _wrong("the file was written and cannot be read again", place) from None
    if found != seal:
        raise _wrong("the file was read again and holds other texts than the release", place)


def require_gone(raw: bytes, old: Texts, new: Texts, place: str) -> None:
    """Refuses an archive in whose parts a text stands that the release changed.

    >>> require_gone(b"no archive", ["Ann Marlow is ill"], ["*"], "out.docx")
    """
    kept = "\n".join(filled(new))
    changed = {
        before.strip()
        for before, after in zip(old, new, strict=True)
        if before and after is not None and before != after and len(before.strip()) >= _LONG
    }
    wanted = [text for text in changed if text not in kept]
    if not wanted or not zipfile.is_zipfile(io.BytesIO(raw)):
        return
    from ahocorasick_rs import AhoCorasick

    search = AhoCorasick(wanted)
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        for name in archive.namelist():
            if name.startswith("xl/worksheets/") or name == "xl/sharedStrings.xml":
                continue  # other cells stay as they are
            if any(search.find_matches_as_indexes(text) for text in _readings(archive.read(name))):
                raise _wrong("a part of the file holds a text that the release changed", place)


def _readings(raw: bytes) -> Iterator[str]:
    """A part as bytes, and if it is XML its texts without tags and its attributes."""
    yield raw.decode("utf-8", "replace")
    try:
        root = ElementTree.fromstring(raw)  # noqa: S314  what we wrote ourselves
    except ElementTree.ParseError:
        return
    yield "".join(root.itertext())
    yield "\n".join(value for one in root.iter() for value in one.attrib.values())


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


def _text(stream: BinaryIO, asked: Asked, encoding: str) -> Any:
    """The characters of a text format; the bytes of another."""
    if asked.format not in _NEWLINES:
        return stream
    codec = "utf-8-sig" if encoding == "utf-8" else encoding
    return io.TextIOWrapper(stream, codec, newline=_NEWLINES[asked.format])


def _rows(stream: TextIO, asked: Asked) -> Iterator[list[str]]:
    """The fields of the text columns, record by record, as the csv module reads them."""
    names, text = names_of(asked.columns), iter(stream)
    limit = csv.field_size_limit(_FIELD)
    try:
        tried = asked.said.delimiter or ("\t" if asked.format == "tsv" else ",;|\t")
        for delimiter in tried:
            seen: list[str] = []
            rows: Iterator[list[str]] = csv.reader(_noted(text, seen), delimiter=delimiter)
            header = next((row for row in rows if row), [])
            if not asked.said.header:
                rows = itertools.chain([header], rows)
                header = [f"column_{i + 1}" for i in range(len(header))]
            if set(names) <= set(header):
                break
            text = itertools.chain(seen, text)
        else:
            raise ValueError
        places = sorted(header.index(name) for name in names)
        for row in rows:
            if row:
                yield [row[at] for at in places]
    except IndexError:
        raise ValueError from None
    finally:
        csv.field_size_limit(limit)


def _noted(lines: Iterable[str], seen: list[str]) -> Iterator[str]:
    """The lines, of which the first are kept: until the header is known."""
    for line in lines:
        if len(seen) < _HEADER:
            seen.append(line)
        yield line


def _fields(stream: TextIO, asked: Asked) -> Iterator[str]:
    for row in _rows(stream, asked):
        yield from row


def _json_lines(stream: TextIO, asked: Asked) -> Iterator[str]:
    names = names_of(asked.columns)
    for line in stream:
        if line.strip():
            record = _loaded(line)
            yield from _walked(record, [(n,) if n in record else steps_of(n) for n in names])


def _json(stream: TextIO, asked: Asked) -> Iterator[str]:
    paths = [steps_of(name) for name in names_of(asked.columns)]
    yield from _walked(_loaded(stream.read()), paths)


def _resources(stream: TextIO, asked: Asked) -> Iterator[str]:
    """The texts of FHIR resources: a bundle, or a resource a line."""
    from sfumato.formats.fhir_rules import read_rules

    rules, content = read_rules(asked.said.rules), stream.read()
    try:
        found = [json.loads(content)]
    except ValueError:
        found = [json.loads(line) for line in content.splitlines() if line.strip()]
    todo: list[tuple[tuple[str, ...], Any]] = [((), one) for one in reversed(found)]
    while todo:
        path, value = todo.pop()
        if isinstance(value, list):
            todo += [(path, one) for one in reversed(value)]
        elif isinstance(value, dict):
            path = (value["resourceType"],) if "resourceType" in value else path
            kind = value.get("contentType")
            inside = [((*path, name), one) for name, one in value.items()]
            if isinstance(kind, str) and isinstance(value.get("data"), str):
                text = _attached(base64.b64decode(value["data"]), kind)
                inside = [(at, text if at[-1] == "data" else one) for at, one in inside]
            todo += inside[::-1]
        elif isinstance(value, str) and len(path) > 1 and rules.action(path) == "text":
            yield value


def _loaded(text: str) -> Any:
    return json.loads(text, parse_int=str, parse_float=str, parse_constant=str)


def _walked(value: Any, paths: Sequence[tuple[str | None, ...]]) -> Iterator[str]:
    """The texts of a JSON value at the ends of paths, in the order of the file."""
    if isinstance(value, list):
        inner = [path[1:] for path in paths if path[:1] == (None,)]
        for one in value if inner else ():
            if isinstance(one, str) and () in inner:
                yield one
            else:
                yield from _walked(one, inner)
    elif isinstance(value, dict):
        for key, one in value.items():
            inner = [path[1:] for path in paths if path[:1] == (key,)]
            if isinstance(one, str) and () in inner:
                kind = value.get("contentType")
                is_attachment = key == "data" and isinstance(kind, str)
                yield _attached(base64.b64decode(one), str(kind)) if is_attachment else one
            elif inner:
                yield from _walked(one, inner)


def _attached(raw: bytes, kind: str) -> str:
    from email.message import Message

    stated = Message()
    stated["content-type"] = kind
    return raw.decode(str(stated.get_param("charset") or "utf-8"))


def _event_rows(stream: TextIO, asked: Asked) -> Iterator[str]:
    """The events of each person, as they are joined."""
    rows = csv.reader(stream)
    next(rows, None)
    for _, some in itertools.groupby((row for row in rows if row), lambda row: row[0]):
        if asked.said.timed:
            yield "\x1f".join(f"{_symbol(row[1:-1])}\x1e{row[-1]}" for row in some)
        else:
            yield "\x1f".join(_symbol(row[1:]) for row in some)


def _symbol(attributes: Sequence[str]) -> str:
    """A separator stands in the place of every attribute."""
    same = len(attributes) > 1 and len(set(attributes)) == 1 and len(attributes[0]) == 1
    return attributes[0] if same else " | ".join(attributes)


def _log(stream: BinaryIO, asked: Asked) -> Iterator[str]:
    root = ElementTree.fromstring(stream.read())  # noqa: S314  what we wrote ourselves
    for trace in root.iter("trace"):
        yield "\x1f".join(_event(one, asked.said.timed) for one in trace.findall("event"))


def _event(event: ElementTree.Element, timed: bool) -> str:
    symbol = _symbol([one.get("value", "") for one in event if one.tag == "string"])
    times = [one.get("value", "") for one in event if one.tag == "date"]
    return f"{symbol}\x1e{''.join(times)}" if timed else symbol


def _separated(stream: TextIO, asked: Asked) -> Iterator[str]:
    yield from stream.read().split(asked.said.separator)


def _lines(stream: TextIO, asked: Asked) -> Iterator[str]:
    yield from (line.rstrip("\n") for line in stream)


def _whole(stream: TextIO, asked: Asked) -> Iterator[str]:
    yield stream.read()


def _fasta(stream: TextIO, asked: Asked) -> Iterator[str]:
    sequence: list[str] = []
    for line in stream:
        if line.startswith(">"):
            yield "".join(sequence)
            sequence = []
        else:
            sequence.append(line)
    yield "".join(sequence)


def _parquet(stream: BinaryIO, asked: Asked) -> Iterator[str | None]:
    import polars as pl

    names = names_of(asked.columns)
    path = getattr(stream, "name", None)
    lazy = pl.scan_parquet(path if isinstance(path, str) else io.BytesIO(stream.read()))
    header = lazy.collect_schema().names()
    order = [name for name in header if name in names]
    if len(order) < len(names):
        paths = [(name,) if name in header else steps_of(name) for name in names]
        for record in lazy.collect().iter_rows(named=True):
            yield from _walked(record, paths)
        return
    begin = 0
    while (part := lazy.select(order).slice(begin, _ROWS).collect()).height:
        begin += _ROWS
        for row in part.cast(pl.String).iter_rows():
            yield from row


def _arrow(stream: BinaryIO, asked: Asked) -> Iterator[str | None]:
    import polars as pl

    frame = pl.read_ipc(io.BytesIO(stream.read()), use_pyarrow=False)
    order = [name for name in frame.columns if name in names_of(asked.columns)]
    for row in frame.select(order).cast(pl.String).iter_rows():
        yield from row


def _sheet(stream: BinaryIO, asked: Asked) -> Iterator[str]:
    try:
        import openpyxl
    except ImportError:
        return _own_sheet(stream, asked)
    return _opened_sheet(openpyxl.load_workbook(io.BytesIO(stream.read()), read_only=True), asked)


def _opened_sheet(book: Any, asked: Asked) -> Iterator[str]:
    if asked.said.sheet == "*":
        for one in book.worksheets:
            yield from _cells(one, asked, names_of(asked.columns))
        return
    sheet = book[asked.said.sheet] if asked.said.sheet is not None else book.worksheets[0]
    yield from _cells(sheet, asked)


def _cells(sheet: Any, asked: Asked, needed: Sequence[str] = ()) -> Iterator[str]:
    """The texts of a sheet; none if it lacks a column that is needed."""
    from sfumato.formats.sheet import decoded

    rows = (row for row in sheet.iter_rows(values_only=True) if any(c is not None for c in row))
    header = [None if cell is None else decoded([str(cell)]) for cell in next(rows, ())]
    if not set(needed) <= set(header):
        return
    places = [at for at, title in enumerate(header) if title in names_of(asked.columns)]
    for row in rows:
        yield from (decoded([str(row[at])]) for at in places if at < len(row) and row[at])


def _own_sheet(stream: BinaryIO, asked: Asked) -> Iterator[str]:
    from sfumato.formats import xlsx

    read = xlsx.read(stream.read(), "", text_column=asked.columns, sheet=asked.said.sheet)
    yield from read.filled


def _i2b2(stream: TextIO, asked: Asked) -> Iterator[str]:
    text = stream.read()
    root = ElementTree.fromstring(text.encode())  # noqa: S314  what we wrote ourselves
    found = [one.text or "" for one in root.iter("TEXT")]
    if len(found) != 1:
        raise ValueError
    yield from found


_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_PARTS = ("header", "footer", "footnotes", "endnotes", "comments")


def _word(stream: BinaryIO, asked: Asked) -> Iterator[str]:
    with zipfile.ZipFile(io.BytesIO(stream.read())) as archive:
        names = set(archive.namelist())
        links = ElementTree.fromstring(archive.read("word/_rels/document.xml.rels"))  # noqa: S314
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


def _page(stream: TextIO, asked: Asked) -> Iterator[str]:
    from sfumato.formats.html import page_of

    yield from page_of(stream.read()).texts


def _mail(stream: BinaryIO, asked: Asked) -> Iterator[str]:
    yield from _message(email.message_from_bytes(stream.read()))


def _mailbox(stream: BinaryIO, asked: Asked) -> Iterator[str]:
    for one in stream.read().split(b"From - Thu Jan  1 00:00:00 1970\n")[1:]:
        yield from _message(email.message_from_bytes(one))


def _message(message: Any) -> Iterator[str]:
    from sfumato.formats.html import page_of
    from sfumato.formats.mail import HEADERS

    for name in HEADERS:
        for value in message.get_all(name, ()):
            yield str(make_header(decode_header(str(value))))
    if message.is_multipart():
        for one in message.get_payload():
            yield from _message(one)
    else:
        text = message.get_payload(decode=True).decode()
        yield from page_of(text).texts if message.get_content_subtype() == "html" else [text]


def _pages(stream: BinaryIO, asked: Asked) -> Iterator[str]:
    from sfumato.formats.pdf import pages

    yield from pages(stream.read(), "")


def _text_pages(stream: TextIO, asked: Asked) -> Iterator[str]:
    yield from stream.read().split("\f")


# format: how its texts are read by other code than wrote them
OTHERS: dict[str, Callable[[Any, Asked], Iterator[str | None]]] = {
    "csv": _fields,
    "tsv": _fields,
    "jsonl": _json_lines,
    "json": _json,
    "fhir": _resources,
    "events": _event_rows,
    "xes": _log,
    "lines": _lines,
    "text": _whole,
    "separated": _separated,
    "fasta": _fasta,
    "parquet": _parquet,
    "arrow": _arrow,
    "xlsx": _sheet,
    "i2b2": _i2b2,
    "docx": _word,
    "html": _page,
    "mail": _mail,
    "mbox": _mailbox,
    "pdf": _pages,
    "pdf as text": _text_pages,
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
    "mail": lambda text: " ".join(text.split()),
    "mbox": lambda text: " ".join(text.split()),
    "pdf": lambda text: " ".join(text.split()),
    "i2b2": lambda text: text.replace("\r\n", "\n").replace("\r", "\n"),
}
