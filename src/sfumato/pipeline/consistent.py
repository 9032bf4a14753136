"""Whether a run's certificate agrees with itself and with the policy it was published with.

Whoever holds a folder without the steward's key cannot check the keyed seal, and anybody can make
the plain hashes anew. So what the certificate says twice must be the same, no claim may be missing
or worded otherwise than its parameters, and everything that the policy demands must be there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..core.claims import Claim
from ..core.errors import NotVerified
from ..verification import composed
from .required import implies
from .stages import steps_of
from .wording import is_reworded

if TYPE_CHECKING:
    from pathlib import Path

    from ..formats import Source
    from .policy import Policy
    from .stages import Step

# What a verb claims whatever it is told; `suppress` claims one thing or another.
ALWAYS = {
    "redact": ("term-k-anonymity", "no-term-in-clear"),
    "generalize": ("t-plausibility",),
    "sanitize": ("pattern-free",),
    "pseudonymize": ("consistent-pseudonyms", "only-spans-changed"),
    "anonymize": ("k-anonymity", "nothing-else-changed"),
}
# What policy, stage and claim must say alike, where they say it.
SHARED = (
    "k", "l", "t", "count", "unit", "keep", "cover", "collapse", "guarantee", "method", "diversity",
    "volume", "segment", "min_volume", "unknown", "dates", "separator", "strict",
)  # fmt: skip


def check(stated: Mapping[str, Any], policy: Policy, folder: Path) -> None:
    """Refuses a certificate that contradicts itself or its policy.

    Cost: O(claims).
    """
    try:
        problem = next(_contradictions(stated, policy), None)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        problem = "it is damaged"
    if problem is not None:
        raise NotVerified(
            f"the certificate contradicts itself or the policy: {problem}",
            where=str(folder / "certificate.json"),
            remedy="it was changed; ask for the release as it was written",
        )


def check_counts(
    stated: Mapping[str, Any], sources: Mapping[str | None, Source], folder: Path
) -> None:
    """Refuses counts that are not those of the released data."""
    source = next(iter(sources.values()))
    found = {"documents": len(source.texts)}
    if source.groups is not None:
        found["persons"] = len(set(source.groups))
    if stated["counts"] != found:
        raise NotVerified(
            "the certificate counts other documents or people than the release has",
            where=str(folder / "certificate.json"),
        )


def _contradictions(stated: Mapping[str, Any], policy: Policy) -> Iterator[str]:
    """What does not agree, in plain words."""
    steps, stages = steps_of(policy), stated["stages"]
    given = policy.input
    if (stated["parameters"]["person"], stated["parameters"]["columns"]) != (
        given.person,
        given.columns,
    ):
        yield "it names another person column or other text columns"
    for name in ("claims", "verdicts"):
        if stated[name] != _of_stages(name, steps, stages):
            yield f"its {name} are not those of its stages"
    for step, stage in zip(steps, stages, strict=True):
        for problem in _of_stage(step, stage):
            yield f"stage {step.number + 1}: {problem}"
    if stated["not_protected"] != list(
        dict.fromkeys(one for stage in stages for one in stage["not_protected"])
    ):
        yield "what is not protected is not what its stages say"
    yield from _of_demands(stated, policy)


def _of_stages(name: str, steps: Sequence[Step], stages: Sequence[Mapping[str, Any]]) -> list[Any]:
    return [
        one | {"stage": step.number + 1, "column": step.column}
        for step, stage in zip(steps, stages, strict=True)
        for one in stage[name]
    ]


def _of_stage(step: Step, stage: Mapping[str, Any]) -> Iterator[str]:
    claims = [Claim.of(one) for one in stage["claims"]]
    if [claim.name for claim in claims] != [one["claim"] for one in stage["verdicts"]]:
        yield "claims and verdicts do not belong together"
    if not all(one["holds"] is True for one in stage["verdicts"]):
        yield "a verdict does not hold"
    missing = set(_expected(stage)) - {claim.name for claim in claims}
    if missing:
        yield f"a claim of {stage['verb']} is missing"
    for claim in claims:
        if is_reworded(claim):
            yield f"{claim.name} is worded otherwise than its parameters"
        if _differ(claim.parameters.get, stage["parameters"].get):
            yield f"{claim.name} has other parameters than its stage"
    if _differ(lambda name: getattr(step.stage, name, None), stage["parameters"].get):
        yield "its parameters are not the policy's"


def _expected(stage: Mapping[str, Any]) -> tuple[str, ...]:
    """The claims that a stage must have."""
    given = stage["parameters"]
    if stage["verb"] == "suppress":
        return ("word-k-anonymity" if given["cover"] == "word" else "substring-k-anonymity",)
    more = {"l": "l-diversity", "t": "t-closeness"} if stage["verb"] == "anonymize" else {}
    asked = tuple(claim for name, claim in more.items() if given.get(name) is not None)
    return (*ALWAYS[stage["verb"]], *asked)


def _differ(one: Callable[[str], Any], other: Callable[[str], Any]) -> bool:
    """Whether two name a shared parameter differently; what one does not name cannot differ."""
    return any(
        one(name) is not None and other(name) is not None and one(name) != other(name)
        for name in SHARED
    )


def _of_demands(stated: Mapping[str, Any], policy: Policy) -> Iterator[str]:
    """What the policy demands and the certificate does not say."""
    if not all(one["holds"] is True for one in stated["demanded"]):
        yield "a demanded claim does not hold"
    for demanded in policy.claims:
        told = [one for one in stated["demanded"] if one["claim"] == demanded.claim]
        if not told:
            yield f"{demanded.claim} is demanded, and no verdict on it is there"
        given = (
            Claim.of(one)
            for one in stated["claims"]
            if demanded.columns is None or one["column"] in demanded.columns
        )
        if any(implies(claim, demanded) for claim in given):
            continue
        least = min((one["measured"].get("smallest_count", 0) for one in told), default=0)
        counted = demanded.claim in composed.COUNTED and demanded.k is not None
        if not counted or least < (demanded.k or 0):
            yield f"{demanded.claim} is demanded more strongly than it is claimed"
