"""Documents out of files, and back with every byte outside the changed text as it was.

    source = formats.read("notes.csv", text_column="note", group_column="patient")
    with formats.writer("release.csv.gz", source) as out:
        out.write(texts)
        out.commit()

What is too large for memory goes through in parts: `read_chunks` and `chunk_writer`.
Several outputs appear together: `with atomic_files() as files`, `writer(..., files=files)`,
`files.open(path)` for what stands beside a release, `files.commit()`.
A new format is one module with a function `read(raw, place, ...) -> Source` (and `parts(blocks,
place, ...)` if it streams) and one line in `kinds`.
"""

from __future__ import annotations

from sfumato.formats.atomic import AtomicFiles, bytes_digest, file_digests, require_free
from sfumato.formats.chunks import Chunks, ChunkWriter
from sfumato.formats.journal import recover
from sfumato.formats.kinds import streams
from sfumato.formats.reading import read
from sfumato.formats.reading_parts import read_chunks
from sfumato.formats.source import Dataset, Source
from sfumato.formats.writer import Writer
from sfumato.formats.writing import atomic_files, chunk_writer, writer

__all__ = [
    "AtomicFiles",
    "ChunkWriter",
    "Chunks",
    "Dataset",
    "Source",
    "Writer",
    "atomic_files",
    "bytes_digest",
    "chunk_writer",
    "file_digests",
    "read",
    "read_chunks",
    "recover",
    "require_free",
    "streams",
    "writer",
]
