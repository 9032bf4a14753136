"""What a sanitized release claims, in words, and what it does not protect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.claims import Claim

if TYPE_CHECKING:
    from collections.abc import Mapping

ORDER = {
    "total": "The windows of k={k} symbols without a separator are the non-sensitive windows of "
    "the original, in the same order (P1).",
    "subsequence": "The non-sensitive windows of k={k} symbols appear in the same order; others "
    "may stand between them.",
    "blocks": "Every stretch of successive overlapping non-sensitive windows of k={k} symbols "
    "appears at least as often as in the original (the partial order).",
}
# What is promised of the order, by method.
ORDERS = {
    "tfs": "total",
    "etfs": "total",
    "pfs": "blocks",
    "tm": "subsequence",
    "tmi": "subsequence",
    "tpm": "blocks",
}
KEEPS_SEPARATORS = ("tfs", "pfs", "etfs", "ba", "ba-reverse")


def claims_of(
    parameters: Mapping[str, Any], *, listed: bool = False, reference: bool = False
) -> tuple[Claim, ...]:
    """The claims that go with a method.

    `listed`: implausible patterns were listed; `reference`: their frequencies came from elsewhere.
    """
    method, k = parameters["method"], parameters["k"]
    known = {"k": k, "separator": parameters["separator"], "collection": parameters["collection"]}
    result = [
        Claim("pattern-free", "No sensitive pattern occurs in the release (C1).", known),
    ]
    if method in ORDERS:
        order = ORDERS[method]
        result.append(Claim("order-kept", ORDER[order].format(k=k), {**known, "order": order}))
    if method in ("tfs", "pfs", "etfs"):
        result.append(
            Claim(
                "frequency-kept",
                f"Every non-sensitive window of k={k} symbols occurs as often as in the original, "
                "and no other window occurs (P2).",
                known,
            )
        )
    elif method in ORDERS:
        tau = parameters["tau"]
        result.append(
            Claim(
                "no-lost",
                f"No non-sensitive window of k={k} symbols occurs less often than in the original: "
                f"no pattern that occurs tau={tau} times or more is lost.",
                {**known, "tau": tau},
            )
        )
    if listed or parameters["rho"] is not None:
        result.append(
            Claim(
                "no-implausible",
                f"No window of k={k} symbols that occurs more often than in the original is "
                "implausible: less frequent than its parts let expect, or listed as such.",
                {**known, "rho": parameters["rho"], "listed": listed, "reference": reference},
            )
        )
    return tuple(result)


def not_protected(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """What a reader may still learn."""
    method = parameters["method"]
    result = [
        "patterns that were not listed, and parts of the listed ones that are shorter than k",
        "a sensitive pattern that its surroundings let guess",
        "that the sequence was sanitized, from what is missing in it",
    ]
    if method in KEEPS_SEPARATORS:
        result.append("where something was hidden: a separator shows the place")
    if method in ("tfs", "pfs", "etfs"):
        result.append("what was hidden: undoing the separators restores many sensitive patterns")
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
            f"{absent} of the {counts['patterns']} sensitive patterns occur nowhere in the input: "
            "are they written as the input is?"
        )
    if counts["separators"]:
        result.append(
            f"{counts['separators']} separators are left in: each shows where something was "
            "hidden, and can often be undone; method='tpm' replaces them"
        )
    if counts["symbols"] and not counts["released_symbols"]:
        result.append("no non-sensitive window is left: the release is empty")
    return tuple(result)
