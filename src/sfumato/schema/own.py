"""What counts as a person's own value in the person's texts, and how it may be written there.

Searched are quasi-identifiers, dropped columns and the person column: `words` are values of three
letters or of five letters and digits that are no everyday words, and dates to the day; `all` are
numbers, months, years and short values too; `dropped` are words of the columns that the release
does not show, which are the person's and the dropped ones. How they are searched, and what becomes
of them, is the business of those who ask.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .models import Column, OwnValues, Schema

# Values that say nothing where they stand in a text: answers, degrees, gaps.
_EVERYDAY = (
    "yes no not none other others unknown missing true false null nan n/a any all both some never "
    "always often low medium middle high mild moderate severe small large good bad poor fair "
    "normal average new old the and for was are his her she him"
)
EVERYDAY = frozenset(_EVERYDAY.split())
_MONTHS = "January February March April May June July August September October November December"
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
DAY, MONTH, YEAR = 3, 2, 1


@dataclass(frozen=True, slots=True)
class Searched:
    """A column whose own values are looked for; `column` is None for the person's."""

    name: str
    column: Column | None
    level: OwnValues

    @property
    def is_hidden(self) -> bool:
        """Whether the release has no cell of it: every mention is replaced by its type."""
        return self.column is None or self.column.role == "drop"

    @property
    def label(self) -> str:
        """The type that stands for its values: the first entity type mapped to it, or its name.

        >>> from sfumato.schema import Column
        >>> Searched("birth place", Column(), "words").label
        'BIRTH_PLACE'
        """
        if self.column is not None and self.column.entities:
            return self.column.entities[0]
        return re.sub(r"\W+", "_", self.name).strip("_").upper() or "VALUE"


@dataclass(frozen=True, slots=True)
class Word:
    """One way to write a value; `told` says how much of a date it is."""

    text: str
    any_case: bool = True
    told: int = DAY


def searched(schema: Schema, columns: list[str]) -> list[Searched]:
    """The columns of a table whose own values are looked for in its texts.

    >>> from sfumato.schema import as_schema
    >>> columns = {"name": {"role": "drop"}, "city": {}, "note": {"kind": "text"}}
    >>> schema = as_schema({"person": "id", "columns": columns, "own_values": "words"})
    >>> [one.name for one in searched(schema, ["id", *columns])]
    ['id', 'name', 'city']
    """
    asked = schema.own_values or "dropped"
    result = []
    for name in columns:
        column = schema.columns.get(name)
        level = asked
        if column is None:
            if name != schema.person and schema.others != "drop":
                continue
        elif column.kind == "text" or column.role not in ("quasi", "drop"):
            continue
        else:
            level = column.own_values or asked
        one = Searched(name, column, "words" if level == "dropped" else level)
        if level != "none" and (level != "dropped" or one.is_hidden):
            result.append(one)
    return result


def words_of(one: Searched, value: str, day: date | None) -> list[Word]:
    """How a value may be written in a text; `day` where it is a date.

    >>> from sfumato.schema import Column
    >>> [word.text for word in words_of(Searched("city", Column(), "words"), "Leeds", None)]
    ['Leeds']
    >>> name = Searched("name", Column(role="drop"), "words")
    >>> [word.text for word in words_of(name, "Anna Schmidt", None)]
    ['Anna Schmidt', 'Anna', 'Schmidt']
    >>> words_of(Searched("age", Column(kind="number"), "words"), "36", None)
    []
    >>> [word.text for word in words_of(Searched("age", Column(kind="number"), "all"), "36", None)]
    ['36', 'thirty-six', 'thirty six']
    """
    value = value.strip()
    kind = "category" if one.column is None else one.column.kind
    if day is not None:
        return list({word.text: word for word in _date_words(value, day, one.level)}.values())
    if kind == "number" and not one.is_hidden:
        return [Word(text) for text in _number_words(value)] if one.level == "all" else []
    found = [Word(value)] if _tells(value, one.level) else []
    if one.is_hidden and kind != "number":
        found += [Word(part, any_case=False) for part in _parts(value)]
    return found


def _tells(value: str, level: OwnValues) -> bool:
    if level == "all":
        return any(map(str.isalnum, value))
    letters, either = sum(map(str.isalpha, value)), sum(map(str.isalnum, value))
    return (letters >= 3 or either >= 5) and value.casefold() not in EVERYDAY


def _parts(value: str) -> list[str]:
    """The words of a name, which texts use alone: they begin with a capital, as the name does."""
    if value.isalnum() or any(map(str.isdigit, value)):
        return []
    words = re.findall(r"[^\W\d_]+", value)
    if not 2 <= len(words) <= 4:
        return []
    return [word for word in words if len(word) >= 3 and word[0].isupper()]


def _number_words(value: str) -> Iterator[str]:
    try:
        number = float(value)
    except ValueError:
        return
    if not number.is_integer():
        yield value
        return
    whole = int(number)
    yield str(whole)
    if whole >= 1000:
        yield f"{whole:,}"
    if 0 <= whole < 20:
        yield _ONES.split()[whole]
    elif 20 <= whole < 100:
        tens, ones = _TENS.split()[whole // 10 - 2], _ONES.split()[whole % 10]
        yield from (f"{tens}-{ones}", f"{tens} {ones}") if whole % 10 else (tens,)


@lru_cache(maxsize=1 << 16)
def _date_words(value: str, day: date, level: OwnValues) -> tuple[Word, ...]:
    """A day as it stands and in the usual forms; with `all` its month and its year too."""
    year, month = f"{day.year:04}", _MONTHS.split()[day.month - 1]
    names = [month, month[:3], month[:3] + "."] if len(month) > 3 else [month]
    texts = [value, day.isoformat(), f"{year}/{day.month:02}/{day.day:02}"]
    for years in (year, year[2:]):
        for mark in "./-":
            for a, b in ((day.day, day.month), (day.month, day.day)):
                texts += [f"{a:02}{mark}{b:02}{mark}{years}", f"{a}{mark}{b}{mark}{years}"]
    th = "th" if 10 < day.day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    for name in names:
        for number in (str(day.day), f"{day.day:02}", f"{day.day}{th}"):
            texts += [f"{number} {name} {year}", f"{number} {name}, {year}"]
            texts += [f"{name} {number}, {year}", f"{name} {number} {year}"]
        texts += [f"{day.day}. {name} {year}", f"{day.day}{th} of {name} {year}"]
        texts += [f"{day.day}-{name}-{year}", f"{day.day:02}-{name}-{year}"]
    found = [Word(text) for text in dict.fromkeys(texts)]
    if level == "all":
        months = [f"{year}-{day.month:02}", f"{day.month:02}/{year}", f"{day.month}/{year}"]
        months += [text for name in names for text in (f"{name} {year}", f"{name}, {year}")]
        found += [Word(text, told=MONTH) for text in dict.fromkeys(months)]
        found.append(Word(year, told=YEAR))
    return tuple(found)
