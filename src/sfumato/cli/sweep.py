"""`sfumato sweep`: privacy against loss over a range of a parameter."""

from __future__ import annotations

import json as json_module
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..attacks.protocol import BACKGROUND, SAMPLE
from ..core.errors import BadInput
from ..methods import method as declared
from . import judging, options
from .intake import intake
from .parameters import value_of

if TYPE_CHECKING:
    from ..core.method import Call
    from ..formats import Dataset
    from ..formats.atomic import AtomicFiles
    from ..judging.sweep import Sweep


def command(
    input: Annotated[str, options.INPUT],
    output: Annotated[
        str, typer.Option("-o", "--output", help="The table (CSV): a file, or - (standard output).")
    ] = "-",
    plot: Annotated[
        Path | None, typer.Option(help="Also draw success against loss here (SVG).")
    ] = None,
    method: Annotated[str, typer.Option(help="The verb, for instance suppress.")] = "suppress",
    parameter: Annotated[
        str | None,
        typer.Option(help="What is varied [default: k; t of generalize; method of sanitize]."),
    ] = None,
    values: Annotated[
        str | None, typer.Option(help="Its values, with commas, for instance 2,3,5,10,20.")
    ] = None,
    attacks: judging.Attacks = None,
    text_column: options.TextColumn = None,
    group_column: options.GroupColumn = None,
    terms: options.Terms = None,
    schema: judging.Schema = None,
    patterns: judging.Patterns = None,
    given: Annotated[
        list[str] | None,
        typer.Option(
            "--option", metavar="NAME=VALUE", help="Another option of the verb; repeatable."
        ),
    ] = None,
    gold: judging.Gold = None,
    background: judging.Background = BACKGROUND,
    sample: judging.Sample = SAMPLE,
    format: options.Format = None,
    encoding: options.Encoding = "utf-8",
    overwrite: options.Overwrite = False,
    seed: options.Seed = 0,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Releases the input for every value of a parameter and attacks each release.

    It tells the loss, the success of the attacks, and the knee: the value from which on more loss
    buys less protection.

    Example: sfumato sweep notes.jsonl --text-column text --group-column patient_id
    --values 2,3,5,10,20 -o sweep.csv --plot sweep.svg
    """
    from .. import formats
    from ..judging.sweep import sweep
    from . import show
    from .publish import quiet_warnings

    for place in () if overwrite else (None if output == "-" else output, plot):
        if place is not None:
            formats.require_free(place)
    named = {"terms": terms, "patterns": patterns} | _pairs(given)
    reading = {"text_column": text_column, "group_column": group_column}
    with show.working("read", quiet or json):
        source, call = _call(method, input, schema, named, reading, format, encoding)
    if gold is not None and source.table is not None:
        raise BadInput("gold spans are of texts, not of tables", where="--gold")
    with show.progress_bar(quiet or json) as progress, quiet_warnings():
        found = sweep(
            call.data,
            method,
            None if values is None else [_value(one) for one in values.split(",")],
            parameter,
            attacks=judging.several(attacks),
            groups=source.groups,
            background=background,
            gold=judging.read_gold(gold, source),
            sample=sample,
            seed=seed,
            progress=progress,
            **call.arguments,
        )
    drawn = None if plot is None else found.svg()
    with formats.atomic_files(overwrite=overwrite) as files:
        if source.path is not None:
            files.protect(source.path)
        _write(files, output, found, json)
        if plot is not None and drawn is not None:
            with files.open(plot) as stream:
                stream.write(drawn.encode())
        files.commit()
    if not (quiet or json):
        _show(found)


def _call(
    verb: str,
    input: str,
    schema: Path | None,
    named: Mapping[str, object],
    reading: Mapping[str, object],
    format: str | None,
    encoding: str,
) -> tuple[Dataset, Call]:
    """The input, and the verb's call of it; what a sweep varies and counts it gives itself."""
    from ..core.method import MethodInput, options_of

    method = declared(verb)
    flags = {one.flag.lstrip("-").replace("-", "_"): one for one in options_of(method.options)}
    known = {one.name: one for one in options_of(method.options)} | flags
    stated = {}
    for name, value in named.items():
        if value is None:
            continue
        if name not in known:
            raise BadInput(f"{verb} has no such option", where=f"--{name}")
        stated[known[name].name] = value_of(known[name], value)
    taken = intake(method)
    given = {"input": input, "schema": schema, "format": format, "encoding": encoding}
    values = taken.completed({**reading, **given})
    source = taken.read(input, values)
    call = method.bind(
        MethodInput(
            options=method.with_options(stated),
            stated=frozenset(stated),
            data=source,
            file=lambda path: None if path is None else Path(path),
            schema=values["schema"],
            read=lambda path: taken.read(path, values),
        )
    )
    swept = method.swept
    ours = {"groups", *([] if swept is None else [swept.option])}
    arguments = {name: one for name, one in call.arguments.items() if name not in ours}
    return source, replace(call, arguments=arguments)


def _pairs(given: list[str] | None) -> dict[str, str]:
    pairs = [one.partition("=") for one in given or []]
    if any(not name or not equals for name, equals, _ in pairs):
        raise BadInput("expected NAME=VALUE", where="--option")
    return {name.replace("-", "_"): value for name, _, value in pairs}


def _value(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    if not text.strip():
        raise BadInput("an empty value", where="--values", remedy="for instance 2,5,10")
    return text.strip()


def _write(files: AtomicFiles, output: str, found: Sweep, json: bool) -> None:
    content = json_module.dumps(found.as_dict()) + "\n" if json else found.csv()
    stream = files.standard_output() if output == "-" else files.open(output)
    with stream:
        stream.write(content.encode())


def _show(found: Sweep) -> None:
    from rich.table import Table

    from ..core.numbers import percent
    from . import show
    from .attack import print_known

    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(found.parameter, justify="right")
    table.add_column("loss", justify="right")
    for one in found.points[0].attacks:
        table.add_column(one.name, justify="right")
        table.add_column("control", justify="right")
    table.add_column("")
    for point in found.points:
        lost = percent(point.loss) if 0 <= point.loss <= 1 else show.number(point.loss)
        cells = [str(point.value), lost]
        for one in point.attacks:
            cells += [percent(one.success), percent(one.control)]
        table.add_row(*cells, "knee" if point.value == found.knee else "")
    show.console().print(table)
    if found.knee is not None:
        show.console().print("knee: from there on, more loss buys less protection")
    print_known([one.as_dict() for one in found.points[0].attacks])
