"""The set-valued attribute text': normal forms of terms, redundant ones apart, as integer sets."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ...core.printed_form import by_sizes
from ...formats.source import filled
from ...kernels.places import spellings
from ...kernels.records import TermColumn
from .overlay import OverlaidPlaces, overlaid
from .places import Places, role_of
from .redundancy import Match, date_match, label_match, number_match
from .view import distinct as distinct_keys

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...schema import Schema
    from .own_values import OwnValues
    from .view import Relational

MARKS = string.punctuation + string.whitespace + "“”‘’«»„‚–—…¡¿"
QUASI, DIRECT, REDUNDANT = 0, 1, 2
ROLE_NAMES = ("quasi", "direct", "redundant")


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """All sensitive places with their roles, and the non-redundant terms of the people as items.

    An item is a (text column, entity type, normal form); items are numbered by column and type
    (their group), and in it by normal form. `item` of a place is -1 unless it is a quasi term.
    """

    places: Places
    people: NDArray[np.int32]  # of each place
    roles: NDArray[np.int8]
    spelt: NDArray[np.int32]  # of each place, a number into `spellings`
    spellings: list[str]
    forms: pl.Series
    item: NDArray[np.int32]
    matches: Mapping[int, tuple[int, Match]]  # place -> relational column, match
    own: pl.Series  # the column of which a place is an own value; null at recognised ones
    groups: tuple[tuple[str, str], ...]  # text column, entity type
    starts: NDArray[np.int64]  # group -> its first item; one more at the end
    item_forms: list[str]
    pair_people: NDArray[np.int64]  # distinct (person, item), by person
    pair_items: NDArray[np.int64]

    __repr__ = by_sizes

    @property
    def group_of_item(self) -> NDArray[np.int64]:
        """The group of every item."""
        return np.repeat(np.arange(len(self.groups)), np.diff(self.starts))

    def numbered(self, number: NDArray[np.int64]) -> Terms:
        """The same terms of people who have other numbers now, each the one that stands here."""
        owners = number[self.pair_people]
        order = np.lexsort((self.pair_items, owners))
        return replace(
            self,
            people=number[self.people].astype(np.int32),
            pair_people=owners[order],
            pair_items=self.pair_items[order],
        )

    def kernel(self, schema: Schema, count: int) -> list[TermColumn]:
        """A term column for every text column and entity type."""
        result = []
        group_of_pair = self.group_of_item[self.pair_items]
        for group, (column, _) in enumerate(self.groups):
            chosen = group_of_pair == group
            owners = self.pair_people[chosen]
            codes = (self.pair_items[chosen] - self.starts[group]).astype(np.int32)
            offsets = np.searchsorted(owners, np.arange(count + 1)).astype(np.int64)
            distinct = int(self.starts[group + 1] - self.starts[group])
            weight = schema.columns[column].weight
            result.append(TermColumn(codes, distinct, offsets, True, weight))
        return result


def normal_form(term: str) -> str:
    """Terms that differ in case, blanks, marks around them or a leading "the" are one.

    >>> normal_form("The  United Kingdom,")
    'united kingdom'
    """
    if term.isalpha():  # one word, as most are
        return term.casefold()
    form = " ".join(term.casefold().split()).strip(MARKS)
    return form.removeprefix("the ").strip(MARKS)


def collect(
    found: Places,
    own: OwnValues,
    texts: list[str],
    schema: Schema,
    columns: Sequence[Relational],
    people: NDArray[np.int32],
) -> Terms:
    """Reads the terms at the places and sorts them into direct, redundant and quasi.

    Own values are redundant, those of columns that the release does not show are direct.
    Paper: section 4.1. Cost: O(places) and a sort of the distinct terms.
    """
    laid = overlaid(found, own)
    places, width = laid.places, max(len(schema.texts), 1)
    spelt, distinct_spellings = spellings(texts, places.documents, places.starts, places.stops)
    synonyms = {normal_form(one): normal_form(other) for one, other in schema.synonyms.items()}
    form_of = list(map(normal_form, distinct_spellings))
    if synonyms:
        form_of = [synonyms.get(form, form) for form in form_of]
    distinct = sorted(set(form_of))
    rank = {form: i for i, form in enumerate(distinct)}
    ranks = np.fromiter(map(rank.__getitem__, form_of), np.int64, len(form_of))
    forms = ranks[spelt]
    owners = people[places.documents // width]
    role_of_label = [
        DIRECT if role_of(schema, name) == "direct" else QUASI for name in places.names
    ]
    roles = np.array(role_of_label, np.int8)[places.labels]
    roles[laid.hidden] = DIRECT
    recognized = np.where(laid.own < 0, roles, DIRECT)
    matches = _redundant(places, spelt, distinct_spellings, recognized, columns, owners)
    _guard(matches, roles, laid, own)
    matches |= _own_matches(laid, own, columns)
    if matches:
        roles[np.fromiter(matches, np.int64, len(matches))] = REDUNDANT
    spelt_as = spelt, distinct_spellings
    return _with_items(
        places, schema, owners, roles, spelt_as, distinct, forms, matches, _own_columns(laid, own)
    )


def _redundant(
    places: Places,
    spelt: NDArray[np.int32],
    spelt_as: list[str],
    roles: NDArray[np.int8],
    columns: Sequence[Relational],
    owners: NDArray[np.int32],
) -> dict[int, tuple[int, Match]]:
    """The places that repeat a value of their person under a mapped entity type."""
    result: dict[int, tuple[int, Match]] = {}
    for number, column in enumerate(columns):
        labels = [i for i, name in enumerate(places.names) if name in column.described.entities]
        if not labels or column.described.kind == "set":
            continue
        match, values = _matcher(column)
        candidates = np.flatnonzero(np.isin(places.labels, labels) & (roles != DIRECT))
        for at, person in zip(candidates.tolist(), owners[candidates].tolist(), strict=True):
            if at in result:
                continue
            found = match(spelt_as[spelt[at]], values(person))
            if found is not None:
                result[at] = number, found
    return result


def _guard(
    matches: dict[int, tuple[int, Match]],
    roles: NDArray[np.int8],
    laid: OverlaidPlaces,
    own: OwnValues,
) -> None:
    """A term of which a part repeats a value becomes its type if another own value is beside it."""
    for at, number in laid.inside:
        if at not in matches:
            continue
        match, start = matches[at][1], int(laid.places.starts[at])
        if own.starts[number] < start + match.start or own.stops[number] > start + match.stop:
            del matches[at]
            roles[at] = DIRECT


def _own_columns(laid: OverlaidPlaces, own: OwnValues) -> pl.Series:
    """The name of the column of each place that is an own value."""
    names = pl.Series([*(one.name for one in own.columns), None], dtype=pl.String)
    column = np.append(own.column, len(own.columns))  # the last one is none, which -1 means
    return names.gather(column[laid.own])


def _own_matches(
    laid: OverlaidPlaces, own: OwnValues, columns: Sequence[Relational]
) -> dict[int, tuple[int, Match]]:
    """The places that are values of columns which the release shows."""
    number = {column.name: i for i, column in enumerate(columns)}
    chosen = np.flatnonzero((laid.own >= 0) & ~laid.hidden)
    result = {}
    for at, one in zip(chosen.tolist(), laid.own[chosen].tolist(), strict=True):
        length = int(own.stops[one] - own.starts[one])
        match = Match(0, length, int(own.code[one]), int(own.told[one]))
        result[at] = number[own.columns[own.column[one]].name], match
    return result


def _matcher(
    column: Relational,
) -> tuple[Callable[[str, object], Match | None], Callable[[int], list[object]]]:
    """How terms are compared with a column, and what a person's values there are."""
    kind = column.described.kind
    meanings: list[Any] = (
        column.numbers.tolist()
        if column.numbers is not None and kind in ("number", "date")
        else filled(column.labels.to_list())
    )
    codes, offsets = column.codes, column.offsets

    def values(person: int) -> list[Any]:
        if offsets is None:
            held = [int(codes[person])]
        else:
            held = codes[offsets[person] : offsets[person + 1]].tolist()
        return [(meanings[code], code) for code in held if code >= 0]

    match: Callable[[str, Any], Match | None] = label_match
    if kind in ("number", "date"):
        match = number_match if kind == "number" else date_match
    return match, values


