"""What a candidate must satisfy: check digits, ranges, calendars."""

from __future__ import annotations

import ipaddress
import re

DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
NUMBERS = re.compile("[0-9]+")
DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"


def digits_of(text: str) -> str:
    """The ASCII digits of a text, in order.

    >>> digits_of("4111-1111 x")
    '41111111'
    """
    return "".join(symbol for symbol in text if "0" <= symbol <= "9")


def luhn(text: str) -> bool:
    """The check digit of cards: the sum with every second digit doubled is a multiple of ten.

    >>> luhn("4111 1111 1111 1111"), luhn("4111 1111 1111 1112")
    (True, False)
    """
    digits = [int(digit) for digit in digits_of(text)]
    total = sum(digits[-1::-2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return len(digits) > 1 and total % 10 == 0


def card(text: str) -> bool:
    """A card number: a known length, a network's first digit, a right check digit.

    >>> card("4111111111111111"), card("0000000000000000")
    (True, False)
    """
    digits = digits_of(text)
    return 13 <= len(digits) <= 19 and digits[0] in "23456" and luhn(digits)


def iban(text: str) -> bool:
    """ISO 13616: the number with its first four symbols moved to the end is 1 modulo 97.

    >>> iban("GB82 WEST 1234 5698 7654 32"), iban("GB82 WEST 1234 5698 7654 33")
    (True, False)
    """
    compact = text.replace(" ", "").replace("-", "").upper()
    if not 15 <= len(compact) <= 34 or not compact.isascii() or not compact.isalnum():
        return False
    moved = compact[4:] + compact[:4]
    return int("".join(str(int(symbol, 36)) for symbol in moved)) % 97 == 1


def ssn(text: str) -> bool:
    """A United States social security number that could have been issued.

    >>> ssn("482-43-1338"), ssn("000-43-1338")
    (True, False)
    """
    digits = digits_of(text)
    area = digits[:3]
    return len(digits) == 9 and (
        area not in ("000", "666")
        and area[0] != "9"
        and digits[3:5] != "00"
        and digits[5:] != "0000"
    )


def nhs(text: str) -> bool:
    """A British NHS number: weights ten to two, modulo eleven.

    >>> nhs("943 476 5919"), nhs("943 476 5918")
    (True, False)
    """
    digits = [int(digit) for digit in digits_of(text)]
    if len(digits) != 10:
        return False
    weighted = sum(weight * digit for weight, digit in zip(range(10, 1, -1), digits, strict=False))
    return (11 - weighted % 11) % 11 == digits[9]


def dni(text: str) -> bool:
    """A Spanish DNI or NIE: the letter is the number modulo 23.

    >>> dni("12345678Z"), dni("12345678A"), dni("X1234567L")
    (True, False, True)
    """
    compact = "".join(symbol for symbol in text.upper() if symbol.isalnum())
    number = compact[:-1].translate(str.maketrans("XYZ", "012"))
    return number.isdecimal() and DNI_LETTERS[int(number) % 23] == compact[-1]


def ip(text: str) -> bool:
    """An address of IPv4 or IPv6.

    >>> ip("192.168.0.1"), ip("2001:db8::1"), ip("300.1.1.1")
    (True, True, False)
    """
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return text != "::"


def dialled(text: str) -> bool:
    """An international telephone number of a length its country uses.

    >>> dialled("+34 912 345 678"), dialled("+34 91")
    (True, False)
    """
    import phonenumbers

    try:
        return bool(phonenumbers.is_possible_number(phonenumbers.parse(text, None)))
    except phonenumbers.NumberParseException:
        return False


def numeric_date(text: str) -> bool:
    """Three numbers with the same separator that are a date in some order.

    >>> numeric_date("06/17/2021"), numeric_date("17.6.21"), numeric_date("31/31/2021")
    (True, True, False)
    """
    first, second, third = NUMBERS.findall(text)
    if len(first) == 4:
        return text[4] == text[-len(third) - 1] and _exists(first, second, third)
    if text[len(first)] != text[-len(third) - 1]:
        return False
    return _exists(third, first, second) or _exists(third, second, first)


def _exists(year: str, month: str, day: str) -> bool:
    full, number = int(year) if len(year) == 4 else 2000 + int(year), int(month)
    if not (1 <= number <= 12 and 1800 <= full <= 2199 and len(year) != 3):
        return False
    leap = number == 2 and full % 4 == 0 and (full % 100 != 0 or full % 400 == 0)
    return 1 <= int(day) <= DAYS[number - 1] + leap


def age(text: str) -> bool:
    """A number of years (or months, weeks, days) a person may have lived.

    >>> age("49-year-old"), age("149 years")
    (True, False)
    """
    return int(digits_of(text)[:6] or 0) <= 125


def clock(text: str) -> bool:
    """A time of day.

    >>> clock("14:30"), clock("27:30")
    (True, False)
    """
    hours, _, rest = text.partition(":")
    return int(digits_of(hours) or 99) <= 24 and int(digits_of(rest[:2]) or 0) < 60
