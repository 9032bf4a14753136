"""Attacks on releases of records: prosecutor, journalist and marketer risk, and linkage.

The attacker of a linkage knows the quasi-identifiers and the terms of somebody, from all their
rows, and takes one of the released people whose cells cover the values and whose items and legible
terms the person has. The control are people held out before a release is made alike: how often
would he stand by a link to somebody who is not there?
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ..core.errors import CannotBeMet
from ..schema.frames import as_polars
from ..verification.records_cells import covered
from ..verification.records_view import item_lists
from .protocol import SAMPLE as TRIALS
from .records_scene import Knowledge, Scene, ShownClasses, classes_of, people_of, united
from .result import AttackResult

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.release import Release
    from ..core.values import Data, JsonObject, JsonValues
    from ..schema import Column, Schema, SchemaLike

PAIRS = 20_000_000  # people times classes that linkage compares at most
AT_RISK = 0.2  # the usual threshold: one of five
SAME = b"a release that nobody gets"  # the key of controls: their figures are the same in every run


def attack_records(
    original: Data,
    release: Release | Data,
    schema: SchemaLike | None = None,
    population: Data = None,
    trials: int = TRIALS,
    seed: int = 0,
) -> list[AttackResult]:
    """Prosecutor, journalist and marketer risk, and linkage, of a release of records.

    `release` is what `anonymize` returned, or a recoded frame (then `schema` is needed, and texts
    are not looked at, and nobody is held out). `population` is a larger table of the same columns
    for the journalist.
    Cost: O(rows) for the risks, O(trials x classes x columns) for linkage, and for its control that
    of anonymising once more.

    >>> table = pl.DataFrame({"age": [24, 36, 40, 50]})
    >>> released = pl.DataFrame({"age": ["[24-36]", "[24-36]", "[40-50]", "[40-50]"]})
    >>> found = attack_records(table, released, {"columns": {"age": {"kind": "number"}}})
    >>> [(one.name, one.success) for one in found if one.name != "linkage"]
    [('prosecutor', 0.5), ('journalist', 0.5), ('marketer', 0.5)]
    """
    scene = Scene.of(original, release, schema)
    found = risks(scene.shown.sizes, _population_sizes(scene, population))
    return [*found, linkage(scene, release, trials, seed)]


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
        *(name, success, success, success, chance, *none, people, "person"),
        background="the class of the person",
        detail=dict(detail),
    )


def fits_of(target: Scene, chosen: NDArray[np.int64], shown: Scene) -> NDArray[np.bool_]:
    """Which classes of a release fit all that is known of some people of the same table."""
    return _fits(target.schema, target.known, chosen, shown.shown)


def _population_sizes(scene: Scene, population: Data) -> NDArray[np.int64] | None:
    """How many people of the population each class covers, by columns alone."""
    if population is None:
        return None
    table = as_polars(population, "population")
    known = Knowledge(table, people_of(scene.schema, table), None)
    result = np.zeros(len(scene.shown.sizes), np.int64)
    block = max(1, PAIRS // max(len(result), 1))
    for start in range(0, known.count, block):
        chosen = np.arange(start, min(start + block, known.count))
        result += _fits(scene.schema, known, chosen, scene.shown).sum(axis=0)
    return result


def linkage(scene: Scene, release: Data, trials: int = TRIALS, seed: int = 0) -> AttackResult:
    """Joins what is known of people with the release, and guesses one of those that fit.

    Cost: O(trials x classes x columns), and anonymising once more for the control.
    """
    people = scene.known.count
    draw = np.random.default_rng(seed)
    chosen = draw.permutation(people)[: _bounded(trials, scene.shown, people)]
    fits = _fits(scene.schema, scene.known, chosen, scene.shown)
    fitting = (fits * scene.shown.sizes).sum(axis=1)
    hits = fits[np.arange(len(chosen)), scene.class_of[chosen]]
    chances = np.divide(hits, fitting, out=np.zeros(len(chosen)), where=fitting > 0)
    right = round(float(chances.sum()))  # expected of a fair choice among those that fit
    raw = _alone_in_original(scene, chosen)
    return AttackResult.of(
        "linkage",
        right,
        len(chosen),
        baseline=1 / people if people else 0.0,
        unit="person",
        background="all quasi-identifiers and terms of the person",
        control_of="people held out of the data",
        control=_control(scene, release, trials, draw),
        detail={
            "expected": float(np.mean(chances)) if len(chosen) else 0.0,
            "fitting_people": float(np.mean(fitting)) if len(chosen) else 0.0,
            "found_alone": int((fitting == 1).sum()),
            "success_on_original": raw / len(chosen) if len(chosen) else 0.0,
        },
    )


def _bounded(trials: int, shown: ShownClasses, people: int) -> int:
    return min(trials, max(20, PAIRS // max(len(shown.sizes), 1)), people)


def _control(
    scene: Scene, release: Data, trials: int, draw: np.random.Generator
) -> tuple[int, int] | None:
    """Links to people held out that he would stand by, and how many people were held out.

    A link to one of n that fit is taken for right as often as one to a person in the data: one
    time in n. None where the release cannot be made alike, or has too few people.
    """
    given = dict(getattr(release, "parameters", {}))
    people = scene.known.count
    held = min(trials, people // 4)
    if not has_settings(given) or not held:
        return None
    out = np.zeros(people, bool)
    out[draw.permutation(people)[:held]] = True
    try:
        alike = made_alike(scene, given, ~out[scene.known.of_row])
    except CannotBeMet:
        return None
    rest = Scene.of(alike.sides.input, alike, None)
    chosen = np.flatnonzero(out)[: _bounded(held, rest.shown, held)]
    fitting = (_fits(scene.schema, scene.known, chosen, rest.shown) * rest.shown.sizes).sum(axis=1)
    chances = np.divide(1.0, fitting, out=np.zeros(len(chosen)), where=fitting > 0)
    return round(float(chances.sum())), len(chosen)


def has_settings(given: JsonValues) -> bool:
    """Whether a release tells how its classes were made, so that one can be made alike."""
    return "partitioner" in given


def made_alike(scene: Scene, given: JsonObject, stay: NDArray[np.bool_]) -> Release:
    """The release of some of the rows by the same parameters; terms are suppressed or kept."""
    from ..methods.records.anonymize import anonymize

    places = None
    if scene.terms is not None:
        numbers = pl.DataFrame({"row": scene.rows[stay], "new": np.arange(int(stay.sum()))})
        places = (
            scene.terms.with_columns(pl.col("row").cast(pl.Int64))
            .join(numbers, on="row", how="inner")
            .select(pl.col("new").alias("row"), "column", "start", "stop", "label")
        )
    same = ("k", "partitioner", "relational_weight", "l", "diversity", "c", "t")
    others = ("strata", "cuts", "effort", "block", "suppress_share", "seed", "knows")
    options = {name: given[name] for name in (*same, *others) if name in given}
    rows = scene.before.filter(pl.Series(stay))
    made: Release = anonymize(rows, scene.schema, recognizer=places, key=SAME, **options)
    return made


def _fits(
    schema: Schema, known: Knowledge, chosen: NDArray[np.int64], shown: ShownClasses
) -> NDArray[np.bool_]:
    """Which classes fit all that is known of each person."""
    place = np.full(known.count, -1)
    place[chosen] = np.arange(len(chosen))
    owners = place[known.of_row]
    rows = np.flatnonzero(owners >= 0)
    owners = owners[rows]
    fits = np.ones((len(chosen), len(shown.sizes)), bool)
    for name, cells in shown.cells.items():
        values = pl.DataFrame({"person": owners, "value": known.frame[name].gather(rows)}).unique()
        _rule_out(fits, schema.columns[name], values, cells)
    for name, held in shown.items.items():
        lists = item_lists(known.frame[name].gather(rows), schema.columns[name].separator)
        _rule_out_sets(fits, united(owners, lists, len(chosen)), held)
    if known.terms is not None:
        _rule_out_sets(fits, [known.terms[one] for one in chosen.tolist()], shown.kept)
    return fits


def _rule_out(
    fits: NDArray[np.bool_], column: Column, values: pl.DataFrame, cells: pl.DataFrame
) -> None:
    """Every value of a person must be covered by some cell of the class."""
    known, given = cells["cell"].unique(), values["value"].unique()
    of_class, of_value = _codes(cells["cell"], known), _codes(values["value"], given)
    classes, persons = cells["class"].to_numpy(), values["person"].to_numpy()
    block = max(1, PAIRS // max(len(known), fits.shape[1]))
    for start in range(0, len(given), block):
        some = given[start : start + block]
        pairs = covered(
            column,
            some.gather(np.repeat(np.arange(len(some)), len(known))),
            known.gather(np.tile(np.arange(len(known)), len(some))),
        )
        one_cell = pairs.to_numpy().reshape(len(some), len(known))
        by_class = np.zeros((len(some), fits.shape[1]), bool)
        if len(classes) == fits.shape[1]:  # one cell each, as `anonymize` makes them
            by_class[:, classes] = one_cell[:, of_class]
        else:
            for number, cell in zip(classes.tolist(), of_class.tolist(), strict=True):
                by_class[:, number] |= one_cell[:, cell]
        here = np.flatnonzero((of_value >= start) & (of_value < start + len(some)))
        for number in here.tolist():
            fits[persons[number]] &= by_class[of_value[number] - start]


def _codes(values: pl.Series, distinct: pl.Series) -> NDArray[np.int64]:
    """The place of each value among the distinct ones."""
    table = distinct.alias("one").to_frame().with_row_index("code")
    joined = (
        values.alias("one")
        .to_frame()
        .join(table, on="one", how="left", nulls_equal=True, maintain_order="left")
    )
    return joined["code"].to_numpy().astype(np.int64)


def _rule_out_sets(
    fits: NDArray[np.bool_], own: list[frozenset[str]], shown: list[frozenset[str]]
) -> None:
    """Whoever fits has all items or terms that the class shows."""
    empty = np.array([not one for one in shown], bool)
    for at, held in enumerate(own):
        for number in np.flatnonzero(fits[at] & ~empty).tolist():
            fits[at, number] = shown[number] <= held


def _alone_in_original(scene: Scene, chosen: NDArray[np.int64]) -> int:
    """The same attack on the original: people alone with their values and terms are found."""
    own = scene.known.terms or [frozenset()] * scene.known.count
    class_of, before = classes_of(scene.schema, scene.before, scene.known.of_row, own)
    return int((before.sizes[class_of[chosen]] == 1).sum())
