"""What recoding a table costs: the normalised certainty penalty, class sizes, discernibility.

Any recoded table is measured, whoever made it: cells are read from their own text, node labels
of hierarchies, ranges, sets, and ARX's `35-39` and `*`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ..core.errors import BadInput
from ..schema import as_schema
from ..schema.cells import BRACKETS, MISSING, in_brackets, numbers, readable
from ..schema.frames import as_polars
from .record_cells import cell_losses

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.release import Release
    from ..core.values import Data
    from ..schema import Column, Schema


@dataclass(frozen=True, slots=True)
class Loss:
    """The normalised certainty penalty and its parts, each between 0 and 1.

    `relational` is NCP_A, `textual` NCP_X; `by_column` and `by_entity_type` are means over the
    people (with terms of that type).
    """

    relational: float
    textual: float
    total: float
    by_column: Mapping[str, float]
    by_entity_type: Mapping[str, float]

    def as_dict(self) -> dict[str, object]:
        """The loss as plain JSON values."""
        return {
            "NCP_A": self.relational,
            "NCP_X": self.textual,
            "NCP": self.total,
            "by_column": dict(self.by_column),
            "by_entity_type": dict(self.by_entity_type),
        }


@dataclass(frozen=True, slots=True)
class Classes:
    """The sizes of the equivalence classes, in people."""

    people: int
    classes: int
    smallest: int
    largest: int
    mean: float
    standard_deviation: float
    discernibility: int
    histogram: Mapping[int, int]

    def as_dict(self) -> dict[str, object]:
        """The figures as plain JSON values."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "histogram"} | {
            "histogram": {str(size): count for size, count in self.histogram.items()}
        }


def ncp(
    original: Data,
    released: Data,
    schema: Schema | Mapping[str, object],
    terms: pl.DataFrame | None = None,
    rows: Sequence[int] | NDArray[np.int64] | None = None,
    weights: tuple[float, float] = (1.0, 1.0),
) -> Loss:
    """The normalised certainty penalty of a recoded table.

    `terms` are the sensitive places of its texts with what became of them (columns row, column,
    label, term, role, outcome, and loss where terms were generalised); `rows` the original rows
    that were released, all by default; `weights` those of relational and textual loss.
    Paper: section 5.3, NCP(r) = (w_A NCP_A(r) + w_X NCP_X(r)) / (w_A + w_X).
    Cost: O(cells + places).

    >>> before = pl.DataFrame({"age": [24, 36, 40], "town": ["Ulm", "Ulm", "Bonn"]})
    >>> after = pl.DataFrame({"age": ["[24-36]", "[24-36]", "40"], "town": ["Ulm", "Ulm", "Bonn"]})
    >>> schema = {"columns": {"age": {"kind": "number"}, "town": {"kind": "category"}}}
    >>> ncp(before, after, schema).relational
    0.25
    """
    read = as_schema(schema)
    before, after = as_polars(original, "original"), as_polars(released, "released")
    numbered = np.arange(before.height) if rows is None else np.asarray(rows, np.int64)
    if len(numbered) != after.height:
        raise BadInput(
            f"expected {len(numbered)} rows, found {after.height}",
            where="released",
            remedy="say which rows of the original were released (rows)",
        )
    before = before[numbered]
    persons = _persons(read, before)
    columns = {
        name: _mean_over_people(_column_loss(read, name, before, after, persons), persons)
        for name in read.relational
    }
    relational = float(np.mean(list(columns.values()))) if columns else 0.0
    textual, by_type = _textual(terms, numbered, persons)
    first, second = weights if read.texts else (weights[0], 0.0)
    total = (first * relational + second * textual) / ((first + second) or 1.0)
    return Loss(relational, textual, total, columns, by_type)


def _persons(schema: Schema, before: pl.DataFrame) -> pl.Series:
    if schema.person is None:
        return pl.Series("person", np.arange(before.height))
    return before[schema.person].alias("person")


def _mean_over_people(losses: pl.Series, persons: pl.Series) -> float:
    """Every person counts once, however many rows they have."""
    if not len(losses):
        return 0.0
    table = pl.DataFrame({"person": persons, "loss": losses})
    return _number(table.group_by("person").agg(pl.col("loss").mean())["loss"].mean())


