"""Recoding, local to each class: one cell for all of its people."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ...core.printed_form import by_sizes
from ...schema.cells import BRACKETS
from .view import distinct, item_lists

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .view import Relational

MISSING = "|missing"


@dataclass(frozen=True, slots=True, eq=False)
class RecodedColumn:
    """The cells of a column, one a class, and what each loses by it.

    A set column has no cells, but the items that everybody of a class has: class x width + item;
    `by_person` those that each person shows: person x width + item.
    """

    cells: pl.Series
    losses: NDArray[np.float64]
    shared: NDArray[np.int64] | None = None
    by_person: bool = False

    __repr__ = by_sizes

    def shares(self, number: int, person: int, item: int, width: int) -> bool:
        """Whether an item of a set column is shown of a person of this class."""
        assert self.shared is not None
        key = (person if self.by_person else number) * width + item
        at = int(np.searchsorted(self.shared, key))
        return at < len(self.shared) and int(self.shared[at]) == key


def recode(column: Relational, classes: NDArray[np.int32], count: int) -> RecodedColumn:
    """The cells of `count` classes; people with class -1 are left out.

    Numbers `[min-max]` or their mean, dates by month, year or years, categories as sets or as the
    lowest common node of their hierarchy, ordered ones as ranges.
    Paper: section 4.2, Recoding. Cost: O(values) and a sort.
    """
    people, codes = column.pairs()
    owners = classes[people]
    inside = owners >= 0
    owners, codes = owners[inside], codes[inside]
    if column.described.kind == "set":
        return RecodedColumn(
            no_cells(count), np.zeros(count), _shared(column, owners, codes, classes, count)
        )
    lacking = _marked(classes, column.missing, count)
    if column.numbers is None:
        return _categories(column, owners, codes, lacking, count)
    low, high = _extremes(owners, codes, count)
    empty = high < 0
    labels = column.labels
    single = labels.gather(np.where(empty, 0, low)) if len(labels) else no_cells(count)
    if column.tree is not None:
        cells, losses = _nodes(column, owners, codes, count)
    elif column.described.kind == "date":
        cells, losses = _dates(column, low, high, single)
    elif column.described.kind == "number" and column.described.recode == "mean":
        cells, losses = _means(column, owners, codes, count, low, high)
    else:
        cells, losses = _ranges(column, low, high, single)
    cells = cells.set(pl.Series(empty), None)
    return RecodedColumn(_with_missing(cells, lacking, empty), _mixed(losses, lacking, empty))


def _shared(
    column: Relational,
    owners: NDArray[np.int32],
    codes: NDArray[np.int32],
    classes: NDArray[np.int32],
    count: int,
) -> NDArray[np.int64]:
    """The items that everybody of their class has."""
    width = max(len(column.labels), 1)
    sizes = np.bincount(classes[classes >= 0], minlength=count)
    keys, counts = np.unique(owners.astype(np.int64) * width + codes, return_counts=True)
    shared: NDArray[np.int64] = keys[counts == sizes[keys // width]]
    return shared


def _mixed(
    losses: NDArray[np.float64], lacking: NDArray[np.bool_], empty: NDArray[np.bool_]
) -> NDArray[np.float64]:
    return np.where(empty, 0.0, np.where(lacking, 1.0, losses))


def _with_missing(
    cells: pl.Series, lacking: NDArray[np.bool_], empty: NDArray[np.bool_]
) -> pl.Series:
    some = pl.Series(lacking & ~empty)
    if not some.any():
        return cells
    text = cells.cast(pl.String)
    return pl.select(pl.when(some).then(text + MISSING).otherwise(text)).to_series()


def _marked(classes: NDArray[np.int32], flags: NDArray[np.bool_], count: int) -> NDArray[np.bool_]:
    """Which classes have somebody with the flag."""
    result = np.zeros(count, bool)
    marked = classes[flags]
    result[marked[marked >= 0]] = True
    return result


def _extremes(
    owners: NDArray[np.int32], codes: NDArray[np.int32], count: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The smallest and the largest code of each class; -1 without any."""
    order = np.argsort(owners, kind="stable")
    owners, codes = owners[order], codes[order]
    starts = np.flatnonzero(np.diff(owners, prepend=-1))
    low, high = np.full(count, -1, np.int32), np.full(count, -1, np.int32)
    if len(starts):
        low[owners[starts]] = np.minimum.reduceat(codes, starts)
        high[owners[starts]] = np.maximum.reduceat(codes, starts)
    return low, high


