"""A release undone by its mapping, on files: whole, or part by part."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import formats
from ...core.corpus import Corpus
from ...core.errors import BadInput
from .mapping import mapping_frames, read_mapping, restored, undo

if TYPE_CHECKING:
    from ...core.method import MethodInput, Output
    from ...core.progress import Progress
    from ...core.values import JsonObject
    from ...formats import Chunks, Source


def command(given: MethodInput[Any], asked: bool, output: Output) -> JsonObject:
    """Gives back the original of a release; tells how many documents, and whether in its bytes."""
    mapping, key = given.file(given.options.mapping), given.key
    if key is None:
        raise BadInput("a mapping needs the key", where="key_file", remedy="name its file")
    if mapping is None:
        raise BadInput("undoing needs the mapping", where="mapping", remedy="name its file")
    documents, same = _undone(given, output, mapping, key)
    return {"output": output.path, "documents": documents, "same_bytes": same}


def _undone(
    given: MethodInput[object], output: Output, mapping: Path, key: bytes
) -> tuple[int, bool]:
    if output.chunks is not None:
        try:
            return undo_parts(output.chunks, output, mapping, key, given.progress)
        except OtherOrder:
            if output.must_stream:
                raise
    data = given.data
    if data is None:  # it came in parts
        assert given.read is not None
        assert output.chunks is not None
        data = given.read(str(output.chunks.path))
    return undo_whole(
        data,
        output,
        mapping,
        key,
    )


def undo_whole(source: Source, output: Output, mapping: Path, key: bytes) -> tuple[int, bool]:
    """Gives back the originals of a release that is read whole."""
    texts = Corpus.of(undo(source.data, mapping, key)).texts
    given_back = [
        None if old is None else new for old, new in zip(source.texts, texts, strict=True)
    ]
    stated = read_mapping(mapping, key)["files"]
    with formats.atomic_files(overwrite=output.overwrite) as files:
        out = formats.writer(output.path, source, files=files)
        out.write(given_back)
        digests = files.digests(output.path) if output.path != "-" else {}
        files.commit()
    return len(texts), bool(stated) and sorted(stated.values()) == sorted(digests.values())


class OtherOrder(BadInput):
    """The documents of a release do not come in the order of its mapping."""


def undo_parts(
    chunks: Chunks, output: Output, mapping: Path, key: bytes, progress: Progress | None
) -> tuple[int, bool]:
    """Gives back the originals of a release, part by part, in the order of its mapping.

    Gives the number of documents, and whether the bytes are the original's.
    """
    frames, waiting = mapping_frames(mapping, key), list[Any]()
    number, stated = 0, dict[str, str]()
    with formats.atomic_files(overwrite=output.overwrite) as files:
        for path in (chunks.path, mapping):
            if path is not None:
                files.protect(path)
        with formats.chunk_writer(output.path, chunks, files) as out:
            for chunk in chunks.tracked("undo", progress):
                while len(waiting) < len(chunk.texts) and (frame := next(frames, None)) is not None:
                    waiting += frame["documents"]
                    stated = frame.get("files", stated)
                texts: list[str] = []
                for text, document in zip_longest(chunk.filled, waiting[: len(chunk.texts)]):
                    found = None if document is None else restored(text, document)
                    if found is None:
                        raise _other_order(number)
                    texts.append(found)
                    number += 1
                del waiting[: len(chunk.texts)]
                out.write(chunk, chunk.with_texts(texts))
        for frame in frames:
            waiting += frame["documents"]
            stated = frame.get("files", stated)
        if waiting:
            raise _other_order(number)
        digests = files.digests(output.path) if output.path != "-" else {}
        files.commit()
    return number, bool(stated) and sorted(stated.values()) == sorted(digests.values())


def _other_order(number: int) -> OtherOrder:
    return OtherOrder(
        "this is not the text that the mapping has next",
        where=f"document {number}",
        remedy="undo the release as it was written, or parts of it with --no-stream",
    )
