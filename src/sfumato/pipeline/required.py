"""The claims a policy demands of the final data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..core.claims import Claim, Verdict
from ..core.corpus import Corpus
from ..core.errors import BadInput, NotVerified
from ..verification import composed
from . import chains
from .policy import yaml_path

if TYPE_CHECKING:
    from .policy import Policy, Required
    from .run import Done

AT_MOST = ("t-closeness",)  # claims whose number must not be exceeded


def judge(
    policy: Policy, done: Sequence[Done], judged: Mapping[int, Sequence[composed.Judged]]
) -> list[tuple[str | None, Verdict]]:
    """The verdict on every demanded claim, by column: a stage's own, or counted in the release."""
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
            verdict = verdict or _counted(demanded, column, done)
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


def check(policy: Policy) -> None:
    """Refuses demands that no stage could meet, before anything is read."""
    from .certificate import CLAIMS

    for number, demanded in enumerate(policy.claims):
        givers = [verb for verb, names in CLAIMS.items() if demanded.claim in names]
        if not givers:
            known = sorted({name for names in CLAIMS.values() for name in names})
            raise BadInput(
                "no such claim",
                where=yaml_path(["claims", number, "claim"]),
                remedy=f"one of {', '.join(known)}",
            )
        _given_by(policy, demanded, number, givers)


def _given_by(policy: Policy, demanded: Required, number: int, givers: Sequence[str]) -> None:
    """Some stage must give the claim as strongly as it is demanded."""
    stages = [stage for stage in policy.stages if stage.verb in givers]
    if demanded.claim == "substring-k-anonymity" and demanded.k is not None:
        return  # counted in whatever is released
    if not stages:
        raise BadInput(
            f"no stage gives {demanded.claim}",
            where=yaml_path(["claims", number, "claim"]),
            remedy=f"add one of {', '.join(givers)}, or take it out",
        )
    for name in ("k", "l", "t"):
        asked = getattr(demanded, name)
        given = [getattr(stage, name, None) for stage in stages]
        found = [one for one in given if isinstance(one, int | float)]
        at_most = demanded.claim in AT_MOST
        if asked is None or any(one <= asked if at_most else one >= asked for one in found):
            continue
        raise BadInput(
            f"no stage gives {demanded.claim} so strongly",
            where=yaml_path(["claims", number, name]),
            remedy="ask for less, or let the stage give more",
        )


def _columns(demanded: Required, policy: Policy, done: Sequence[Done]) -> list[str | None]:
    """The columns a claim is demanded of.

    What is legible can be counted in all texts; else those of a stage that gives it, else all.
    """
    if demanded.claim in composed.COUNTED and policy.input.columns is not None:
        return list(policy.input.columns)
    giving = [
        one.step.column
        for one in done
        if any(claim.name == demanded.claim for claim in one.release.claims)
    ]
    return list(dict.fromkeys(giving or chains.columns_of(done) or [None]))


def _of_stages(
    demanded: Required,
    column: str | None,
    done: Sequence[Done],
    judged: Mapping[int, Sequence[composed.Judged]],
) -> Verdict | None:
    for number, one in enumerate(done):
        if one.step.column != column:
            continue
        for found in judged[number]:
            if implies(found.verdict.claim, demanded):
                return found.verdict
    return None


def implies(claim: Claim, demanded: Required) -> bool:
    """Whether a claim is at least as strong as what is demanded.

    >>> from .policy import Required
    >>> implies(Claim("substring-k-anonymity", "", {"k": 5}),
    ...         Required(claim="substring-k-anonymity", k=3))
    True
    """
    if claim.name != demanded.claim:
        return False
    for name in ("k", "l", "t"):
        least = getattr(demanded, name)
        if least is None:
            continue
        found: Any = claim.parameters.get(name)
        if not isinstance(found, int | float):
            return False
        if found > least if claim.name in AT_MOST else found < least:
            return False
    return demanded.count in (None, claim.parameters.get("count"))


def _counted(demanded: Required, column: str | None, done: Sequence[Done]) -> Verdict | None:
    """Substrings can be counted in any release, whatever made it."""
    if demanded.claim != "substring-k-anonymity" or demanded.k is None:
        return None
    if column is None and chains.table_at(done) is not None:
        return None
    last = chains.of_column(done, column)[-1]
    groups = last.source.groups if demanded.count in (None, "groups") else None
    count = demanded.count or ("groups" if groups is not None else "documents")
    stated = {
        "k": demanded.k,
        "count": count,
        "unit": "character",
        "keep": "",
        "mask": "★",
        "collapse": False,
        "strict": True,
    }
    statement = f"Every legible stretch of text has a count of {demanded.k} {count} in the release."
    claim = Claim("substring-k-anonymity", statement, stated)
    return composed.recount(claim, Corpus.of(last.release.data).texts, groups)
