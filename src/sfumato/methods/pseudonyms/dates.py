"""Dates read from any common form, moved by days, and written in the form they had."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from ...core.printed_form import by_sizes
from .weekdays import Weekday, weekday_in

MONTHS = {
    "en": "january february march april may june july august september october november december",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
    "dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro "
    "dezembro",
}


def _names(*languages: str) -> dict[str, tuple[int, str, int]]:
    """Lower-case name -> number, language, length (0: the whole name)."""
    return {
        name[:length] if length else name: (number, language, length)
        for language in languages
        for length in ((0,) if language in NO_SHORT_MONTHS else (3, 0))
        for number, name in enumerate(MONTHS[language].split(), 1)
    }


NO_SHORT_MONTHS = ("fr", "nl")  # janv., mrt: not the first three letters
NAMES: Mapping[str, tuple[int, str, int]] = {
    **_names("es", "en"),
    "sept": (9, "en", 4),
    "setiembre": (9, "es", 0),
}
# In a text of another language its own months count, and no others: "Mai" moved to "June" would
# tell more than it should.
FOREIGN = {language: _names(language) for language in ("de", "fr", "nl", "it", "pt")}
DAY_FIRST = frozenset((*FOREIGN, "es"))
BETWEEN = frozenset(("de", "del", "of", "the", "der", "den", "du", "di", "do", "da", "in", "im"))
NUMERIC = re.compile("([0-9]{1,2})[-/.]([0-9]{1,2})[-/.][0-9]{2,4}")
LETTERS = re.compile(r"[^\W\d_]+")
TOKEN = re.compile(r"([0-9]+)(?:(st|nd|rd|th)\b)?|([^\W\d_]+)")
HALVES = {"am", "pm"}  # of a day: what has one is a time


@dataclass(frozen=True, slots=True)
class Part:
    """A day, a month or a year as it stands in the text."""

    role: str
    start: int
    stop: int
    text: str
    suffix: str = ""
    language: str = ""

    __repr__ = by_sizes


def shifted(text: str, days: int, day_first: bool, language: str = "") -> str | None:
    """The date so many days later in the same form; None when it is no date that can be read.

    What the form leaves out is taken as the middle: the 15th, July, any year. A weekday becomes
    that of the moved date: the old one beside it would tell the days modulo seven.

    >>> shifted("06/17/2021", 20, False), shifted("June 28th, 2021", 5, False)
    ('07/07/2021', 'July 3rd, 2021')
    >>> shifted("3 de marzo de 2010", -3, True), shifted("last week", 5, False)
    ('28 de febrero de 2010', None)
    >>> shifted("02June2004", 30, False), shifted("10.30-3pm", 30, False)
    ('02July2004', None)
    >>> shifted("Tuesday, 2 March 2021", 3, False), shifted("on Tuesday", 3, False)
    ('Friday, 5 March 2021', None)
    """
    form = _form(text, day_first, language)
    if form is None:
        return None
    try:
        moved = date(form.year, form.month, form.day) + timedelta(days)
    except (ValueError, OverflowError):
        return None
    new = {"year": moved.year, "month": moved.month, "day": moved.day}
    written = [
        (part.start, part.stop, _written(part, new[part.role], form.padded, form.joined))
        for part in form.parts
    ]
    if form.weekday is not None:
        day = moved.weekday() if form.full else (form.weekday.day + days) % 7
        written.append((form.weekday.start, form.weekday.stop, form.weekday.written(text, day)))
    pieces, at = [], 0
    for start, stop, one in sorted(written):
        pieces += [text[at:start], one]
        at = stop
    return "".join([*pieces, text[at:]])


@dataclass(frozen=True, slots=True)
class _Form:
    """A date that was read, and the form it has."""

    parts: tuple[Part, ...]
    year: int
    month: int
    day: int
    padded: bool
    joined: bool
    full: bool  # day, month and year are written
    weekday: Weekday | None


@lru_cache(maxsize=1 << 14)  # one date stands in many places
def _form(text: str, day_first: bool, language: str) -> _Form | None:
    """The date of a text, what it leaves out taken as the middle; None when it is none."""
    weekday = weekday_in(text, language)
    rest = text
    if weekday is not None:
        rest = text[: weekday.start] + " " * (weekday.stop - weekday.start) + text[weekday.stop :]
    parts = sorted(read(rest, day_first, language), key=lambda part: part.start)
    values = {part.role: _number(part) for part in parts}
    if not parts or weekday_in(rest, language) is not None:
        return None
    if weekday is not None and not (weekday.names and "day" in values):
        return None  # nobody knows which day it becomes, or how that is written
    joined = "-" in rest or "/" in rest  # where "may" is a short form like the others
    year, month, day = values.get("year", 2000), values.get("month", 7), values.get("day", 15)
    full = len(values) == 3
    return _Form(tuple(parts), year, month, day, _padded(parts), joined, full, weekday)


def day_first_votes(texts: Iterable[str]) -> int:
    """How many more numeric dates can only be read day first than month first.

    >>> day_first_votes(["17/06/2021", "01/02/2021"])
    1
    """
    votes = 0
    for text in texts:
        numbers = NUMERIC.fullmatch(LETTERS.sub("", text).strip(" ,.()"))  # a weekday aside
        if numbers:
            votes += (int(numbers[1]) > 12) - (int(numbers[2]) > 12)
    return votes


def read(text: str, day_first: bool, language: str = "") -> list[Part]:
    """The day, month and year of a text, as many as it has; none when it is no date."""
    tokens = list(TOKEN.finditer(text))
    words = [token for token in tokens if token[3] and token[3].lower() in _months(language)]
    numbers = [token for token in tokens if token[1]]
    if any(token[3] and token[3].lower() in HALVES for token in tokens):
        return []
    if len(words) > 1 or not 1 <= len(numbers) <= 3 or any(len(one[1]) > 4 for one in numbers):
        return []
    if not words and _unknown_between(tokens):
        return []
    roles = _roles_with_name(words[0], numbers, text) if words else _roles(numbers, day_first)
    return [
        Part(role, *token.span(), token[3] or token[1], token[2] or "", language)
        for token, role in roles
    ]


def _months(language: str) -> Mapping[str, tuple[int, str, int]]:
    return FOREIGN.get(language, NAMES)


def _unknown_between(tokens: list[re.Match[str]]) -> bool:
    """Whether between two numbers stands a word that may be a month nobody here knows."""
    kinds = [token[3] or "" for token in tokens]
    numbers = [at for at, word in enumerate(kinds) if not word]
    if len(numbers) != 2:
        return False
    return any(word.lower() not in BETWEEN for word in kinds[numbers[0] + 1 : numbers[1]])


Roles = list[tuple[re.Match[str], str]]


def _roles_with_name(word: re.Match[str], numbers: list[re.Match[str]], text: str) -> Roles:
    roles: Roles = [(word, "month")]
    years = [number for number in numbers if len(number[1]) == 4]
    short = [number for number in numbers if len(number[1]) <= 2]
    if len(years) > 1 or len(years) + len(short) != len(numbers) or len(numbers) > 2:
        return []
    if not years and short[-1].start() > word.end() and text[word.end()] in "-/":
        years, short = [short[-1]], short[:-1]  # 3-Feb-19, mar-09
    if len(short) > 1:
        return []
    return roles + [(year, "year") for year in years] + [(day, "day") for day in short]


def _roles(numbers: list[re.Match[str]], day_first: bool) -> Roles:
    lengths = [len(number[1]) for number in numbers]
    values = [int(number[1]) for number in numbers]
    if len(numbers) == 3 and lengths[0] == 4:
        return list(zip(numbers, ("year", "month", "day"), strict=True))
    if len(numbers) == 1:
        return [(numbers[0], "year")] if lengths[0] == 4 else []
    if len(numbers) == 2 and lengths[1] == 4:
        return list(zip(numbers, ("month", "year"), strict=True))
    first_is_day = values[0] > 12 or (day_first and values[1] <= 12)
    order = ("day", "month") if first_is_day else ("month", "day")
    return list(zip(numbers, (*order, "year"), strict=False))


def _number(part: Part) -> int:
    if not part.text.isdigit():
        return _months(part.language)[part.text.lower()][0]
    value = int(part.text)
    if part.role == "year" and len(part.text) <= 2:
        return value + (2000 if value < 69 else 1900)
    return value


def _padded(parts: list[Part]) -> bool:
    """Whether days and months are written with two digits."""
    short = [part.text for part in parts if part.text.isdigit() and part.role != "year"]
    if any(len(text) == 1 for text in short):
        return False
    if any(text.startswith("0") for text in short):
        return True
    return not any(not part.text.isdigit() for part in parts)


def _written(part: Part, value: int, padded: bool, joined: bool) -> str:
    if not part.text.isdigit():
        _, language, length = _months(part.language)[part.text.lower()]
        name = MONTHS[language].split()[value - 1]
        if joined and part.text.lower() == "may":
            length = 3
        name = name[:length] if length else name
        return (
            name.upper()
            if part.text.isupper()
            else (name.capitalize() if part.text[0].isupper() else name)
        )
    if part.role == "year":
        return f"{value % 100:02d}" if len(part.text) <= 2 else f"{value:04d}"
    return (f"{value:02d}" if padded else str(value)) + (_ordinal(value) if part.suffix else "")


def _ordinal(value: int) -> str:
    return {1: "st", 2: "nd", 3: "rd"}.get(value % 10 if value not in (11, 12, 13) else 0, "th")
