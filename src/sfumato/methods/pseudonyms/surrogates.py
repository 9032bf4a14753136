"""Surrogates that keep type and shape: words for words, digits for digits, names for names.

A surrogate is drawn by the key from what it stands for, and drawn again while another entity has
it, or it shows the original or is itself an entity that was found. What no shape fits becomes a
tag: `[SSN-0b51f3]`. So do numbers of a form with few values for many entities: values that are
nobody's surrogate would be those that were found. Entities are served in the order of their normal
forms, so that the order of documents does not matter.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from unicodedata import normalize

from ...core.letters import is_invisible
from .lists import GIVEN, SURNAME_ENDS, SURNAME_STARTS

if TYPE_CHECKING:
    from .secret import Secret

ATTEMPTS = 400
SHOWS = 3  # an original of so many symbols may not stand inside its surrogate
ROOM = 100  # values of a form for each entity that has it; with fewer, surrogates are tags

Make = Callable[[str, int], str | None]


def folded(text: str) -> str:
    """A text without case, width, blanks and what shows nothing: two that fold alike look alike.

    >>> folded("ANN  Ho"), folded("ann ho"), folded("\\uff14\\uff11\\u00ad1")
    ('annho', 'annho', '411')
    """
    if not text.isascii():
        seen = "".join(symbol for symbol in text if not is_invisible(symbol))
        text = normalize("NFKC", normalize("NFKD", seen).casefold())
    return "".join(text.casefold().split())


@dataclass(frozen=True, slots=True)
class SurrogateTable:
    """The surrogates given so far, by kind: one for every entity, none for two.

    >>> from .secret import Secret
    >>> drawn = SurrogateTable(Secret(b"0123456789abcdef"))
    >>> first = drawn.surrogate("MRN", "12-345", shaped)
    >>> first == drawn.surrogate("MRN", "12-345", shaped), len(first), first[2]
    (True, 6, '-')
    """

    secret: Secret
    given: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)
    used: set[tuple[str, str]] = field(default_factory=set, repr=False)
    found: set[tuple[str, str]] = field(default_factory=set, repr=False)
    """What was found, folded, by kind: no surrogate of that kind."""

    def surrogate(self, kind: str, thing: str, make: Make, spare: Make | None = None) -> str:
        """The surrogate of a thing: `make(thing, number)` with a number drawn by the key.

        Where the shape does not fit (None) or has too few values, `spare` makes it; without one a
        number is put behind.
        """
        key = kind, thing.casefold()
        if key in self.given:
            return self.given[key]
        attempt = 0
        while True:
            number = self.secret.draw(kind, key[1], attempt)
            candidate = make(thing, number)
            if candidate is None or attempt >= ATTEMPTS:
                made = None if spare is None else spare(thing, number)
                candidate = made or f"{candidate or ''}-{max(attempt - ATTEMPTS, 0) + 1}"
            if self._is_free(kind, candidate, thing):
                break
            attempt += 1
        self.given[key] = candidate
        self.used.add((kind, candidate.casefold()))
        return candidate

    def _is_free(self, kind: str, candidate: str, thing: str) -> bool:
        new, old = folded(candidate), folded(thing)
        shows = new == old or (len(old) >= SHOWS and old in new)
        taken = (kind, candidate.casefold()) in self.used or (kind, new) in self.found
        return not shows and not taken


def given_name(gender: str, language: str) -> Make:
    """Given names of a gender; "unknown" takes either.

    >>> given_name("female", "en")("Ann", 1)
    'Agnes-Abigail'
    """
    names = GIVEN[language]
    pool = names["female"] + names["male"] if gender == "unknown" else names[gender]

    def make(_: str, number: int) -> str:
        first = pool[number % len(pool)]
        if number // len(pool) % 16:  # a second part, so that there are enough of them
            return first
        return f"{first}-{pool[number // len(pool) // 16 % len(pool)]}"

    return make


def surname(language: str) -> Make:
    """Invented surnames; the same words serve for streets and towns.

    >>> surname("en")("Smith", 0)
    'Alderbourne'
    """
    starts, ends = SURNAME_STARTS[language], SURNAME_ENDS[language]

    def make(_: str, number: int) -> str:
        number, end = divmod(number, len(ends))
        number, start = divmod(number, len(starts))
        return starts[start] + ends[end]

    return make


def shaped(thing: str, number: int) -> str:
    """Digits for digits, letters for letters in their case, everything else as it stands.

    >>> shaped("AB-12", 12345)
    'VG-81'
    """
    result = []
    for symbol in thing:
        if symbol.isdigit():
            number, digit = divmod(number, 10)
            result.append(str(digit))
        elif symbol.isalpha():
            number, letter = divmod(number, 26)
            letters = string.ascii_uppercase if symbol.isupper() else string.ascii_lowercase
            result.append(letters[letter])
        else:
            result.append(symbol)
        number = number or len(result) * 0x9E3779B97F4A7C15
    return "".join(result)


def in_shape(thing: str, symbols: str) -> str:
    """The letters and digits of a thing replaced, one after the other, by these symbols.

    >>> in_shape("(713) 524", "55501x")
    '(555) 01x'
    """
    following = iter(symbols)
    return "".join(next(following) if symbol.isalnum() else symbol for symbol in thing)


def digits(thing: str) -> str:
    """The digits of a thing that has no other letters or digits; nothing of any other.

    >>> digits("482-43"), digits("482-A3"), digits("٤٨"), digits("4²")
    ('48243', '', '', '')
    """
    found = "".join(symbol for symbol in thing if symbol.isalnum())
    return found if found.isascii() and found.isdigit() else ""


def phone(thing: str, number: int) -> str:
    """A telephone number; a North American one from the range kept for fiction.

    >>> phone("(713) 524-9968", 4711)
    '(911) 555-0105'
    """
    found = digits(thing)
    country, rest = ("1", found[1:]) if len(found) == 11 and found[0] == "1" else ("", found)
    if len(rest) == 10 and rest[0] in "23456789":
        number, area = divmod(number, 800)
        return in_shape(thing, f"{country}{200 + area}55501{number % 100:02d}")
    kept = len(thing) - len(thing.lstrip("+0123456789")) if thing.startswith("+") else 1
    kept = min(kept, 3)
    return thing[:kept] + shaped(thing[kept:], number)


def card(thing: str, number: int) -> str:
    """A card number of the same network whose check digit is right.

    >>> card("4111 1111 1111 1111", 7)
    '4700 0000 0000 0005'
    """
    size = len(digits(thing))
    if size < 3:
        return shaped(thing, number)
    body = digits(thing)[0] + str(number % 10 ** (size - 2))[::-1].ljust(size - 2, "0")
    total = sum(int(digit) for digit in body[-2::-2])
    total += sum(sum(divmod(2 * int(digit), 10)) for digit in body[-1::-2])
    return in_shape(thing, body + str(-total % 10))


def iban(thing: str, number: int) -> str:
    """An IBAN of the same country whose check digits are right.

    >>> iban("GB82 WEST 1234 5698 7654 32", 7)[:2]
    'GB'
    """
    compact = "".join(symbol for symbol in thing if symbol.isalnum())
    if len(compact) < 5 or not compact.isascii() or not compact[:2].isalpha():
        return shaped(thing, number)
    compact = compact.upper()
    body = shaped(compact[4:], number)
    value = int("".join(str(int(symbol, 36)) for symbol in body + compact[:2] + "00"))
    return in_shape(thing, f"{compact[:2]}{98 - value % 97:02d}{body}")


def ssn(thing: str, number: int) -> str:
    """A social security number from the range that is never issued.

    >>> ssn("482-43-1338", 7)
    '970-00-0000'
    """
    size = len(digits(thing)) - 1
    if size < 1:
        return shaped(thing, number)
    return in_shape(thing, "9" + str(number % 10**size)[::-1].ljust(size, "0"))


def dni(thing: str, number: int) -> str:
    """A national number; of a Spanish one the letter is made right.

    >>> dni("12345678Z", 87654321)
    '12345678Z'
    """
    compact = "".join(symbol for symbol in thing if symbol.isalnum())
    if len(compact) != 9 or not compact.isascii():
        return shaped(thing, number)
    compact = compact.upper()
    if not compact[-1].isalpha() or not compact[1:-1].isdigit():
        return shaped(thing, number)
    lead = "" if compact[0].isdigit() else compact[0]
    size = 8 - len(lead)
    body = str(number % 10**size)[::-1].ljust(size, "0")
    value = int({"X": "0", "Y": "1", "Z": "2"}.get(lead, "") + body)
    letter = "TRWAGMYFPDXBNJZSQVHLCKE"[value % 23]
    return in_shape(thing, lead + body + (letter if thing[-1].isupper() else letter.lower()))


def address_of_net(thing: str, number: int) -> str:
    """An address of the private ranges of IPv4 or IPv6.

    >>> address_of_net("192.0.2.1", 1), address_of_net("2001:db8::1", 1)
    ('10.0.0.1', 'fd00::1')
    """
    if ":" in thing:
        return f"fd00::{number % 0x10000:x}" + (
            f":{number // 0x10000 % 0x10000:x}" if number >= 0x10000 else ""
        )
    number %= 1 << 24
    return f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"


def url(thing: str, number: int) -> str:
    """The same scheme, a host kept for examples, and a path of the same shape.

    >>> url("https://portal.clinic.org/p/12", 7).startswith("https://www.example.org/")
    True
    """
    scheme, mark, rest = thing.rpartition("://")
    _, slash, path = rest.partition("/")
    return f"{scheme}{mark}www.example.org{slash}{shaped(path, number) if slash else ''}" + (
        "" if path else f"{'' if slash else '/'}{number % 10**6}"
    )


# These draw from ranges of their own, whatever the form of what was found.
APART = (address_of_net, url)


def form(thing: str) -> str:
    """A thing with every digit and every letter alike.

    >>> form("AB-12"), form("cd-7")
    ('aa-00', 'aa-0')
    """
    return "".join("0" if c.isdigit() else "a" if c.isalpha() else c for c in thing)


def crowded_forms(found: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """The labels and forms that have too few values for the entities found.

    >>> sorted(crowded_forms([("MRN", "12"), ("MRN", "34"), ("MRN", "5678")]))
    [('MRN', '00')]
    """
    counts = Counter(
        (label, form(text)) for label, text in found if SHAPES.get(label, url) not in APART
    )
    return {
        (label, shape)
        for (label, shape), many in counts.items()
        if many * ROOM > 10 ** shape.count("0") * 26 ** shape.count("a")
    }


def tag(label: str) -> Make:
    """For what has no shape of its own: the label and a keyed number.

    >>> tag("WARD")("12", 255)
    'WARD-0000ff'
    """
    return lambda thing, number: f"{label}-{number % (1 << 24):06x}"


def bracketed(label: str) -> Make:
    """For what no surrogate can be made for: the label and a keyed number, as no text has it.

    >>> bracketed("PERSON")("***", 255)
    '[PERSON-0000ff]'
    """
    return lambda thing, number: f"[{label}-{number % (1 << 24):06x}]"


SHAPES: dict[str, Make] = {
    **dict.fromkeys(
        (
            *("MRN", "ACCOUNT", "LICENSE", "INSURANCE", "VEHICLE", "DEVICE", "POSTCODE"),
            *("IDENTIFIER", "USERNAME", "WALLET", "COORDINATES"),
        ),
        shaped,
    ),
    "PHONE": phone,
    "FAX": phone,
    "CREDIT_CARD": card,
    "IBAN": iban,
    "SSN": ssn,
    "NATIONAL_ID": dni,
    "IP": address_of_net,
    "URL": url,
}
