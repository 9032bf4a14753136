"""Tables of JSON lines on Spark: cells as they are written, in the columns of one machine.

Spark's own reader turns `36`, `1.50` and `1e2` into numbers, and sorts the columns by name. Classes
and places are drawn from the table's digest, so both engines must have the same cells.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ..core.errors import BadInput
from ..formats.table_lines import line_cells
from .spark import by_parts, quoted
from .spark_faults import not_readable
from .spark_files import read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .spark import SparkEngine
    from .values import Batch, Cells, Frame

LINE = "_sfumato_line"


def read_table(engine: SparkEngine, path: str, kind: str) -> Frame:
    """A table as one machine reads it: of JSON and CSV strings, of Parquet what is there."""
    if kind != "json":
        return read(engine, path, kind)
    lines = read(engine, path, "lines").withColumnRenamed("value", LINE)
    lines = engine.keep(lines)
    names, lists = _columns(engine, lines, path)
    kinds = [(name, "array<string>" if name in lists else "string") for name in names]
    fields = ", ".join(f"{quoted(name)} {what}" for name, what in kinds)
    if not kinds:
        raise BadInput("there is no row", where=path, remedy="give a table with rows")
    return by_parts(lines, lambda batches: _parsed(batches, names, lists), fields)


def _columns(engine: SparkEngine, lines: Frame, path: str) -> tuple[list[str], set[str]]:
    """The names of columns in the order in which they first stand, and those that hold lists."""
    functions = engine.functions
    placed = lines.withColumn("at", functions.monotonically_increasing_id())
    found = by_parts(placed, _met, "name string, at long, place int, list boolean, problem string")
    first = functions.min(functions.struct("at", "place")).alias("first")
    is_list = functions.max("list").alias("list")
    met = found.groupBy("name", "problem").agg(first, is_list).collect()
    problems = sorted(row.problem for row in met if row.problem is not None)
    if problems:
        if problems[0] == DAMAGED:
            raise not_readable(path)
        raise BadInput(problems[0], where=path, remedy="keep one of the two")
    ordered = sorted(met, key=lambda row: tuple(row.first))
    return [row.name for row in ordered], {row.name for row in ordered if row.list}


DAMAGED = "damaged"


def _met(batches: Iterable[Batch]) -> Iterator[Batch]:
    """Of every batch its keys, where each first stands, and whether it holds a list anywhere."""
    import pyarrow as pa

    for batch in batches:
        known: dict[str, list[Any]] = {}
        problem = None
        lines, places = batch.column(0).to_pylist(), batch.column(1).to_pylist()
        for line, at in zip(lines, places, strict=True):
            if not line.strip():
                continue
            try:
                cells = line_cells(line)
            except BadInput as refused:
                problem = refused.problem if "key" in refused.problem else DAMAGED
                break
            for place, (name, cell) in enumerate(cells.items()):
                one = known.setdefault(name, [at, place, False])
                one[2] |= isinstance(cell, list)
        rows: list[tuple[Any, ...]] = [(name, *one, None) for name, one in known.items()]
        if problem is not None:
            rows = [("", 0, 0, False, problem)]
        kinds = (pa.string(), pa.int64(), pa.int32(), pa.bool_(), pa.string())
        columns = zip(*rows, strict=True) if rows else [()] * 5
        arrays = [pa.array(one, type=kind) for one, kind in zip(columns, kinds, strict=True)]
        yield pa.RecordBatch.from_arrays(arrays, ["name", "at", "place", "list", "problem"])


def _parsed(batches: Iterable[Batch], names: list[str], lists: set[str]) -> Iterator[Batch]:
    """The cells of every line; where a column holds lists anywhere, all of its cells are lists."""
    import pyarrow as pa

    for batch in batches:
        columns: dict[str, Cells] = {name: [] for name in names}
        for line in batch.column(0).to_pylist():
            if not line.strip():
                continue
            cells = line_cells(line)
            for name, column in columns.items():
                cell = cells.get(name)
                if name in lists and cell is not None and not isinstance(cell, list):
                    cell = [cell]
                column.append(cell)
        arrays = [
            pa.array(column, type=pa.list_(pa.string()) if name in lists else pa.string())
            for name, column in columns.items()
        ]
        yield pa.RecordBatch.from_arrays(arrays, names)


def as_given(engine: SparkEngine, frame: Frame, path: str, kind: str) -> Frame:
    """The rows of a release with the kinds of values that its table's files have.

    A column of numbers, of true and false, or of lists of them stays one where all that is released
    of it is such a value, and reads the same when it is written by Spark; else it is strings.
    """
    if kind != "json":
        return frame
    given = {one.name: one.dataType for one in read(engine, path, kind).schema}
    held = dict(frame.dtypes)
    wanted = {
        name: given[name]
        for name in frame.columns
        if name in given and held[name] in ("string", "array<string>") and _is_plain(given[name])
    }
    if not wanted:
        return frame
    functions = engine.functions
    cells = {name: functions.col(quoted(name)) for name in frame.columns}
    typed = {name: cells[name].try_cast(one) for name, one in wanted.items()}
    differs = [
        functions.max(~one.cast(held[name]).eqNullSafe(cells[name])) for name, one in typed.items()
    ]
    unlike = dict(zip(typed, frame.agg(*differs).first(), strict=True))
    shown = {name: cells[name] if unlike.get(name, True) else typed[name] for name in cells}
    return frame.select(*(one.alias(name) for name, one in shown.items()))


def _is_plain(kind: Any) -> bool:
    """Whether values of this type of Spark are numbers, true or false, or lists of these."""
    said = json.loads(kind.json())
    said = said["elementType"] if isinstance(said, dict) and said["type"] == "array" else said
    return isinstance(said, str) and (said in ("long", "double", "boolean") or "decimal" in said)
