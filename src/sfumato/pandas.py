"""`import sfumato.pandas` gives frames and series of pandas the accessor `.sfumato`.

>>> import pandas as pd
>>> import sfumato.pandas
>>> frame = pd.DataFrame({"who": ["a", "b", "c"], "note": ["the cat", "the dog", "the cat"]})
>>> release = frame.sfumato.suppress("note", k=2, groups="who")
>>> frame.sfumato.with_release("note", release)["note"].tolist()
['the cat', 'the ★★★', 'the cat']
>>> frame["note"].sfumato.redact(["cat", "dog"], k=2).data.tolist()
['the ***', 'the ***', 'the ***']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .core.errors import NotInstalled
from .frames import FrameVerbs, SeriesVerbs

try:
    import pandas as pd
except ImportError:
    raise NotInstalled("pandas is not installed", remedy="pip install pandas") from None

if TYPE_CHECKING:
    from .core.release import Release


@pd.api.extensions.register_series_accessor("sfumato")
class SeriesAccessor(SeriesVerbs):
    """The verbs on a pandas series."""


@pd.api.extensions.register_dataframe_accessor("sfumato")
class FrameAccessor(FrameVerbs):
    """The verbs on a column of a pandas frame."""

    def with_release(self, column: str, release: Release) -> object:
        """A copy of the frame with a release in place of the column it was made of."""
        return self._frame.assign(**{self._known(column, "column"): release.data})