def _number(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0


def _column_loss(
    schema: Schema, name: str, before: pl.DataFrame, after: pl.DataFrame, persons: pl.Series
) -> pl.Series:
    """The loss of every row's cell."""
    if name not in after.columns:
        return pl.Series(np.ones(after.height))
    column = schema.columns[name]
    if column.kind == "set":
        return _items_loss(column, before[name], after[name], persons)
    values = readable(column, before[name])
    cells = after[name].cast(pl.String)
    cells = cells.set(cells.is_in(column.missing_values), None)
    if column.kind == "number" and column.recode == "mean":
        cells = _class_ranges(schema, name, values, after)
    distinct = cells.unique().alias("cell")
    losses = cell_losses(column, values, distinct)
    table = pl.DataFrame({"cell": distinct, "loss": losses})
    found = (
        cells.alias("cell")
        .to_frame()
        .join(table, on="cell", how="left", nulls_equal=True, maintain_order="left")
    )
    return found["loss"]


def _class_ranges(schema: Schema, name: str, values: pl.Series, after: pl.DataFrame) -> pl.Series:
    """The ranges that means stand for: those of the rows with equal cells in all columns."""
    others = [one for one in schema.relational if schema.columns[one].kind != "set"]
    table = after.select(others).with_columns(numbers(values).alias("\0value"))
    low, high = pl.col("\0value").min().over(others), pl.col("\0value").max().over(others)
    mixed = pl.col("\0value").is_null().any().over(others) & low.is_not_null()
    text = pl.format("[{}-{}]", low, high) + pl.when(mixed).then(pl.lit(MISSING)).otherwise(
        pl.lit("")
    )
    return table.select(text.alias(name))[name]


def _items_loss(
    column: Column, before: pl.Series, after: pl.Series, persons: pl.Series
) -> pl.Series:
    """The share of a person's items that is gone, as for terms."""
    own = _items(column, before, persons).group_by("person").agg(pl.len().alias("own"))
    kept = _items(column, after, persons).group_by("person").agg(pl.len().alias("kept"))
    table = persons.to_frame().join(own, on="person", how="left", maintain_order="left")
    table = table.join(kept, on="person", how="left", maintain_order="left")
    share = 1 - pl.col("kept").fill_null(0) / pl.col("own")
    return table.select(share.fill_null(0.0).alias("loss"))["loss"]


def _items(column: Column, cells: pl.Series, persons: pl.Series) -> pl.DataFrame:
    """The distinct items of every person."""
    if not isinstance(cells.dtype, (pl.List, pl.Array)):
        in_list = column.separator == BRACKETS
        cells = in_brackets(cells) if in_list else cells.cast(pl.String).str.split(column.separator)
    table = pl.DataFrame({"person": persons, "item": cells}).explode("item").drop_nulls()
    table = table.with_columns(pl.col("item").cast(pl.String).str.strip_chars())
    return table.filter(pl.col("item") != "").unique()


def person_terms(terms: pl.DataFrame, rows: NDArray[np.int64], persons: pl.Series) -> pl.DataFrame:
    """One line for every quasi-identifying term of a person: its loss is 1 suppressed, 0 kept."""
    owners = pl.DataFrame({"row": rows.astype(np.int64), "person": persons})
    found = terms.filter(pl.col("role") == "quasi").with_columns(pl.col("row").cast(pl.Int64))
    lost = (pl.col("outcome") != "kept").cast(pl.Float64)
    if "loss" in terms.columns:
        lost = pl.coalesce(pl.col("loss").cast(pl.Float64), lost)
    return (
        found.join(owners, on="row", how="inner")
        .with_columns(lost.alias("lost"))
        .group_by("person", "column", "label", "term")
        .agg(pl.col("lost").max())
    )


def _textual(
    terms: pl.DataFrame | None, rows: NDArray[np.int64], persons: pl.Series
) -> tuple[float, dict[str, float]]:
    """NCP_X: the mean over people of the share of their terms that is lost; none, no loss."""
    people = persons.n_unique()
    if terms is None or not people:
        return 0.0, {}
    own = person_terms(terms, rows, persons)
    shares = own.group_by("person").agg(pl.col("lost").mean())
    by_type = own.group_by("person", "label").agg(pl.col("lost").mean())
    types = by_type.group_by("label").agg(pl.col("lost").mean()).sort("label")
    return _number(shares["lost"].sum()) / people, dict(types.iter_rows())


def class_figures(sizes: Sequence[int] | NDArray[np.integer]) -> Classes:
    """Count, mean, spread and histogram of class sizes, and the discernibility penalty.

    Discernibility adds up the square of every class's size (Bayardo and Agrawal).

    >>> class_figures([2, 2, 3]).discernibility
    17
    """
    given = np.asarray(sizes, np.int64)
    if not len(given):
        return Classes(0, 0, 0, 0, 0.0, 0.0, 0, {})
    values, counts = np.unique(given, return_counts=True)
    return Classes(
        people=int(given.sum()),
        classes=len(given),
        smallest=int(given.min()),
        largest=int(given.max()),
        mean=float(given.mean()),
        standard_deviation=float(given.std()),
        discernibility=int((given * given).sum()),
        histogram=dict(zip(values.tolist(), counts.tolist(), strict=True)),
    )


def class_sizes(
    released: Data,
    schema: Schema | Mapping[str, object],
    terms: pl.DataFrame | None = None,
    rows: Sequence[int] | NDArray[np.int64] | None = None,
    persons: Sequence[object] | None = None,
) -> NDArray[np.int64]:
    """The sizes, in people, of the classes that a released table shows.

    People are told apart by the release's own person column, or by `persons`, one a row.
    Cost: one grouping of the rows.

    >>> class_sizes(pl.DataFrame({"age": ["[3-4]", "[3-4]", "7"]}),
    ...     {"columns": {"age": {"kind": "number"}}}).tolist()
    [2, 1]
    """
    read, after = as_schema(schema), as_polars(released, "released")
    people = _shown(read, after, persons)
    if terms is not None and read.texts:
        numbered = np.arange(after.height) if rows is None else np.asarray(rows, np.int64)
        whose = _whose(read, after, persons)
        own = person_terms(terms, numbered, whose).filter(pl.col("lost") < 1)
        key = pl.concat_str(["column", "label", "term"], separator="\x1e")
        kept = own.group_by("person").agg(key.sort().str.join("\x1f").alias("\0terms"))
        people = people.join(kept, on="person", how="left")
    by = [name for name in people.columns if name != "person"]
    if not by:
        return np.array([people.height], np.int64)
    sizes = people.group_by(by, maintain_order=True).len()["len"]
    return sizes.to_numpy().astype(np.int64)


def _whose(schema: Schema, after: pl.DataFrame, persons: Sequence[object] | None) -> pl.Series:
    if persons is not None:
        return pl.Series("person", persons)
    if schema.person is not None and schema.person in after.columns:
        return after[schema.person].alias("person")
    return pl.Series("person", np.arange(after.height))


def _shown(schema: Schema, after: pl.DataFrame, persons: Sequence[object] | None) -> pl.DataFrame:
    """What each person shows in the relational columns."""
    whose = _whose(schema, after, persons)
    names = [name for name in schema.relational if name in after.columns]
    sets = [name for name in names if schema.columns[name].kind == "set"]
    single = [name for name in names if name not in sets]
    cells = after.select(pl.col(single).cast(pl.String).fill_null("\0"))
    table = whose.to_frame().hstack(cells)
    if whose.n_unique() < len(whose):
        table = table.group_by("person", maintain_order=True).agg(
            pl.all().unique().sort().str.join("\x1f")
        )
    for name in sets:
        items = _items(schema.columns[name], after[name], whose)
        joined = items.group_by("person").agg(pl.col("item").sort().str.join("\x1f").alias(name))
        table = table.join(joined, on="person", how="left", maintain_order="left")
    return table


def measure(original: Data, release: Release) -> tuple[Loss, Classes]:
    """The loss and the classes of a release of `anonymize`.

    Cost: O(cells + places).
    """
    sides = release.sides
    schema, rows, terms = sides.schema, sides.rows, sides.places
    if schema is None:
        raise BadInput("a release of records knows its schema", where="schema", remedy="give it")
    loss = ncp(original, release.data, schema, terms, rows)
    people = None if sides.person_of_row is None else sides.person_of_row.tolist()
    sizes = class_sizes(release.data, schema, terms, rows, people)
    return loss, class_figures(sizes)
