"""`anonymize` beside other stages on Spark: until every class shows each of its terms alike.

What `withdraw` does on one machine is done row by row, by the same code: each row has the texts,
the places of its terms and the marks of later stages beside it. Terms of classes are compared by
Spark, and none is collected.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ..core.release import Release, Sides
from ..core.spans import Change, Changes
from ..engines.record_checks import CHANGED, PLACES, traces_in
from ..engines.spark import ID, MARKS, ROW, by_parts, quoted, with_documents
from . import withdraw
from .steps import table_place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..core.values import Data, JsonObject
    from ..engines.spark import SparkEngine
    from ..engines.values import Batch, Cells
    from ..schema import Schema
    from .spark_store import SparkResult, SparkStore
    from .steps import Step

PERSON, CLASS = "_sfumato_person", "_sfumato_class"
TERM = (CLASS, "column", "label", "word")
GONE = "_sfumato_gone"
TERMS: JsonObject = {
    "row": pl.Int64,
    "column": pl.String,
    "start": pl.Int64,
    "stop": pl.Int64,
    **dict.fromkeys(("label", "term", "role", "outcome", "replacement", "own"), pl.String),
}


def take_all(store: SparkStore, steps: Sequence[Step]) -> list[SparkResult]:
    """Takes every step; where the first takes the table, until its classes show terms alike."""
    done: list[SparkResult] = []
    if table_place(steps) is None or len(steps) == 1:
        for step in steps:
            done.append(store.take(step, done))
        return done
    first = table = store.take(steps[0], [])
    gone, known = None, 0
    while True:
        done = [table]
        for step in steps[1:]:
            done.append(store.take(step, done))
        more = parted(store.engine, table, done[1:])
        if more is None:
            return done
        every = (more if gone is None else gone.union(more)).distinct()
        gone = store.engine.settle(every)
        count = int(gone.count())
        if count == known:
            return done
        known = count
        table = store.withdrawn(first, done, gone, count)


def parted(engine: SparkEngine, table: SparkResult, later: Sequence[SparkResult]) -> Data | None:
    """A frame of the terms that somebody of a class shows otherwise after later stages."""
    schema = table.release.sides.of_table.schema
    columns = [one.step.column for one in later]
    if not schema.texts or not set(columns) & set(schema.texts):
        return None
    functions = engine.functions
    both = _with_terms(engine, table)
    for i, one in enumerate(later):
        marks: Data = one.release.sides.marks
        both = both.join(marks.select(ROW, functions.col(MARKS).alias(f"m{i}")), ROW)
    sent = engine.session.sparkContext.broadcast((schema, columns, withdraw.marks_of(later)))
    seen = by_parts(
        both,
        lambda batches: _shown(batches, *sent.value),
        f"{CLASS} long, column string, label string, word string, person long, shown string",
    )
    shown = functions.array_sort(functions.collect_set("shown")).alias("shown")
    people = seen.groupBy(*TERM, "person").agg(shown)
    differ = people.groupBy(*TERM).agg(
        functions.count_distinct("shown").alias("ways"),
        functions.min(functions.size("shown")).alias("least"),
    )
    return differ.where("ways > 1 or least = 0").select(*TERM)


def _with_terms(engine: SparkEngine, table: SparkResult) -> Data:
    """The released texts (a0, ...) with where terms stand in their originals, by released row."""
    functions, sides = engine.functions, table.release.sides
    whose: Data = sides.rows
    rows = whose.select(ROW, functions.col(ID).alias("row"))
    texts = [functions.col(quoted(name)).alias(f"a{i}") for i, name in enumerate(_texts(table))]
    terms: Data = sides.terms
    beside = terms.select(functions.col(ID).alias("row"), PERSON, CLASS, PLACES, CHANGED)
    return table.release.data.select(ROW, *texts).join(rows, ROW).join(beside, "row")


def _texts(table: SparkResult) -> list[str]:
    return table.release.sides.of_table.schema.texts


def _release(cells: JsonObject, schema: Schema) -> Release:
    """The rows of a batch as a release of one machine, numbered from 0 on."""
    texts, height = schema.texts, len(cells[CLASS])
    places = [
        (row, *one) for row, told in enumerate(cells[PLACES]) for one in json.loads(told or "[]")
    ]
    changes = [
        Change(row * len(texts) + column, start, stop, new, why)
        for row, told in enumerate(cells[CHANGED])
        for column, start, stop, new, why in json.loads(told or "[]")
    ]
    data = {name: pl.Series(cells[f"a{i}"], dtype=pl.String) for i, name in enumerate(texts)}
    return Release(
        verb="anonymize",
        data=pl.DataFrame(data),
        claims=(),
        changes=Changes.of(changes),
        loss={},
        parameters={},
        sides=Sides(
            schema=schema,
            rows=np.arange(height),
            person_of_row=np.array(cells[PERSON], np.int64),
            classes=np.array(cells[CLASS], np.int64),
            terms=pl.DataFrame(places, schema=TERMS, orient="row"),
        ),
    )


def _cells(batch: Batch) -> JsonObject:
    return {name: batch.column(i).to_pylist() for i, name in enumerate(batch.schema.names)}


def _shown(
    batches: Iterable[Batch], schema: Schema, columns: Sequence[str | None], marks: tuple[str, str]
) -> Iterator[Batch]:
    """As what people show the terms of their classes; none where all mentions are starred."""
    import pyarrow as pa

    names = [*TERM, "person", "shown"]
    kinds = [pa.int64(), *[pa.string()] * 3, pa.int64(), pa.string()]
    for batch in batches:
        cells = _cells(batch)
        release = _release(cells, schema)
        seen = withdraw.shown_after(
            release, traces_in(columns, [cells[f"m{i}"] for i in range(len(columns))]), *marks
        )
        rows = [
            (*term, person, one)
            for term, people in seen.items()
            for person, ways in people.items()
            for one in (*sorted(ways),) or (None,)
        ]
        arrays = zip(*rows, strict=True) if rows else [[]] * len(names)
        yield pa.RecordBatch.from_arrays(
            [pa.array(list(one), kind) for one, kind in zip(arrays, kinds, strict=True)],
            names=names,
        )


def applied(
    engine: SparkEngine, first: SparkResult, original: Data, gone: Data
) -> tuple[Data, Data]:
    """The released rows with these terms as their entity types, and where terms stand then."""
    functions, names = engine.functions, _texts(first)
    before = [functions.col(quoted(name)).alias(f"b{i}") for i, name in enumerate(names)]
    texts = with_documents(engine, original).select(functions.col(ID).alias("row"), *before)
    listed = gone.groupBy(CLASS).agg(
        functions.to_json(functions.collect_list(functions.struct(*TERM[1:]))).alias(GONE)
    )
    both = _with_terms(engine, first).join(texts, "row").join(listed, CLASS, "left")
    sent = engine.session.sparkContext.broadcast(first.release.sides.of_table.schema)
    kinds = ", ".join(f"a{i} string" for i in range(len(names)))
    made = engine.settle(
        by_parts(
            both,
            lambda batches: _withdrawn(batches, sent.value),
            f"{ROW} long, row long, {PERSON} long, {CLASS} long, {kinds}, "
            f"{PLACES} string, {CHANGED} string",
        )
    )
    fresh = made.select(ROW, *(f"a{i}" for i in range(len(names))))
    joined = first.release.data.join(fresh, ROW)
    cells = [
        functions.col(f"a{names.index(name)}").alias(name)
        if name in names
        else functions.col(quoted(name))
        for name in first.release.data.columns
    ]
    terms = made.select(functions.col("row").alias(ID), PERSON, CLASS, PLACES, CHANGED)
    return joined.select(*cells), terms


def _withdrawn(batches: Iterable[Batch], schema: Schema) -> Iterator[Batch]:
    import pyarrow as pa

    texts = schema.texts
    for batch in batches:
        cells = _cells(batch)
        gone = {
            (number, one["column"], one["label"], one["word"])
            for number, told in zip(cells[CLASS], cells[GONE], strict=True)
            for one in json.loads(told or "[]")
        }
        release = _release(cells, schema)
        before = pl.DataFrame(
            {name: pl.Series(cells[f"b{i}"], dtype=pl.String) for i, name in enumerate(texts)}
        )
        made = withdraw.applied(release, before, gone)
        places: list[Cells] = [[] for _ in range(batch.num_rows)]
        assert made.sides.places is not None
        for row, *rest in made.sides.places.select(*TERMS).iter_rows():
            places[row].append(rest)
        changes: list[Cells] = [[] for _ in range(batch.num_rows)]
        for one in made.changes:
            row, column = divmod(one.document, len(texts))
            changes[row].append([column, one.start, one.stop, one.replacement, one.reason])
        numbers = [batch.column(batch.schema.names.index(n)) for n in (ROW, "row", PERSON, CLASS)]
        new = [pa.array(made.data[name].to_list(), pa.string()) for name in texts]
        beside = [pa.array(list(map(json.dumps, one)), pa.string()) for one in (places, changes)]
        names = [ROW, "row", PERSON, CLASS, *(f"a{i}" for i in range(len(texts))), PLACES, CHANGED]
        yield pa.RecordBatch.from_arrays([*numbers, *new, *beside], names=names)


def as_step(
    engine: SparkEngine, table: SparkResult, original: Data, column: str
) -> tuple[Data, Data]:
    """The table's step as one on a text column: the original by released row, and its marks."""
    functions, names = engine.functions, _texts(table)
    whose: Data = table.release.sides.rows
    rows = whose.select(ROW, functions.col(ID).alias("row"))
    texts = with_documents(engine, original).select(
        functions.col(ID).alias("row"), functions.col(quoted(column))
    )
    before = rows.join(texts, "row").drop("row")
    terms: Data = table.release.sides.terms
    after = table.release.data.select(ROW, functions.col(quoted(column)))
    if terms is None or column not in names:
        return before, after.withColumn(MARKS, functions.lit("[[], []]"))
    number = names.index(column)
    beside = rows.join(terms.select(functions.col(ID).alias("row"), CHANGED), "row").drop("row")

    def marked(batches: Iterable[Batch]) -> Iterator[Batch]:
        import pyarrow as pa

        for batch in batches:
            told = [
                json.dumps([[], [one[1:] for one in json.loads(some or "[]") if one[0] == number]])
                for some in batch.column(2).to_pylist()
            ]
            yield pa.RecordBatch.from_arrays(
                [batch.column(0), batch.column(1), pa.array(told, pa.string())],
                names=[ROW, "text", MARKS],
            )

    both = after.withColumnRenamed(column, "text").join(beside, ROW).select(ROW, "text", CHANGED)
    found = by_parts(both, marked, f"{ROW} long, text string, {MARKS} string")
    return before, found.withColumnRenamed("text", column)
