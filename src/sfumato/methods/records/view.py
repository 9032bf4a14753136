"""The person-centric view D*: one record per person, every column as integer codes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ...core.printed_form import by_sizes
from ...kernels.records import (
    Calendar,
    CategoryColumn,
    CodeTree,
    Column,
    NumberColumn,
    TermColumn,
    rows_of_sets,
)
from ...schema.cells import BRACKETS, in_brackets, present
from ...schema.days import days
from ...schema.table import forms
from .labels import labels_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...core.values import Data
    from ...schema import Column as Described
    from ...schema import Schema, Tree

    Codes = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Relational:
    """One relational quasi-identifier: what its codes mean and which ones each person has.

    `codes` with `offsets` are the people's distinct values, ascending; without offsets one each.
    A number, date or ordered column has `numbers`, one for each code; of a category whose values
    are missing somewhere the last code means so. `missing` are the people with a missing value.
    """

    name: str
    described: Described
    labels: pl.Series
    codes: Codes
    offsets: NDArray[np.int64] | None
    missing: NDArray[np.bool_]
    numbers: NDArray[np.float64] | None = None
    tree: Tree | None = None

    __repr__ = by_sizes

    @property
    def has_missing_code(self) -> bool:
        """Whether the last code of a category stands for a missing value."""
        return self.numbers is None and self.labels.null_count() > 0

    def kernel(self) -> Column:
        """The column as the partitioners take it."""
        weight = self.described.weight
        if self.described.kind == "set":
            assert self.offsets is not None
            return TermColumn(self.codes, len(self.labels), self.offsets, False, weight)
        if self.numbers is None:
            distinct, tree = len(self.labels), self.code_tree()
            return CategoryColumn(self.codes, distinct, self.offsets, False, weight, tree)
        if self.offsets is None:
            return NumberColumn(self.codes, self.codes, *self._scale(weight))
        low = np.full(len(self.offsets) - 1, -1, np.int32)
        high = low.copy()
        full = np.diff(self.offsets) > 0
        low[full] = self.codes[self.offsets[:-1][full]]
        high[full] = self.codes[self.offsets[1:][full] - 1]
        return NumberColumn(low, high, *self._scale(weight))

    def _scale(
        self, weight: float
    ) -> tuple[NDArray[np.float64], bool, float, CodeTree | None, Calendar | None]:
        """What the ranks of a number or date stand for, as `NumberColumn` takes it."""
        assert self.numbers is not None
        return self.numbers, False, weight, self.code_tree(), self.calendar()

    def calendar(self) -> Calendar | None:
        """The months and years of a date that are published where a class has several of them."""
        if self.described.kind != "date" or self.tree is not None or self.numbers is None:
            return None
        months = self.numbers.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
        return Calendar(months.astype(np.int32), (months // 12).astype(np.int32))

    def code_tree(self) -> CodeTree | None:
        """The hierarchy over the codes; mixed with missing values there is no common node.

        Numbers that do not ascend with their nodes are compared by their range.
        """
        tree = self.tree
        if tree is None or self.has_missing_code or not len(self.labels):
            return None
        nodes = tree.find(self.labels.to_list())
        if (np.diff(nodes, prepend=-1) <= 0).any():
            return None
        return CodeTree(nodes, tree.parents, tree.ends, tree.counts)

    def of(self, people: NDArray[np.int64]) -> Relational:
        """The column of these people, in their order."""
        codes, offsets = self.codes, self.offsets
        if offsets is None:
            codes = codes[people]
        else:
            codes, offsets = rows_of_sets(codes, offsets, people)
        return replace(self, codes=codes, offsets=offsets, missing=self.missing[people])

    def pairs(self) -> tuple[NDArray[np.int64], Codes]:
        """People and their codes, one pair for every value that is not missing in a number."""
        if self.offsets is None:
            people = np.flatnonzero(self.codes >= 0)
            return people, self.codes[people]
        count = np.diff(self.offsets)
        return np.repeat(np.arange(len(count)), count), self.codes


def distinct(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """The different keys, ascending; by sorting, which beats hashing where most differ.

    >>> distinct(np.array([3, 1, 3]))
    array([1, 3])
    """
    ordered = np.sort(keys)
    return ordered[np.flatnonzero(np.diff(ordered, prepend=-1))] if len(keys) else ordered


def people_of_rows(frame: pl.DataFrame, person: str | None) -> tuple[NDArray[np.int32], int]:
    """The number of each row's person, in the order of the labels' hashes, and how many there are.

    Labels in their own order may tell what a person has: a ward, a year.

    >>> people_of_rows(pl.DataFrame({"id": ["b", "a", "B "]}), "id")
    (array([0, 1, 0], dtype=int32), 2)
    """
    if person is None:
        return np.arange(frame.height, dtype=np.int32), frame.height
    codes, known = code_texts(forms(frame[person]), sort=False)
    hashes = [sha256(one.encode()).digest() for one in known.to_list()]
    place = np.argsort(sorted(range(len(hashes)), key=hashes.__getitem__))
    return np.append(place, -1)[codes].astype(np.int32), len(known)


def relational(
    frame: pl.DataFrame, schema: Schema, people: NDArray[np.int32], count: int
) -> list[Relational]:
    """The relational quasi-identifiers of the people.

    Cost: O(rows) and a sort of the distinct values of each column.
    """
    return [
        one_column(name, schema.columns[name], frame[name], people, count)
        for name in schema.relational
    ]


def one_column(
    name: str, described: Described, given: pl.Series, people: object, count: int
) -> Relational:
    """A quasi-identifier, or another column read like one: its values and who has which."""
    if described.kind == "set":
        return set_column(name, described, given, people, count)
    values = present(described, given)
    texts = values.cast(pl.String)
    if described.kind == "category":
        return _category(name, described, texts, people, count)
    if described.kind == "ordered":
        order = described.order or []
        known = pl.Series(order)
        numbers = texts.cast(pl.Enum(order)).to_physical().cast(pl.Float64)
        codes, distinct = _ranks(numbers)
        labels = known.gather(distinct.astype(np.int64)).cast(pl.String)
    else:
        if described.kind == "date":
            numbers = days(values, described.format, name, described.unreadable)
            numbers = numbers.to_physical().cast(pl.Float64)
        else:
            numbers = texts.str.strip_chars().cast(pl.Float64, strict=False)
            numbers = numbers.set(~numbers.is_finite().fill_null(True), None)
        codes, distinct = _ranks(numbers)
        labels = labels_of(described, values, codes, distinct)
    tree = described.tree(labels.to_list())
    missing = codes < 0
    codes, offsets, missing = of_people(codes, missing, people, count)
    return Relational(name, described, labels, codes, offsets, missing, distinct, tree)


def _category(
    name: str, described: Described, texts: pl.Series, people: Data, count: int
) -> Relational:
    codes, labels = code_texts(texts, sort=True)
    tree = described.tree(labels.to_list())
    if tree is not None:  # in the order of the hierarchy, so that a cut keeps what belongs together
        order = np.argsort(tree.find(labels.to_list()), kind="stable")
        labels = labels[order]
        place = np.empty(len(order) + 1, np.int32)
        place[order] = np.arange(len(order))
        place[-1] = -1
        codes = place[codes]
    missing = codes < 0
    if missing.any():
        codes = np.where(missing, np.int32(len(labels)), codes).astype(np.int32)
        labels = labels.extend(pl.Series([None], dtype=pl.String))
    none = np.zeros(len(codes), bool)
    flat, offsets, _ = of_people(codes, none, people, count)
    lacking = missing if people is None else _any(missing, people, count)
    return Relational(name, described, labels, flat, offsets, lacking, None, tree)


def set_column(
    name: str,
    described: Described,
    given: pl.Series,
    people: Data,
    count: int,
    read: Callable[[pl.Series], pl.Series] | None = None,
) -> Relational:
    """A set-valued column: the distinct items of each person, as they are `read`."""
    lists = item_lists(given, described.separator)
    rows = np.repeat(np.arange(len(lists)), lists.list.len().fill_null(0).to_numpy())
    items = lists.explode().drop_nulls()
    items = items if read is None else read(items)
    codes, labels = code_texts(items, sort=True)
    owners = rows if people is None else people[rows]
    keys = distinct(owners.astype(np.int64) * max(len(labels), 1) + codes)
    owners, flat = np.divmod(keys, max(len(labels), 1))
    offsets = np.searchsorted(owners, np.arange(count + 1)).astype(np.int64)
    return Relational(
        name, described, labels, flat.astype(np.int32), offsets, np.zeros(count, bool)
    )


def item_lists(cells: pl.Series, separator: str) -> pl.Series:
    """The items of a set column, from lists or from strings; blanks around them go.

    >>> item_lists(pl.Series(["b; a", None]), ";").to_list()
    [['b', 'a'], None]
    """
    if isinstance(cells.dtype, (pl.List, pl.Array)):
        lists = cells.cast(pl.List(pl.String))
    elif separator == BRACKETS:
        lists = in_brackets(cells)
    else:
        lists = cells.cast(pl.String).str.split(separator)
    stripped = lists.list.eval(pl.element().str.strip_chars())
    return stripped.list.eval(
        pl.element().filter(pl.element().is_not_null() & (pl.element() != ""))
    )


def code_texts(texts: pl.Series, sort: bool) -> tuple[Codes, pl.Series]:
    """A code for every text, -1 for missing ones, and the distinct texts.

    >>> code_texts(pl.Series(["b", "a", None]), sort=True)[0]
    array([ 1,  0, -1], dtype=int32)
    """
    distinct = texts.drop_nulls().unique(maintain_order=not sort)
    if sort:
        distinct = distinct.sort()
    codes = texts.cast(pl.Enum(distinct)).to_physical().cast(pl.Int32).fill_null(-1).to_numpy()
    return codes, distinct


def _ranks(numbers: pl.Series) -> tuple[Codes, NDArray[np.float64]]:
    """The rank of every number among the distinct ones, -1 for missing ones."""
    distinct = numbers.drop_nulls().unique().sort().to_numpy() + 0.0
    ranks = np.searchsorted(distinct, numbers.fill_null(0.0).to_numpy()).astype(np.int32)
    return np.where(numbers.is_null().to_numpy(), np.int32(-1), ranks), distinct


def _any(flags: NDArray[np.bool_], people: NDArray[np.int32], count: int) -> NDArray[np.bool_]:
    result = np.zeros(count, bool)
    result[people[flags]] = True
    return result


def of_people(
    codes: Codes, missing: NDArray[np.bool_], people: Data, count: int
) -> tuple[Codes, NDArray[np.int64] | None, NDArray[np.bool_]]:
    """The distinct codes of each person; one code each needs no offsets."""
    if people is None:
        return np.ascontiguousarray(codes, np.int32), None, missing
    if len(people) == count:  # one row each
        order = np.argsort(people)
        return codes[order].astype(np.int32), None, missing[order]
    lacking = _any(missing, people, count)
    held = np.flatnonzero(codes >= 0)
    width = int(codes.max(initial=0)) + 1
    keys = distinct(people[held].astype(np.int64) * width + codes[held])
    owners, flat = np.divmod(keys, width)
    flat = flat.astype(np.int32)
    if len(owners) == count and (
        not count or (owners[-1] == count - 1 and (np.diff(owners) == 1).all())
    ):
        return flat, None, lacking
    return flat, np.searchsorted(owners, np.arange(count + 1)).astype(np.int64), lacking


def kernel_columns(columns: Sequence[Relational]) -> list[Column]:
    """All relational columns as the partitioners take them."""
    return [column.kernel() for column in columns]
