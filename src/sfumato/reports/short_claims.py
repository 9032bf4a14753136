"""Claims for those who decide: one short sentence each, where the exact one is long."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

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


_SHORT: dict[str, Callable[[Json, str | None], str | None]] = {
    "k-anonymity": _alike,
    "l-diversity": _diverse,
    "substring-k-anonymity": _shared,
}
