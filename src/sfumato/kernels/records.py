"""Partitions of people into equivalence classes: Mondrian, document frequency, clusters."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from . import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

Diversity = Literal["distinct", "entropy", "recursive"]
Effort = Literal["quick", "default", "thorough"]
# Steps of the local search: for each person, and at most.
STEPS = {"quick": (0, 0), "default": (3_000, 400_000_000), "thorough": (50_000, 6_000_000_000)}
# People among whom classes are dealt: each looks at every class.
MOST_DEALT = 150_000
# Pairs of people looked at for the lower bound of the loss.
PAIRS = 100_000_000
# People of a block that clusters are formed in: with terms, and without.
BLOCK, RELATIONAL_BLOCK = 20_000, 350


def _none() -> NDArray[np.int32]:
    import numpy as np

    return np.zeros(0, np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class NumberColumn:
    """Numbers or dates: ranks of each person's smallest and largest value (-1: missing)."""

    low: NDArray[np.int32]
    high: NDArray[np.int32]
    values: NDArray[np.float64]
    textual: bool = False
    weight: float = 0.0
    tree: CodeTree | None = None
    calendar: Calendar | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Calendar:
    """The month (counted over all years) and the year of every rank of a date, ascending."""

    months: NDArray[np.int32]
    years: NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class CodeTree:
    """A hierarchy over codes that ascend with their nodes; below v stand v + 1 .. ends[v] - 1."""

    nodes: NDArray[np.int32]
    parents: NDArray[np.int32]
    ends: NDArray[np.int32]
    leaves: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class CategoryColumn:
    """Categories: one code a person, or ascending codes in compressed rows."""

    codes: NDArray[np.int32]
    distinct: int
    offsets: NDArray[np.int64] | None = None
    textual: bool = False
    weight: float = 0.0
    tree: CodeTree | None = None


@dataclass(frozen=True, slots=True, eq=False)
class TermColumn:
    """Set-valued: the terms of one text column and entity type, ascending, in compressed rows."""

    codes: NDArray[np.int32]
    distinct: int
    offsets: NDArray[np.int64]
    textual: bool = True
    weight: float = 0.0


Column = NumberColumn | CategoryColumn | TermColumn


@dataclass(frozen=True, slots=True, eq=False)
class Sensitive:
    """A sensitive column, one code a person in the order of the values, and what it demands.

    With `missing` code 0 means that a person has no value: it counts for t, never for l. Where
    people have several values, code i stands for `values[offsets[i]:offsets[i + 1]]`.
    """

    codes: NDArray[np.int32]
    distinct: int
    ordered: bool = False
    diversity: Diversity | None = None
    l: float = 1.0  # noqa: E741 - the paper's letter
    c: float = 1.0
    t: float | None = None
    missing: bool = False
    offsets: NDArray[np.int64] | None = None
    values: NDArray[np.int32] = field(default_factory=_none)


@dataclass(frozen=True, slots=True, eq=False)
class Partition:
    """The class of every person (-1: suppressed), and on which columns was split."""

    classes: NDArray[np.int32]
    relational: int = 0
    textual: int = 0


