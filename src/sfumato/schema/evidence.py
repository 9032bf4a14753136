"""What a column's values look like, in numbers: the grounds on which a schema is guessed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .cells import in_brackets

if TYPE_CHECKING:
    import polars as pl

ALL = 0.98  # so large a share counts as all: real columns have slips
SENTENCE = 6  # words

DATE_FORMATS = (
    *("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d-%m-%Y", "%Y%m%d"),
    *("%d,%B,%Y", "%d %B %Y", "%B %d, %Y", "%d-%b-%Y", "%d %b %Y", "%d.%m.%y", "%m/%d/%y"),
)
_MARKS = {
    "email": r"^[^@\s]+@[^@\s]+\.[A-Za-z]{2,}$",
    "url": r"^(?:https?://|www\.)\S+$",
    "ip": r"^\d{1,3}(?:\.\d{1,3}){3}$",
    "phone": r"^(?:\+|00|\(0?|0)[\d\s()/.-]{6,20}$",
    "iban": r"^[A-Z]{2}\d{2}[A-Z0-9 ]{11,30}$",
    "ssn": r"^\d{3}-\d{2}-\d{4}$",
    "uuid": r"^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$",
}
_NUMBER = r"^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$"
_COMMA = r"^\s*[-+]?\d+(?:,\d+)?\s*$"
_THOUSANDS = r"^\s*[-+]?\d{1,3}(?:,\d{3})+\s*$"
_LIST = r"^\s*\[.*\]\s*$"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Counts and shares over the values of one column that are not missing."""

    rows: int
    present: int
    distinct: int
    numbers: float
    with_comma: float
    """The share of numbers, where some of them have a decimal comma."""
    whole: float
    padded: float
    length: int | None
    words: float
    sentences: float
    """The share of cells with at least `SENTENCE` words."""
    format: str | None
    unreadable: int
    mark: str | None
    separator: str | None
    is_list: bool

    @property
    def missing(self) -> int:
        """How many rows have no value."""
        return self.rows - self.present

    @property
    def distinct_share(self) -> float:
        """Distinct values in relation to the rows that have one."""
        return self.distinct / self.present if self.present else 0.0


def evidence(column: pl.Series) -> Evidence:
    """Looks at a column of strings, numbers, dates or lists.

    Cost: O(values).

    >>> import polars as pl
    >>> found = evidence(pl.Series(["14.05.2004", "15.05.2004", "18.08.2005", ""]))
    >>> found.format, found.missing, found.distinct
    ('%d.%m.%Y', 1, 3)
    """
    import polars as pl

    rows, nested = len(column), isinstance(column.dtype, (pl.List, pl.Array))
    if nested:
        present = column.drop_nulls()
        distinct = present.explode().drop_nulls().n_unique()
        return Evidence(
            *(rows, len(present), distinct, 0, 0, 0, 0, None, 0, 0, None, 0, None, None),
            is_list=True,
        )
    texts = column.cast(pl.String).str.strip_chars()
    texts = texts.filter(texts.is_not_null() & (texts != ""))
    if not len(texts):
        return Evidence(rows, *(0,) * 6, None, 0, 0, None, 0, None, None, is_list=False)
    lengths, words = texts.str.len_chars(), texts.str.count_matches(r"\S+")
    numbers = _share(texts, _NUMBER)
    format, unreadable = _date_format(texts)
    is_list = _share(texts, _LIST) >= ALL
    return Evidence(
        rows=rows,
        present=len(texts),
        distinct=in_brackets(texts).explode().n_unique() if is_list else texts.n_unique(),
        numbers=numbers,
        with_comma=_with_comma(texts) if numbers < ALL else 0.0,
        whole=_share(texts, r"^[-+]?\d+$"),
        padded=_share(texts, r"^0\d"),
        length=int(lengths[0]) if lengths.n_unique() == 1 else None,
        words=_mean(words),
        sentences=_mean((words >= SENTENCE).cast(float)),
        format=format,
        unreadable=unreadable,
        mark=next((name for name, mark in _MARKS.items() if _share(texts, mark) >= ALL), None),
        separator=_separator(texts) if numbers < ALL else None,
        is_list=is_list,
    )


def _mean(values: pl.Series) -> float:
    mean = values.mean()
    return float(mean) if isinstance(mean, (int, float)) else 0.0


def _share(texts: pl.Series, pattern: str) -> float:
    return _mean(texts.str.contains(pattern).cast(float))


def _with_comma(texts: pl.Series) -> float:
    """The share of numbers where some have a decimal comma: 1,234 may be a thousand and more.

    >>> import polars as pl
    >>> _with_comma(pl.Series(["6,5", "7"])), _with_comma(pl.Series(["1,234", "7"]))
    (1.0, 0.0)
    """
    decimal = texts.str.contains(",", literal=True) & ~texts.str.contains(_THOUSANDS)
    return _share(texts, _COMMA) if decimal.any() else 0.0


def _date_format(texts: pl.Series) -> tuple[str | None, int]:
    """The first format that reads nearly all values, and how many it does not read."""
    sample = texts.gather_every(1 + len(texts) // 1000)
    for format in DATE_FORMATS:
        if sample.str.to_date(format, strict=False).null_count() <= (1 - ALL) * len(sample):
            found = texts.str.to_date(format, strict=False)
            if found.null_count() <= (1 - ALL) * len(texts) and _in_our_time(found):
                return format, found.null_count()
    return None, 0


def _in_our_time(days: pl.Series) -> bool:
    """Whether the years are those of people: eight digits may be any number."""
    years = days.dt.year()
    return bool(((years >= 1850) & (years <= 2150)).sum() >= ALL * (len(days) - days.null_count()))


def _separator(texts: pl.Series) -> str | None:
    """What joins short items: on average more than one a cell, none longer than three words."""
    for separator in (";", "|", ",", "/", "\n"):
        items = texts.str.split(separator)
        if _mean(items.list.len()) < 1.5:
            continue
        single = items.explode().str.strip_chars()
        if _mean(single.str.count_matches(r"\S+")) <= 2 and single.n_unique() < 0.5 * len(single):
            return separator
    return None
