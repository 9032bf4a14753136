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


def mixed(text: str) -> bool:
    """Letters of both cases and digits, as a code has them and no word has.

    >>> mixed("1BoatSLRHtKNngkdXEeobR76b53LETtpyT"), mixed("1000000000000000000000000000")
    (True, False)
    """
    return any(map(str.isdigit, text)) and any(map(str.islower, text)) and not text.islower()


def coordinates(text: str) -> bool:
    """A latitude and a longitude.

    >>> coordinates("52.5200, 13.4050"), coordinates("95.120, 13.405")
    (True, False)
    """
    latitude, longitude = (float(one) for one in re.findall(r"[0-9]+\.[0-9]+", text))
    return latitude <= 90 and longitude <= 180


VIN = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"), strict=True))
VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def vin(text: str) -> bool:
    """A chassis number of North America, whose ninth symbol checks it, or one with many letters.

    >>> vin("1HGCM82633A004352"), vin("11111111111111112")
    (True, False)
    """
    values = [VIN[x] if x in VIN else int(x) for x in text]
    total = sum(weight * value for weight, value in zip(VIN_WEIGHTS, values, strict=True))
    if "0123456789X"[total % 11] == text[8]:
        return True
    return text[:3].isalpha() and text[-4:].isdigit()


def long_number(text: str) -> bool:
    """At least eight digits, and no date: somebody's number of something.

    >>> long_number("91-330-3611"), long_number("12.05.2020"), long_number("1990-2001")
    (True, False, False)
    """
    numbers = NUMBERS.findall(text)
    if sum(map(len, numbers)) < 8:
        return False
    if len(numbers) == 2 and all(len(x) == 4 for x in numbers):
        return False
    return len(numbers) != 3 or not numeric_date(text)


def no_round_number(text: str) -> bool:
    """Not a count of millions, and not a day written without separators.

    >>> no_round_number("50000000"), no_round_number("81574142")
    (False, True)
    """
    return len(text.rstrip("0")) > 3


def plate(text: str) -> bool:
    """A number plate: letters or digits in a few groups, with a digit.

    >>> plate("KX52 BDR"), plate("STOLEN")
    (True, False)
    """
    symbols = [symbol for symbol in text if symbol.isalnum()]
    return 4 <= len(symbols) <= 17 and any(map(str.isdigit, symbols))


def no_year(text: str) -> bool:
    """A number that is not a year.

    >>> no_year("1998"), no_year("5366")
    (False, True)
    """
    return not (len(text) == 4 and text[:2] in ("18", "19", "20"))


def enough_digits(text: str) -> bool:
    """At least five digits.

    >>> enough_digits("AB 12"), enough_digits("AB 12 345")
    (False, True)
    """
    return len(digits_of(text)) >= 5


def no_year_first(text: str) -> bool:
    """A text whose first number is no year: "2021 Berlin" is a date, "10115 Berlin" a place.

    >>> no_year_first("2021 Berlin"), no_year_first("10115 Berlin")
    (False, True)
    """
    return no_year(NUMBERS.findall(text)[0])


def mod11_10(text: str) -> bool:
    """ISO 7064, modulus 11, 10: German tax numbers.

    >>> mod11_10("36574261809"), mod11_10("36574261808")
    (True, False)
    """
    digits = [int(digit) for digit in digits_of(text)]
    if len(digits) != 11 or digits[0] == 0:
        return False
    product = 10
    for digit in digits[:-1]:
        total = (digit + product) % 10 or 10
        product = 2 * total % 11
    return (11 - product) % 10 == digits[-1]


def nir(text: str) -> bool:
    """A French social security number: its key is 97 less the number modulo 97.

    >>> nir("2 95 10 99 126 111 93"), nir("2 95 10 99 126 111 94")
    (True, False)
    """
    compact = "".join(symbol for symbol in text.upper() if symbol.isalnum())
    if len(compact) != 15 or not compact[13:].isdigit():
        return False
    number = compact[:13].replace("2A", "19").replace("2B", "18")
    return number.isdigit() and 97 - int(number) % 97 == int(compact[13:])


def bsn(text: str) -> bool:
    """A Dutch citizen service number: weights nine to two and minus one, modulo eleven.

    >>> bsn("111222333"), bsn("111222334")
    (True, False)
    """
    digits = [int(digit) for digit in digits_of(text)]
    weights = (9, 8, 7, 6, 5, 4, 3, 2, -1)
    total = sum(weight * digit for weight, digit in zip(weights, digits, strict=False))
    return len(digits) == 9 and total % 11 == 0 and any(digits)


# What the odd places of an Italian tax code count, in the order of the ten digits and the letters.
_ODD_VALUES = (
    "1 0 5 7 9 13 15 17 19 21 1 0 5 7 9 13 15 17 19 21 2 4 18 20 11 3 6 8 12 14 16 10 22 25 24 23"
)
_ODD = dict(zip("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", map(int, _ODD_VALUES.split()), strict=True))


def codice_fiscale(text: str) -> bool:
    """An Italian tax code, whose last letter checks the others.

    >>> codice_fiscale("RSSMRA85T10A562S"), codice_fiscale("RSSMRA85T10A562T")
    (True, False)
    """
    compact = text.upper()
    even = {symbol: int(symbol, 36) - (10 if symbol.isalpha() else 0) for symbol in _ODD}
    total = sum((_ODD if place % 2 == 0 else even)[x] for place, x in enumerate(compact[:15]))
    return len(compact) == 16 and chr(ord("A") + total % 26) == compact[15]


def nif(text: str) -> bool:
    """A Portuguese tax number: weights nine to two, modulo eleven.

    >>> nif("123456789"), nif("123456788")
    (True, False)
    """
    digits = [int(digit) for digit in digits_of(text)]
    if len(digits) != 9:
        return False
    rest = (
        11
        - sum(weight * digit for weight, digit in zip(range(9, 1, -1), digits, strict=False)) % 11
    )
    return (rest if rest < 10 else 0) == digits[8]


def cpf(text: str) -> bool:
    """A Brazilian tax number with its two check digits.

    >>> cpf("111.444.777-35"), cpf("111.444.777-36")
    (True, False)
    """
    digits = [int(digit) for digit in digits_of(text)]
    if len(digits) != 11 or len(set(digits)) == 1:
        return False
    for size in (9, 10):
        weighted = sum((size + 1 - place) * digits[place] for place in range(size))
        if (10 * weighted % 11) % 10 != digits[size]:
            return False
    return True


def my_number(text: str) -> bool:
    """A Japanese individual number (my number), whose last digit checks the others.

    >>> my_number("1234 5678 9018"), my_number("1234 5678 9012")
    (True, False)
    """
    digits = [int(digit) for digit in digits_of(text.translate(WIDE_DIGITS))]
    if len(digits) != 12:
        return False
    total = sum(
        digit * (place + 1 if place <= 6 else place - 5)
        for place, digit in enumerate(reversed(digits[:11]), 1)
    )
    rest = total % 11
    return (0 if rest <= 1 else 11 - rest) == digits[11]


WIDE_DIGITS = {0xFF10 + digit: str(digit) for digit in range(10)}
