"""`sfumato demo`: an invented clinic goes through a whole policy, from raw table to release."""

from __future__ import annotations

import json as json_module
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..core.options import choose
from . import options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console
    from rich.text import Text

    from ..attacks.result import AttackResult
    from ..core.values import JsonValues

FOLDER = Path("demo-release")
TABLE, SCHEMA, POLICY = "clinic.csv", "clinic_schema.yaml", "clinic_release.yaml"
TEXT = "note"
EXAMPLES = {
    "clinic": (TABLE, "clinic_gold.jsonl", SCHEMA, POLICY, "clinic_key.txt"),
    "notes": ("clinic_notes.jsonl",),
    "reviews": ("reviews.csv",),
    "searches": ("searches.csv",),
    "sequences": ("walks.csv", "walks_patterns.txt", "genome.fa", "genome_patterns.txt"),
}
SHOWN, SYMBOLS = 13, 700


def command(
    raw: Annotated[
        Path | None,
        typer.Option(
            help="Only put the raw table, its gold spans and the policy into this folder."
        ),
    ] = None,
    example: Annotated[
        str,
        typer.Option(help=f"Which files --raw writes: {', '.join(EXAMPLES)}."),
    ] = "clinic",
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Runs a policy on an invented clinic, verifies, attacks, shows, and writes ./demo-release/."""
    from importlib.resources import as_file, files

    with as_file(files("sfumato.examples")) as examples:
        if raw is not None:
            choose("example", example, EXAMPLES)
            names = EXAMPLES[example]
            copy_raw(examples, raw, names, quiet or json)
            if json:
                typer.echo(json_module.dumps({"output": str(raw), "files": list(names)}))
            return
        from ..pipeline import policy
        from ..pipeline.run import run
        from . import show

        start = time.perf_counter()
        with show.progress_bar(quiet or json) as progress:
            done = run(
                policy.read(examples / POLICY), output=FOLDER, overwrite=True, progress=progress
            )
        if json:
            told = {"output": str(FOLDER), "certificate": done.certificate, "figures": done.figures}
            typer.echo(json_module.dumps(told, ensure_ascii=False))
        elif not quiet:
            terminal = show.console()
            tables = examples / TABLE, FOLDER / "data" / TABLE
            _show_record(terminal, *tables, rows_of(done.private))
            _show_claims(terminal, done.certificate)
            raw_found = _attacked_raw(*tables, done.certificate)
            _show_attacks(terminal, raw_found, done.figures["attacks"])
            _show_numbers(done.told, done.figures, time.perf_counter() - start)


def copy_raw(examples: Path, folder: Path, names: Sequence[str], quiet: bool) -> None:
    """The example's files, for a run of one's own."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        shutil.copyfile(examples / name, folder / name)
        if not quiet:
            typer.echo(f"written: {folder / name}", err=True)


def rows_of(private: Path) -> list[int]:
    """Which record of the original each released one is."""
    held = json_module.loads((private / "certificate.json").read_text("utf-8"))
    return list(held["private"]["rows"])


def _show_record(terminal: Console, original: Path, release: Path, rows: Sequence[int]) -> None:
    """One record before and after: its columns as a table, its note in two panels."""
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    before, after = _rows(original)[SHOWN], _rows(release)[rows.index(SHOWN)]
    table = Table("column", "before", "as released", box=None, padding=(0, 3, 0, 0))
    for name, value in before.items():
        if name != TEXT:
            now = after.get(name, "left out")
            style = "" if now == value else "bold red"
            table.add_row(name, Text(value), Text(now, style))
    terminal.print(table)
    old, new = _marked(before[TEXT], after[TEXT])
    terminal.print(Panel(old, title="the note before"), Panel(new, title="and as it is released"))


def _rows(path: Path) -> list[dict[str, str]]:
    import csv

    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def _marked(before: str, after: str) -> tuple[Text, Text]:
    from rich.text import Text

    from ..reports.sample import changed

    first, second = Text(before), Text(after)
    for (start, stop), (at, to) in changed(before, after):
        first.stylize("bold", start, stop)
        second.stylize("bold red", at, to)
    return first[:SYMBOLS], second[:SYMBOLS]


def _show_claims(terminal: Console, stated: JsonValues) -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    columns: dict[tuple[str, bool], list[str]] = {}
    for claim, verdict in zip(stated["claims"], stated["verdicts"], strict=True):
        told = columns.setdefault((claim["statement"], verdict["holds"]), [])
        told += [claim["column"]] if claim.get("column") else []
    for (statement, holds), names in columns.items():
        where = f" ({', '.join(names)})" if names else ""
        word = "[green]verified[/]" if holds else "[red]NOT VERIFIED[/]"
        table.add_row(word, escape(statement + where))
    terminal.print(table)


def _show_attacks(
    terminal: Console, raw: Sequence[AttackResult], found: Sequence[JsonValues]
) -> None:
    """What the same attacks reach on the raw table and on the release."""
    from rich.table import Table

    from ..core.numbers import percent
    from .attack import coloured, print_known, print_verdicts

    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("attack", "raw table", "release", "control", "guessing", "verdict"):
        left = name in ("attack", "verdict")
        table.add_column(name, justify="left" if left else "right", no_wrap=True)
    before = {one.name: percent(one.success) for one in raw}
    for one in found:
        shares = [percent(one[name]) for name in ("success", "control", "baseline")]
        word = coloured(one["verdict"])
        table.add_row(one["name"], before.get(one["name"], "–"), *shares, word)
    terminal.print("How often attacks are right, on the raw table and on the release:")
    terminal.print(table)
    print_verdicts(found)
    print_known(found)


def _attacked_raw(original: Path, release: Path, stated: JsonValues) -> Sequence[AttackResult]:
    """The same attacks on the released columns as they were."""
    import polars as pl

    from ..attacks.run import attack

    table, released = (pl.read_csv(path, infer_schema=False) for path in (original, release))
    person, seed = stated["parameters"]["person"], stated["parameters"]["seed"]
    shown = [name for name in released.columns if name != person]
    records = table.select(pl.concat_str(shown, separator="\n")).to_series().to_list()
    schema = original.parent / SCHEMA
    return [
        *attack(table, table, schema=schema, seed=seed),
        *attack(records, records, groups=table[person].to_list(), seed=seed),
    ]


def _show_numbers(stated: JsonValues, figures: JsonValues, seconds: float) -> None:
    from ..core.numbers import percent
    from ..core.plain_words import number
    from . import show

    hidden, end = show.pairs(), show.pairs()
    found = figures["evaluation"]["entities"]
    for role, name in (("direct", "direct identifiers"), ("quasi", "quasi-identifiers")):
        share, whole = found[f"{role}_recall"], number(found[f"{role}_entities"])
        hidden.add_row(f"{name} in the notes that are hidden", f"{percent(share)} of {whole}")
    end.add_row("seconds", f"{seconds:.1f}")
    end.add_row("written", f"{FOLDER}/: data, certificate, policy, schema, report.html, SHA256SUMS")
    end.add_row("[yellow]private[/]", f"{FOLDER}.private/: keep it, publish none of it")
    show.print_parts(hidden, show.figures({**stated["counts"], **figures["loss"]}), end)
