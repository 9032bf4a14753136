"""Whether few sensitive values are enough for everybody of a class, where people have several."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from .records_view import BETWEEN

if TYPE_CHECKING:
    from collections.abc import Iterable


def fewest_values(people: Iterable[frozenset[str]], most: int) -> int:
    """The least number of values of which everybody has one; more than `most` are not looked for.

    Somebody with the fewest values has one of them: each is taken in turn, and the others who have
    it need no more. Cost: O(people x (values of a person) ^ `most`) at worst.

    >>> fewest_values([frozenset({"flu", "gout"}), frozenset({"flu"}), frozenset({"gout"})], 3)
    2
    """
    left = set(people)
    if not left:
        return 0
    if most <= 0:
        return 1
    rarest = min(left, key=lambda one: (len(one), sorted(one)))
    best = most + 1
    for value in sorted(rarest):
        rest = [one for one in left if value not in one]
        best = min(best, 1 + fewest_values(rest, min(most, best - 1) - 1))
    return best


def smallest_cover(table: pl.DataFrame, most: int) -> int:
    """Over all classes, the least number of values that suffice; `most` + 1 if none so few do.

    `table` has class, person and value, in which a set is written with `BETWEEN`.
    """
    there = table.drop_nulls("value")
    owned = there.group_by("class", "person").agg(pl.col("value").str.split(BETWEEN).explode())
    result = most + 1
    for sets in owned.group_by("class", maintain_order=True).agg("value")["value"].to_list():
        result = min(result, fewest_values(map(frozenset, sets), min(result - 1, most)))
    return result
