"""The terms of a table's texts on Spark: found where the texts lie, numbered over all of them.

All rows of some people are read by one task, with the code of one machine. What it found stays
there, packed; the numbers of terms come from a pass over the different ones. The driver sees
entity types and counts, and no term.
"""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ..core.errors import BadInput
from ..core.printed_form import by_sizes
from ..methods.records.generalize import common_nodes, leaves_below, path_of
from ..methods.records.own_values import find_own
from ..methods.records.places import find_places, joined_recognizer
from ..methods.records.terms import Terms, collect
from ..ontologies import wordnet
from ..recognizers import recognizer as by_name
from ..recognizers.installed_recognizers import DEFAULT
from ..schema.frames import documents_of
from .records_codes import PERSON, of_part
from .spark import ID, by_groups, by_parts, quoted, settled, with_documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from ..core.values import Array, JsonObject
    from ..methods.records.view import Relational
    from ..recognizers import Recognizer
    from ..schema import Schema
    from .records_codes import CodedTable
    from .spark import SparkEngine
    from .values import Batch, Cells, Frame

SYMBOLS = 1 << 20
"""Symbols of the texts that a task reads, about; one person's are never divided."""
CHUNK, PACKED, PAIRS, TOLD = (
    "_sfumato_chunk",
    "_sfumato_packed",
    "_sfumato_pairs",
    "_sfumato_told",
)
ITEMS, LOCAL, FORMS = "_sfumato_items", "_sfumato_local", "_sfumato_forms"
_PAIR = "array<struct<row:bigint,column:int,label:string,form:string,local:int>>"


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What every task that reads or writes texts knows."""

    __repr__ = by_sizes

    schema: Schema
    columns: list[Relational]
    recognizer: str | tuple[str, ...] | None
    names: tuple[str, ...]
    """The columns of the table."""


@dataclass(frozen=True, slots=True, eq=False)
class TermNumbers:
    """How the terms of all people are numbered: by text column, entity type and normal form."""

    __repr__ = by_sizes

    groups: tuple[tuple[str, str], ...]
    """Text column and entity type of each group of items."""
    starts: tuple[int, ...]
    """The first item of each group; one more at the end."""
    roots: tuple[int, ...] | None = None
    """How many leaves the widest node of each group has, where terms are generalised."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundTerms:
    """The terms of all people: their numbers, which are whose, and what tasks packed."""

    __repr__ = by_sizes

    numbers: TermNumbers
    held: Frame
    """A frame: the first row of each person, the items and their numbers in the person's chunk."""
    packed: Frame
    """A frame: chunk, and what its task packed."""
    chunks: int
    places: int


def named(recognizer: object) -> str | tuple[str, ...] | None:
    """The recogniser's name, or several: every worker loads its own."""
    given = list(recognizer) if isinstance(recognizer, (list, tuple)) else [recognizer or DEFAULT]
    names = tuple(one for one in given if isinstance(one, str))
    if not given or len(names) < len(given):
        raise BadInput(
            "on Spark a recogniser is named: every worker loads its own",
            where="recognizer",
            remedy="give a name",
        )
    by_name(*names)  # what cannot be loaded is refused here
    if isinstance(recognizer, (list, tuple)):
        return names
    return names[0] if recognizer else None


