"""What k costs: stars needed against k, matches against stars, as a frame and as a chart."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, get_args

from .patterns import trade_off
from .publication import Guarantee, Plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import polars

    from .publication import Publication
    from .term_list import TermList

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"


def of_term(terms: TermList, number: int) -> polars.DataFrame:
    """The numbers of stars that pay for a term, and the most terms that match so many."""
    import polars as pl

    rows = trade_off(terms, number)
    return pl.DataFrame(rows, schema={"stars": pl.Int64, "matches": pl.Int64}, orient="row")


def of_list(
    terms: TermList, publication: Callable[[Plan], Publication], ks: Iterable[int]
) -> polars.DataFrame:
    """For each guarantee and k that the list can meet: stars, their share, mean matches."""
    import polars as pl

    characters = sum(codes.size for codes in terms.classes)
    rows = []
    for k in ks:
        if k > len(terms):
            continue
        for guarantee in get_args(Guarantee):
            made = publication(Plan(guarantee, k, "shared"))
            stars = sum(int(flags.sum()) for flags in made.stars)
            rows.append((guarantee, k, stars, stars / characters, _mean_sharers(made, terms)))
    schema = {
        "guarantee": pl.String,
        "k": pl.Int64,
        "stars": pl.Int64,
        "share": pl.Float64,
        "mean_sharers": pl.Float64,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def plot(frame: polars.DataFrame, *, of_term: bool) -> dict[str, object]:
    """The frame as a Vega-Lite chart: matches against stars, or the share of stars against k."""
    if of_term:
        x, y = ("stars", "characters starred"), ("matches", "terms that match")
        colour = {}
    else:
        x, y = ("k", "k"), ("share", "share of characters starred")
        colour = {"color": {"field": "guarantee", "type": "nominal", "title": "guarantee"}}
    return {
        "$schema": SCHEMA,
        "data": {"values": frame.to_dicts()},
        "mark": {"type": "line", "point": True},
        "encoding": {
            "x": {"field": x[0], "type": "quantitative", "title": x[1]},
            "y": {
                "field": y[0],
                "type": "quantitative",
                "title": y[1],
                "scale": {"type": "log" if of_term else "linear"},
            },
            **colour,
        },
    }


def _mean_sharers(made: Publication, terms: TermList) -> float:
    """Over all terms, the mean number of terms published as the same string."""
    sharers = Counter(made.strings(terms, "\uffff"))
    return sum(count * count for count in sharers.values()) / len(terms)
