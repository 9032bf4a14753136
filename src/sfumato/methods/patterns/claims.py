"""What a sanitized release claims, and what it does not protect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...claims import kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...core.claims import Claim
    from ...core.release import Sides
    from ...core.values import JsonObject, JsonValues

NAMES = (
    "pattern-free",
    "order-kept",
    "frequency-kept",
    "no-lost",
    "no-implausible",
    "nothing-invented",
)
# What is promised of the order, by method.
ORDERS = {
    "tfs": "total",
    "etfs": "total",
    "pfs": "blocks",
    "tm": "subsequence",
    "tmi": "subsequence",
    "tpm": "blocks",
    "replace": "subsequence",
}
EXACT = ("tfs", "pfs", "etfs")  # the methods that keep every frequency
KEEPS_SEPARATORS = ("tfs", "pfs", "etfs", "ba", "ba-reverse")


def names(options: JsonValues) -> tuple[str, ...]:
    """The claims that go with a method, and with what must not look implausible.

    >>> names({"method": "tpm", "rho": None})
    ('pattern-free', 'order-kept', 'no-lost')
    """
    found, method = ["pattern-free"], options["method"]
    if method in ORDERS:
        found += ["order-kept", "frequency-kept" if method in EXACT else "no-lost"]
    if method == "delete":
        found.append("nothing-invented")
    if options.get("rho") is not None or options.get("implausible") is not None:
        found.append("no-implausible")
    return tuple(found)


def claims_of(parameters: JsonValues, sides: Sides) -> tuple[Claim, ...]:
    """The claims of a release."""
    known = {name: parameters[name] for name in ("k", "separator", "collection")}
    if parameters["method"] == "replace":
        known["separated"] = True
    listed = sides.implausible is not None
    odd: JsonObject = {"rho": parameters["rho"], "listed": listed}
    odd["reference"] = sides.reference is not None
    if any(len(pattern) != parameters["k"] for pattern in sides.implausible or ()):
        odd["other_lengths"] = True
    more: dict[str, JsonObject] = {
        "order-kept": {"order": ORDERS.get(parameters["method"])},
        "no-lost": {"tau": parameters["tau"], "writes": True},
        "no-implausible": odd,
        "nothing-invented": {"timed": True} if parameters.get("timed") else {},
    }
    options = {**parameters, "implausible": True if listed else None}
    return tuple(kind(name).claim({**known, **more.get(name, {})}) for name in names(options))


def not_protected(parameters: Mapping[str, object]) -> tuple[str, ...]:
    """What a reader may still learn."""
    method = parameters["method"]
    result = [
        "patterns that were not listed, and parts of the listed ones that are shorter than k",
        "a sensitive pattern that its surroundings give away",
        "the fact that the sequence was sanitized, which gaps in it may show",
    ]
    if method in KEEPS_SEPARATORS:
        result.append("where something was hidden: a separator shows the place")
    if method in EXACT:
        result.append("what was hidden: undoing the separators restores many sensitive patterns")
    elif method == "delete":
        result.append(
            "where something was deleted, if times or what must follow show a gap; and what it "
            "was, to somebody who knows the patterns"
        )
        if parameters.get("timed"):
            result.append(
                "when each remaining event happened: somebody who knows a time finds its person"
            )
    elif parameters["rho"] is None:
        result.append("places whose windows look unlikely: rho forbids such replacements")
    return tuple(result)


def warnings_of(counts: Mapping[str, int], absent: int) -> tuple[str, ...]:
    """What the person who publishes this should know; `absent` patterns were not in the input."""
    result = []
    if not counts["patterns"]:
        result.append("no sensitive pattern is given: nothing is hidden")
    if absent:
        result.append(
            f"sensitive patterns that occur nowhere in the input: {absent} of "
            f"{counts['patterns']}; check that they are written as in the input"
        )
    if counts["separators"]:
        result.append(
            f"{counts['separators']} separators are left in: each shows where something was "
            "hidden, and can often be undone; method='tpm' replaces them"
        )
    if counts.get("invented"):
        result.append(
            f"invented symbols in the release: {counts['invented']}; they replace separators and "
            "stand for nothing that happened; method='delete' writes none"
        )
    if counts["symbols"] and not counts["released_symbols"]:
        result.append("no non-sensitive window is left: the release is empty")
    return tuple(result)
