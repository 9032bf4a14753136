"""Commands on inputs too large for memory: part by part, verified part by part, seen at the end."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .. import formats
from ..core.errors import BadInput
from ..core.keys import read_key
from ..core.values import JsonObject
from ..formats.chunks import is_large
from ..pipeline.dataset import count_beside, released_texts
from . import show
from .publish import (
    Paths,
    outcome_shown,
    require,
    write_certificates,
)

if TYPE_CHECKING:
    from ..core.certificate_model import Certificate
    from ..core.method import Beside
    from ..core.progress import Progress
    from ..core.release import Release
    from ..core.spans import Span
    from ..formats import Chunks, Source
    from ..verification.untouched_columns import Publishing


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
    return is_large(input)


def publish_parts(
    chunks: Chunks,
    released: Callable[[Source], Release],
    paths: Paths,
    leaving: Callable[[Sequence[str]], Publishing],
    *,
    json: bool,
    quiet: bool,
    lists: Iterable[Path | None] = (),
    beside: Beside | None = None,
    warnings: Callable[[Mapping[str, int]], tuple[str, ...]] = lambda counts: (),
    progress: Progress | None = None,
) -> None:
    """Releases, verifies and writes part after part; all appears, with certificates, or nothing.

    `released` gives the release of a part, `leaving` the columns of it that leave as they are;
    `beside` writes what else belongs to the release, `warnings` tells what the counts of all mean.
    """
    from ..core.totals import Totals
    from ..verification import verify_part

    key = read_key(paths.key_file) or os.urandom(32)
    publishing: Publishing | None = None
    totals = Totals(keep=paths.private_certificate is not None, warnings=warnings)
    carried: JsonObject = {}
    with formats.atomic_files(overwrite=paths.overwrite) as files:
        for path in (*lists, paths.key_file):
            if path is not None:
                files.protect(path)
        add = None if beside is None else beside(files)
        with formats.chunk_writer(paths.output, chunks, files) as out:
            for chunk in chunks.tracked("release", progress):
                release = released(chunk)
                totals.add(release, verify_part(chunk.texts, release, carried))
                require(totals.verdicts)
                publishing = publishing or leaving(chunk.columns)
                count_beside(publishing, chunk, release)
                publishing.require()
                out.write(chunk, released_texts(chunk, release))
                if add is not None:
                    add(release)
        publishing = publishing or leaving(())

        def certify(private: bool) -> Certificate:
            stated = totals.certificate(private=private, key=key)
            told = (*stated.warnings, *publishing.warnings())
            return replace(stated, warnings=told, columns=publishing.as_dict())

        write_certificates(files, paths, certify, key)
        if add is not None:
            add(None)
        files.commit()
    release = totals.release()
    release = replace(release, warnings=(*release.warnings, *publishing.warnings()))
    outcomes = {paths.output: (release, list(totals.verdicts))}
    outcome_shown(outcomes, paths.output, json=json, quiet=quiet)


def recognize_parts(
    chunks: Chunks,
    find: Callable[[list[str]], list[Span]],
    done: Callable[[], None],
    output: str,
    *,
    lists: Iterable[Path | None] = (),
    overwrite: bool = False,
    quiet: bool,
) -> tuple[int, Counter[str]]:
    """Writes the review file of all parts; gives the number of documents and of each label."""
    from ..recognizers import review

    documents, counts = 0, Counter[str]()
    with (
        formats.atomic_files(overwrite=overwrite) as files,
        show.progress_bar(quiet) as progress,
    ):
        for path in (chunks.path, *lists):
            if path is not None:
                files.protect(path)
        stream = files.standard_output() if output == "-" else files.open(output, private=True)
        with stream:
            for chunk in chunks.tracked("recognize", progress):
                texts = chunk.filled
                found = find(texts)
                stream.write(review.write(found, texts, documents))
                counts.update(span.label for span in found)
                documents += len(texts)
        done()
        files.commit()
    return documents, counts
