"""The outside of a file: gzip, zstd or zip around it, and encodings other than UTF-8.

Every format sees plain UTF-8; what is read is unpacked and decoded here, what is written goes
back the same way. Packing depends on the content alone: no time, no file name in it.
"""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import itertools
import zipfile
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from sfumato.formats.source import Piece

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_BUFFER = 1 << 20
LARGE, TIMES = 1 << 26, 200  # text packs to a tenth; what unpacks to more than these is a bomb
_PIECE = 1 << 11  # of zstd: 128 KiB may come out of each four bytes


def split_name(name: str) -> tuple[str, str | None]:
    """The suffix that tells the format, and the packing around it.

    >>> split_name("notes.2024.jsonl.zst"), split_name("note.txt"), split_name("csv.gz")
    (('jsonl', 'zst'), ('txt', None), ('csv', 'gz'))
    """
    parts = name.lower().split(".")
    packing = parts.pop() if parts[-1] in ("gz", "zst", "zip") and len(parts) > 1 else None
    return parts[-1], packing


def unpack(raw: bytes, packing: str | None, place: str) -> bytes:
    """The content of a packed file; the first bytes must agree with the suffix.

    >>> unpack(gzip.compress(b"calm"), "gz", "note.txt.gz")
    b'calm'
    """
    if packing == "zip":
        return b"".join(_unzipped(io.BytesIO(raw), place, _BUFFER))
    found = _packing_of(raw)
    if found != packing:
        problem = f"not a .{packing} file" if packing else f"packed as .{found}, by its first bytes"
        remedy = "correct the suffix of its name (or the format)"
        raise BadInput(problem, where=place, remedy=remedy)
    try:
        if packing is None:
            return raw
        return b"".join(_blocks(io.BytesIO(raw), packing, place, _BUFFER))
    except BadInput:
        raise
    except (OSError, EOFError, zlib.error, ValueError):
        problem = f"the .{packing} file is damaged or cut short"
        raise BadInput(problem, where=place, remedy="make or fetch it again") from None


def _unzipped(stream: BinaryIO, place: str, size: int) -> Iterator[bytes]:
    """The one file of a zip archive in blocks, unless it is much too large for the archive."""
    packed, content = stream.seek(0, io.SEEK_END), 0
    try:
        with zipfile.ZipFile(stream) as archive:
            names = [one for one in archive.namelist() if not one.endswith("/")]
            if len(names) == 1:
                with archive.open(names[0]) as inner:
                    while block := inner.read(size):
                        content += len(block)
                        require_size(content, packed, place)
                        yield block
                return
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, zlib.error, EOFError):
        problem, remedy = "not a .zip file, damaged, or protected", "make or fetch it again"
        raise BadInput(problem, where=place, remedy=remedy) from None
    problem = f"expected one file in the .zip file, found {len(names)}"
    raise BadInput(problem, where=place, remedy="unpack it, and give a file or the folder")


def _packing_of(raw: bytes) -> str | None:
    if raw.startswith(_GZIP):
        return "gz"
    # A zstd file may begin with a skippable frame: 0x184D2A50 to 0x184D2A5F, little endian.
    skippable = raw[1:4] == b"\x2a\x4d\x18" and raw[0] & 0xF0 == 0x50
    return "zst" if raw.startswith(_ZSTD) or skippable else None


def require_size(content: int, packed: int, place: str) -> None:
    """Refuses a size bomb: much that comes out of little.

    >>> require_size(1 << 26, 10, "note.txt.gz")
    >>> require_size(1 << 27, 10, "note.txt.gz")
    Traceback (most recent call last):
        ...
    sfumato.core.errors.BadInput: note.txt.gz: its content is more than 200 times as large as the
    file; unpack it yourself if you trust it
    """
    if content > max(LARGE, TIMES * packed):
        problem = f"its content is more than {TIMES} times as large as the file"
        raise BadInput(problem, where=place, remedy="unpack it yourself if you trust it")