def _with_items(
    places: Places,
    schema: Schema,
    owners: NDArray[np.int32],
    roles: NDArray[np.int8],
    spelt_as: tuple[NDArray[np.int32], list[str]],
    distinct: list[str],
    form_codes: NDArray[np.int64],
    matches: dict[int, tuple[int, Match]],
    own: pl.Series,
) -> Terms:
    """Numbers the items: by text column, entity type and normal form."""
    width, kinds = max(len(schema.texts), 1), max(len(places.names), 1)
    group_keys = (places.documents % width) * kinds + places.labels
    quasi = np.flatnonzero(roles == QUASI)
    keys = group_keys[quasi] * max(len(distinct), 1) + form_codes[quasi]
    items, item_of_place = np.unique(keys, return_inverse=True)
    item = np.full(len(form_codes), -1, np.int32)
    item[quasi] = item_of_place
    item_groups, item_form_codes = np.divmod(items, max(len(distinct), 1))
    used, first = np.unique(item_groups, return_index=True)
    pairs = distinct_keys(owners[quasi].astype(np.int64) * max(len(items), 1) + item_of_place)
    pair_people, pair_items = np.divmod(pairs, max(len(items), 1))
    groups = tuple((schema.texts[key // kinds], places.names[key % kinds]) for key in used.tolist())
    return Terms(
        places,
        owners,
        roles,
        *spelt_as,
        pl.Series(distinct, dtype=pl.String).gather(form_codes),
        item,
        matches,
        own,
        groups,
        np.append(first, len(items)).astype(np.int64),
        [distinct[code] for code in item_form_codes.tolist()],
        pair_people,
        pair_items,
    )
