"""The risk of a table before its release, as one HTML page with its pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..judging.plot import COLOURS, Chart, framed
from ..judging.risk import MODEL
from .charts import STEP, class_sizes
from .page import charts, figure, page, pairs, paragraph, section, table

if TYPE_CHECKING:
    from ..core.values import JsonObject, JsonValues
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
    if found.after is not None:
        facts |= {
            "unique in the release": found.after.unique,
            f"in a class of fewer than {found.k} there": found.after.below_k,
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
    drawn = charts(pictures(found.as_dict()))
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


def pictures(found: JsonValues) -> Iterator[str]:
    """The pictures of `Risk.as_dict()`: class sizes, columns and sets, before and after."""
    both = {"before": found, **({"after": found["after"]} if found.get("after") else {})}
    for when, one in both.items():
        said = "" if len(both) == 1 else f", {when} the release"
        yield figure(
            f"Class sizes{said}",
            "People who share all quasi-identifying values.",
            class_sizes(one["class_sizes"]),
        )
    yield figure(
        "What each column contributes",
        "Its part in the small sets of columns that make people unique (SUDA).",
        bars({when: _by_column(one) for when, one in both.items()}),
        table(
            ["column", "unique only by it", *(["after"] if len(both) > 1 else [])],
            _rows({when: _alone_with(one) for when, one in both.items()}),
        ),
    )
    sets = {when: _by_set(one) for when, one in both.items()}
    first = dict(list(sets["before"].items())[:SETS])
    sets = {when: {name: of.get(name, 0.0) for name in first} for when, of in sets.items()}
    yield figure(
        "Sets of columns",
        "The share of people who are unique by them; the sets with most people.",
        bars(sets),
    )


def _by_column(found: JsonValues) -> dict[str, float]:
    return {str(one["column"]): float(one["share_of_scores"]) for one in found["contributions"]}


def _alone_with(found: JsonValues) -> dict[str, int]:
    return {str(one["column"]): int(one["unique_only_with_it"]) for one in found["contributions"]}


def _by_set(found: JsonValues) -> dict[str, float]:
    return {" + ".join(one["columns"]): float(one["share"]) for one in found["sets_of_columns"]}


def _rows(both: dict[str, dict[str, int]]) -> list[tuple[str, ...]]:
    return [(name, *(f"{of.get(name, 0):,}" for of in both.values())) for name in both["before"]]


def bars(shares: dict[str, dict[str, float]]) -> Chart:
    """Horizontal bars, one for each name, in the order given; beside them those of the release.

    >>> bars({"before": {"age": 0.5}})["data"]["values"]
    [{'name': 'age', 'share': 0.5, 'when': 'before'}]
    """
    values = [
        {"name": name, "share": share, "when": when}
        for when, named in shares.items()
        for name, share in named.items()
    ]
    encoding: JsonObject = {
        "y": {"field": "name", "type": "nominal", "sort": None, "title": None},
        "x": {
            "field": "share",
            "type": "quantitative",
            "title": None,
            "axis": {"format": ".0%", "tickCount": 5},
        },
    }
    mark: JsonObject = {"type": "bar", "color": COLOURS["second"]}
    if len(shares) > 1:
        del mark["color"]
        scale = {"domain": list(shares), "range": [COLOURS["second"], COLOURS["first"]]}
        encoding["yOffset"] = {"field": "when", "sort": list(shares)}
        encoding["color"] = {"field": "when", "type": "nominal", "title": None, "scale": scale}
    return framed(
        height={"step": STEP / max(1, len(shares) / 1.5)},
        data={"values": values},
        mark=mark,
        encoding=encoding,
    )
