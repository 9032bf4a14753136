"""Reading in parts: the documents of a file too large for memory, a chunk at a time."""

from __future__ import annotations

import functools
import os
import shutil
import sys
import tempfile
import weakref
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.formats.chunks import SIZE, Chunks
from sfumato.formats.form import form_of
from sfumato.formats.kinds import PARTS, SUFFIXES, streams, suffix_of
from sfumato.formats.packing import blocks_to_utf8, codec_name, require_text, unpacked
from sfumato.formats.read_options import ReadOptions
from sfumato.formats.reading import unreadable
from sfumato.formats.text import display

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import BinaryIO

    from sfumato.formats.source import Columns, Source


def read_chunks(
    path: str | os.PathLike[str],
    *,
    text_column: Columns = None,
    group_column: str | None = None,
    format: str | None = None,
    encoding: str = "utf-8",
    size: int = SIZE,
) -> Chunks:
    """The documents of a file, about `size` bytes at a time; standard input is kept on disk.

    Cost: O(bytes) each time the chunks are gone through; the memory of one chunk.
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "notes.csv")
    ...     _ = path.write_text("id,note\\n1,calm\\n2,well\\n")
    ...     [chunk.texts for chunk in read_chunks(path, text_column="note", size=8)]
    [['calm'], ['well']]
    """
    codec = codec_name(encoding)
    is_stdin = os.fspath(path) == "-"
    place = "standard input" if is_stdin else display(Path(path))
    if not streams(path, format):
        raise BadInput("this is not read in parts", where=place, remedy="read it whole")
    said = form_of(format)
    suffix, packing = suffix_of(path, said.format, place)
    name = SUFFIXES[suffix][0]
    kept = _spooled() if is_stdin else None
    real = None if is_stdin else Path(path)
    if name == "parquet":
        return _parquet_chunks(path, place, packing, real, kept, text_column, group_column)

    def parts(report: Callable[[float], None] | None) -> Iterator[Source]:
        with _opened(path, place) if kept is None else _again(kept) as stream:
            packed = _reported(unpacked(stream, packing, place, size), stream, report)
            blocks = blocks_to_utf8(packed, codec, place)
            by = PARTS[name]
            if name in ("csv", "tsv"):
                from sfumato.formats import csv

                by = functools.partial(csv.parts, delimiter=said.delimiter, has_header=said.header)
            yield from by(
                _of_text(blocks, place),
                place,
                format=name,
                text_column=text_column,
                group_column=group_column,
            )

    asked = ReadOptions(name, text_column, said)
    return _finalized(Chunks(place, name, real, codec, parts, asked=asked), kept)


def _parquet_chunks(
    path: str | os.PathLike[str],
    place: str,
    packing: str | None,
    real: Path | None,
    kept: BinaryIO | None,
    text_column: Columns,
    group_column: str | None,
) -> Chunks:
    """The row groups of a Parquet file."""
    from sfumato.formats import parquet

    if packing is not None:
        remedy = "unpack it first: it is packed inside"
        raise BadInput("a packed Parquet file is not read in parts", where=place, remedy=remedy)

    def parts(report: Callable[[float], None] | None) -> Iterator[Source]:
        with _opened(path, place) if kept is None else _again(kept) as stream:
            yield from parquet.parts(stream, place, text_column, group_column)

    def part_writer(target: BinaryIO) -> parquet.PartWriter:
        with _opened(path, place) if kept is None else _again(kept) as stream:
            return parquet.PartWriter(target, stream, place, text_column)

    asked = ReadOptions("parquet", text_column)
    return _finalized(Chunks(place, "parquet", real, "utf-8", parts, part_writer, asked), kept)


def _finalized(chunks: Chunks, kept: BinaryIO | None) -> Chunks:
    if kept is not None:
        weakref.finalize(chunks, kept.close)
    return chunks


def _opened(path: str | os.PathLike[str], place: str) -> BinaryIO:
    try:
        return open(path, "rb")
    except OSError as error:
        raise unreadable(error, place) from None


def _spooled() -> BinaryIO:
    """Standard input in a file without a name, so that it can be read twice."""
    kept: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115
    shutil.copyfileobj(sys.stdin.buffer, kept)
    return kept


@contextmanager
def _again(stream: BinaryIO) -> Iterator[BinaryIO]:
    stream.seek(0)
    yield stream


def _reported(
    blocks: Iterator[bytes], stream: BinaryIO, report: Callable[[float], None] | None
) -> Iterator[bytes]:
    """The blocks, while the share of the stream that was read is reported."""
    size = max(1, os.fstat(stream.fileno()).st_size)
    for block in blocks:
        yield block
        if report is not None:
            report(min(1.0, stream.tell() / size))


def _of_text(blocks: Iterable[bytes], place: str) -> Iterator[bytes]:
    first = True
    for block in blocks:
        yield require_text(block, place, lines=True) if first else block
        first = False
    if first:
        require_text(b"", place)