class People:
    """People as rows of integer codes, with what their classes must satisfy.

    >>> import numpy as np
    >>> ages = NumberColumn(*[np.array([0, 0, 1, 2], np.int32)] * 2, np.array([20.0, 30, 40]))
    >>> People(4, [ages]).mondrian(2, 1.0).classes
    array([0, 0, 1, 1], dtype=int32)
    """

    def __init__(self, count: int, columns: Sequence[Column], sensitive: Sequence[Sensitive] = ()):
        self.count = count
        self.columns, self.sensitive = tuple(columns), tuple(sensitive)
        self._table = _core.PeopleTable(count)
        has_terms = any(isinstance(column, TermColumn) for column in columns)
        self._block = BLOCK if has_terms else RELATIONAL_BLOCK
        for column in columns:
            _add(self._table, column)
        for one in sensitive:
            self._table.sensitive(
                one.codes,
                one.distinct,
                one.ordered,
                one.diversity or "none",
                one.l,
                one.c,
                -1.0 if one.t is None else one.t,
                one.missing,
                one.offsets,
                one.values,
            )

    def mondrian(
        self,
        k: int,
        weight: float,
        printed: bool = False,
        progress: Callable[[float], None] | None = None,
    ) -> Partition:
        """Modified Mondrian with the weight lambda; as printed, or trying every column and cut.

        Paper: Algorithm 1. Cost: O((codes + people x columns) log(people / k)).
        """
        return _partition(_core.mondrian(self._table, k, weight, printed, progress))

    def gdf(self, k: int, progress: Callable[[float], None] | None = None) -> Partition:
        """Cuts on the most frequent term that leaves k on both sides.

        Paper: Algorithm 2. Cost: O(terms log people + cuts x distinct terms).
        """
        return _partition(_core.gdf(self._table, k, progress))

    def clusters(
        self,
        k: int,
        weight: float,
        block: int | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> Partition:
        """Greedy k-member clustering by the growth of the loss, within blocks of Mondrian's.

        Paper: section 8, future work; Byun et al. 2007. Cost: O(people x block x columns).
        """
        return _partition(
            _core.clusters(self._table, k, weight, max(block or self._block, 2 * k), progress)
        )

    def loss(self, partition: Partition, k: int, weight: float) -> float:
        """What all classes lose together, as partitioners count it."""
        return _core.loss_of(self._table, partition.classes, k, weight)

    def improved(
        self,
        partition: Partition,
        k: int,
        weight: float,
        effort: Effort = "default",
        progress: Callable[[float], None] | None = None,
        of: int | None = None,
    ) -> Partition:
        """Local search: classes exchange people as long as all lose less by it.

        Moves, swaps, dissolved, split and newly formed classes; `thorough` also leaves local
        optima. The same classes whatever the machine: the work is counted in steps. A part `of` so
        many people has its share of them.
        Cost: O(people) steps, each a class looked at for a person; at most `STEPS`.
        """
        each, most = STEPS[effort]
        steps = min(each * self.count, most * self.count // max(of or self.count, 1))
        if not steps:
            return partition
        thorough = effort == "thorough"
        classes = _core.improved(
            self._table, partition.classes, k, weight, steps, thorough, progress
        )
        return Partition(np.asarray(classes, np.int32), partition.relational, partition.textual)

    def least_loss(self, partition: Partition, k: int, weight: float) -> NDArray[np.float64]:
        """What each person loses at least, whatever the classes of k; all people have one here.

        A person loses at least what she would in a pair with the (k - 1)-th nearest other one.
        Cost: O(people squared) at worst, up to `PAIRS`: people not reached are bounded by 0.
        """
        bounds = _core.least_loss(self._table, partition.classes, k, weight, PAIRS, None)
        return np.asarray(bounds, np.float64)

    def without_outliers(
        self,
        partition: Partition,
        k: int,
        weight: float,
        most: int,
        progress: Callable[[float], None] | None = None,
    ) -> Partition:
        """Suppresses up to `most` people without whom the others of their class lose least."""
        made = _core.outliers(self._table, partition.classes, k, weight, most, progress)
        return Partition(np.asarray(made[0], np.int32), partition.relational, partition.textual)

    def among(self, members: NDArray[np.int64]) -> People:
        """These people alone: what their classes must satisfy is judged by them.

        Cost: O(codes).
        """
        columns = [rows_of_column(column, members) for column in self.columns]
        return People(len(members), columns, [_rows_of(one, members) for one in self.sensitive])

    def satisfied(self, members: NDArray[np.uint32], k: int) -> bool:
        """Whether these people may be a class."""
        return _core.demands_hold(self._table, members, k)

    def hold(self, classes: NDArray[np.int32], k: int) -> bool:
        """Whether every class may be one. Cost: O(people)."""
        return _core.classes_hold(self._table, classes, k)


def _partition(made: tuple[object, int, int]) -> Partition:
    classes, relational, textual = made
    return Partition(np.asarray(classes, np.int32), relational, textual)


def rows_of_column(column: Column, members: NDArray[np.int64]) -> Column:
    """A column of some people alone."""
    if isinstance(column, NumberColumn):
        return replace(column, low=column.low[members], high=column.high[members])
    if column.offsets is None:
        return replace(column, codes=column.codes[members])
    codes, offsets = rows_of_sets(column.codes, column.offsets, members)
    return replace(column, codes=codes, offsets=offsets)


def rows_of_sets(
    codes: NDArray[np.int32], offsets: NDArray[np.int64], members: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Compressed rows of some people alone, in their order."""
    sizes = np.diff(offsets)[members]
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    # Where each row began, and how far into its row each code stands.
    places = np.repeat(offsets[members] - starts[:-1], sizes) + np.arange(starts[-1])
    return codes[places], starts


def _rows_of(sensitive: Sensitive, members: NDArray[np.int64]) -> Sensitive:
    """Values that nobody has any more count no more: the ordered distance goes by their number."""
    import numpy as np

    seen, codes = np.unique(sensitive.codes[members], return_inverse=True)
    missing = sensitive.missing and len(seen) > 0 and int(seen[0]) == 0
    offsets, values = sensitive.offsets, sensitive.values
    if offsets is not None:
        sets = [values[offsets[code] : offsets[code + 1]] for code in seen.tolist()]
        offsets = np.cumsum([0, *map(len, sets)]).astype(np.int64)
        values = np.concatenate([values[:0], *sets])
    return replace(
        sensitive,
        codes=codes.astype(np.int32),
        distinct=len(seen),
        missing=missing,
        offsets=offsets,
        values=values,
    )


def _add(table: _core.PeopleTable, column: Column) -> None:
    if isinstance(column, NumberColumn):
        table.number(column.low, column.high, column.values, column.textual, column.weight)
        _add_tree(table, column.tree)
        if column.calendar is not None:
            table.calendar(column.calendar.months, column.calendar.years)
    elif isinstance(column, CategoryColumn):
        table.category(column.offsets, column.codes, column.distinct, column.textual, column.weight)
        _add_tree(table, column.tree)
    else:
        table.terms(column.offsets, column.codes, column.distinct, column.textual, column.weight)


def _add_tree(table: _core.PeopleTable, tree: CodeTree | None) -> None:
    if tree is not None:
        table.hierarchy(tree.nodes, tree.parents, tree.ends, tree.leaves)
