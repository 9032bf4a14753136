"""A person's own values in the person's texts: where the original has them, and whether they show.

They are searched here anew, value by value; what a release says of them is not believed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from ..core.letters import in_words, words
from ..core.printed_form import by_sizes
from ..schema.cells import readable
from ..schema.value_words import MONTHS
from .records_redundant import cell_precision, read_day
from .records_view import View, item_lists
from .records_words import (
    Reading,
    SearchedColumn,
    find,
    numbers_in_text,
    searched,
    spelt,
    undisguised,
)

if TYPE_CHECKING:
    from datetime import date


class OwnPlace(NamedTuple):
    """A place of the original where a value of its person stands."""

    start: int
    stop: int
    column: SearchedColumn
    value: str
    told: int


class OwnValue(NamedTuple):
    """A value of a person; where none of the `hints` stands in a text, the value does not."""

    column: SearchedColumn
    value: str
    day: date | None
    hints: list[str]


class Bound(NamedTuple):
    """A place in which a text may change: recognised, or `own` values of which all say the same.

    `inside` are own values within a place that a recogniser found, or that overlap each other.
    """

    start: int
    stop: int
    label: str
    own: tuple[OwnPlace, ...] = ()
    inside: tuple[OwnPlace, ...] = ()


class _SymbolTable(dict[int, str]):
    """What every symbol is read as; one between words as nothing."""

    def __missing__(self, point: int) -> str:
        return self.setdefault(point, in_words(undisguised(chr(point)))[1])


_READ = _SymbolTable()


def squeezed(text: str) -> str:
    """What the words of a text are read as, in one row: whole or in pieces all stand in it.

    >>> squeezed("Zo\u00eb LEE")
    'zoelee'
    """
    return text.translate(_READ)


@dataclass(frozen=True, slots=True, eq=False)
class OwnValues:
    """The own values of people as they may be written, and what the release's cells say of them."""

    view: View
    words: Mapping[object, list[OwnValue]]
    cells: Mapping[str, list[str | None]]
    items: Mapping[str, Mapping[object, set[str]]]
    persons: list[object]

    __repr__ = by_sizes

    @classmethod
    def of(cls, view: View) -> OwnValues:
        """Reads the values from the original and the cells from the release."""
        chosen = searched(view.schema, view.before.columns) if view.schema.texts else []
        words: dict[object, list[OwnValue]] = {}
        cells: dict[str, list[str | None]] = {}
        items: dict[str, dict[object, set[str]]] = {}
        for one in chosen:
            kind = "category" if one.column is None else one.column.kind
            _add_words(view, one, kind, words)
            if one.is_hidden:
                continue
            if kind == "set":
                shown = _pairs(view, one, view.cells(one.name))
                held: dict[object, set[str]] = {}
                for person, value in shown.iter_rows():
                    held.setdefault(person, set()).add(value)
                items[one.name] = held
            else:
                cells[one.name] = view.cells(one.name).cast(pl.String).to_list()
        return cls(view, words, cells, items, view.persons.to_list())

    def find(self, text: str, at: int) -> list[OwnPlace]:
        """The own values in the original text of a released row (its number `at`)."""
        sought = self.words.get(self.persons[at])
        if not sought:
            return []
        squeezed_text = squeezed(text)
        likely = [one for one in sought if any(hint in squeezed_text for hint in one.hints)]
        if not likely:
            return []
        reading = Reading(text)
        return [
            OwnPlace(start, stop, one.column, one.value, told)
            for one in likely
            for start, stop, told in find(reading, one.column, one.value, one.day)
        ]

    def says(self, own: OwnPlace, at: int) -> bool:
        """Whether the release's own cell tells the value as exactly."""
        column, name = own.column.column, own.column.name
        if column is None or own.column.is_hidden:
            return False
        if column.kind == "set":
            return own.value in self.items[name].get(self.persons[at], set())
        cell = (self.cells[name][at] or "").strip()
        if column.kind == "date":
            day = _day(own.column, own.value)
            return day is not None and own.told <= cell_precision(cell, day, column.format)
        return cell == own.value or (
            column.kind == "number" and _number(cell) == _number(own.value)
        )

    def is_told(self, own: OwnPlace, text: str, at: int) -> bool:
        """Whether a text tells a value that no cell of the release does."""
        if self.says(own, at):
            return False
        for cells in self.cells.values():
            if cells[at]:
                text = text.replace(str(cells[at]), " ")
        return bool(find(Reading(text), own.column, own.value, _day(own.column, own.value)))

    def is_cell(self, own: OwnPlace, text: str, at: int) -> bool:
        """Whether a text is the cell that the release has for the value."""
        held = self.cells.get(own.column.name)
        return held is not None and text == (held[at] or "")


