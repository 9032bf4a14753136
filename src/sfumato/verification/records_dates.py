"""Dates in a text, as a check of own values reads them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import permutations
from typing import TYPE_CHECKING

from ..core.letters import DIGIT, LETTER, Word
from ..schema.value_words import FILLERS, LONGEST_GAP, MONTHS, ORDINALS

if TYPE_CHECKING:
    from .records_words import Reading

# A year as it is written, a month and a day; None: not said.
Said = tuple[str | None, int | None, int | None]


def is_day(said: Said, day: date) -> bool:
    """Whether what is said of a date is said of this day."""
    year, month, number = said
    whole = f"{day.year:04}"
    return (
        (year is None or whole[-len(year) :] == year)
        and month in (None, day.month)
        and number in (None, day.day)
    )


def dates_in(reading: Reading) -> Iterator[tuple[int, int, int, Said]]:
    """All that may be a date: start, stop, how much it tells, and what it would say."""
    for number, word in enumerate(reading.words):
        if word.kind == DIGIT and len(word.read) in (6, 8):
            for said in _run_together(word.read):
                yield word.start, word.stop, 3, said
        if not _is_part(word):
            continue
        if word.kind == DIGIT and len(word.read) == 4:
            yield word.start, word.stop, 1, (word.read, None, None)
        run = [number]
        while len(run) < 3 and (following := _next_part(reading, run[-1])) is not None:
            run.append(following)
            stop = _stop(reading, run[-1])
            for told, said in _readings([reading.words[one] for one in run]):
                yield word.start, stop, told, said


def _run_together(digits: str) -> Iterator[Said]:
    """Readings of a date without anything between its parts: year first, or last."""
    size = len(digits) - 4
    first, last = (digits[:size], digits[size:]), (digits[4:], digits[:4])
    for year, rest in (first, last):
        one, two = int(rest[:2]), int(rest[2:])
        yield year, one, two
        yield year, two, one


def _is_part(word: Word) -> bool:
    return word.read in MONTHS or (word.kind == DIGIT and len(word.read) in (1, 2, 4))


def _next_part(reading: Reading, number: int) -> int | None:
    """The next part of a date, if only a few symbols and words as in `22nd of` come before it."""
    following = number + 1
    while following < len(reading.words) and reading.words[following].read in FILLERS:
        following += 1
    if following >= len(reading.words) or not _is_part(reading.words[following]):
        return None
    marks = 0
    for one in range(number, following):
        gap = reading.text[reading.words[one].stop : reading.words[one + 1].start]
        marks += len("".join(gap.split()))
    return following if marks <= LONGEST_GAP else None


def _stop(reading: Reading, number: int) -> int:
    """The end of a date; letters that make an ordinal of its last number belong to it."""
    word = reading.words[number]
    if word.kind == DIGIT and reading.touches(number, number + 1):
        behind = reading.words[number + 1]
        if behind.read in ORDINALS:
            return behind.stop
    return word.stop


def _readings(run: list[Word]) -> Iterator[tuple[int, Said]]:
    """What two or three parts of a date may say together: how much, and what."""
    for parts in permutations(run):
        month = _month(parts[0])
        if month is None:
            continue
        if len(parts) == 3:
            day, year = _small(parts[1]), parts[2]
            if day is not None and year.kind == DIGIT and len(year.read) in (2, 4):
                yield 3, (year.read, month, day)
        elif parts[1].kind == DIGIT:
            day = _small(parts[1])
            if day is not None and parts[0].kind == LETTER:
                yield 3, (None, month, day)
            before = parts[1].start < parts[0].start
            if len(parts[1].read) == 4 and (not before or parts[0].start - parts[1].stop == 1):
                yield 2, (parts[1].read, month, None)


def _month(word: Word) -> int | None:
    return MONTHS.get(word.read) if word.kind == LETTER else _small(word)


def _small(word: Word) -> int | None:
    return int(word.read) if word.kind == DIGIT and len(word.read) <= 2 else None
