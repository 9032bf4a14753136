"""Documents out of files, and back with every byte outside the changed text as it was.

    source = formats.read("notes.csv", text_column="note", group_column="patient")
    with formats.writer("release.csv.gz", source) as out:
        out.write(texts)
        out.commit()

What is too large for memory goes through in parts: `read_chunks` and `chunk_writer`.
Several outputs appear together: `with atomic_files() as files`, `writer(..., files=files)`,
`files.open(path)` for what stands beside a release, `files.commit()`.
A new format is one module with a function `read(raw, place, ...) -> Source` (and `parts(blocks,
place, ...)` if it streams) and one line here.
"""

from __future__ import annotations

import dataclasses
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
from sfumato.formats import (
    arrow,
    converted,
    csv,
    docx,
    events,
    fasta,
    fhir,
    html,
    i2b2,
    json_document,
    jsonl,
    lines,
    mail,
    parquet,
    pdf,
    text,
    xes,
    xlsx,
)
from sfumato.formats.atomic import AtomicFiles, file_digests, require_free
from sfumato.formats.chunks import SIZE, Chunks, ChunkWriter
from sfumato.formats.documents import has_documents, read_documents
from sfumato.formats.fhir_rules import read_rules
from sfumato.formats.form import form_of
from sfumato.formats.journal import recover
from sfumato.formats.packed import (
    blocks_to_utf8,
    codec_name,
    require_text,
    split_name,
    to_utf8,
    unpack,
    unpacked,
)
from sfumato.formats.read_back import Asked
from sfumato.formats.source import Dataset, Source
from sfumato.formats.text import display
from sfumato.formats.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import BinaryIO, Protocol

    from sfumato.formats.source import Columns

    class _Read(Protocol):
        def __call__(
            self,
            raw: bytes,
            place: str,
            *,
            format: str,
            text_column: Columns,
            group_column: str | None,
        ) -> Source: ...

    class _Parts(Protocol):
        def __call__(
            self,
            blocks: Iterable[bytes],
            place: str,
            *,
            format: str,
            text_column: Columns,
            group_column: str | None,
        ) -> Iterator[Source]: ...


__all__ = [
    "AtomicFiles",
    "ChunkWriter",
    "Chunks",
    "Dataset",
    "Source",
    "Writer",
    "atomic_files",
    "chunk_writer",
    "file_digests",
    "read",
    "read_chunks",
    "recover",
    "require_free",
    "streams",
    "writer",
]

# suffix: (format, how it is read)
_SUFFIXES: dict[str, tuple[str, _Read]] = {
    "txt": ("text", text.read),
    "text": ("text", text.read),
    "lines": ("lines", lines.read),
    "csv": ("csv", csv.read),
    "tsv": ("tsv", csv.read),
    "jsonl": ("jsonl", jsonl.read),
    "ndjson": ("jsonl", jsonl.read),
    "fa": ("fasta", fasta.read),
    "fasta": ("fasta", fasta.read),
    "fna": ("fasta", fasta.read),
    "json": ("json", json_document.read),
    "fhir": ("fhir", fhir.read),
    "xml": ("i2b2", i2b2.read),
    "parquet": ("parquet", parquet.read),
    "xlsx": ("xlsx", xlsx.read),
    "events": ("csv", events.read),
    "xes": ("xes", xes.read),
    "docx": ("docx", docx.read),
    **{suffix: (converted.KINDS[suffix], one) for suffix, one in converted.READERS.items()},
    "html": ("html", html.read),
    "htm": ("html", html.read),
    "eml": ("mail", mail.read),
    "mbox": ("mbox", mail.read),
    "pdf": ("pdf", pdf.read),
    "arrow": ("arrow", arrow.read),
    "feather": ("arrow", arrow.read),
    "ipc": ("arrow", arrow.read),
}

# What a format is called by a suffix that names another: a FHIR bundle is a .json file.
_NAMES = {("text", "lines"), ("text", "separated"), ("json", "fhir"), ("jsonl", "fhir")}

# What is no text as a whole; neither decoded nor searched for what no text has.
_BINARY = frozenset(("parquet", "xlsx", "docx", "mail", "mbox", "pdf", "arrow"))

# format: how it is read a part at a time
_PARTS: dict[str, _Parts] = {
    "lines": lines.parts,
    "csv": csv.parts,
    "tsv": csv.parts,
    "jsonl": jsonl.parts,
    "fasta": fasta.parts,
}


