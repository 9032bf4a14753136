"""What the order of the rows tells: a register is often sorted, and its release may still be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..core.errors import BadInput
from ..core.release import Release, Sides
from ..schema import as_schema
from ..schema.cells import bounds, numbers, readable
from ..schema.frames import as_polars
from .result import AttackResult

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.values import Data
    from ..schema import SchemaLike

    Numbers = NDArray[np.float64]


def order(original: Data, release: Data, schema: SchemaLike | None = None) -> AttackResult:
    """Supposes that the rows ascend or descend in a column of numbers, and intersects their ranges.

    In an ascending column a value is at least every lower bound before it and at most every upper
    bound after it. Where that contradicts itself the rows are in no such order, and tell nothing.
    Success is the share of the rows with a range whose exact number is found, in the column that
    gives most; the baseline guesses a number of the range. Cost: O(rows x columns).

    >>> import polars as pl
    >>> table = pl.DataFrame({"age": [20, 30, 30, 40]})
    >>> cells = pl.DataFrame({"age": ["[20-30]", "[30-40]", "[20-30]", "[30-40]"]})
    >>> order(table, cells, {"columns": {"age": {"kind": "number"}}}).success
    0.5
    """
    made = isinstance(release, Release)
    sides, data = (release.sides, release.data) if made else (Sides(), release)
    given = schema if sides.schema is None else sides.schema
    if given is None:
        raise BadInput("recoded cells need their schema", where="schema", remedy="give it")
    read, before, after = as_schema(given), as_polars(original), as_polars(data)
    rows = np.arange(before.height) if sides.rows is None else np.asarray(sides.rows, np.int64)
    if len(rows) != after.height:
        raise BadInput(f"expected {len(rows)} rows, found {after.height}", where="release")
    best, tried = (0, 0, 0.0), 0
    for name in read.relational:
        if read.columns[name].kind != "number" or name not in after.columns:
            continue
        tried += 1
        low, high = (one.to_numpy().astype(np.float64) for one in bounds(after[name]))
        told = readable(read.columns[name], before[name].gather(rows))
        truth = numbers(told).to_numpy().astype(np.float64)
        found = _found(low, high, truth)
        best = max(best, found, key=lambda one: (one[0] / max(one[1], 1), one[1]))
    right, ranges, guessed = best
    return AttackResult.of(
        "order",
        right,
        ranges,
        baseline=guessed,
        unit="row",
        background="that the rows are sorted by a column",
        detail={"columns": tried},
    )


def _found(low: Numbers, high: Numbers, truth: Numbers) -> tuple[int, int, float]:
    """Exact numbers found, rows with a range, and how often a guess within it is right."""
    known = ~(np.isnan(low) | np.isnan(high) | np.isnan(truth))
    low, high, truth = low[known], high[known], truth[known]
    wide = low < high
    if not wide.any():
        return 0, 0, 0.0
    values = np.unique(truth)
    inside = np.searchsorted(values, high, "right") - np.searchsorted(values, low)
    guessed = float((1 / np.maximum(inside[wide], 1)).mean())
    right = 0
    for least, most, true in ((low, high, truth), (low[::-1], high[::-1], truth[::-1])):
        at_least = np.maximum.accumulate(least)
        at_most = np.minimum.accumulate(most[::-1])[::-1]
        if (at_least <= at_most).all():
            exact = (at_least == at_most) & (at_least == true) & (least < most)
            right = max(right, int(exact.sum()))
    return right, int(wide.sum()), guessed
