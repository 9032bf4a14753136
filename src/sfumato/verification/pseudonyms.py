"""Consistent pseudonyms, checked from the changes, the original and the release alone."""

from __future__ import annotations

import calendar
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING

from ..claims.pseudonyms import FoundParameters, SurrogateParameters
from ..core.claims import Claim, Verdict
from ..core.corpus import Corpus
from ..core.errors import BadInput
from ..core.printed_form import by_sizes
from .labels import group_labels, whose, without_form
from .weekdays import weekday_beside, weekday_of

if TYPE_CHECKING:
    from ..core.release import Release
    from ..core.spans import Change
    from ..core.values import Data

MONTHS = {
    name.lower(): number
    for names in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(names)
    if name
}
NUMBER, WORD = re.compile("[0-9]+"), re.compile("[A-Za-z]+")
ORDERS = ((0, 1, 2), (2, 0, 1), (2, 1, 0))  # where year, month and day stand


@dataclass(frozen=True, slots=True)
class EarlierParts:
    """What earlier parts of one release showed: surrogates, originals, and days by group."""

    forward: dict[tuple[str, str], str] = field(default_factory=dict)
    back: dict[tuple[str, str], str] = field(default_factory=dict)
    days: dict[Hashable, set[int]] = field(default_factory=dict)

    __repr__ = by_sizes


def check_pseudonyms(
    claim: Claim, original: Data, release: Release, carried: EarlierParts | None = None
) -> Verdict:
    """Judges a claim of `pseudonymize`, of one part after another if `carried`. Cost: O(n)."""
    before, after = Corpus.of(original).texts, Corpus.of(release.data).texts
    if len(before) != len(after):
        return Verdict(claim, False, f"{len(before)} documents became {len(after)}")
    changes = list(release.changes)
    for number, (old, new, here) in enumerate(
        zip(before, after, _by_document(changes, len(before)), strict=True)
    ):
        if _spliced(old, here) != new:
            reason = "the release is not the original with the stated changes"
            return Verdict(claim, False, reason, f"document {number}")
    if claim.name == "no-found-span":
        return _found_is_gone(claim, before, changes, release)
    broken = _not_one_to_one(claim, before, changes, carried or EarlierParts())
    if broken is not None:
        return Verdict(claim, False, broken[0], _place(broken[1]))
    told = _told_weekday(claim, before, changes)
    if told is not None:
        return Verdict(claim, False, told[0], _place(told[1]))
    late = _unequal_shift(claim, before, changes, release, carried)
    if late is not None:
        return Verdict(claim, False, "the dates of a group moved unequally", _place(late))
    measured = {"changes": len(changes)}
    return Verdict(claim, True, "every entity has one surrogate", None, measured)


def _found_is_gone(
    claim: Claim, before: list[str], changes: Sequence[Change], release: Release
) -> Verdict:
    """Every found span is a change, and what was written there reads otherwise."""
    if release.sides.spans is None:
        raise BadInput("this claim is about found spans", where="spans", remedy="give them")
    stay = set(FoundParameters.of(claim).stay)
    written = {(one.document, one.start, one.stop): one.replacement for one in changes}
    dates = _by_document([one for one in changes if one.reason == "DATE"], len(before))
    judged = 0
    for document, start, stop, *label in release.sides.spans:
        if stay.intersection(label):
            continue
        judged += 1
        new = written.get((document, start, stop))
        if new is None:  # a date's change may have its weekday, too
            new = _around(dates[document], start, stop, before[document][start:stop])
        if new is None or _alike(new, before[document][start:stop]):
            where = f"document {document}, offset {start}"
            return Verdict(claim, False, "a found span stands as it was found", where)
    return Verdict(claim, True, "no found span is left", None, {"spans": judged})


def _around(changes: Sequence[Change], start: int, stop: int, text: str) -> str | None:
    """What was written for a longer date that holds this place; None where it shows the text."""
    for one in changes:
        if (
            one.start <= start
            and stop <= one.stop
            and without_form(text) not in without_form(one.replacement)
        ):
            return one.replacement
    return None


def _alike(one: str, other: str) -> bool:
    """Whether two texts differ at most in case, form, blanks and what cannot be seen.

    >>> _alike("ANN  Ho", "ann ho"), _alike("A\\u00adnn", "Ann"), _alike("Ann", "Eve")
    (True, True, False)
    """
    return without_form(one).replace(" ", "") == without_form(other).replace(" ", "")


