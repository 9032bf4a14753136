"""Whether words of a text tell a relational value, and more of it than a recoded cell does."""

from __future__ import annotations

import calendar
import re
from datetime import date, datetime

_MONTHS = {
    name.casefold(): number
    for names in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(names)
    if name
}
_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORDS = {
    word: number
    for number, word in enumerate(
        (*_ONES.split(), "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
    )
} | {word: 10 * number for number, word in enumerate(_TENS.split(), 2)}
_NUMBER = re.compile(r"(?<![\d.])-?\d+(?:\.\d+)?")


def tells_more(kind: str, text: str, value: str, cell: str | None, format: str | None) -> bool:
    """Whether a text tells this value of a column more exactly than the cell of the release.

    Without a cell: whether it tells it at all.

    >>> tells_more("number", "36 years old", "36", "[24-36]", None)
    True
    >>> tells_more("number", "years old", "36", "[24-36]", None)
    False
    >>> tells_more("date", "May 2004", "2004-05-14", "2004", None)
    True
    >>> tells_more("date", "2004", "2004-05-14", "2004", None)
    False
    """
    if cell is not None and cell == value:
        return False
    if kind == "number":
        return _same_number(text, value)
    if kind == "date":
        return _more_of_date(text, value, cell, format)
    words = re.escape(" ".join(value.casefold().split()))
    said = " ".join(text.casefold().split())
    return bool(words) and re.search(rf"(?<!\w){words}(?!\w)", said) is not None


def implied(kind: str, text: str, cell: str, format: str | None) -> bool:
    """Whether a text repeats what the cell itself tells, and no more of it.

    >>> implied("date", "2004", "2004-05", None), implied("date", "14 May 2004", "2004-05", None)
    (True, False)
    >>> implied("number", "36 years old", "36", None), implied("number", "36", "[24-36]", None)
    (True, False)
    """
    if kind != "date":
        return tells_more(kind, text, cell, None, format)
    day = read_day(cell, format) or read_day(cell, None)
    if day is not None:
        return _precision(text, day) > 0
    parts = re.fullmatch(r"(\d{4})(?:-(\d\d))?", cell)
    if parts is None:
        return False
    day = date(int(parts[1]), int(parts[2] or 1), 1)
    return 0 < _precision(text, day) <= (2 if parts[2] else 1)


def _same_number(text: str, value: str) -> bool:
    try:
        wanted = float(value)
    except ValueError:
        return False
    numbers = [float(one) for one in _NUMBER.findall(text)]
    return wanted in numbers or wanted in _in_words(text)


def _in_words(text: str) -> list[float]:
    """Numbers in words up to ninety-nine: tens and ones that follow each other are added."""
    found: list[float] = []
    tens = 0
    for word in re.findall(r"[a-z]+", text.casefold()):
        number = _WORDS.get(word)
        if number is None:
            tens = 0
            continue
        found.append(float(number + tens if tens and number < 10 else number))
        tens = number if number >= 20 else 0
    return found


def read_day(value: str, format: str | None) -> date | None:
    """A date as the column writes it; None when it is none.

    >>> read_day("14,May,2004", "%d,%B,%Y")
    datetime.date(2004, 5, 14)
    """
    try:
        if format is None:
            return date.fromisoformat(value[:10])
        return datetime.strptime(value.strip(), format).date()
    except ValueError:
        return None


def _more_of_date(text: str, value: str, cell: str | None, format: str | None) -> bool:
    day = read_day(value, format)
    if day is None:
        return False
    told = _precision(text, day)
    known = 0 if cell is None else cell_precision(cell, day, format)
    return told > known


def _precision(text: str, day: date) -> int:
    """How much of a date a text tells: nothing, its year, its month, its day."""
    numbers = re.findall(r"\d+", text)
    years = {day.year, day.year % 100} if len(numbers) > 2 else {day.year}
    if not any(int(one) in years for one in numbers):
        return 0
    words = re.findall(r"[^\W\d]+", text.casefold())
    months = [_MONTHS[word] for word in words if word in _MONTHS]
    rest = [int(one) for one in numbers]
    rest.remove(next(one for one in reversed(rest) if one in years))
    if not months and not rest:
        return 1
    if day.month not in (months or rest):
        return 0
    # Whatever stands beside the year and the month must be the day.
    beside = len(rest) if months else len(rest) - 1
    if beside == 0:
        return 2
    return 3 if day.day in rest else 0


def cell_precision(cell: str, day: date, format: str | None) -> int:
    """How exactly a cell gives a date: 3 its day, 2 its month, 1 its year, 0 less.

    >>> cell_precision("2004-05", date(2004, 5, 14), None)
    2
    """
    core = cell.removesuffix("|missing")
    if core == f"{day.year:04}-{day.month:02}":
        return 2
    if core == f"{day.year:04}":
        return 1
    return 3 if read_day(core, format) == day or core == day.isoformat() else 0
