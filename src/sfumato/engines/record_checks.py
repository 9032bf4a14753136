"""A release of a table, judged on Spark: rows stand beside their originals, by classes.

A person's cells say where the person is judged: people who show the same are judged by one task,
with the checks of `verification`, and with the terms of their texts and what was changed there.
Where a claim compares classes with all people (t), one task judges all.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..claims import kind
from ..core.claims import Verdict
from ..core.errors import BadInput
from ..core.printed_form import by_sizes
from ..core.release import Release, Sides
from ..core.spans import Change, Changes
from ..verification import verify
from ..verification.composed_records import judge_table
from ..verification.trace import Trace
from .marks import changes_in
from .spark import ID, MARKS, ROW, by_groups, by_number, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import polars as pl

    from ..core.claims import Claim
    from ..core.values import Data, JsonObject
    from ..schema import Schema
    from .spark import SparkEngine
    from .values import Batch, Frame, Session

    Find = Callable[[pl.DataFrame, Schema], pl.DataFrame]
    """Where terms stand in the texts of some rows."""

ROWS, SYMBOLS = 50_000, 4 << 20
"""Rows that a task judges, and symbols of their texts, about."""
PLACES, CHANGED = "_sfumato_places", "_sfumato_changed"
"""Where terms stand in a row's texts, and what was written there (JSON)."""
PLACE, BUCKET, WHOSE = "_sfumato_place", "_sfumato_bucket", "_sfumato_whose"
RECORD = re.compile("record ([0-9]+)$")
OF_ALL = frozenset(("t-closeness",))
LARGEST, SMALLEST = (
    frozenset(("largest", "t", "c")),
    frozenset(("smallest", "l", "fewest_with_a_set")),
)


@dataclass(frozen=True, slots=True, eq=False)
class LaterStages:
    """What stages on texts did after the table's: their columns and marks, by released row."""

    columns: tuple[str, ...]
    marks: Sequence[Frame]
    final: Frame
    """The released rows in the end."""
    stars: str
    masks: str

    __repr__ = by_sizes


def by_classes(
    original: Data,
    release: Release,
    later: LaterStages | None = None,
    find: Find | None = None,
) -> list[Verdict]:
    """One verdict for each claim; where stages came `later`, on the texts that are released.

    Where nobody says where terms stand, `find` finds them in the original's texts.
    """
    engine, schema = release.sides.engine, release.sides.of_table.schema
    released = [name for name in release.data.columns if name != ROW]
    missing = [name for name in schema.relational if name not in released]
    if missing:
        why = "a column is missing from the release"
        return [Verdict(claim, False, why, missing[0]) for claim in release.claims]
    both, problem = _side_by_side(engine, original, release, schema)
    if problem is not None:
        return [Verdict(claim, False, problem) for claim in release.claims]
    before = [name for name in original.columns if name != ROW]
    marks: tuple[tuple[str, ...], str, str] | None = None
    if later is not None:
        both = _with_later(engine, both, later, schema)
        marks = later.columns, later.stars, later.masks
    sent = engine.session.sparkContext.broadcast(
        (schema, release.claims, before, released, marks, find)
    )
    found = by_groups(both.groupBy(BUCKET), lambda part: _judged(part, *sent.value), "found string")
    verdicts = together(release.claims, [row[0] for row in found.collect()])
    if later is not None:
        verdicts = [
            replace(one, claim=kind(one.claim.name).after_others(one.claim)) for one in verdicts
        ]
    return verdicts


def _with_later(engine: SparkEngine, both: Frame, later: LaterStages, schema: Schema) -> Frame:
    """The rows with the marks of later stages (m0, ...) and the final texts (f0, ...)."""
    functions = engine.functions
    for i, frame in enumerate(later.marks):
        marks = functions.col(MARKS).alias(f"m{i}")
        both = both.join(frame.select(functions.col(ROW).alias(PLACE), marks), PLACE, "left")
    texts = [functions.col(quoted(name)).alias(f"f{i}") for i, name in enumerate(schema.texts)]
    final = later.final.select(functions.col(ROW).alias(PLACE), *texts)
    return both.join(final, PLACE, "left")


def traces_in(
    columns: Sequence[str | None], marks: Sequence[Sequence[str | None]]
) -> dict[str, list[Trace]]:
    """What stages wrote over the texts of some rows, by column, from the marks of each stage."""
    traced: dict[str, list[Trace]] = {}
    for column, some in zip(columns, marks, strict=True):
        changes = changes_in(some)
        known = traced.setdefault(str(column), [Trace() for _ in some])
        for document in set(changes.documents.tolist()):
            known[document] = known[document].then(changes.of_document(document))
    return traced


