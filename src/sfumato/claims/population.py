"""People of a table beside the population they are of: how many others a class may be."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.figures import TABLE, chosen
from ..core.stated_parameters import StatedParameters
from .claim_kind import ClaimKind, Parameters, Side, Statement


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MapParameters(StatedParameters):
    """A claim about how many people of a population fit a class."""

    k: int
    quasi: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PresenceParameters(StatedParameters):
    """A claim about the share of those people who are in the table."""

    delta: float
    quasi: tuple[str, ...]


GIVEN = "the population is the one whose table was given"


def _k_map(given: Parameters) -> Statement:
    text = f"At least {int(given['k'])} people of the population fit the columns of every class."
    return Statement(text, (GIVEN,))


def _delta(given: Parameters) -> Statement:
    share = f"{float(given['delta']):g}"
    percent = f"{100 * float(given['delta']):.10g}%"
    before = (
        f"Of the population's people who fit the columns of a class, at most {share} are in it."
    )
    return Statement(
        f"Of the people in the population who fit the columns of a class, at most {percent} are in "
        "the table.",
        (GIVEN,),
    ).once(before)


CHECK = "verification.records_population:check_population"
NEEDS = frozenset((Side.ORIGINAL, Side.SCHEMA, Side.POPULATION))

KINDS = (
    ClaimKind(
        name="k-map",
        words=_k_map,
        check=CHECK,
        needs=NEEDS,
        from_release=True,
        stronger={"k": "more"},
        given_by={"k": "k_map"},
        public={**chosen("k", "what is claimed"), **chosen("quasi", TABLE)},
        since=2,
    ),
    ClaimKind(
        name="delta-presence",
        words=_delta,
        check=CHECK,
        needs=NEEDS,
        from_release=True,
        stronger={"delta": "less"},
        settings=frozenset(("delta",)),
        public={**chosen("delta", "what is claimed"), **chosen("quasi", TABLE)},
        since=2,
    ),
)
