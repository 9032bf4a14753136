"""Documents worked on where they lie: a function of a batch of texts, the same for every verb."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from .spark import MARKS, MEASURED, by_parts, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ..core.values import JsonObject
    from .spark import SparkEngine
    from .values import Batch, Cells, Frame

    Columns = dict[str, Cells]
    Work = Callable[[Columns], tuple[Cells, list[str], JsonObject]]
    """Of a batch: its new texts, what was marked in each (JSON), and what was measured."""


def worked(
    engine: SparkEngine,
    frame: Frame,
    column: str,
    work: Work,
    reads: Sequence[str],
    drop: Sequence[str],
) -> Frame:
    """The frame with the texts of `column` as `work` makes them, kept; with marks and measures.

    `reads` are the columns that the work is given, `drop` those that leave the frame. What a batch
    measured stands in its first row.
    """
    kinds = dict(frame.dtypes)
    names, kept = list(frame.columns), [name for name in frame.columns if name not in drop]
    schema = ", ".join(f"{quoted(name)} {kinds[name]}" for name in kept)

    def through(batches: Iterable[Batch]) -> Iterator[Batch]:
        import pyarrow as pa

        for batch in batches:
            if not batch.num_rows:
                continue
            given = {name: batch.column(names.index(name)).to_pylist() for name in reads}
            try:
                texts, marks, measured = work(given)
            except BadInput as refused:  # its place is a number within the batch: not told
                told = {"problem": refused.problem, "remedy": refused.remedy}
                texts, marks, measured = given[column], [""] * batch.num_rows, told
            arrays = [
                pa.array(texts, type=pa.string())
                if name == column
                else batch.column(names.index(name))
                for name in kept
            ]
            first = [json.dumps(measured), *[None] * (batch.num_rows - 1)]
            beside = [pa.array(one, type=pa.string()) for one in (marks, first)]
            yield pa.RecordBatch.from_arrays([*arrays, *beside], names=[*kept, MARKS, MEASURED])

    return engine.keep(by_parts(frame, through, f"{schema}, {MARKS} string, {MEASURED} string"))


def measures(engine: SparkEngine, work: Frame, where: str = "texts") -> list[JsonObject]:
    """What every batch measured; what a batch was refused for is refused of the whole."""
    rows = work.where(engine.functions.col(MEASURED).isNotNull()).select(MEASURED).collect()
    found: list[JsonObject] = [json.loads(row[0]) for row in rows]
    for one in found:
        if "problem" in one:
            raise BadInput(one["problem"], where=where, remedy=one["remedy"])
    return found


def summed(found: Iterable[dict[str, float]]) -> dict[str, float]:
    """Numbers by name, added up.

    >>> summed([{"a": 1}, {"a": 2, "b": 0.5}])
    {'a': 3, 'b': 0.5}
    """
    totals: dict[str, float] = {}
    for one in found:
        for name, number in one.items():
            totals[name] = totals.get(name, 0) + number
    return totals


def released(work: Frame) -> Frame:
    """The frame that is released."""
    return work.drop(MARKS, MEASURED)
