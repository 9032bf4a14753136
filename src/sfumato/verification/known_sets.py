"""How many people show each set of up to m items: every set that somebody shows, listed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from math import comb

import numpy as np
import polars as pl

MOST_ROWS = 4_000_000  # sets listed at a time


def set_counts(table: pl.DataFrame, size: int) -> Iterator[pl.DataFrame]:
    """How many people of its class show each set of this size, with the first of them.

    The table has class, owner and item, sorted, each item of an owner once. Sets
    are listed by their smallest item, so many at a time.
    """
    if size == 1:
        yield table.group_by("class", "item").agg(pl.len().alias("people"), pl.col("owner").first())
        return
    later = table.with_columns(
        left=pl.len().over("owner") - 1 - pl.int_range(pl.len()).over("owner")
    )
    most = int(later["left"].max() or 0)  # type: ignore[arg-type]
    ways = np.array([float(comb(n, size - 1)) for n in range(most + 1)])
    by_item = later.with_columns(ways=pl.Series(ways).gather(later["left"].cast(pl.Int64))).sort(
        "item"
    )
    weights = by_item.group_by("item", maintain_order=True).agg(pl.col("ways").sum())
    part = (weights["ways"].cum_sum() / MOST_ROWS).floor().cast(pl.Int64)
    firsts = weights.select("item").with_columns(part=part)
    names = [f"item{i}" for i in range(size)]
    for (_,), chosen in firsts.group_by("part", maintain_order=True):
        sets = by_item.filter(pl.col("ways") > 0).join(chosen, on="item", how="semi")
        sets = sets.select("class", "owner", pl.col("item").alias(names[0]))
        for before, name in itertools.pairwise(names):
            more = table.select("owner", pl.col("item").alias(name))
            sets = sets.join(more, on="owner").filter(pl.col(name) > pl.col(before))
        if sets.height:
            yield sets.group_by("class", *names).agg(
                pl.len().alias("people"), pl.col("owner").first()
            )
