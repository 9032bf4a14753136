"""The verdict at the top of a report: what is protected, what is still found, what was lost."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from ..attacks.explanations import title
from ..core.numbers import percent
from .attack_verdict import verdict as standing
from .short_claims import KEPT, PSEUDONYMS, in_short, kept

if TYPE_CHECKING:
    from ..core.values import JsonValues as Json

_PRIVATE = "{what} measured on the original. The steward's private report has the figures."
_LOST = (
    ("changed_share", "of the characters of the texts were changed"),
    ("suppressed_ratio", "of the characters were starred"),
    ("redacted_share", "of the characters were redacted"),
    ("NCP_A", "of the detail in the columns was lost"),
    ("NCP_X", "of the recognised terms in the texts were lost"),
)


def verdict(judged: Sequence[tuple[Json, Json | None]], figures: Json, loss: Json) -> str:
    """One card for who decides; `judged` are the claims with their verdicts.

    >>> held = [({"name": "a", "statement": "Nobody is alone."}, {"holds": True})]
    >>> card = verdict(held, {}, {"changed_share": 0.34})
    >>> "The guarantee was checked and holds" in card, "34% of the characters" in card
    (True, True)
    """
    failed = [claim for claim, found in judged if found is not None and not found["holds"]]
    unjudged = [claim for claim, found in judged if found is None]
    stands = [standing(one) for one in figures.get("attacks") or []]
    above, perhaps = stands.count("above"), stands.count("perhaps above")
    holding = [claim for claim, found in judged if found and found["holds"]]
    anonymous = any(claim["name"] not in PSEUDONYMS for claim, _ in judged)
    said, kind = _title(len(judged), len(failed), len(unjudged), (above, perhaps), anonymous)
    protected = [in_short(claim) for claim in holding if claim["name"] not in KEPT]
    left = [words for words in map(kept, holding) if words is not None]
    parts = [
        ("Protected", protected or ["Nothing is guaranteed."]),
        ("An attacker still finds", _found(figures)),
        ("Lost", _lost(loss)),
        ("Kept", left),
    ]
    rows = "".join(
        f"<dt>{name}</dt><dd>{''.join(f'<p>{escape(one)}</p>' for one in dict.fromkeys(told))}</dd>"
        for name, told in parts
        if told
    )
    return f'<div class="verdict {kind}"><h2>{escape(said)}</h2><dl>{rows}</dl></div>'


def _title(
    claims: int, failed: int, unjudged: int, attacks: tuple[int, int], anonymous: bool
) -> tuple[str, str]:
    above, perhaps = attacks
    if not claims:
        return "Nothing is guaranteed about this release", "care"
    if failed:
        verb = "does" if failed == 1 else "do"
        return f"Do not publish: {failed} of {claims} guarantees {verb} not hold", "bad"
    if unjudged:
        return f"Not checked yet: {unjudged} of {claims} guarantees", "care"
    held = "The guarantee was checked and holds"
    if claims > 1:
        held = f"All {claims} guarantees were checked and hold"
    if not anonymous:
        return f"Pseudonymised, not anonymous. {held}", "care"
    if above:
        still = "1 attack still succeeds" if above == 1 else f"{above} attacks still succeed"
        return f"{held}, but {still}", "care"
    if perhaps:
        many = "1 attack" if perhaps == 1 else f"{perhaps} attacks"
        return f"{held}, but {many} may still succeed", "care"
    return held, "good"


def _found(figures: Json) -> list[str]:
    """The strongest attacks in a sentence each; those above their control first."""
    results = figures.get("attacks") or []
    if not results:
        return [
            _PRIVATE.format(what="How often attacks succeed is"),
            "What no guarantee covers is listed below, under “What is not protected”.",
        ]
    compared = [one for one in results if not standing(one).startswith("no ")]
    for word, clearly in (("above", "clearly"), ("perhaps above", "probably")):
        beating = [one for one in compared if standing(one) == word]
        if beating:
            more = "succeeds" if len(beating) == 1 else "succeed"
            return [
                f"{len(beating)} of {len(compared)} attacks {clearly} {more} more often than "
                "general knowledge allows:",
                *map(_success, sorted(beating, key=lambda one: -one["success"])),
            ]
    told = [
        "Somebody who knows to which group of people who look alike a person belongs picks the "
        f"right record in at most {percent(one['success'])} of the cases."
        for one in results
        if one["name"] == "prosecutor"
    ]
    if not compared:
        return told or ["No attack had a control to be compared with."]
    strongest = max(compared, key=lambda one: one["success"])
    name, chance = title(str(strongest["name"])).lower(), strongest["success"]
    outside = strongest.get("control") or 0.0
    many = "The attack is not" if len(compared) == 1 else f"None of {len(compared)} attacks is"
    return [
        f"Little beyond general knowledge. {many} clearly more often right than on people who are "
        f"not in the data. The most successful, {name}, is right in {percent(chance)} of the cases "
        f"({percent(outside)} on people who are not in the data"
        + ("; the difference may be chance)." if chance > outside else ")."),
        *told,
    ]


def _success(one: Json) -> str:
    return (
        f"{title(str(one['name']))}: right in {percent(one['success'])} of the cases "
        f"({percent(one.get('control'))} on people who are not in the data)."
    )


def _lost(loss: Json) -> list[str]:
    told = [f"{percent(float(loss[name]))} {words}." for name, words in _LOST if name in loss]
    return told or [_PRIVATE.format(what="The loss is")]
