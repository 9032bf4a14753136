"""Cells read from their own text: numbers, ranges, lists, and the mark for missing values."""

from __future__ import annotations

import ast
import json
from typing import TYPE_CHECKING

from .days import days

if TYPE_CHECKING:
    import polars as pl

    from .models import Column

MISSING = "|missing"
BRACKETS = "[]"
"""The separator of a set whose cells are lists in brackets, as Python and JSON write them."""
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_COMMA = r"^(\s*[-+]?\d+),(\d+\s*)$"
_RANGE = rf"^\[?({_NUMBER})-({_NUMBER})[\])]?$"


def numbers(values: pl.Series) -> pl.Series:
    """The numbers that cells hold, missing for those that hold none.

    >>> import polars as pl
    >>> numbers(pl.Series([" 3.5", "[3-4]"])).to_list()
    [3.5, None]
    """
    import polars as pl

    if values.dtype.is_numeric():
        return values.cast(pl.Float64)
    return values.cast(pl.String).str.strip_chars().cast(pl.Float64, strict=False)


def bounds(cells: pl.Series) -> tuple[pl.Series, pl.Series]:
    """The lowest and highest number of cells such as `36`, `[24-36]`, `[0-5)` and ARX's `35-39`.

    >>> import polars as pl
    >>> [one.to_list() for one in bounds(pl.Series(["36", "[-5--3]", "35-39", "old"]))]
    [[36.0, -5.0, 35.0, None], [36.0, -3.0, 39.0, None]]
    """
    import polars as pl

    parts = cells.cast(pl.String).str.extract_groups(_RANGE)
    low = parts.struct.field("1").cast(pl.Float64, strict=False)
    high = parts.struct.field("2").cast(pl.Float64, strict=False)
    frame = pl.DataFrame({"single": numbers(cells), "low": low, "high": high})
    either = frame.select(pl.coalesce("single", "low"), pl.coalesce("single", "high").alias("top"))
    return either["single"], either["top"]


def present(column: Column, values: pl.Series) -> pl.Series:
    """The values with those that mean nothing as missing, and numbers with a decimal point.

    >>> import polars as pl
    >>> from sfumato.schema import Column
    >>> present(Column(missing_values=["?"]), pl.Series(["a", "?"])).to_list()
    ['a', None]
    >>> present(Column(kind="number", decimal=","), pl.Series(["6,5", "7"])).to_list()
    ['6.5', '7']
    """
    import polars as pl

    if isinstance(values.dtype, (pl.List, pl.Array)):
        return values
    if values.dtype in (pl.Float32, pl.Float64):
        return values.fill_nan(None)
    if values.dtype != pl.String:
        return values
    given = values.set(values.is_in(column.missing_values), None)
    if column.decimal == "." or column.role == "drop":  # what is left out is sought as written
        return given
    return given.str.replace(_COMMA, "${1}.${2}")


def readable(column: Column, values: pl.Series) -> pl.Series:
    """The values that are there: what means nothing, or cannot be read where it may, is missing.

    >>> import polars as pl
    >>> from sfumato.schema import Column
    >>> column = Column(kind="number", unreadable="missing", missing_values=["?"])
    >>> readable(column, pl.Series(["36", "?", "old"])).to_list()
    ['36', None, None]
    """
    given = present(column, values)
    if column.unreadable != "missing" or column.kind not in ("number", "date"):
        return given
    if column.kind == "number":
        return given.set(~numbers(given).is_finite().fill_null(False), None)
    return given.set(days(given, column.format, unreadable="missing").is_null(), None)


def in_brackets(cells: pl.Series) -> pl.Series:
    """The items of cells such as `['a', 'b']` and `["a", 7]`; of any other cell the cell itself.

    Cost: O(different cells).

    >>> import polars as pl
    >>> in_brackets(pl.Series(["['b, c', 7]", '["a", null]', "[]", "x", None])).to_list()
    [['b, c', '7'], ['a'], [], ['x'], None]
    """
    import polars as pl

    texts = cells.cast(pl.String)
    read = {text: _items(text) for text in texts.drop_nulls().unique().to_list()}
    lists = [None if text is None else read[text] for text in texts.to_list()]
    return pl.Series(cells.name, lists, dtype=pl.List(pl.String))


def _items(text: str) -> list[str]:
    for read in (json.loads, ast.literal_eval):
        try:
            found = read(text.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(found, (list, tuple, set)):
            return [
                one if isinstance(one, str) else json.dumps(one, default=str)
                for one in found
                if one is not None
            ]
        break
    return [text] if text.strip() else []
