"""Texts as they come (one string, a sequence, a frame's column), and back in the same form."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from numbers import Number
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from .errors import BadInput

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Corpus:
    """The documents of an input, as strings; `missing` ones are empty here and come back as given.

    >>> Corpus.of(("one", "two")).rebuild(["1", "2"])
    ('1', '2')
    >>> Corpus.of("one text").is_single
    True
    """

    given: Any
    texts: list[str]
    missing: tuple[int, ...] = ()

    @classmethod
    def of(cls, given: Any, what: str = "texts") -> Corpus:
        """Reads a str, a sequence of str, or a column of pandas, Polars or Arrow."""
        if isinstance(given, Corpus):
            return given
        if isinstance(given, str):
            return cls(given, [given])
        values = _values(given, what)
        missing = tuple(i for i, value in enumerate(values) if not isinstance(value, str))
        for i in missing:
            if not _is_missing(values[i]):
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

    def rebuild(self, texts: Sequence[str]) -> Any:
        """The texts in the form the input had."""
        if self.is_single:
            return texts[0]
        values: list[Any] = list(texts)
        for i in self.missing:
            values[i] = self.given[i] if isinstance(self.given, (list, tuple)) else None
        if isinstance(self.given, (list, tuple)):
            return values if isinstance(self.given, list) else tuple(values)
        return _column_like(self.given, values)


def group_labels(groups: Any, documents: int) -> NDArray[np.int32]:
    """Numbers the groups in order of appearance, one label per document.

    >>> group_labels(["ann", "bob", "ann"], 3)
    array([0, 1, 0], dtype=int32)
    """
    import numpy as np

    values = _values(groups, "groups")
    if len(values) != documents:
        raise BadInput(
            f"expected {documents} labels, one per document, found {len(values)}",
            where="groups",
            remedy="give one label for every document, in the same order",
        )
    numbers: dict[Hashable, int] = {}
    first: dict[int, Hashable] = {}
    labels = np.empty(documents, np.int32)
    for i, value in enumerate(values):
        if _is_missing(value):
            raise BadInput(
                "a document has no group", where=f"groups[{i}]", remedy="give it a label of its own"
            )
        try:
            if value not in numbers:
                first[i] = value
            labels[i] = numbers.setdefault(value, len(numbers))
        except TypeError:
            raise BadInput(
                f"expected a label, found {type(value).__name__}",
                where=f"groups[{i}]",
                remedy="use numbers or strings as labels",
            ) from None
    double = alike(first.values())
    if double is not None:
        where = f"groups[{list(first)[double]}]"
        raise BadInput(ALIKE, where=where, remedy="write one group in one way")
    return labels


ALIKE = (
    "this label differs from another by blanks, a decimal point or its Unicode form alone: one or "
    "two people?"
)


def alike(labels: Iterable[object]) -> int | None:
    """The place of the first label that is another one but for blanks or its Unicode form.

    Numbers are the same with and without a point. Counted as two, one person could make a crowd.

    >>> alike(["p1", "p2", "p1 "]), alike(["1", "1.0"]), alike(["p1", "P1"])
    (2, 1, None)
    """
    known: set[str] = set()
    for i, label in enumerate(labels):
        form = str(label)
        if not (form.isascii() and form.isalnum()):
            form = " ".join(normalize("NFKC", form).split())
            form = form[:-2] if form.endswith(".0") and form[:-2].isdigit() else form
        if form in known:
            return i
        known.add(form)
    return None


def _library(given: object) -> str:
    return type(given).__module__.partition(".")[0]


def _values(given: Any, what: str) -> list[Any]:
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


def _is_missing(value: object) -> bool:
    # None, pandas.NA and NaT, and NaN, which differs from itself.
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, Number) and bool(value != value)


def _column_like(given: Any, values: list[Any]) -> Any:
    library = _library(given)
    if library == "pandas":
        return type(given)(values, index=given.index, name=given.name, dtype=given.dtype)
    if library == "polars":
        return type(given)(given.name, values, dtype=given.dtype)
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
