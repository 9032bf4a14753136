"""`risk`: what a table would give away if it were released as it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ..core.errors import BadInput
from ..core.options import check_k
from ..core.printed_form import by_sizes
from ..methods.records.view import people_of_rows, relational
from ..metrics.uniqueness import Special, joint, pitman_uniques, sizes_of, suda
from ..schema import as_schema
from ..schema.frames import as_polars
from ..schema.table import check_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.values import Data, JsonObject
    from ..schema import Schema, SchemaLike

    Codes = NDArray[np.int64]

MODEL = "Pitman's model of class sizes (Hoshino 2001)"


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """People of the table beside a population: k-map and delta-presence of raw values.

    `smallest` is the least number of the population's people who share somebody's values,
    `below_k` how many people share theirs with fewer than k; presence is the share of the
    population's people with the same values who are in the table.
    """

    people: int
    smallest: int
    below_k: int
    absent: int
    least_presence: float
    most_presence: float


@dataclass(frozen=True, slots=True, eq=False)
class Risk:
    """Figures of a table before its release, and, privately, its people by their risk.

    `columns` are the quasi-identifiers; `sizes` how many classes there are of each size; `sets` the
    people alone on every set of columns; `contributions` what each column adds.
    """

    people: int
    columns: tuple[str, ...]
    k: int
    unique: int
    below_k: int
    sizes: dict[int, int]
    sets: list[JsonObject]
    contributions: list[JsonObject]
    population: Population | None
    population_uniques: float | None
    population_size: int | None
    most_at_risk: pl.DataFrame = field(repr=False)
    after: Risk | None = None
    """The same of a release of the table, by its cells as they are written."""

    __repr__ = by_sizes

    def as_dict(self, people: int = 0) -> JsonObject:
        """The figures as plain values; with them the so many people at most risk, by record."""
        beside = self.population
        modelled = self.population_uniques
        return {
            "people": self.people,
            "quasi_identifiers": list(self.columns),
            "k": self.k,
            "unique": self.unique,
            "below_k": self.below_k,
            "class_sizes": {str(size): count for size, count in self.sizes.items()},
            "sets_of_columns": self.sets,
            "contributions": self.contributions,
            "population": None
            if beside is None
            else {name: getattr(beside, name) for name in beside.__slots__},
            "population_uniques": None
            if self.population_size is None
            else {"people": self.population_size, "estimated": modelled, "model": MODEL},
            **({"most_at_risk": self.most_at_risk.head(people).to_dicts()} if people else {}),
            **({} if self.after is None else {"after": self.after.as_dict()}),
        }


def risk(
    frame: Data,
    schema: SchemaLike,
    population: Data = None,
    *,
    k: int = 5,
    columns: int = 3,
    population_size: int | None = None,
    release: Data = None,
) -> Risk:
    """What the quasi-identifying columns of a table tell about its people before a release.

    Uniqueness and class sizes, on all columns and on sets of up to `columns` of them; SUDA scores;
    what each column contributes; against a `population` (a table of the same columns) k-map and
    delta-presence; without one, for a population of `population_size`, how many are alone in it by
    a stated model. A `release` of the table has the same in `.after`, counted by its cells as they
    are written. `.most_at_risk` has the people by record number, those at most risk first: it
    is private. Texts are not looked at.
    Cost: O(sets of columns x people log people).

    >>> people = pl.DataFrame({"age": [30, 30, 41, 41], "sex": ["f", "f", "m", "f"]})
    >>> found = risk(people, {"columns": {"age": {"kind": "number"}, "sex": {}}}, k=2)
    >>> found.unique, found.most_at_risk["record"].to_list()[:2]
    (2, [3, 4])
    """
    read, table = as_schema(schema), as_polars(frame)
    (k,) = check_k(k)
    if isinstance(columns, bool) or not isinstance(columns, int) or columns < 1:
        raise BadInput("expected a whole number above 0", where="columns", remedy="3 is usual")
    check_table(read, table)
    if not read.relational:
        raise BadInput("the schema names no quasi-identifying column", where="schema")
    others = None if population is None else as_polars(population, "population")
    codes, count, rows, beside = _codes(table, read, others)
    together = joint([one[:count] for one in codes], count)
    sizes = sizes_of(together)
    of_class = np.bincount(together) if count else np.zeros(0, np.int64)
    special = suda([one[:count] for one in codes], count, columns)
    names = tuple(read.relational)
    found = None
    if others is not None:
        found = _against(codes, count, beside, k)
    elif population_size is not None and population_size < count:
        raise BadInput(f"a population has at least the {count} people", where="population_size")
    modelled = (
        None if population_size is None else pitman_uniques(of_class[of_class > 0], population_size)
    )
    return Risk(
        people=count,
        columns=names,
        k=k,
        unique=int((sizes == 1).sum()),
        below_k=int((sizes < k).sum()),
        sizes=dict(sorted(Counter(of_class.tolist()).items())),
        sets=_sets(special, names, count),
        contributions=_contributions([one[:count] for one in codes], count, names, special),
        population=found,
        population_uniques=modelled,
        population_size=population_size,
        most_at_risk=_people(special, sizes, rows, names),
        after=None if release is None else released_risk(release, read, k=k, columns=columns),
    )


def released_risk(release: Data, schema: Schema, *, k: int, columns: int) -> Risk:
    """The risk of released cells: each is a value by itself, however it was recoded.

    Without person numbers every row is somebody.

    >>> from sfumato.schema import as_schema
    >>> cells = pl.DataFrame({"age": ["[30-41]"] * 3, "sex": ["f", "f", "m"]})
    >>> read = as_schema({"columns": {"age": {"kind": "number"}, "sex": {}}})
    >>> released_risk(cells, read, k=2, columns=2).unique
    1
    """
    table = as_polars(release, "release")
    names = [name for name in schema.relational if name in table.columns]
    person = schema.person if schema.person in table.columns else None
    cells = [
        pl.Series(name, [None if one is None else str(one) for one in table[name].to_list()])
        for name in names
    ]
    plain: JsonObject = {"columns": {name: {} for name in names}, "person": person}
    frame = pl.DataFrame([*cells, *([] if person is None else [table[person].cast(pl.String)])])
    return risk(frame, plain, k=k, columns=columns)


def _codes(
    table: pl.DataFrame, schema: Schema, others: pl.DataFrame | None
) -> tuple[list[Codes], int, Codes, int]:
    """A code for each person and column, the table's people first; the first row of each of them.

    Equal values of table and population have equal codes; a person's several values are one.
    """
    names = list(schema.relational)
    people, count = people_of_rows(table, schema.person)
    rows = np.full(count, -1, np.int64)
    rows[people[::-1]] = np.arange(table.height)[::-1]
    both, total = table.select(names), count
    if others is not None:
        missing = [name for name in names if name not in others.columns]
        if missing:
            raise BadInput("the population lacks columns", where=", ".join(missing))
        has_people = schema.person is not None and schema.person in others.columns
        whose, more = people_of_rows(others, schema.person if has_people else None)
        people = np.concatenate([people, whose + count]).astype(np.int32)
        total = count + more
        texts = [one.select(pl.col(names).cast(pl.String)) for one in (both, others)]
        is_plain = all(one.dtype != pl.List for one in both.get_columns())
        both = pl.concat(texts if is_plain else [both, others.select(names)])
    found = relational(both, schema, people, total)
    result = []
    for column in found:
        if column.offsets is None:
            codes = column.codes.astype(np.int64) + 1
        else:
            sets = [tuple(column.codes[a:b]) for a, b in pairwise(column.offsets.tolist())]
            numbers = {one: number for number, one in enumerate(sorted(set(sets)))}
            codes = np.array([numbers[one] for one in sets], np.int64)
        if column.numbers is not None and column.missing.any():
            codes = codes * 2 + column.missing
        result.append(codes)
    return result, count, rows, total - count


def _against(codes: list[Codes], count: int, beside: int, k: int) -> Population:
    every = joint(codes, count + beside)
    width = int(every.max(initial=0)) + 1
    mine = np.bincount(every[:count], minlength=width)
    theirs = np.bincount(every[count:], minlength=width)
    of_person = theirs[every[:count]]
    here = mine > 0
    presence = mine[here] / np.maximum(theirs[here], 1)
    return Population(
        people=beside,
        smallest=int(of_person.min(initial=beside)),
        below_k=int((of_person < k).sum()),
        absent=int((of_person == 0).sum()),
        least_presence=float(presence.min(initial=1.0)),
        most_presence=float(presence.max(initial=0.0)),
    )


def _sets(special: Special, names: tuple[str, ...], count: int) -> list[dict[str, object]]:
    """People alone on each set of columns, the sets that single out most first."""
    order = np.argsort(-special.uniques, kind="stable")
    return [
        {
            "columns": [names[i] for i in special.sets[at]],
            "unique": int(special.uniques[at]),
            "share": float(special.uniques[at] / count) if count else 0.0,
        }
        for at in order.tolist()
    ]


def _contributions(
    codes: list[Codes], count: int, names: tuple[str, ...], special: Special
) -> list[JsonObject]:
    """What every column adds: people who are alone with it and not without it; its part in SUDA."""
    alone = sizes_of(joint(codes, count)) == 1
    result = []
    for number, name in enumerate(names):
        rest = [one for i, one in enumerate(codes) if i != number]
        without = sizes_of(joint(rest, count)) == 1
        result.append(
            {
                "column": name,
                "distinct": len(np.unique(codes[number])),
                "unique_only_with_it": int((alone & ~without).sum()),
                "share_of_scores": float(special.columns[number]),
            }
        )
    return sorted(result, key=lambda one: (-one["share_of_scores"], one["column"]))


def _people(special: Special, sizes: Codes, rows: Codes, names: tuple[str, ...]) -> pl.DataFrame:
    """The people by risk: record number, how many share their values, score, why."""
    order = np.lexsort((rows, special.fewest == 0, sizes, -special.scores))
    why = [
        " + ".join(names[i] for i in special.sets[at]) if at >= 0 else None
        for at in special.first[order].tolist()
    ]
    return pl.DataFrame(
        {
            "record": rows[order] + 1,
            "people_alike": sizes[order],
            "score": special.scores[order],
            "special_by": pl.Series(why, dtype=pl.String),
        }
    )
