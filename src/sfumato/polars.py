"""`import sfumato.polars` gives frames and series of Polars the namespace `.sfumato`.

>>> import polars as pl
>>> import sfumato.polars
>>> frame = pl.DataFrame({"who": ["a", "b", "c"], "note": ["the cat", "the dog", "the cat"]})
>>> release = frame.sfumato.suppress("note", k=2, groups="who")
>>> frame.sfumato.with_release("note", release)["note"].to_list()
['the cat', 'the ★★★', 'the cat']
>>> frame["note"].sfumato.redact(["cat", "dog"], k=2).data.to_list()
['the ***', 'the ***', 'the ***']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from .frames import FrameVerbs, SeriesVerbs

if TYPE_CHECKING:
    from .core.release import Release


@pl.api.register_series_namespace("sfumato")
class SeriesNamespace(SeriesVerbs):
    """The verbs on a Polars series."""


@pl.api.register_dataframe_namespace("sfumato")
class FrameNamespace(FrameVerbs):
    """The verbs on a column of a Polars frame."""

    def with_release(self, column: str, release: Release) -> pl.DataFrame:
        """The frame with a release in place of the column it was made of."""
        known = self._known(column, "column")
        frame: pl.DataFrame = self._frame
        return frame.with_columns(pl.Series(release.data).alias(known))