def _joined(one: Verdict, other: Verdict) -> Verdict:
    """Two verdicts on parts as one: it holds if both do, and measures what both did."""
    if not one.holds or not other.holds:
        return one if not one.holds else other
    measured: JsonObject = dict(one.measured)
    value: Any
    for name, value in other.measured.items():
        known = measured.get(name)
        if known is None:
            measured[name] = value
        elif name in SMALLEST:
            measured[name] = min(known, value)
        elif name in LARGEST:
            measured[name] = max(known, value)
        else:
            measured[name] = known + value
    return Verdict(one.claim, True, one.reason, None, measured)


def _side_by_side(
    engine: SparkEngine, original: Data, release: Release, schema: Schema
) -> tuple[Frame, str | None]:
    """Every released row with its original, and where its person is judged; or what is wrong."""
    functions, rows = engine.functions, release.sides.rows
    if rows is None or not hasattr(rows, "mapInArrow"):
        raise BadInput("which row is whose is not known", where="rows", remedy="give the release")
    released = [name for name in release.data.columns if name != ROW]
    given = [name for name in original.columns if name != ROW]
    named = {name: f"a{i}" for i, name in enumerate(released)}
    after = by_number(engine, release.data, named).withColumnRenamed(ID, PLACE)
    whose = by_number(engine, rows, {ID: "row"}).withColumnRenamed(ID, PLACE)
    kinds = {name: f"b{i}" for i, name in enumerate(given)}
    before = by_number(engine, original, kinds).withColumnRenamed(ID, "row")
    both = after.join(whose, PLACE, "full").join(before, "row", "left")
    if release.sides.terms is not None:
        terms: Data = release.sides.terms
        both = both.join(
            terms.select(functions.col(ID).alias("row"), PLACES, CHANGED), "row", "left"
        )
    both = engine.settle(both)
    first = f"b{given.index(schema.person)}" if schema.person else "row"
    label = functions.col(first).cast("string")
    if schema.person:
        label = functions.udf(_whose, "string")(label)
    both = engine.settle(both.withColumn(WHOSE, label))
    texts = [functions.length(f"b{given.index(name)}") for name in schema.texts]
    counts = both.agg(
        functions.count("*"),
        functions.count_distinct("row"),
        functions.count(PLACE),
        functions.count_distinct(WHOSE),
        *(functions.sum(one) for one in texts),
    ).first()
    if counts[0] != counts[1] or counts[0] != after.count():
        return None, "the rows are not those of the original, each once"
    problem = check_numbers(functions, both, schema, named, int(counts[3]))
    if problem is not None:
        return None, problem
    symbols = sum(int(one or 0) for one in counts[4:])
    return with_buckets(engine, both, release, named, int(counts[0]), symbols), None


