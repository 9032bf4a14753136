"""`sfumato risk`: what a table would give away if it were released as it is."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..core.errors import BadInput
from ..core.numbers import percent
from . import options

if TYPE_CHECKING:
    from ..judging.risk import Risk

SHOWN = 10  # sets of columns, and people


def command(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="CSV, TSV, JSONL or Parquet.")],
    schema: options.Schema,
    population: Annotated[
        str | None,
        typer.Option(help="A table of the population: k-map and delta-presence are counted in it."),
    ] = None,
    population_size: Annotated[
        int | None,
        typer.Option(
            help="Without a table of it: how many people the population has. Who is alone in it "
            "is then estimated by a stated model.",
            min=1,
        ),
    ] = None,
    release: Annotated[
        str | None,
        typer.Option(help="A release of the table: the same is counted on it, and shown beside."),
    ] = None,
    k: Annotated[int, typer.Option("-k", help="Fewer people than this are at risk.", min=1)] = 5,
    columns: Annotated[
        int, typer.Option(help="Up to how many columns an attacker puts together.", min=1)
    ] = 3,
    people: Annotated[
        Path | None,
        typer.Option(
            help="Write everybody by risk here, by record number (CSV). It is private: keep it."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Write the figures with pictures here (HTML)."),
    ] = None,
    format: options.Format = None,
    encoding: options.Encoding = "utf-8",
    overwrite: options.Overwrite = False,
    json: options.Json = False,
) -> None:
    """Tells who stands out in a table before it is released, and by which columns.

    Example: sfumato risk people.csv --schema people.yaml --population registry.csv
    """
    from ..formats.table import read_table
    from ..judging.risk import risk
    from . import show

    if population is not None and population_size is not None:
        raise BadInput("give one of --population and --population-size", where="--population")
    with show.working("read", json):
        read, beside, after = (
            None if one is None else read_table(one, format=format, encoding=encoding).frame
            for one in (table, population, release)
        )
    with show.working("risk", json):
        found = risk(
            read,
            schema,
            beside,
            k=k,
            columns=columns,
            population_size=population_size,
            release=after,
        )
    _write(found, table, people, output, overwrite)
    if json:
        typer.echo(json_module.dumps(found.as_dict(SHOWN), ensure_ascii=False))
    else:
        _show(found)


def _write(
    found: Risk, table: str, people: Path | None, report: Path | None, overwrite: bool
) -> None:
    if people is None and report is None:
        return
    from ..formats import atomic_files

    with atomic_files(overwrite=overwrite) as files:
        if table != "-":
            files.protect(Path(table))
        if people is not None:
            with files.open(people, private=True) as out:
                out.write(found.most_at_risk.write_csv().encode())
        if report is not None:
            from ..reports.risk import risk_report

            with files.open(report) as out:
                out.write(risk_report(found).encode())
        files.commit()


def _show(found: Risk) -> None:
    from rich.table import Table

    from . import show

    console = show.console()
    facts = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    facts.add_row("people", f"{found.people:,}")
    facts.add_row("quasi-identifying columns", f"{len(found.columns):,}")
    facts.add_row("unique by these columns", _of(found.unique, found.people))
    facts.add_row(f"in a class of fewer than {found.k}", _of(found.below_k, found.people))
    if found.after is not None:
        after = found.after
        facts.add_row("unique in the release", _of(after.unique, after.people))
        facts.add_row(f"in a class of fewer than {found.k} there", _of(after.below_k, after.people))
    beside = found.population
    if beside is not None:
        facts.add_row("people of the population", f"{beside.people:,}")
        facts.add_row("k-map: fewest alike in it", f"{beside.smallest:,}")
        facts.add_row(f"fewer than {found.k} alike in it", _of(beside.below_k, found.people))
        facts.add_row("nobody alike in it", _of(beside.absent, found.people))
        presence = f"{percent(beside.least_presence)} to {percent(beside.most_presence)}"
        facts.add_row("of those alike in it, how many are in the table (delta)", presence)
    if found.population_size is not None:
        estimate = found.population_uniques
        told = "the model does not fit" if estimate is None else f"about {estimate:,.0f}"
        facts.add_row(f"unique among {found.population_size:,} (model)", told)
    console.print(facts)
    columns = Table("column", "values", "unique only by it", "part of the risk", box=None)
    for one in found.contributions:
        share = percent(one["share_of_scores"])
        only = _of(one["unique_only_with_it"], found.people)
        columns.add_row(one["column"], f"{one['distinct']:,}", only, share)
    console.print(columns)
    sets = Table("columns together", "unique by them", box=None)
    for one in found.sets[:SHOWN]:
        sets.add_row(" + ".join(one["columns"]), _of(one["unique"], found.people))
    console.print(sets)
    most = Table("record", "people alike", "risk (SUDA)", "unique by", box=None)
    for record, alike, score, why in found.most_at_risk.head(SHOWN).iter_rows():
        most.add_row(f"{record:,}", f"{alike:,}", f"{score:g}", why or "")
    console.print(most)
    console.print("risk (SUDA): the higher, the fewer columns suffice to make the record unique")


def _of(count: int, people: int) -> str:
    return f"{count:,} ({percent(count / people)})" if people else "0"
