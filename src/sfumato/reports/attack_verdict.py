"""Where the success of an attack stands beside its control, as a word and as a colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..attacks.result import verdict_of

if TYPE_CHECKING:
    from ..core.values import JsonValues as Json

BY_CLASSES = ("prosecutor", "journalist", "marketer")
ABOVE, NEAR, BELOW = "above the control", "near the control", "below the control"
PERHAPS = "perhaps above the control"
FOLLOWS = "set by the class sizes"
COLOURS = {ABOVE: "bad", PERHAPS: "care", NEAR: "calm", BELOW: "calm"}
MEANINGS = {
    ABOVE: "Such an attack succeeds clearly more often than on people who are not in the data: "
    "the release gives people away.",
    PERHAPS: "Such an attack succeeds more often than on people who are not in the data, and the "
    "difference is probably not chance. More people would settle it.",
    NEAR: "Such an attack succeeds about as often as on people who are not in the data. A "
    "difference, if there is one, may be chance.",
    BELOW: "Such an attack succeeds clearly less often than on people who are not in the data.",
    FOLLOWS: "The attacker knows to which class of people who look alike a person belongs, and "
    "picks one of them. The sizes of the classes alone decide how often that is right; "
    "k-anonymity allows 1 in k.",
    "no control": "There is nothing to compare the success with.",
    "no trials": "Nothing could be attacked.",
}


def verdict(result: Json) -> str:
    """Where the success of an attack stands beside its control, by their intervals.

    >>> known = {"control": 0.1, "control_low": 0.05, "control_high": 0.2}
    >>> verdict({"success": 0.5, "low": 0.4, "high": 0.6, "trials": 9, **known})
    'above'
    """
    found, control = result["success"], result.get("control")
    low, high = (result.get(name, found) for name in ("low", "high"))
    lowest, highest = (result.get(f"control_{name}", control) for name in ("low", "high"))
    return verdict_of((found, low, high), (control, lowest, highest), result.get("trials", 1))


def in_words(result: Json) -> str:
    """The same for a reader; what classes alone decide has no control.

    >>> in_words({"name": "marketer", "success": 0.2})
    'set by the class sizes'
    """
    if result["name"] in BY_CLASSES:
        return FOLLOWS
    word = verdict(result)
    return word if word.startswith("no ") else f"{word} the control"