def with_buckets(
    engine: SparkEngine,
    both: Frame,
    release: Release,
    named: dict[str, str],
    rows: int,
    symbols: int,
) -> Frame:
    """The rows with where their person is judged: together with all who show the same."""
    functions, schema = engine.functions, release.sides.of_table.schema
    # Rows of a class may show different items of its sets; by the other columns it stays together.
    single = [name for name in schema.relational if schema.columns[name].kind != "set"]
    cells = [functions.col(named[name]).cast("string") for name in single]
    shown = functions.concat_ws(
        "\x1f", *(functions.coalesce(c, functions.lit("\0")) for c in cells)
    )
    people = both.groupBy(WHOSE).agg(
        functions.concat_ws("\x1e", functions.array_sort(functions.collect_set(shown))).alias("all")
    )
    parts = max(1, rows // ROWS, symbols // SYMBOLS)
    if any(claim.name in OF_ALL for claim in release.claims):
        parts = 1
    bucket = functions.pmod(functions.xxhash64("all"), functions.lit(parts))
    return both.join(people.withColumn(BUCKET, bucket).drop("all"), WHOSE)


def together(claims: Sequence[Claim], told: Sequence[str]) -> list[Verdict]:
    """The verdicts of all tasks as one for each claim."""
    verdicts: list[Verdict] = []
    for one in told:
        here = [
            Verdict(claim, holds, reason, where, measured)
            for claim, (holds, reason, where, measured) in zip(claims, json.loads(one), strict=True)
        ]
        verdicts = here if not verdicts else list(map(_joined, verdicts, here))
    return verdicts or [Verdict(claim, True, "there is no row") for claim in claims]


def _whose(label: str | None) -> str:
    from ..verification.labels import whose

    return "" if label is None else whose(label)


def check_numbers(
    functions: Session, both: Frame, schema: Schema, named: dict[str, str], people: int
) -> str | None:
    """Whether the release numbers people one to one, from 1 on; what is wrong, or None."""
    if schema.person is None or schema.person not in named:
        return None
    shown = functions.col(named[schema.person]).cast("long")
    pairs = both.select(WHOSE, shown.alias("number")).distinct()
    found = pairs.agg(
        functions.count("*"),
        functions.count_distinct("number"),
        functions.min("number"),
        functions.max("number"),
    ).first()
    if tuple(found) != (people, people, 1, people):
        return "the numbers of people are not one for each"
    return None


def _judged(
    part: Batch,
    schema: Schema,
    claims: tuple[Claim, ...],
    before: Sequence[str],
    after: Sequence[str],
    later: tuple[tuple[str, ...], str, str] | None,
    find: Find | None,
) -> Batch:
    """The verdicts on people who show the same, or on several such classes."""
    import numpy as np
    import polars as pl
    import pyarrow as pa

    frame = pl.from_arrow(part)
    assert isinstance(frame, pl.DataFrame)
    frame = frame.sort(PLACE)
    old = pl.DataFrame([frame[f"b{i}"].alias(name) for i, name in enumerate(before)])
    new = pl.DataFrame([frame[f"a{i}"].alias(name) for i, name in enumerate(after)])
    if schema.person is not None and schema.person in new.columns:  # one to one was seen before
        ranks = new[schema.person].cast(pl.Int64).rank("dense").cast(pl.Int64)
        new = new.with_columns(ranks.alias(schema.person))
    terms = _terms(frame) if find is None or not schema.texts else find(old, schema)
    release = Release(
        verb="anonymize",
        data=new,
        claims=claims,
        changes=_changes(frame, len(schema.texts)),
        loss={},
        parameters={},
        sides=Sides(schema=schema, rows=np.arange(new.height), terms=terms),
    )
    told = [
        (one.holds, one.reason, placed(one.where, frame["row"]), dict(one.measured))
        for one in _verdicts(frame, old, release, later)
    ]
    return pa.table({"found": [json.dumps(told)]})


def _verdicts(
    frame: pl.DataFrame,
    old: pl.DataFrame,
    release: Release,
    later: tuple[tuple[str, ...], str, str] | None,
) -> list[Verdict]:
    """The verdicts on some classes; after later stages, whose marks must give the final texts."""
    if later is None:
        return verify(old, release)
    columns, stars, masks = later
    traced = traces_in(columns, [frame[f"m{i}"].to_list() for i in range(len(columns))])
    for i, name in enumerate(release.sides.of_table.schema.texts):
        left, final = release.data[name].to_list(), frame[f"f{i}"].to_list()
        traces = traced.get(name) or [Trace()] * len(left)
        for row, (text, trace) in enumerate(zip(left, traces, strict=True)):
            if (None if text is None else trace.applied(text)) != final[row]:
                why, where = "a text is not what its stages wrote", f"{name}, record {row + 1}"
                return [Verdict(claim, False, why, where) for claim in release.claims]
    return judge_table(old, release, traced, stars, masks)


def _terms(frame: pl.DataFrame) -> pl.DataFrame | None:
    """Where terms stand in the texts of these rows; None where nothing says so."""
    import polars as pl

    if PLACES not in frame.columns:
        return None
    names = {"row": pl.Int64, "column": pl.String, "start": pl.Int64, "stop": pl.Int64}
    rows = [
        (row, *one[:4], one[-1])
        for row, told in enumerate(frame[PLACES].to_list())
        for one in json.loads(told or "[]")
    ]
    kinds = {**names, "label": pl.String, "own": pl.String}
    return pl.DataFrame(rows, schema=kinds, orient="row")


def _changes(frame: pl.DataFrame, width: int) -> Changes:
    """What was written in the texts of these rows, as the release says it."""
    if CHANGED not in frame.columns:
        return Changes.of()
    return Changes.of(
        [
            Change(row * width + column, start, stop, new, "")
            for row, told in enumerate(frame[CHANGED].to_list())
            for column, start, stop, new, _ in json.loads(told or "[]")
        ]
    )


def placed(where: str | None, rows: pl.Series) -> str | None:
    """A place with the number that its record has in the whole original."""
    if where is None:
        return None
    return RECORD.sub(lambda found: f"record {rows[int(found[1]) - 1] + 1}", where)
