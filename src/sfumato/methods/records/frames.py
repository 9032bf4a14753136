"""Frames of pandas, Polars or Arrow, given back in the kind they came in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from ...core.values import Data


def rebuilt(
    given: Data, rows: NDArray[np.int64], changed: Mapping[str, pl.Series], dropped: set[str]
) -> object:
    """The frame with these rows and new columns, without the dropped ones, else as it was.

    A column that lists its values (category, Enum, dictionary) lists those its cells still have.
    What is noted beside the columns (attributes, metadata of the schema) is not released.
    The index of pandas is counted anew: it may name people, and tells where a row stood.

    >>> import numpy as np, pandas, polars as pl
    >>> frame = pandas.DataFrame({"id": [7, 9], "age": [36, 24]}, index=["a", "b"])
    >>> rebuilt(frame, np.array([1]), {"age": pl.Series(["[24-36]"])}, {"id"})
           age
    0  [24-36]
    """
    library = type(given).__module__.partition(".")[0]
    if library == "pandas":
        return _pandas(given, rows, changed, dropped)
    if library == "pyarrow":
        return _arrow(given, rows, changed, dropped)
    import polars as pl

    frame = given.collect() if isinstance(given, pl.LazyFrame) else given
    frame = frame[rows].with_columns(series.alias(name) for name, series in changed.items())
    result = frame.drop(dropped).with_columns(
        pl.col(name).cast(pl.Enum(_used(series)))
        for name in frame.columns
        if name not in dropped and isinstance((series := frame[name]).dtype, pl.Enum)
    )
    return result.lazy() if isinstance(given, pl.LazyFrame) else result


def _pandas(given: Data, rows: Data, changed: Mapping[str, pl.Series], dropped: set[str]) -> object:
    names = {str(name): name for name in given.columns}
    result = given.iloc[rows].reset_index(drop=True)
    for name, series in changed.items():
        kind: object = None if series.dtype.is_numeric() and not series.null_count() else object
        column = type(given[names[name]])
        values = series.to_numpy() if kind is None else series.to_list()
        result[names[name]] = column(values, index=result.index, dtype=kind)
    result = result.drop(columns=[names[name] for name in dropped])
    for name in result.columns:
        if type(result[name].dtype).__name__ == "CategoricalDtype":
            result[name] = result[name].cat.remove_unused_categories()
    result.attrs = {}
    return result


def _arrow(given: Data, rows: Data, changed: Mapping[str, pl.Series], dropped: set[str]) -> object:
    import pyarrow as pa

    from ...formats.parquet import released_schema

    result = given.take(rows)
    for name, series in changed.items():
        at = result.column_names.index(name)
        result = result.set_column(at, name, series.to_arrow())
    result = result.drop_columns(sorted(dropped)) if dropped else result
    for at, field in enumerate(result.schema):
        if pa.types.is_dictionary(field.type):
            plain = result.column(at).cast(field.type.value_type)
            result = result.set_column(at, field, plain.dictionary_encode().cast(field.type))
    return pa.table(result.columns, schema=released_schema(result.schema, set(changed)))


def _used(series: pl.Series) -> list[str]:
    """The values of an Enum that its cells have, in their order."""
    import polars as pl

    present = set(series.drop_nulls().cast(pl.String).unique())
    return [one for one in series.dtype.categories if one in present]  # type: ignore[attr-defined]
