"""`sfumato attack`: what somebody who has the release can find out."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from ..core.errors import BadInput, NotVerified
from . import judging, options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..attacks.result import AttackResult
    from ..core.release import Release
    from ..formats import Source


def command(
    original: judging.Original,
    release: judging.Judged,
    attacks: judging.Attacks = None,
    text_column: options.TextColumn = None,
    group_column: options.GroupColumn = None,
    background: Annotated[
        str | None,
        typer.Option(
            help="What is known of people: another (text of theirs), part (50 words of it), or a "
            "file like ORIGINAL with a text for each document "
            "[default: another where enough people have two, else part]."
        ),
    ] = None,
    public: Annotated[
        str | None,
        typer.Option(help="A file of public text that helps to fill in stars (TXT, CSV, JSONL)."),
    ] = None,
    mask: judging.Mask = None,
    certificate: Annotated[
        Path | None, typer.Option(help="The release's certificate, for the inversions.")
    ] = None,
    terms: options.Terms = None,
    direct: options.Direct = None,
    patterns: judging.Patterns = None,
    schema: judging.Schema = None,
    sample: judging.Sample = 1000,
    format: options.Format = None,
    encoding: options.Encoding = "utf-8",
    seed: options.Seed = 0,
    json: options.Json = False,
) -> None:
    """Attacks a release; tells success beside guessing and people not in the data, and no text.

    Example: sfumato attack notes.jsonl out.jsonl --text-column text --group-column patient_id
    """
    from .. import formats
    from ..attacks.run import attack
    from ..attacks.scene import Knows
    from ..formats.table import read_table
    from . import show

    names = judging.several(attacks)
    if schema is not None:
        table, recoded = (
            read_table(one, format=format, encoding=encoding).frame for one in (original, release)
        )
        found = attack(table, recoded, names, seed=seed, sample=sample, schema=schema)
        return _tell(found, json)

    before, after = judging.read_both(
        original,
        release,
        text_column=text_column,
        group_column=group_column,
        format=format,
        encoding=encoding,
    )
    known: Any = background
    if background is not None and background not in get_args(Knows):
        source = formats.read(background, text_column=text_column, format=format, encoding=encoding)
        known = source.texts
    data, judged = before.data, _judged(before, after, certificate, terms, direct, patterns)
    if isinstance(judged, tuple):
        data, judged = judged
    with show.progress_bar(json) as progress:
        results = attack(
            data,
            judged,
            names,
            before.groups,
            known,
            seed,
            public=None if public is None else _public(public, text_column, encoding),
            mask=mask,
            sample=sample,
            progress=progress,
        )
    return _tell(results, json)


def _tell(results: Sequence[AttackResult], json: bool) -> None:
    if json:
        typer.echo(json_module.dumps([result.as_dict() for result in results]))
    else:
        print_results(results)


def _public(path: str, text_column: list[str] | None, encoding: str) -> list[str]:
    from .. import formats

    column = None if ".txt" in path or Path(path).is_dir() else text_column
    source = formats.read(path, text_column=column, encoding=encoding)
    return [text or "" for text in source.texts]


def _judged(
    before: Source,
    after: Source,
    certificate: Path | None,
    terms: Path | None,
    direct: Path | None,
    patterns: Path | None,
) -> Any:
    """What is attacked: the texts, or with its side inputs the release they came from."""
    if terms is None and patterns is None:
        return after.data
    from .certified import read_certificate
    from .verify import released

    if certificate is None:
        raise BadInput("the release's parameters are in it", where="--certificate")
    stated = read_certificate(certificate)
    if terms is not None:
        return _redone(before, after, stated, terms, direct)
    from ..formats.sequences import Shape

    assert patterns is not None
    parameters = stated["parameters"]
    shape = Shape(parameters["unit"], parameters["per_line"])
    private = {"patterns": shape.patterns(patterns)}
    return shape.sequences(before), released(stated, shape.sequences(after), private)


def _redone(
    before: Source, after: Source, stated: dict[str, Any], terms: Path, direct: Path | None
) -> Release:
    """The release of the same redaction: same input, same parameters, same bytes."""
    from ..methods.terms import redact
    from .redact import read_dictionary

    given = stated["parameters"]
    names = ("k", "guarantee", "rare_lengths", "mask", "whole_words", "seed")
    dictionary = read_dictionary(terms, given["fold_case"], given["fold_width"])
    release = redact(
        before.data, dictionary, direct=direct, **{name: given[name] for name in names}
    )
    if release.data != after.data:
        raise NotVerified("the release is not what this list and certificate give")
    return release


def print_results(results: Sequence[AttackResult]) -> None:
    """A table of attacks on the terminal."""
    from rich.table import Table

    from . import show

    table = Table(box=None, padding=(0, 1, 0, 0))
    for column in ("attack", "success", "95%", "control", "guess", "trials", "control?"):
        table.add_column(column, justify="left" if column in ("attack", "control?") else "right")
    for one in results:
        table.add_row(
            one.name,
            f"{one.success:.3f}",
            f"{one.low:.2f}–{one.high:.2f}",
            "" if one.control is None else f"{one.control:.3f}",
            f"{one.baseline:.3f}",
            f"{one.trials:,}",
            "[red]above[/]" if one.is_above_control else "[green]near[/]",
        )
    show.console().print(table)
