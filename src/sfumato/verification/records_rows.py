"""Rows of a release whose order is not known: what they kept must all stand in the original."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from ..core.claims import Verdict
from ..schema import as_schema
from ..schema.frames import as_polars

if TYPE_CHECKING:
    from ..core.release import Release

_CLAIM = "nothing-else-changed"


def refused(release: Release) -> Verdict | None:
    """A verdict against a release with a row whose untouched cells no row of the original has.

    The rows are compared as a whole, each as often as it stands there; None where they fit, which
    does not say that recoded cells and texts do.
    Cost: one grouping of the rows of both.
    """
    claim = next((one for one in release.claims if one.name == _CLAIM), None)
    if claim is None:
        return None
    schema = as_schema(release.sides.of_table.schema)
    before, after = as_polars(release.sides.unmatched), as_polars(release.data)
    if after.height > before.height:
        return Verdict(claim, False, "the release has more rows than the original")
    names = [
        name
        for name in after.columns
        if name != schema.person
        and (name not in schema.columns or schema.columns[name].role != "quasi")
    ]
    if not set(names) <= set(before.columns):
        return Verdict(claim, False, "the release has a column that the original has not")
    if not names:
        return None
    counted = [
        pl.DataFrame([_text(frame[name]) for name in names])
        .group_by(names)
        .len(name=f"sfumato {side}")
        for side, frame in enumerate((before, after))
    ]
    joined = counted[1].join(counted[0], on=names, how="left", nulls_equal=True)
    if (joined["sfumato 1"] > joined["sfumato 0"].fill_null(0)).any():
        return Verdict(claim, False, "a row has cells that no row of the original has left for it")
    return None


def _text(column: pl.Series) -> pl.Series:
    if isinstance(column.dtype, (pl.List, pl.Array)):
        return pl.Series(column.name, list(map(repr, column.to_list())), dtype=pl.String)
    return column.cast(pl.String)
