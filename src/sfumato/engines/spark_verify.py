"""A release that Spark made, judged on Spark."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..claims import Side, is_recounted, kind
from ..core.claims import Verdict
from ..core.engine import is_spark_frame
from ..core.errors import BadInput
from ..core.release import Release, Sides
from ..core.spans import Changes
from ..formats.source import filled
from ..verification import verify
from .document_checks import by_document
from .record_checks import by_classes
from .spark import ID, by_number
from .spark_exchange import SparkExchange, blocks_of
from .suppress_checks import judged

if TYPE_CHECKING:
    from ..core.claims import Claim
    from .values import Frame, State


def judge_on_spark(original: Frame, release: Release) -> list[Verdict]:
    """One verdict for each claim of a release."""
    if not is_spark_frame(original):
        raise BadInput(
            "the release is a DataFrame of Spark", where="original", remedy="give one like it"
        )
    engine = replace(release.sides.engine, kept=[])
    try:
        return _judged(original, replace(release, sides=replace(release.sides, engine=engine)))
    finally:
        engine.forget()


def _judged(original: Frame, release: Release) -> list[Verdict]:
    if any(Side.SCHEMA in kind(one.name).needs for one in release.claims):
        return by_classes(original, release)
    if all(is_recounted(one.name) for one in release.claims):
        return [_judge_one(claim, original, release) for claim in release.claims]
    return by_document(original, release)


def _judge_one(claim: Claim, original: Frame, release: Release) -> Verdict:
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
        if parts == 1:  # all documents are one block
            (told,) = rows.map(lambda one: _told(one[1], claim)).collect()
            return Verdict(claim, *told)
        return judged(exchange, rows, claim)
    finally:
        exchange.close()


def _told(state: State, claim: Claim) -> tuple[bool, str, str | None, State]:
    labels = state["labels"]
    groups = labels.tolist() if claim.parameters["count"] == "groups" else None
    release = Release(
        verb="suppress",
        data=state["after"],
        claims=(claim,),
        changes=Changes.of(),
        loss={},
        parameters={},
        sides=Sides(groups=groups),
    )
    (found,) = verify(state["before"], release)
    return found.holds, found.reason, found.where, dict(found.measured)


def _row(state: State, occurrences: bool) -> State:
    before, after = state["before"], state["after"]
    missing = sum((a is None) != (b is None) for a, b in zip(before, after, strict=True))
    return {
        "ids": state["ids"],
        "before": filled(before),
        "after": filled(after),
        "labels": None if occurrences else state["labels"],
        "measured": {"missing": missing + state["nameless"]},
    }
