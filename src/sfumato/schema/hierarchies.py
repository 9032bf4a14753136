"""The hierarchies a schema may hold: ARX files, trees, intervals, prefixes, dates.

Each gives the path of a value up to the root; the distinct values of a column, or all values
that a file or tree lists, make the tree.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation, localcontext
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, field_validator, model_validator

from ..core.errors import BadInput
from ..core.printed_form import by_names
from .days import LEVELS, day_paths
from .tree import ROOT, Tree

DIGITS = 400  # of whole quotients: more than any float has


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    __repr__ = by_names
    __str__ = by_names


class ArxFile(_Strict):
    """A hierarchy in ARX's format: a line a value, from the value to the root, `;` between.

    >>> ArxFile(arx="zip.csv").separator
    ';'
    """

    arx: Path = Field(description="The file, relative to the schema's own.")
    separator: str = Field(default=";", min_length=1, max_length=1)
    encoding: str = "utf-8"
    _folder: Path = PrivateAttr(default=Path())

    def tree(self, values: Iterable[str], format: str | None = None) -> Tree:
        """All lines of the file, whatever values a table has."""
        path = self._folder / self.arx
        try:
            text = path.read_text(encoding=self.encoding)
        except OSError as problem:
            raise BadInput(f"cannot be read ({problem.strerror})", where=str(path)) from None
        except (UnicodeDecodeError, LookupError):
            raise BadInput("is not text in this encoding", where=str(path)) from None
        rows = [row for row in csv.reader(text.splitlines(), delimiter=self.separator) if row]
        for number, row in enumerate(rows, 1):
            if len(row) != len(rows[0]):
                raise BadInput(
                    f"expected {len(rows[0])} levels as in the first line, found {len(row)}",
                    where=f"{path}, line {number}",
                )
        return Tree.of_paths(rows, str(path))


class InlineTree(_Strict):
    """A hierarchy written in the schema: labels hold lists of values or further labels.

    rx-anon's form, `name` and `children`, is read as well.

    >>> tree = InlineTree(tree={"Europe": ["Bonn", "Rome"], "Asia": {"Japan": ["Kobe"]}}).tree([])
    >>> tree.labels
    ('*', 'Europe', 'Bonn', 'Rome', 'Asia', 'Japan', 'Kobe')
    """

    tree_: object = Field(alias="tree", description="Labels over labels or lists of values.")

    @field_validator("tree_")
    @classmethod
    def _is_a_tree(cls, given: object) -> object:
        if not isinstance(given, (dict, list)) or not any(True for _ in _paths(given, ())):
            raise ValueError("expected labels that hold lists of values or further labels")
        return given

    def tree(self, values: Iterable[str], format: str | None = None) -> Tree:
        """The tree as written."""
        return Tree.of_paths(_paths(self.tree_, ()), "tree")


def _paths(node: object, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if isinstance(node, dict) and "name" in node and set(node) <= {"name", "children"}:
        inner = (str(node["name"]), *above)
        if not node.get("children"):
            yield inner
        for child in node.get("children") or ():
            yield from _paths(child, inner)
    elif isinstance(node, dict):
        for label, child in node.items():
            yield from _paths(child, (str(label), *above)) if child else [(str(label), *above)]
    elif isinstance(node, (list, tuple)):
        for child in node:
            yield from _paths(child, above)
    elif isinstance(node, (str, int, float)):
        yield (str(node), *above)
    else:
        raise ValueError("expected labels that hold lists of values or further labels")


class Intervals(_Strict):
    """Numbers in intervals of growing width: each width is a multiple of the one before.

    >>> Intervals(intervals=[5, 10]).tree(["3", "7", "12"]).labels
    ('*', '[0-9]', '[0-4]', '3', '[5-9]', '7', '[10-19]', '[10-14]', '12')
    """

    intervals: list[Annotated[Decimal, Field(gt=0)]] = Field(min_length=1)
    origin: Decimal = Decimal(0)

    @model_validator(mode="after")
    def _nested(self) -> Intervals:
        widths = self.intervals
        for small, large in pairwise(widths):
            if large <= small or large % small:
                raise ValueError("each width must be a multiple of the one before")
        return self

    def tree(self, values: Iterable[str], format: str | None = None) -> Tree:
        """The tree over the numbers of a column."""
        given = sorted({value: number(value) for value in values}.items(), key=lambda one: one[1])
        whole = all(one == one.to_integral_value() for _, one in given)
        return Tree.of_paths(
            (value, *(self._label(one, width, whole) for width in self.intervals), ROOT)
            for value, one in given
        )

    def _label(self, value: Decimal, width: Decimal, whole: bool) -> str:
        # Whole quotients need every digit: 28, the usual precision, are few for 1e300 // 5.
        with localcontext(prec=DIGITS):
            return self._exact_label(value, width, whole)

    def _exact_label(self, value: Decimal, width: Decimal, whole: bool) -> str:
        try:
            low = self.origin + (value - self.origin) // width * width
            below = (value - self.origin) % width < 0  # Decimal divides towards zero
        except InvalidOperation:
            raise BadInput(
                f"a number has more than {DIGITS} digits before its interval",
                where="hierarchy",
                remedy="name it as missing, or give wider intervals",
            ) from None
        if below:
            low -= width
        if whole and width == width.to_integral_value() and low == low.to_integral_value():
            return f"[{low:f}-{low + width - 1:f}]"
        return f"[{low:f}-{low + width:f})"


def number(value: str) -> Decimal:
    """A number as it stands in a cell.

    >>> number(" 3.50 ")
    Decimal('3.50')
    """
    try:
        result = Decimal(value.strip())
    except InvalidOperation:
        result = Decimal("NaN")
    if not result.is_finite():
        raise BadInput("expected a number", where="hierarchy", remedy="or name it as missing")
    return result


class Prefixes(_Strict):
    """Strings by their first letters: `[4, 2]` keeps four letters, then two; stars for the rest.

    >>> Prefixes(prefixes=[4, 2]).tree(["89073", "89081"]).labels
    ('*', '89***', '8907*', '89073', '8908*', '89081')
    """

    prefixes: list[Annotated[int, Field(ge=1)]] = Field(min_length=1)
    mask: str = Field(default="*", min_length=1, max_length=1)

    @model_validator(mode="after")
    def _shorter(self) -> Prefixes:
        if self.prefixes != sorted(set(self.prefixes), reverse=True):
            raise ValueError("each prefix must be shorter than the one before")
        return self

    def tree(self, values: Iterable[str], format: str | None = None) -> Tree:
        """The tree over the strings of a column; shorter strings are their own prefixes."""
        return Tree.of_paths((one, *self._labels(one), ROOT) for one in sorted(set(values)))

    def _labels(self, value: str) -> list[str]:
        return [
            value[:length] + self.mask * (len(value) - length)
            for length in self.prefixes
            if length < len(value)
        ]


class Dates(_Strict):
    """Dates by suppressing day, then month: the paper's hierarchy, with more levels on request.

    >>> Dates(dates=["month", "year"]).tree(["2004-05-14", "2004-05-15", "2005-08-18"]).labels[:3]
    ('*', '2004', '2004-05')
    """

    dates: list[Literal["month", "quarter", "year", "decade"]] = Field(default=["month", "year"])

    @field_validator("dates")
    @classmethod
    def _coarser(cls, given: list[str]) -> list[str]:
        if [LEVELS.index(one) for one in given] != sorted({LEVELS.index(one) for one in given}):
            raise ValueError("each level must be coarser than the one before")
        return given

    def tree(self, values: Iterable[str], format: str | None = None) -> Tree:
        """The tree over the dates of a column, which are written as `format` says."""
        return Tree.of_paths(day_paths(sorted(set(values)), format, self.dates))


Hierarchy = ArxFile | InlineTree | Intervals | Prefixes | Dates


def hierarchy_from(given: object) -> object:
    """The short forms: a path for an ARX file, rx-anon's `name` and `children` for a tree.

    >>> hierarchy_from("zip.csv")
    {'arx': 'zip.csv'}
    """
    if isinstance(given, (str, Path)):
        return {"arx": str(given)}
    if isinstance(given, dict) and "name" in given:
        return {"tree": given}
    return given


def of_values(hierarchy: Hierarchy, values: Sequence[str], format: str | None) -> Tree:
    """The tree of a hierarchy for the values of a column, all of which must be in it.

    >>> of_values(Prefixes(prefixes=[1]), ["ab", "ac"], None).labels
    ('*', 'a*', 'ab', 'ac')
    """
    tree = hierarchy.tree(values, format)
    unknown = int((tree.find(values) < 0).sum())
    if unknown:
        raise BadInput(
            f"{unknown} values of the column are not in the hierarchy",
            where="hierarchy",
            remedy="add them, or name those that mean nothing under missing_values",
        )
    return tree
