"""What was found and stays legible is what many people write."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.figures import chosen
from ..core.stated_parameters import StatedParameters
from .claim_kind import ClaimKind, Parameters, Side, Statement, told


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GivenBackParameters(StatedParameters):
    """A claim about what was found and given back."""

    k: int
    groups: bool


def _words(given: Parameters) -> Statement:
    whose = "people" if given["groups"] else "texts"
    if given["groups"]:
        where = f"in the texts of at least {given['k']} {whose}"
    else:
        where = f"in at least {given['k']} {whose}"
    return Statement(
        f"Every string that was found as a quasi-identifier and yet left legible (given back) "
        f"stands {where} of the release; none of them was found as a direct identifier."
    ).once(
        f"Every string that was found as a quasi-identifier and given back stands {where} of the "
        "release; none was found as a direct identifier."
    )


KINDS = (
    ClaimKind(
        name="given-back",
        words=_words,
        since=2,
        check="verification.given_back:check_given_back",
        needs=frozenset((Side.ORIGINAL, Side.GIVEN_BACK)),
        needs_if={Side.GROUPS: told("groups")},
        survives="own-stage",
        stronger={"k": "more"},
        given_by={"k": "give_back"},
        public={
            **chosen("k", "what is claimed"),
            **chosen("groups", "whether people or texts are counted"),
        },
    ),
)
