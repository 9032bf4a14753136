"""What a redacted release claims, in words, and what it does not protect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.claims import Claim

if TYPE_CHECKING:
    from collections.abc import Mapping

STATEMENTS = {
    "published": "Every replaced term stands as a string that at least {k} terms of the list are "
    "published as.",
    "matching": "Every replaced term stands as a pattern that at least {k} terms of the list "
    "match.",
}


def claims_of(parameters: Mapping[str, object], exempt: int) -> tuple[Claim, ...]:
    """Term k-anonymity under its guarantee, and no term in clear."""
    guarantee, k = str(parameters["guarantee"]), parameters["k"]
    stated = ("guarantee", "k", "rare_lengths", "mask", "shared")
    reading = ("fold_case", "fold_width", "whole_words", "direct", "spans")
    given = {name: parameters[name] for name in (*stated, *reading)}
    assumptions = ["the list holds every quasi-identifier; terms that overlap are starred"]
    if exempt:
        assumptions.append(
            f"{exempt} terms of lengths that fewer than {k} terms have are starred whole and exempt"
        )
    clear = "No term of the list is in clear other than inside a published pattern"
    direct = ", and no direct identifier is" if parameters["direct"] else ""
    if parameters["spans"]:
        direct += f"; the {parameters['spans']} listed spans are starred whole"
    return (
        Claim("term-k-anonymity", STATEMENTS[guarantee].format(k=k), given, tuple(assumptions)),
        Claim("no-term-in-clear", f"{clear}{direct}.", given),
    )


def not_protected(parameters: Mapping[str, object]) -> tuple[str, ...]:
    """What a reader may still learn."""
    result = [
        "quasi-identifiers that are not in the list, and spellings the folding does not equate",
        "which of the candidates stands there, when the words around it tell",
        "that a term of the list stands there, and mostly its length",
    ]
    if parameters["guarantee"] == "matching":
        result.append(
            "terms whose pattern no other term is published as (use guarantee='published')"
        )
    return tuple(result)
