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
        "quasi-identifiers that are not in the list, and other spellings of listed ones",
        "which of the candidates stands there, where the words around it give it away",
        "the fact that a term of the list stands there, and in most cases its length",
    ]
    if parameters["guarantee"] == "matching":
        result.append(
            "terms whose pattern no other term is published as (use guarantee='published')"
        )
    return tuple(result)
