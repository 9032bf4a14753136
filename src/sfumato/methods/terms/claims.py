"""What a redacted release claims, and what it does not protect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...claims import kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...core.claims import Claim

NAMES = ("term-k-anonymity", "no-term-in-clear")
# What both claims state of the call's parameters.
STATED = (
    "guarantee", "k", "rare_lengths", "candidates", "articles", "direct_articles", "mask", "shared",
    "fold_case", "fold_width", "whole_words", "direct", "spans",
)  # fmt: skip


def names(options: Mapping[str, object]) -> tuple[str, ...]:
    """Term k-anonymity under its guarantee, and no term in clear, whatever the options."""
    return NAMES


def claims_of(parameters: Mapping[str, object]) -> tuple[Claim, ...]:
    """Term k-anonymity under its guarantee, and no term in clear."""
    given = {name: parameters[name] for name in STATED if name in parameters}
    return tuple(kind(name).claim(given) for name in NAMES)


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
