"""`sfumato run`: a policy in, a release folder out."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import options

if TYPE_CHECKING:
    from ..pipeline.run import Outcome


def command(
    policy: Annotated[
        Path, typer.Argument(metavar="POLICY", help="The policy, for instance release.yaml.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="The release folder [default: the policy's]."),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a release folder that exists.")
    ] = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Runs a policy's stages, verifies every claim on the final data, and writes the release.

    Example: sfumato run release.yaml
    """
    from ..pipeline import policy as policies
    from ..pipeline import required
    from ..pipeline.run import run
    from . import show

    written = policies.read(policy)
    required.check(written.policy)
    with show.progress_bar(quiet or json) as progress:
        outcome = run(written, output=output, overwrite=overwrite, progress=progress)
    if json:
        typer.echo(json_module.dumps(_as_json(outcome), ensure_ascii=False))
    elif not quiet:
        _show(outcome)


def _as_json(outcome: Outcome) -> dict[str, Any]:
    return {
        "output": str(outcome.folder),
        "private": str(outcome.private),
        "verdicts": outcome.certificate["verdicts"],
        "demanded": outcome.certificate["demanded"],
        "loss": outcome.figures["loss"],
        "warnings": outcome.certificate["warnings"],
        "stages_reused": outcome.reused,
    }


def _show(outcome: Outcome) -> None:
    from rich.markup import escape
    from rich.table import Table

    from . import show

    stated = outcome.certificate
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    for claim in stated["claims"]:
        where = f"stage {claim['stage']}" + (f", {claim['column']}" if claim["column"] else "")
        table.add_row("[green]verified[/]", escape(f"{claim['statement']} ({where})"))
    for verdict in stated["demanded"]:
        table.add_row("[green]demanded[/]", escape(f"{verdict['claim']}: holds"))
    for name, value in outcome.figures["loss"].items():
        table.add_row(name.replace("_", " "), show.number(value))
    for warning in stated["warnings"]:
        table.add_row("[yellow]warning[/]", escape(warning))
    if outcome.reused:
        table.add_row("resumed", f"{outcome.reused} stage results of an earlier run were used")
    table.add_row("written", escape(str(outcome.folder)))
    table.add_row("[yellow]private[/]", escape(f"{outcome.private}: keep it, publish none of it"))
    show.console().print(table)
