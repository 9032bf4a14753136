"""(k, k^m)-anonymity, counted anew: classes of columns, and in them every set of up to m items.

An item is a legible term of a text or an item of a set column. Sets are listed one by one, from
what each person shows, and grouped; nothing is pruned, because every set that somebody shows has
to be shown by k people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from .known_sets import set_counts
from .records_alone import shown_terms
from .records_legible import legible
from .records_texts import places
from .records_view import View, Violation, classes, first_row, item_lists, signatures

if TYPE_CHECKING:
    from ..core.release import Release


def column_classes(view: View) -> pl.DataFrame:
    """The classes of people by their columns alone, sets left out."""
    single = [view.cells(name) for name in view.schema.relational if not _is_set(view, name)]
    return classes(signatures(single, view.persons))


def check_known(view: View, release: Release, k: int, m: int) -> int:
    """The fewest people of a class who show a set that one of them shows; a violation below k.

    Cost: the sum of C(items shown, m) over the people.
    """
    found = column_classes(view)
    members = found.select("class", "person").explode("person")
    table = (
        items_shown(view, release)
        .join(members, on="person", how="inner", nulls_equal=True)
        .with_columns(item=pl.col("item").rank("dense").cast(pl.UInt32))
        .with_columns(owner=pl.struct("person").rank("dense").cast(pl.UInt32))
        .sort("class", "owner", "item")
    )
    fewest = view.persons.n_unique()
    for size in range(1, m + 1):
        for counted in set_counts(table.select("class", "owner", "item"), size):
            least = int(counted["people"].min() or fewest)  # type: ignore[arg-type]
            if least < k:
                whose = counted.filter(pl.col("people") < k)["owner"][0]
                person = table.filter(pl.col("owner") == whose)["person"].head(1)
                place = first_row(view.persons.is_in(person.implode()), view.rows)
                raise Violation(
                    f"{size} terms that a person shows are shown by {least} people of the class, "
                    f"claimed are {k}",
                    f"record {place}",
                )
            fewest = min(fewest, least)
    return fewest


def items_shown(view: View, release: Release) -> pl.DataFrame:
    """All that each person shows of terms and sets: person and item, each once."""
    schema, parts = view.schema, []
    if schema.texts:
        found = shown_terms(view, release) if view.alone else legible(view, places(view, release))
        key = pl.concat_str([pl.lit("t"), "column", "label", "term"], separator="\x1e")
        parts.append(found.select("person", key.alias("item")))
    for name in schema.relational:
        if _is_set(view, name):
            lists = item_lists(view.cells(name), schema.columns[name].separator)
            held = pl.DataFrame({"person": view.persons, "item": lists}).explode("item")
            key = pl.concat_str([pl.lit("s"), pl.lit(name), "item"], separator="\x1e")
            parts.append(held.drop_nulls("item").select("person", key.alias("item")))
    if not parts:
        return pl.DataFrame(
            {"person": view.persons.clear(), "item": pl.Series([], dtype=pl.String)}
        )
    return pl.concat(parts).unique()


def _is_set(view: View, name: str) -> bool:
    return view.schema.columns[name].kind == "set"
