"""The claims a policy demands of the final data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..claims import find, is_recounted, kind
from ..core.corpus import Corpus
from ..core.errors import BadInput, NotVerified
from ..methods import givers_of, methods
from ..received.policy import ASKED
from ..verification import composed_claims
from . import chains
from .yaml_places import yaml_path

if TYPE_CHECKING:
    from ..core.claims import Claim, Verdict
    from .policy import Policy, RequiredClaim
    from .steps import StageResult, TakenStage


Counted = Callable[["Claim", "str | None"], "Verdict | None"]


def judge_demands(
    policy: Policy,
    done: Sequence[TakenStage],
    judged: Mapping[int, Sequence[composed_claims.StageVerdict]],
    counted: Counted,
) -> list[tuple[str | None, Verdict]]:
    """The verdict on every demanded claim, by column: a stage's own, or counted in the release.

    `counted` judges a claim of what is legible by the final texts of a column.
    """
    result = []
    for number, demanded in enumerate(policy.claims):
        place = yaml_path(["claims", number])
        for column in demanded.columns or _columns(demanded, policy, done):
            if column is not None and all(one.step.column != column for one in done):
                raise NotVerified(
                    f"{demanded.claim} is demanded of a text column that no stage works on; "
                    "nothing was written",
                    where=place,
                    remedy="let a stage work on it, or name the columns the claim is meant for",
                )
            verdict = _of_stages(demanded, column, done, judged)
            verdict = verdict or _counted(demanded, column, policy, counted)
            if verdict is None:
                raise NotVerified(
                    f"no stage gives the claim {demanded.claim} so strongly; nothing was written",
                    where=place,
                    remedy="add the stage that gives it, or ask for less",
                )
            if not verdict.holds:
                raise NotVerified(
                    f"{demanded.claim} does not hold for the final data: {verdict.reason}; "
                    "nothing was written",
                    where=f"{place}, {verdict.where}" if verdict.where else place,
                )
            result.append((column, verdict))
    return result


def check_demands(policy: Policy) -> None:
    """Refuses demands that no stage could meet, before anything is read."""
    for number, demanded in enumerate(policy.claims):
        givers = givers_of(demanded.claim)
        known = sorted({name for one in methods() for name in one.can_claim})
        if not givers:
            raise BadInput(
                "no such claim",
                where=yaml_path(["claims", number, "claim"]),
                remedy=f"one of {', '.join(known)}",
            )
        _given_by(policy, demanded, number, givers)


def _given_by(policy: Policy, demanded: RequiredClaim, number: int, givers: Sequence[str]) -> None:
    """Some stage must give the claim as strongly as it is demanded."""
    stages = [stage for stage in policy.stages if stage.verb in givers]
    known = kind(demanded.claim)
    if not stages and known.in_any is not None and demanded.k is not None:
        return  # counted in whatever is released
    if not stages:
        raise BadInput(
            f"no stage gives {demanded.claim}",
            where=yaml_path(["claims", number, "claim"]),
            remedy=f"add one of {', '.join(givers)}, or take it out",
        )
    for name in sorted(known.bounded_by):
        bounds = [getattr(stage, name, None) for stage in stages]
        if all(known.falls_short(bound, getattr(demanded, name)) for bound in bounds):
            raise BadInput(
                f"every stage gives {demanded.claim} up to a {name} only",
                where=yaml_path(["claims", number]),
                remedy=f"demand it with the same {name}, or take {name} out of the stage",
            )
    for name in ("k", "l", "t", "knows", "common", "delta"):
        asked = getattr(demanded, name)
        options = known.given_by.get(name, name), name
        given = [
            next(
                (one for one in (getattr(stage, of, None) for of in options) if one is not None),
                None,
            )
            for stage in stages
        ]
        found = [one for one in given if isinstance(one, int | float)]
        if asked is None or any(known.reaches(name, one, asked) for one in found):
            continue
        raise BadInput(
            f"no stage gives {demanded.claim} so strongly",
            where=yaml_path(["claims", number, name]),
            remedy="ask for less, or let the stage give more",
        )


def _columns(
    demanded: RequiredClaim, policy: Policy, done: Sequence[TakenStage]
) -> list[str | None]:
    """The columns a claim is demanded of.

    What is legible can be counted in all texts; else those of a stage that gives it, else all.
    """
    if is_recounted(demanded.claim) and policy.input.columns is not None:
        return list(policy.input.columns)
    giving = [
        one.step.column
        for one in done
        if any(claim.name == demanded.claim for claim in one.release.claims)
    ]
    return list(dict.fromkeys(giving or chains.columns_of(done) or [None]))


def _of_stages(
    demanded: RequiredClaim,
    column: str | None,
    done: Sequence[TakenStage],
    judged: Mapping[int, Sequence[composed_claims.StageVerdict]],
) -> Verdict | None:
    for number, one in enumerate(done):
        if one.step.column != column:
            continue
        for found in judged[number]:
            if implies(found.verdict.claim, demanded):
                return found.verdict
    return None


def implies(claim: Claim, demanded: RequiredClaim) -> bool:
    """Whether a claim is at least as strong as what is demanded.

    >>> from ..core.claims import Claim
    >>> from .policy import RequiredClaim
    >>> implies(Claim("substring-k-anonymity", "", {"k": 5}),
    ...         RequiredClaim(claim="substring-k-anonymity", k=3))
    True
    """
    known = find(claim.name)
    if known is None or claim.name != demanded.claim:
        return False
    asked = {name: getattr(demanded, name) for name in ASKED if getattr(demanded, name) is not None}
    return known.implies(claim.parameters, asked)


def _counted(
    demanded: RequiredClaim, column: str | None, policy: Policy, counted: Counted
) -> Verdict | None:
    """Substrings can be counted in any release, whatever made it."""
    known = kind(demanded.claim)
    if known.in_any is None or demanded.k is None:
        return None
    by_people = policy.input.person is not None and demanded.count in (None, "groups")
    count = demanded.count or ("groups" if by_people else "documents")
    claim = known.claim({"k": demanded.k, "count": count, **known.in_any})
    return counted(claim, column)


def recounted(done: Sequence[StageResult], claim: Claim, column: str | None) -> Verdict | None:
    """A claim of what is legible, counted in the final texts of a column."""
    if column is None and chains.table_at(done) is not None:
        return None
    last = chains.of_column(done, column)[-1]
    groups = last.source.groups if claim.parameters["count"] == "groups" else None
    return composed_claims.recount(claim, Corpus.of(last.release.data).texts, groups)
