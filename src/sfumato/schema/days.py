"""Dates as people write them, and what stands above each in the hierarchy of dates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from .tree import ROOT

if TYPE_CHECKING:
    import polars as pl

LEVELS = ("month", "quarter", "year", "decade")
ISO = "%Y-%m-%d"


def days(
    values: pl.Series,
    format: str | None = None,
    where: str = "date",
    unreadable: str = "refuse",
) -> pl.Series:
    """The days that strings stand for; missing values stay missing.

    Dates without `format` are ISO, with or without a time. Values that cannot be read are
    refused by their number, or missing too.
    Cost: O(values), compiled.

    >>> import polars as pl
    >>> days(pl.Series(["14,May,2004", None]), "%d,%B,%Y").to_list()
    [datetime.date(2004, 5, 14), None]
    """
    import polars as pl

    if values.dtype == pl.Date:
        return values
    if values.dtype == pl.Datetime:
        return values.dt.date()
    try:
        texts = values.cast(pl.String)
        if format is None:
            found = texts.str.slice(0, 10).str.to_date(ISO, strict=False)
        else:
            clock = any(one in format for one in ("%H", "%I", "%M", "%S", "%T", "%R", "%s"))
            read = texts.str.to_datetime if clock else texts.str.to_date
            found = read(format, strict=False)
            found = found.dt.date() if clock else found
    except pl.exceptions.PolarsError:
        raise BadInput("the format of these dates cannot be read", where=where) from None
    wrong = (found.is_null() & values.is_not_null()).arg_true()
    if len(wrong) and unreadable == "refuse":
        raise BadInput(
            f"{len(wrong)} values are no dates of this format",
            where=f"{where}, record {wrong[0] + 1}",
            remedy="give the column's format, or say `unreadable: missing`",
        )
    return found


def day_paths(
    values: Sequence[str], format: str | None, levels: Sequence[str]
) -> Iterator[tuple[str, ...]]:
    """The path of each date up to the root, the range of all years; dates may be ISO ones too.

    >>> list(day_paths(["2004-05-14", "2005-08-18"], None, ["month", "year"]))[0]
    ('2004-05-14', '2004-05', '2004', '*')
    """
    import polars as pl

    texts = pl.Series(values, dtype=pl.String)
    read = days(texts, format, unreadable="missing")
    if format is not None:
        read = read.fill_null(days(texts, unreadable="missing"))
    if read.null_count():
        read = days(texts, format)  # which says where
    found = read.to_list()
    for value, day in zip(values, found, strict=True):
        yield (value, *(above(day, level) for level in levels), ROOT)


def above(day: date, level: str) -> str:
    """What a date becomes on one level of the hierarchy.

    >>> [above(date(2004, 5, 14), level) for level in LEVELS]
    ['2004-05', '2004-Q2', '2004', '2000s']
    """
    return {
        "month": f"{day.year:04}-{day.month:02}",
        "quarter": f"{day.year:04}-Q{(day.month + 2) // 3}",
        "year": f"{day.year:04}",
        "decade": f"{day.year // 10 * 10:04}s",
    }[level]
