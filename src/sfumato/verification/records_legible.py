"""Which terms a released text still shows: what its class must share, and what it must not tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from ..core.printed_form import by_sizes
from .records_own_values import OwnValues
from .records_redundant import tells_more
from .records_texts import Place, normal_form, place_of, placeholder, role_of
from .records_view import View, Violation


def legible(view: View, found: Sequence[Place]) -> pl.DataFrame:
    """The terms that each person's released texts show: person, column, label, term.

    A direct identifier that stands is a violation, and so is a repeated value that tells more
    than the recoded cell beside it.
    Cost: O(places).
    """
    row_of = {int(row): place for place, row in enumerate(view.rows.tolist())}
    mapped, own = _mapped(view), OwnValues.of(view)
    shown: dict[str, list[object]] = {"person": [], "column": [], "label": [], "term": []}
    persons = view.persons.to_list()
    forms: dict[str, str] = {}
    for place in found:
        at = row_of[place.row]
        role = role_of(view.schema, place.label)
        if place.bound.own:
            term = _shown_own(place, at, own)
        elif role == "keep" and not place.bound.inside:
            continue
        else:
            term = _shown_term(place, at, role, mapped)
        if term is None:
            _check_inside(place, at, own)
            continue
        _check_dropped(place, at, own)
        if term not in forms:
            forms[term] = normal_form(term, view.schema.synonyms)
        shown["person"].append(persons[at])
        shown["column"].append(place.column)
        shown["label"].append(place.label)
        shown["term"].append(forms[term])
    strings = {"column": pl.String, "label": pl.String, "term": pl.String}
    return pl.DataFrame(shown, schema={"person": view.persons.dtype, **strings}).unique()


def _shown_term(
    place: Place, at: int, role: str, mapped: Mapping[str, list[_MappedColumn]]
) -> str | None:
    """What a place shows and its class must share; None when it shows nothing of its own."""
    where = place_of(place.column, place.row)
    columns = mapped.get(place.label, [])
    if not place.is_whole and any(place.now == one.cells[at] for one in columns):
        return None  # the row's own cell, which the whole class has
    repeats = [one for one in columns if one.is_repeated(place.text, at)]
    if repeats and not _is_type(place):
        rests = [_beside_cell(place, one.cells[at]) for one in repeats]
        said = next((rest for rest in rests if rest is not None), place.now)
        if any(one.tells_more(said, at) for one in repeats):
            raise Violation("a text tells a value more exactly than its recoded cell", where)
        if place.is_whole or said is not place.now:
            return None
    if _is_type(place):
        return None
    if not place.is_whole:
        return place.now
    if role == "direct":
        raise Violation("a direct identifier stands in the text", where)
    return place.text


def _shown_own(place: Place, at: int, own: OwnValues) -> str | None:
    """What the place of an own value shows beside the cell that the whole class has."""
    if place.is_whole:
        if any(own.says(one, at) for one in place.bound.own):
            return None
        where = place_of(place.column, place.row)
        raise Violation("a text tells a value of its person that the release hides", where)
    if _is_type(place) or any(own.is_cell(one, place.now, at) for one in place.bound.own):
        return None
    return place.now


def _check_inside(place: Place, at: int, own: OwnValues) -> None:
    """What is no term that a class must share tells no own value either."""
    if _is_type(place):
        return
    if any(own.is_told(one, place.now, at) for one in (*place.bound.inside, *place.bound.own)):
        where = place_of(place.column, place.row)
        raise Violation("a text tells a value of its person that the release hides", where)


def _check_dropped(place: Place, at: int, own: OwnValues) -> None:
    """Nor does a term that the class shares tell a value of a dropped column, whatever its type."""
    dropped = [one for one in place.bound.inside if one.column.is_hidden]
    if any(own.is_told(one, place.now, at) for one in dropped):
        where = place_of(place.column, place.row)
        raise Violation("a text tells a value of its person that the release hides", where)


def _beside_cell(place: Place, cell: str | None) -> str | None:
    """What stands of a term in which the row's cell took the place of some part; else None."""
    if not cell or place.is_whole:
        return None
    at = place.now.find(cell)
    while at >= 0:
        before, after = place.now[:at], place.now[at + len(cell) :]
        fits = len(before) + len(after) <= len(place.text)
        if fits and place.text.startswith(before) and place.text.endswith(after):
            return f"{before} {after}"
        at = place.now.find(cell, at + 1)
    return None


def _is_type(place: Place) -> bool:
    """Whether the whole place became its entity type, or was its placeholder already."""
    if place.is_whole:
        return place.text == placeholder(place.label)
    return is_type(place.now, place.label)


def is_type(text: str, label: str) -> bool:
    """Whether a text is the placeholder of an entity type, or what version 0.1 wrote for it.

    Nothing else is: by other capitals or marks a text could tell more than the type.

    >>> is_type("[PHONE_NUMBER]", "PHONE_NUMBER"), is_type("phone number", "PHONE_NUMBER")
    (True, True)
    >>> is_type("[Phone_number]", "PHONE_NUMBER"), is_type("Paris", "CITY")
    (False, False)
    """
    spaced = label.lower().replace("_", " ")
    return text in (placeholder(label), spaced, spaced.capitalize())


@dataclass(frozen=True, slots=True)
class _MappedColumn:
    """A column whose values texts repeat under some entity type."""

    kind: str
    format: str | None
    cells: list[str | None]
    own: Mapping[object, list[str]]
    persons: list[object]

    __repr__ = by_sizes

    def is_repeated(self, text: str, at: int) -> bool:
        """Whether the text tells one of the person's values, however exactly."""
        values = self.own.get(self.persons[at], [])
        return any(tells_more(self.kind, text, value, None, self.format) for value in values)

    def tells_more(self, text: str, at: int) -> bool:
        """Whether the text tells one of the person's values more exactly than the cell."""
        values = self.own.get(self.persons[at], [])
        cell = self.cells[at]
        return any(tells_more(self.kind, text, value, cell, self.format) for value in values)


def _mapped(view: View) -> dict[str, list[_MappedColumn]]:
    """The mapped columns of every entity type."""
    result: dict[str, list[_MappedColumn]] = {}
    persons = view.persons.to_list()
    for name in view.schema.relational:
        column = view.schema.columns[name]
        if not column.entities or column.kind == "set":
            continue
        values = view.before[name].cast(pl.String)
        pairs = pl.DataFrame({"person": view.persons, "value": values}).drop_nulls().unique()
        own = {
            person: part["value"].to_list()
            for (person,), part in pairs.group_by("person", maintain_order=True)
        }
        one = _MappedColumn(
            column.kind,
            column.format,
            view.cells(name).cast(pl.String).to_list(),
            own,
            persons,
        )
        for label in column.entities:
            result.setdefault(label, []).append(one)
    return result
