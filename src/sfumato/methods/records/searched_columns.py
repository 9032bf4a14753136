"""Which columns' own values are looked for in texts, and as what each value may stand there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.letters import LETTER, SINGLE, Word, words
from ...core.printed_form import by_sizes
from ...schema.value_words import ALSO_WORDS, EVERYDAY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from ...schema import Column, Schema
    from ...schema.models import OwnValues

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


@dataclass(frozen=True, slots=True)
class SearchedColumn:
    """A column whose own values are looked for; `column` is None for the person's."""

    name: str
    column: Column | None
    level: OwnValues

    @property
    def is_hidden(self) -> bool:
        """Whether the release has no cell of it: every mention is replaced by its type."""
        return self.column is None or self.column.role == "drop"

    @property
    def is_dropped(self) -> bool:
        """Whether the schema drops it by name."""
        return self.column is not None and self.column.role == "drop"

    @property
    def kind(self) -> str:
        """What the column holds; a person's label is a category."""
        return "category" if self.column is None else self.column.kind

    @property
    def label(self) -> str:
        """The type that stands for its values: the first entity type mapped to it, or its name.

        >>> from sfumato.schema import Column
        >>> SearchedColumn("birth place", Column(), "words").label
        'BIRTH_PLACE'
        """
        if self.column is not None and self.column.entities:
            return self.column.entities[0]
        return re.sub(r"\W+", "_", self.name).strip("_").upper() or "VALUE"


def searched(schema: Schema, columns: list[str]) -> list[SearchedColumn]:
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
        one = SearchedColumn(name, column, "words" if level == "dropped" else level)
        if level != "none" and (level != "dropped" or one.is_hidden):
            result.append(one)
    return result


@dataclass(frozen=True, slots=True)
class Value:
    """A value as texts may have it: some words in a row, words of a name, or a day.

    `exact` ones must have their symbols too: `A+`, `1,036`. Of a name, `parts` stand for it alone,
    and any two of its words beside each other do. `months` says whether a day's month and year do.
    """

    __repr__ = by_sizes

    rows: tuple[tuple[str, ...], ...] = ()
    exact: tuple[str, ...] = ()
    name: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()
    day: date | None = None
    months: bool = False
    in_pieces: bool = False
    """Whether it may also be taken apart: `har-row`, `h a r r o w`."""


def value_of(one: SearchedColumn, value: str, day: date | None) -> Value:
    """How a value may stand in a text; `day` where it is a date.

    >>> from sfumato.schema import Column
    >>> value_of(SearchedColumn("city", Column(), "words"), "New York", None).rows
    (('new', 'york'), ('newyork',))
    >>> name = SearchedColumn("name", Column(role="drop"), "words")
    >>> sorted(value_of(name, "Ann Lee", None).parts)
    ['ann', 'lee']
    >>> age = value_of(SearchedColumn("age", Column(kind="number"), "all"), "36", None)
    >>> age.rows, age.exact
    ((('thirty', 'six'),), ('36',))
    """
    value = value.strip()
    if day is not None:
        return Value(day=day, months=one.level == "all")
    if one.kind == "number" and not one.is_hidden:
        return Value() if one.level != "all" else _number(value)
    found = words(value)
    read = tuple(word.read for word in found)
    name: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()
    letters = all(word.kind == LETTER for word in found)
    if one.is_hidden and one.kind != "number" and letters and 2 <= len(found) <= 4:
        telling = [word.read for word in found if _is_part(word.read, value[word.start])]
        name, parts = frozenset(read) if telling else name, frozenset(telling)
    number = _number(value) if one.is_dropped and one.kind == "number" else Value()
    if _tells(found):
        joined = tuple(word.read for word in words("".join(read)))
        rows = (read,) if joined == read else (read, joined)
        return Value((*rows, *number.rows), number.exact, name, parts, in_pieces=True)
    # Of a dropped column short values are looked for too, unless they are letters alone: `no`.
    has_signs = one.is_dropped and not "".join(value.split()).isalpha()
    is_exact = (one.level == "all" or has_signs) and bool(found)
    exact = (value,) if is_exact else ()
    return Value(number.rows, (*exact, *number.exact), name, parts, in_pieces=bool(parts))


def _is_part(word: str, first: str) -> bool:
    return len(word) >= 3 and not first.islower() and word not in EVERYDAY


def _tells(found: list[Word]) -> bool:
    letters = sum(len(read) for read, kind, *_ in found if kind == LETTER)
    every = sum(len(read) for read, *_ in found)
    alone = sum(kind == SINGLE for _, kind, *_ in found)
    said = " ".join(read for read, *_ in found)
    return (letters >= 3 or every >= 5 or alone >= 2) and said not in EVERYDAY


def needs_capital(part: str) -> bool:
    """Whether a part of a name is no name without a capital.

    >>> needs_capital("young"), needs_capital("harrowfield")
    (True, False)
    """
    return part in ALSO_WORDS


def _number(value: str) -> Value:
    try:
        number = float(value)
    except ValueError:
        return Value()
    if not number.is_integer():
        return Value(exact=(value,))
    whole = int(number)
    exact = (str(whole), f"{whole:,}") if whole >= 1000 else (str(whole),)
    return Value(tuple(_in_words(whole)), exact)


def _in_words(whole: int) -> Iterator[tuple[str, ...]]:
    if 0 <= whole < 20:
        yield (_ONES[whole],)
    elif 20 <= whole < 100:
        tens, ones = _TENS[whole // 10 - 2], whole % 10
        yield (tens, _ONES[ones]) if ones else (tens,)