def unpacked(stream: BinaryIO, packing: str | None, place: str, size: int) -> Iterator[bytes]:
    """The content of a packed stream in blocks of about `size` bytes.

    >>> list(unpacked(io.BytesIO(gzip.compress(b"calm")), "gz", "note.txt.gz", 3))
    [b'cal', b'm']
    """
    if packing == "zip":
        yield from _unzipped(stream, place, size)
        return
    found = _packing_of(stream.read(4))
    stream.seek(0)
    if found != packing:
        problem = f"not a .{packing} file" if packing else f"packed as .{found}, by its first bytes"
        remedy = "correct the suffix of its name (or the format)"
        raise BadInput(problem, where=place, remedy=remedy)
    try:
        if packing is not None:
            yield from _blocks(stream, packing, place, size)
            return
        while block := stream.read(size):
            yield block
    except BadInput:
        raise
    except (OSError, EOFError, zlib.error, ValueError):
        problem = f"the .{packing} file is damaged or cut short" if packing else "cannot be read"
        raise BadInput(problem, where=place, remedy="make or fetch it again") from None


def _blocks(stream: BinaryIO, packing: str, place: str, size: int) -> Iterator[bytes]:
    """The content in blocks of about `size` bytes, unless it is much too large for its file."""
    content = 0
    blocks = _unzstd_blocks(stream, size) if packing == "zst" else _ungzip_blocks(stream, size)
    for block in blocks:
        content += len(block)
        require_size(content, stream.tell(), place)
        yield block


def _ungzip_blocks(stream: BinaryIO, size: int) -> Iterator[bytes]:
    inner = gzip.GzipFile(fileobj=stream)
    while block := inner.read(size):
        yield block


def _unzstd_blocks(stream: BinaryIO, size: int) -> Iterator[bytes]:
    """All frames one after another, each complete, in blocks."""
    import zstandard

    frame, held, out = None, b"", io.BytesIO()
    while raw := held or stream.read(_PIECE):
        frame = frame or zstandard.ZstdDecompressor(max_window_size=1 << 31).decompressobj()
        try:
            out.write(frame.decompress(raw))
        except zstandard.ZstdError:
            raise ValueError("damaged") from None
        held = frame.unused_data if frame.eof else b""
        frame = None if frame.eof else frame
        if out.tell() >= size:
            yield out.getvalue()
            out = io.BytesIO()
    if frame is not None:
        raise ValueError("cut short")
    if out.tell():
        yield out.getvalue()


def blocks_to_utf8(blocks: Iterator[bytes], encoding: str, place: str) -> Iterator[bytes]:
    """The blocks in UTF-8, if they can come back exactly.

    >>> list(blocks_to_utf8(iter([b"caf", b"\\xe9"]), "iso8859-1", "note.txt"))[1].decode()
    'é'
    """
    if encoding == "utf-8":
        yield from blocks
        return
    decoder = codecs.getincrementaldecoder(encoding)()
    encoder = codecs.getincrementalencoder(encoding)("replace")
    given, again, lines = hashlib.sha256(), hashlib.sha256(), 1
    for block in itertools.chain(blocks, [None]):
        given.update(block or b"")
        try:
            text = decoder.decode(block or b"", final=block is None)
        except UnicodeDecodeError:
            where, remedy = f"{place}, after line {lines}", "name the file's real encoding"
            problem = f"a byte here is not valid {encoding}"
            raise BadInput(problem, where=where, remedy=remedy) from None
        again.update(encoder.encode(text, final=block is None))
        lines += text.count("\n")
        if text:
            yield text.encode()
    if given.digest() != again.digest():
        raise _not_exact(encoding, place)


def encoder_of(encoding: str, place: str) -> Callable[[Piece, bool], Piece]:
    """What turns UTF-8 pieces, one after another, into the encoding they were read from.

    >>> encoder_of("iso8859-1", "note.txt")("é".encode(), True)
    b'\\xe9'
    """
    if encoding == "utf-8":
        return lambda piece, final: piece
    encoder, decoder = codecs.getincrementalencoder(encoding)(), codecs.lookup("utf-8")

    def encode(piece: Piece, final: bool) -> bytes:
        try:
            return encoder.encode(decoder.decode(bytes(piece))[0], final=final)
        except UnicodeEncodeError:
            raise _lacks(encoding, place) from None

    return encode


