"""Which terms a release shows, read from the release alone.

The places are those that somebody finds in the released texts (`sides.found`), or those of
`sides.terms`, carried over by the stated changes. What stands there is read from the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ..core.errors import BadInput
from ..recognizers.roles import ROLES
from ..schema import as_schema
from ..schema.cells import MISSING
from ..schema.frames import as_polars
from .records_redundant import implied
from .records_texts import normal_form, role_of, stated_changes
from .records_view import View, Violation, item_lists
from .records_words import searched

if TYPE_CHECKING:
    from ..core.release import Release
    from ..schema import Column, Schema

    Found = tuple[int, str, int, int, str]  # row of the release, column, start, stop, label


def view_alone(release: Release) -> View:
    """The released rows, people told apart by the numbers that the release gives them."""
    given = release.sides.schema
    if given is None:
        raise BadInput("this claim is about a schema", where="schema", remedy="give it (--schema)")
    schema, after = as_schema(given), as_polars(release.data, "release")
    require_numbers(schema, after)
    rows = np.arange(after.height)
    persons = pl.Series(rows) if schema.person is None else after[schema.person]
    return View(schema, after, after, rows, persons.alias("person"), alone=True)


def require_numbers(schema: Schema, after: pl.DataFrame) -> None:
    """Refuses a release in which nobody can be counted."""
    if schema.person is not None and schema.person not in after.columns:
        raise BadInput(
            "the release has no numbers of people, so they cannot be counted",
            where=schema.person,
            remedy="verify it with the original, or release it with `person_number: true`",
        )


def shown_terms(view: View, release: Release) -> pl.DataFrame:
    """The terms that each person's released texts show: person, column, label, term.

    Placeholders and repeated cells show nothing of their own, as the whole class has them.
    A direct identifier is a violation.
    Cost: O(places), beside the recogniser.
    """
    shown: dict[str, list[object]] = {"person": [], "column": [], "label": [], "term": []}
    persons = view.persons.to_list()
    texts = {
        name: view.cells(name).cast(pl.String).fill_null("").to_list() for name in view.schema.texts
    }
    cells = {
        name: view.cells(name).cast(pl.String).to_list()
        for name in view.schema.relational
        if view.schema.columns[name].kind != "set"
    }
    labels = {one.name: one.label for one in searched(view.schema, view.after.columns)}
    items = _items(view)
    places = list(_found(view, release))
    types = _types(view.schema, {label for *_, label in places})
    for row, column, start, stop, label in places:
        chosen = view.schema.entity_types
        role = role_of(view.schema, label)
        if role == "keep" or (chosen is not None and label not in chosen):
            continue
        text = texts[column][row]
        if not 0 <= start < stop <= len(text):
            raise BadInput(
                "a term lies outside its text",
                where=f"{column}, record {row + 1}",
                remedy="give the places of the terms in the release",
            )
        own = [
            (view.schema.columns[name], held[row], label == labels.get(name))
            for name, held in cells.items()
        ]
        left = _left(text, start, stop, label, own)
        if text[start:stop] in items.get((label, persons[row]), ()):
            continue
        term = None if left is None else _without_types(left, types)
        if term is None:
            continue
        if role == "direct":
            raise Violation("a direct identifier stands in the text", f"{column}, record {row + 1}")
        shown["person"].append(persons[row])
        shown["column"].append(column)
        shown["label"].append(label)
        shown["term"].append(normal_form(term, view.schema.synonyms))
    strings = {"column": pl.String, "label": pl.String, "term": pl.String}
    return pl.DataFrame(shown, schema={"person": view.persons.dtype, **strings}).unique()


def _items(view: View) -> dict[tuple[str, object], set[str]]:
    """The released items of every person under the label of their set column."""
    result: dict[tuple[str, object], set[str]] = {}
    for one in searched(view.schema, view.after.columns):
        if one.column is None or one.column.kind != "set":
            continue
        lists = item_lists(view.cells(one.name), one.column.separator)
        for person, items in zip(view.persons.to_list(), lists.to_list(), strict=True):
            result.setdefault((one.label, person), set()).update(items or ())
    return result


def _left(
    text: str, start: int, stop: int, label: str, own: list[tuple[Column, str | None, bool]]
) -> str | None:
    """What a place tells beside the row's cells; None where it repeats a mapped one.

    A recogniser may take a part of a cell only, as `36] years old` of `[24-36] years old`.
    """
    left = text[start:stop]
    for column, cell, is_own in own:
        if not cell:
            continue
        mapped = is_own or label in column.entities
        if mapped and implied(column.kind, left, cell.removesuffix(MISSING), column.format):
            return None
        if cell[0] not in "[(":
            continue
        at = text.find(cell, max(0, start - len(cell) + 1))
        if 0 <= at < stop:
            if mapped:
                return None
            left = text[start : max(at, start)] + " " + text[at + len(cell) : stop]
    return left


def _types(schema: Schema, found: Set[str] = frozenset()) -> re.Pattern[str]:
    """The words that stand for terms: entity types, in any case, as whole words."""
    labels = {*ROLES, *found, *schema.entities, *schema.expressions, *(schema.entity_types or ())}
    labels |= {label for column in schema.columns.values() for label in column.entities}
    labels |= {one.label for one in searched(schema, [*schema.columns, schema.person or ""])}
    words = {label.replace("_", " ").casefold() for label in labels} - {""}
    either = "|".join(re.escape(one) for one in sorted(words, key=lambda one: (-len(one), one)))
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)


def _without_types(term: str, types: re.Pattern[str]) -> str | None:
    """A term without placeholders; None when nothing legible is left."""
    left = types.sub(" ", term.replace("_", " "))
    return left if re.search(r"\w", left) else None


def _found(view: View, release: Release) -> Iterator[Found]:
    """The places in the released texts, wherever they are known from."""
    found, terms = release.sides.found, release.sides.places
    if found is not None:
        kept = found.filter(pl.col("column").is_in(view.schema.texts))
        yield from kept.select("row", "column", "start", "stop", "label").iter_rows()
    elif terms is not None:
        yield from _carried(view, release, terms)
    else:
        raise BadInput(
            "the terms of the released texts are not known",
            where="terms",
            remedy="name the recogniser, or give its places in the release",
        )


def _carried(view: View, release: Release, terms: pl.DataFrame) -> Iterator[Found]:
    """The original's places, moved to where the stated changes put them in the release."""
    texts = view.schema.texts
    changes = stated_changes(release.changes, len(texts)) or {i: {} for i in range(len(texts))}
    rows = release.sides.rows
    released = range(view.after.height) if rows is None else np.asarray(rows).tolist()
    row_of = {number: row for row, number in enumerate(released)}
    if len(row_of) != view.after.height:
        raise Violation(f"{len(row_of)} rows should be there, found {view.after.height}")
    for index, name in enumerate(texts):
        cells = view.cells(name).cast(pl.String).to_list()
        for number, of_row in changes[index].items():
            row = row_of.get(number)
            if row is not None and not _stands(cells[row] or "", sorted(of_row)):
                where = f"{name}, record {row + 1}"
                raise Violation("a text is not what its changes say", where)

        places = terms.filter(pl.col("column") == name).sort("row", "start")
        for (number,), part in places.group_by("row", maintain_order=True):
            row = row_of.get(number)
            if row is None:
                continue
            spans = part.select("start", "stop", "label").rows()
            for start, stop, label in _moved(spans, sorted(changes[index].get(released[row], []))):
                yield row, name, start, stop, label


