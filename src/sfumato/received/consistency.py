"""Whether a run's certificate agrees with itself and with the policy it was published with.

Whoever holds a folder without the steward's key cannot check the keyed seal, and anybody can make
the plain hashes anew. So what the certificate says twice must be the same, no claim may be missing
or worded otherwise than its parameters, and everything that the policy demands must be there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import TYPE_CHECKING

from ..claims import find, is_recounted, is_reworded, kind, kinds
from ..core.errors import NotVerified
from ..methods import method

if TYPE_CHECKING:
    from ..formats import Source
    from .certificate import Certificate, Stage
    from .policy import Demand, PublishedPolicy, PublishedStep


def check_consistency(certificate: Certificate, policy: PublishedPolicy) -> None:
    """Refuses a certificate that contradicts itself or its policy.

    Cost: O(claims).
    """
    try:
        problem = next(_contradictions(certificate, policy), None)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        problem = "it is damaged"
    if problem is not None:
        raise NotVerified(
            f"the certificate contradicts itself or the policy: {problem}",
            where=str(certificate.path),
            remedy="it was changed; ask for the release as it was written",
        )


def check_counts(certificate: Certificate, sources: Mapping[str | None, Source]) -> None:
    """Refuses counts that are not those of the released data."""
    source = next(iter(sources.values()))
    found = {"documents": len(source.texts)}
    if source.groups is not None:
        found["persons"] = len(set(source.groups))
    if certificate.counts != found:
        raise NotVerified(
            "the certificate counts other documents or people than the release has",
            where=str(certificate.path),
        )


def _contradictions(certificate: Certificate, policy: PublishedPolicy) -> Iterator[str]:
    """What does not agree, in plain words."""
    told, columns = certificate.parameters, certificate.parameters["columns"]
    same = policy.columns == (None if columns is None else tuple(columns))
    if told["person"] != policy.person or not same:
        yield "it names another person column or other text columns"
    for name in ("claims", "verdicts"):
        if certificate.body[name] != _of_stages(name, certificate, policy):
            yield f"its {name} are not those of its stages"
    for step, stage in zip(policy.steps, certificate.stages, strict=True):
        for problem in _of_stage(step, stage, certificate.format):
            yield f"stage {step.number + 1}: {problem}"
    left = dict.fromkeys(one for stage in certificate.stages for one in stage.not_protected)
    if certificate.not_protected != tuple(left):
        yield "what is not protected is not what its stages say"
    yield from _of_demands(certificate, policy)


def _of_stages(name: str, certificate: Certificate, policy: PublishedPolicy) -> list[object]:
    return [
        one | {"stage": step.number + 1, "column": step.column}
        for step, stage in zip(policy.steps, certificate.body["stages"], strict=True)
        for one in stage[name]
    ]


def _of_stage(step: PublishedStep, stage: Stage, format: int) -> Iterator[str]:
    if [claim.name for claim in stage.claims] != [one.claim for one in stage.verdicts]:
        yield "claims and verdicts do not belong together"
    if not all(one.holds for one in stage.verdicts):
        yield "a verdict does not hold"
    given = method(stage.verb).claims(stage.parameters)
    expected = {name for name in given if kind(name).since <= format}
    if expected - {claim.name for claim in stage.claims}:
        yield f"a claim of {stage.verb} is missing"
    for claim in stage.claims:
        if is_reworded(claim):
            yield f"{claim.name} is worded otherwise than its parameters"
        known = find(claim.name)
        settings = frozenset[str]() if known is None else known.settings
        if _differ(claim.parameters, stage.parameters, settings):
            yield f"{claim.name} has other parameters than its stage"
    if _differ(step.settings, stage.parameters, _settings()):
        yield "its parameters are not the policy's"


def _settings() -> frozenset[str]:
    """What policy and stage must say alike: settings that claims state, and how they are met."""
    return frozenset(("cover", "method")).union(*(kind.settings for kind in kinds()))


def _differ(one: Mapping[str, object], other: Mapping[str, object], names: Set[str]) -> bool:
    """Whether two name a setting differently; what one does not name cannot differ."""
    return any(
        one.get(name) is not None
        and other.get(name) is not None
        and one.get(name) != other.get(name)
        for name in names
    )


def _of_demands(certificate: Certificate, policy: PublishedPolicy) -> Iterator[str]:
    """What the policy demands and the certificate does not say."""
    if not all(one.holds for one in certificate.demanded):
        yield "a demanded claim does not hold"
    for demand in policy.demands:
        told = [one for one in certificate.demanded if one.claim == demand.claim]
        if not told:
            yield f"{demand.claim} is demanded, and no verdict on it is there"
        if _is_claimed(certificate, demand):
            continue
        least = min((one.measured.get("smallest_count", 0) for one in told), default=0)
        asked = demand.asked.get("k")
        if not is_recounted(demand.claim) or asked is None or least < asked:
            yield f"{demand.claim} is demanded more strongly than it is claimed"


def _is_claimed(certificate: Certificate, demand: Demand) -> bool:
    """Whether a stage claims as much, of a column that the demand is about."""
    known = find(demand.claim)
    return known is not None and any(
        claim.name == demand.claim and known.implies(claim.parameters, demand.asked)
        for stage in certificate.stages
        if demand.columns is None or stage.column in demand.columns
        for claim in stage.claims
    )
