"""A person's own values in the person's texts, which no recogniser need have found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from ...core.letters import words
from ...core.printed_form import by_sizes
from ...kernels.places import own_words
from ...schema import Column
from ...schema.cells import present
from ...schema.days import days
from ...schema.table import written
from .own_broken import as_latin, broken_places, forms_of, pieces_of, squeezed, takes_s
from .own_days import DAY, Hit, day_places, words_of_day
from .own_places import exact_places, name_places, row_places
from .searched_columns import SearchedColumn, Value, searched, value_of
from .view import code_texts, distinct, set_column

if TYPE_CHECKING:
    from datetime import date

    from numpy.typing import NDArray

    from ...schema import Schema
    from .view import Relational

    Numbers = NDArray[np.int64]

_NONE = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class OwnValues:
    """Where people's own values stand: the column (a number into `columns`), code and precision."""

    columns: tuple[SearchedColumn, ...]
    documents: Numbers
    starts: Numbers
    stops: Numbers
    column: NDArray[np.int32]
    code: NDArray[np.int32]
    told: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.documents)


@dataclass(frozen=True, slots=True, eq=False)
class _Values:
    """The values of one column: which people have which, and the day of each where it is a date.

    `meaning` is the column's own code of each, where that is another.
    """

    labels: list[str | None]
    people: Numbers
    codes: NDArray[np.int32]
    days: list[date | None] | None
    meaning: NDArray[np.int32] | None

    __repr__ = by_sizes


def find_own(
    texts: list[str],
    frame: pl.DataFrame,
    schema: Schema,
    people: NDArray[np.int32],
    columns: Sequence[Relational],
) -> OwnValues:
    """Everywhere that a value of a person stands in the person's texts.

    Quasi-identifiers, dropped columns and the person column are looked for: their words in one pass
    over the texts, then what the words that were found make together.
    Cost: O(text + people x words), and the words found.
    """
    chosen = tuple(searched(schema, frame.columns)) if any(texts) else ()
    texts = list(map(as_latin, texts))  # symbol by symbol, so that places are the same
    known = {column.name: column for column in columns}
    owners = np.repeat(people, max(len(schema.texts), 1))
    held: list[_Held] = []
    for number, one in enumerate(chosen):
        column = known.get(one.name)
        values = _hidden(one, frame, people) if column is None else _shown(column, frame, people)
        held.append(_held(number, one, values))
    found = list(_found(texts, owners, held, int(people.max(initial=-1)) + 1)) if held else []
    kinds = np.int64, np.int64, np.int64, np.int32, np.int32, np.int8
    arrays = [np.array([one[i] for one in found], kind) for i, kind in enumerate(kinds)]
    return OwnValues(chosen, *arrays)


class _ListedValue(NamedTuple):
    """A value, its column, and the column's code of it."""

    value: Value
    column: int
    code: int


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """The values of a column, and which of them are whose."""

    table: list[_ListedValue]
    people: Numbers
    listed: Numbers

    __repr__ = by_sizes


def _held(number: int, one: SearchedColumn, values: _Values) -> _Held:
    table: list[_ListedValue] = []
    first, count = (np.zeros(len(values.labels), np.int64) for _ in range(2))
    for code in np.unique(values.codes).tolist():
        label = values.labels[code]
        first[code] = len(table)
        day = values.days[code] if values.days else None
        for value in _ways(one, label or "", day):
            if words_of_value(value):
                meaning = code if values.meaning is None else int(values.meaning[code])
                table.append(_ListedValue(value, number, meaning))
        count[code] = len(table) - first[code]
    many = count[values.codes]
    shift = np.repeat(first[values.codes] - (np.cumsum(many) - many), many)
    return _Held(table, np.repeat(values.people, many), shift + np.arange(many.sum()))


def _ways(one: SearchedColumn, label: str, day: date | None) -> Iterator[Value]:
    """How a value may be written; one that the release hides also with an s behind it."""
    for form in forms_of(label):
        yield value_of(one, form, day)
        if day is None and one.is_hidden and one.kind != "number" and takes_s(form):
            yield replace(value_of(one, f"{form.strip()}s", None), in_pieces=False)


def words_of_value(value: Value) -> set[str]:
    """All words that may be part of a value where it stands in a text.

    >>> sorted(words_of_value(Value(rows=(("new", "york"),))))
    ['new', 'york']
    """
    result = set(value.name)
    for row in (*value.rows, *(tuple(w.read for w in words(one)) for one in value.exact)):
        result.update(row)
    if value.day is not None:
        result.update(words_of_day(value.day))
    return result


def _found(
    texts: list[str], owners: NDArray[np.int32], held: Sequence[_Held], people: int
) -> Iterator[tuple[int, int, int, int, int, int]]:
    """Document, start, stop, column, code and precision of every own value."""
    table = [one for part in held for one in part.table]
    first = np.cumsum([0, *(len(part.table) for part in held)])
    whose = np.concatenate([part.people for part in held])
    listed = np.concatenate([part.listed + low for part, low in zip(held, first, strict=False)])
    order = np.argsort(whose, kind="stable")
    whose, listed = whose[order], listed[order]
    spellings, pairs, of_pair = _pairs(table, whose, listed)
    hits = own_words(texts, owners, spellings, pairs, of_pair, people)
    order = np.lexsort((hits.starts, hits.documents))
    documents = hits.documents[order]
    spelt = pairs[hits.pairs[order]].tolist()
    places = [one[order].tolist() for one in (hits.starts, hits.stops, hits.ordinals, hits.glued)]
    rows = list(map(Hit, (spellings[number] for number in spelt), *places))
    begins = np.flatnonzero(np.diff(documents, prepend=-1)).tolist()
    bounds = np.searchsorted(whose, np.arange(people + 1)).tolist()
    yield from _broken(texts, owners, table, listed.tolist(), bounds)
    for begin, end in pairwise([*begins, len(rows)]):
        document = int(documents[begin])
        person = int(owners[document])
        for one in listed[bounds[person] : bounds[person + 1]].tolist():
            value, column, code = table[one]
            for start, stop, told in value_places(texts[document], rows[begin:end], value):
                yield document, start, stop, column, code, told


