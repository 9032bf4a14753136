"""`sfumato sanitize`: sensitive patterns are concealed from sequences."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from . import options


def command(
    input: Annotated[str, options.INPUT],
    output: options.Output,
    patterns: Annotated[
        Path | None, typer.Option(help="The sensitive patterns, one a line; tokens by blanks.")
    ] = None,
    spans: Annotated[
        str | None,
        typer.Option(
            help="Or a reviewed file of spans (see `recognise`): the texts of its direct and "
            "quasi-identifiers are the patterns."
        ),
    ] = None,
    preset: options.Preset = "default",
    positions: Annotated[
        str | None,
        typer.Option(help="Or where they stand, from 0: 3,17 (of a collection 0:3,1:17)."),
    ] = None,
    draw: Annotated[
        int | None, typer.Option(help="Or how many to draw among those that occur tau times.")
    ] = None,
    method: Annotated[
        str,
        typer.Option(help="tfs, pfs, etfs (leave separators); tpm, tm, tmi; ba, ba-reverse."),
    ] = "tpm",
    replacement: Annotated[
        str, typer.Option(help="hide-and-mine, mcsr or integer-program.")
    ] = "hide-and-mine",
    tau: Annotated[int, typer.Option(help="From which frequency on a pattern counts.")] = 1,
    theta: Annotated[
        float | None, typer.Option(help="The most that replacements may weigh (mcsr).")
    ] = None,
    rho: Annotated[
        float | None, typer.Option(help="No replacement may score below this (below 0).")
    ] = None,
    implausible: Annotated[
        Path | None, typer.Option(help="Patterns that no replacement may create, one a line.")
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(
            help="A file like the input: rho is judged by its frequencies [default: the input's]."
        ),
    ] = None,
    letters: Annotated[
        int, typer.Option(help="How many of the most frequent letters are tried at a separator.")
    ] = 256,
    separator: Annotated[str, typer.Option(help="A symbol that the input does not have.")] = "#",
    length: Annotated[
        int | None, typer.Option(help="k, the windows' length [default: the shortest pattern's].")
    ] = None,
    unit: Annotated[
        str, typer.Option(help="character, or token: what stands between blanks.")
    ] = "character",
    per_line: Annotated[
        bool, typer.Option("--per-line", help="Each line of a text is a sequence of its own.")
    ] = False,
    text_column: options.TextColumn = None,
    person_column: Annotated[
        str | None,
        typer.Option(help="CSV with one event a row: whose it is; --text-column has the event."),
    ] = None,
    keep_short: Annotated[
        bool | None,
        typer.Option(
            "--keep-short/--drop-short",
            help="Sequences shorter than k stay, or become empty [default: stay in a collection].",
        ),
    ] = None,
    shuffle: Annotated[
        bool, typer.Option("--shuffle", help="Break the ties of blocks at random.")
    ] = False,
    format: options.Format = None,
    encoding: options.Encoding = "utf-8",
    certificate: options.Certificate = None,
    private_certificate: options.PrivateCertificate = None,
    key_file: options.KeyFile = None,
    overwrite: options.Overwrite = False,
    seed: options.Seed = 0,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Conceals sensitive patterns and keeps the order and frequency of all others.

    Example: sfumato sanitize trace.txt --patterns secret.txt --method tpm --tau 20 -o out.txt
    """
    from .. import formats
    from ..formats.sequences import Shape, check_shape, read_positions
    from ..methods.patterns import sanitize
    from . import show
    from .publish import Paths, publish, quiet_warnings
    from .secrets import read_patterns, read_reference

    shape = Shape(check_shape(unit, person_column), per_line)
    read = partial(
        formats.read,
        text_column=text_column,
        group_column=person_column,
        format="events" if shape.unit == "event" else format,
        encoding=encoding,
    )
    source = read(input)
    sequences = shape.sequences(source)
    collection = not source.is_single or per_line
    chosen: dict[str, Any] = {
        "patterns": read_patterns(shape, patterns, spans, source, preset),
        "positions": read_positions(positions, collection) if positions else None,
        "draw": draw,
        "method": method,
        "replacement": replacement,
        "tau": tau,
        "theta": theta,
        "rho": rho,
        "implausible": shape.patterns(implausible) if implausible else None,
        "reference": read_reference(shape, read(reference), collection) if reference else None,
        "letters": letters,
        "separator": separator,
        "length": length,
        "collection": collection,
        "keep_short": keep_short,
        "shuffle": shuffle,
        "seed": seed,
    }
    with show.progress_bar(quiet or json) as progress, quiet_warnings():
        release = sanitize(sequences, progress=progress, **chosen)
    if isinstance(sequences, str) and (breaks := sequences.count("\n")):
        told = f"{breaks} line breaks count as symbols: a pattern that one divides is not hidden"
        release = replace(release, warnings=(*release.warnings, f"{told} (see --per-line)"))
    shown = {**release.parameters, "unit": shape.unit, "per_line": per_line}
    shown |= {} if spans is None else {"preset": preset}
    publish(
        source,
        {"": replace(release, parameters=shown)},
        Paths(output, certificate, private_certificate, key_file, overwrite),
        json=json,
        quiet=quiet,
        original=sequences,
        written=lambda data: shape.texts(source, data),
        lists=(patterns, implausible, *(Path(one) for one in (spans, reference) if one)),
    )
