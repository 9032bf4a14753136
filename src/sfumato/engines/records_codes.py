"""A table of Spark as codes: what the values of its quasi-identifiers are, and which each row has.

The driver sees the different values of each quasi-identifier, and no row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ..core.errors import BadInput
from ..core.labels import as_one
from ..core.printed_form import by_sizes
from ..methods.records.order import (
    KEY_BYTES,
    digest_of,
    drawn_labels,
    hashed_rows,
    sum_of,
)
from ..methods.records.view import Relational, of_people, one_column
from ..schema.table import check_columns, check_values, forms
from .spark import ID, by_parts, quoted, with_documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..core.values import Array
    from ..schema import Schema
    from .spark import SparkEngine
    from .values import Batch, Cells, Frame

FORM, PERSON = "_sfumato_form", "_sfumato_person"
KEYED, PLACE = "_sfumato_keyed", "_sfumato_place"
WIDTH = 2 * KEY_BYTES  # in hexadecimal


@dataclass(frozen=True, slots=True, eq=False)
class CodedTable:
    """The rows of a table with their numbers, and their codes with whose they are."""

    __repr__ = by_sizes

    whole: Frame
    rows: Frame
    """A frame: the row's number, its person's, and a code (of a set: several) for each column."""
    columns: list[Relational]
    count: int
    outside: int
    places: Frame
    """A frame: the row's number, and its place in the order that the key gives the rows."""
    digest: bytes
    told: tuple[str, ...] = ()
    """That several labels are one person's."""


def coded(engine: SparkEngine, frame: Frame, schema: Schema, key: bytes) -> CodedTable:
    """Reads the table once for its values and once for its codes."""
    outside = len(check_columns(schema, list(frame.columns)))
    whole = engine.settle(with_documents(engine, frame))
    columns = []
    for name, column in schema.columns.items():
        if column.role not in ("quasi", "sensitive") or column.kind == "text":
            continue
        values = _values(engine, whole, name)
        try:
            check_values(name, column, values)
        except BadInput as refused:  # its place is no row's number
            raise BadInput(refused.problem, where=name, remedy=refused.remedy) from None
        if column.role == "quasi":
            columns.append((schema.relational.index(name), name, column, values))
    ordered = sorted(columns, key=lambda one: one[0])
    known = [one_column(name, one, values, None, len(values)) for _, name, one, values in ordered]
    tables = [_by_value(values, one) for (*_, values), one in zip(ordered, known, strict=True)]
    rows = _rows(engine, whole, schema, [one.name for one in known], tables)
    places, digest = placed(engine, whole, key)
    if schema.person is None:
        drawn = drawn_labels(digest, key, whole.count())
        numbered = rows.join(mapped(engine, places, PLACE, drawn), ID)
        numbered = numbered.withColumnRenamed(PLACE, PERSON)
    else:
        if rows.where(f"{FORM} = ''").limit(1).count():
            raise BadInput(
                "a row belongs to nobody", where=schema.person, remedy="give every row its person"
            )
        labels = rows.select(FORM).distinct().orderBy(engine.functions.sha2(FORM, 256))
        people = with_documents(engine, labels)
        people = people.withColumnRenamed(ID, PERSON)
        numbered = rows.join(people, FORM)
    numbered = engine.settle(numbered.drop(FORM))
    told: tuple[str, ...] = ()
    if schema.person is None:
        count = numbered.count()
    else:
        count = people.count()
        labels = whole.agg(engine.functions.count_distinct(quoted(schema.person))).first()[0]
        told = as_one(int(labels) - count)
    return CodedTable(whole, numbered, known, count, outside, places, digest, told)


def placed(engine: SparkEngine, whole: Frame, key: bytes) -> tuple[Frame, bytes]:
    """The place of every row in the order that the key gives them, and the digest of all rows.

    As `methods.records.order.row_keys` has them; rows are hashed where they lie.
    """
    names = [name for name in whole.columns if name != ID]

    def through(batches: Iterable[Batch]) -> Iterator[Batch]:
        import pyarrow as pa

        for batch in batches:
            table = pl.from_arrow(pa.Table.from_batches([batch]))
            assert isinstance(table, pl.DataFrame)
            found = hashed_rows(table.select(names), key).hex()
            keys = [found[at : at + WIDTH] for at in range(0, len(found), WIDTH)]
            yield pa.RecordBatch.from_pydict({ID: batch.column(ID), KEYED: keys})

    def summed(batches: Iterable[Batch]) -> Iterator[Batch]:
        import pyarrow as pa

        total = sum(sum_of(bytes.fromhex("".join(one.column(0).to_pylist()))) for one in batches)
        yield pa.RecordBatch.from_pydict({"total": [hex(total)]})

    hashed = engine.settle(by_parts(whole, through, f"{ID} long, {KEYED} string"))
    sums = by_parts(hashed.select(KEYED), summed, "total string").collect()
    digest = digest_of(names, hashed.count(), sum(int(row[0], 16) for row in sums))
    ordered = hashed.select(engine.functions.col(ID).alias("row"), KEYED).orderBy(KEYED, "row")
    places = with_documents(engine, ordered.select("row")).withColumnRenamed(ID, PLACE)
    return engine.settle(places.withColumnRenamed("row", ID)), digest


