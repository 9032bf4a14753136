"""Writing: a release in the form of its source, in one piece or in parts."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.formats.atomic import AtomicFiles
from sfumato.formats.chunks import ChunkWriter
from sfumato.formats.kinds import SUFFIXES, require_same_format
from sfumato.formats.packing import split_name
from sfumato.formats.read_options import ReadOptions
from sfumato.formats.writer import Writer

if TYPE_CHECKING:
    from sfumato.formats.chunks import Chunks
    from sfumato.formats.source import Source


def chunk_writer(target: str | os.PathLike[str], chunks: Chunks, files: AtomicFiles) -> ChunkWriter:
    """A context to write a release of `chunks` chunk by chunk; it appears with `files`."""
    require_same_format(os.fspath(target), chunks.format)
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
    >>> from sfumato.formats.reading import read
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
        require_same_format(name, source.format)
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
    known = SUFFIXES.get(split_name(Path(name).name)[0], (source.format,))[0]
    if known == source.format or known not in source.others:
        return source
    asked = ReadOptions(f"{source.format} as {known}")
    return dataclasses.replace(source, format=known, pieces=source.others[known], asked=asked)
