"""Parts of a large table, in which classes are formed: cut as Mondrian cuts, by counting.

Which column is cut, and where, follows from how often each code occurs in a part: so it can be
found where nobody sees all people, and is the same (docs/scale.md). A part of more than `PART`
people is cut at the exact median of the column that is widest in it; terms and sets are not cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...core.printed_form import by_sizes
from ...kernels.records import NumberColumn, Partition, TermColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from ...kernels.records import Column, People
    from .options import Options

    Step = Callable[[float], None] | None
    Ints = NDArray[np.int64]

PART = 100_000
"""People of a part; tables up to this size are one part."""


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """What the codes of a column mean for its width: numbers, or how many differ."""

    values: NDArray[np.float64] | None
    weight: float = 0.0

    __repr__ = by_sizes

    @classmethod
    def of(cls, column: Column) -> Scale | None:
        """Of a column that parts are cut on; None for terms and sets."""
        if isinstance(column, TermColumn):
            return None
        return cls(column.values if isinstance(column, NumberColumn) else None, column.weight)


@dataclass(frozen=True, slots=True, eq=False)
class CodeCounts:
    """How many people of a part have each smallest code (-1: none), and the largest code."""

    keys: Ints
    counts: Ints
    highest: int

    __repr__ = by_sizes

    def width(self, scale: Scale) -> float:
        """How wide a column is among the people."""
        held = self.keys[self.keys >= 0]
        if scale.values is None:
            return float(len(held))
        if not len(held):
            return 0.0
        return float(scale.values[self.highest] - scale.values[held[0]])

    def border(self, k: int) -> int | None:
        """People with a smaller key go left: at the median, or above it; None: neither leaves k.

        >>> CodeCounts(np.array([0, 3, 7]), np.array([2, 2, 1]), 7).border(2)
        3
        """
        below = np.cumsum(self.counts)
        median = int(self.keys[np.searchsorted(below, below[-1] // 2, "right")])
        for border in (median, median + 1):
            left = int(self.counts[self.keys < border].sum())
            if k <= left <= int(below[-1]) - k:
                return border
        return None


def cut_of(
    part: Sequence[CodeCounts | None],
    whole: Sequence[float],
    scales: Sequence[Scale | None],
    k: int,
) -> tuple[int, int] | None:
    """The column that a part is cut on, and its border; None where no cut leaves k."""
    ranked = []
    for c, (counted, scale) in enumerate(zip(part, scales, strict=True)):
        if counted is not None and scale is not None:
            share = counted.width(scale) / whole[c] if whole[c] > 0 else 0.0
            ranked.append((-(share / 2 + scale.weight), c, counted))
    for _, c, counted in sorted(ranked, key=lambda one: one[:2]):
        border = counted.border(k)
        if border is not None:
            return c, border
    return None


def keys_of(column: Column) -> tuple[NDArray[np.int32], NDArray[np.int32]] | None:
    """The smallest and the largest code of each person, -1 without any; None for terms and sets."""
    if isinstance(column, TermColumn):
        return None
    if isinstance(column, NumberColumn):
        return column.low, column.high
    if column.offsets is None:
        return column.codes, column.codes
    low = np.full(len(column.offsets) - 1, -1, np.int32)
    high = low.copy()
    full = np.diff(column.offsets) > 0
    low[full] = column.codes[column.offsets[:-1][full]]
    high[full] = column.codes[column.offsets[1:][full] - 1]
    return low, high


def parts_of(table: People, k: int, most: int | None = None) -> list[Ints]:
    """The people of every part, ascending. Cost: O(people x columns) for each halving."""
    most = PART if most is None else most
    keys = [keys_of(column) for column in table.columns]
    scales = [Scale.of(column) for column in table.columns]

    def counted(members: Ints) -> list[CodeCounts | None]:
        found: list[CodeCounts | None] = []
        for one in keys:
            if one is None:
                found.append(None)
                continue
            low, high = one[0][members], one[1][members]
            values, counts = np.unique(low, return_counts=True)
            found.append(CodeCounts(values.astype(np.int64), counts, int(high.max())))
        return found

    everybody = np.arange(table.count)
    first = counted(everybody)
    whole = [
        0.0 if one is None or scale is None else one.width(scale)
        for one, scale in zip(first, scales, strict=True)
    ]
    done, waiting = [], [everybody]
    while waiting:
        members = waiting.pop()
        cut = cut_of(counted(members), whole, scales, k) if len(members) > most else None
        if cut is None:
            done.append(members)
            continue
        one = keys[cut[0]]
        assert one is not None
        left = one[0][members] < cut[1]
        waiting += [members[~left], members[left]]
    return done


def clustered(table: People, k: int, options: Options, of: int, step: Step = None) -> Partition:
    """The classes of one part of a table of so many people."""
    weight = options.relational_weight
    formed = table.clusters(k, weight, options.block, None if step is None else _first(step))
    return table.improved(
        formed, k, weight, options.effort, None if step is None else _rest(step), of
    )


def in_parts(count: int, options: Options) -> bool:
    """Whether the classes of so many people are formed in parts.

    What l and t demand is asked of all people, and Mondrian as printed, or on terms alone, cuts by
    its own rule from the first cut on.
    """
    if count <= PART or options.by_values:
        return False
    if options.partitioner == "mondrian":
        return options.cuts != "printed" and options.relational_weight > 0
    return options.partitioner == "clusters"


def formed(table: People, k: int, options: Options, of: int, step: Step = None) -> Partition:
    """The classes of one part of a table of so many people, as its partitioner forms them."""
    if options.partitioner == "mondrian":
        return table.mondrian(k, options.relational_weight, False, step)
    if options.partitioner == "gdf":
        return table.gdf(k, step)
    return clustered(table, k, options, of, step)


def formed_in_parts(table: People, k: int, options: Options, step: Step = None) -> Partition:
    """The classes of a large table, part by part."""
    classes = np.full(table.count, -1, np.int32)
    next_class = relational = textual = 0
    parts = parts_of(table, k)
    for number, members in enumerate(parts):
        made = formed(table.among(members), k, options, table.count)
        classes[members] = made.classes + next_class
        next_class += int(made.classes.max()) + 1
        relational, textual = relational + made.relational, textual + made.textual
        if step is not None:
            step((number + 1) / len(parts))
    return Partition(classes, relational + len(parts) - 1, textual)


def _first(step: Callable[[float], None]) -> Callable[[float], None]:
    return lambda share: step(0.3 * share)


def _rest(step: Callable[[float], None]) -> Callable[[float], None]:
    return lambda share: step(0.3 + 0.7 * share)