def read(
    path: str | os.PathLike[str],
    *,
    text_column: Columns = None,
    group_column: str | None = None,
    format: str | None = None,
    encoding: str = "utf-8",
    empty: bool = False,
) -> Source:
    """The documents of a file, of a folder of text files, or of standard input (`-`).

    `format` is a suffix (`csv`, `jsonl.gz`) for standard input and files whose names do not tell.
    `xlsx:NAME` names another sheet of a workbook than its first, `csv:|` a delimiter,
    `csv:no-header` says that there is none, `txt:---` what separates documents of a text.
    `empty` allows a text without any character, as a release may be.
    Cost: O(bytes); the bytes are kept.
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "notes.csv")
    ...     _ = path.write_text("id,note\\n1,calm\\n")
    ...     read(path, text_column="note").texts
    ['calm']
    """
    codec = codec_name(encoding)
    if os.fspath(path) != "-" and Path(path).is_dir():
        return _read_folder(Path(path), text_column, group_column, format, codec)
    place = "standard input" if os.fspath(path) == "-" else display(Path(path))
    said = form_of(format)
    suffix, packing = _suffix(path, said.format, place)
    name, read_format = _SUFFIXES[suffix]
    if said.sheet is not None:
        read_format = functools.partial(xlsx.read, sheet=said.sheet)
    elif name == "fhir":
        read_format = functools.partial(fhir.read, rules=read_rules(said.rules))
    elif said.time is not None:
        read_format = functools.partial(events.read, time_column=said.time, timed=said.timed)
    elif name == "xes":
        read_format = functools.partial(xes.read, timed=said.timed)
    elif said.separator is not None:
        name = "separated"
        read_format = functools.partial(text.read_separated, separator=said.separator)
    elif name in ("csv", "tsv") and suffix != "events":
        read_format = functools.partial(csv.read, delimiter=said.delimiter, has_header=said.header)
    raw = unpack(_bytes(path, place), packing, place)
    if name not in _BINARY:
        content, one = to_utf8(raw, codec, place), name in ("text", "json", "fhir", "i2b2", "html")
        raw = require_text(content, place, empty=empty and name == "text", lines=not one)
    else:
        codec = "utf-8"
    source = read_format(
        raw, place, format=name, text_column=text_column, group_column=group_column
    )
    real = None if os.fspath(path) == "-" else Path(path)
    asked = Asked("events" if suffix == "events" else name, text_column, said)
    return dataclasses.replace(source, path=real, encoding=codec, asked=asked)


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
    suffix, packing = _suffix(path, said.format, place)
    name = _SUFFIXES[suffix][0]
    kept = _spooled() if is_stdin else None
    real = None if is_stdin else Path(path)
    if name == "parquet":
        return _parquet_chunks(path, place, packing, real, kept, text_column, group_column)

    def parts(report: Callable[[float], None] | None) -> Iterator[Source]:
        with _opened(path, place) if kept is None else _again(kept) as stream:
            packed = _reported(unpacked(stream, packing, place, size), stream, report)
            blocks = blocks_to_utf8(packed, codec, place)
            by = _PARTS[name]
            if name in ("csv", "tsv"):
                by = functools.partial(csv.parts, delimiter=said.delimiter, has_header=said.header)
            yield from by(
                _of_text(blocks, place),
                place,
                format=name,
                text_column=text_column,
                group_column=group_column,
            )

    asked = Asked(name, text_column, said)
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
    if packing is not None:
        remedy = "unpack it first: it is packed inside"
        raise BadInput("a packed Parquet file is not read in parts", where=place, remedy=remedy)

    def parts(report: Callable[[float], None] | None) -> Iterator[Source]:
        with _opened(path, place) if kept is None else _again(kept) as stream:
            yield from parquet.parts(stream, place, text_column, group_column)

    def part_writer(target: BinaryIO) -> parquet.PartWriter:
        with _opened(path, place) if kept is None else _again(kept) as stream:
            return parquet.PartWriter(target, stream, place, text_column)

    asked = Asked("parquet", text_column)
    return _finalized(Chunks(place, "parquet", real, "utf-8", parts, part_writer, asked), kept)


def _finalized(chunks: Chunks, kept: BinaryIO | None) -> Chunks:
    if kept is not None:
        weakref.finalize(chunks, kept.close)
    return chunks


def streams(path: str | os.PathLike[str], format: str | None = None) -> bool:
    """Whether a file of this name or format can be read in parts.

    >>> streams("notes.jsonl.zst"), streams("note.txt"), streams("-", "csv")
    (True, False, True)
    """
    said = form_of(format)
    suffix = split_name(Path(path).name if said.format is None else said.format)[0]
    is_folder = os.fspath(path) != "-" and Path(path).is_dir()
    known = _SUFFIXES.get(suffix, ("",))[0]
    return (known in _PARTS or known == "parquet") and suffix != "events" and not is_folder


