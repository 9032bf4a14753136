"""A person's own values in the person's texts, which no recogniser need have found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from ...kernels.places import own_terms
from ...schema import Column
from ...schema.days import days
from ...schema.own import Searched, Word, searched, words_of
from ...schema.table import present
from .view import code_texts, distinct, set_column

if TYPE_CHECKING:
    from datetime import date

    from numpy.typing import NDArray

    from ...schema import Schema
    from .view import Relational

    Numbers = NDArray[np.int64]

_NONE = np.empty(0, np.int64)
_BLOCK = 1 << 16  # documents searched at a time, which bounds the words of their people


@dataclass(frozen=True, slots=True, eq=False)
class OwnValues:
    """Where people's own values stand: the column (a number into `columns`), code and precision."""

    columns: tuple[Searched, ...]
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


def find_own(
    texts: list[str],
    frame: pl.DataFrame,
    schema: Schema,
    people: NDArray[np.int32],
    columns: Sequence[Relational],
) -> OwnValues:
    """Everywhere that a value of a person stands in the person's texts as a whole word.

    Quasi-identifiers, dropped columns and the person column are looked for, as `schema.own` says.
    Cost: O(text + people x words) in compiled code.
    """
    chosen = tuple(searched(schema, frame.columns)) if any(texts) else ()
    known = {column.name: column for column in columns}
    owners = np.repeat(people, max(len(schema.texts), 1))
    lists = []
    for number, one in enumerate(chosen):
        held = known.get(one.name)
        values = _hidden(one, frame, people) if held is None else _shown(held, frame, people)
        if values.days is not None:
            values = _with_year(texts, owners, values)
        lists.append(_words(number, one, values))
    found = []
    for any_case in (True, False):
        table = [word for words in lists for word in words.table]
        ends = np.cumsum([0, *(len(words.table) for words in lists)])
        listed = np.concatenate(
            [words.listed + end for words, end in zip(lists, ends, strict=False)] or [_NONE]
        )
        owned = np.concatenate([words.people for words in lists] or [_NONE])
        like = np.array([word.word.any_case == any_case for word in table], bool)
        here = np.flatnonzero(like[listed]) if len(table) else _NONE
        if len(here):
            spelt = [word.word.text for word in table]
            *places, at = _standing(texts, owners, spelt, owned[here], listed[here], any_case)
            which = listed[here][at]
            found.append((*places, *(np.array([w[i] for w in table])[which] for i in (1, 2, 3))))
    kinds = np.int64, np.int64, np.int64, np.int32, np.int32, np.int8
    joined = [
        np.concatenate([part[i] for part in found] or [_NONE]).astype(kind)
        for i, kind in enumerate(kinds)
    ]
    return OwnValues(chosen, *joined)


class _Listed(NamedTuple):
    """One way to write a value: its column, the column's code of it, how much of a date it is."""

    word: Word
    column: int
    code: int
    told: int


@dataclass(frozen=True, slots=True, eq=False)
class _Words:
    """All ways to write the values of a column, and which of them belong to whom."""

    table: list[_Listed]
    people: Numbers
    listed: Numbers


def _words(number: int, one: Searched, values: _Values) -> _Words:
    table: list[_Listed] = []
    first = np.zeros(len(values.labels) + 1, np.int64)
    used = np.zeros(len(values.labels), bool)
    used[values.codes] = True
    for code, label in enumerate(values.labels):
        if label is not None and used[code]:
            meaning = code if values.meaning is None else int(values.meaning[code])
            day = values.days[code] if values.days else None
            table += [
                _Listed(word, number, meaning, word.told) for word in words_of(one, label, day)
            ]
        first[code + 1] = len(table)
    counts = np.diff(first)[values.codes]
    begin = first[:-1][values.codes] - (np.cumsum(counts) - counts)
    listed = np.repeat(begin, counts) + np.arange(counts.sum())
    return _Words(table, np.repeat(values.people, counts), listed)


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


def _hidden(one: Searched, frame: pl.DataFrame, people: NDArray[np.int32]) -> _Values:
    """The values of a column that the release does not show."""
    cells = frame[one.name]
    if one.column is not None:
        cells = present(one.column, cells)
    if isinstance(cells.dtype, (pl.List, pl.Array)) or _kind(one) == "set":
        count = int(people.max(initial=-1)) + 1
        column = set_column(one.name, one.column or Column(), cells, people, count)
        return _Values(column.labels.to_list(), *column.pairs(), None, None)
    labels, owners, codes = _written(cells, people)
    told = None
    if one.column is not None and _kind(one) == "date":
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
    codes, labels = code_texts(cells.cast(pl.String), sort=True)
    held, width = np.flatnonzero(codes >= 0), max(len(labels), 1)
    owners, numbers = np.divmod(
        distinct(people[held].astype(np.int64) * width + codes[held]), width
    )
    return labels, owners, numbers.astype(np.int32)


def _kind(one: Searched) -> str:
    return "category" if one.column is None else one.column.kind


def _with_year(texts: list[str], owners: NDArray[np.int32], values: _Values) -> _Values:
    """The dates whose year, or the date itself as it is written, stands in the person's texts.

    A day has dozens of forms, all of which but its own name the year.
    """
    assert values.days is not None
    table: list[str] = []
    for label, day in zip(values.labels, values.days, strict=True):
        year = "" if day is None else f"{day.year:04}"
        table += [year, year[2:], (label or "").strip()]
    listed = (3 * values.codes.astype(np.int64)[:, None] + np.arange(3)).ravel()
    owned = np.repeat(np.arange(len(values.codes)), 3)
    people = values.people[owned]
    *_, at = _standing(texts, owners, table, people, listed, True, in_numbers=True)
    seen = np.unique(owned[at])
    return replace(values, people=values.people[seen], codes=values.codes[seen])


def _standing(
    texts: list[str],
    owners: NDArray[np.int32],
    table: list[str],
    people: Numbers,
    listed: Numbers,
    any_case: bool,
    in_numbers: bool = False,
) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """The places of people's words, `table[listed]` each, and which of them each place is."""
    found = []
    for low in range(0, len(texts), _BLOCK):
        part = texts[low : low + _BLOCK]
        here = np.unique(owners[low : low + _BLOCK])
        chosen = np.flatnonzero(np.isin(people, here))
        words = [table[number] for number in listed[chosen].tolist()]
        places = own_terms(
            part,
            np.searchsorted(here, owners[low : low + _BLOCK]).astype(np.int32),
            words,
            np.searchsorted(here, people[chosen]).astype(np.int32),
            len(here),
            any_case,
        )
        columns = (places.documents.tolist(), places.starts.tolist(), places.stops.tolist())
        alone = np.fromiter(
            (
                in_numbers or _is_no_part_of_a_number(part[document], start, stop)
                for document, start, stop in zip(*columns, strict=True)
            ),
            bool,
            len(places.documents),
        )
        each = (places.documents + low, places.starts, places.stops, chosen[places.terms])
        found.append(tuple(one[alone] for one in each))
    joined = [np.concatenate(one) for one in zip(*found, strict=True)] or [_NONE] * 4
    return joined[0], joined[1], joined[2], joined[3]


def _is_no_part_of_a_number(text: str, start: int, stop: int) -> bool:
    """36 stands neither in 36.5 nor in 1,036."""
    before, after = text[max(start - 2, 0) : start], text[stop : stop + 2]
    left = text[start].isdigit() and len(before) == 2 and before[0].isdigit() and before[1] in ".,"
    right = text[stop - 1].isdigit() and len(after) == 2 and after[0] in ".," and after[1].isdigit()
    return not left and not right
