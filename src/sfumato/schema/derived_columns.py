"""Columns that give others back: a copy, a count of days since a date, a code beside its name.

A column tells another if every value of it stands beside one value of the other, and that is no
accident: its values repeat, or both are numbers or dates and the one never falls where the other
rises. The chance of an accident is that of the other column's values in any order.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lgamma, log
from typing import TYPE_CHECKING

from ..core.labels import label_form
from ..core.printed_form import by_sizes
from .days import days
from .evidence import DATE_FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterable

    import polars as pl

    from .models import Column, Schema

FOR_EACH = "one value of it for each"
CHANCE = log(1e-9)
ROWS = 50_000  # of larger tables so many rows are looked at
MOST = 0.98  # of the rows: real columns have slips


@dataclass(frozen=True, slots=True)
class DerivedColumn:
    """A column, the one that it tells, and how."""

    column: str
    of: str
    how: str

    __repr__ = by_sizes

    def __str__(self) -> str:
        return f"{self.column} tells {self.of} ({self.how})"


def derived(
    frame: pl.DataFrame,
    columns: Iterable[str],
    others: Iterable[str],
    described: dict[str, Column] | None = None,
) -> list[DerivedColumn]:
    """Which of the columns tell which of the others; of each the first it tells.

    Cost: O(rows log rows) for each pair of columns.

    >>> import polars as pl
    >>> born = [f"19{i:02}-03-{1 + i % 28:02}" for i in range(40)]
    >>> frame = pl.DataFrame({"born": born, "age": [str(99 - i) for i in range(40)],
    ...                       "ward": [str(i * 7 % 5) for i in range(40)]})
    >>> [str(one) for one in derived(frame, ["age", "ward"], ["born"])]
    ['age tells born (in its order)']
    """
    told = described or {}
    frame = frame.gather_every(1 + frame.height // ROWS)
    names = list(dict.fromkeys([*columns, *others]))
    read = {name: _ColumnValues.of(frame[name], told.get(name)) for name in names}
    found = []
    for name in columns:
        for other in others:
            how = None if name == other else _how(read[name], read[other])
            if how is not None:
                found.append(DerivedColumn(name, other, how))
                break
    return found


def derived_of(frame: pl.DataFrame, schema: Schema, leaving: Iterable[str]) -> list[DerivedColumn]:
    """Columns that leave as they are and tell one that the schema recodes or drops."""
    hidden = [
        name
        for name, column in schema.columns.items()
        if column.role in ("quasi", "drop") and column.kind not in ("text", "set")
    ]
    return derived(frame, leaving, [one for one in hidden if one in frame.columns], schema.columns)


@dataclass(frozen=True, slots=True)
class _ColumnValues:
    """The values of a column as numbers of equal ones, and in their order where they have one."""

    __repr__ = by_sizes

    codes: pl.Series
    order: pl.Series | None

    @classmethod
    def of(cls, column: pl.Series, described: Column | None) -> _ColumnValues:
        import polars as pl

        if isinstance(column.dtype, (pl.List, pl.Array, pl.Struct)):
            column = pl.Series(column.name, [str(one) for one in column.to_list()])
        texts = column.cast(pl.String).str.strip_chars()
        texts = texts.set(texts == "", None)
        distinct = texts.drop_nulls().unique()
        forms = pl.Series([label_form(one) for one in distinct.to_list()], dtype=pl.String)
        codes = texts.replace_strict(distinct, forms, default=None, return_dtype=pl.String)
        return cls(codes, _order(column, texts, described))


def _order(column: pl.Series, texts: pl.Series, described: Column | None) -> pl.Series | None:
    """Days or numbers, also within words ("3 days"); None where most values are neither."""
    import polars as pl

    present = len(texts) - texts.null_count()
    if column.dtype.is_numeric() or column.dtype.is_temporal():
        return column.to_physical().cast(pl.Float64)
    formats = [described.format] if described is not None and described.format else DATE_FORMATS
    for format in formats:
        read = days(texts, format, unreadable="missing")
        if len(read) - read.null_count() >= MOST * present > 0:
            return read.to_physical().cast(pl.Float64)
    numbers = texts.str.extract(r"^\D*?([-+]?\d+(?:\.\d+)?)\D*$").cast(pl.Float64, strict=False)
    return numbers if len(numbers) - numbers.null_count() >= MOST * present > 0 else None


def _how(one: _ColumnValues, other: _ColumnValues) -> str | None:
    """How a column tells another; None if it does not."""
    import polars as pl

    pairs = pl.DataFrame({"u": one.codes, "q": other.codes}).drop_nulls()
    counts = pairs["q"].value_counts()["count"].to_list()
    if len(counts) < 2:
        return None
    if (pairs["u"] == pairs["q"]).sum() >= MOST * pairs.height and pairs.height > 2:
        return "the same values"
    ordered = _in_order(one.order, other.order)
    if ordered is not None:
        return ordered
    distinct = pairs.unique()
    if distinct["u"].n_unique() < distinct.height:
        return None
    repeated = pairs.height - distinct.height
    alike = sum((count / pairs.height) ** 2 for count in counts)
    if repeated * log(alike) >= CHANCE:
        return None
    return "one for one" if len(counts) == distinct.height else FOR_EACH


def _in_order(one: pl.Series | None, other: pl.Series | None) -> str | None:
    """Whether the one never falls where the other rises, or never rises, but for a few slips."""
    import polars as pl

    if one is None or other is None:
        return None
    pairs = pl.DataFrame({"u": one, "q": other}).drop_nulls()
    if pairs.height < 3:
        return None
    distinct = pairs.group_by("u").agg(pl.col("q").median()).sort("u")
    counts = distinct["q"].value_counts()["count"].to_list()
    ways = lgamma(distinct.height + 1) - sum(lgamma(count + 1) for count in counts)
    if log(2) - ways >= CHANCE:
        return None
    spread = pairs.group_by("u").agg((pl.col("q").max() - pl.col("q").min()).alias("wide"))
    steps = distinct["q"].diff().drop_nulls()
    usual = float(steps.abs().median() or 0) or 1.0  # type: ignore[arg-type]
    if (spread["wide"] <= usual).sum() < MOST * spread.height:
        return None
    slips = min(int((steps < 0).sum()), int((steps > 0).sum()))
    return "in its order" if slips <= (1 - MOST) * len(steps) / 2 else None
