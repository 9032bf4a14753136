"""What a person sees on the terminal: progress and a summary."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..core.numbers import number
from ..core.plain_words import measured, plain
from ..core.progress import stage

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from ..core.claims import Verdict
    from ..core.progress import Progress
    from ..core.release import Release

__all__ = [
    "add_verdicts",
    "as_json",
    "console",
    "figures",
    "measured",
    "number",
    "pairs",
    "plain",
    "print_parts",
    "progress_bar",
    "spark_bar",
    "summary",
    "working",
]

# How the people were divided: the report has it, for whoever tunes a method.
FOR_EXPERTS = ("sd_class_size", "splits_relational", "splits_textual")


def console() -> Console:
    """The terminal for messages: standard error, so that standard output stays data."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Progress | None]:
    """Progress bars, on a terminal only: one for each part, moving while its share is unknown."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console(), transient=True) as bars:
        tasks: dict[str, object] = {}

        def report(stage: str, share: float) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=None)
            if share > 0:
                bars.update(tasks[stage], total=1.0, completed=share)  # type: ignore[arg-type]

        yield report


@contextmanager
def spark_bar(quiet: bool) -> Iterator[Progress | None]:
    """One bar, on a terminal only: the part that was told last, and the tasks that Spark runs."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from threading import Event, Thread

    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from ..engines import tasks_running

    ended = Event()
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(
        *(*columns, TextColumn("tasks"), TimeElapsedColumn()), console=console(), transient=True
    ) as bars:
        bar = bars.add_task("start Spark", total=None)

        def follow() -> None:
            while not ended.wait(0.3):
                done, known = tasks_running()
                if known:
                    bars.update(bar, completed=done, total=known)

        follower = Thread(target=follow, daemon=True)
        follower.start()
        try:
            yield lambda part, _: bars.update(bar, description=part)
        finally:
            ended.set()
            follower.join()


@contextmanager
def working(what: str, quiet: bool) -> Iterator[None]:
    """A moving bar while something is done whose share nobody knows; on a terminal only."""
    with progress_bar(quiet) as progress, stage(progress, what):
        yield


def summary(
    releases: Sequence[Release],
    verdicts: Sequence[Sequence[Verdict]],
    targets: Sequence[str],
    done: str = "written",
    unjudged: Sequence[tuple[str, str]] = (),
) -> None:
    """Prints what each release claims, whether it holds, and what it cost.

    `unjudged` are names of claims that could not be judged, each with the reason.
    """
    from rich.markup import escape

    for release, judged, target in zip(releases, verdicts, targets, strict=True):
        table = pairs()
        add_verdicts(table, judged, unjudged)
        if not judged and not unjudged:
            table.add_row("[yellow]claims nothing[/]", "for comparison only")
        end = pairs()
        for warning in release.warnings:
            end.add_row("[yellow]warning[/]", escape(warning))
        end.add_row(done, escape(target))
        print_parts(table, figures({**release.counts, **release.loss}), end)


def add_verdicts(
    table: Table, judged: Sequence[Verdict], unjudged: Sequence[tuple[str, str]] = ()
) -> None:
    """A row for every claim: whether it holds, or why nobody could tell."""
    from rich.markup import escape

    for verdict in judged:
        holds = "[green]verified[/]" if verdict.holds else "[red]NOT VERIFIED[/]"
        table.add_row(holds, escape(verdict.claim.statement))
    for claim, why in unjudged:
        table.add_row("[yellow]not judged[/]", escape(f"{claim}: {why}"))


def pairs() -> Table:
    """Rows of a short word and what it is about; every part of a summary is as wide as it needs."""
    from rich.table import Table

    return Table(show_header=False, box=None, padding=(0, 2, 0, 0))


def figures(values: Mapping[str, object]) -> Table:
    """Numbers beside their names in plain words."""
    from rich.markup import escape

    table = pairs()
    for name, value in values.items():
        if name in FOR_EXPERTS:
            continue
        table.add_row(escape(plain(name)), measured(name, value))
    return table


def print_parts(*parts: Table) -> None:
    """The parts of a summary that have rows, one below the other."""
    for part in parts:
        if part.row_count:
            console().print(part)


def as_json(
    releases: Mapping[str, Release], verdicts: Sequence[Sequence[Verdict]]
) -> list[dict[str, object]]:
    """The outcome for machines: one entry for every file written."""
    return [
        {
            "output": target,
            "verdicts": [verdict.as_dict() for verdict in judged],
            "loss": dict(release.loss),
            "counts": dict(release.counts),
            "warnings": list(release.warnings),
        }
        for (target, release), judged in zip(releases.items(), verdicts, strict=True)
    ]