def _moved(
    spans: list[tuple[int, int, str]], changes: list[tuple[int, int, str]]
) -> Iterator[tuple[int, int, str]]:
    """The spans of one text after its changes; a change lies inside one span, or outside all."""
    at = moved = 0
    for start, stop, label in spans:
        while at < len(changes) and changes[at][1] <= start:
            moved += len(changes[at][2]) - (changes[at][1] - changes[at][0])
            at += 1
        first = start + moved
        while at < len(changes) and changes[at][1] <= stop:
            moved += len(changes[at][2]) - (changes[at][1] - changes[at][0])
            at += 1
        yield first, stop + moved, label


def _stands(text: str, changes: list[tuple[int, int, str]]) -> bool:
    """Whether every replacement stands where the changes put it."""
    moved = 0
    for start, stop, new in changes:
        if not text.startswith(new, start + moved):
            return False
        moved += len(new) - (stop - start)
    return True


def check_numbers(view: View, people: object) -> None:
    """People are numbered from 1 on, and are as many as claimed."""
    if view.schema.person is not None:
        numbers = view.persons.cast(pl.Int64, strict=False)
        count = numbers.n_unique()
        if len(numbers) and (numbers.null_count() or numbers.min() != 1 or numbers.max() != count):
            raise Violation("people should be numbered from 1 on", view.schema.person)
    found = view.persons.n_unique()
    if people is not None and found != people:
        raise Violation(f"{people} people should be there, found {found}")
