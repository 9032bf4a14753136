"""What looks the same in every language: addresses of the net, numbers with check digits."""

from __future__ import annotations

from .. import checks
from ..scan import Anchored, Rule

# Letters of the Latin scripts of Western Europe, upper and lower.
UPPER = "A-ZÀ-ÖØ-Þ"
LOWER = "a-zß-öø-ÿ"

# Their places are told by a few symbols, which is quicker than to try them at every word.
ANCHORED = (
    Anchored(
        "EMAIL",
        "@",
        before=r"[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}$",
        after=r"[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4}",
        score=1.0,
    ),
    Anchored(
        "URL",
        "://",
        before=r"(?i:https?|ftp)$",
        after=r"[^ \t\r\n<>\"'“”]{0,400}[A-Za-z0-9/_#=-]",
        score=1.0,
        reach=5,
    ),
    Anchored(
        "URL",
        "www.",
        before="",
        reach=0,
        after=r"[A-Za-z0-9-]{1,63}\.[^ \t\r\n<>\"'“”]{0,400}[A-Za-z0-9/_#=-]",
    ),
)

ISO_DATE = Rule(
    "DATE",
    r"\b([0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2})(?:T[0-9:.]{4,15}Z?)?\b",
    checks.numeric_date,
    0.9,
)

RULES = (
    Rule("IBAN", r"\b[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]{2,4}){3,8}\b", checks.iban, 1.0),
    Rule(
        "CREDIT_CARD",
        r"\b[2-6][0-9]{3}(?:[ -]?[0-9]{4}){2}[ -]?[0-9]{1,7}\b",
        checks.card,
        1.0,
        "card number with a right check digit",
    ),
    Rule("CREDIT_CARD", r"\b3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5}\b", checks.card, 1.0),
    Rule("IP", r"\b[0-9]{1,3}(?:\.[0-9]{1,3}){3}\b", checks.ip, 0.9),
    Rule("IP", r"\b[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{0,4}){2,7}", checks.ip, 0.9),
    Rule("DEVICE", r"\b[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}\b", None, 0.9, "hardware address"),
    Rule("MONEY", r"[$€£] ?[0-9]{1,3}(?:[.,]?[0-9]{3}){0,4}(?:[.,][0-9]{1,2})?\b", None, 0.9),
    Rule(
        "TIME", r"\b[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: ?[APap]\.?[Mm]\b\.?)?", checks.clock, 0.7
    ),
)
