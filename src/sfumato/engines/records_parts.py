"""Classes on Spark: parts are cut by counting, each is clustered by one task and recoded there."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ..core.errors import CannotBeMet
from ..core.printed_form import by_sizes
from ..kernels.records import People
from ..methods.records import parts as cutting
from ..methods.records.losses import losses
from ..methods.records.partition import numbered, partition_of
from ..methods.records.prepared_table import drawing, shared_items
from ..methods.records.recode import recode
from ..methods.records.sensitive import sensitive_columns
from ..methods.records.view import kernel_columns, of_people
from .records_codes import PERSON
from .spark import ID, quoted

if TYPE_CHECKING:
    from ..core.values import JsonObject
    from ..methods.records.options import Options
    from ..methods.records.view import Relational
    from ..schema import Schema
    from .records_codes import CodedTable
    from .spark import SparkEngine
    from .values import Cells, Frame, Session

PART = "_sfumato_part"
MEASURED, CLASS = "_sfumato_measured", "_sfumato_class"


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """What every task knows."""

    __repr__ = by_sizes

    schema: Schema
    columns: list[Relational]
    options: Options
    k: int
    count: int
    single: bool
    whole: bool
    """Whether all people are in one part: then they are partitioned as on one machine."""
    key: bytes
    purpose: bytes
    kinds: tuple[str, ...] = ()
    """The types of the recoded cells."""


def with_parts(engine: SparkEngine, table: CodedTable, k: int, most: int) -> Frame:
    """The rows with the part of their person: cut until none has more than `most` people."""
    functions = engine.functions
    people = engine.keep(_keys(engine, table).withColumn(PART, functions.lit(0)))
    scales = [cutting.Scale.of(column) for column in kernel_columns(table.columns)]
    whole: list[float] | None = None
    large, made = [0], 1
    while large:
        counted = _counted(functions, people, large, len(scales))
        if whole is None:
            whole = [
                0.0 if one is None or scale is None else one.width(scale)
                for one, scale in zip(counted[0], scales, strict=True)
            ]
        cuts: dict[int, tuple[int, int, int]] = {}
        sizes: dict[int, int] = {}
        for part in large:
            cut = cutting.cut_of(counted[part], whole, scales, k)
            if cut is not None:
                cuts[part] = (*cut, made)
                one = counted[part][cut[0]]
                assert one is not None
                right = int(one.counts[one.keys >= cut[1]].sum())
                sizes |= {made: right, part: int(one.counts.sum()) - right}
                made += 1
        people = _cut(functions, people, cuts, made)
        large = [part for part, size in sizes.items() if size > most]
    return table.rows.join(people.select(PERSON, PART), PERSON), made


def _keys(engine: SparkEngine, table: CodedTable) -> Frame:
    """The smallest and the largest code of each person, -1 where there is none."""
    functions = engine.functions
    ends = []
    for i, column in enumerate(table.columns):
        if column.described.kind == "set":
            continue
        code = functions.when(functions.col(f"c{i}") >= 0, functions.col(f"c{i}"))
        ends += [
            functions.coalesce(end(code), functions.lit(-1)).alias(f"{name}{i}")
            for end, name in ((functions.min, "l"), (functions.max, "h"))
        ]
    return table.rows.groupBy(PERSON).agg(functions.count("*").alias("n"), *ends)


def _counted(
    functions: Session, people: Frame, large: list[int], width: int
) -> dict[int, list[cutting.CodeCounts | None]]:
    """How often each code occurs in each of these parts."""
    known = [i for i in range(width) if f"l{i}" in people.columns]
    each = [
        functions.struct(
            functions.lit(i).alias("c"),
            functions.col(f"l{i}").alias("low"),
            functions.col(f"h{i}").alias("high"),
        )
        for i in known
    ]
    rows = []
    if each:
        rows = (
            people.where(functions.col(PART).isin(large))
            .select(PART, functions.explode(functions.array(*each)).alias("one"))
            .groupBy(PART, "one.c", "one.low")
            .agg(functions.count("*").alias("n"), functions.max("one.high").alias("high"))
            .collect()
        )
    found: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for part, c, low, n, high in rows:
        found.setdefault((part, c), []).append((low, n, high))
    result: dict[int, list[cutting.CodeCounts | None]] = {part: [None] * width for part in large}
    for (part, c), some in found.items():
        keys, counts, highs = np.array(sorted(some), np.int64).T
        result[part][c] = cutting.CodeCounts(keys, counts, int(highs.max()))
    return result


def _cut(
    functions: Session, people: Frame, cuts: dict[int, tuple[int, int, int]], made: int
) -> Frame:
    """The people with their new parts: at a cut those with larger keys go to the new one."""
    if not cuts:
        return people

    def table(place: int) -> Any:
        chosen = (cuts[i][place] if i in cuts else -1 for i in range(made))
        return functions.get(functions.array(*map(functions.lit, chosen)), functions.col(PART))

    columns = [int(name[1:]) for name in people.columns if name[0] == "l" and name[1:].isdigit()]
    key = functions.lit(None).cast("int")
    for c in columns:
        key = functions.when(table(0) == c, functions.col(f"l{c}")).otherwise(key)
    goes = key.isNotNull() & (key >= table(1))
    part = functions.when(goes, table(2)).otherwise(functions.col(PART))
    return people.withColumn(PART, part).localCheckpoint()


def classed(
    engine: SparkEngine, table: CodedTable, task: Task, most: int
) -> tuple[Any, list[JsonObject]]:
    """The released rows: number, person, class and cells; and what every part measured."""
    functions = engine.functions
    rows, made = table.rows.withColumn(PART, functions.lit(0)), 1
    if not task.whole:
        rows, made = with_parts(engine, table, task.k, most)
    beside = [name for name in _raw(task) if name not in rows.columns]
    if beside:
        cells = [functions.col(quoted(name)) for name in beside]
        rows = rows.join(table.whole.select(ID, *cells), ID)
    fields = [f"{ID} long", f"{PERSON} long", f"{CLASS} int"]
    task = replace(task, kinds=tuple(_kind(one, table.whole) for one in task.columns))
    fields += [f"n{i} {kind}" for i, kind in enumerate(task.kinds)]
    sent = engine.session.sparkContext.broadcast(task)
    work = (
        rows.repartition(max(1, made), PART)
        .groupBy(PART)
        .applyInArrow(
            lambda part: _part(part, sent.value), ", ".join([*fields, f"{MEASURED} string"])
        )
        .persist()
    )
    found = [
        json.loads(row[0])
        for row in work.where(functions.col(MEASURED).isNotNull()).select(MEASURED).collect()
    ]
    for one in found:
        if "problem" in one:
            raise CannotBeMet(one["problem"], where=one["where"], remedy=one["remedy"])
    return work.where(functions.col(ID) >= 0).drop(MEASURED), found


def _raw(task: Task) -> list[str]:
    """The columns that a task needs as they are: sets, and sensitive ones where they count."""
    sets = [one.name for one in task.columns if one.described.kind == "set"]
    return [*sets, *(task.schema.named("sensitive") if task.options.by_values else [])]


def _kind(column: Relational, whole: Frame) -> str:
    if column.described.kind == "set":
        return str(dict(whole.dtypes)[column.name])
    mean = column.described.kind == "number" and column.described.recode == "mean"
    return "double" if mean and column.tree is None else "string"


def _part(given: Any, task: Task) -> Any:
    """The classes of one part, and its cells."""
    import pyarrow as pa

    frame = pl.from_arrow(given)
    assert isinstance(frame, pl.DataFrame)
    frame = frame.sort(ID)
    people, owners = np.unique(frame[PERSON].to_numpy(), return_inverse=True)
    columns = [_column(frame, i, one, owners, people, task) for i, one in enumerate(task.columns)]
    sensitive: Cells = []
    if task.options.by_values:
        for name in task.schema.named("sensitive"):
            described = task.schema.columns[name]
            mine = owners.astype(np.int32)
            sensitive += sensitive_columns(frame, name, described, mine, task.options.demanded)
    table = People(len(people), kernel_columns(columns), sensitive)
    if not table.satisfied(np.arange(table.count, dtype=np.uint32), task.k):
        return _refused(task)
    if task.whole:
        draw = drawing(task.key, task.purpose)
        partition, sizes = partition_of(table, task.k, task.options, None, draw)
    else:
        partition, sizes = numbered(cutting.clustered(table, task.k, task.options, task.count))
    classes = partition.classes
    kept = np.flatnonzero(classes[owners] >= 0)
    arrays: JsonObject = {
        ID: frame[ID].gather(kept),
        PERSON: frame[PERSON].gather(kept),
        CLASS: pl.Series(classes[owners[kept]], dtype=pl.Int32),
    }
    recoded = [recode(column, classes, len(sizes)) for column in columns]
    items: JsonObject = {}
    for i, (column, one) in enumerate(zip(columns, recoded, strict=True)):
        if column.described.kind == "set":
            before = frame[column.name].gather(kept)
            after, items[column.name] = shared_items(
                column, one, before, owners[kept].astype(np.int32), classes, len(people)
            )
            arrays[f"n{i}"] = after
        else:
            arrays[f"n{i}"] = one.cells.gather(classes[owners[kept]])
    told = losses(partition, sizes, columns, recoded, items, None, None)
    measured = {
        "people": int(sizes.sum()),
        "all": len(people),
        "classes": len(sizes),
        "squares": int((sizes**2).sum()),
        "loss": {name: value for name, value in told.items() if name.startswith("NCP_A")},
        "splits": [partition.relational, partition.textual],
    }
    arrays[MEASURED] = pl.Series([json.dumps(measured), *[None] * (len(kept) - 1)], dtype=pl.String)
    return pa.table({name: _plain(one) for name, one in arrays.items()})


def _plain(series: pl.Series) -> Any:
    import pyarrow as pa

    values = series.to_arrow()
    if pa.types.is_large_string(values.type):
        return values.cast(pa.string())
    if pa.types.is_string_view(values.type):
        return values.cast(pa.string())
    if pa.types.is_large_list(values.type):
        return values.cast(pa.list_(pa.string()))
    return values


def _refused(task: Task) -> Any:
    """One row that says why there are no classes."""
    import pyarrow as pa

    asked = "l" if task.options.demanded.l is not None else "t"
    problem = {
        "problem": "even all people together are not "
        + ("l-diverse as demanded" if asked == "l" else "t-close as demanded"),
        "where": asked,
        "remedy": "demand less of the sensitive columns",
    }
    row: JsonObject = {
        ID: pa.array([-1], pa.int64()),
        PERSON: pa.array([-1], pa.int64()),
        CLASS: pa.array([-1], pa.int32()),
    }
    types = {"string": pa.string(), "double": pa.float64()}
    for i, kind in enumerate(task.kinds):
        row[f"n{i}"] = pa.array([None], types.get(kind, pa.list_(pa.string())))
    return pa.table({**row, MEASURED: pa.array([json.dumps(problem)], pa.string())})


def _column(
    frame: pl.DataFrame,
    i: int,
    known: Relational,
    owners: Any,
    people: Any,
    task: Task,
) -> Relational:
    """A quasi-identifier of the people of a part."""
    count, whose = len(people), None if task.single else owners
    if known.described.kind == "set":
        lists = frame[f"c{i}"]
        items = lists.explode().drop_nulls().to_numpy().astype(np.int64)
        mine = np.repeat(owners, lists.list.len().fill_null(0).to_numpy())
        width = max(len(known.labels), 1)
        keys = np.unique(mine * width + items) if len(items) else np.zeros(0, np.int64)
        holders, held = np.divmod(keys, width)
        offsets = np.searchsorted(holders, np.arange(count + 1)).astype(np.int64)
        return replace(
            known, codes=held.astype(np.int32), offsets=offsets, missing=np.zeros(count, bool)
        )
    codes = frame[f"c{i}"].to_numpy().astype(np.int32)
    missing = codes < 0
    if known.has_missing_code:
        missing = codes == len(known.labels) - 1
        flat, at, _ = of_people(codes, np.zeros(len(codes), bool), whose, count)
        lacking = missing
        if whose is not None:
            lacking = np.zeros(count, bool)
            lacking[owners[missing]] = True
        return replace(known, codes=flat, offsets=at, missing=lacking)
    flat, at, lacking = of_people(codes, missing, whose, count)
    return replace(known, codes=flat, offsets=at, missing=lacking)
