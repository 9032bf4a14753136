"""Releases whose claims speak of one document at a time, judged on Spark where documents lie.

What `pseudonymize` claims of all documents together (one surrogate for each entity, one number of
days for each group) is counted from what every batch shows.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ..claims import Side, kind
from ..core.claims import Verdict
from ..core.release import Release, Sides
from ..core.spans import Change, Changes
from ..core.totals import joined
from ..verification import verify, verify_part
from ..verification.published_meanings import UNCHANGED
from .spark import ID, MARKS, by_number, by_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..core.claims import Claim
    from ..core.values import Data, JsonObject
    from .spark import SparkEngine
    from .values import Batch, Cells, Frame

LISTS = ("terms", "published", "direct", "words", "t_words", "frequencies", "patterns")
CONSISTENT = "consistent-pseudonyms"
PLACE = re.compile(r"\b(document|sequence) ([0-9]+)")


def by_document(original: Data, release: Release) -> list[Verdict]:
    """One verdict for each claim: each document is judged where it lies."""
    engine, sides = release.sides.engine, release.sides
    groups = sides.groups if isinstance(sides.groups, str) else None
    column = engine.text_of(original, *([] if groups is None else [groups]))
    named = {column: "before", **({} if groups is None else {groups: "whose"})}
    both = by_number(engine, original, named).join(
        by_number(engine, release.data, {column: "after"}), ID, "full"
    )
    if sides.marks is not None and _needs(release.claims) & {Side.CHANGES, Side.ONTOLOGY}:
        both = both.join(by_number(engine, sides.marks, {MARKS: "marks"}), ID, "left")
    lists = {
        name: None if value is None else list(value)
        for name in LISTS
        for value in (getattr(sides, name),)
    }
    sent = engine.session.sparkContext.broadcast((release.verb, release.claims, lists))
    rows = by_parts(
        both,
        lambda batches: _judged(batches, *sent.value),
        "kind string, a string, b string, c string",
    ).persist()
    found: list[Verdict] = []
    told = [json.loads(row.a) for row in rows.where("kind = 'verdicts'").collect()]
    for some in told:
        here = [
            Verdict(release.claims[i], True, reason, None, {"meanings": 0})
            if reason == UNCHANGED
            else Verdict(release.claims[i], holds, reason, where, measured)
            for i, (holds, reason, where, measured) in enumerate(some)
        ]
        found = joined(found, here)
    for i, one in enumerate(found):  # each batch was judged by what it has itself
        if not one.holds:
            continue
        if all(some[i][1] == UNCHANGED for some in told):
            found[i] = Verdict(one.claim, False, UNCHANGED)
        elif one.claim.name == CONSISTENT:
            problem = _inconsistent(engine, rows)
            found[i] = one if problem is None else Verdict(one.claim, False, problem)
        elif kind(one.claim.name).carries and _unlike(engine, rows):
            found[i] = Verdict(one.claim, False, "a group is written in two ways")
        elif "counted" in one.claim.parameters and bool(one.claim.parameters["counted"]) != bool(
            one.measured.get("meanings")
        ):
            found[i] = Verdict(one.claim, False, "whether marked words are known is told wrongly")
    rows.unpersist()
    return found or [Verdict(claim, True, "there is no document") for claim in release.claims]


def _unlike(engine: SparkEngine, rows: Frame) -> bool:
    """Whether two batches write the same group of meanings otherwise."""
    several = engine.functions.count_distinct("b").alias("several")
    found = rows.where("kind = 'form'").groupBy("a").agg(several).where("several > 1")
    return bool(found.limit(1).count())


def _inconsistent(engine: SparkEngine, rows: Frame) -> str | None:
    """What two batches show that does not go together."""
    functions, pairs = engine.functions, rows.where("kind = 'pair'")
    for key, other, problem in (
        ("b", "c", "an entity has two surrogates"),
        ("c", "b", "two entities share a surrogate"),
    ):
        several = pairs.groupBy("a", key).agg(functions.count_distinct(other).alias("several"))
        if several.where("several > 1").limit(1).count():
            return problem
    days = rows.where("kind = 'days'").rdd.map(lambda one: (one.a, set(json.loads(one.b))))
    if days.reduceByKey(lambda a, b: a & b).filter(lambda one: not one[1]).take(1):
        return "the dates of a group moved unequally"
    return None


def _judged(
    batches: Iterable[Batch], verb: str, claims: tuple[Claim, ...], lists: JsonObject
) -> Iterator[Data]:
    """The verdicts on every batch of documents, and what they show of the whole."""
    import pyarrow as pa

    for batch in batches:
        cells = {name: batch.column(i).to_pylist() for i, name in enumerate(batch.schema.names)}
        ids, before, after = cells[ID], cells["before"], cells["after"]
        if not ids:
            continue
        carried: JsonObject = {}
        pairs = zip(before, after, strict=True)
        if any((old is None) != (new is None) for old, new in pairs):
            why = "texts are missing, or documents were left out or added"
            verdicts = [Verdict(claim, False, why) for claim in claims]
        else:
            verdicts = _of_batch(verb, claims, lists, cells, carried)
        told = [(one.holds, one.reason, placed(one.where, ids), one.measured) for one in verdicts]
        rows: list[tuple[str | None, ...]] = [("verdicts", json.dumps(told), None, None)]
        for name, shown in carried.items():
            forms = {} if name == CONSISTENT else shown.forms
            rows += [("form", json.dumps([name, *one]), new, None) for one, new in forms.items()]
        if CONSISTENT in carried:
            shown = carried[CONSISTENT]
            rows += [("pair", kind, old, new) for (kind, old), new in shown.forward.items()]
            rows += [
                ("days", str(who), json.dumps(sorted(d)), None) for who, d in shown.days.items()
            ]
        columns = zip(*rows, strict=True)
        yield pa.RecordBatch.from_arrays(
            [pa.array(list(one), type=pa.string()) for one in columns],
            names=["kind", "a", "b", "c"],
        )


def _of_batch(
    verb: str,
    claims: tuple[Claim, ...],
    lists: JsonObject,
    cells: dict[str, Cells],
    carried: JsonObject,
) -> list[Verdict]:
    """The verdicts on some documents, from what was listed and, where it is known, marked."""
    changes, sides = [], Sides(**lists)
    if "marks" in cells:
        known = [json.loads(one) if one else [[], []] for one in cells["marks"]]
        changes = [Change(i, *one) for i, (_, some) in enumerate(known) for one in some]
        places = [(i, *m) for i, (some, _) in enumerate(known) for m in some]
        if Side.CHANGES in _needs(claims):
            sides = replace(sides, spans=places, groups=cells.get("whose"))
        else:
            sides = replace(sides, marks=places)
            has = any(node >= 0 for some, _ in known for *_, node, _ in some)
            claims = tuple(
                replace(one, parameters={**one.parameters, "counted": has})
                if "counted" in one.parameters
                else one
                for one in claims
            )
    release = Release(
        verb=verb,
        data=cells["after"],
        claims=claims,
        changes=Changes.of(changes),
        loss={},
        parameters={},
        sides=sides,
    )
    if any(kind(one.name).carries for one in claims):
        return verify_part(cells["before"], release, carried)
    return verify(cells["before"], release)


def _needs(claims: tuple[Claim, ...]) -> frozenset[Side]:
    """What the checks of some claims read."""
    return frozenset().union(*(kind(one.name).needs for one in claims))


def placed(where: str | None, ids: list[int]) -> str | None:
    """A place with the number that its document has in the whole."""
    if where is None:
        return None
    return PLACE.sub(lambda found: f"{found[1]} {ids[int(found[2])]}", where, count=1)
