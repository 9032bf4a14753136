"""Frames of pandas, Polars or Arrow, given back in the kind they came in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray


def rebuilt(
    given: Any, rows: NDArray[np.int64], changed: Mapping[str, pl.Series], dropped: set[str]
) -> Any:
    """The frame with these rows and new columns, without the dropped ones, else as it was.

    >>> import numpy as np, pandas, polars as pl
    >>> frame = pandas.DataFrame({"id": [7, 9], "age": [36, 24]}, index=["a", "b"])
    >>> rebuilt(frame, np.array([1]), {"age": pl.Series(["[24-36]"])}, {"id"})
           age
    b  [24-36]
    """
    library = type(given).__module__.partition(".")[0]
    if library == "pandas":
        return _pandas(given, rows, changed, dropped)
    if library == "pyarrow":
        return _arrow(given, rows, changed, dropped)
    import polars as pl

    frame = given.collect() if isinstance(given, pl.LazyFrame) else given
    if len(rows) < frame.height:
        frame = frame[rows]
    frame = frame.with_columns(series.alias(name) for name, series in changed.items())
    result = frame.drop(dropped)
    return result.lazy() if isinstance(given, pl.LazyFrame) else result


def _pandas(given: Any, rows: Any, changed: Mapping[str, pl.Series], dropped: set[str]) -> Any:
    names = {str(name): name for name in given.columns}
    result = given.iloc[rows].copy() if len(rows) < len(given) else given.copy()
    for name, series in changed.items():
        kind: Any = None if series.dtype.is_numeric() and not series.null_count() else object
        column = type(given[names[name]])
        values = series.to_numpy() if kind is None else series.to_list()
        result[names[name]] = column(values, index=result.index, dtype=kind)
    return result.drop(columns=[names[name] for name in dropped])


def _arrow(given: Any, rows: Any, changed: Mapping[str, pl.Series], dropped: set[str]) -> Any:
    result = given.take(rows) if len(rows) < given.num_rows else given
    for name, series in changed.items():
        at = result.column_names.index(name)
        result = result.set_column(at, name, series.to_arrow())
    return result.drop_columns(sorted(dropped)) if dropped else result
