"""What a generalised release claims, and what it does not protect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...claims import kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...core.claims import Claim

NAMES = ("t-plausibility", "given-back")
# What the claim states of the call's parameters.
STATED = (
    "t", "guarantee", "segment", "volume", "path", "ontology", "ontology_sha256", "min_volume",
    "unknown", "frequencies", "words_with_own_t", "spans", "counted", "mask",
)  # fmt: skip


def names(options: Mapping[str, object]) -> tuple[str, ...]:
    """t-plausibility, and the count of what is given back."""
    return NAMES[:1] if options.get("give_back") is None else NAMES


def claims_of(parameters: Mapping[str, object]) -> tuple[Claim, ...]:
    """t-plausibility.

    It says t and not how many base texts there are: of a short text that number tells the word.
    """
    given = {name: parameters[name] for name in STATED if name in parameters}
    found = (kind("t-plausibility").claim(given),)
    if parameters.get("give_back") is None:
        return found
    return (*found, kind("given-back").claim({"k": parameters["give_back"], "groups": False}))


def not_protected(parameters: Mapping[str, object]) -> tuple[str, ...]:
    """What a reader may still learn."""
    published = parameters["guarantee"] == "published"
    measured = "" if published or parameters["frequencies"] else " (frequencies measures that)"
    result = [
        "words that nobody marked",
        *(["quasi-identifiers that were given back"] if parameters.get("give_back") else []),
        f"words whose alternatives a reader knows to be unlikely{measured}",
        "what the general word itself says",
    ]
    if published and parameters.get("give_back"):
        result.append(
            "words that a reader of the other texts can exclude: what those lack was not given back"
        )
    if published:
        result.append(
            "marked words, against somebody who has their list: fewer base values then remain"
        )
    else:
        result.append("texts that fewer than t base texts are published as (guarantee='published')")
        result.append(
            "marked words that the optimum leaves as they are (min_volume=2)"
            if parameters["min_volume"] == 1
            else "marked words with nothing above them: they stay as they are"
        )
    if parameters["unknown"] == "keep":
        result.append("marked words that the ontology lacks")
    return tuple(result)


def notes_of(parameters: Mapping[str, object], counts: Mapping[str, int]) -> tuple[str, ...]:
    """What whoever releases should know of what was marked."""
    result = []
    if counts["unknown"]:
        what = "suppressed" if parameters["unknown"] == "suppress" else "kept as they are"
        result.append(f"the ontology lacks {counts['unknown']} marked words: they were {what}")
    if counts["unchanged"]:
        result.append(f"{counts['unchanged']} marked words stay as they are")
    return tuple(result)