def no_cells(count: int) -> pl.Series:
    """As many missing cells."""
    return pl.Series([None] * count, dtype=pl.String)


def _width(column: Relational) -> float:
    assert column.numbers is not None
    return float(column.numbers[-1] - column.numbers[0]) if len(column.numbers) else 0.0


def _ranges(
    column: Relational, low: NDArray[np.int32], high: NDArray[np.int32], single: pl.Series
) -> tuple[pl.Series, NDArray[np.float64]]:
    """`[24-36]`; one value as it stands."""
    assert column.numbers is not None
    if not len(column.numbers):
        return single, np.zeros(len(low))
    top = column.labels.gather(np.where(high < 0, 0, high))
    ranges = pl.select("[" + single + "-" + top + "]").to_series()
    one = pl.Series(low == high)
    cells = pl.select(pl.when(one).then(single).otherwise(ranges)).to_series()
    width = _width(column)
    if column.described.kind == "ordered":
        width = float(len(column.described.order or ()) - 1)
    spans = column.numbers[high] - column.numbers[low]
    return cells, spans / width if width > 0 else np.zeros(len(low))


def _means(
    column: Relational,
    owners: NDArray[np.int32],
    codes: NDArray[np.int32],
    count: int,
    low: NDArray[np.int32],
    high: NDArray[np.int32],
) -> tuple[pl.Series, NDArray[np.float64]]:
    """The mean of the class's values, with at most three decimals."""
    assert column.numbers is not None
    sums = np.bincount(owners, column.numbers[codes], count)
    sizes = np.bincount(owners, minlength=count)
    exact = sums / np.maximum(sizes, 1)
    means = np.where(np.abs(exact) < 2.0**40, np.round(exact, 3), exact)  # larger ones have none
    width = _width(column)
    spans = (
        (column.numbers[high] - column.numbers[low]) / width if width > 0 else np.zeros(len(low))
    )
    return pl.Series(means, dtype=pl.Float64), spans


def _dates(
    column: Relational, low: NDArray[np.int32], high: NDArray[np.int32], single: pl.Series
) -> tuple[pl.Series, NDArray[np.float64]]:
    """The day as it stands, `2004-05`, `2004` or `[2004-2005]`; leaves below the node are lost."""
    assert column.numbers is not None
    if not len(column.numbers):
        return single, np.zeros(len(low))
    first, last = column.numbers[np.where(low < 0, 0, low)], column.numbers[high]
    frame = pl.DataFrame({"first": first.astype(np.int32), "last": last.astype(np.int32)})
    frame = frame.cast(pl.Date).with_columns(single=single, day=pl.Series(low == high))
    first_year, last_year = pl.col("first").dt.year(), pl.col("last").dt.year()
    same_year = first_year == last_year
    same_month = same_year & (pl.col("first").dt.month() == pl.col("last").dt.month())
    years = first_year.cast(pl.String).str.zfill(4), last_year.cast(pl.String).str.zfill(4)
    cells = frame.select(
        pl.when("day")
        .then("single")
        .when(same_month)
        .then(pl.col("first").dt.strftime("%Y-%m"))
        .when(same_year)
        .then(years[0])
        .otherwise(pl.format("[{}-{}]", *years))
    ).to_series()
    below = frame.select(
        begin=pl.when("day")
        .then("first")
        .when(same_month)
        .then(pl.col("first").dt.month_start())
        .otherwise(pl.date(first_year, 1, 1)),
        end=pl.when("day")
        .then("last")
        .when(same_month)
        .then(pl.col("last").dt.month_end())
        .otherwise(pl.date(last_year, 12, 31)),
    )
    begin, end = (below[name].to_physical().to_numpy() for name in ("begin", "end"))
    leaves = np.searchsorted(column.numbers, end, "right") - np.searchsorted(column.numbers, begin)
    return cells, np.where(low == high, 0.0, leaves / len(column.numbers))


