"""Original and release of records side by side, row by row, and the classes recounted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ..core.errors import BadInput
from ..core.printed_form import by_sizes
from ..schema import Schema, as_schema
from ..schema.cells import BRACKETS, in_brackets
from ..schema.frames import as_polars
from .labels import whose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ..core.release import Release
    from ..core.values import Data

NOTHING = "\0"  # stands for a missing cell; no cell of a text format can hold it
BETWEEN = "\x1f"


@dataclass(frozen=True, slots=True)
class Violation(Exception):
    """What does not hold, and where."""

    reason: str
    where: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The released rows with the original rows they come from.

    `persons` says whose each released row is: by the original, whatever the release numbers.
    A release judged `alone` stands on both sides, and its own numbers say it.
    """

    schema: Schema
    before: pl.DataFrame
    after: pl.DataFrame
    rows: NDArray[np.int64]
    persons: pl.Series
    alone: bool = False

    __repr__ = by_sizes

    @classmethod
    def of(cls, original: Data, release: Release) -> View:
        """Reads both; the release says privately which row of the original each of its rows is."""
        given = release.sides.schema
        if given is None:
            raise BadInput(
                "this claim is about a schema", where="schema", remedy="give it (--schema)"
            )
        schema, before = as_schema(given), as_polars(original, "original")
        after = as_polars(release.data, "release")
        rows = _rows(release, before.height, after.height)
        before = before[rows]
        if schema.person is None:
            persons = pl.Series(np.arange(after.height))
        elif schema.person not in before.columns:
            raise BadInput("the original has no such column", where=schema.person)
        else:
            persons = people(before[schema.person])
        return cls(schema, before, after, rows, persons.alias("person"))

    def cells(self, name: str) -> pl.Series:
        """A column of the release; its absence is a violation."""
        if name not in self.after.columns:
            raise Violation("a column is missing from the release", name)
        return self.after[name]


def _rows(release: Release, before: int, after: int) -> NDArray[np.int64]:
    """The number of the original row of each released row."""
    given = release.sides.rows
    rows = np.arange(before) if given is None else np.asarray(given, np.int64)
    if len(rows) != after:
        raise Violation(f"{len(rows)} rows of the original should be there, found {after}")
    if len(rows) and (rows.min() < 0 or rows.max() >= before or len(np.unique(rows)) < len(rows)):
        raise Violation("the rows are not those of the original, each once")
    return rows


def people(labels: pl.Series) -> pl.Series:
    """Whose each row is: labels that differ by case, blanks or form alone are one person's."""
    if labels.dtype.is_integer():
        return labels
    texts = labels.cast(pl.String)
    different = texts.drop_nulls().unique()
    named = pl.Series([whose(one) for one in different.to_list()], dtype=pl.String)
    return texts.replace_strict(different, named, default=None, return_dtype=pl.String)


def signatures(
    columns: Sequence[pl.Series], persons: pl.Series, items: Sequence[pl.Series] = ()
) -> pl.DataFrame:
    """What each person shows: the distinct cells of every column, the items of every set.

    Cost: one grouping of the rows; none where every person has one row.
    """
    shown = pl.DataFrame([one.cast(pl.String).fill_null(NOTHING) for one in columns])
    people = persons.alias("person").to_frame()
    alone = persons.n_unique() == len(persons)
    if alone:
        result = people.hstack(shown)
    elif shown.width:
        result = (
            people.hstack(shown)
            .group_by("person")
            .agg(pl.all().unique().sort().str.join(BETWEEN, ignore_nulls=False))
        )
    else:
        result = people.unique()
    for one in items:
        joined = (
            people.hstack([one.alias(f"{one.name}\0items")])
            .explode(f"{one.name}\0items")
            .group_by("person")
            .agg(pl.all().drop_nulls().unique().sort().str.join(BETWEEN))
        )
        result = result.join(joined, on="person", how="left")
    return result


def classes(people: pl.DataFrame) -> pl.DataFrame:
    """The equivalence classes: for every one its number, its size and its people.

    Cost: one grouping of the people.
    """
    by = [name for name in people.columns if name != "person"]
    if not by:
        grouped = pl.DataFrame(
            {"size": [people.height], "person": [people["person"].to_list()]},
            schema_overrides={"person": pl.List(people["person"].dtype)},
        )
        return grouped.with_row_index("class") if people.height else grouped.clear()
    return (
        people.group_by(by, maintain_order=True)
        .agg(pl.len().alias("size"), pl.col("person"))
        .drop(by)
        .with_row_index("class")
    )


def item_lists(cells: pl.Series, separator: str) -> pl.Series:
    """The items of a set column, from lists or from strings."""
    if isinstance(cells.dtype, (pl.List, pl.Array)):
        return cells.cast(pl.List(pl.String))
    texts = cells.cast(pl.String)
    lists = in_brackets(texts) if separator == BRACKETS else texts.str.split(separator)
    lists = lists.list.eval(
        pl.element().str.strip_chars().filter(pl.element().str.strip_chars() != "")
    )
    return lists.alias(cells.name)


def first_row(wrong: pl.Series, rows: NDArray[np.int64]) -> int:
    """The number, from 1, of the original's record where something is wrong first."""
    return int(rows[int(wrong.arg_true()[0])]) + 1
