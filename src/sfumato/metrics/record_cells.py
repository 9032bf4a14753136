"""What a recoded cell loses, read from its own text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ..schema.cells import MISSING, bounds, numbers
from ..schema.days import days

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..schema import Column, Tree

ALL = "*"  # a cell that says nothing at all


def cell_losses(column: Column, values: pl.Series, cells: pl.Series) -> NDArray[np.float64]:
    """What each of some distinct cells loses; `values` are all that the original has.

    NCP_num is the cell's width in relation to that of all values, NCP_cat the share of all values
    it stands for, 0 when it is one; a cell mixed with missing values tells nothing of a number.
    """
    mixed = cells.str.ends_with(MISSING).fill_null(False).to_numpy()
    core = cells.str.strip_suffix(MISSING)
    tree = None
    if column.hierarchy is not None:
        tree = column.tree(values.cast(pl.String).drop_nulls().unique().to_list())
    if tree is not None:
        losses, known = _node_losses(tree, core)
    else:
        losses, known = np.zeros(len(core)), np.zeros(len(core), bool)
    if not known.all():
        rest = _plain_losses(column, values, core, mixed)
        losses = np.where(known, losses, rest)
    if column.kind != "category" or tree is not None:
        losses = np.where(mixed, 1.0, losses)
    empty = core.is_null().to_numpy()
    return np.where((core == ALL).fill_null(False).to_numpy(), 1.0, np.where(empty, 0.0, losses))


def _node_losses(tree: Tree, cells: pl.Series) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    labels = cells.to_list()
    nodes = tree.find_labels(labels)
    is_value = tree.find(labels) == nodes
    inner = tree.ends[nodes] > nodes + 1
    return np.where(is_value & ~inner, 0.0, tree.counts[nodes] / tree.size), nodes >= 0


def _plain_losses(
    column: Column, values: pl.Series, cells: pl.Series, mixed: NDArray[np.bool_]
) -> NDArray[np.float64]:
    if column.kind == "number":
        given = numbers(values)
        low, high = bounds(cells)
        top, bottom = (float(one or 0) for one in (given.max(), given.min()))  # type: ignore[arg-type]
        span = top - bottom
        width = high.clip(upper_bound=top) - low.clip(lower_bound=bottom)
        losses = (width / span if span else width * 0.0).fill_null(0.0)
        return losses.to_numpy().astype(np.float64)
    if column.kind == "date":
        return _date_losses(column, values, cells)
    if column.kind == "ordered":
        return _ordered_losses(column.order or [], cells)
    return _set_losses(values, cells, mixed)


def _date_losses(column: Column, values: pl.Series, cells: pl.Series) -> NDArray[np.float64]:
    """The share of the original's distinct dates below a month, a year or a range of years."""
    dates = days(values, column.format, unreadable="missing").drop_nulls().unique().sort()
    stamps = dates.dt.strftime("%Y-%m-%d").to_list()
    losses = []
    for cell in cells.to_list():
        low, high = _ends(cell)
        below = int(np.searchsorted(stamps, high, "right") - np.searchsorted(stamps, low))
        losses.append(below / len(stamps) if low != high and stamps else 0.0)
    return np.array(losses, np.float64)


def _ends(cell: str | None) -> tuple[str, str]:
    """The first and last day that a generalised date may mean; equal for one day."""
    text = (cell or "").strip("[]")
    low, _, high = text.partition("-")
    if len(text) == 4 and text.isdigit():
        return f"{text}-01-01", f"{text}-12-31"
    if len(text) == 7 and low.isdigit() and high.isdigit():
        return f"{text}-01", f"{text}-31"
    if cell and cell.startswith("[") and low.isdigit() and high.isdigit():
        return f"{low}-01-01", f"{high}-12-31"
    return "", ""


def _ordered_losses(order: list[str], cells: pl.Series) -> NDArray[np.float64]:
    width = max(len(order) - 1, 1)
    known = {
        f"[{low}-{high}]": (b - a) / width
        for a, low in enumerate(order)
        for b, high in enumerate(order)
        if a < b
    }
    return np.array([known.get(cell or "", 0.0) for cell in cells.to_list()], np.float64)


def _set_losses(
    values: pl.Series, cells: pl.Series, mixed: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """The number of values a cell names; missing ones are a value of their own."""
    known = set(values.cast(pl.String).drop_nulls().unique().to_list())
    size = len(known) + bool(values.null_count())
    named = np.array([_named(cell, known) for cell in cells.to_list()]) + mixed
    return np.where(named < 2, 0.0, named / max(size, 1))


def _named(cell: str | None, known: set[str]) -> int:
    """How many values `(a,b)` names; values that hold commas are put together again."""
    if cell is None or cell in known or not (cell.startswith("(") and cell.endswith(")")):
        return 0 if cell is None else 1
    parts, count, at = cell[1:-1].split(","), 0, 0
    while at < len(parts):
        stop = next(
            (end for end in range(at + 1, len(parts) + 1) if ",".join(parts[at:end]) in known),
            at + 1,
        )
        count, at = count + 1, stop
    return count
