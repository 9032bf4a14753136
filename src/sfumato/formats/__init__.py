"""Documents out of files, and back with every byte outside the changed texts as it was.

    source = formats.read("notes.csv", text_column="note", group_column="patient")
    with formats.writer("release.csv.gz", source) as out:
        out.write(texts)
        out.commit()

Several outputs appear together: `with atomic_files() as files`, `writer(..., files=files)`,
`files.open(path)` for what stands beside a release, `files.commit()`.
A new format is one module with a function `read(raw, place, ...) -> Source` and one line here.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.formats import csv, events, fasta, jsonl, text
from sfumato.formats.atomic import AtomicFiles, file_digests
from sfumato.formats.packed import codec_name, require_text, split_name, to_utf8, unpack
from sfumato.formats.source import Source
from sfumato.formats.text import display
from sfumato.formats.writer import Writer

if TYPE_CHECKING:
    from typing import Protocol

    class _Read(Protocol):
        def __call__(
            self,
            raw: bytes,
            place: str,
            *,
            format: str,
            text_column: str | None,
            group_column: str | None,
        ) -> Source: ...


__all__ = ["AtomicFiles", "Source", "Writer", "atomic_files", "file_digests", "read", "writer"]

# suffix: (format, how it is read)
_SUFFIXES: dict[str, tuple[str, _Read]] = {
    "txt": ("text", text.read),
    "text": ("text", text.read),
    "csv": ("csv", csv.read),
    "tsv": ("tsv", csv.read),
    "jsonl": ("jsonl", jsonl.read),
    "ndjson": ("jsonl", jsonl.read),
    "fa": ("fasta", fasta.read),
    "fasta": ("fasta", fasta.read),
    "fna": ("fasta", fasta.read),
    "events": ("csv", events.read),
}


def read(
    path: str | os.PathLike[str],
    *,
    text_column: str | None = None,
    group_column: str | None = None,
    format: str | None = None,
    encoding: str = "utf-8",
    empty: bool = False,
) -> Source:
    """The documents of a file, of a folder of text files, or of standard input (`-`).

    `format` is a suffix (`csv`, `jsonl.gz`) for standard input and files whose names do not tell.
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
    suffix, packing = _suffix(path, format, place)
    name, read_format = _SUFFIXES[suffix]
    content = to_utf8(unpack(_bytes(path, place), packing, place), codec, place)
    raw = require_text(content, place, empty=empty and name == "text", lines=name != "text")
    source = read_format(
        raw, place, format=name, text_column=text_column, group_column=group_column
    )
    real = None if os.fspath(path) == "-" else Path(path)
    return dataclasses.replace(source, path=real, encoding=codec)


def writer(
    target: str | os.PathLike[str],
    source: Source,
    *,
    overwrite: bool = False,
    files: AtomicFiles | None = None,
) -> Writer:
    """A context to write a release of `source` to a file, a folder or standard output (`-`).

    Nothing stands under the target's name before `commit`; without it nothing is left at all.
    With `files` the release belongs to that group and is committed with it. `overwrite` lets a
    folder replace one that is not empty; a single file is replaced anyway.
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
    suffix = split_name(Path(name).name)[0]
    if source.members is None and _SUFFIXES.get(suffix, (source.format,))[0] != source.format:
        raise BadInput(
            f"the release has the format of its source, {source.format}, not {suffix}",
            where=display(Path(name)),
            remedy="give the output the input's suffix (.gz or .zst may follow)",
        )
    group = AtomicFiles() if files is None else files
    if source.path is not None:
        group.protect(source.path)
    return Writer(name, source, group, overwrite=overwrite, owner=files is None)


def atomic_files() -> AtomicFiles:
    """A context in which several files are written and appear together at `commit`.

    >>> with atomic_files() as files:
    ...     pass
    """
    return AtomicFiles()


def _bytes(path: str | os.PathLike[str], place: str) -> bytes:
    if os.fspath(path) == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        remedy = "check the path"
        raise BadInput("no such file or folder", where=place, remedy=remedy) from None
    except OSError as error:
        problem = f"cannot be read ({error.strerror})"
        raise BadInput(problem, where=place, remedy="check its permissions") from None


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
    folder: Path, text_column: str | None, group_column: str | None, format: str | None, codec: str
) -> Source:
    if format is not None and _SUFFIXES.get(format, (None,))[0] != "text":
        remedy = "give the files one by one, or leave out format"
        raise BadInput("a folder is read as text", where=display(folder), remedy=remedy)

    def load(path: Path) -> bytes:
        place = display(path)
        content = unpack(_bytes(path, place), split_name(path.name)[1], place)
        return require_text(to_utf8(content, codec, place), place, empty=True)

    source = text.read_folder(folder, load, text_column=text_column, group_column=group_column)
    return dataclasses.replace(source, path=folder, encoding=codec)
