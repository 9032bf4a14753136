"""Options of a verb's command that do something else than release: what they give is printed."""

from __future__ import annotations

import json as json_module
from typing import TYPE_CHECKING, Any

import typer

from ..core.load import load
from ..core.method import Output
from ..core.numbers import number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..core.method import Action, MethodInput
    from ..core.values import JsonObject, JsonValues


def act(
    action: Action, given: MethodInput[Any], values: JsonValues, chunked: JsonObject | None
) -> None:
    """Does what an option says in place of a release, and prints what it gives.

    `chunked` says how the input is read where it comes in parts.
    """
    from .. import formats

    chunks = None if chunked is None else formats.read_chunks(values["input"], **chunked)
    output = Output(
        path=values["output"] or "-",
        overwrite=values["overwrite"],
        chunks=chunks,
        must_stream=values.get("stream") is not None,
    )
    found = load(action.run)(given, values[action.name], output)
    _print(found, json=values["json"], quiet=values["quiet"])


def _print(found: Any, *, json: bool, quiet: bool) -> None:
    """Rows as a table, lines as they are, an outcome in words."""
    if isinstance(found, dict):
        _print_outcome(found, json=json, quiet=quiet)
        return
    if json:
        typer.echo(json_module.dumps(found, ensure_ascii=False))
        return
    if not found:
        typer.echo("no pattern is matched by two terms")
        return
    if isinstance(found[0], str):
        for line in found:
            typer.echo(line)
        return
    table = [list(found[0]), *([_cell(value) for value in row.values()] for row in found)]
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    for row in table:
        cells = [cell.rjust(width) for cell, width in zip(row[:-1], widths, strict=False)]
        typer.echo("  ".join([*cells, row[-1]]))


def _print_outcome(found: Mapping[str, object], *, json: bool, quiet: bool) -> None:
    from . import show

    if json:
        typer.echo(json_module.dumps(found), err=found["output"] == "-")
    elif not quiet:
        same = found["same_bytes"]
        told = "the original's bytes" if same else "the original texts; compare the bytes"
        show.console().print(f"undone: {told}")


def _cell(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)
