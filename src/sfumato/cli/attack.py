"""`sfumato attack`: what somebody who has the release can find out."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from ..attacks.protocol import BACKGROUND, SAMPLE, Knows
from ..core.errors import BadInput, NotVerified
from . import judging, options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..core.release import Release
    from ..core.values import Data, JsonObject, JsonValues
    from ..formats import Source
    from ..received.certificate import Certificate


def command(
    original: judging.Original,
    release: judging.JudgedFolder,
    attacks: judging.Attacks = None,
    text_column: options.TextColumn = None,
    group_column: options.GroupColumn = None,
    background: judging.Background = BACKGROUND,
    public: Annotated[
        str | None,
        typer.Option(help="A file of public text that helps to fill in stars (TXT, CSV, JSONL)."),
    ] = None,
    mask: judging.Mask = None,
    certificate: Annotated[
        Path | None, typer.Option(help="The release's certificate, for the inversions.")
    ] = None,
    private_certificate: judging.PrivateCertificate = None,
    private: Annotated[
        Path | None,
        typer.Option(help="The private folder of a release folder [default: beside it, if there]."),
    ] = None,
    terms: options.Terms = None,
    direct: options.Direct = None,
    patterns: judging.Patterns = None,
    schema: judging.Schema = None,
    sample: judging.Sample = SAMPLE,
    format: options.Format = None,
    encoding: options.Encoding = "utf-8",
    seed: options.Seed = 0,
    json: options.Json = False,
) -> None:
    """Attacks a release; counts how often it succeeds, and how often on people not in the data.

    A release folder says itself which columns are whose; with its private folder the figures are
    those of its run.

    Example: sfumato attack notes.jsonl out.jsonl --text-column text --group-column patient_id
    """
    from ..attacks.run import attack
    from ..formats.table import read_table
    from ..pipeline.folder_attack import attack_folder
    from ..received.folder import is_release
    from . import show

    names = judging.several(attacks)
    reading: JsonObject = {"text_column": text_column, "format": format, "encoding": encoding}
    known: Data = background
    if is_release(release):
        stated = {"--text-column": text_column, "--group-column": group_column, "--schema": schema}
        _require_none({**stated, "--terms": terms, "--patterns": patterns, "--mask": mask})
        if background not in get_args(Knows):
            raise BadInput("is part or another, of a release folder", where="--background")
        with show.progress_bar(json) as progress:
            told = attack_folder(
                *(original, release, names, background, seed),
                private=private,
                public=None if public is None else _public(public, text_column, encoding),
                sample=sample,
                progress=progress,
            )
        return _tell(told, json)
    rows = judging.shuffled_rows(release, certificate, private_certificate)
    if schema is not None:
        with show.working("read", json):
            table, recoded = (
                read_table(one, format=format, encoding=encoding).frame
                for one in (original, release)
            )
        table = table if rows is None else table[rows]
        with show.progress_bar(json) as progress:
            found = attack(
                table,
                recoded,
                names,
                seed=seed,
                sample=sample,
                schema=schema,
                progress=progress,
            )
        return _tell([one.as_dict() for one in found], json)

    if background not in get_args(Knows):
        known = judging.read_records(background, **reading)[1]
    groups: Data
    judged: Data
    if terms is None and patterns is None:
        source, data = judging.read_records(original, group_column=group_column, **reading)
        judged, groups = judging.read_records(release, **reading)[1], source.groups
        if rows is not None:
            data = [data[row] for row in rows]
            groups = None if groups is None else [groups[row] for row in rows]
    else:
        both = judging.read_both(original, release, group_column=group_column, **reading)
        data, judged = _judged(*both, certificate, terms, direct, patterns)
        groups = both[0].groups
    with show.progress_bar(json) as progress:
        results = attack(
            data,
            judged,
            names,
            groups,
            known,
            seed,
            public=None if public is None else _public(public, text_column, encoding),
            mask=mask,
            sample=sample,
            progress=progress,
        )
    return _tell([one.as_dict() for one in results], json)


def _require_none(given: Mapping[str, object]) -> None:
    """What a release folder says itself is not said again: two answers could differ."""
    for flag, value in given.items():
        if value:
            raise BadInput("a release folder says this itself", where=flag, remedy="leave it out")


def _tell(told: Sequence[Mapping[str, object]], json: bool) -> None:
    if json:
        typer.echo(json_module.dumps(told))
    else:
        print_results(told)


def _public(path: str, text_column: list[str] | None, encoding: str) -> list[str]:
    from .. import formats

    column = None if ".txt" in path or Path(path).is_dir() else text_column
    source = formats.read(path, text_column=column, encoding=encoding)
    return source.filled


def _judged(
    before: Source,
    after: Source,
    certificate: Path | None,
    terms: Path | None,
    direct: Path | None,
    patterns: Path | None,
) -> tuple[Data, Release]:
    """The original, and the release it became, with the side inputs that the inversions need."""
    from ..received.certificate import read

    if certificate is None:
        raise BadInput("the release's parameters are in it", where="--certificate")
    stated = read(certificate)
    if terms is not None:
        return before.data, _redone(before, after, stated, terms, direct)
    from ..core.release import Sides
    from ..received.sequences import shape_of

    assert patterns is not None
    shape = shape_of(stated)
    sides = Sides(patterns=shape.patterns(patterns))
    return shape.sequences(before), stated.released(shape.sequences(after), sides)


def _redone(
    before: Source, after: Source, stated: Certificate, terms: Path, direct: Path | None
) -> Release:
    """The release of the same redaction: same input, same parameters, same bytes."""
    from ..methods.terms.method import Options, read_dictionary
    from ..methods.terms.redact import redact

    given = stated.parameters
    names = ("k", "guarantee", "rare_lengths", "mask", "whole_words", "seed")
    folding = {name: given[name] for name in ("fold_case", "fold_width")}
    dictionary = read_dictionary(terms, Options(**folding))
    release = redact(
        before.data, dictionary, direct=direct, **{name: given[name] for name in names}
    )
    if release.data != after.data:
        raise NotVerified("the release is not what this list and certificate give")
    return release


def print_results(results: Sequence[JsonValues]) -> None:
    """A table of attacks on the terminal, and below it what each knew and was compared with."""
    from rich.table import Table

    from ..core.numbers import percent
    from . import show

    table = Table(box=None, padding=(0, 1, 0, 0))
    limited = any(one.get("at_most") is not None for one in results)
    names = ["attack", "success", "95% interval", "control", "guessing", "trials", "verdict"]
    for column in [*names, *(["at most"] if limited else [])]:
        left = column in ("attack", "verdict")
        table.add_column(column, justify="left" if left else "right", no_wrap=True)
    for one in results:
        table.add_row(
            one["name"],
            percent(one["success"]),
            f"{percent(one['low']).rstrip('%')}–{percent(one['high'])}",
            percent(one["control"]),
            percent(one["baseline"]),
            f"{one['trials']:,}",
            coloured(one["verdict"]),
            *([percent(one.get("at_most"))] if limited else []),
        )
    show.console().print(table)
    print_verdicts(results)
    print_known(results)


MEANT = {
    "above": "clearly more often right than on people who are not in the data (the control)",
    "perhaps above": "more often right than the control, and that is probably not chance",
    "near": "about as often right as the control; a difference may be chance",
    "below": "clearly less often right than the control",
}
COLOURS = {"above": "red", "near": "green", "below": "green"}


def coloured(verdict: str) -> str:
    """A verdict in the colour that says whether it is bad."""
    return f"[{COLOURS.get(verdict, 'yellow')}]{verdict}[/]"


def print_verdicts(results: Sequence[JsonValues]) -> None:
    """What the verdicts that were given mean."""
    from . import show

    given = {one["verdict"] for one in results}
    for word, meaning in MEANT.items():
        if word in given:
            show.console().print(f"{coloured(word)}: {meaning}")


def print_known(results: Sequence[JsonValues]) -> None:
    """What the attacker knows beside the release, and whose attack the control is."""
    from . import show

    told: dict[tuple[str, str | None], list[str]] = {}
    for one in results:
        told.setdefault((one["background"], one["control_of"]), []).append(one["name"])
    for (background, control), names in told.items():
        beside = f"control: {control}" if control else "no control"
        show.console().print(f"{', '.join(names)}: the attacker knows {background}; {beside}")
