"""Attacks on releases of records: prosecutor, journalist and marketer risk, and linkage.

The attacker of a linkage knows the quasi-identifiers and the terms of somebody, and takes one of
the released people whose cells cover the values and whose legible terms the person has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from ..core.errors import BadInput
from ..metrics.records import person_terms
from ..schema import as_schema
from ..schema.frames import as_polars
from ..verification.records_cells import covered
from .result import AttackResult

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.release import Release
    from ..schema import Schema

TRIALS = 1000
PAIRS = 20_000_000  # people times classes that linkage compares at most
AT_RISK = 0.2  # the usual threshold: one of five


def attack_records(
    original: Any,
    release: Release | Any,
    schema: Schema | Mapping[str, Any] | None = None,
    population: Any = None,
    trials: int = TRIALS,
    seed: int = 0,
) -> list[AttackResult]:
    """Prosecutor, journalist and marketer risk, and linkage, of a release of records.

    `release` is what `anonymize` returned, or a recoded frame (then `schema` is needed, and texts
    are not looked at). `population` is a larger table of the same columns for the journalist.
    Cost: O(rows) for the risks, O(trials x classes x columns) for linkage.

    >>> table = pl.DataFrame({"age": [24, 36, 40, 50]})
    >>> released = pl.DataFrame({"age": ["[24-36]", "[24-36]", "[40-50]", "[40-50]"]})
    >>> found = attack_records(table, released, {"columns": {"age": {"kind": "number"}}})
    >>> [(one.name, one.success) for one in found if one.name != "linkage"]
    [('prosecutor', 0.5), ('journalist', 0.5), ('marketer', 0.5)]
    """
    scene = _Scene.of(original, release, schema)
    found = risks(scene.sizes, _population_sizes(scene, population))
    return [*found, linkage(scene, trials, seed)]


def risks(
    sizes: NDArray[np.int64], in_population: NDArray[np.int64] | None = None
) -> list[AttackResult]:
    """The three risks from the sizes of the classes (El Emam's definitions).

    The prosecutor knows that the target is in the release: at worst 1 / the smallest class.
    The journalist does not: at worst 1 / the smallest class of the population. The marketer
    links everybody: on average one right link a class.
    Cost: O(classes).

    >>> [one.success for one in risks(np.array([2, 4]))]
    [0.5, 0.5, 0.3333333333333333]
    """
    people = int(sizes.sum())
    among = sizes if in_population is None else np.maximum(in_population, sizes)
    everybody = int(among.sum())
    result = []
    for name, of_class in (("prosecutor", sizes), ("journalist", among)):
        worst = float((1 / of_class).max()) if len(of_class) else 0.0
        share = float(sizes[1 / of_class > AT_RISK].sum() / people) if people else 0.0
        detail = {"classes": len(sizes), "share_above_0.2": share}
        result.append(_stated(name, worst, people, everybody, detail))
    average = float((sizes / among).sum() / people) if people else 0.0
    result.append(_stated("marketer", average, people, everybody, {"classes": len(sizes)}))
    return result


def _stated(
    name: str, success: float, people: int, everybody: int, detail: Mapping[str, float]
) -> AttackResult:
    """A risk that follows from counts: it has no interval to speak of."""
    chance = 1 / everybody if everybody else 0.0
    none = (None, None, None)
    return AttackResult(
        *(name, success, success, success, chance, *none, people, "person", dict(detail))
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Scene:
    """People of the original beside what the release shows: the cells and terms of each class."""

    schema: Schema
    before: pl.DataFrame
    after: pl.DataFrame
    persons: pl.Series
    sizes: NDArray[np.int64]
    class_of_person: pl.DataFrame
    kept: dict[int, frozenset[str]]
    own: dict[object, set[str]]

    @classmethod
    def of(cls, original: Any, release: Any, schema: Any) -> _Scene:
        """Reads both sides."""
        private = getattr(release, "private", {})
        data = getattr(release, "data", release) if hasattr(release, "private") else release
        given = private.get("schema", schema)
        if given is None:
            raise BadInput("recoded cells need their schema", where="schema", remedy="give it")
        read, before, after = as_schema(given), as_polars(original), as_polars(data)
        rows = np.asarray(private.get("rows", np.arange(before.height)), np.int64)
        if len(rows) != after.height:
            raise BadInput(f"expected {len(rows)} rows, found {after.height}", where="release")
        before = before[rows]
        persons = (
            pl.Series("person", np.arange(before.height))
            if read.person is None
            else before[read.person].alias("person")
        )
        terms = private.get("terms")
        own, kept_by = _terms(terms, rows, persons) if terms is not None else ({}, {})
        table = _signatures(read, after, persons, kept_by)
        people = table.with_columns(
            pl.struct(pl.exclude("person")).rank("dense").cast(pl.Int64).alias("class") - 1
        ).select("person", "class")
        sizes = np.bincount(people["class"].to_numpy()).astype(np.int64)
        firsts = people.group_by("class").agg(pl.col("person").first())
        kept = {number: frozenset(kept_by.get(one, ())) for number, one in firsts.iter_rows()}
        return cls(read, before, after, persons, sizes, people, kept, own)


def _terms(
    terms: pl.DataFrame, rows: NDArray[np.int64], persons: pl.Series
) -> tuple[dict[object, set[str]], dict[object, set[str]]]:
    """All terms of every person, and those the release keeps."""
    key = pl.concat_str(["column", "label", "term"], separator="\x1e").alias("key")
    table = person_terms(terms, rows, persons).with_columns(key)
    own: dict[object, set[str]] = {}
    kept: dict[object, set[str]] = {}
    for person, one, lost in table.select("person", "key", "lost").iter_rows():
        own.setdefault(person, set()).add(one)
        if lost == 0:
            kept.setdefault(person, set()).add(one)
    return own, kept


def _signatures(
    schema: Schema, after: pl.DataFrame, persons: pl.Series, kept: Mapping[object, set[str]]
) -> pl.DataFrame:
    """What every person shows: the cells of their first row, and their kept terms."""
    names = _compared(schema)
    table = persons.to_frame().hstack(after.select(pl.col(names).cast(pl.String)))
    table = table.unique("person", keep="first", maintain_order=True)
    shown = ["\x1f".join(sorted(kept.get(person, ()))) for person in table["person"]]
    return table.with_columns(pl.Series("\0terms", shown, dtype=pl.String))


def _compared(schema: Schema) -> list[str]:
    return [name for name in schema.relational if schema.columns[name].kind != "set"]


def _population_sizes(scene: _Scene, population: Any) -> NDArray[np.int64] | None:
    """How many people of the population each class covers."""
    if population is None:
        return None
    table = as_polars(population, "population")
    names = _compared(scene.schema)
    first = _first_rows(scene)
    result = np.zeros(len(scene.sizes), np.int64)
    for number, row in enumerate(first):
        fits = np.ones(table.height, bool)
        for name in names:
            cells = pl.Series([scene.after[name][row]], dtype=scene.after[name].dtype)
            cells = cells.gather([0] * table.height)
            fits &= covered(scene.schema.columns[name], table[name], cells).to_numpy()
        result[number] = fits.sum()
    return result


def _first_rows(scene: _Scene) -> list[int]:
    """A row of every class."""
    table = scene.persons.to_frame().with_row_index("row")
    joined = table.join(scene.class_of_person, on="person", how="left", maintain_order="left")
    return joined.group_by("class").agg(pl.col("row").first()).sort("class")["row"].to_list()


def linkage(scene: _Scene, trials: int = TRIALS, seed: int = 0) -> AttackResult:
    """Joins what is known of people with the release, and guesses one of those that fit.

    The control asks the same of the release with what is known of somebody else.
    Cost: O(trials x classes x columns).
    """
    people = scene.class_of_person.height
    draw = np.random.default_rng(seed)
    most = max(20, PAIRS // max(len(scene.sizes), 1))
    chosen = draw.permutation(people)[: min(trials, most, people)]
    others = (chosen + draw.integers(1, max(people, 2), len(chosen))) % max(people, 1)
    right, chances, fitting = _guessed(scene, chosen, chosen, draw)
    wrong, _, _ = _guessed(scene, others, chosen, draw)
    raw = _alone_in_original(scene, chosen)
    return AttackResult.of(
        "linkage",
        right,
        len(chosen),
        baseline=1 / people if people else 0.0,
        unit="person",
        control=(wrong, len(chosen)),
        detail={
            "expected": float(np.mean(chances)) if len(chosen) else 0.0,
            "fitting_people": float(np.mean(fitting)) if len(chosen) else 0.0,
            "found_alone": int((fitting == 1).sum()),
            "success_on_original": raw / len(chosen) if len(chosen) else 0.0,
        },
    )


def _guessed(
    scene: _Scene,
    known: NDArray[np.int64],
    sought: NDArray[np.int64],
    draw: np.random.Generator,
) -> tuple[int, NDArray[np.float64], NDArray[np.int64]]:
    """How often a guess among the people that fit is the sought one; chances; how many fit."""
    fits = _fits(scene, known)
    of_class = scene.class_of_person["class"].to_numpy()
    counts = (fits * scene.sizes).sum(axis=1)
    hits = fits[np.arange(len(sought)), of_class[sought]]
    chance = np.divide(hits, counts, out=np.zeros(len(sought)), where=counts > 0)
    right = int((draw.random(len(sought)) < chance).sum())
    return right, chance, counts


def _fits(scene: _Scene, known: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which classes fit what is known of each person: cells that cover, terms that they have."""
    first = _first_rows(scene)
    table = scene.persons.to_frame().with_row_index("row")
    rows = table.unique("person", keep="first", maintain_order=True)["row"].to_numpy()[known]
    fits = np.ones((len(known), len(first)), bool)
    for name in _compared(scene.schema):
        column = scene.schema.columns[name]
        values = scene.before[name].gather(np.repeat(rows, len(first)))
        cells = scene.after[name].gather(np.tile(np.array(first, np.int64), len(known)))
        fits &= covered(column, values, cells).to_numpy().reshape(fits.shape)
    persons = scene.class_of_person["person"].to_list()
    for at, person in enumerate(known.tolist()):
        own = scene.own.get(persons[person], set())
        for number in np.flatnonzero(fits[at]).tolist():
            fits[at, number] = scene.kept.get(number, frozenset()) <= own
    return fits


def _alone_in_original(scene: _Scene, chosen: NDArray[np.int64]) -> int:
    """The same attack on the original: people alone with their values and terms are found."""
    names = _compared(scene.schema)
    table = scene.persons.to_frame().hstack(scene.before.select(pl.col(names).cast(pl.String)))
    table = table.unique("person", keep="first", maintain_order=True)
    shown = ["\x1f".join(sorted(scene.own.get(one, ()))) for one in table["person"]]
    table = table.with_columns(pl.Series("\0terms", shown, dtype=pl.String))
    alike = table.select(pl.len().over(table.columns[1:]).alias("n"))["n"].to_numpy()
    return int((alike[chosen] == 1).sum())
