"""Classes on Spark: parts are cut by counting, each is clustered by one task and recoded there."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ..core.errors import CannotBeMet
from ..core.printed_form import by_sizes
from ..kernels.records import People
from ..methods.records import parts as cutting
from ..methods.records.losses import losses
from ..methods.records.order import RowKeys, by_values
from ..methods.records.partition import numbered
from ..methods.records.prepared_table import PreparedTable, drawing, shared_items
from ..methods.records.recode import recode
from ..methods.records.rewrite import fates
from ..methods.records.sensitive import sensitive_columns
from ..methods.records.view import kernel_columns
from ..ontologies import wordnet
from .records_codes import PERSON, of_part
from .records_cuts import PART, with_parts, with_term_parts
from .records_terms import with_items
from .records_texts import CLASS, FATE, PartTerms, told_fates
from .spark import ID, by_groups, quoted, settled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.values import JsonObject
    from ..kernels.records import Partition
    from ..methods.records.options import Options
    from ..methods.records.recode import RecodedColumn
    from ..methods.records.rewrite import Fates
    from ..methods.records.view import Relational
    from ..schema import Schema
    from .records_codes import CodedTable
    from .records_terms import FoundTerms, TermNumbers
    from .spark import SparkEngine
    from .values import Batch, Cells, Frame

MEASURED = "_sfumato_measured"


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """What every task knows."""

    __repr__ = by_sizes

    schema: Schema
    columns: list[Relational]
    options: Options
    k: int
    count: int
    whole: bool
    """Whether all people are in one part: then they are partitioned as on one machine."""
    key: bytes
    purpose: bytes
    kinds: tuple[str, ...] = ()
    """The types of the recoded cells."""
    terms: TermNumbers | None = None
    """How the terms of texts are numbered, where there are texts."""
    generalizes: bool = False
    """Whether terms are generalised: every worker reads WordNet, which is not sent."""


def classed(
    engine: SparkEngine, table: CodedTable, task: Task, most: int, found: FoundTerms | None = None
) -> tuple[Frame, list[JsonObject]]:
    """The released rows: number, person, class and cells; and what every part measured."""
    functions = engine.functions
    rows, made = table.rows.withColumn(PART, functions.lit(0)), 1
    if not task.whole and task.options.partitioner == "gdf":
        rows, made = with_term_parts(engine, table, task.k, most, found)
    elif not task.whole:
        rows, made = with_parts(engine, table, task.k, most)
    beside = [name for name in _raw(task) if name not in rows.columns]
    if beside:
        cells = [functions.col(quoted(name)) for name in beside]
        rows = rows.join(table.whole.select(ID, *cells), ID)
    fields = [f"{ID} long", f"{PERSON} long", f"{CLASS} long"]
    task = replace(task, kinds=tuple(_kind(one, table.whole) for one in task.columns))
    fields += [f"n{i} {kind}" for i, kind in enumerate(task.kinds)]
    if found is not None:
        rows = with_items(engine, rows, found)
        task = replace(task, terms=found.numbers)
        fields.append(f"{FATE} string")
    sent = engine.session.sparkContext.broadcast(task)
    work = engine.settle(
        by_groups(
            rows.repartition(max(1, made), PART).groupBy(PART),
            lambda part: _part(part, sent.value),
            ", ".join([*fields, f"{MEASURED} string"]),
        )
    )
    told = [
        json.loads(row[0])
        for row in work.where(functions.col(MEASURED).isNotNull()).select(MEASURED).collect()
    ]
    for one in told:
        if "problem" in one:
            raise CannotBeMet(one["problem"], where=one["where"], remedy=one["remedy"])
    return work.where(functions.col(ID) >= 0).drop(MEASURED), told


def _raw(task: Task) -> list[str]:
    """The columns that a task needs as they are: sets, and sensitive ones where they count."""
    sets = [one.name for one in task.columns if one.described.kind == "set"]
    return [*sets, *(task.schema.named("sensitive") if task.options.by_values else [])]


def _kind(column: Relational, whole: Frame) -> str:
    if column.described.kind == "set":
        return str(dict(whole.dtypes)[column.name])
    mean = column.described.kind == "number" and column.described.recode == "mean"
    return "double" if mean and column.tree is None else "string"


def _part(given: Batch, task: Task) -> Batch:
    """The classes of one part, and its cells."""
    import pyarrow as pa

    settled()
    frame = pl.from_arrow(given)
    assert isinstance(frame, pl.DataFrame)
    frame = frame.sort(ID)
    people, first, inverse = np.unique(
        frame[PERSON].to_numpy(), return_index=True, return_inverse=True
    )
    owners: NDArray[np.int32] = inverse.astype(np.int32)
    columns = [of_part(frame, i, one, owners, len(people)) for i, one in enumerate(task.columns)]
    held = None if task.terms is None else PartTerms.of(frame, owners, task.terms)
    order, alike = by_values(columns, None if held is None else held.terms, len(people))
    owners, first = np.argsort(order)[owners].astype(np.int32), first[order]
    columns = [one.of(order) for one in columns]
    held = None if task.terms is None else PartTerms.of(frame, owners, task.terms)
    try:
        partition, sizes, recoded, found = _formed(frame, owners, alike, columns, held, task)
    except CannotBeMet as refused:
        return _refused(task, refused)
    classes = partition.classes
    kept = np.flatnonzero(classes[owners] >= 0)
    arrays: JsonObject = {
        ID: frame[ID].gather(kept),
        PERSON: frame[PERSON].gather(kept),
        CLASS: pl.Series(classes[owners[kept]].astype(np.int64) + (int(frame[PART][0]) << 32)),
    }
    items: JsonObject = {}
    for i, (column, one) in enumerate(zip(columns, recoded, strict=True)):
        if column.described.kind == "set":
            before = frame[column.name].gather(kept)
            arrays[f"n{i}"], items[column.name] = shared_items(
                column, one, before, owners[kept], classes, len(people)
            )
        else:
            arrays[f"n{i}"] = one.cells.gather(classes[owners[kept]])
    if held is not None:
        assert found is not None
        widths = [max(len(column.labels), 1) for column in columns]
        told: list[str | None] = [None] * frame.height
        for row, fate in zip(
            first.tolist(), told_fates(held, found, recoded, widths, classes), strict=True
        ):
            told[row] = fate
        arrays[FATE] = pl.Series(told, dtype=pl.String).gather(kept)
    terms = None if held is None else held.terms
    lost = losses(partition, sizes, columns, recoded, items, terms, found)
    measured = {
        "people": int(sizes.sum()),
        "all": len(people),
        "classes": len(sizes),
        "squares": int((sizes**2).sum()),
        "loss": {name: value for name, value in lost.items() if name.startswith("NCP_")},
        "owners": {} if held is None else held.owners(classes >= 0),
        "splits": [partition.relational, partition.textual],
    }
    arrays[MEASURED] = pl.Series([json.dumps(measured), *[None] * (len(kept) - 1)], dtype=pl.String)
    return pa.table({name: _plain(one) for name, one in arrays.items()})


def _formed(
    frame: pl.DataFrame,
    owners: NDArray[np.int32],
    alike: NDArray[np.int64],
    columns: list[Relational],
    held: PartTerms | None,
    task: Task,
) -> tuple[Partition, NDArray[np.int64], list[RecodedColumn], Fates | None]:
    """The classes, their sizes and cells, and what becomes of terms."""
    options, schema, count = task.options, task.schema, len(alike)
    ontology = wordnet() if task.generalizes and task.terms is not None else None
    options = replace(options, ontology=ontology)
    sensitive: Cells = []
    if options.by_values:
        for name in schema.named("sensitive"):
            described = schema.columns[name]
            sensitive += sensitive_columns(frame, name, described, owners, options.demanded)
    quasi = kernel_columns(columns)
    if held is not None and task.terms is not None:
        quasi = [*quasi, *held.kernel(task.terms, schema, count)]
    table, terms = People(count, quasi, sensitive), None if held is None else held.terms
    if task.whole:
        prepared = PreparedTable(
            *(None, frame, schema, owners, count, columns, [], terms, table, (), []),
            *(np.arange(count), alike, RowKeys(np.arange(frame.height), b"")),
        )
        return prepared.grouped(task.k, options, None, drawing(task.key, task.purpose))
    partition, sizes = numbered(cutting.formed(table, task.k, options, task.count))
    recoded = [recode(column, partition.classes, len(sizes)) for column in columns]
    if terms is None or task.terms is None:
        return partition, sizes, recoded, None
    found = fates(terms, partition.classes, sizes, ontology, task.terms.roots)
    return partition, sizes, recoded, found


def _plain(series: pl.Series) -> Batch:
    import pyarrow as pa

    values = series.to_arrow()
    if pa.types.is_large_string(values.type):
        return values.cast(pa.string())
    if pa.types.is_string_view(values.type):
        return values.cast(pa.string())
    if pa.types.is_large_list(values.type):
        return values.cast(pa.list_(pa.string()))
    return values


def _refused(task: Task, refused: CannotBeMet) -> Batch:
    """One row that says why there are no classes."""
    import pyarrow as pa

    problem = {"problem": refused.problem, "where": refused.where, "remedy": refused.remedy}
    row: JsonObject = {
        ID: pa.array([-1], pa.int64()),
        PERSON: pa.array([-1], pa.int64()),
        CLASS: pa.array([-1], pa.int64()),
    }
    types = {"string": pa.string(), "double": pa.float64()}
    for i, kind in enumerate(task.kinds):
        row[f"n{i}"] = pa.array([None], types.get(kind, pa.list_(pa.string())))
    if task.terms is not None:
        row[FATE] = pa.array([None], pa.string())
    return pa.table({**row, MEASURED: pa.array([json.dumps(problem)], pa.string())})
