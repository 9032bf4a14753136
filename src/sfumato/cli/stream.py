"""Commands on inputs too large for memory: part by part, verified part by part, seen at the end."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import formats
from ..core.errors import BadInput
from . import show
from .publish import Paths, outcome_shown, read_key, require, texts_for, write_certificates

if TYPE_CHECKING:
    from ..core.progress import Progress
    from ..core.release import Release
    from ..core.spans import Span
    from ..formats import AtomicFiles, Chunks, Source
    from ..methods.pseudonyms.stream import Pseudonyms

LIMIT = 64 << 20
PACKED = 8  # how many times larger than its file a packed input is taken to be


def is_wanted(input: str, format: str | None, asked: bool | None) -> bool:
    """Whether an input goes through in parts: when asked for, or when it is large.

    >>> is_wanted("-", "csv", None), is_wanted("-", "csv", True)
    (False, True)
    """
    can = formats.streams(input, format)
    if asked and not can:
        raise BadInput(
            "this input cannot be read in parts",
            where="--stream",
            remedy="leave it out; csv, tsv, jsonl, lines, fasta and parquet can",
        )
    if asked is not None or not can or input == "-":
        return bool(asked)
    try:
        size = os.path.getsize(input)
    except OSError:
        return False
    packed = input.endswith((".gz", ".zst", ".parquet"))
    return size * (PACKED if packed else 1) > LIMIT


def publish_parts(
    chunks: Chunks,
    released: Callable[[Source], Release],
    paths: Paths,
    *,
    json: bool,
    quiet: bool,
    lists: Iterable[Path | None] = (),
    also: Callable[[AtomicFiles], Any] | None = None,
    each: Callable[[AtomicFiles, Release | None], None] | None = None,
) -> None:
    """Releases, verifies and writes part after part; all appears, with certificates, or nothing.

    `released` gives the release of a part. `each` is called with every part's release once it is
    verified, and with None after the last; `also` writes what else belongs to the release.
    """
    from ..core.totals import Totals
    from ..verification import verify_part

    key = read_key(paths.key_file) or os.urandom(32)
    totals, carried = Totals(keep=paths.private_certificate is not None), dict[str, Any]()
    with formats.atomic_files() as files, show.progress_bar(quiet or json) as progress:
        for path in (*lists, paths.key_file):
            if path is not None:
                files.protect(path)
        with formats.chunk_writer(paths.output, chunks, files) as out:
            for chunk in chunks.tracked("release", progress):
                release = released(chunk)
                totals.add(release, verify_part(chunk.texts, release, carried))
                require(totals.verdicts)
                out.write(chunk, texts_for(chunk, release.data))
                if each is not None:
                    each(files, release)
        write_certificates(
            files, paths, lambda private: totals.certificate(private=private, key=key), key
        )
        if each is not None:
            each(files, None)
        if also is not None:
            also(files)
        files.commit()
    outcomes = {paths.output: (totals.release(), list(totals.verdicts))}
    outcome_shown(outcomes, paths.output, json=json, quiet=quiet)


def free_mask(chunks: Chunks, masks: list[str]) -> list[str]:
    """Of several masks those that no part contains; a single one is checked as parts come."""
    if len(masks) < 2:
        return masks
    for chunk in chunks:
        masks = [one for one in masks if not any(one in (text or "") for text in chunk.texts)]
    if not masks:
        problem, remedy = "the text already contains every mask", "allow another one"
        raise BadInput(problem, where="--mask", remedy=remedy)
    return masks


def pseudonymize_parts(
    chunks: Chunks,
    run: Pseudonyms,
    find: Callable[[list[str]], list[Span]],
    done: Callable[[], None],
    paths: Paths,
    *,
    key: bytes | None,
    mapping: Path | None,
    lists: Iterable[Path | None] = (),
    json: bool,
    quiet: bool,
) -> None:
    """Learns the entities of all parts, then releases them."""
    from ..methods.pseudonyms.mapping import MappingWriter

    with show.progress_bar(quiet or json) as progress:
        for chunk in chunks.tracked("recognise", progress):
            texts = [text or "" for text in chunk.texts]
            run.learn(texts, find(texts))
    done()
    opened: list[tuple[MappingWriter, Any]] = []

    def each(files: AtomicFiles, release: Release | None) -> None:
        if mapping is None or key is None:
            return
        if not opened:
            stream = files.open(mapping, private=True)
            opened.append((MappingWriter(stream, key), stream))
        writer, stream = opened[0]
        if release is not None:
            writer.add(release)
            return
        writer.close({} if chunks.path is None else formats.file_digests(chunks.path))
        stream.close()

    def released(chunk: Source) -> Release:
        return run.release(chunk.texts, chunk.groups)

    publish_parts(chunks, released, paths, json=json, quiet=quiet, lists=lists, each=each)


class OtherOrder(BadInput):
    """The documents of a release do not come in the order of its mapping."""


def undo_parts(
    chunks: Chunks, output: str, mapping: Path, key: bytes, progress: Progress | None
) -> tuple[int, bool]:
    """Gives back the originals of a release, part by part, in the order of its mapping.

    Gives the number of documents, and whether the bytes are the original's.
    """
    from ..methods.pseudonyms.mapping import mapping_frames, restored

    frames, waiting = mapping_frames(mapping, key), list[Any]()
    number, stated = 0, dict[str, str]()
    with formats.atomic_files() as files:
        for path in (chunks.path, mapping):
            if path is not None:
                files.protect(path)
        with formats.chunk_writer(output, chunks, files) as out:
            for chunk in chunks.tracked("undo", progress):
                while len(waiting) < len(chunk.texts) and (frame := next(frames, None)) is not None:
                    waiting += frame["documents"]
                    stated = frame.get("files", stated)
                texts: list[str | None] = []
                for text, document in zip_longest(chunk.texts, waiting[: len(chunk.texts)]):
                    if document is None:
                        raise _other_order(number)
                    found = restored(text or "", document)
                    if found is None:
                        raise _other_order(number)
                    texts.append(None if text is None else found)
                    number += 1
                del waiting[: len(chunk.texts)]
                out.write(chunk, texts)
        for frame in frames:
            waiting += frame["documents"]
            stated = frame.get("files", stated)
        if waiting:
            raise _other_order(number)
        digests = files.digests(output) if output != "-" else {}
        files.commit()
    return number, bool(stated) and sorted(stated.values()) == sorted(digests.values())


def _other_order(number: int) -> OtherOrder:
    return OtherOrder(
        "this is not the text that the mapping has next",
        where=f"document {number}",
        remedy="undo the release as it was written, or parts of it with --no-stream",
    )


def recognise_parts(
    chunks: Chunks,
    find: Callable[[list[str]], list[Span]],
    done: Callable[[], None],
    output: str,
    *,
    lists: Iterable[Path | None] = (),
    quiet: bool,
) -> tuple[int, Counter[str]]:
    """Writes the review file of all parts; gives the number of documents and of each label."""
    from ..recognizers import review

    documents, counts = 0, Counter[str]()
    with formats.atomic_files() as files, show.progress_bar(quiet) as progress:
        for path in (chunks.path, *lists):
            if path is not None:
                files.protect(path)
        stream = files.standard_output() if output == "-" else files.open(output, private=True)
        with stream:
            for chunk in chunks.tracked("recognise", progress):
                texts = [text or "" for text in chunk.texts]
                found = find(texts)
                stream.write(review.write(found, texts, documents))
                counts.update(span.label for span in found)
                documents += len(texts)
        done()
        files.commit()
    return documents, counts
