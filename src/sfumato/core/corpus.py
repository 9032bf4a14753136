"""Texts as they come (one string, a sequence, a frame's column), and back in the same form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Number
from typing import TYPE_CHECKING, Any

from .errors import BadInput
from .printed_form import by_sizes

if TYPE_CHECKING:
    from .values import Data


@dataclass(frozen=True, slots=True)
class Corpus:
    """The documents of an input, as strings; `missing` ones are empty here and come back as given.

    >>> Corpus.of(("one", "two")).rebuild(["1", "2"])
    ('1', '2')
    >>> Corpus.of("one text").is_single
    True
    """

    given: Data
    texts: list[str]
    missing: tuple[int, ...] = ()

    __repr__ = by_sizes

    @classmethod
    def of(cls, given: object, what: str = "texts") -> Corpus:
        """Reads a str, a sequence of str, or a column of pandas, Polars or Arrow."""
        if isinstance(given, Corpus):
            return given
        if isinstance(given, str):
            return cls(given, [given])
        values = values_of(given, what)
        missing = tuple(i for i, value in enumerate(values) if not isinstance(value, str))
        for i in missing:
            if not is_missing(values[i]):
                raise BadInput(
                    f"expected text, found {type(values[i]).__name__}",
                    where=f"{what}[{i}]",
                    remedy="turn every element into a string first",
                )
            values[i] = ""
        return cls(given, values, missing)

    @property
    def is_single(self) -> bool:
        """Whether the input was one string."""
        return isinstance(self.given, str)

    def rebuild(self, texts: Sequence[str]) -> Data:
        """The texts in the form the input had."""
        if self.is_single:
            return texts[0]
        values: list[object] = list(texts)
        for i in self.missing:
            values[i] = self.given[i] if isinstance(self.given, (list, tuple)) else None
        if isinstance(self.given, (list, tuple)):
            return values if isinstance(self.given, list) else tuple(values)
        return _column_like(self.given, values)


def _library(given: object) -> str:
    return type(given).__module__.partition(".")[0]


def values_of(given: object, what: str) -> list[Any]:
    """The elements of a sequence or of a frame's column.

    >>> values_of(("a", None), "texts")
    ['a', None]
    """
    library = _library(given)
    if library == "polars" and hasattr(given, "to_list"):
        return list(given.to_list())
    if library == "pyarrow" and hasattr(given, "to_pylist"):
        return list(given.to_pylist())
    if (
        library in ("pandas", "numpy")
        and hasattr(given, "tolist")
        and getattr(given, "ndim", 1) == 1
    ):
        return list(given.tolist())
    if (
        isinstance(given, Iterable)
        and isinstance(given, Sequence)
        and not isinstance(given, (str, bytes))
    ):
        return list(given)
    raise BadInput(
        f"expected a str, a sequence of str or a frame's column, found {type(given).__name__}",
        where=what,
        remedy="of a frame give one column, of an iterator make a list",
    )


def is_missing(value: object) -> bool:
    """Whether an element stands for none.

    >>> is_missing(None), is_missing(float("nan")), is_missing("")
    (True, True, False)
    """
    # None, pandas.NA and NaT, and NaN, which differs from itself.
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, Number) and bool(value != value)


def _column_like(given: Data, values: list[Any]) -> object:
    """A column of the same kind; one with a list of its values gets a list of the new ones."""
    library = _library(given)
    if library == "pandas":
        kind = "category" if type(given.dtype).__name__ == "CategoricalDtype" else given.dtype
        return type(given)(values, index=given.index, name=given.name, dtype=kind)
    if library == "polars":
        kind = given.dtype
        if type(kind).__name__ == "Enum":
            kind = type(kind)(sorted({value for value in values if value is not None}))
        return type(given)(given.name, values, dtype=kind)
    if library == "pyarrow":
        import pyarrow

        chunked = isinstance(given, pyarrow.ChunkedArray)
        return (pyarrow.chunked_array if chunked else pyarrow.array)(
            [values] if chunked else values, type=given.type
        )
    if library == "numpy":
        import numpy as np

        return np.array(values, dtype=object)
    return values
