"""What looks the same in every language: addresses of the net, numbers with check digits."""

from __future__ import annotations

from ...core.weekday_names import WEEKDAY_NAMES
from .. import checks
from ..scan import AnchoredRule, Rule

# Letters of the Latin scripts, upper and lower: those of Western Europe, then those whose cases
# take turns (Ā ā Ă ă ...), then the Romanian ones.
UPPER = "A-ZÀ-ÖØ-Þ" + "".join(chr(x) for x in range(0x100, 0x180) if chr(x).isupper()) + "ȘȚ"
LOWER = "a-zß-öø-ÿ" + "".join(chr(x) for x in range(0x100, 0x180) if chr(x).islower()) + "șț"

TOP_LEVEL = (
    r"com|org|net|edu|gov|mil|int|info|biz|online|app|dev|blog|tech|io|tv|ly|ai|gg|eu|uk|de|ch|fr|nl|lu"
    r"|es|pt|ie|dk|se|fi|pl|cz|sk|hu|ro|bg|gr|tr|si|hr|rs|ua|ru|ee|lv|lt|ca|mx|br|ar|cl|au|nz|jp|cn|kr"
    r"|tw|hk|sg|th|vn|ph|pk|il|ae|za|ng|ke|gh"
)
# These are words as well: they count before a path, or behind another end.
WORDLIKE = (
    r"in|it|is|at|be|no|me|us|my|to|id|so|co|pe|sa|ma|eg|cc|name|live|shop|site|club|store|health"
)
# Their places are told by a few symbols, which is quicker than to try them at every word.
ANCHORED = (
    AnchoredRule(
        "EMAIL",
        "@",
        before=r"[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}$",
        after=r"[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4}",
        score=1.0,
    ),
    AnchoredRule(
        "URL",
        "://",
        before=r"(?i:https?|ftp)$",
        after=r"[^ \t\r\n<>\"'“”]{0,400}[A-Za-z0-9/_#=-]",
        score=1.0,
        reach=5,
    ),
    AnchoredRule(
        "URL",
        "www.",
        before="",
        reach=0,
        after=r"[A-Za-z0-9-]{1,63}\.[^ \t\r\n<>\"'“”]{0,400}[A-Za-z0-9/_#=-]",
    ),
    AnchoredRule(
        "URL",
        ".",
        before=r"(?:[a-z0-9][a-z0-9-]{0,62}\.){0,3}[a-z0-9][a-z0-9-]{1,62}$",
        after=r"(?:/[^ \t\r\n<>\"'“”]{0,200}[A-Za-z0-9/_#=-])?",
        why="name of a site",
        expression=rf"[a-z0-9](\.(?:{TOP_LEVEL})\b|\.(?:{WORDLIKE})(?=/)|\.(?:co|ac|com|or|go)\.[a-z]{{2}}\b)",
    ),
    AnchoredRule(
        "USERNAME",
        "/",
        before=r"(?:/home|/Users|/users|[A-Za-z]:/Users)$",
        after=r"(?:[A-Za-z0-9][A-Za-z0-9._-]{0,40}[A-Za-z0-9])",
        why="whose files these are",
        only_after=True,
    ),
    AnchoredRule(
        "USERNAME",
        "\\",
        before=r"(?:[A-Za-z]:)?\\(?:Users|users|Documents and Settings)$",
        after=r"(?:[A-Za-z0-9][A-Za-z0-9._-]{0,40}[A-Za-z0-9])",
        why="whose files these are",
        only_after=True,
    ),
)

ISO_DATE = Rule(
    "DATE",
    r"\b([0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2})(?:T[0-9:.]{4,15}Z?)?\b",
    checks.numeric_date,
    0.9,
)
DEGREES = (
    r"[0-9]{1,3} ?° ?(?:[0-9]{1,2}(?:\.[0-9]{1,6})? ?[′'’] ?)?(?:[0-9]{1,2}"
    r"(?:\.[0-9]{1,6})? ?[″\"”] ?)?"
)

