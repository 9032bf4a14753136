"""Listed terms: each stands as a string that others share, and none is in clear."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..core.figures import LISTED, PRESET, Figure, chosen
from ..core.stated_parameters import StatedParameters
from .claim_kind import ClaimKind, Parameters, Side, Statement, told


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TermParameters(StatedParameters):
    """A claim about the terms of a list."""

    k: int
    guarantee: Literal["published", "matching"]
    rare_lengths: Literal["shared", "star"]
    mask: str
    shared: int
    whole_words: bool
    fold_case: bool
    fold_width: bool
    direct: bool
    spans: bool = False
    candidates: bool | None = None
    """Whether candidates are counted where terms overlap; None: by version 0.1, which did not."""
    articles: bool = False
    """Whether words before places are written so that they do not tell how terms begin."""
    direct_articles: bool = False
    """The same of words before direct identifiers and listed spans."""


STATEMENTS = {
    "published": "Every replaced term is written as a string that is published for at least {k} "
    "terms of the list.",
    "matching": "Every replaced term is written as a pattern that at least {k} terms of the list "
    "match.",
}
FORMERLY = {
    "published": "Every replaced term stands as a string that at least {k} terms of the list are "
    "published as.",
    "matching": "Every replaced term stands as a pattern that at least {k} terms of the list "
    "match.",
}


def _shared(given: Parameters) -> Statement:
    k = given["k"]
    assumed = ["the list holds every quasi-identifier; terms that overlap are starred"]
    if given.get("articles"):
        assumed = [
            "the list holds every quasi-identifier",
            "a term that reaches out of a replaced one is starred there, unless one candidate "
            "alone would have it",
        ]
    if given.get("candidates"):
        return _counted_there(given, assumed)
    if given["rare_lengths"] == "star" and not _counted(given):
        assumed.append(
            f"terms of lengths that fewer than {k} terms have are starred whole and exempt"
        )
    guarantee = str(given["guarantee"])
    said = Statement(STATEMENTS[guarantee].format(k=k), tuple(assumed))
    return said.once(FORMERLY[guarantee].format(k=k))


def _counted_there(given: Parameters, assumed: list[str]) -> Statement:
    """Of `published`, since candidates are counted where terms overlap."""
    k = given["k"]
    if given["rare_lengths"] == "star":
        assumed.append(f"terms of lengths that fewer than {k} terms have are starred and exempt")
    return Statement(
        f"Every replaced term could be any of at least {k} terms of the list: in its place, with "
        "the text around it, each of them is published as the same text.",
        tuple(assumed),
    ).once(
        f"In place of every replaced term at least {k} terms of the list, with the text around "
        "them, are published as that very text."
    )


def _counted(given: Parameters) -> bool:
    """Whether spans and exempt terms are told by their number, as format 1 did."""
    return not isinstance(given["spans"], bool)


def _in_clear(given: Parameters) -> Statement:
    before = "No term of the list is in clear other than inside a published pattern"
    clear = "No term of the list can be read in full, except inside a published pattern"
    direct = direct_before = spans = ""
    if given["direct"]:
        direct, direct_before = ", and no direct identifier can", ", and no direct identifier is"
    if given["spans"]:
        how_many = f"{given['spans']} " if _counted(given) else ""
        spans = f"; the {how_many}listed spans are starred whole"
    return Statement(f"{clear}{direct}{spans}.").once(f"{before}{direct_before}{spans}.")


NEEDS = frozenset((Side.ORIGINAL, Side.TERMS, Side.STRINGS))
NEEDS_IF = {Side.DIRECT: told("direct"), Side.SPANS: told("spans")}
SETTINGS = frozenset(("k", "guarantee"))

_PUBLIC = {
    **chosen(
        "k guarantee rare_lengths shared candidates articles direct_articles",
        "how the list's strings were made",
    ),
    **chosen("whole_words fold_case fold_width", "how terms are found"),
    "mask": Figure("shown", "the mark in the release; the first allowed one it lacks otherwise"),
    **chosen("direct spans", LISTED),
    **chosen("preset", PRESET),
}

KINDS = (
    ClaimKind(
        name="term-k-anonymity",
        words=_shared,
        check="verification.terms:check_terms",
        at_once=True,
        needs=NEEDS,
        needs_if=NEEDS_IF,
        by_part=True,
        survives="only-hidden",
        stronger={"k": "more"},
        settings=SETTINGS,
        beside=frozenset(("exempt",)),  # format 1 told how many terms are exempt
        public=_PUBLIC,
    ),
    ClaimKind(
        name="no-term-in-clear",
        words=_in_clear,
        check="verification.terms:check_terms",
        at_once=True,
        needs=NEEDS,
        needs_if=NEEDS_IF,
        by_part=True,
        survives="none-appears",
        stronger={"k": "more"},
        settings=SETTINGS,
        public=_PUBLIC,
    ),
)
