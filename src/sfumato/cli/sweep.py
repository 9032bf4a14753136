"""`sfumato sweep`: privacy against loss over a range of a parameter."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..core.errors import BadInput
from . import judging, options

if TYPE_CHECKING:
    from ..judging.sweep import Sweep


def command(
    input: Annotated[str, options.INPUT],
    output: Annotated[
        str, typer.Option("-o", "--output", help="The table (CSV): a file, or - (standard output).")
    ] = "-",
    plot: Annotated[
        Path | None, typer.Option(help="Also draw success against loss here (SVG).")
    ] = None,
    method: Annotated[
        str, typer.Option(help="suppress, redact, generalize, sanitize or anonymize.")
    ] = "suppress",
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
    gold: judging.Gold = None,
    sample: judging.Sample = 500,
    format: options.Format = None,
    encoding: options.Encoding = "utf-8",
    seed: options.Seed = 0,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Releases the input for every value, attacks each, and tells loss, success and the knee.

    Example: sfumato sweep notes.jsonl --text-column text --group-column patient_id
    --values 2,3,5,10,20 -o sweep.csv --plot sweep.svg
    """
    from .. import formats
    from ..formats.sequences import Shape
    from ..judging.sweep import sweep
    from . import show
    from .publish import quiet_warnings

    given: dict[str, Any] = {}
    if method == "anonymize":
        source, data, given = _table(input, schema, terms, format, encoding, gold)
    else:
        source = formats.read(
            input,
            text_column=text_column,
            group_column=group_column,
            format=format,
            encoding=encoding,
        )
        data = source.data
    if terms is not None and method != "anonymize":
        from .redact import read_dictionary

        given["terms"] = read_dictionary(terms, False, False)
    if patterns is not None:
        shape = Shape()
        given["patterns"], data = shape.patterns(patterns), shape.sequences(source)
    with show.progress_bar(quiet or json) as progress, quiet_warnings():
        found = sweep(
            data,
            method,
            None if values is None else [_value(one) for one in values.split(",")],
            parameter,
            attacks=judging.several(attacks),
            groups=None if method == "anonymize" else source.groups,
            gold=judging.read_gold(gold, source),
            sample=sample,
            seed=seed,
            progress=progress,
            **given,
        )
    drawn = None if plot is None else found.svg()
    with formats.atomic_files() as files:
        if source.path is not None:
            files.protect(source.path)
        _write(files, output, found, json)
        if plot is not None and drawn is not None:
            with files.open(plot) as stream:
                stream.write(drawn.encode())
        files.commit()
    if not (quiet or json):
        _show(found)


def _table(
    input: str,
    schema: Path | None,
    terms: Path | None,
    format: str | None,
    encoding: str,
    gold: str | None,
) -> tuple[Any, Any, dict[str, Any]]:
    """The table, its frame, and what `anonymize` takes beside it."""
    from ..formats.table import read_table
    from ..schema import as_schema
    from .anonymize import read_terms

    if schema is None:
        problem, remedy = "anonymize needs the schema of the table", "name its file"
        raise BadInput(problem, where="--schema", remedy=remedy)
    if gold is not None:
        raise BadInput("gold spans are of texts, not of tables", where="--gold")
    described = as_schema(schema)
    table = read_table(input, format=format, encoding=encoding)
    given: dict[str, Any] = {"schema": described}
    if terms is not None:
        given["recognizer"] = read_terms(terms, None, table, described)
    return table, table.frame, given


def _value(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    if not text.strip():
        raise BadInput("an empty value", where="--values", remedy="for instance 2,5,10")
    return text.strip()


def _write(files: Any, output: str, found: Sweep, json: bool) -> None:
    content = json_module.dumps(found.as_dict()) + "\n" if json else found.csv()
    stream = files.standard_output() if output == "-" else files.open(output)
    with stream:
        stream.write(content.encode())


def _show(found: Sweep) -> None:
    from rich.table import Table

    from . import show

    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(found.parameter, justify="right")
    table.add_column("loss", justify="right")
    for one in found.points[0].attacks:
        table.add_column(one.name, justify="right")
        table.add_column("control", justify="right")
    table.add_column("")
    for point in found.points:
        cells = [str(point.value), show.number(point.loss)]
        for one in point.attacks:
            cells += [f"{one.success:.3f}", "" if one.control is None else f"{one.control:.3f}"]
        table.add_row(*cells, "knee" if point.value == found.knee else "")
    show.console().print(table)