RULES = (
    Rule("IBAN", r"\b[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]{1,4}){3,8}\b", checks.iban, 1.0),
    Rule(
        "IBAN",
        r"\b[A-Z]{2}[0-9]{2}[ -]?[A-Z0-9]{4}(?:[ -]?[A-Z0-9]{1,4}){1,7}\b",
        checks.iban,
        1.0,
    ),
    Rule(
        "CREDIT_CARD",
        r"\b[2-6][0-9]{3}(?:[ .-]?[0-9]{4}){2}[ .-]?[0-9]{1,7}\b",
        checks.card,
        1.0,
        "card number with a right check digit",
    ),
    Rule("CREDIT_CARD", r"\b3[0-9]{3}[ .-]?[0-9]{6}[ .-]?[0-9]{4,5}\b", checks.card, 1.0),
    Rule(
        "CREDIT_CARD", r"\b(?:1800|2131)[ -]?[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{3}\b", checks.luhn, 1.0
    ),
    Rule("CREDIT_CARD", r"\b(?:50|5[6-9]|6[0-9])[0-9]{10}\b", checks.luhn, 0.9, "card number"),
    Rule("IP", r"\b[0-9]{1,3}(?:\.[0-9]{1,3}){3}\b", checks.ip, 0.9),
    Rule("IP", r"\b[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{0,4}){2,7}", checks.ip, 0.9),
    Rule("DEVICE", r"\b[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}\b", None, 0.9, "hardware address"),
    Rule("MONEY", r"[$€£] ?[0-9]{1,3}(?:[.,]?[0-9]{3}){0,4}(?:[.,][0-9]{1,2})?\b", None, 0.9),
    Rule(
        "TIME", r"\b[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: ?[APap]\.?[Mm]\b\.?)?", checks.clock, 0.7
    ),
    Rule("WALLET", r"\b[13][1-9A-HJ-NP-Za-km-z]{25,34}\b", checks.mixed, 0.9, "bitcoin address"),
    Rule("WALLET", r"\bbc1[02-9ac-hj-np-z]{25,60}\b", None, 0.95, "bitcoin address"),
    Rule("WALLET", r"\b0x[0-9A-Fa-f]{40}\b", None, 0.95, "ethereum address"),
    Rule(
        "COORDINATES",
        r"[+-]?\b[0-9]{1,2}\.[0-9]{4,12}°?(?: ?[NS])?[,;]? ?[+-]?[0-9]{1,3}\.[0-9]{4,12}°?(?:"
        r" ?[EWO])?\b",
        checks.coordinates,
        0.8,
    ),
    Rule("COORDINATES", rf"\b{DEGREES}[NS][,;]? {{0,2}}{DEGREES}[EWO]\b", None, 0.95),
    Rule(
        "DEVICE",
        r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b",
        None,
        0.9,
        "universal identifier",
    ),
    Rule("VEHICLE", r"\b[A-HJ-NPR-Z0-9]{17}\b", checks.vin, 0.95, "chassis number"),
)

# What stands before a weekday that tells a day; "every Tuesday" and "Tuesdays" tell none.
BEFORE_WEEKDAYS = {
    "en": "on|until|till|by|since|before|after|from|this|last|next",
    "de": "am|bis|seit|ab|vom|zum|nächsten|letzten|kommenden|diesen",
    "es": "el|al|del|este|hasta|desde|próximo|pasado",
    "fr": "le|ce|depuis|dès|jusqu'au|du|au|de",
    "it": "il|di|da|dal|al|entro|scorso|prossimo|questo|questa",
    "nl": "op|tot|sinds|vanaf|van|afgelopen|volgende|komende",
    "pt": "na|no|até|desde|à|ao|da|do|nesta|neste|próxima|próximo",
}


def weekday(language: str) -> Rule:
    """A weekday by itself that tells a day: "on Tuesday".

    >>> import re
    >>> re.findall(weekday("en").expression, "on Tuesday, every Friday")
    ['Tuesday']
    """
    names = "|".join(WEEKDAY_NAMES[language][0])
    before = BEFORE_WEEKDAYS[language]
    return Rule("DATE", rf"\b(?i:{before}) ((?i:{names}))\b", None, 0.5, "weekday")


# Tried after the rules of a language: long numbers that none of them knows.
LAST = (
    Rule(
        "IDENTIFIER",
        r"\b[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,4})?\b",
        checks.long_number,
        0.6,
        "written like an account",
    ),
    Rule(
        "IDENTIFIER",
        r"\b[0-9]{4}(?:[ .-][0-9]{4}){3}\b",
        None,
        0.6,
        "written like a card number",
    ),
    Rule("IDENTIFIER", r"\b[0-9]{8,24}\b", checks.no_round_number, 0.5, "long number"),
    Rule(
        "IDENTIFIER",
        r"\b[0-9]{2,6}(?:-[0-9]{2,8}){1,4}(?:-[0-9A-Z]{1,2})?\b",
        checks.long_number,
        0.5,
        "long number",
    ),
    Rule("IDENTIFIER", r"\b[A-Z]{1,3}-?[0-9]{6,12}[A-Z]{0,2}\b", None, 0.5, "letters and a number"),
    Rule(
        "IDENTIFIER",
        r"\b[A-Z]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]\b",
        None,
        0.7,
        "written like a national insurance number",
    ),
)