@contextmanager
def packer(stream: BinaryIO, packing: str | None) -> Iterator[BinaryIO]:
    """A stream that packs what is written to it; closes it and the one below at the end.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(delete=False) as file, packer(file, "gz") as packed:
    ...     _ = packed.write(b"calm")
    >>> with open(file.name, "rb") as again:
    ...     unpack(again.read(), "gz", "note.txt.gz")
    b'calm'
    """
    with stream:
        if packing == "gz":
            inner: BinaryIO = gzip.GzipFile("", "wb", 6, stream, mtime=0)  # type: ignore[assignment]
        elif packing == "zst":
            import zstandard

            inner = zstandard.ZstdCompressor(level=3).stream_writer(stream, closefd=False)
        elif packing == "zip":
            entry = zipfile.ZipInfo("data")
            entry.compress_type = zipfile.ZIP_DEFLATED
            with zipfile.ZipFile(stream, "w") as archive, archive.open(entry, "w") as zipped:
                yield zipped  # type: ignore[misc]
            return
        else:
            yield stream
            return
        with inner, io.BufferedWriter(inner, _BUFFER) as buffered:
            yield buffered


def codec_name(encoding: str) -> str:
    """The encoding's own name; utf-8-sig is utf-8, where a byte order mark is kept anyway.

    >>> codec_name("UTF8"), codec_name("latin-1")
    ('utf-8', 'iso8859-1')
    """
    try:
        name = codecs.lookup(encoding).name
        "".encode(name)
    except LookupError:
        remedy = "give one that Python knows, such as utf-8, latin-1 or cp1252"
        raise BadInput("unknown encoding", where="encoding", remedy=remedy) from None
    return "utf-8" if name == "utf-8-sig" else name


def to_utf8(raw: bytes, encoding: str, place: str) -> bytes:
    """The bytes in UTF-8, if they can come back exactly; UTF-8 itself is checked by the formats.

    >>> to_utf8(b"caf\\xe9", "iso8859-1", "note.txt").decode()
    'café'
    """
    if encoding == "utf-8":
        return raw
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = 1 + raw.count(b"\n", 0, error.start)
        where, remedy = f"{place}, line {line}", "name the file's real encoding"
        raise BadInput(f"a byte here is not valid {encoding}", where=where, remedy=remedy) from None
    if text.encode(encoding, "replace") != raw:
        raise _not_exact(encoding, place)
    return text.encode()


def from_utf8(pieces: Iterator[Piece], encoding: str, place: str) -> Iterator[Piece]:
    """The pieces in the encoding they were read from.

    >>> b"".join(from_utf8(iter(["café".encode()]), "iso8859-1", "note.txt"))
    b'caf\\xe9'
    """
    encode = encoder_of(encoding, place)
    for piece in pieces:
        yield encode(piece, False)
    yield encode(b"", True)


def _not_exact(encoding: str, place: str) -> BadInput:
    return BadInput(
        f"the file would not come back byte for byte from {encoding}",
        where=place,
        remedy="name the variant (utf-16-be, say), or convert the file to UTF-8",
    )


def _lacks(encoding: str, place: str) -> BadInput:
    return BadInput(
        f"the release has a character that {encoding} lacks (the mask, perhaps)",
        where=place,
        remedy="choose another mask, or convert the input to UTF-8",
    )


def require_text(raw: bytes, place: str, *, empty: bool = False, lines: bool = False) -> bytes:
    """Refuse what cannot be text: a NUL byte, or nothing at all unless `empty` allows it.

    In files of records (`lines`) only the first line must be free of NUL: real tables have stray
    ones in their fields, a binary or UTF-16 file has them at once.
    >>> require_text(b"", "note.txt")
    Traceback (most recent call last):
        ...
    sfumato.core.errors.BadInput: note.txt: the file is empty; give a file with text
    """
    if not raw and not empty:
        raise BadInput("the file is empty", where=place, remedy="give a file with text")
    end = raw.find(b"\n") if lines else -1
    nul = raw.find(b"\0", 0, end) if end >= 0 else raw.find(b"\0")
    if nul >= 0:
        raise BadInput(
            f"a binary file: byte {nul + 1} is NUL",
            where=place,
            remedy="give a text file, or name its encoding (utf-16, say)",
        )
    return raw
