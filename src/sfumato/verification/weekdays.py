"""Weekdays in and beside dates, as a check reads them: word by word, in every language."""

from __future__ import annotations

import re

from ..core.weekday_names import OTHER_SPELLINGS, WEEKDAY_NAMES

_WORDS = re.compile(r"[^\W\d_]+(?:-feira)?")
_NEAR = re.compile(r"[\s,(:]{1,3}")
_ARTICLES = frozenset(("the", "den", "dem", "der", "le", "il", "el", "al", "op"))
# Whole names, which are hardly anything else; and the short ones of English, with a capital.
_WHOLE = {
    name: day
    for language, forms in WEEKDAY_NAMES.items()
    if language != "ja"
    for day, name in enumerate(forms[0])
}
_WHOLE |= {name: day for name, (_, _, day) in OTHER_SPELLINGS.items() if len(name) >= 6}
_SHORT = {name.title(): day for day, name in enumerate(WEEKDAY_NAMES["en"][1])}


def weekday_of(date: str) -> int | None:
    """The one weekday that a date names, Monday 0; None if it names none or several.

    >>> weekday_of("Tuesday, 3 March 2021"), weekday_of("Sun 3/4/21"), weekday_of("3 March")
    (1, 6, None)
    """
    days = {day for word in _WORDS.findall(date) if (day := _day(word)) is not None}
    return days.pop() if len(days) == 1 else None


def weekday_beside(before: str, behind: str) -> bool:
    """Whether the word right before a date, or right behind it, is a weekday.

    >>> weekday_beside("Seen Tuesday, ", " by us"), weekday_beside("It was ", " (Friday)")
    (True, True)
    >>> weekday_beside("Tuesday was fine. On ", ". Friday"), weekday_beside("", ", a Friday.")
    (False, True)
    """
    words = [(word[0], *word.span()) for word in _WORDS.finditer(before[-40:])]
    if words and words[-1][0].lower() in _ARTICLES and before.endswith(" "):
        before = before[: len(before) - len(before[-40:]) + words.pop()[1]]
    if words and _day(words[-1][0]) is not None:
        gap = before[-40:][words[-1][2] :]
        return _NEAR.fullmatch(gap) is not None
    return _follows(behind[:40])


def _follows(behind: str) -> bool:
    words = [(word[0], *word.span()) for word in _WORDS.finditer(behind)][:2]
    if words and words[0][0].lower() in ("a", "an"):
        behind, words = (
            behind[words[0][2] :],
            [(word, start - words[0][2], stop - words[0][2]) for word, start, stop in words[1:]],
        )
    if not words or _day(words[0][0]) is None:
        return False
    _, start, stop = words[0]
    gap, end = behind[:start], behind[stop : stop + 1]
    return gap in (" ", ", ", " (", "(", ", (") and (end == ")" or "(" not in gap)


def _day(word: str) -> int | None:
    day = _WHOLE.get(word.lower())
    return _SHORT.get(word) if day is None else day
