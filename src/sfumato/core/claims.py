"""What a release guarantees, and what a check of that guarantee found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .values import JsonValues


@dataclass(frozen=True, slots=True)
class Claim:
    """One guarantee of a release: its name, in plain words, and what a check needs to know.

    `parameters` are safe to publish; inputs that are not (groups, terms, patterns) stay with the
    release, privately.

    >>> Claim("substring-k-anonymity", "every legible stretch occurs 5 times", {"k": 5}).name
    'substring-k-anonymity'
    """

    name: str
    statement: str
    parameters: Mapping[str, object] = field(default_factory=dict)
    assumptions: tuple[str, ...] = ()

    @classmethod
    def of(cls, stated: JsonValues) -> Claim:
        """A claim as a certificate states it.

        >>> claim = Claim("substring-k-anonymity", "every legible stretch occurs 5 times", {"k": 5})
        >>> Claim.of(claim.as_dict()) == claim
        True
        """
        parameters, assumptions = {**stated["parameters"]}, tuple(stated["assumptions"])
        return cls(stated["name"], stated["statement"], parameters, assumptions)

    def as_dict(self) -> dict[str, object]:
        """The claim as plain JSON values."""
        return {
            "name": self.name,
            "statement": self.statement,
            "parameters": dict(self.parameters),
            "assumptions": list(self.assumptions),
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an independent check of one claim found; `where` is the first violation's place.

    >>> claim = Claim("substring-k-anonymity", "every legible stretch occurs 5 times", {"k": 5})
    >>> Verdict(claim, holds=False, reason="a stretch occurs twice", where="document 3").holds
    False
    """

    claim: Claim
    holds: bool
    reason: str = ""
    where: str | None = None
    measured: Mapping[str, float | int | str] = field(default_factory=dict)

    def as_dict(self) -> dict[str, object]:
        """The verdict as plain JSON values."""
        return {
            "claim": self.claim.name,
            "holds": self.holds,
            "reason": self.reason,
            "where": self.where,
            "measured": dict(self.measured),
        }


def by_this_stage(statement: str) -> str:
    """What a stage says of its own changes: what a later one changed is not its doing.

    >>> by_this_stage("Nothing else is changed.")
    'By this stage: nothing else is changed.'
    """
    return f"By this stage: {statement[0].lower()}{statement[1:]}"
