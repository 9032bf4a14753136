"""A release of a table, judged on Spark: rows stand beside their originals, by classes.

A person's cells say where the person is judged: people who show the same are judged by one task,
with the checks of `verification`. Where a claim compares classes with all people (t), one task
judges all.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from ..core.claims import Verdict
from ..core.errors import BadInput
from ..core.release import Release, Sides
from ..core.spans import Changes
from ..verification import verify
from .spark import ID, by_number, quoted, with_documents

if TYPE_CHECKING:
    from ..core.claims import Claim
    from ..core.values import Data, JsonObject
    from ..schema import Schema
    from .spark import SparkEngine
    from .values import Frame, Session

ROWS = 50_000
"""Rows that a task judges, about."""
PLACE, BUCKET, WHOSE = "_sfumato_place", "_sfumato_bucket", "_sfumato_whose"
RECORD = re.compile("record ([0-9]+)$")
OF_ALL = frozenset(("t-closeness",))
LARGEST, SMALLEST = frozenset(("largest", "t", "c")), frozenset(("smallest", "l"))


def by_classes(original: Data, release: Release) -> list[Verdict]:
    """One verdict for each claim."""
    engine, schema = release.sides.engine, release.sides.of_table.schema
    missing = [name for name in schema.relational if name not in release.data.columns]
    if missing:
        why = "a column is missing from the release"
        return [Verdict(claim, False, why, missing[0]) for claim in release.claims]
    both, problem = _side_by_side(engine, original, release, schema)
    if problem is not None:
        return [Verdict(claim, False, problem) for claim in release.claims]
    released, before = list(release.data.columns), list(original.columns)
    sent = engine.session.sparkContext.broadcast((schema, release.claims, before, released))
    found = both.groupBy(BUCKET).applyInArrow(
        lambda part: _judged(part, *sent.value), "found string"
    )
    verdicts: list[Verdict] = []
    for row in found.collect():
        here = [
            Verdict(release.claims[i], holds, reason, where, measured)
            for i, (holds, reason, where, measured) in enumerate(json.loads(row[0]))
        ]
        verdicts = here if not verdicts else list(map(_joined, verdicts, here))
    return verdicts or [Verdict(claim, True, "there is no row") for claim in release.claims]


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
    named = {name: f"a{i}" for i, name in enumerate(release.data.columns)}
    after = by_number(engine, release.data, named).withColumnRenamed(ID, PLACE)
    whose = by_number(engine, rows, {ID: "row"}).withColumnRenamed(ID, PLACE)
    kinds = [functions.col(quoted(n)).alias(f"b{i}") for i, n in enumerate(original.columns)]
    before = with_documents(engine, original.select(*kinds)).withColumnRenamed(ID, "row")
    both = engine.keep(after.join(whose, PLACE, "full").join(before, "row", "left"))
    first = f"b{original.columns.index(schema.person)}" if schema.person else "row"
    label = functions.col(first).cast("string")
    if schema.person:
        label = functions.udf(_whose, "string")(label)
    both = engine.keep(both.withColumn(WHOSE, label))
    counts = both.agg(
        functions.count("*"),
        functions.count_distinct("row"),
        functions.count(PLACE),
        functions.count_distinct(WHOSE),
    ).first()
    if counts[0] != counts[1] or counts[0] != after.count():
        return None, "the rows are not those of the original, each once"
    problem = _numbers(functions, both, schema, named, int(counts[3]))
    if problem is not None:
        return None, problem
    # Rows of a class may show different items of its sets; by the other columns it stays together.
    single = [name for name in schema.relational if schema.columns[name].kind != "set"]
    cells = [functions.col(named[name]).cast("string") for name in single]
    shown = functions.concat_ws(
        "\x1f", *(functions.coalesce(c, functions.lit("\0")) for c in cells)
    )
    people = both.groupBy(WHOSE).agg(
        functions.concat_ws("\x1e", functions.array_sort(functions.collect_set(shown))).alias("all")
    )
    parts = max(1, int(counts[0]) // ROWS)
    if any(claim.name in OF_ALL for claim in release.claims):
        parts = 1
    bucket = functions.pmod(functions.xxhash64("all"), functions.lit(parts))
    return both.join(people.withColumn(BUCKET, bucket).drop("all"), WHOSE), None


def _whose(label: str | None) -> str:
    from ..verification.labels import whose

    return "" if label is None else whose(label)


def _numbers(
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


def _judged(part: Any, schema: Schema, claims: tuple[Claim, ...], before: Any, after: Any) -> Any:
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
    release = Release(
        verb="anonymize",
        data=new,
        claims=claims,
        changes=Changes.of(),
        loss={},
        parameters={},
        sides=Sides(schema=schema, rows=np.arange(new.height)),
    )
    told = [
        (one.holds, one.reason, _placed(one.where, frame["row"]), dict(one.measured))
        for one in verify(old, release)
    ]
    return pa.table({"found": [json.dumps(told)]})


def _placed(where: str | None, rows: Any) -> str | None:
    """A place with the number that its record has in the whole original."""
    if where is None:
        return None
    return RECORD.sub(lambda found: f"record {rows[int(found[1]) - 1] + 1}", where)
