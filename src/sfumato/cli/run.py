"""`sfumato run`: a policy in, a release folder out."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..core.errors import SfumatoError
from . import options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..core.values import JsonValues
    from ..pipeline.folder import Outcome
    from ..pipeline.policy import PolicyFile


def command(
    policy: Annotated[
        Path, typer.Argument(metavar="POLICY", help="The policy, for instance release.yaml.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="The release folder [default: the policy's]."),
    ] = None,
    overwrite: options.Overwrite = False,
    previous: Annotated[
        list[Path] | None,
        typer.Option(
            help="An earlier release folder of the same people, to be safe with it; repeatable."
        ),
    ] = None,
    stream: Annotated[
        bool | None,
        typer.Option(
            "--stream/--whole",
            help="Part by part with flat memory, or all at once [default: parts where the stages "
            "allow it and the input is large].",
        ),
    ] = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="Show the steps with likely time and memory, and stop.")
    ] = False,
    sample: Annotated[
        str | None,
        typer.Option(help="Try the policy on a share of the people, such as 1%; write nothing."),
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option(help="local, or spark (docs/scale.md) [default: the policy's]."),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Runs a policy's stages, verifies every claim on the final data, and writes the release.

    Example: sfumato run release.yaml
    """
    from ..engines import session_ended
    from ..pipeline import check, databases
    from ..pipeline import policy as policies
    from ..pipeline.run import run
    from ..pipeline.steps import is_on_spark
    from . import show

    written = policies.read(policy)
    try:
        check.check_files(written)
    except SfumatoError as problem:
        raise policies.placed(problem, policy) from None
    if plan or sample is not None:
        with databases.fetched(written) as given:
            if plan:
                _plan(given, output, json, engine)
            elif sample is not None:
                _sample(given, sample, json, quiet)
        return
    bar = show.spark_bar if is_on_spark(written.policy, engine) else show.progress_bar
    with session_ended(), bar(quiet or json) as progress:
        outcome = run(
            written,
            output=output,
            previous=previous or [],
            overwrite=overwrite,
            streamed=stream,
            progress=progress,
            engine=engine,
        )
    if json:
        typer.echo(json_module.dumps(_as_json(outcome), ensure_ascii=False))
    elif not quiet:
        _show(outcome)


def _plan(written: PolicyFile, output: Path | None, json: bool, engine: str | None) -> None:
    from dataclasses import asdict

    from ..pipeline.check import notes
    from ..pipeline.plan import plan

    made = plan(written, output, engine)
    told = notes(written.policy)
    if json:
        known = {name: value for name, value in asdict(made).items() if value is not None}
        typer.echo(json_module.dumps({**known, "seconds": made.seconds, "notes": told}))
        return
    for step in made.steps:
        typer.echo(f"{step.name}: {step.does}; about {_time(step.seconds)}")
        typer.echo(f"    claims: {', '.join(step.claims)}")
    for note in told:
        typer.echo(f"note: {note}")
    takes = f"about {_time(made.seconds)} and {made.memory / 1e9:,.1f} GB of memory"
    if made.on_spark is not None:
        takes = (
            f"on Spark about {_time(made.seconds)} of CPU, divided among its cores, "
            f"{made.on_spark.shuffled / 1e6:,.0f} MB shuffled, and "
            f"{made.on_spark.memory_of_core / 1e9:,.1f} GB of memory for each core"
        )
    typer.echo(f"{made.bytes / 1e6:,.1f} MB of input, {takes}; would write {made.writes}")


def _time(seconds: float) -> str:
    if seconds < 1:
        return "1 s"
    return f"{seconds:,.0f} s" if seconds < 120 else f"{seconds / 60:,.0f} min"


def _sample(written: PolicyFile, given: str, json: bool, quiet: bool) -> None:
    from dataclasses import asdict

    from ..core.numbers import percent
    from ..pipeline.sample import preview, share_of
    from . import show

    share = share_of(given)
    with show.progress_bar(quiet or json) as progress:
        found = preview(written, share, progress)
    if json:
        typer.echo(json_module.dumps(asdict(found)))
        return
    people = "" if found.persons is None else f" of {found.persons:,} people"
    typer.echo(f"a sample: {found.documents:,} documents{people}; nothing was written")
    for name, holds, statement in found.verdicts:
        typer.echo(f"{'holds' if holds else 'DOES NOT HOLD'}  {name}: {statement}")
    for column, changed in found.changed.items():
        typer.echo(f"changed in {column}: {percent(changed)} of the characters")
    typer.echo("fewer people share less: the whole input is likely to lose less than its sample")


def _as_json(outcome: Outcome) -> dict[str, object]:
    return {
        "output": str(outcome.folder),
        "private": str(outcome.private),
        "verdicts": outcome.told["verdicts"],
        "demanded": outcome.told["demanded"],
        "loss": outcome.figures["loss"],
        "attacks": outcome.figures.get("attacks", []),
        "warnings": outcome.told["warnings"],
        "together": outcome.told.get("together", []),
        "stages_reused": outcome.reused,
    }


def _by_statement(claims: Sequence[JsonValues]) -> dict[tuple[str, int], list[str]]:
    """What a stage claims, once, with the columns that it is claimed of.

    >>> one = {"statement": "All is well.", "stage": 2, "column": "a"}
    >>> _by_statement([one, {**one, "column": "b"}])
    {('All is well.', 2): ['a', 'b']}
    """
    told: dict[tuple[str, int], list[str]] = {}
    for claim in claims:
        columns = told.setdefault((claim["statement"], claim["stage"]), [])
        columns += [claim["column"]] if claim["column"] else []
    return told


def _show(outcome: Outcome) -> None:
    from rich.markup import escape

    from . import show
    from .attack import print_results

    stated = outcome.told
    table, end = show.pairs(), show.pairs()
    for (statement, stage), columns in _by_statement(stated["claims"]).items():
        where = f"stage {stage}" + (f": {', '.join(columns)}" if columns else "")
        table.add_row("[green]verified[/]", escape(f"{statement} ({where})"))
    for name in dict.fromkeys(one["claim"] for one in stated["demanded"]):
        table.add_row("[green]demanded[/]", escape(f"{name}, which the policy asks for, holds"))
    for column in stated.get("together", []):
        for sentence in column["in_words"]:
            table.add_row("together", escape(sentence))
    for warning in stated["warnings"]:
        end.add_row("[yellow]warning[/]", escape(warning))
    if outcome.reused:
        end.add_row("resumed", f"{outcome.reused} stage results of an earlier run were used")
    end.add_row("written", escape(str(outcome.folder)))
    end.add_row("[yellow]private[/]", escape(f"{outcome.private}: keep it, publish none of it"))
    lost = dict(outcome.figures["loss"])
    lost = {"characters": lost.pop("symbols")} | lost if "symbols" in lost else lost
    show.print_parts(table, show.figures(lost))
    if outcome.figures.get("attacks"):
        print_results(outcome.figures["attacks"])
    show.print_parts(end)
