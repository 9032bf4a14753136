"""`sfumato suppress`: rare substrings become stars."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..core.errors import BadInput
from . import options


def command(
    input: Annotated[str, options.INPUT],
    output: options.Output,
    k: Annotated[
        str, typer.Option("-k", help="How often everything legible must occur; several: 2,5,10.")
    ] = "5",
    text_column: options.TextColumn = None,
    group_column: options.GroupColumn = None,
    count: Annotated[
        str | None,
        typer.Option(
            help="What k counts: occurrences, documents or groups "
            "[default: groups with --group-column, documents of a collection, else occurrences]."
        ),
    ] = None,
    unit: Annotated[str, typer.Option(help="character, grapheme or word.")] = "character",
    align: Annotated[
        str, typer.Option(help="word: a star never splits a word; character: the fewest stars.")
    ] = "word",
    min_run: Annotated[int, typer.Option(help="The shortest legible stretch, in symbols.")] = 1,
    run_price: Annotated[
        int, typer.Option(help="What opening a run of stars costs, in symbols: fewer, longer runs.")
    ] = 0,
    cover: Annotated[
        str,
        typer.Option(
            help="fewest, longest-first (the paper's), word or word-and-repeats (baselines)."
        ),
    ] = "fewest",
    keep: Annotated[
        str | None, typer.Option(help="Symbols that are never starred, for instance ' .,'.")
    ] = None,
    mask: Annotated[str, typer.Option(help="What a starred symbol becomes.")] = "★",
    collapse: Annotated[
        bool, typer.Option("--collapse", help="One mask for a whole run of stars.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Count in the release instead of the original.")
    ] = False,
    spans: Annotated[
        str | None,
        typer.Option(
            help="A reviewed file of spans (see `recognise`): direct identifiers in it are starred "
            "whatever their count, quasi-identifiers are counted like all text."
        ),
    ] = None,
    preset: options.Preset = "default",
    memory: Annotated[
        str | None,
        typer.Option(
            help="Working memory to stay within, such as 2GB; larger texts use temporary files."
        ),
    ] = None,
    format: options.Format = None,
    encoding: options.Encoding = "utf-8",
    certificate: options.Certificate = None,
    private_certificate: options.PrivateCertificate = None,
    key_file: options.KeyFile = None,
    overwrite: options.Overwrite = False,
    number_files: options.NumberFiles = False,
    seed: options.Seed = 0,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Stars what is rare, so that every legible substring occurs at least k times.

    Example: sfumato suppress notes.jsonl -k 5 --text-column text --group-column patient_id
    -o out.jsonl
    """
    from .. import formats
    from ..methods.substrings import suppress
    from . import show
    from .publish import Paths, publish, quiet_warnings
    from .spans import spans_with_role, with_preset

    ks = _several(k)
    source = formats.read(
        input, text_column=text_column, group_column=group_column, format=format, encoding=encoding
    )
    chosen: dict[str, Any] = {
        "count": count,
        "groups": source.groups,
        "unit": unit,
        "align": align,
        "min_run": min_run,
        "run_price": run_price,
        "cover": cover,
        "keep": keep,
        "mask": mask,
        "collapse": collapse,
        "strict": strict,
        "memory": memory,
        "seed": seed,
    }
    if spans is not None:
        chosen["spans"] = spans_with_role(spans, source, ["direct"], preset)
    with show.progress_bar(quiet or json) as progress, quiet_warnings():
        result = suppress(source.data, ks, progress=progress, **chosen)
    if spans is not None:
        result = {one: with_preset(release, preset) for one, release in result.items()}
    releases = {f".k{one}" if len(ks) > 1 else "": release for one, release in result.items()}
    paths = Paths(output, certificate, private_certificate, key_file, overwrite, number_files)
    lists = () if spans is None else (Path(spans),)
    publish(source, releases, paths, json=json, quiet=quiet, lists=lists)


def _several(k: str) -> list[int]:
    try:
        return [int(one) for one in k.split(",")]
    except ValueError:
        raise BadInput(
            "expected a whole number or several with commas", where="-k", remedy="for instance -k 5"
        ) from None
