"""Checks of k-map and delta-presence: people of a population counted whom released cells cover.

Every distinct cell is held against every distinct value of the population, read from the cell's
own text; then people are counted, row by row of distinct cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ..claims.population import MapParameters, PresenceParameters
from ..core.claims import Verdict
from ..core.errors import BadInput
from ..schema.frames import as_polars
from .labels import whose
from .records_alone import view_alone
from .records_cells import covered
from .records_view import View, Violation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from ..core.claims import Claim
    from ..core.release import Release


def check_population(claim: Claim, original: object, release: Release) -> Verdict:
    """Judges one claim of a release beside a population.

    Cost: O(classes x people of the population).
    """
    try:
        view = view_alone(release) if original is None else View.of(original, release)
        measured = _judged(claim, view, release)
    except Violation as violation:
        return Verdict(claim, False, violation.reason, violation.where)
    return Verdict(claim, True, measured=measured)


def _judged(claim: Claim, view: View, release: Release) -> Mapping[str, float | int | str]:
    if release.sides.population is None:
        raise BadInput(
            "the claim is about a population",
            where="population",
            remedy="give its table (--population)",
        )
    names = [one for one in view.schema.relational if view.schema.columns[one].kind != "set"]
    given = (MapParameters if claim.name == "k-map" else PresenceParameters).of(claim)
    if sorted(given.quasi) != sorted(names):
        raise Violation("the claim and the schema name other columns as quasi")
    if any(view.schema.columns[name].recode == "mean" for name in names):
        raise Violation("nobody can tell who fits a mean")
    cells = [view.cells(name).cast(pl.String).alias(str(at)) for at, name in enumerate(names)]
    table = pl.DataFrame([view.persons.alias("person"), *cells])
    keys = [one.name for one in cells]
    sizes = table.group_by(keys, maintain_order=True).agg(people=pl.col("person").n_unique())
    fitting = _fitting(view, names, keys, sizes, as_polars(release.sides.population, "population"))
    if isinstance(given, MapParameters):
        k = given.k
        fewest = int(fitting.min(initial=np.iinfo(np.int64).max)) if len(fitting) else k
        if fewest < k:
            raise Violation(f"a class fits {fewest} people of the population, claimed are {k}")
        return {"fewest": fewest}
    presence = sizes["people"].to_numpy() / np.maximum(fitting, 1e-9)
    worst = float(presence.max(initial=0.0))
    if worst > given.delta * (1 + 1e-9):
        raise Violation(f"of those who fit a class a share of {worst:.4g} is in the release")
    return {"delta": worst}


def _fitting(
    view: View, names: list[str], keys: list[str], classes: pl.DataFrame, others: pl.DataFrame
) -> NDArray[np.int64]:
    """How many people of the population every class covers, in all of their rows."""
    people = _people(view, others)
    fits = np.ones((classes.height, int(people.max(initial=-1)) + 1), bool)
    for name, key in zip(names, keys, strict=True):
        if name not in others.columns:
            raise BadInput("the population lacks a column", where=name)
        values = others[name].cast(pl.String)
        distinct, cells = values.unique(maintain_order=True), classes[key]
        shown = cells.unique(maintain_order=True)
        grid = covered(
            view.schema.columns[name],
            pl.concat([distinct] * len(shown)) if len(shown) else distinct.clear(),
            shown.gather(np.repeat(np.arange(len(shown)), len(distinct))),
        )
        table = grid.to_numpy().reshape(len(shown), len(distinct))
        of_cell = _numbers(cells, shown)
        of_value = _numbers(values, distinct)
        for row, at in enumerate(of_cell.tolist()):
            outside = people[~table[at][of_value]]
            fits[row, outside] = False
    result: NDArray[np.int64] = fits.sum(axis=1)
    return result


def _numbers(values: pl.Series, distinct: pl.Series) -> NDArray[np.int64]:
    place = {one: at for at, one in enumerate(distinct.to_list())}
    return np.array([place[one] for one in values.to_list()], np.int64)


def _people(view: View, others: pl.DataFrame) -> NDArray[np.int64]:
    """Whose each row of the population is; a row each where it has no person column."""
    name = view.schema.person
    if name is None or name not in others.columns:
        return np.arange(others.height)
    labels = [whose(str(one)) for one in others[name].to_list()]
    place: dict[str, int] = {}
    return np.array([place.setdefault(one, len(place)) for one in labels], np.int64)
