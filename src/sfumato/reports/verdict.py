"""The verdict at the top of a report: what is protected, what is still found, what was lost."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from ..attacks.explanations import title
from ..core.numbers import percent
from .attack_verdict import verdict as standing
from .short_claims import in_short

if TYPE_CHECKING:
    from ..core.values import JsonValues as Json

_PRIVATE = "{what} measured on the original. The steward's private report has the figures."
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
    above = sum(standing(one) == "above" for one in figures.get("attacks") or [])
    said, kind = _title(len(judged), len(failed), len(unjudged), above)
    protected = [
        in_short(claim)
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


def _title(claims: int, failed: int, unjudged: int, above: int) -> tuple[str, str]:
    if not claims:
        return "Nothing is claimed about this release", "care"
    if failed:
        return f"Do not publish: {failed} of {claims} claims do not hold", "bad"
    if unjudged:
        return f"Not judged yet: {unjudged} of {claims} claims", "care"
    if above:
        still = "1 attack still succeeds" if above == 1 else f"{above} attacks still succeed"
        return f"All claims verified, but {still}", "care"
    return "All claims verified", "good"


def _found(figures: Json) -> list[str]:
    """The strongest attacks in a sentence each; those above their control first."""
    results = figures.get("attacks") or []
    if not results:
        return [
            _PRIVATE.format(what="Attacks are"),
            "What no claim covers is listed below, under “What is not protected”.",
        ]
    compared = [one for one in results if not standing(one).startswith("no ")]
    above = [one for one in compared if standing(one) == "above"]
    if above:
        told = [
            f"{title(str(one['name']))}: right in {percent(one['success'])} of the cases; on "
            f"people who are not in the data in {percent(one.get('control'))}."
            for one in sorted(above, key=lambda one: -one["success"])
        ]
        more = "succeeds" if len(above) == 1 else "succeed"
        return [
            f"{len(above)} of {len(compared)} attacks {more} more often than general knowledge "
            "allows:",
            *told,
        ]
    told = [
        "Who knows a person's group of people who look alike picks the right record in at most "
        f"{percent(one['success'])} of the cases."
        for one in results
        if one["name"] == "prosecutor"
    ]
    if not compared:
        return told or ["No attack had a control to be compared with."]
    strongest = max(compared, key=lambda one: one["success"])
    return [
        f"Nothing beyond general knowledge: {len(compared)} attacks succeed no more often than on "
        f"people who are not in the data. The strongest, {title(str(strongest['name'])).lower()}, "
        f"is right in {percent(strongest['success'])} of the cases; on people who are not in the "
        f"data in {percent(strongest.get('control'))}.",
        *told,
    ]


def _lost(loss: Json) -> list[str]:
    told = [f"{percent(float(loss[name]))} {words}." for name, words in _LOST if name in loss]
    return told or [_PRIVATE.format(what="The loss is")]