def _nodes(
    column: Relational, owners: NDArray[np.int32], codes: NDArray[np.int32], count: int
) -> tuple[pl.Series, NDArray[np.float64]]:
    """The lowest common node of the hierarchy."""
    assert column.tree is not None
    nodes = column.tree.find(column.labels.drop_nulls().to_list())[codes]
    common = column.tree.common_of_groups(nodes, owners, count)
    empty = common < 0
    labels = pl.Series(column.tree.labels, dtype=pl.String)
    cells = labels.gather(np.where(empty, 0, common)).set(pl.Series(empty), None)
    leaves = column.tree.counts[common]
    low, high = _extremes(owners, codes, count)
    return cells, np.where(empty | (low == high), 0.0, leaves / max(column.tree.size, 1))


def _categories(
    column: Relational,
    owners: NDArray[np.int32],
    codes: NDArray[np.int32],
    lacking: NDArray[np.bool_],
    count: int,
) -> RecodedColumn:
    """`(a,b)` sorted, or the lowest common node; a missing value is one of its own."""
    width = len(column.labels)
    if column.has_missing_code:
        held = codes < width - 1
        owners, codes = owners[held], codes[held]
    full = np.zeros(count, bool)
    full[owners] = True
    if column.tree is not None:
        cells, losses = _nodes(column, owners, codes, count)
        losses = np.where(lacking & full, 1.0, losses)
        return RecodedColumn(_with_missing(cells, lacking, ~full), losses)
    keys = distinct(owners.astype(np.int64) * width + codes)
    groups, values = np.divmod(keys, max(width, 1))
    frame = pl.DataFrame({"class": groups, "label": column.labels.gather(values)})
    joined = frame.group_by("class", maintain_order=True).agg(
        pl.col("label").str.join(","), size=pl.len()
    )
    text = pl.select(
        pl.when(joined["size"] == 1).then(joined["label"]).otherwise("(" + joined["label"] + ")")
    ).to_series()
    place = np.zeros(count, np.int64)
    place[joined["class"].to_numpy()] = np.arange(joined.height)
    cells = text.gather(place).set(pl.Series(~full), None) if joined.height else no_cells(count)
    named = np.bincount(groups, minlength=count) + (lacking if column.has_missing_code else 0)
    losses = np.where(named < 2, 0.0, named / max(width, 1))
    return RecodedColumn(_with_missing(cells, lacking, ~full), losses)


def shared_items(
    column: Relational,
    recoded: RecodedColumn,
    before: pl.Series,
    people: NDArray[np.int32],
    classes: NDArray[np.int32],
    count: int,
) -> tuple[pl.Series, NDArray[np.float64]]:
    """The row's items that the class shares or the person shows, and what each person lost."""
    owners, codes = column.pairs()
    width = max(len(column.labels), 1)
    shared = recoded.shared
    assert shared is not None
    of_whom = np.arange(count) if recoded.by_person else classes.astype(np.int64)
    is_shared = np.isin(of_whom[owners] * width + codes, shared)
    gone = np.bincount(owners, (~is_shared).astype(np.float64), count)
    lost: NDArray[np.float64] = gone / np.maximum(np.bincount(owners, minlength=count), 1)
    kept: dict[int, set[str]] = {}
    labels = column.labels.to_list()
    for key in shared.tolist():
        kept.setdefault(key // width, set()).add(labels[key % width])
    lists = [  # no items and no set look alike: the class may have both
        sorted(set(items or ()) & kept.get(int(of_whom[person]), set()))
        for items, person in zip(
            item_lists(before, column.described.separator).to_list(), people.tolist(), strict=True
        )
    ]
    if isinstance(before.dtype, (pl.List, pl.Array)):
        return pl.Series(lists, dtype=pl.List(pl.String)), lost
    separator = column.described.separator
    if separator == BRACKETS:
        joined = [json.dumps(one, ensure_ascii=False) for one in lists]
    else:
        joined = [separator.join(one) for one in lists]
    return pl.Series(joined, dtype=pl.String), lost
