"""A release beside a population: how many of its people fit each class (k-map, delta-presence).

People are counted who are certain to fit: of every column they have a value that the class has, or
one between its smallest and its largest. Cells may cover more. So the counts are never too high.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ...core.errors import BadInput
from ...core.printed_form import by_sizes
from ...schema.frames import as_polars
from .view import people_of_rows, relational

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...core.values import Data
    from ...schema import Schema
    from .view import Relational

_AT_ONCE = 20_000_000  # people x classes looked at


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """The columns of a table's people and of a population's, in one coding."""

    count: int
    columns: list[Relational]
    people: int

    __repr__ = by_sizes

    @classmethod
    def of(
        cls,
        frame: pl.DataFrame,
        schema: Schema,
        population: Data,
        people: NDArray[np.int32],
        count: int,
    ) -> Beside:
        """Reads the population, which has the quasi-identifying columns but for sets."""
        others = as_polars(population, "population")
        names = [one for one in schema.relational if schema.columns[one].kind != "set"]
        if any(schema.columns[name].recode == "mean" for name in names):
            raise BadInput(
                "nobody can tell who fits a mean", where="schema", remedy="leave out recode: mean"
            )
        missing = [name for name in names if name not in others.columns]
        if missing or not names:
            raise BadInput(
                "lacks quasi-identifying columns" if missing else "the schema names no column",
                where="population",
                remedy="give a table with the columns of the schema",
            )
        person = schema.person if schema.person in others.columns else None
        whose, more = people_of_rows(others, person)
        parts = [one.select(pl.col(names).cast(pl.String)) for one in (frame, others)]
        owners = np.concatenate([people, whose + count]).astype(np.int32)
        plain = schema.model_copy(
            update={"columns": {name: schema.columns[name] for name in names}}
        )
        return cls(count, relational(pl.concat(parts), plain, owners, count + more), more)

    def fitting(self, classes: NDArray[np.int32]) -> NDArray[np.int64]:
        """How many of the population fit each class at least. Cost: O(classes x people)."""
        count = int(classes.max(initial=-1)) + 1
        result = np.zeros(count, np.int64)
        covers = [self._covers(column, classes, count) for column in self.columns]
        step = max(1, _AT_ONCE // max(self.people, 1))
        for first in range(0, count, step):
            some = slice(first, min(first + step, count))
            fits = np.ones((some.stop - first, self.people), bool)
            for table, column in zip(covers, self.columns, strict=True):
                fits &= self._all_within(table[some], column)
            result[some] = fits.sum(axis=1)
        return result

    def _covers(
        self, column: Relational, classes: NDArray[np.int32], count: int
    ) -> NDArray[np.bool_]:
        """Which codes each class covers; the last column stands for a missing number."""
        owners, codes = column.pairs()
        mine = owners < self.count
        owners, codes = owners[mine], codes[mine]
        inside = classes[owners] >= 0
        of_class, codes = classes[owners[inside]], codes[inside]
        width = len(column.labels)
        table = np.zeros((count, width + 1), bool)
        table[of_class, codes] = True
        if column.numbers is not None and column.tree is None:  # from the smallest to the largest
            seen = np.maximum.accumulate(table[:, :width], axis=1)
            later = np.maximum.accumulate(table[:, width - 1 :: -1], axis=1)[:, ::-1]
            table[:, :width] = seen & later[:, :width]
        return table

    def _all_within(self, table: NDArray[np.bool_], column: Relational) -> NDArray[np.bool_]:
        """Whether all of a person's values are among those of the classes."""
        if column.offsets is None:
            codes = column.codes[self.count :]
            found: NDArray[np.bool_] = table[:, codes]  # -1 is the last: missing, never covered
            return found
        lacking = column.missing[self.count :] & (column.numbers is not None)
        fits = np.zeros((len(table), self.people), bool)
        for person, (a, b) in enumerate(pairwise(column.offsets[self.count :].tolist())):
            if a < b and not lacking[person]:
                fits[:, person] = table[:, column.codes[a:b]].all(axis=1)
        return fits


@dataclass(frozen=True, slots=True, eq=False)
class PopulationDemand:
    """What is demanded of a release beside its population."""

    beside: Beside
    k_map: int | None
    delta: float | None

    __repr__ = by_sizes

    def holds(self, classes: NDArray[np.int32]) -> bool:
        """Whether enough of the population fit every class."""
        fitting = self.beside.fitting(classes)
        if self.k_map is not None and int(fitting.min(initial=self.k_map)) < self.k_map:
            return False
        sizes = np.bincount(classes[classes >= 0])
        return self.delta is None or bool((sizes <= self.delta * fitting).all())


def asked_of(
    frame: pl.DataFrame,
    schema: Schema,
    people: tuple[NDArray[np.int32], int],
    population: Data,
    k: int,
    k_map: Data,
    delta: Data,
) -> PopulationDemand | None:
    """What is demanded, checked: of a population alone that k of its people fit each class."""
    if population is None:
        if k_map is not None or delta is not None:
            raise BadInput(
                "is about a population",
                where="k_map" if k_map is not None else "delta",
                remedy="give its table as population",
            )
        return None
    wanted = k if k_map is None and delta is None else k_map
    return PopulationDemand(Beside.of(frame, schema, population, *people), wanted, delta)