def chunk_writer(target: str | os.PathLike[str], chunks: Chunks, files: AtomicFiles) -> ChunkWriter:
    """A context to write a release of `chunks` chunk by chunk; it appears with `files`."""
    _require_same_format(os.fspath(target), chunks.format)
    if chunks.path is not None:
        files.protect(chunks.path)
    return ChunkWriter(os.fspath(target), chunks, files)


def writer(
    target: str | os.PathLike[str],
    source: Source,
    *,
    overwrite: bool | None = None,
    files: AtomicFiles | None = None,
    number_files: bool = False,
) -> Writer:
    """A context to write a release of `source` to a file, a folder or standard output (`-`).

    Nothing stands under the target's name before `commit`; without it nothing is left at all.
    With `files` the release belongs to that group and is committed with it. `overwrite` lets it
    replace a file, or a folder that is not empty; else the group decides. `number_files` gives the
    files of a folder numbers in place of names, which may identify.
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "note.txt").write_text("calm")
    ...     with writer(Path(folder, "out.txt"), read(Path(folder, "note.txt"))) as out:
    ...         out.write(["★"])
    ...     sorted(os.listdir(folder))
    ['note.txt']
    """
    name = os.fspath(target)
    if source.members is not None and name == "-":
        remedy = "name a folder"
        raise BadInput("a folder cannot go to standard output", where="-", remedy=remedy)
    if source.members is None:
        source = _released_as(name, source)
        _require_same_format(name, source.format)
    group = AtomicFiles() if files is None else files
    if source.path is not None:
        group.protect(source.path)
    return Writer(
        name, source, group, overwrite=overwrite, owner=files is None, number_files=number_files
    )


def atomic_files(*, overwrite: bool = False) -> AtomicFiles:
    """A context in which several files are written and appear together at `commit`.

    Without `overwrite` nothing that exists is replaced.

    >>> with atomic_files() as files:
    ...     pass
    """
    return AtomicFiles(overwrite=overwrite)


def _released_as(name: str, source: Source) -> Source:
    """The source as it is written to a file of this name: text, of a PDF file, for instance."""
    known = _SUFFIXES.get(split_name(Path(name).name)[0], (source.format,))[0]
    if known == source.format or known not in source.others:
        return source
    asked = Asked(f"{source.format} as {known}")
    return dataclasses.replace(source, format=known, pieces=source.others[known], asked=asked)


def _require_same_format(name: str, format: str) -> None:
    suffix = split_name(Path(name).name)[0]
    known = _SUFFIXES.get(suffix, (format,))[0]
    if suffix in converted.READERS:
        where, remedy = display(Path(name)), f"give the output the suffix .{known}"
        raise BadInput(f"no .{suffix} file is written", where=where, remedy=remedy)
    if known != format and (known, format) not in _NAMES:
        raise BadInput(
            f"the release has the format of its source, {format}, not {suffix}",
            where=display(Path(name)),
            remedy="give the output the input's suffix (.gz or .zst may follow)",
        )


def _opened(path: str | os.PathLike[str], place: str) -> BinaryIO:
    try:
        return open(path, "rb")
    except OSError as error:
        raise _unreadable(error, place) from None


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


def _unreadable(error: OSError, place: str) -> BadInput:
    if isinstance(error, FileNotFoundError):
        return BadInput("no such file or folder", where=place, remedy="check the path")
    problem = f"cannot be read ({error.strerror})"
    return BadInput(problem, where=place, remedy="check its permissions")


def _bytes(path: str | os.PathLike[str], place: str) -> bytes:
    if os.fspath(path) == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise _unreadable(error, place) from None


def _suffix(path: str | os.PathLike[str], format: str | None, place: str) -> tuple[str, str | None]:
    suffix, packing = split_name(Path(path).name)
    if format is not None:
        suffix, outer = split_name(format)
        packing = outer or packing
    if suffix not in _SUFFIXES:
        raise BadInput(
            "the format is not known" if format is None else f"no format is named {format!r}",
            where=place,
            remedy=f"give format as one of {', '.join(_SUFFIXES)}",
        )
    return suffix, packing


def _read_folder(
    folder: Path, text_column: Columns, group_column: str | None, format: str | None, codec: str
) -> Source:
    if format is not None and _SUFFIXES.get(format, (None,))[0] != "text":
        remedy = "give the files one by one, or leave out format"
        raise BadInput("a folder is read as text", where=display(folder), remedy=remedy)

    if has_documents(folder):
        return read_documents(folder, lambda path: read(path, encoding=codec))

    def load(path: Path) -> bytes:
        place = display(path)
        content = unpack(_bytes(path, place), split_name(path.name)[1], place)
        return require_text(to_utf8(content, codec, place), place, empty=True)

    source = text.read_folder(folder, load, text_column=text_column, group_column=group_column)
    return dataclasses.replace(source, path=folder, encoding=codec)
