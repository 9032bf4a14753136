"""What a suppressed release claims, and what it does not protect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...claims import kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...core.claims import Claim

NAMES = ("substring-k-anonymity", "word-k-anonymity", "word-km-anonymity", "spans-hidden")


GUESS = float("0.5")
"""Against which reader stars stand where nobody says; none where words are not starred whole.

Told by `is` from a 0.5 that somebody gave, which is refused where it cannot be.
"""
# What the claims state of the call's parameters.
COUNTED = ("k", "count", "unit", "keep", "mask", "collapse", "strict")
HIDDEN = ("mask", "collapse")
READER = ("guess", "reach", "public")
KNOWN = ("k", "knows", "common", "count", "keep", "mask", "collapse", "guess")


def names(options: Mapping[str, object]) -> tuple[str, ...]:
    """The claims that go with a cover (substrings, single words, or none), knows, and spans.

    >>> names({"cover": "word", "hide": "recognised"})
    ('word-k-anonymity', 'spans-hidden')
    """
    by_cover = {"word": ("word-k-anonymity",), "word-and-repeats": ()}
    counted = by_cover.get(str(options["cover"]), ("substring-k-anonymity",))
    if options.get("knows") is not None:
        counted = (*counted, "word-km-anonymity")
    hides = options.get("hide") is not None or options.get("spans") is not None
    return (*counted, "spans-hidden") if hides else counted


def claims_of(parameters: Mapping[str, object], *, spans: bool) -> tuple[Claim, ...]:
    """The claims of a release; with `spans`, some were starred whatever their count."""
    given = {name: parameters[name] for name in COUNTED}
    hidden = {"spans": True, **{name: parameters[name] for name in HIDDEN}}
    if parameters["guess"] is not None:
        against = {name: parameters[name] for name in READER if parameters.get(name) is not None}
        if parameters["copies"] == "once":
            against["copies"] = "once"
        if spans:
            against["spans"] = True
        given, hidden = {**given, **against}, {**hidden, "guess": parameters["guess"]}
    known = {name: parameters[name] for name in KNOWN if name in parameters}
    known |= {name: given[name] for name in ("public", "spans") if name in given}
    stated = {"spans-hidden": hidden, "word-km-anonymity": known}
    return tuple(
        kind(name).claim(stated.get(name, given))
        for name in names({**parameters, "spans": True if spans else None})
    )


def not_protected(parameters: Mapping[str, object]) -> tuple[str, ...]:
    """What a reader may still learn."""
    result = [
        "secrets that occur often: what enough others share stays legible",
        "the meaning of what stays legible",
    ]
    if parameters["guess"] is None and not str(parameters["cover"]).startswith("word"):
        result.append(
            "stars over blanks, punctuation and words that can be guessed: whoever fills them in "
            "reads text that fewer share (guess prevents it)"
        )
    if parameters["reach"] is not None:
        result.append(
            f"phrases of more than {parameters['reach']} words, which may be anybody's own (reach)"
        )
    if parameters.get("knows") is not None:
        result.append(f"sets of more than {parameters['knows']} words of a person (knows)")
    if parameters["guess"] is not None and parameters["copies"] != "once":
        result.append(
            "passages copied from one text to others: every copy counts (copies='once' counts one)"
        )
    if not parameters["collapse"]:
        result.append("the number of symbols behind the stars (collapse=True hides it)")
    if parameters["count"] == "occurrences":
        result.append("a name that its owner's own text repeats (count documents or groups)")
    if not parameters["strict"]:
        result.append(
            "stretches that occur often in the original but rarely in the release (strict)"
        )
    if parameters["cover"] == "word":
        result.append("rare combinations of frequent words")
    if parameters["cover"] == "word-and-repeats":
        result.append("anything: this cover is for comparison only and claims nothing")
    return tuple(result)