def _broken(
    texts: list[str],
    owners: NDArray[np.int32],
    table: Sequence[_ListedValue],
    listed: list[int],
    bounds: list[int],
) -> Iterator[tuple[int, int, int, int, int, int]]:
    """The own values that are taken apart."""
    pieces = [pieces_of(one.value.rows, one.value.parts) for one in table]
    for document, (text, person) in enumerate(zip(texts, owners.tolist(), strict=True)):
        mine = listed[bounds[person] : bounds[person + 1]] if text else []
        letters = squeezed(text) if mine else ""
        for one in mine:
            if table[one].value.in_pieces and any(part in letters for part in pieces[one]):
                for start, stop in broken_places(text, pieces[one]):
                    yield document, start, stop, table[one].column, table[one].code, DAY


def _pairs(
    table: Sequence[_ListedValue], whose: Numbers, listed: Numbers
) -> tuple[list[str], NDArray[np.int32], NDArray[np.int32]]:
    """The distinct words of all values, and every person's words among them."""
    numbers: dict[str, int] = {}
    of_value = [
        [numbers.setdefault(word, len(numbers)) for word in sorted(words_of_value(one.value))]
        for one in table
    ]
    counts = np.array([len(one) for one in of_value], np.int64)
    flat = np.array([number for one in of_value for number in one], np.int64)
    begin = np.cumsum(counts) - counts
    many = counts[listed]
    shift = np.repeat(begin[listed] - (np.cumsum(many) - many), many)
    chosen = flat[shift + np.arange(many.sum())] if len(flat) else flat
    width = max(len(numbers), 1)
    keys = distinct(np.repeat(whose, many) * width + chosen)
    people, chosen = np.divmod(keys, width)
    return list(numbers), chosen.astype(np.int32), people.astype(np.int32)


def value_places(text: str, hits: list[Hit], value: Value) -> list[tuple[int, int, int]]:
    """Where a value stands among the words of its person in a text."""
    if value.day is not None:
        mine = words_of_day(value.day)
        return day_places(text, [one for one in hits if one.word in mine], value.day, value.months)
    found: set[tuple[int, int]] = set()
    if value.rows:
        found.update(row_places(text, hits, value.rows))
    if value.exact:
        found.update(exact_places(text, hits, value.exact))
    if value.name:
        found.update(name_places(text, hits, value.name, value.parts))
    return [(*one, DAY) for one in sorted(found)]


def _shown(column: Relational, frame: pl.DataFrame, people: NDArray[np.int32]) -> _Values:
    """The values of a quasi-identifier; numbers and dates in every way that they are written."""
    if column.numbers is None or column.described.kind == "ordered":
        return _Values(column.labels.to_list(), *column.pairs(), None, None)
    described = column.described
    cells = present(described, frame[column.name])
    labels, owners, codes = _written(cells, people)
    if described.kind == "date":
        read = _days(labels, cells, described)
        numbers, told = read.to_physical().cast(pl.Float64), read.to_list()
    else:
        numbers, told = labels.str.strip_chars().cast(pl.Float64, strict=False), None
    known = numbers.is_finite().fill_null(False).to_numpy()
    meaning = np.searchsorted(column.numbers, numbers.fill_null(0.0).to_numpy())
    held = known[codes]
    return _Values(labels.to_list(), owners[held], codes[held], told, meaning.astype(np.int32))


def _hidden(one: SearchedColumn, frame: pl.DataFrame, people: NDArray[np.int32]) -> _Values:
    """The values of a column that the release does not show."""
    cells = frame[one.name]
    if one.column is not None:
        cells = present(one.column, cells)
    if isinstance(cells.dtype, (pl.List, pl.Array)) or one.kind == "set":
        count = int(people.max(initial=-1)) + 1
        column = set_column(one.name, one.column or Column(), cells, people, count)
        return _Values(column.labels.to_list(), *column.pairs(), None, None)
    labels, owners, codes = _written(cells, people)
    told = None
    if one.column is not None and one.kind == "date":
        told = _days(labels, cells, one.column).to_list()
    return _Values(labels.to_list(), owners, codes, told, None)


def _days(labels: pl.Series, cells: pl.Series, column: Column) -> pl.Series:
    """The days that texts stand for; of cells that are dates the texts are ISO."""
    format = None if cells.dtype.is_temporal() else column.format
    return days(labels, format, unreadable="missing")


def _written(
    cells: pl.Series, people: NDArray[np.int32]
) -> tuple[pl.Series, Numbers, NDArray[np.int32]]:
    """The distinct texts of a column, and which people have which."""
    codes, labels = code_texts(written(cells), sort=True)
    held, width = np.flatnonzero(codes >= 0), max(len(labels), 1)
    owners, numbers = np.divmod(
        distinct(people[held].astype(np.int64) * width + codes[held]), width
    )
    return labels, owners, numbers.astype(np.int32)
