"""Sensitive patterns of sequences: none occurs, and what is kept of order and frequency."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.figures import chosen
from ..core.stated_parameters import StatedParameters
from .claim_kind import ClaimKind, Parameters, Side, Statement, told


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WindowParameters(StatedParameters):
    """A claim about the windows of k symbols of sequences."""

    k: int
    separator: object
    collection: bool
    separated: bool = False
    listed: bool = False
    reference: bool = False
    timed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OrderParameters(WindowParameters):
    """A claim about the order of windows."""

    order: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ImplausibleParameters(WindowParameters):
    """A claim about windows that the original does not let expect."""

    rho: float | None
    other_lengths: bool = False


ORDER = {
    "total": "The windows of k={k} symbols without a separator are the non-sensitive windows of "
    "the original, in the same order.",
    "subsequence": "The non-sensitive windows of k={k} symbols appear in the same order; others "
    "may stand between them.",
    "blocks": "Every run of the original in which no k={k} symbols in a row are sensitive appears "
    "in the release at least as often.",
}
BLOCKS = (
    "Every stretch of successive overlapping non-sensitive windows of k={k} symbols appears at "
    "least as often as in the original"
)


def _pattern_free(given: Parameters) -> Statement:
    said = "No sensitive pattern occurs in the release"
    return Statement(f"{said}.").once(f"{said} (C1).")


def _separated(given: Parameters) -> str:
    """What an original is that had separators already."""
    told = " The original is a sequence with separators: a window with one in it is none."
    return told if given.get("separated") else ""


def _order_kept(given: Parameters) -> Statement:
    order, more = given["order"], _separated(given)
    text, blocks = (one.format(k=given["k"]) for one in (ORDER[order], BLOCKS))
    before = {
        "total": (f"{text.removesuffix('.')} (P1).{more}",),
        "blocks": (f"{blocks}.{more}", f"{blocks} (the partial order).{more}"),
    }
    return Statement(text + more).once(*before.get(order, ()))


def _frequency_kept(given: Parameters) -> Statement:
    said = (
        f"Every non-sensitive window of k={given['k']} symbols occurs as often as in the original, "
        "and no other window occurs"
    )
    return Statement(f"{said}.").once(f"{said} (P2).")


def _no_lost(given: Parameters) -> Statement:
    written = (
        " Symbols were written, or nothing, in the place of separators: these symbols, and the "
        "windows across such places, are invented."
    )
    return Statement(
        f"No non-sensitive window of k={given['k']} symbols occurs less often than in the original:"
        f" no pattern that occurs tau={given['tau']} times or more is lost."
        + (written if given.get("writes") else "")
        + _separated(given)
    )


def _no_implausible(given: Parameters) -> Statement:
    window = f"No window of k={given['k']} symbols that occurs more often than in the original is"
    more = " No listed pattern of another length occurs unless the original has it."
    rest = (more if given.get("other_lengths") else "") + _separated(given)
    return Statement(
        f"{window} implausible: less frequent than its parts would suggest, or listed as "
        f"implausible.{rest}"
    ).once(
        f"{window} implausible: less frequent than its parts let expect, or listed as such.{rest}"
    )


def _nothing_invented(given: Parameters) -> Statement:
    return Statement(
        "Every symbol of the release is one of the original, in the same order: symbols were "
        "deleted, and none was added, changed or moved."
        + (" Each has the time it had." if given.get("timed") else "")
    )


CHECK = "verification.patterns:check_patterns"
NEEDS = frozenset((Side.ORIGINAL, Side.PATTERNS))
SETTINGS = frozenset(("k", "separator"))

_PUBLIC = chosen("k separator collection separated", "what is claimed")

KINDS = (
    ClaimKind(
        name="pattern-free",
        words=_pattern_free,
        check=CHECK,
        at_once=True,
        needs=NEEDS,
        from_release=True,
        settings=SETTINGS,
        public=_PUBLIC,
    ),
    ClaimKind(
        name="order-kept",
        words=_order_kept,
        check=CHECK,
        at_once=True,
        needs=NEEDS,
        settings=SETTINGS,
        public={**_PUBLIC, **chosen("order", "what is claimed")},
    ),
    ClaimKind(
        name="frequency-kept",
        words=_frequency_kept,
        check=CHECK,
        at_once=True,
        needs=NEEDS,
        settings=SETTINGS,
        public=_PUBLIC,
    ),
    ClaimKind(
        name="no-lost",
        words=_no_lost,
        check=CHECK,
        at_once=True,
        needs=NEEDS,
        settings=SETTINGS,
        public={**_PUBLIC, **chosen("tau writes", "what is claimed")},
    ),
    ClaimKind(
        name="no-implausible",
        words=_no_implausible,
        check=CHECK,
        at_once=True,
        needs=NEEDS,
        needs_if={Side.IMPLAUSIBLE: told("listed"), Side.REFERENCE: told("reference")},
        settings=SETTINGS,
        public={**_PUBLIC, **chosen("rho listed reference other_lengths", "what is claimed")},
    ),
    ClaimKind(
        name="nothing-invented",
        since=2,
        words=_nothing_invented,
        check=CHECK,
        at_once=True,
        needs=NEEDS,
        settings=SETTINGS,
        public={**_PUBLIC, **chosen("timed", "what is claimed")},
    ),
)