def _pairs(view: View, one: SearchedColumn, values: pl.Series) -> pl.DataFrame:
    """The distinct values of every person."""
    is_list = isinstance(values.dtype, (pl.List, pl.Array))
    if is_list or (one.column is not None and one.column.kind == "set"):
        values = item_lists(values, ";" if one.column is None else one.column.separator)
        frame = pl.DataFrame({"person": view.persons, "value": values}).explode("value")
    else:
        given = values if one.column is None else readable(one.column, values)
        frame = pl.DataFrame({"person": view.persons, "value": given.cast(pl.String)})
    return frame.drop_nulls().unique(maintain_order=True)


def _add_words(
    view: View, one: SearchedColumn, kind: str, words: dict[object, list[OwnValue]]
) -> None:
    known: dict[str, OwnValue | None] = {}
    for person, value in _pairs(view, one, view.before[one.name]).iter_rows():
        if value not in known:
            day = _day(one, value) if kind == "date" else None
            unread = kind == "date" and day is None and not one.is_hidden
            known[value] = None if unread else _sought(one, value.strip(), day)
        found = known[value]
        if found is not None and found.hints:
            words.setdefault(person, []).append(found)


def _sought(one: SearchedColumn, value: str, day: date | None) -> OwnValue:
    """A value with what must stand in a text for it: a word of it, or a part of the date."""
    if day is None:
        read = [word.read for form in spelt(value) for word in words(form)]
        if one.kind == "number":
            read += [word.read for form in numbers_in_text(value) for word in words(form)[:1]]
        return OwnValue(one, value, None, read)
    names = [name for name, number in MONTHS.items() if number == day.month]
    return OwnValue(one, value, day, [f"{day.year % 100:02}", *names])


def _day(one: SearchedColumn, value: str) -> date | None:
    if one.column is None or one.column.kind != "date":
        return None
    return read_day(value, one.column.format) or read_day(value, None)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def bounds_of(recognized: Sequence[tuple[int, int, str]], own: Sequence[OwnPlace]) -> list[Bound]:
    """Recognised places and own values, those that overlap made one.

    A recognised place stays what it is, unless an own value contains it and more.

    >>> bounds_of([(0, 8, "GPE")], [])
    [Bound(start=0, stop=8, label='GPE', own=(), inside=())]
    """
    if not own:
        return [Bound(*one) for one in recognized]
    places: list[tuple[int, int, str, OwnPlace | None]] = [(*one, None) for one in recognized]
    places += [(one.start, one.stop, one.column.label, one) for one in own]
    places.sort(key=lambda one: (one[0], -one[1], one[3] is not None))
    result: list[Bound] = []
    group: list[tuple[int, int, str, OwnPlace | None]] = []
    for place in places:
        if group and place[0] >= max(one[1] for one in group):
            result.append(_bound(group))
            group = []
        group.append(place)
    return [*result, _bound(group)] if group else result


def _bound(group: Sequence[tuple[int, int, str, OwnPlace | None]]) -> Bound:
    start, stop = min(one[0] for one in group), max(one[1] for one in group)
    held = tuple(one[3] for one in group if one[3] is not None)
    found = [one for one in group if one[3] is None]
    whole = tuple(one for one in held if (one.start, one.stop) == (start, stop))
    if whole and not any((one[0], one[1]) == (start, stop) for one in found):
        first = next((one for one in whole if one.column.is_hidden), whole[0])
        return Bound(start, stop, first.column.label, whole)
    chosen = max(found or group, key=lambda one: one[1] - one[0])
    return Bound(start, stop, chosen[2], (), held)
