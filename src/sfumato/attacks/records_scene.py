"""People of an original table beside what its release shows of their classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ..core.errors import BadInput
from ..core.printed_form import by_sizes
from ..core.release import Release, Sides
from ..metrics.records import person_terms
from ..schema import as_schema
from ..schema.frames import as_polars
from ..verification.records_view import item_lists, signatures
from .crowd import by_content

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.values import Data
    from ..schema import Schema, SchemaLike


@dataclass(frozen=True, slots=True, eq=False)
class Knowledge:
    """What is known of people: whose each row is, and the terms of each."""

    frame: pl.DataFrame
    of_row: NDArray[np.int64]
    terms: list[frozenset[str]] | None

    __repr__ = by_sizes

    @property
    def count(self) -> int:
        """How many people there are."""
        return int(self.of_row.max()) + 1 if len(self.of_row) else 0


@dataclass(frozen=True, slots=True, eq=False)
class ShownClasses:
    """What each class shows: the cells of every column, the items of every set, the terms kept."""

    sizes: NDArray[np.int64]
    cells: dict[str, pl.DataFrame]
    items: dict[str, list[frozenset[str]]]
    kept: list[frozenset[str]]

    __repr__ = by_sizes


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """People of the original beside what the release shows of their classes."""

    schema: Schema
    before: pl.DataFrame
    after: pl.DataFrame
    terms: pl.DataFrame | None
    rows: NDArray[np.int64]
    known: Knowledge
    shown: ShownClasses
    class_of: NDArray[np.int64]

    __repr__ = by_sizes

    @classmethod
    def of(cls, original: Data, release: Data, schema: SchemaLike | None) -> Scene:
        """Reads both sides."""
        made = isinstance(release, Release)
        sides, data = (release.sides, release.data) if made else (Sides(), release)
        given = schema if sides.schema is None else sides.schema
        if given is None:
            raise BadInput("recoded cells need their schema", where="schema", remedy="give it")
        read, before, after = as_schema(given), as_polars(original), as_polars(data)
        rows = np.asarray(np.arange(before.height) if sides.rows is None else sides.rows, np.int64)
        if len(rows) != after.height:
            raise BadInput(f"expected {len(rows)} rows, found {after.height}", where="release")
        order = _by_content(before[rows], read)  # no order of rows changes a figure
        before, after, rows = before[rows[order]], after[order], rows[order]
        of_row = people_of(read, before)
        terms = sides.places
        own, kept = _terms(terms, rows, of_row)
        class_of, shown = classes_of(read, after, of_row, kept)
        return cls(
            read, before, after, terms, rows, Knowledge(before, of_row, own), shown, class_of
        )


def _by_content(frame: pl.DataFrame, schema: Schema) -> NDArray[np.int64]:
    """The rows of a table in the order of what people's rows say, whatever order they had."""
    said = [one.to_list() for one in frame.iter_columns() if one.name != schema.person]
    rows = (tuple(map(str, row)) for row in zip(*said, strict=True))
    people = by_content(rows if said else ((),) * frame.height, people_of(schema, frame))
    return np.array([row for mine in people for row in mine], np.int64)


def scene_of(original: Data, release: Data, schema: SchemaLike | None = None) -> Scene:
    """People of the original beside what the release shows of their classes, in their order."""
    return Scene.of(original, release, schema)


def people_of(schema: Schema, frame: pl.DataFrame) -> NDArray[np.int64]:
    """The number of every row's person, from 0 in the order of their first rows."""
    if schema.person is None or schema.person not in frame.columns:
        return np.arange(frame.height)
    persons = frame[schema.person].alias("person")
    table = persons.unique(maintain_order=True).to_frame().with_row_index("number")
    joined = persons.to_frame().join(
        table, on="person", how="left", nulls_equal=True, maintain_order="left"
    )
    return joined["number"].to_numpy().astype(np.int64)


def _terms(
    terms: pl.DataFrame | None, rows: NDArray[np.int64], of_row: NDArray[np.int64]
) -> tuple[list[frozenset[str]] | None, list[frozenset[str]]]:
    """All terms of every person (None: not known), and those that the release keeps."""
    count = int(of_row.max()) + 1 if len(of_row) else 0
    if terms is None:
        return None, [frozenset()] * count
    key = pl.concat_str(["column", "label", "term"], separator="\x1e").alias("key")
    table = person_terms(terms, rows, pl.Series(of_row)).with_columns(key)
    own: list[set[str]] = [set() for _ in range(count)]
    kept: list[set[str]] = [set() for _ in range(count)]
    for person, one, lost in table.select("person", "key", "lost").iter_rows():
        own[person].add(one)
        if lost == 0:
            kept[person].add(one)
    return list(map(frozenset, own)), list(map(frozenset, kept))


def classes_of(
    schema: Schema,
    after: pl.DataFrame,
    of_row: NDArray[np.int64],
    kept: list[frozenset[str]],
) -> tuple[NDArray[np.int64], ShownClasses]:
    """The class of every person, by all their rows, and what each class shows."""
    sets = _sets(schema)
    single = [name for name in schema.relational if name not in sets]
    persons = pl.Series("person", of_row)
    lists = {name: item_lists(after[name], schema.columns[name].separator) for name in sets}
    table = signatures([after[name] for name in single], persons, list(lists.values()))
    table = table.sort("person").with_columns(
        pl.Series("\0terms", ["\x1f".join(sorted(one)) for one in kept], dtype=pl.String)
    )
    by = [name for name in table.columns if name != "person"]
    ranks = table.select(pl.struct(by).rank("dense").cast(pl.Int64) - 1).to_series()
    class_of = ranks.to_numpy().astype(np.int64)
    _, first = np.unique(class_of, return_index=True)
    place = np.full(len(class_of), -1)
    place[first] = np.arange(len(first))  # the class that a person stands for
    shown_by = pl.Series("class", place[of_row])
    chosen = shown_by >= 0
    cells = {
        name: pl.DataFrame({"class": shown_by, "cell": after[name]}).filter(chosen).unique()
        for name in single
    }
    items = {
        name: united(shown_by.filter(chosen).to_numpy(), one.filter(chosen), len(first))
        for name, one in lists.items()
    }
    sizes = np.bincount(class_of).astype(np.int64)
    return class_of, ShownClasses(sizes, cells, items, [kept[one] for one in first.tolist()])


def _sets(schema: Schema) -> list[str]:
    return [name for name in schema.relational if schema.columns[name].kind == "set"]


def united(owners: NDArray[np.int64], lists: pl.Series, count: int) -> list[frozenset[str]]:
    """The items of all rows of each owner."""
    found: list[set[str]] = [set() for _ in range(count)]
    for owner, items in zip(owners.tolist(), lists.to_list(), strict=True):
        found[owner].update(items or ())
    return list(map(frozenset, found))