def _by_document(changes: Sequence[Change], documents: int) -> list[list[Change]]:
    result: list[list[Change]] = [[] for _ in range(documents)]
    for change in changes:
        result[change.document].append(change)
    return result


def _spliced(text: str, changes: Sequence[Change]) -> str | None:
    """The text with these changes; None if they are not in order or overlap."""
    pieces, at = [], 0
    for change in changes:
        if change.start < at:
            return None
        pieces += [text[at : change.start], change.replacement]
        at = change.stop
    return "".join([*pieces, text[at:]])


def _not_one_to_one(
    claim: Claim, before: list[str], changes: Sequence[Change], carried: EarlierParts
) -> tuple[str, Change] | None:
    forward, back = carried.forward, carried.back
    exempt = {"DATE", *SurrogateParameters.of(claim).one_text}
    for change in changes:
        if change.reason in exempt:
            continue
        old = before[change.document][change.start : change.stop].casefold()
        new = change.replacement.casefold()
        if forward.setdefault((change.reason, old), new) != new:
            return "an entity has two surrogates", change
        if back.setdefault((change.reason, new), old) != old:
            return "two entities share a surrogate", change
    return None


def _unequal_shift(
    claim: Claim,
    before: list[str],
    changes: Sequence[Change],
    release: Release,
    carried: EarlierParts | None,
) -> Change | None:
    """The first full date that no number of days common to its group explains."""
    given = SurrogateParameters.of(claim)
    if given.dates != "shift":
        return None
    grouped = given.groups
    labels: Sequence[Hashable] = range(len(before))
    possible: dict[Hashable, set[int]] = {}
    if grouped and carried is not None:
        labels, possible = [whose(one) for one in release.sides.groups or ()], carried.days
    elif grouped:
        labels = group_labels(release.sides.groups, len(before)).tolist()
    for change in changes:
        if change.reason != "DATE":
            continue
        old = _readings(before[change.document][change.start : change.stop])
        new = _readings(change.replacement)
        days = {(new[order] - old[order]).days for order in old.keys() & new.keys()}
        if not old or (not new and any(map(str.isalpha, change.replacement))):
            continue  # not a full date, or a month's name of another language
        group = labels[change.document]
        possible[group] = possible.get(group, days) & days
        if not possible[group]:
            return change
    return None


def _told_weekday(
    claim: Claim, before: list[str], changes: Sequence[Change]
) -> tuple[str, Change] | None:
    """The first moved date with a weekday that tells by how many days, modulo seven."""
    if SurrogateParameters.of(claim).dates != "shift":
        return None
    last: Change | None = None
    for number, change in enumerate(changes):
        behind = changes[number + 1] if number + 1 < len(changes) else None
        text = before[change.document]
        low = last.stop if last is not None and last.document == change.document else 0
        same = behind is not None and behind.document == change.document
        high = behind.start if behind is not None and same else len(text)
        last = change
        if change.reason != "DATE" or not NUMBER.search(change.replacement):
            continue
        if weekday_beside(text[low : change.start], text[change.stop : high]):
            return "a weekday beside a moved date stays", change
        if not _fits(text[change.start : change.stop], change.replacement):
            return "a weekday does not fit its moved date", change
    return None


def _fits(old: str, new: str) -> bool:
    """Whether the weekday of a moved date is that of the date, wherever both can be read."""
    day, was = weekday_of(new), weekday_of(old)
    readings = _readings(new)
    if day is None or was is None or not readings:
        return True
    return day in {one.weekday() for one in readings.values()}


@lru_cache(maxsize=1 << 14)  # one date stands in many places
def _readings(text: str) -> Mapping[object, date]:
    """The dates a text can mean: three numbers in any order, or an English month's name."""
    found_numbers = NUMBER.findall(text)
    if any(len(number) > 4 for number in found_numbers):
        return {}
    numbers = [int(number) for number in found_numbers]
    words = [MONTHS[word] for word in WORD.findall(text.lower()) if word in MONTHS]
    found: dict[object, date] = {}
    if len(words) == 1 and len(numbers) == 2:
        _add(found, "day first", numbers[1], words[0], numbers[0])
        _add(found, "year first", numbers[0], words[0], numbers[1])
    elif not words and len(numbers) == 3:
        for order in ORDERS:
            _add(found, order, *(numbers[place] for place in order))
    return found


def _add(found: dict[object, date], order: object, year: int, month: int, day: int) -> None:
    if year < 100:
        year += 2000 if year < 69 else 1900
    try:
        found[order] = date(year, month, day)
    except ValueError:
        return


def _place(change: Change) -> str:
    return f"document {change.document}, offset {change.start}"
