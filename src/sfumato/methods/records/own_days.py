"""A person's own days in texts: numbers in any order, with any symbols between or none, months."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

from ...core.letters import words
from ...schema.value_words import FILLERS, LONGEST_GAP, MONTHS, ORDINALS

DAY, MONTH, YEAR = 3, 2, 1


class Hit(NamedTuple):
    """A word of a text that is one of its person's words."""

    word: str
    start: int
    stop: int
    ordinal: int
    glued: int


@lru_cache(maxsize=1 << 16)
def words_of_day(day: date) -> dict[str, str]:
    """The words of a date and what each may be: a letter of dmy (n: a month's name), or all (a).

    >>> words_of_day(date(1972, 7, 2))["7"], words_of_day(date(1972, 7, 2))["19720702"]
    ('m', 'a')
    """
    d, m, y = f"{day.day:02}", f"{day.month:02}", f"{day.year:04}"
    found: dict[str, str] = {}
    for role, texts in (("d", {d, str(day.day)}), ("m", {m, str(day.month)}), ("y", {y, y[2:]})):
        for text in texts:
            found[text] = found.get(text, "") + role
    for name, number in MONTHS.items():
        if number == day.month:
            found[name] = "n"
    for parts in ((y, m, d), (y, d, m), (d, m, y), (m, d, y)):
        found["".join(parts)] = "a"
        found["".join(part[-2:] for part in parts)] = "a"
    return found


def day_places(text: str, hits: list[Hit], day: date, months: bool) -> list[tuple[int, int, int]]:
    """Where a day stands, start and stop, and how much of it is told; with `months` its month too.

    `hits` are the day's words in the text, in order.
    """
    roles = words_of_day(day)
    found: list[tuple[int, int, int]] = []
    for at, first in enumerate(hits):
        if roles[first.word] == "a":
            found.append((first.start, first.stop, DAY))
            continue
        if months and first.word == f"{day.year:04}":
            found.append((first.start, first.stop, YEAR))
        run = [first]
        for following in hits[at + 1 : at + 3]:
            if roles[following.word] == "a" or not _is_next(text, run[-1], following):
                break
            run.append(following)
            apart = run[-1].start - run[-2].stop
            told = _told([(one.word, roles[one.word]) for one in run], months, apart)
            if told:
                found.append((first.start, _end(text, run[-1]), told))
    return found


def _told(run: list[tuple[str, str]], months: bool, apart: int) -> int:
    """How much words with these roles tell: three for day, month and year, two with a name.

    A year before its month is one symbol apart: `2004-05`, not `in 2004, May`.
    """
    roles = [role for _, role in run]
    if len(roles) == 3:
        for d, m, y in permutations(roles):
            if "d" in d and ("m" in m or "n" in m) and "y" in y:
                return DAY
        return 0
    if "n" in roles and any("d" in role for role in roles):
        return DAY
    for at, (year, role) in enumerate(run):
        other = roles[1 - at]
        if months and len(year) == 4 and "y" in role and ("m" in other or "n" in other):
            return MONTH if at == 1 or apart == 1 else 0
    return 0


def _is_next(text: str, one: Hit, other: Hit) -> bool:
    """Whether nothing stands between two words but a few symbols, and words as in `22nd of`."""
    between = text[one.stop : other.start]
    parts = words(between)
    if any(part.read not in FILLERS for part in parts):
        return False
    marks = sum(not symbol.isspace() for symbol in between) - sum(p.stop - p.start for p in parts)
    return marks <= LONGEST_GAP


def _end(text: str, last: Hit) -> int:
    """The end of a date: `22nd` ends behind its letters."""
    if last.word.isdigit() and last.glued & 2:
        behind = words(text[last.stop : last.stop + 4])
        if behind and behind[0].start == 0 and behind[0].read in ORDINALS:
            return last.stop + behind[0].stop
    return last.stop
