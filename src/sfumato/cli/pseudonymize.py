"""`sfumato pseudonymize`: consistent surrogates, a mapping that undoes them."""

from __future__ import annotations

import json as json_module
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..core.errors import BadInput
from . import options
from .recognise import Processes, Recognizer, Spans

if TYPE_CHECKING:
    from ..formats import Chunks, Source


def command(
    input: Annotated[str, options.INPUT],
    output: options.Output,
    key_file: Annotated[
        Path | None,
        typer.Option(
            help="The secret key of surrogates, dates, mapping and the certificate's hashes, at "
            "least 16 bytes [default: a new one that nobody keeps]."
        ),
    ] = None,
    mapping: Annotated[
        Path | None, typer.Option(help="The encrypted file that undoes the release.")
    ] = None,
    undo: Annotated[
        bool, typer.Option("--undo", help="INPUT is a release: give back the original.")
    ] = False,
    recognizer: Recognizer = "rules-en",
    processes: Processes = 1,
    spans: Spans = None,
    dates: Annotated[
        str, typer.Option(help="shift: by a secret number of days for each group; keep; label.")
    ] = "shift",
    text_column: options.TextColumn = None,
    group_column: Annotated[
        str | None,
        typer.Option(help="The column that says whose text it is: its dates move alike."),
    ] = None,
    format: options.Format = None,
    encoding: options.Encoding = "utf-8",
    certificate: options.Certificate = None,
    private_certificate: options.PrivateCertificate = None,
    overwrite: options.Overwrite = False,
    number_files: options.NumberFiles = False,
    seed: options.Seed = 0,
    stream: options.Stream = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Replaces what a recogniser found by surrogates; claims no anonymity.

    Example: sfumato pseudonymize notes.jsonl --text-column text --group-column patient_id
    --key-file key --mapping map.sfumato -o out.jsonl
    """
    from .. import formats
    from .publish import Paths, publish
    from .spans import files_named, finder, read_spans
    from .stream import is_wanted, pseudonymize_parts

    key = None if key_file is None else read_key(key_file)
    if key is None and (undo or mapping is not None):
        raise BadInput("a mapping needs the key", where="--key-file", remedy="name its file")
    paths = Paths(output, certificate, private_certificate, key_file, overwrite, number_files)
    in_parts = is_wanted(input, format, stream)
    if in_parts:
        chunks = formats.read_chunks(
            input,
            text_column=text_column,
            group_column=group_column,
            format=format,
            encoding=encoding,
        )
    if undo and key is not None:
        if mapping is None:
            raise BadInput("undoing needs the mapping", where="--mapping", remedy="name its file")
        if in_parts and _undo_parts(
            chunks, output, mapping, key, must=stream is not None, json=json, quiet=quiet
        ):
            return
    elif in_parts:
        from ..methods.pseudonyms.stream import Pseudonyms

        find, done = finder(recognizer, spans, processes)
        told = [] if spans else recognizer
        with Pseudonyms(told, key, dates, seed=seed) as run:  # type: ignore[arg-type]
            pseudonymize_parts(
                *(chunks, run, find, done, paths),
                key=key,
                mapping=mapping,
                lists=files_named(recognizer, spans),
                json=json,
                quiet=quiet,
            )
        return
    source = formats.read(
        input, text_column=text_column, group_column=group_column, format=format, encoding=encoding
    )
    if undo and key is not None and mapping is not None:
        _undo(source, output, mapping, key, overwrite, json=json, quiet=quiet)
        return
    from ..methods.pseudonyms import pseudonymize
    from ..methods.pseudonyms.mapping import mapping_bytes
    from ..recognizers import recogniser
    from . import show

    given = (
        read_spans(spans, source, [text or "" for text in source.texts])
        if spans
        else recogniser(recognizer, processes=processes)
    )
    with show.progress_bar(quiet or json) as progress:
        release = pseudonymize(
            source.data,
            given,
            key,
            dates,  # type: ignore[arg-type]  # checked by the verb
            source.groups,
            seed=seed,
            progress=progress,
        )
    shown = {**release.parameters, "recognizer": "given" if spans else recognizer}
    release = replace(release, parameters=shown)
    beside = {}
    if mapping is not None and key is not None:
        digests = formats.file_digests(source.path) if source.path is not None else {}
        beside[mapping] = mapping_bytes(release, key, digests)
    lists = files_named(recognizer, spans)
    publish(source, {"": release}, paths, json=json, quiet=quiet, lists=lists, beside=beside)


def _undo(
    source: Source,
    output: str,
    mapping: Path,
    key: bytes,
    overwrite: bool,
    *,
    json: bool,
    quiet: bool,
) -> None:
    from .. import formats
    from ..core.corpus import Corpus
    from ..methods.pseudonyms import undo
    from ..methods.pseudonyms.mapping import read_mapping

    texts = Corpus.of(undo(source.data, mapping, key)).texts
    restored = [None if old is None else new for old, new in zip(source.texts, texts, strict=True)]
    stated = read_mapping(mapping, key)["files"]
    with formats.atomic_files() as files:
        out = formats.writer(output, source, overwrite=overwrite, files=files)
        out.write(restored)
        digests = files.digests(output) if output != "-" else {}
        files.commit()
    same = bool(stated) and sorted(stated.values()) == sorted(digests.values())
    _tell_undone(output, len(texts), same, json=json, quiet=quiet)


def _undo_parts(
    chunks: Chunks,
    output: str,
    mapping: Path,
    key: bytes,
    *,
    must: bool,
    json: bool,
    quiet: bool,
) -> bool:
    """Undoes a release in parts; False where it has another order and may be read whole."""
    from . import show
    from .stream import OtherOrder, undo_parts

    try:
        with show.progress_bar(quiet or json) as progress:
            documents, same = undo_parts(chunks, output, mapping, key, progress)
    except OtherOrder:
        if must:
            raise
        return False
    _tell_undone(output, documents, same, json=json, quiet=quiet)
    return True


def _tell_undone(output: str, documents: int, same: bool, *, json: bool, quiet: bool) -> None:
    from . import show

    if json:
        outcome = {"output": output, "documents": documents, "same_bytes": same}
        typer.echo(json_module.dumps(outcome), err=output == "-")
    elif not quiet:
        told = "the original's bytes" if same else "the original texts; compare the bytes"
        show.console().print(f"undone: {told}")


def read_key(path: Path) -> bytes:
    """The key of a file."""
    try:
        return path.read_bytes().strip()
    except OSError as problem:
        raise BadInput(f"the key cannot be read ({problem.strerror})", where=str(path)) from None
