"""A source a part at a time: whole records in the order of the file, with flat memory.

    chunks = formats.read_chunks("notes.jsonl.zst", text_column="text")
    with formats.atomic_files() as files, formats.chunk_writer("out.jsonl", chunks, files) as out:
        for chunk in chunks:
            out.write(chunk, [changed(text) for text in chunk.texts])
        files.commit()

Every chunk is a Source of its own; its documents, written after those before it, give the bytes
that the whole file would give.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from sfumato.core.errors import BadInput
from sfumato.formats.packing import encoder_of, packer, split_name
from sfumato.formats.read_back import Seal, expected, require_read_back

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path
    from typing import BinaryIO, Protocol

    from sfumato.core.progress import Progress
    from sfumato.formats.atomic import AtomicFiles
    from sfumato.formats.read_options import ReadOptions
    from sfumato.formats.source import Source, Texts

    class PartWriter(Protocol):
        """What writes a format whose parts are not bytes one after another."""

        def write(self, chunk: Source, texts: Texts) -> None:
            """Write one part with these texts."""

        def close(self) -> None:
            """End the file."""


SIZE = 1 << 23
LARGE = 64 << 20
PACKED = 8  # how many times larger than its file a packed input is taken to be


def is_large(path: str) -> bool:
    """Whether a file is so large that it goes through in parts unless somebody says otherwise.

    >>> is_large("absent.csv")
    False
    """
    try:
        size = os.path.getsize(path)
    except OSError:
        return False
    return size * (PACKED if path.endswith((".gz", ".zst", ".parquet")) else 1) > LARGE


@dataclass(frozen=True, repr=False, eq=False)
class Chunks:
    """The parts of a source; they can be gone through again and again.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from sfumato import formats
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "notes.jsonl")
    ...     _ = path.write_text('{"t": "calm"}\\n' * 3)
    ...     chunks = formats.read_chunks(path, text_column="t", size=20)
    ...     [chunk.texts for chunk in chunks]
    [['calm'], ['calm'], ['calm']]
    """

    place: str
    format: str
    path: Path | None
    encoding: str
    parts: Callable[[Callable[[float], None] | None], Iterator[Source]]
    writer: Callable[[BinaryIO], PartWriter] | None = None
    """How parts become a file where that is not their bytes one after another (Parquet)."""
    asked: ReadOptions | None = None
    """How it was read, so that a release can be read in the same way."""

    def __iter__(self) -> Iterator[Source]:
        return self.parts(None)

    def tracked(self, stage: str, progress: Progress | None) -> Iterator[Source]:
        """The parts, while the share that was read is reported under a name."""
        return self.parts(None if progress is None else lambda share: progress(stage, share))

    def __repr__(self) -> str:
        return f"<Chunks of {self.place}: {self.format}>"


class ChunkWriter:
    """One release, written chunk by chunk; visible after the files' commit.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from sfumato import formats
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path, target = Path(folder, "notes.csv"), Path(folder, "out.csv")
    ...     _ = path.write_text("id,t\\n1,calm\\n2,well\\n")
    ...     chunks = formats.read_chunks(path, text_column="t", size=8)
    ...     with formats.atomic_files() as files:
    ...         with formats.chunk_writer(target, chunks, files) as out:
    ...             for chunk in chunks:
    ...                 out.write(chunk, ["*" * len(text or "") for text in chunk.texts])
    ...         files.commit()
    ...     target.read_text()
    'id,t\\n1,****\\n2,****\\n'
    """

    def __init__(self, target: str, chunks: Chunks, files: AtomicFiles):
        stream = files.standard_output() if target == "-" else files.open(target)
        packing = None if target == "-" else split_name(target)[1]
        self._files, self._chunks, self._seal = files, chunks, Seal()
        self._target, self._packing = stream, packing
        self._packer: AbstractContextManager[BinaryIO] = packer(stream, packing)
        self._stream = self._packer.__enter__()
        self._encode = encoder_of(chunks.encoding, chunks.place)
        self._parts = None if chunks.writer is None else chunks.writer(self._stream)

    def write(self, chunk: Source, texts: Texts) -> None:
        """Write one chunk with these texts, one per document; None where it stays the same."""
        require_texts(chunk, texts)
        self._seal.add(expected(self._chunks.format, chunk.texts, texts))
        if self._parts is not None:
            self._parts.write(chunk, texts)
            return
        for piece in chunk.pieces(texts):
            self._stream.write(self._encode(piece, False))

    def close(self) -> None:
        """End the file, which then waits for the commit."""
        if self._parts is not None:
            self._parts.close()
        else:
            self._stream.write(self._encode(b"", True))
        self._packer.__exit__(None, None, None)
        chunks = self._chunks
        if chunks.asked is not None:
            with self._files.again(self._target) as stream:
                given = stream, chunks.asked, self._packing, chunks.encoding
                require_read_back(*given, self._seal, chunks.place)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._files.abandon()  # half a release must not be committed with the others
            return
        try:
            self.close()
        except BaseException:
            self._files.abandon()
            raise


def cut(blocks: Iterable[bytes], whole: Callable[[bytes], int]) -> Iterator[bytes]:
    """The blocks cut anew so that each holds whole records; `whole` tells how many bytes do.

    A record longer than a block is put together first.

    >>> list(cut([b"ab\\nc", b"d", b"e\\nf"], lambda raw: raw.rfind(b"\\n") + 1))
    [b'ab\\n', b'cde\\n', b'f']
    """
    held, waiting, size = b"", list[bytes](), 0
    for block in blocks:
        waiting.append(block)
        size += len(block)
        if size < len(held):  # a long record: look again when it has doubled
            continue
        held, waiting, size = b"".join([held, *waiting]), [], 0
        end = whole(held)
        if end:
            yield held[:end]
            held = held[end:]
    held = b"".join([held, *waiting])
    if held:
        yield held


def require_texts(source: Source, texts: Texts) -> None:
    """Refuse texts that are not one for each document, or that stand where there was none."""
    if len(texts) != len(source.texts):
        raise BadInput(
            f"expected {len(source.texts)} texts, one per document, found {len(texts)}",
            where=source.place,
        )
    for i, (old, new) in enumerate(zip(source.texts, texts, strict=True)):
        if old is None and new is not None:
            raise BadInput("there is no text here to replace", where=source.where(i))
