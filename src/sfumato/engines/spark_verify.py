"""A release that Spark made, judged on Spark."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..core.claims import Verdict
from ..core.engine import is_spark_frame
from ..core.errors import BadInput
from ..core.release import Release, Sides
from ..core.spans import Change, Changes
from ..core.totals import DOCUMENT, joined
from ..verification import verify
from .spark import ID, MARKS, SparkExchange, blocks_of, by_number, by_parts
from .suppress_checks import judged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..core.claims import Claim
    from ..core.values import Data
    from .exchange import State


BY_DOCUMENT = frozenset(("redact", "generalize"))
"""The verbs whose claims speak of one document at a time."""


def judge_on_spark(original: Any, release: Release) -> list[Verdict]:
    """One verdict for each claim of a release."""
    if not is_spark_frame(original):
        raise BadInput(
            "the release is a DataFrame of Spark", where="original", remedy="give one like it"
        )
    if release.verb in BY_DOCUMENT:
        return _by_document(original, release)
    return [_judge_one(claim, original, release) for claim in release.claims]


def _by_document(original: Data, release: Release) -> list[Verdict]:
    """Claims that speak of one document at a time: each is judged where it lies."""
    engine = release.sides.engine
    column = engine.text_of(original)
    before = by_number(engine, original, {column: "before"})
    both = before.join(by_number(engine, release.data, {column: "after"}), ID, "full")
    sides = release.sides
    if sides.marks is not None:
        both = both.join(by_number(engine, sides.marks, {MARKS: "marks"}), ID, "left")
    lists = {
        name: None if value is None else list(value)
        for name in ("terms", "published", "direct", "words", "t_words", "frequencies")
        for value in (getattr(sides, name),)
    }
    sent = engine.session.sparkContext.broadcast((release.verb, release.claims, lists))
    found: list[Verdict] = []
    rows = by_parts(both, lambda batches: _judged(batches, *sent.value), "found string")
    for row in rows.toLocalIterator():
        here = [
            Verdict(release.claims[i], holds, reason, where, measured)
            for i, (holds, reason, where, measured) in enumerate(json.loads(row.found))
        ]
        found = joined(found, here)
    for i, one in enumerate(found):  # each batch was judged by what it has itself
        said = one.claim.parameters.get("counted", one.measured.get("meanings"))
        if one.holds and bool(said) != bool(one.measured.get("meanings")):
            found[i] = Verdict(one.claim, False, "whether marked words are known is told wrongly")
    return found or [Verdict(claim, True, "there is no document") for claim in release.claims]


def _judged(
    batches: Iterable[Data], verb: str, claims: tuple[Claim, ...], lists: dict[str, Any]
) -> Iterator[Data]:
    """The verdicts on every batch of documents."""
    import pyarrow as pa

    for batch in batches:
        ids, before, after = (batch.column(i).to_pylist() for i in range(3))
        if not ids:
            continue
        marks = batch.column(3).to_pylist() if batch.num_columns > 3 else None
        pairs = list(zip(before, after, strict=True))
        if any((old is None) != (new is None) for old, new in pairs):
            why = "texts are missing, or documents were left out or added"
            verdicts = [Verdict(claim, False, why) for claim in claims]
        else:
            verdicts = _of_batch(verb, claims, lists, before, after, marks)
        told = [(one.holds, one.reason, _placed(one.where, ids), one.measured) for one in verdicts]
        yield pa.RecordBatch.from_pydict({"found": [json.dumps(told)]})


def _of_batch(
    verb: str,
    claims: tuple[Claim, ...],
    lists: dict[str, Any],
    before: list[Any],
    after: list[Any],
    marks: list[str] | None,
) -> list[Verdict]:
    """The verdicts on some documents, from what was listed and, where it is known, marked."""
    changes, sides = [], Sides(**lists)
    if marks is not None:
        known = [json.loads(one) if one else [[], []] for one in marks]
        sides = replace(sides, marks=[(i, *m) for i, (some, _) in enumerate(known) for m in some])
        changes = [Change(i, *one) for i, (_, some) in enumerate(known) for one in some]
        has = any(node >= 0 for some, _ in known for *_, node, _ in some)
        claims = tuple(
            replace(one, parameters={**one.parameters, "counted": has})
            if "counted" in one.parameters
            else one
            for one in claims
        )
    release = Release(
        verb=verb,
        data=after,
        claims=claims,
        changes=Changes.of(changes),
        loss={},
        parameters={},
        sides=sides,
    )
    return verify(before, release)


def _placed(where: str | None, ids: list[int]) -> str | None:
    """A place with the number that its document has in the whole."""
    if where is None:
        return None
    return DOCUMENT.sub(lambda found: f"document {ids[int(found[1])]}", where)


def _judge_one(claim: Claim, original: Any, release: Release) -> Verdict:
    if claim.name != "substring-k-anonymity" or claim.parameters.get("copies") == "once":
        return Verdict(claim, False, "Spark has no check for it")
    groups = release.sides.groups
    whose = str(groups) if isinstance(groups, str) else None
    if claim.parameters["count"] == "groups" and whose is None:
        raise BadInput("expected the name of a column", where="groups", remedy="name it")
    engine = release.sides.engine
    column = engine.text_of(original, *([] if whose is None else [whose]))
    missing = [name for name in (column, whose) if name and name not in release.data.columns]
    if column in missing:
        return Verdict(claim, False, "the release has no column of texts")
    before = by_number(engine, original, {column: "before", **({whose: "whose"} if whose else {})})
    after = by_number(engine, release.data, {column: "after"})
    both = before.join(after, ID, "full")
    parts = engine.parts_for(original, column)
    exchange = SparkExchange(engine.session.sparkContext, parts)
    occurrences = claim.parameters["count"] == "occurrences"
    rows = exchange.each(
        blocks_of(engine, both, ["before", "after"], "whose" if whose else None, parts),
        lambda state: _row(state, occurrences),
    )
    exchange.keep(rows)
    try:
        found = exchange.total(rows, lambda state: state["measured"])
        if found["missing"]:
            return Verdict(claim, False, "texts are missing, or documents were left out or added")
        return judged(exchange, rows, claim)
    finally:
        exchange.close()


def _row(state: State, occurrences: bool) -> State:
    before, after = state["before"], state["after"]
    missing = sum((a is None) != (b is None) for a, b in zip(before, after, strict=True))
    return {
        "ids": state["ids"],
        "before": [one or "" for one in before],
        "after": [one or "" for one in after],
        "labels": None if occurrences else state["labels"],
        "measured": {"missing": missing + state["nameless"]},
    }
