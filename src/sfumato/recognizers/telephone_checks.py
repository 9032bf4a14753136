"""What a telephone number must satisfy: a country has it, or it is written like one."""

from __future__ import annotations

import re

from .checks import NUMBERS, dialled, digits_of


def telephone(text: str, region: str | None = None) -> bool:
    """A telephone number of the region, else of a country where numbers look like that.

    >>> telephone("(749)534-9309"), telephone("05 64 58 21 82"), telephone("2012-2014 2015")
    (True, True, False)
    >>> telephone("020 7946 0018", "GB"), telephone("11.5 13.2 14.8")
    (True, False)
    """
    import phonenumbers

    bare = re.split("(?i)x|e", text)[0]
    digits = digits_of(bare)
    if not 7 <= len(digits) <= 16 or re.search(r"\b[0-9]{1,2}\.[0-9]{1,2}\b", bare):
        return False
    if text.lstrip(" (").startswith("+"):
        return dialled(bare)
    if digits.startswith("00"):
        return len(digits) >= 10 and dialled("+" + digits[2:])
    if region is not None:
        try:
            if phonenumbers.is_valid_number(phonenumbers.parse(bare, region)):
                return True
        except phonenumbers.NumberParseException:
            return False
    return _written_like_one(bare, digits)


# How the digits of telephone numbers are grouped where they are not told by a zero or a bracket.
_GROUPS = frozenset(
    (
        *((3, 3, 4), (1, 3, 3, 4), (3, 3, 3), (3, 2, 2, 2), (3, 2, 3), (2, 4, 4), (2, 5, 4)),
        *((3, 3, 2, 2), (2, 3, 2, 2), (3, 4, 4), (2, 2, 2, 3), (5, 5)),
    )
)


def _written_like_one(text: str, digits: str) -> bool:
    numbers = NUMBERS.findall(text)
    groups = tuple(map(len, numbers))
    if text.count("(") != text.count(")") or text.count("(") > 1 or ("." in text and "/" in text):
        return False
    if text.startswith("("):
        return 8 <= len(digits) <= 14 and text[1:].find(")") in range(1, 6)
    if digits[0] == "0":
        return 8 <= len(digits) <= 13 and 2 <= len(groups) <= 6 and groups[0] > 1
    years = [one for one in numbers if len(one) == 4 and one[:2] in ("19", "20")]
    if len(years) > 1 or "/" in text or "(" in text:
        return False
    return groups in _GROUPS and (groups != (3, 3, 3) or digits[0] in "56789")