def mapped(engine: SparkEngine, frame: Frame, column: str, values: Array) -> Frame:
    """The frame with a column of numbers from 0 on replaced by what an array has there."""
    import pyarrow as pa

    new = f"{column}_new"
    table = pa.table({"at": np.arange(len(values)), new: values})
    found = engine.session.createDataFrame(table)
    joined = frame.join(found, frame[column] == found["at"]).drop("at", column)
    return joined.withColumnRenamed(new, column)


def _values(engine: SparkEngine, whole: Frame, name: str) -> pl.Series:
    """The different values of a column, in the order in which they first stand there."""
    cell = engine.functions.col(quoted(name)).alias("value")
    found = whole.groupBy(cell).agg(engine.functions.min(ID).alias("first")).orderBy("first")
    table = pl.from_arrow(found.select("value").toArrow())
    assert isinstance(table, pl.DataFrame)
    return table["value"].alias(name)


def _by_value(values: pl.Series, column: Relational) -> dict[Any, Any]:
    """The code of each value; of a set its codes."""
    if column.offsets is None:
        codes: Cells = column.codes.tolist()
    else:
        ends = pairwise(column.offsets.tolist())
        codes = [column.codes[a:b].tolist() for a, b in ends]
    return dict(zip(map(_key, values.to_list()), codes, strict=True))


def _key(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(value)
    return "\0no number" if isinstance(value, float) and value != value else value


def _rows(
    engine: SparkEngine,
    whole: Frame,
    schema: Schema,
    names: list[str],
    tables: list[dict[Any, Any]],
) -> Frame:
    """The codes of every row, and the form of its person's label."""
    sent = engine.session.sparkContext.broadcast(tables)
    person = [] if schema.person is None else [schema.person]
    wanted = whole.select(ID, *(engine.functions.col(quoted(one)) for one in (*names, *person)))
    is_set = [schema.columns[name].kind == "set" for name in names]
    kinds = ["array<int>" if one else "int" for one in is_set]
    fields = ", ".join(f"c{i} {kind}" for i, kind in enumerate(kinds))

    def through(batches: Iterable[Batch]) -> Iterator[Batch]:
        import pyarrow as pa

        for batch in batches:
            arrays = [batch.column(0)]
            table = pl.from_arrow(pa.Table.from_batches([batch]))
            assert isinstance(table, pl.DataFrame)
            for i, known in enumerate(sent.value):
                codes = [known[_key(one)] for one in table.to_series(i + 1).to_list()]
                kind = pa.list_(pa.int32()) if is_set[i] else pa.int32()
                arrays.append(pa.array(codes, type=kind))
            form = [""] * batch.num_rows
            if person:
                form = forms(table.to_series(table.width - 1)).fill_null("").to_list()
            arrays.append(pa.array(form, type=pa.string()))
            names = [ID, *(f"c{i}" for i in range(len(sent.value))), FORM]
            yield pa.RecordBatch.from_arrays(arrays, names=names)

    schema_of = ", ".join(one for one in (f"{ID} long", fields, f"{FORM} string") if one)
    return by_parts(wanted, through, schema_of)


def of_part(
    frame: pl.DataFrame, i: int, known: Relational, owners: Array, count: int
) -> Relational:
    """A quasi-identifier of some people: the codes of their rows by person."""
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
        flat, at, _ = of_people(codes, np.zeros(len(codes), bool), owners, count)
        lacking = np.zeros(count, bool)
        lacking[owners[missing]] = True
        return replace(known, codes=flat, offsets=at, missing=lacking)
    flat, at, lacking = of_people(codes, missing, owners, count)
    return replace(known, codes=flat, offsets=at, missing=lacking)
