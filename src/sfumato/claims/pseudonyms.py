"""Surrogates: one for each entity, and undone they give the original."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.figures import chosen
from ..core.stated_parameters import StatedParameters
from .claim_kind import ClaimKind, Parameters, Side, Statement, told


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SurrogateParameters(StatedParameters):
    """A claim about the surrogates of entities."""

    dates: str
    groups: bool
    one_text: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FoundParameters(StatedParameters):
    """A claim about the spans that were found."""

    stay: tuple[str, ...]


def _consistent(given: Parameters) -> Statement:
    but = before = ""
    if given.get("one_text"):
        listed = ", ".join(given["one_text"])
        but = f" (except the kinds {listed}, which all have one text)"
        before = f" (but of the kinds {listed}, which all have one text)"
    dates = "within a group all full dates move by the same number of days."
    return Statement(
        f"Every entity has one surrogate, and no two entities of a kind share one{but}; {dates} "
        "This is pseudonymisation: anonymity is not claimed."
    ).once(
        f"One entity has one surrogate and two entities of a kind never share one{before}; {dates} "
        "This is pseudonymisation and claims no anonymity."
    )


def _replaced(given: Parameters) -> Statement:
    back = "give_back" in given
    stay = "of the kinds that stay" + (" and of what is given back" if back else "")
    kept = "the kinds that stay" + (" and what is given back" if back else "")
    return Statement(
        "Nothing that was found still stands in its place, whatever its case and spacing, except "
        f"for {kept}."
    ).once(
        f"At the place of no found span, but {stay}, stands what was found there, "
        "whatever its case and blanks."
    )


def _undone(given: Parameters) -> Statement:
    texts = "Undone with its mapping, the release gives back the texts of this original"
    before = "Undone by its mapping the release gives the texts of this original"
    also = ", whose bytes are those that were pseudonymised" if given.get("bytes") else ""
    return Statement(f"{texts}{also}.").once(f"{before}{also}.")


KINDS = (
    ClaimKind(
        name="consistent-pseudonyms",
        words=_consistent,
        check="verification.pseudonyms:check_pseudonyms",
        needs=frozenset((Side.ORIGINAL, Side.CHANGES)),
        needs_if={Side.GROUPS: told("groups")},
        by_part=True,
        carries="verification.pseudonyms:EarlierParts",
        survives="only-hidden",
        settings=frozenset(("dates",)),
        public={
            **chosen("dates", "what becomes of dates"),
            **chosen("groups", "whether dates move by group"),
            **chosen("one_text", "the kinds that are masked, or replaced by their name"),
        },
    ),
    ClaimKind(
        name="no-found-span",
        words=_replaced,
        since=2,
        check="verification.pseudonyms:check_pseudonyms",
        needs=frozenset((Side.ORIGINAL, Side.CHANGES, Side.SPANS)),
        by_part=True,
        survives="only-hidden",
        public={
            **chosen("stay", "the kinds that are left alone, whatever was found"),
            **chosen("give_back", "how many must write what is given back"),
        },
    ),
    ClaimKind(
        name="undone-gives-original",
        words=_undone,
        check=None,  # whoever has the mapping undoes it, and says so
        needs=frozenset((Side.ORIGINAL, Side.CHANGES)),
        survives="own-stage",
        beside=frozenset(("bytes",)),  # whether the file's bytes were compared too
    ),
)
