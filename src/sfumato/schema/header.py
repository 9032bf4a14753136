"""Whether the first line of a table names its columns, or is a person's record.

A record taken for a header would be shown as names of columns. What speaks for a header is a name
that many tables have, or one that is of another kind than all values below it; what speaks
against it is a name that stands below itself too, or one that is a number or a date like them.
Where nothing speaks for a header, the steward is asked.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from .evidence import ALL, Evidence, evidence

if TYPE_CHECKING:
    from collections.abc import Iterable

    import polars as pl

_NAMES = """
    id nr no number name surname firstname lastname age sex gender race date time day month year dob
    birthday birthdate city town state country region zip zipcode postcode plz address street phone
    email mail job occupation education income salary diagnosis disease treatment note notes text
    comment comments review topic score value code type kind label group person patient subject user
    customer visit ward row record title who when where what alter edad geschlecht sexo ort vorname
    nachname nombre apellido apellidos nom prenom fecha datum
"""
_USUAL = frozenset(_NAMES.split())
_ID = re.compile(r"[a-z]+[ _-](id|no|nr|number|name|date|code|type|at)|[a-z]+(Id|ID|_id)")
_LONG_TEXT = 4  # words of a cell, on average
_FEW_WORDS = 2
_UNKNOWN = frozenset({"", "na", "n/a", "nan", "null", "none", "-", "?", "unknown", "missing"})


def require_header(
    table: pl.DataFrame,
    where: str,
    otherwise: str = "if it names the columns, say --header",
) -> None:
    """Refuses a table whose first line may be a record, and shows nothing of it.

    `otherwise` says what to do if it is none.

    >>> import polars as pl
    >>> require_header(pl.DataFrame({"who": ["p1", "p2"], "age": ["31", "44"]}), "a.csv")
    >>> require_header(pl.DataFrame({"p0": ["p1", "p2"], "29": ["31", "44"]}), "a.csv")
    Traceback (most recent call last):
        ...
    sfumato.core.errors.BadInput: a.csv: the first line does not look like names of columns; ...
    """
    if not has_header(table):
        raise BadInput(
            "the first line does not look like names of columns",
            where=where,
            remedy=f"if it is a record, say --no-header; {otherwise}",
        )


def has_header(table: pl.DataFrame) -> bool:
    """Whether the names of a table's columns look like names, beside the values below them.

    >>> import polars as pl
    >>> has_header(pl.DataFrame({"Ann Ho": ["Bo Li", "Cy Day"], "Ulm": ["Bonn", "Ulm"]}))
    False
    """
    found = {name: evidence(table[name]) for name in table.columns}
    against = sum(_is_like(name, one) for name, one in found.items())
    against += sum(_stands_below(name, table[name]) for name in table.columns)
    usual = sum(_is_usual(name) for name in found)
    if against:
        return usual > against
    return usual > 0 or any(_is_other(name, one) for name, one in found.items())


def _is_usual(name: str) -> bool:
    plain = re.sub(r"[\W_]", "", name).casefold()
    return plain in _USUAL or _ID.fullmatch(name.strip()) is not None


def _stands_below(name: str, values: pl.Series) -> bool:
    """Whether a name is one of the values of its own column, which names hardly are."""
    import polars as pl

    said = name.strip().casefold()
    if said in _UNKNOWN or isinstance(values.dtype, (pl.List, pl.Array, pl.Struct)):
        return False
    return bool((values.cast(pl.String).str.strip_chars().str.to_lowercase() == said).any())


def _is_like(name: str, values: Evidence) -> bool:
    """Whether a name is a number, a date, an address like the values of its column."""
    mine = _kinds([name])
    return bool(mine & _kinds_of(values))


def _is_other(name: str, values: Evidence) -> bool:
    """Whether a name is of another kind than all values of its column: then it is no value."""
    if name.strip().casefold() in _UNKNOWN or not values.present:
        return False
    kinds = _kinds_of(values)
    if kinds:
        return not _kinds([name])
    return values.words >= _LONG_TEXT and len(name.split()) <= _FEW_WORDS


def _kinds_of(one: Evidence) -> set[str]:
    kinds = {"number"} if one.numbers >= ALL else set()
    return kinds | ({"date"} if one.format else set()) | ({one.mark} if one.mark else set())


def _kinds(names: Iterable[str]) -> set[str]:
    import polars as pl

    return _kinds_of(evidence(pl.Series(list(names), dtype=pl.String)))