def found_terms(
    engine: SparkEngine, table: CodedTable, reading: Reading, generalizes: bool
) -> FoundTerms:
    """Reads all texts once, and numbers what was found; where it `generalizes`, forms go along."""
    functions = engine.functions
    sizes = [
        functions.length(functions.col(quoted(n)).cast("string")) for n in reading.schema.texts
    ]
    total = table.whole.agg(*(functions.sum(one) for one in sizes)).first()
    chunks = max(1, min(table.count, sum(one or 0 for one in total) // SYMBOLS + 1))
    if engine.blocks is not None:
        chunks = max(1, min(table.count, engine.blocks))
    rows = with_chunks(engine, table.rows, chunks).join(table.whole, ID)
    sent = engine.session.sparkContext.broadcast(reading)
    packed = engine.settle(
        by_groups(
            rows.groupBy(CHUNK),
            lambda part: _packed(part, sent.value),
            f"{CHUNK} long, {PACKED} binary, {PAIRS} {_PAIR}, {TOLD} string",
        )
    )
    told = [json.loads(row[0]) for row in packed.select(TOLD).collect()]
    for one in told:
        if "problem" in one:
            raise BadInput(one["problem"], where=one["where"], remedy=one["remedy"])
    pairs = packed.select(functions.explode(PAIRS).alias("one")).select("one.*")
    key = ["column", "label", "form"]
    items = with_documents(engine, pairs.select(*key).distinct().orderBy(*key))
    items = engine.settle(items.withColumnRenamed(ID, "item"))
    counts = items.groupBy("column", "label").count().orderBy("column", "label").collect()
    texts = reading.schema.texts
    shown = ["item", "local", *(["form"] if generalizes else [])]
    listed = functions.array_sort(functions.collect_list(functions.struct(*shown))).alias("all")
    held = pairs.join(items, key).groupBy("row").agg(listed)
    beside = [functions.col("all.item").alias(ITEMS), functions.col("all.local").alias(LOCAL)]
    if generalizes:
        beside.append(functions.col("all.form").alias(FORMS))
    numbers = TermNumbers(
        tuple((texts[row[0]], str(row[1])) for row in counts),
        tuple(np.cumsum([0, *(int(row[2]) for row in counts)]).tolist()),
        _roots(engine, items, counts) if generalizes else None,
    )
    places = sum(one["places"] for one in told)
    return FoundTerms(numbers, engine.settle(held.select("row", *beside)), packed, chunks, places)


def with_chunks(engine: SparkEngine, rows: Frame, chunks: int) -> Frame:
    """The rows with the chunk of their person."""
    functions = engine.functions
    chunk = functions.pmod(functions.col(PERSON), functions.lit(chunks)).cast("long")
    return rows.withColumn(CHUNK, chunk)


def with_items(engine: SparkEngine, rows: Frame, found: FoundTerms) -> Frame:
    """The rows, with the items of each person in the person's first one."""
    return rows.join(found.held, rows[ID] == found.held["row"], "left").drop("row")


@lru_cache(maxsize=2)
def _loaded(names: tuple[str, ...], expressions: tuple[tuple[str, str], ...]) -> Recognizer:
    """The recogniser of a worker, loaded once."""
    return joined_recognizer(names, dict(expressions))


def _recognizer(reading: Reading) -> Recognizer:
    """The recogniser that is named, else what the schema says."""
    given, schema = reading.recognizer, reading.schema
    if given is None:
        expressions = tuple(schema.expressions.items())
        return _loaded(tuple(schema.recognizers) or (DEFAULT,), expressions)
    return _loaded((given,) if isinstance(given, str) else given, ())


def rows_of(given: Batch) -> pl.DataFrame:
    """The rows that a task was given, in their order."""
    frame = pl.from_arrow(given)
    assert isinstance(frame, pl.DataFrame)
    return frame.sort(ID)


def _packed(given: Batch, reading: Reading) -> Batch:
    """What one task found in the texts of its people."""
    import pyarrow as pa

    settled()
    frame = rows_of(given)
    pairs: list[JsonObject] = []
    packed, told = b"", dict[str, object]()
    try:
        terms, texts, people = _terms(frame, reading)
        first = np.unique(people, return_index=True)[1]
        ids = frame[ID].to_numpy()[first]
        groups, group_of = terms.groups, terms.group_of_item
        number = {name: i for i, name in enumerate(reading.schema.texts)}
        for person, item in zip(terms.pair_people.tolist(), terms.pair_items.tolist(), strict=True):
            column, label = groups[group_of[item]]
            pairs.append(
                {
                    "row": int(ids[person]),
                    "column": number[column],
                    "label": label,
                    "form": terms.item_forms[item],
                    "local": item,
                }
            )
        missing = [frame[name].is_null().to_numpy() for name in reading.schema.texts]
        held = frame[ID].to_numpy(), people, texts, missing, terms
        packed, told = pickle.dumps(held), {"places": len(terms.places)}
    except BadInput as refused:  # its place is a number within the chunk: not told
        told = {"problem": refused.problem, "where": "texts", "remedy": refused.remedy}
    return pa.table(
        {
            CHUNK: pa.array([frame[CHUNK][0]], pa.int64()),
            PACKED: pa.array([packed], pa.binary()),
            PAIRS: pa.array([pairs], _pair_type()),
            TOLD: pa.array([json.dumps(told)], pa.string()),
        }
    )


def _pair_type() -> Batch:
    import pyarrow as pa

    fields = [("row", pa.int64()), ("column", pa.int32()), ("label", pa.string())]
    return pa.list_(pa.struct([*fields, ("form", pa.string()), ("local", pa.int32())]))


def _terms(frame: pl.DataFrame, reading: Reading) -> tuple[Terms, list[str], Array]:
    """The terms of the people of a chunk, as one machine reads them."""
    schema = reading.schema
    people, found = np.unique(frame[PERSON].to_numpy(), return_inverse=True)
    owners: NDArray[np.int32] = found.astype(np.int32)
    columns = [of_part(frame, i, one, owners, len(people)) for i, one in enumerate(reading.columns)]
    table = frame.select(reading.names)
    texts = documents_of(table, schema.texts)
    places, _ = find_places(_recognizer(reading), texts, table, schema, None, owners)
    own = find_own(texts, table, schema, owners, columns)
    return collect(places, own, texts, schema, columns, owners), texts, owners


def _roots(engine: SparkEngine, items: Frame, counts: Cells) -> tuple[int, ...]:
    """How many leaves the lowest node has that all known terms of each group have in common.

    Every partition says which nodes its terms have in common; those of the first go on.
    """
    number = {(int(row[0]), str(row[1])): i for i, row in enumerate(counts)}

    def common(batches: Iterable[Batch]) -> Iterator[Batch]:
        import pyarrow as pa

        found: list[tuple[int, ...] | None] = [None] * len(number)
        first = -1
        for batch in batches:
            cells = batch.to_pydict()
            first = cells["item"][0] if first < 0 and cells["item"] else first
            paths = [path_of(wordnet(), form) for form in cells["form"]]
            keys = zip(cells["column"], cells["label"], strict=True)
            found = common_nodes(paths, [number[key] for key in keys], found)
        yield pa.RecordBatch.from_pydict({"first": [first], "found": [json.dumps(found)]})

    told = by_parts(
        items.select("item", "column", "label", "form"), common, "first long, found string"
    )
    nodes: list[tuple[int, ...] | None] = [None] * len(number)
    for row in sorted(told.collect()):
        given = json.loads(row[1])
        chosen = [i for i, one in enumerate(given) if one is not None]
        nodes = common_nodes([tuple(given[i]) for i in chosen], chosen, nodes)
    return tuple(leaves_below(nodes, wordnet()))
