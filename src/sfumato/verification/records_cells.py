"""Whether a recoded cell covers the value that stood there: read from the cell's own text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import polars as pl

from ..schema.cells import MISSING, bounds, numbers, readable
from ..schema.days import days

if TYPE_CHECKING:
    from ..schema import Column, Tree

_EPSILON = 1e-9


def covered(column: Column, values: pl.Series, cells: pl.Series) -> pl.Series:
    """Whether each cell covers its value; sets of items have a check of their own.

    A missing value is covered by a missing cell, or by one that says `|missing`.
    Cost: O(cells), compiled.

    >>> from sfumato.schema import Column
    >>> covered(Column(kind="number"), pl.Series([36, 40, None]),
    ...     pl.Series(["[24-36]", "[24-36]", "[24-36]|missing"])).to_list()
    [True, False, True]
    """
    given = readable(column, values)
    shown = _written(cells)
    shown = shown.set(shown.is_in(column.missing_values), None)
    marked = shown.str.ends_with(MISSING).fill_null(False)
    core = shown.str.strip_suffix(MISSING)
    core = core.set((core == "").fill_null(False), None)  # only missing ones: a bare mark
    texts = _written(given)
    same = (texts == core).fill_null(False) | _means_the_same(column, given, core)
    if column.hierarchy is not None:
        inside = _below(column.tree(texts.drop_nulls().unique().to_list()), texts, core)
    elif column.kind == "number":
        inside = _in_range(given, core, mean=column.recode == "mean")
    elif column.kind == "date":
        inside = _in_dates(column, given, core)
    elif column.kind == "ordered":
        inside = _between(column.order or [], texts, core)
    else:
        inside = _in_set(texts, core)
    absent = given.is_null() & (shown.is_null() | marked)
    return absent | (given.is_not_null() & (same | inside.fill_null(False)))


def _written(values: pl.Series) -> pl.Series:
    """The values as texts; whole numbers have no decimals."""
    texts = values.cast(pl.String)
    return texts.str.replace(r"\.0$", "") if values.dtype.is_float() else texts


def _means_the_same(column: Column, values: pl.Series, cells: pl.Series) -> pl.Series:
    """Whether a cell is the same number or day, written otherwise, without a time of day."""
    if column.kind == "number":
        return (numbers(values) == numbers(cells)).fill_null(False)
    if column.kind != "date":
        return pl.Series([False] * len(cells), dtype=pl.Boolean)
    day = days(values, column.format, unreadable=column.unreadable)
    plain = cells.str.contains(r"^\d{4}-\d\d-\d\d$").fill_null(False)
    found = days(cells.set(~plain, None), None, unreadable="missing")
    if column.format is not None and not re.search(r"%[HIMSTRsfc+X]", column.format):
        read = days(cells, column.format, unreadable="missing")
        found = pl.select(pl.coalesce(found, read)).to_series()
    return (day == found).fill_null(False)


def _in_range(values: pl.Series, cells: pl.Series, mean: bool) -> pl.Series:
    given = numbers(values)
    low, high = bounds(cells)
    slack = _EPSILON * (given.abs() + 1)
    inside = (low - slack <= given) & (given <= high + slack)
    return inside | (low == high) if mean else inside  # a mean is judged with its class


def _in_dates(column: Column, values: pl.Series, cells: pl.Series) -> pl.Series:
    """Day, month, year or a range of years, from the cell's text."""
    day = days(values, column.format, unreadable=column.unreadable)
    year = day.dt.year()
    parts = cells.str.extract_groups(r"^\[(-?\d+)-(-?\d+)\]$")
    low = parts.struct.field("1").cast(pl.Int64, strict=False)
    high = parts.struct.field("2").cast(pl.Int64, strict=False)
    month = day.dt.strftime("%Y-%m")
    years = (low <= year) & (year <= high)
    return (
        years.fill_null(False)
        | (cells == day.dt.strftime("%Y")).fill_null(False)
        | (cells == month).fill_null(False)
        | (cells == day.dt.strftime("%Y-%m-%d")).fill_null(False)
    )


def _between(order: list[str], texts: pl.Series, cells: pl.Series) -> pl.Series:
    """Ranks within `[low-high]`; labels may hold dashes, so all pairs of labels are tried."""
    rank = {label: place for place, label in enumerate(order)}
    known = {
        f"[{low}-{high}]": (rank[low], rank[high])
        for low in order
        for high in order
        if rank[low] < rank[high]
    }
    known |= {label: (place, place) for label, place in rank.items()}
    distinct = cells.drop_nulls().unique()
    table = pl.DataFrame(
        {
            "cell": distinct,
            "low": [known.get(one, (None, None))[0] for one in distinct],
            "high": [known.get(one, (None, None))[1] for one in distinct],
        },
        schema={"cell": pl.String, "low": pl.Int64, "high": pl.Int64},
    )
    ranks = texts.replace_strict(
        list(rank), list(rank.values()), default=None, return_dtype=pl.Int64
    )
    found = cells.alias("cell").to_frame().join(table, on="cell", how="left", maintain_order="left")
    return (found["low"] <= ranks) & (ranks <= found["high"])


def _in_set(texts: pl.Series, cells: pl.Series) -> pl.Series:
    """Membership in `(a,b)`; a value may itself hold commas, so it is looked for whole.

    Judged once for every distinct pair: cells may be long.
    """
    pairs = pl.DataFrame({"value": texts, "cell": cells})
    distinct = pairs.unique().drop_nulls()
    inner = pl.col("cell").str.slice(1, pl.col("cell").str.len_chars() - 2)
    bracketed = pl.col("cell").str.starts_with("(") & pl.col("cell").str.ends_with(")")
    inside = (pl.lit(",") + inner + pl.lit(",")).str.contains(
        pl.lit(",") + pl.col("value") + pl.lit(","), literal=True
    )
    judged = distinct.with_columns(found=bracketed & inside)
    return pairs.join(judged, on=["value", "cell"], how="left", maintain_order="left")["found"]


def _below(tree: Tree | None, texts: pl.Series, cells: pl.Series) -> pl.Series:
    """Whether the cell's node stands above the value; judged once for every distinct pair."""
    assert tree is not None
    pairs = pl.DataFrame({"value": texts, "cell": cells})
    distinct = pairs.unique().drop_nulls()
    nodes = tree.find_labels(distinct["cell"].to_list())
    covers = tree.covers(nodes, tree.find(distinct["value"].to_list()))
    judged = distinct.with_columns(pl.Series("found", covers))
    return pairs.join(judged, on=["value", "cell"], how="left", maintain_order="left")["found"]
