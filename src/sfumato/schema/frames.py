"""Tables of Polars, pandas or Arrow, as Polars sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from ..core.values import Data


LARGEST = 2**63  # of the whole numbers that Arrow holds


def as_polars(given: Data, where: str = "frame") -> pl.DataFrame:
    """A frame of any of the three kinds as a Polars one; NaN of pandas becomes missing.

    Cost: O(cells), nothing is copied where the library allows it.

    >>> import pandas
    >>> as_polars(pandas.DataFrame({"age": [36, None]}))["age"].to_list()
    [36.0, None]
    >>> as_polars(pandas.DataFrame({"flag": [True, 1, "1"]}))["flag"].to_list()
    ['True', '1', '1']
    """
    import polars as pl

    library = type(given).__module__.partition(".")[0]
    if isinstance(given, pl.DataFrame):
        return given
    if isinstance(given, pl.LazyFrame):
        return given.collect()
    if library == "pandas" and hasattr(given, "columns"):
        if not given.columns.is_unique:
            raise BadInput("two columns have one name", where=where, remedy="rename one")
        return pl.DataFrame({str(name): _cells(given[name]) for name in given.columns})
    if library == "pyarrow" and hasattr(given, "column_names"):
        result = pl.from_arrow(given)
        assert isinstance(result, pl.DataFrame)
        return result
    raise BadInput(
        f"expected a Polars, pandas or Arrow frame, found {type(given).__name__}", where=where
    )


def _cells(given: Data) -> pl.Series:
    """A column of pandas; one of values of several types holds each as it is written.

    Arrow makes one type of them, and `True` and `1` one value, or refuses them by quoting a cell.
    Whole numbers that are too large for it are held as they are written, too.
    """
    import polars as pl

    if given.dtype == object:
        absent = given.isna().tolist()
        values = given.tolist()
        present = [one for one, gone in zip(values, absent, strict=True) if gone is not True]
        kinds = {type(one) for one in present}
        beyond = kinds == {int} and not all(-LARGEST <= one < LARGEST for one in present)
        mixed = len(kinds) > 1 and not any(issubclass(one, list | tuple | set) for one in kinds)
        if mixed or beyond:
            texts = [
                None if gone is True else str(one) for one, gone in zip(values, absent, strict=True)
            ]
            return pl.Series(str(given.name), texts, dtype=pl.String)
    cells: object = pl.from_pandas(given, nan_to_null=True)
    assert isinstance(cells, pl.Series)
    return cells


def column_texts(frame: pl.DataFrame, name: str) -> list[str]:
    """The cells of a column as texts; missing ones as empty ones.

    >>> import polars as pl
    >>> column_texts(pl.DataFrame({"note": ["calm", None]}), "note")
    ['calm', '']
    """
    import polars as pl

    texts: list[str] = frame[name].cast(pl.String).fill_null("").to_list()
    return texts


def documents_of(frame: pl.DataFrame, columns: Sequence[str]) -> list[str]:
    """The texts of a table, row by row and column by column; empty ones where there is none.

    >>> import polars as pl
    >>> documents_of(pl.DataFrame({"note": ["calm", None], "plan": ["rest", "walk"]}),
    ...              ["note", "plan"])
    ['calm', 'rest', '', 'walk']
    """
    lists = [column_texts(frame, name) for name in columns]
    return (
        lists[0] if len(lists) == 1 else [text for row in zip(*lists, strict=True) for text in row]
    )
