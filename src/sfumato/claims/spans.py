"""Listed spans: none of them is legible, or nothing but them is changed."""

from __future__ import annotations

from ..core.figures import LISTED, chosen
from .claim_kind import ClaimKind, Parameters, Side, Statement


def _hidden(given: Parameters) -> Statement:
    number = _number(given)
    before = f"Of the {number}listed spans no symbol is legible."
    return Statement(f"No character of the {number}listed spans is legible.").once(before)


def _only(given: Parameters) -> Statement:
    number = _number(given)
    before = f"Nothing outside the {number}spans that were found or listed is changed."
    return Statement(f"Only the {number}spans that were found or listed were changed.").once(before)


def _number(given: Parameters) -> str:
    """How many spans there are, where the claim says it, as those of format 1 do."""
    return "" if given["spans"] is True else f"{given['spans']} "


KINDS = (
    ClaimKind(
        name="spans-hidden",
        words=_hidden,
        check="verification.spans:check_spans",
        needs=frozenset((Side.ORIGINAL, Side.SPANS)),
        by_part=True,
        survives="only-hidden",
        settings=frozenset(("collapse",)),
        public={**chosen("spans", LISTED), **chosen("mask collapse guess", "how it is read")},
    ),
    ClaimKind(
        name="only-spans-changed",
        words=_only,
        check="verification.spans:check_spans",
        needs=frozenset((Side.ORIGINAL, Side.SPANS)),
        by_part=True,
        survives="own-stage",
        public=chosen("spans", LISTED),
    ),
)
