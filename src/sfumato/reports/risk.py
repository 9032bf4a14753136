"""The risk of a table before its release, as one HTML page with its pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..judging.plot import COLOURS, Chart, framed
from ..judging.risk import MODEL
from .charts import STEP, class_sizes
from .page import charts, figure, page, pairs, paragraph, section, table

if TYPE_CHECKING:
    from ..judging.risk import Risk

SETS = 20


def risk_report(found: Risk) -> str:
    """The page: figures, what columns contribute, sets of columns; of people numbers alone.

    >>> import polars as pl, sfumato as sf
    >>> people = pl.DataFrame({"age": [30, 30, 41], "sex": ["f", "f", "m"]})
    >>> html = risk_report(sf.risk(people, {"columns": {"age": {"kind": "number"}, "sex": {}}}))
    >>> html.count("<figure>")
    3
    """
    facts: dict[str, object] = {
        "people": found.people,
        "unique by these columns": found.unique,
        f"in a class of fewer than {found.k}": found.below_k,
    }
    if found.population is not None:
        beside = found.population
        facts |= {
            "people of the population": beside.people,
            "k-map: fewest alike in it": beside.smallest,
            f"fewer than {found.k} alike in it": beside.below_k,
            "nobody alike in it": beside.absent,
            "least delta-presence": beside.least_presence,
            "most delta-presence": beside.most_presence,
        }
    said = ""
    if found.population_size is not None:
        number = found.population_uniques
        told = "does not fit" if number is None else f"estimates about {number:,.0f} unique people"
        said = paragraph(f"In a population of {found.population_size:,}, {MODEL} {told}.")
    drawn = charts(
        (
            figure(
                "Class sizes",
                "People who share all quasi-identifying values.",
                class_sizes({str(size): count for size, count in found.sizes.items()}),
            ),
            figure(
                "What each column contributes",
                "Its part in the small sets of columns that make people unique (SUDA).",
                bars([(one["column"], one["share_of_scores"]) for one in found.contributions]),
            ),
            figure(
                "Sets of columns",
                "The share of people who are unique by them; the sets with most people.",
                bars([(" + ".join(one["columns"]), one["share"]) for one in found.sets[:SETS]]),
            ),
        )
    )
    rows = [
        (one["column"], f"{one['distinct']:,}", f"{one['unique_only_with_it']:,}")
        for one in found.contributions
    ]
    body = "\n".join(
        (
            "<h1>Risk before release</h1>",
            paragraph(
                "Counted on the original. This page is for the steward, not for publication."
            ),
            section("figures", "Figures", pairs(facts, own=True), said),
            section("pictures", "Pictures", drawn),
            section("columns", "Columns", table(["column", "values", "unique only by it"], rows)),
        )
    )
    return page("Risk before release", body)


def bars(shares: list[tuple[str, float]]) -> Chart:
    """Horizontal bars, one for each name, in the order given.

    >>> bars([("age", 0.5)])["data"]["values"]
    [{'name': 'age', 'share': 0.5}]
    """
    return framed(
        height={"step": STEP},
        data={"values": [{"name": name, "share": share} for name, share in shares]},
        mark={"type": "bar", "color": COLOURS["second"]},
        encoding={
            "y": {"field": "name", "type": "nominal", "sort": None, "title": None},
            "x": {
                "field": "share",
                "type": "quantitative",
                "title": None,
                "axis": {"format": ".0%", "tickCount": 5},
            },
        },
    )
