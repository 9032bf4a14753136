"""Redundant terms: what a text repeats of the same person's relational values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
IN_WORDS = {word: number for number, word in enumerate(_ONES.split())} | {
    word: 10 * number for number, word in enumerate(_TENS.split(), 2)
}
_MONTHS = "january february march april may june july august september october november december"
MONTHS = {
    form: number for number, name in enumerate(_MONTHS.split(), 1) for form in (name, name[:3])
} | {"sept": 9}
_NUMBER = re.compile(r"(?<![\d.,])-?\d+(?:\.\d+)?(?![\d])")
_WORD = re.compile(r"[a-z]+")
_DATE_PART = re.compile(r"\d+|[a-z]+")
NEAR = 88  # of 100: how alike two words must be to be one
SHORTEST = 5  # letters; shorter words must be equal
EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Match:
    """The part of a term that repeats a value (the code of it), and how much of a date it tells."""

    start: int
    stop: int
    code: int
    told: int = 3


@lru_cache(maxsize=1 << 16)
def numbers_in(term: str) -> tuple[tuple[float, int, int], ...]:
    """The numbers of a term, in digits or in words up to ninety-nine, with their places.

    >>> numbers_in("36 years old"), numbers_in("thirty-six")
    (((36.0, 0, 2),), ((36.0, 0, 10),))
    """
    found = [(float(one[0]), one.start(), one.end()) for one in _NUMBER.finditer(term)]
    tens: tuple[float, int, int] | None = None
    for word in _WORD.finditer(term.casefold()) if len(term.casefold()) == len(term) else ():
        number = IN_WORDS.get(word[0])
        if number is None:
            tens = None
            continue
        if tens is not None and 0 < number < 10 and word.start() - tens[2] <= 1:
            found.remove(tens)
            found.append((tens[0] + number, tens[1], word.end()))
            tens = None
            continue
        one = (float(number), word.start(), word.end())
        found.append(one)
        tens = one if number >= 20 else None
    return tuple(found)


def number_match(term: str, values: Sequence[tuple[float, int]]) -> Match | None:
    """The only number of a term, when it is one of the person's values (value, code).

    A day of a date that happens to equal the person's age repeats no age.

    >>> number_match("36 years old", [(36.0, 4)])
    Match(start=0, stop=2, code=4, told=3)
    """
    found = numbers_in(term)
    if len(found) != 1 or date_parts(term)[1]:
        return None
    for number, start, stop in found:
        for value, code in values:
            if number == value:
                return Match(start, stop, code)
    return None


@lru_cache(maxsize=1 << 16)
def date_parts(term: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers of a term and the months it names.

    >>> date_parts("May 14th, 2004")
    ((14, 2004), (5,))
    """
    parts = [one[0] for one in _DATE_PART.finditer(term.casefold())]
    numbers = tuple(int(one[:9]) for one in parts if one[0].isdigit())
    return numbers, tuple(MONTHS[one] for one in parts if one in MONTHS)


def told_of(term: str, day: date) -> int:
    """How much of a date a term tells: 0 nothing, 1 its year, 2 its month, 3 its day.

    A date in any form counts; one without a year tells nothing that can be compared.

    >>> [told_of(term, date(2004, 5, 14)) for term in ("2004", "May 2004", "5/14/04", "2005")]
    [1, 2, 3, 0]
    """
    numbers, months = date_parts(term)
    short = len(numbers) + len(months) > 2  # 04 is a year beside a day and a month only
    year = next((n for n in numbers if n == day.year or (short and n == day.year % 100)), None)
    if year is None:
        return 0
    rest = [n for n in numbers if n != year]
    if months:
        if day.month not in months:
            return 0
        return 3 if day.day in rest else 0 if rest else 2
    if not rest:
        return 1
    if len(rest) == 1:
        return 2 if rest[0] == day.month else 0
    return 3 if day.month in rest and day.day in rest else 0


def date_match(term: str, values: Sequence[tuple[float, int]]) -> Match | None:
    """The whole term, when it generalises one of the person's dates (days since 1970, code).

    >>> date_match("2004", [(12_552.0, 0)])
    Match(start=0, stop=4, code=0, told=1)
    """
    best: Match | None = None
    if not date_parts(term)[0]:
        return None
    for value, code in values:
        told = told_of(term, EPOCH + timedelta(int(value)))
        if told and (best is None or told > best.told):
            best = Match(0, len(term), code, told)
    return best


def label_match(term: str, values: Sequence[tuple[str, int]]) -> Match | None:
    """The part of a term that names a category of the person, or the whole term if it nearly does.

    >>> label_match("science", [("Science", 2)]), label_match("Educaton", [("Education", 0)])
    (Match(start=0, stop=7, code=2, told=3), Match(start=0, stop=8, code=0, told=3))
    """
    for value, code in values:
        if not value:
            continue
        words = r"\s+".join(map(re.escape, value.split()))
        found = re.search(rf"(?<!\w){words}(?!\w)", term, re.IGNORECASE)
        if found:
            return Match(found.start(), found.end(), code)
        if min(len(term), len(value)) >= SHORTEST and _alike(term, value) >= NEAR:
            return Match(0, len(term), code)
    return None


@lru_cache(maxsize=1 << 16)
def _alike(one: str, other: str) -> float:
    from rapidfuzz.fuzz import ratio

    return float(ratio(one.casefold(), other.casefold()))
