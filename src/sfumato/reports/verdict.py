"""The verdict at the top of a report: what is protected, what is still found, what was lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from ..attacks.explanations import title
from ..core.numbers import percent
from .attack_section import BY_CLASSES
from .attack_section import verdict as standing

Json = Mapping[str, Any]

_PRIVATE = "Figures of {what} are measured on the original: they are in the steward's own report."
_CHANGES = ("nothing-else-changed",)  # a claim about what was changed protects nobody
_LOST = (
    ("changed_share", "of the characters of the texts were changed"),
    ("suppressed_ratio", "of the characters were starred"),
    ("redacted_share", "of the characters were redacted"),
    ("NCP_A", "of the detail in the columns was lost"),
    ("NCP_X", "of the terms in the texts were lost"),
)


def verdict(judged: Sequence[tuple[Json, Json | None]], figures: Json, loss: Json) -> str:
    """One card for who decides; `judged` are the claims with their verdicts.

    >>> held = [({"name": "a", "statement": "Nobody is alone."}, {"holds": True})]
    >>> card = verdict(held, {}, {"changed_share": 0.34})
    >>> "All claims verified" in card, "34% of the characters" in card
    (True, True)
    """
    failed = [claim for claim, found in judged if found is not None and not found["holds"]]
    unjudged = [claim for claim, found in judged if found is None]
    said, kind = _title(len(judged), len(failed), len(unjudged))
    protected = [
        _statement(claim)
        for claim, found in judged
        if found and found["holds"] and claim["name"] not in _CHANGES
    ]
    parts = [
        ("Protected", list(dict.fromkeys(protected)) or ["Nothing is guaranteed."]),
        ("An attacker still finds", _found(figures)),
        ("Lost", _lost(loss)),
    ]
    rows = "".join(
        f"<dt>{name}</dt><dd>{''.join(f'<p>{escape(one)}</p>' for one in told)}</dd>"
        for name, told in parts
    )
    return f'<div class="verdict {kind}"><h2>{escape(said)}</h2><dl>{rows}</dl></div>'


def _title(claims: int, failed: int, unjudged: int) -> tuple[str, str]:
    if not claims:
        return "Nothing is claimed about this release", "care"
    if failed:
        return f"Do not publish: {failed} of {claims} claims do not hold", "bad"
    if unjudged:
        return f"Not judged yet: {unjudged} of {claims} claims", "care"
    return "All claims verified", "good"


def _statement(claim: Json) -> str:
    """The first sentence: the section on claims has the rest."""
    column = f" (in {claim['column']})" if claim.get("column") else ""
    first, *_ = str(claim.get("statement") or claim["name"]).split(". ")
    return f"{first.rstrip('.')}{column}."


def _found(figures: Json) -> list[str]:
    """The strongest attacks in a sentence each; those above their control first."""
    results = figures.get("attacks") or []
    if not results:
        return [_PRIVATE.format(what="attacks"), "What no claim speaks of is listed below."]
    compared = [one for one in results if not standing(one).startswith("no ")]
    above = [one for one in compared if standing(one) == "above"]
    if above:
        told = [
            f"{title(str(one['name']))} succeeds for {percent(one['success'])}; against people "
            f"who are not in the data for {percent(one.get('control'))}."
            for one in sorted(above, key=lambda one: -one["success"])
        ]
        return [f"{len(above)} of {len(compared)} attacks do better than chance would:", *told]
    beside = [one for one in results if one["name"] in BY_CLASSES and one["name"] == "prosecutor"]
    told = [
        f"Within a class, the right person is picked for at most {percent(one['success'])}."
        for one in beside
    ]
    if not compared:
        return told or ["No attack had a control to be compared with."]
    strongest = max(compared, key=lambda one: one["success"])
    return [
        f"{len(compared)} attacks reach no more than against people who are not in the data. "
        f"The strongest: {title(str(strongest['name'])).lower()}, {percent(strongest['success'])} "
        f"(control {percent(strongest.get('control'))}).",
        *told,
    ]


def _lost(loss: Json) -> list[str]:
    told = [f"{percent(float(loss[name]))} {words}." for name, words in _LOST if name in loss]
    return told or [_PRIVATE.format(what="loss")]
