"""A secret, and every form in which a file may still hold it."""

from __future__ import annotations

import base64
import binascii
import gzip
import html
import io
import quopri
import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote_to_bytes

SECRET = "Zyxommequvril"  # a word that no code writes by itself
FORMS = [SECRET.lower().encode(code) for code in ("utf-8", "utf-16-le", "utf-16-be")]
_BASE64 = re.compile(rb"[A-Za-z0-9+/]{16,}={0,2}")
_TAG = re.compile(rb"<[^>]*>")
_ESCAPE = re.compile(rb"\\u([0-9a-fA-F]{4})")


def holds(content: bytes, depth: int = 3) -> bool:
    """Whether bytes hold the secret, as they are or inside what they pack.

    >>> holds(gzip.compress(b"a zyxommequvril")), holds(b"Zyxommequvri")
    (True, False)
    """
    return any(_plain(one) for one in _opened(content, depth))


def _plain(content: bytes) -> bool:
    low, words = content.lower(), _TAG.sub(b"", content).lower()
    if any(form in low or form in words for form in FORMS):
        return True
    unescaped = _ESCAPE.sub(lambda one: chr(int(one[1], 16)).encode("utf-8", "replace"), content)
    entities = html.unescape(unescaped.decode("utf-8", "replace")).lower()
    if FORMS[0] in quopri.decodestring(content).lower():
        return True
    return SECRET.lower() in entities or FORMS[0] in unquote_to_bytes(unescaped).lower()


def _opened(content: bytes, depth: int) -> Iterator[bytes]:
    """The bytes, and whatever is packed in them."""
    yield content
    if not depth:
        return
    for inner in _inside(content):
        yield from _opened(inner, depth - 1)


def _inside(content: bytes) -> Iterator[bytes]:
    if content.startswith(b"\x1f\x8b"):
        yield gzip.decompress(content)
    elif content.startswith(b"\x28\xb5\x2f\xfd"):
        import zstandard

        yield zstandard.ZstdDecompressor().decompressobj().decompress(content)
    elif content.startswith(b"PK\x03\x04"):
        yield from _members(content)
    elif content.startswith(b"PAR1"):
        yield _of_parquet(content)
    elif content.startswith(b"ARROW1"):
        yield _of_arrow(content)
    else:
        yield from _decoded(content)


def _members(content: bytes) -> Iterator[bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        for info in book.infolist():
            yield info.filename.encode() + b"\n" + info.comment + b"\n" + info.extra
            yield book.read(info)


def _of_parquet(content: bytes) -> bytes:
    """Cells, dictionaries, names, metadata and statistics of a file."""
    import pyarrow.parquet as pq

    file = pq.ParquetFile(io.BytesIO(content))
    table = file.read()
    told = [str(file.schema_arrow), repr(file.schema_arrow.metadata), repr(file.metadata.metadata)]
    told += [repr(field.metadata) for field in file.schema_arrow]
    told += [repr(table.to_pylist())]
    for column in table.columns:
        told += [repr(one.dictionary.to_pylist()) for one in column.chunks if _has_words(one)]
    for group in range(file.num_row_groups):
        row_group = file.metadata.row_group(group)
        told += [str(row_group.column(i).statistics) for i in range(row_group.num_columns)]
    return "\n".join(told).encode()


def _of_arrow(content: bytes) -> bytes:
    """Cells, dictionaries, names and notes of a file."""
    import pyarrow as pa

    table = pa.ipc.open_file(io.BytesIO(content)).read_all()
    told = [str(table.schema), repr(table.schema.metadata), repr(table.to_pylist())]
    told += [repr(field.metadata) for field in table.schema]
    for column in table.columns:
        told += [repr(one.dictionary.to_pylist()) for one in column.chunks if _has_words(one)]
    return "\n".join(told).encode()


def _has_words(chunk: object) -> bool:
    return hasattr(chunk, "dictionary")


def _decoded(content: bytes) -> Iterator[bytes]:
    for found in _BASE64.finditer(content):
        try:
            yield base64.b64decode(found[0], validate=True)
        except (binascii.Error, ValueError, zlib.error):
            continue


def leaks(folder: Path, exempt: tuple[str, ...] = ()) -> list[str]:
    """The paths under a folder whose name or content holds the secret, but for exempt ones."""
    found = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if any(name == one or name.startswith(f"{one}/") for one in exempt):
            continue
        if SECRET.lower() in name.lower() or (path.is_file() and holds(path.read_bytes())):
            found.append(name)
    return found
