"""How a value of a number or date column is written in a cell, when its rows write it otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from ...schema.days import ISO
from ...schema.hierarchies import ArxFile, InlineTree
from ...schema.table import written

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ...schema import Column

_LARGEST = 2.0**53  # up to here every whole number is a float


def labels_of(
    described: Column,
    values: pl.Series,
    codes: NDArray[np.int32],
    distinct: NDArray[np.float64],
) -> pl.Series:
    """The text of every code: as it is written where it is written in one way, else in a usual one.

    Otherwise the way of one row, and a time of day, would stand in the cells of others. Values of
    a hierarchy that lists them keep a spelling that it has.
    Cost: O(rows), nothing but a look-up where a type has one way of writing.

    >>> import numpy as np
    >>> from sfumato.schema import Column
    >>> codes = np.array([0, 0, 1], np.int32)
    >>> labels_of(Column(kind="number"), pl.Series(["1.0", "1", "07"]), codes, np.array([1.0, 7.0]))
    shape: (2,)
    Series: '' [str]
    [
        "1"
        "07"
    ]
    """
    spelt = (
        pl.DataFrame({"code": codes, "text": written(values).str.strip_chars()})
        .filter(pl.col("code") >= 0)
        .group_by("code")
        .agg(pl.col("text").min(), several=pl.col("text").n_unique() > 1)
        .sort("code")
    )
    texts, several = spelt["text"].alias(""), spelt["several"]
    if isinstance(described.hierarchy, (ArxFile, InlineTree)):
        return texts
    if described.kind == "date":
        usual, other = _days(described, values, distinct)
        several = several | other
    else:
        usual = pl.Series(list(map(_number, distinct.tolist())), dtype=pl.String)
    return pl.select(pl.when(several).then(usual).otherwise(texts).alias("")).to_series()


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < _LARGEST else repr(value)


def _days(
    described: Column, values: pl.Series, distinct: NDArray[np.float64]
) -> tuple[pl.Series, bool]:
    """The days as ISO has them, and whether the column writes them otherwise, or times beside.

    Months and years of other classes are ISO's: a column has one form.
    """
    days = pl.Series(distinct).cast(pl.Int32).cast(pl.Date)
    if values.dtype.is_temporal():
        other = values.dtype != pl.Date
    elif described.format is not None:
        other = described.format != ISO
    else:
        other = bool((values.cast(pl.String).str.strip_chars().str.len_chars() > 10).any())
    return days.dt.strftime(ISO), other
