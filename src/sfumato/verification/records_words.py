"""Own values in a text, read from the text: its words, its dates, and what of them is a person's.

Shared with the method are definitions (`core.letters`: what a word is; `schema.value_words`:
everyday words, months). What counts as a value, and where it stands, is worked out here once more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from ..core.letters import LETTER, LOOK_ALIKE, SINGLE, Word, words
from ..schema.value_words import ALSO_WORDS, EVERYDAY
from .records_dates import Said, dates_in, is_day

if TYPE_CHECKING:
    from ..schema import Column, Schema

Found = tuple[int, int, int]  # start, stop, how much of a date: day 3, month 2, year 1
MOST_BETWEEN = 3  # symbols between two pieces of a word
_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"


@dataclass(frozen=True, slots=True)
class SearchedColumn:
    """A column whose values must not stand in texts where the release hides them."""

    name: str
    column: Column | None
    everything: bool  # numbers, short values, months and years too
    is_hidden: bool

    @property
    def kind(self) -> str:
        """What it holds; labels of people are categories."""
        return self.column.kind if self.column is not None else "category"

    @property
    def label(self) -> str:
        """The type that takes the place of its values."""
        if self.column is not None and self.column.entities:
            return self.column.entities[0]
        return "_".join(re.findall(r"\w+", self.name)).strip("_").upper() or "VALUE"


def searched(schema: Schema, names: list[str]) -> list[SearchedColumn]:
    """The columns whose values the schema wants out of the texts."""
    found = []
    for name in names:
        column = schema.columns.get(name)
        hidden = (
            column.role == "drop" if column else name == schema.person or schema.others == "drop"
        )
        if not hidden and (column is None or column.role != "quasi"):
            continue
        if column is not None and column.kind == "text":
            continue
        level = (column.own_values if column else None) or schema.own_values or "dropped"
        if level == "none" or (level == "dropped" and not hidden):
            continue
        found.append(SearchedColumn(name, column, level == "all", hidden))
    return found


def undisguised(text: str) -> str:
    """A text in which letters that look like Latin ones are these.

    >>> undisguised("Ulriс") == "Ulric"
    True
    """
    return text if text.isascii() else "".join(LOOK_ALIKE.get(one, one) for one in text)


_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae", "œ": "oe"}


@lru_cache(maxsize=1 << 14)
def spelt(value: str) -> tuple[str, ...]:
    """The ways to write the letters of a value: as it is, umlauts as two letters, two as one.

    >>> spelt("Jürgen"), spelt("Juergen")
    (('Jürgen', 'Juergen'), ('Juergen', 'Jurgen'))
    """
    ways = [value]
    if any(one.lower() in _UMLAUTS for one in value):
        two = [_UMLAUTS.get(one.lower(), one) for one in value]
        ways.append(
            "".join(
                new.capitalize() if old.isupper() and new != old else new
                for old, new in zip(value, two, strict=True)
            )
        )
    else:
        pairs = re.compile("ae|aa|oe|ue", re.IGNORECASE)
        ways.append(pairs.sub(lambda found: found[0][0], value))
    return tuple(dict.fromkeys(map(undisguised, ways)))


class Reading:
    """A text as words in a line, so that rows of words are found as strings are."""

    def __init__(self, text: str):
        text = undisguised(text)
        self.text = text
        self.words = words(text)
        self.line = "\0" + "".join(f"{word.read}\0" for word in self.words)
        self._at: dict[int, int] = {}
        place = 0
        for number, word in enumerate(self.words):
            self._at[place] = number
            place += len(word.read) + 1

    def rows(self, row: list[str]) -> Iterator[tuple[int, int]]:
        """The first and the last number of words that stand there as a row."""
        sought = "\0" + "".join(f"{one}\0" for one in row)
        place = self.line.find(sought) if row else -1
        while place >= 0:
            number = self._at[place]
            yield number, number + len(row) - 1
            place = self.line.find(sought, place + 1)

    def touches(self, number: int, other: int) -> bool:
        """Whether two neighbouring words are written without anything between them."""
        if not (number >= 0 and other < len(self.words)):
            return False
        one, two = self.words[number], self.words[other]
        return one.stop == two.start and SINGLE not in (one.kind, two.kind)

    def stands_apart(self, first: int, last: int) -> bool:
        """Whether no word touches those from first to last, and no number goes on there."""
        if self.touches(first - 1, first) or self.touches(last, last + 1):
            return False
        return not self.in_number(self.words[first].start, self.words[last].stop)

    def in_number(self, start: int, stop: int) -> bool:
        """Whether a number goes on beyond the edges of a place."""
        edges = self.text[max(start - 2, 0) : start + 1], self.text[stop - 1 : stop + 2]
        return any(re.fullmatch(r"\d[.,]\d", edge) for edge in edges)

    @cached_property
    def dates(self) -> list[tuple[int, int, int, Said]]:
        """All that may be a date: start, stop, how much it tells, and what it would say."""
        return list(dates_in(self))


def find(reading: Reading, one: SearchedColumn, value: str, day: date | None) -> list[Found]:
    """Everywhere that a text has a value of its person.

    >>> city = SearchedColumn("city", None, everything=False, is_hidden=True)
    >>> find(Reading("in NEW\\nYORK"), city, "New York", None)
    [(3, 11, 3), (7, 11, 3)]
    """
    if day is not None:
        return sorted(
            {
                (start, stop, told)
                for start, stop, told, said in reading.dates
                if is_day(said, day) and (told == 3 or one.everything)
            }
        )
    found: set[Found] = set()
    for form in spelt(value.strip()):
        found |= set(_find(reading, one, form))
        if one.is_hidden and one.kind != "number" and _GENITIVE.search(form):
            found |= set(_find(reading, one, f"{form}s", in_pieces=False))
    return sorted(found)


# A word at the end of a value that names many, or whose it is, by an s and no apostrophe.
_GENITIVE = re.compile(r"(?<!\S)[^\W\d_]{2,}(?![sS])[^\W\d_]$")


def _find(reading: Reading, one: SearchedColumn, value: str, in_pieces: bool = True) -> list[Found]:
    """Everywhere that a value stands that is no day, in one of the ways to write it."""
    found: set[tuple[int, int]] = set()
    if one.kind == "number" and not one.is_hidden:
        for form in numbers_in_text(value) if one.everything else ():
            found |= set(_exactly(reading, form) if form[-1:].isdigit() else _in_row(reading, form))
        return [(*place, 3) for place in sorted(found)]
    dropped = one.column is not None and one.is_hidden
    if dropped and one.kind == "number":
        for form in numbers_in_text(value):
            found |= set(_exactly(reading, form) if form[-1:].isdigit() else _in_row(reading, form))
    read = words(value)
    if _tells(read):
        row = [word.read for word in read]
        found |= set(_in_row(reading, " ".join(row))) | set(_in_row(reading, "".join(row)))
    elif read and (one.everything or (dropped and _has_signs(value))):
        found |= set(_exactly(reading, value))
    whole = ["".join(word.read for word in read)] if _tells(read) else []
    if one.is_hidden and one.kind != "number":
        found |= set(_named(reading, value, read))
        whole += _telling(value, read)
    for sought in whole if in_pieces else ():
        found |= set(_in_pieces(reading, sought))
    return [(*place, 3) for place in sorted(found)]


def _has_signs(value: str) -> bool:
    """Whether something else than letters stands in a value."""
    return any(not (one.isalpha() or one.isspace()) for one in value)


def _in_pieces(reading: Reading, sought: str) -> Iterator[tuple[int, int]]:
    """Where words one after the other spell a word: `har-row`, `H a r r o w`."""
    for first, word in enumerate(reading.words):
        said, last = word.read, first
        while said != sought and sought.startswith(said) and last + 1 < len(reading.words):
            last += 1
            said += reading.words[last].read
        if said == sought and last > first and _are_pieces(reading, first, last):
            yield word.start, reading.words[last].stop


def _are_pieces(reading: Reading, first: int, last: int) -> bool:
    """Whether no word touches the pieces, and little stands between them."""
    run = reading.words[first : last + 1]
    if reading.touches(first - 1, first) or reading.touches(last, last + 1):
        return False
    if SINGLE in {word.kind for word in run}:
        return False
    between = [reading.text[one.stop : two.start] for one, two in pairwise(run)]
    size = sum(len(word.read) for word in run)
    if max(map(len, between)) > MOST_BETWEEN:
        return False
    if size == len(run):  # letter by letter
        return size >= 3
    if re.search(r"\s", "".join(between)):
        return size >= 8 and reading.text[run[0].start].isupper()
    return size >= 4


def _tells(read: list[Word]) -> bool:
    """Whether a value says something of its own: three letters, or five letters and digits."""
    kinds = [word.kind for word in read for _ in word.read]
    said = " ".join(word.read for word in read)
    enough = kinds.count(LETTER) >= 3 or len(kinds) >= 5
    return (enough or sum(word.kind == SINGLE for word in read) >= 2) and said not in EVERYDAY


def _in_row(reading: Reading, form: str) -> Iterator[tuple[int, int]]:
    for first, last in reading.rows([word.read for word in words(form)]):
        if reading.stands_apart(first, last):
            yield reading.words[first].start, reading.words[last].stop


def _exactly(reading: Reading, value: str) -> Iterator[tuple[int, int]]:
    """Where a value stands symbol by symbol, in any case."""
    inner = words(value)
    for first, last in reading.rows([word.read for word in inner]):
        start = reading.words[first].start - inner[0].start
        stop = reading.words[last].stop + len(value) - inner[-1].stop
        same = start >= 0 and reading.text[start:stop].casefold() == value.casefold()
        apart = not reading.touches(first - 1, first) and not reading.touches(last, last + 1)
        if same and apart and not reading.in_number(start, stop):
            yield start, stop


def _named(reading: Reading, value: str, read: list[Word]) -> Iterator[tuple[int, int]]:
    """A name's capital words alone, and its words side by side in any order."""
    telling = set(_telling(value, read))
    names = {word.read for word in read}
    numbered = enumerate(reading.words)
    for belongs, group in groupby(numbered, lambda one: one[1].read in names):
        if not belongs or not telling:
            continue
        run = [word for _, word in group]
        for word in run:
            small = reading.text[word.start].islower()
            if word.read in telling and not (small and word.read in ALSO_WORDS):
                yield word.start, word.stop
        said = {word.read for word in run}
        if len(said) > 1 and said & telling:
            yield run[0].start, run[-1].stop


def _telling(value: str, read: list[Word]) -> list[str]:
    """The capital words of a name of two to four words."""
    if not 2 <= len(read) <= 4 or any(word.kind != LETTER for word in read):
        return []
    return [
        word.read
        for word in read
        if len(word.read) > 2 and not value[word.start].islower() and word.read not in EVERYDAY
    ]


@lru_cache(maxsize=1 << 14)
def numbers_in_text(value: str) -> tuple[str, ...]:
    """The ways to write a number, in digits and up to ninety-nine in words."""
    try:
        number = float(value)
    except ValueError:
        return ()
    if number != number // 1:
        return (value,)
    whole = int(number)
    forms = [str(whole), *([f"{whole:,}"] if whole >= 1000 else [])]
    if 0 <= whole < 20:
        forms.append(_UNITS.split()[whole])
    elif 20 <= whole < 100:
        forms.append(f"{_TENS.split()[whole // 10 - 2]} {_UNITS.split()[whole % 10]}")
        if whole % 10 == 0:
            forms[-1] = forms[-1].removesuffix(" zero")
    return tuple(forms)
