"""A release that Spark made, judged on Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.claims import Verdict
from ..core.engine import is_spark_frame
from ..core.errors import BadInput
from ..formats.source import filled
from .document_checks import by_document
from .exchange import Here
from .record_checks import by_classes
from .spark import ID, by_number
from .spark_exchange import SparkExchange, blocks_of
from .suppress_checks import judged

if TYPE_CHECKING:
    from ..core.claims import Claim
    from ..core.release import Release
    from .values import Frame, State


BY_DOCUMENT = frozenset(("redact", "generalize", "sanitize", "pseudonymize"))
"""The verbs whose claims speak of one document at a time."""


def judge_on_spark(original: Frame, release: Release) -> list[Verdict]:
    """One verdict for each claim of a release."""
    if not is_spark_frame(original):
        raise BadInput(
            "the release is a DataFrame of Spark", where="original", remedy="give one like it"
        )
    if release.verb in BY_DOCUMENT:
        return by_document(original, release)
    if release.verb == "anonymize":
        return by_classes(original, release)
    return [_judge_one(claim, original, release) for claim in release.claims]


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
        if parts == 1:  # one block asks nobody
            (told,) = rows.map(lambda one: _told(one[1], claim)).collect()
            return Verdict(claim, *told)
        return judged(exchange, rows, claim)
    finally:
        exchange.close()


def _told(state: State, claim: Claim) -> tuple[bool, str, str | None, State]:
    found = judged(Here(1), [state], claim)
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
