"""A released table judged on Spark without its original, by its classes alone."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from ..core.claims import Verdict
from ..core.errors import BadInput
from ..core.release import Release, Sides
from ..core.spans import Changes
from ..verification import is_on_release, verify
from .record_checks import BUCKET, PLACE, WHOSE, check_numbers, placed, together, with_buckets
from .spark import ID, ROW, by_groups, by_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..core.claims import Claim
    from ..schema import Schema
    from .record_checks import Find
    from .values import Batch


def by_classes_alone(release: Release, find: Find | None = None) -> list[Verdict]:
    """One verdict for each claim that the release shows by itself: its numbers tell people apart.

    `find` finds terms in the released texts.
    """
    engine, schema = release.sides.engine, release.sides.of_table.schema
    released = [name for name in release.data.columns if name != ROW]
    claims = tuple(filter(is_on_release, release.claims))
    missing = [one for one in (*schema.relational, *schema.texts) if one not in released]
    if missing:
        why = "a column is missing from the release"
        return [Verdict(claim, False, why, missing[0]) for claim in claims]
    if schema.person is not None and schema.person not in released:
        raise BadInput(
            "the release has no numbers of people, so they cannot be counted",
            where=schema.person,
            remedy="verify it with the original, or release it with `person_number: true`",
        )
    functions, named = engine.functions, {name: f"a{i}" for i, name in enumerate(released)}
    rows = by_number(engine, release.data, named).withColumnRenamed(ID, PLACE)
    first = named[schema.person] if schema.person else PLACE
    rows = engine.settle(rows.withColumn(WHOSE, functions.col(first).cast("string")))
    texts = [functions.sum(functions.length(named[name])) for name in schema.texts]
    count, people, *sizes = rows.agg(
        functions.count("*"), functions.count_distinct(WHOSE), *texts
    ).first()
    problem = check_numbers(functions, rows, schema, named, int(people))
    if any(claim.parameters.get("people") not in (None, int(people)) for claim in claims):
        problem = problem or "the people are not as many as claimed"
    if problem is not None:
        return [Verdict(claim, False, problem) for claim in claims]
    symbols = sum(int(one or 0) for one in sizes)
    both = with_buckets(engine, rows, release, named, int(count), symbols)
    sent = engine.session.sparkContext.broadcast((schema, claims, released, find))
    found = by_groups(
        both.groupBy(BUCKET), lambda part: _judged_alone(part, *sent.value), "found string"
    )
    return together(claims, [row[0] for row in found.collect()])


def _judged_alone(
    part: Batch, schema: Schema, claims: tuple[Claim, ...], after: Sequence[str], find: Find | None
) -> Batch:
    """The verdicts on people who show the same, without the original."""
    import polars as pl
    import pyarrow as pa

    frame = pl.from_arrow(part)
    assert isinstance(frame, pl.DataFrame)
    frame = frame.sort(PLACE)
    new = pl.DataFrame([frame[f"a{i}"].alias(name) for i, name in enumerate(after)])
    people = new.height
    if schema.person is not None:  # numbered from 1 on, as was seen before
        ranks = new[schema.person].cast(pl.Int64).rank("dense").cast(pl.Int64)
        new, people = new.with_columns(ranks.alias(schema.person)), int(ranks.n_unique())
    here = tuple(
        replace(one, parameters={**one.parameters, "people": people})
        if "people" in one.parameters
        else one
        for one in claims
    )
    found = find(new, schema) if find is not None and schema.texts else None
    release = Release(
        verb="anonymize",
        data=new,
        claims=here,
        changes=Changes.of(),
        loss={},
        parameters={},
        sides=Sides(schema=schema, found=found),
    )
    told = [
        (one.holds, one.reason, placed(one.where, frame[PLACE]), dict(one.measured))
        for one in verify(None, release)
    ]
    return pa.table({"found": [json.dumps(told)]})
