"""The weekday within a date, and the weekday that stands there when the date has moved."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...core.printed_form import by_sizes
from ...core.weekday_names import OTHER_SPELLINGS, WEEKDAY_NAMES

WORD = re.compile(r"[^\W\d_]+(?:-feira\b)?", re.IGNORECASE)
_KANJI = "".join(WEEKDAY_NAMES["ja"][0])
JAPANESE = re.compile(rf"[{_KANJI}](?=曜)|(?<=[(（])[{_KANJI}](?=[)）])")
# Lower-case name -> where it stands: language, form, day.
PLACES: dict[str, list[tuple[str, int, int]]] = {}
for _language, _forms in WEEKDAY_NAMES.items():
    if _language == "ja":  # its letters are other words as well
        continue
    for _form, _names in enumerate(_forms):
        for _day, _name in enumerate(_names):
            PLACES.setdefault(_name, []).append((_language, _form, _day))
for _name, _place in OTHER_SPELLINGS.items():
    PLACES.setdefault(_name, []).append(_place)
SHORT = 3  # a foreign name of so many letters may be another word


@dataclass(frozen=True, slots=True)
class Weekday:
    """A weekday as it stands in a text; without names nobody knows how its language writes it."""

    start: int
    stop: int
    day: int
    names: tuple[str, ...]

    __repr__ = by_sizes

    def written(self, text: str, day: int) -> str:
        """The name of a day in the form that this one has.

        >>> weekday_in("TUE 3 Mar", "").written("TUE 3 Mar", 6)
        'SUN'
        """
        old, new = text[self.start : self.stop], self.names[day]
        if old.isupper():
            return new.upper()
        return new.capitalize() if old[0].isupper() else new


def weekday_in(text: str, language: str) -> Weekday | None:
    """The first weekday in a date's text; `language` is that of the text, if it is known.

    >>> weekday_in("Dienstag, 2.3.2021", "").day, weekday_in("mar 3, 2021", "en")
    (1, None)
    >>> weekday_in("sábado 3/4/2021", "").names  # Spanish or Portuguese
    ()
    """
    japanese = JAPANESE.search(text)
    if japanese is not None:
        return Weekday(*japanese.span(), _KANJI.index(japanese[0]), tuple(_KANJI))
    for word in WORD.finditer(text):
        places = _places(word[0].lower(), text, language)
        if places:
            told = [one for one in places if one[0] == language] or places
            day = told[0][2]
            sure = len({one[0] for one in told}) == 1
            names = WEEKDAY_NAMES[told[0][0]][told[0][1]] if sure else ()
            return Weekday(*word.span(), day, names)
    return None


def _places(name: str, text: str, language: str) -> list[tuple[str, int, int]]:
    """Where a word stands among the weekdays; "mar" beside nothing else that is a month is none."""
    places = PLACES.get(name, [])
    if not places or places[0][0] == "en":
        return places
    if len(name) > SHORT:
        return places
    if name == "mar" and len(re.findall("[0-9]+", text)) < 3 and not _names_a_month(text):
        return []
    return [one for one in places if one[0] == language]


def _names_a_month(text: str) -> bool:
    """Whether a word besides "mar" has four letters or more, as the months then have."""
    return any(len(word) > SHORT and word.lower() not in PLACES for word in WORD.findall(text))
