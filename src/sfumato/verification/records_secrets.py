"""l-diversity and t-closeness, counted over people from the release.

Definitions: Machanavajjhala et al. (distinct, entropy and recursive (c, l)-diversity) and
Li et al. (t-closeness with equal and with ordered distance).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ..schema.cells import numbers, readable
from ..schema.days import days
from .labels import whose, without_form
from .records_view import BETWEEN, item_lists

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..schema import Column

    Numbers = NDArray[np.float64]


def votes(values: pl.Series, classes: pl.Series) -> pl.DataFrame:
    """How many people of each class have each value.

    Cost: one grouping of the people.

    >>> votes(pl.Series(["flu", "flu", "hiv"]), pl.Series([0, 0, 0])).rows()
    [(0, 'flu', 2), (0, 'hiv', 1)]
    """
    table = pl.DataFrame({"class": classes, "value": values})
    return table.group_by("class", "value").agg(pl.len().alias("people")).sort("class", "value")


def distinct_values(counts: pl.DataFrame) -> pl.DataFrame:
    """The number of distinct values of every class."""
    return counts.group_by("class", maintain_order=True).agg(pl.len().alias("l"))


def entropies(counts: pl.DataFrame) -> pl.DataFrame:
    """Of every class the l of entropy l-diversity: exp of the entropy of its values."""
    share = pl.col("people") / pl.col("people").sum()
    return counts.group_by("class", maintain_order=True).agg(
        (-(share * share.log()).sum()).exp().alias("l")
    )


def recursive(counts: pl.DataFrame, diversity: int) -> pl.DataFrame:
    """Of every class the smallest c above which it is recursively (c, l)-diverse.

    That is r_1 / (r_l + .. + r_m) of the sorted counts: it must stay below c.
    """
    ordered = pl.col("people").sort(descending=True)
    tail = ordered.slice(diversity - 1).sum()
    return counts.group_by("class", maintain_order=True).agg(
        (pl.col("people").max() / tail).alias("c")
    )


def equal_distances(counts: pl.DataFrame) -> pl.DataFrame:
    """The distance of every class to the whole when all values are equally far apart.

    Half the sum of |p - q| is the sum of p - q where p is larger: values a class lacks need
    not be looked at.
    """
    total = counts["people"].sum()
    whole = counts.group_by("value").agg((pl.col("people").sum() / total).alias("q"))
    return (
        counts.join(whole, on="value", how="left", nulls_equal=True)
        .with_columns(p=pl.col("people") / pl.col("people").sum().over("class"))
        .group_by("class", maintain_order=True)
        .agg((pl.col("p") - pl.col("q")).clip(lower_bound=0).sum().alias("t"))
    )


def ordered_distances(counts: pl.DataFrame, rank: pl.Series) -> pl.DataFrame:
    """The distance of every class to the whole when values lie in order, evenly spaced.

    The mean over ranks of |P - Q| for the cumulated shares P and Q. P is constant between the
    values of a class and Q grows, so prefix sums of Q give each stretch at once.
    Cost: O(votes x log values).
    """
    places = counts.with_columns(rank=rank).sort("class", "rank")
    m = int(places["rank"].max()) + 1 if places.height else 0  # type: ignore[arg-type]
    at = places["rank"].to_numpy()
    people = places["people"].to_numpy().astype(np.float64)
    q = np.cumsum(np.bincount(at, people, m)) / max(people.sum(), 1.0)
    sums = np.concatenate([[0.0], np.cumsum(q)])
    shares = places.select(
        p=pl.col("people").cum_sum().over("class") / pl.col("people").sum().over("class"),
        following=pl.col("rank").shift(-1).over("class").fill_null(m),
        first=pl.col("rank").first().over("class"),
    )
    stretch = _stretches(shares["p"].to_numpy(), at, shares["following"].to_numpy(), q, sums)
    labels = places["class"]
    before = np.where(at == shares["first"].to_numpy(), sums[at], 0.0)  # P is 0 there
    table = pl.DataFrame({"class": labels, "t": (stretch + before) / max(m - 1, 1)})
    return table.group_by("class", maintain_order=True).agg(pl.col("t").sum())


def _stretches(
    p: Numbers, start: NDArray[np.int64], stop: NDArray[np.int64], q: Numbers, sums: Numbers
) -> Numbers:
    """The sums of |p - q[i]| over start <= i < stop, q growing."""
    cross = np.clip(np.searchsorted(q, p), start, stop)
    below = p * (cross - start) - (sums[cross] - sums[start])
    above = (sums[stop] - sums[cross]) - p * (stop - cross)
    return np.asarray(below + above, np.float64)


def read_values(column: Column, cells: pl.Series) -> pl.Series:
    """What each cell says: one number, day or word however it is written, null for nothing.

    >>> from sfumato.schema import Column
    >>> read_values(Column(), pl.Series(["HIV", "hiv\u00a0", "", None])).to_list()
    ['hiv', 'hiv', None, None]
    """
    if column.kind == "set" or isinstance(cells.dtype, (pl.List, pl.Array)):
        lists = item_lists(cells, column.separator)
        sets = [
            sorted({without_form(one) for one in items or () if one}) for items in lists.to_list()
        ]
        return pl.Series([BETWEEN.join(one) or None for one in sets], dtype=pl.String)
    given = readable(column, cells)
    if column.kind == "number":
        return (numbers(given) + 0.0).cast(pl.String)
    if column.kind == "date":
        return days(given, column.format, unreadable="missing").cast(pl.String)
    texts = given.cast(pl.String)
    if column.kind == "ordered":  # the schema lists how they are written
        return texts
    different = texts.drop_nulls().unique()
    read = [whose(one) or None for one in different.to_list()]
    return texts.replace_strict(
        different, pl.Series(read, dtype=pl.String), default=None, return_dtype=pl.String
    )


def ranks(column: Column, values: pl.Series) -> pl.Series:
    """The place of each value, as it was read, among the distinct ones; missing ones come first."""
    if column.kind == "number":
        keys = numbers(values)
    elif column.kind == "ordered" and column.order is not None:
        order = list(range(len(column.order)))
        keys = values.cast(pl.String).replace_strict(
            column.order, order, default=None, return_dtype=pl.Int64
        )
    elif column.kind == "date":
        keys = days(values, None, unreadable="missing")
    else:
        keys = values.cast(pl.String)
    distinct = keys.unique().sort(nulls_last=False)
    table = pl.DataFrame({"key": distinct}).with_row_index("rank")
    found = (
        keys.alias("key")
        .to_frame()
        .join(table, on="key", how="left", nulls_equal=True, maintain_order="left")
    )
    return found["rank"].cast(pl.Int64)
