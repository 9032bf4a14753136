"""Claims for those who decide: one short sentence each, where the exact one is long."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..core.claims import by_this_stage

if TYPE_CHECKING:
    from ..core.values import JsonValues as Json

_OCCURS = {
    "groups": "occurs in the texts of at least {k} people",
    "documents": "occurs in at least {k} documents",
    "occurrences": "occurs at least {k} times",
}


def in_short(claim: Json) -> str:
    """What a claim protects; the first sentence of its statement, where that is short enough.

    >>> in_short({"name": "k-anonymity", "parameters": {"k": 5, "text": []}})
    'Every person looks like at least 4 others in the columns.'
    >>> in_short({"name": "a", "statement": "Nobody is alone. Never.", "column": "note"})
    'Nobody is alone (in note).'
    """
    say = _SHORT.get(str(claim["name"]), _nothing)
    try:
        said = say(claim.get("parameters", {}), claim.get("column"))
    except (KeyError, TypeError, ValueError):  # of another version, or changed: as it states it
        said = None
    if said is not None:
        return said
    column = f" (in {claim['column']})" if claim.get("column") else ""
    first, *_ = str(claim.get("statement") or claim["name"]).split(". ")
    return f"{first.rstrip('.')}{column}."


def _nothing(given: Json, column: str | None) -> str | None:
    return None


def _alike(given: Json, column: str | None) -> str | None:
    others = given["k"] - 1
    terms = " and in the terms recognised in the texts" if given["text"] else ""
    many = "s" * (others != 1)
    return f"Every person looks like at least {others} other{many} in the columns{terms}."


def _diverse(given: Json, column: str | None) -> str | None:
    if given.get("diversity") != "distinct" or given.get("knows") is not None:
        return None
    values = f"at least {given['l']:g} different values"
    where = given.get("column") or "a sensitive column"
    return f"Among people who look alike, {where} has {values}."


def _shared(given: Json, column: str | None) -> str | None:
    if given.get("guess") is None:
        return None
    where = f" in {column}" if column else ""
    long = f" of up to {given['reach']} words" if given.get("reach") else ""
    counted = _OCCURS[given["count"]].format(k=given["k"])
    counted += "" if given["strict"] else " of the original"
    return (
        f"Every phrase{long} that can be read{where} {counted}. Starred words that a reader would "
        "guess count as readable."
    )


def _term(given: Json, column: str | None) -> str | None:
    return f"Every listed term that was replaced could be any of at least {given['k']} terms."


def _no_term(given: Json, column: str | None) -> str | None:
    direct = " and no direct identifier" if given["direct"] else ""
    return f"No listed term{direct} can be read in full."


def _plausible(given: Json, column: str | None) -> str | None:
    if not given.get("counted", True) or not isinstance(given["t"], int):
        return None
    return (
        f"Every {given['segment']} with marked words could have been any of at least {given['t']} "
        "texts with other words in their places."
    )


def _surrogates(given: Json, column: str | None) -> str | None:
    return (
        "What a recogniser found was replaced by surrogates. This is no anonymity: whoever holds "
        "the key or the mapping can undo it."
    )


_SHORT: dict[str, Callable[[Json, str | None], str | None]] = {
    "k-anonymity": _alike,
    "l-diversity": _diverse,
    "substring-k-anonymity": _shared,
    "term-k-anonymity": _term,
    "no-term-in-clear": _no_term,
    "t-plausibility": _plausible,
    "consistent-pseudonyms": _surrogates,
}

# Claims about what was kept protect nobody; they say what the release is good for.
KEPT = {
    "nothing-else-changed": "Columns that were neither recoded nor left out are as they were.",
    "only-spans-changed": "Everything around what was found or listed is as it was.",
    "order-kept": "The order of what is not sensitive was kept.",
    "frequency-kept": "What is not sensitive occurs as often as before.",
    "no-lost": "No frequent pattern that is not sensitive was lost.",
    "no-implausible": "Nothing implausible was added.",
    "nothing-invented": "Nothing was added, changed or moved.",
    "undone-gives-original": "The mapping gives the original back.",
}

PSEUDONYMS = frozenset(("consistent-pseudonyms", "no-found-span", "given-back", *KEPT))


def kept(claim: Json) -> str | None:
    """What a claim says was kept; of one stage alone nothing is said, since others came later.

    >>> kept({"name": "order-kept", "statement": "In the same order."})
    'The order of what is not sensitive was kept.'
    >>> kept({"name": "nothing-else-changed", "statement": "By this stage: all is as it was."})
    """
    if str(claim.get("statement", "")).startswith(by_this_stage(" ").rstrip()):
        return None
    return KEPT.get(str(claim["name"]))
