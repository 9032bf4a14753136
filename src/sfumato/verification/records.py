"""Checks of `anonymize`: k-anonymity, l-diversity, t-closeness over people, nothing else changed.

The classes are counted again from the release: people whose quasi-identifiers and legible terms
are equal. The original says whose a row is, and what each cell and each text must cover; without
it the release's numbers of people do, and what covers what is not judged.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import polars as pl

from ..claims.records import (
    TOGETHER,
    ClassParameters,
    ClosenessParameters,
    DiversityParameters,
    KnownTermsParameters,
    SensitiveParameters,
)
from ..core.claims import Verdict
from ..schema.cells import MISSING, bounds, numbers, readable
from . import records_secrets as secrets
from .records_alone import check_numbers, shown_terms, view_alone
from .records_cells import covered
from .records_cover import smallest_cover
from .records_known import check_known, column_classes
from .records_legible import legible
from .records_texts import places
from .records_view import (
    BETWEEN,
    View,
    Violation,
    classes,
    first_row,
    item_lists,
    signatures,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..core.claims import Claim
    from ..core.release import Release
    from ..core.values import Data

    Measured = Mapping[str, float | int | str]

_EPSILON = 1e-9


def check_records(claim: Claim, original: Data, release: Release) -> Verdict:
    """Judges one claim of an anonymised table; from the release alone where `original` is None.

    Cost: groupings of the rows and of the people; O(text) where there is text.
    """
    try:
        view = view_alone(release) if original is None else View.of(original, release)
        measured = _CHECKS[claim.name](claim, view, release)
    except Violation as violation:
        return Verdict(claim, False, violation.reason, violation.where)
    return Verdict(claim, True, measured=measured)


def _check_k(claim: Claim, view: View, release: Release) -> Measured:
    given = ClassParameters.of(claim)
    _check_counted(given, view)
    return _check_sizes(given.k, view, recounted(view, release))


def _check_km(claim: Claim, view: View, release: Release) -> Measured:
    given = KnownTermsParameters.of(claim)
    _check_counted(given, view)
    measured = _check_sizes(given.k, view, column_classes(view))
    if given.knows < 1:
        raise Violation("an attacker who knows no term is no attacker")
    return {**measured, "fewest_with_a_set": check_known(view, release, given.k, given.knows)}


def _check_counted(given: ClassParameters, view: View) -> None:
    _check_names(given, view)
    if view.alone:
        check_numbers(view, given.people)
    else:
        _check_person_numbers(view)


def _check_sizes(k: int, view: View, found: pl.DataFrame) -> Measured:
    sizes = found["size"].cast(pl.Int64)
    fewest, most = (int(one or 0) for one in (sizes.min(), sizes.max()))  # type: ignore[arg-type]
    if view.after.height and fewest < k:
        small = found.filter(pl.col("size") < k)
        people = small.explode("person")["person"]
        place = first_row(view.persons.is_in(people.implode()), view.rows)
        raise Violation(
            f"{small.height} classes have fewer than {k} people, the smallest {fewest}",
            f"record {place}",
        )
    return {
        "people": int(sizes.sum()),
        "classes": found.height,
        "smallest": fewest,
        "largest": most,
    }


def recounted(view: View, release: Release) -> pl.DataFrame:
    """The equivalence classes of people by all that the release shows of them."""
    schema = view.schema
    single = [view.cells(name) for name in schema.relational if not _is_set(view, name)]
    sets = [
        item_lists(view.cells(name), schema.columns[name].separator)
        for name in schema.relational
        if _is_set(view, name)
    ]
    people = signatures(single, view.persons, sets)
    if schema.texts:
        alone = view.alone
        terms = shown_terms(view, release) if alone else legible(view, places(view, release))
        parts = pl.concat_str(["column", "label", "term"], separator="\x1e")
        shown = terms.group_by("person").agg(parts.sort().str.join(BETWEEN).alias("\0terms"))
        people = people.join(shown, on="person", how="left").with_columns(
            pl.col("\0terms").fill_null("")
        )
    return classes(people)


def _is_set(view: View, name: str) -> bool:
    return view.schema.columns[name].kind == "set"


def _check_names(given: ClassParameters, view: View) -> None:
    """A claim about fewer columns than the schema calls quasi-identifiers claims too little."""
    for claimed, names, what in (
        (given.quasi, view.schema.relational, "quasi"),
        (given.text, view.schema.texts, "text"),
    ):
        if sorted(claimed) != sorted(names):
            raise Violation(f"the claim and the schema name other columns as {what}")
    if given.own_values not in (None, view.schema.own_values):
        raise Violation("the claim and the schema speak of other own values")


def _check_person_numbers(view: View) -> None:
    """The release numbers people one to one, by numbers that say nothing."""
    name = view.schema.person
    if name is None or name not in view.after.columns:
        return
    if not view.schema.person_number:
        raise Violation("the person column should not be there", name)
    shown = view.after[name].cast(pl.Int64, strict=False)
    pairs = pl.DataFrame({"person": view.persons, "number": shown}).unique()
    people = view.persons.n_unique()
    if pairs.height != people or shown.n_unique() != people:
        raise Violation("the numbers of people are not one for each", name)
    if people and (shown.null_count() or shown.min() != 1 or shown.max() != people):
        raise Violation(f"people should be numbered 1 to {people}", name)


def _sensitive(
    given: SensitiveParameters, view: View, release: Release
) -> tuple[str, pl.DataFrame]:
    """The column of a claim, and the class and value of every person."""
    name = given.column
    if name not in view.schema.columns:
        raise Violation("the claim is about a column that the schema does not name", name)
    by_columns = given.knows is not None
    every = column_classes(view) if by_columns else recounted(view, release)
    found = every.select("class", "person").explode("person")
    values = secrets.read_values(view.schema.columns[name], view.cells(name))
    table = pl.DataFrame({"person": view.persons, "value": values})
    return name, found.join(table, on="person", how="left", nulls_equal=True)


def _whole(table: pl.DataFrame) -> pl.DataFrame:
    """One vote a person: all their distinct values together, none where they have none."""
    if table["person"].n_unique() == table.height:
        return table
    values = pl.col("value").drop_nulls().unique().sort()
    joined = pl.when(values.len() > 0).then(values.str.join(BETWEEN))
    return table.group_by("class", "person").agg(joined.alias("value"))


def _check_l(claim: Claim, view: View, release: Release) -> Measured:
    given = DiversityParameters.of(claim)
    level, kind = given.l, given.diversity
    name, table = _sensitive(given, view, release)
    whole = _whole(table)
    counts = secrets.votes(whole["value"], whole["class"])
    counts = _there(counts, name)
    # Earlier releases say themselves that they did not look at single values.
    several = TOGETHER not in claim.assumptions and _have_several(table)
    needed = math.ceil(level * (1 - _EPSILON))
    fewest = smallest_cover(table, needed - 1) if several else needed
    if fewest < needed:
        raise Violation(f"{fewest} values are enough for everybody of a class", name)
    if kind == "recursive":
        if given.c is None:
            raise Violation("the claim names no c", name)
        found = secrets.recursive(counts, int(level))["c"]
        worst = float(found.max() or 0)  # type: ignore[arg-type]
        if not worst < given.c:
            raise Violation(f"a class needs c above {worst:.4g}, claimed is {given.c:g}", name)
        return {"c": worst}
    measure = secrets.distinct_values if kind == "distinct" else secrets.entropies
    smallest = float(measure(counts)["l"].min() or math.inf)  # type: ignore[arg-type]
    if smallest < level * (1 - _EPSILON):
        raise Violation(f"a class has only l = {smallest:.4g}, claimed is {level:g}", name)
    return {"l": smallest if math.isfinite(smallest) else 0.0}


def _have_several(table: pl.DataFrame) -> bool:
    """Whether a person may have several values: several rows, or a set in one."""
    held = table["value"].str.contains(BETWEEN, literal=True).any()
    return bool(held) or table["person"].n_unique() < table.height


def _there(counts: pl.DataFrame, name: str) -> pl.DataFrame:
    """The votes of people who have a value; a missing one makes nobody diverse."""
    there = counts.filter(pl.col("value").is_not_null())
    if there["class"].n_unique() < counts["class"].n_unique():
        raise Violation("in a class nobody has a value, so nothing is diverse", name)
    return there


def _check_t(claim: Claim, view: View, release: Release) -> Measured:
    given = ClosenessParameters.of(claim)
    limit = given.t
    name, table = _sensitive(given, view, release)
    if given.distance == "ordered":
        ranked = table.with_columns(rank=secrets.ranks(view.schema.columns[name], table["value"]))
        smallest = ranked.group_by("class", "person").agg(pl.col("rank").min())
        ranks = smallest["rank"].rank("dense").cast(pl.Int64) - 1
        counts = secrets.votes(ranks, smallest["class"])
        distances = secrets.ordered_distances(counts, counts["value"])
    else:
        whole = _whole(table)
        distances = secrets.equal_distances(secrets.votes(whole["value"], whole["class"]))
    worst = float(distances["t"].max() or 0)  # type: ignore[arg-type]
    if worst > limit + _EPSILON:
        raise Violation(f"a class lies {worst:.4g} from the whole, claimed is {limit:g}", name)
    return {"t": worst}


def _check_rest(claim: Claim, view: View, release: Release) -> Measured:
    schema = view.schema
    expected = [
        name
        for name in view.before.columns
        if not (
            (name == schema.person and not schema.person_number)
            or (name in schema.columns and schema.columns[name].role == "drop")
            or (name not in schema.columns and name != schema.person and schema.others == "drop")
        )
    ]
    if view.after.columns != expected:
        raise Violation("the columns are not those of the original without the dropped ones")
    _check_person_numbers(view)
    for name in expected:
        if name == schema.person:
            continue
        column = schema.columns.get(name)
        if column is None or column.role != "quasi":
            _check_untouched(view, name)
        elif column.kind == "set":
            _check_items(view, name)
        elif column.kind != "text":
            _check_cells(view, name)
    changed = places(view, release) if schema.texts else []
    _check_means(view, release)
    return {"rows": view.after.height, "places": len(changed)}


def _check_untouched(view: View, name: str) -> None:
    before, after = view.before[name], view.cells(name)
    if before.dtype != after.dtype:
        before, after = before.cast(pl.String), after.cast(pl.String)
    _refuse(view, before.ne_missing(after), "a cell that should stay was changed", name)


def _check_cells(view: View, name: str) -> None:
    column = view.schema.columns[name]
    right = covered(column, view.before[name], view.cells(name))
    _refuse(view, ~right, "a recoded cell does not cover the value that stood there", name)


def _check_items(view: View, name: str) -> None:
    separator = view.schema.columns[name].separator
    before = item_lists(view.before[name], separator).fill_null([])
    after = item_lists(view.cells(name), separator).fill_null([])
    added = pl.DataFrame({"a": after, "b": before}).select(
        pl.col("a").list.set_difference("b").list.len() > 0
    )["a"]
    _refuse(view, added, "a set has an item that did not stand there", name)


def _check_means(view: View, release: Release) -> None:
    """A mean lies between the smallest and the largest value of its class."""
    names = [n for n in view.schema.relational if view.schema.columns[n].recode == "mean"]
    if not names:
        return
    by_columns = any(claim.name == "km-anonymity" for claim in release.claims)
    every = column_classes(view) if by_columns else recounted(view, release)
    members = every.select("class", "person").explode("person")
    table = view.persons.to_frame().join(
        members, on="person", how="left", nulls_equal=True, maintain_order="left"
    )
    for name in names:
        low, _ = bounds(view.cells(name).cast(pl.String).str.strip_suffix(MISSING))
        given = numbers(readable(view.schema.columns[name], view.before[name]))
        judged = table.with_columns(given.alias("v"), low.alias("m")).with_columns(
            low=pl.col("v").min().over("class"), high=pl.col("v").max().over("class")
        )
        slack = 0.0005 + _EPSILON
        outside = judged.select(
            ((pl.col("m") < pl.col("low") - slack) | (pl.col("m") > pl.col("high") + slack))
            .fill_null(False)
            .alias("o")
        )["o"]
        _refuse(view, outside, "a mean lies outside its class", name)


def _refuse(view: View, wrong: pl.Series, reason: str, name: str) -> None:
    if wrong.any():
        raise Violation(reason, f"{name}, record {first_row(wrong, view.rows)}")


_CHECKS: dict[str, Callable[[Claim, View, Release], Measured]] = {
    "k-anonymity": _check_k,
    "km-anonymity": _check_km,
    "l-diversity": _check_l,
    "t-closeness": _check_t,
    "nothing-else-changed": _check_rest,
}
