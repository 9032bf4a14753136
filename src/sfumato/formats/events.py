"""Events: a CSV file with one event a row, whose rows make one sequence for every person.

A sanitized sequence has other events than its original, so that a release consists of the two
columns alone, person by person in the order of their first event.
"""

from __future__ import annotations

import csv
import io
from functools import partial
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.formats.source import (
    BOM,
    Source,
    names_of,
    require_column,
    require_groups,
    require_text_column,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.formats.source import Columns, Piece, Texts

BETWEEN = "\x1f"
"""Stands between the events of a document: the unit separator of ASCII."""


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "csv",
    text_column: Columns = None,
    group_column: str | None = None,
) -> Source:
    """One document a person: the events of `text_column` by `group_column`, joined by BETWEEN.

    >>> raw = b"who,page\\nann,home\\nbob,home\\nann,shop\\n"
    >>> source = read(raw, "clicks.csv", text_column="page", group_column="who")
    >>> source.texts, source.groups
    (['home\\x1fshop', 'home'], ['ann', 'bob'])
    >>> b"".join(source.pieces(["home", None]))
    b'who,page\\r\\nann,home\\r\\nbob,home\\r\\n'
    """
    text = raw[len(BOM) * raw.startswith(BOM) :].decode("utf-8")
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    columns = next(rows, [])
    names = names_of(text_column)
    if len(names) > 1:
        raise BadInput("events have one column", where=place, remedy="name one text column")
    symbol = require_text_column(place, columns, names[0] if names else None)
    if group_column is None:
        raise BadInput("the person's column is not named", where=place, remedy="name it")
    for name in (symbol, group_column):
        require_column(place, columns, name)
    at, whose = columns.index(symbol), columns.index(group_column)
    events: dict[str, list[str]] = {}
    try:
        for row in rows:
            if not row:
                continue
            if len(row) != len(columns) or BETWEEN in row[at]:
                raise csv.Error
            events.setdefault(row[whose], []).append(row[at])
    except csv.Error:
        raise BadInput(
            f"expected {len(columns)} plain fields",
            where=f"{place}, line {rows.line_num}",
            remedy="repair this row",
        ) from None
    where = partial(_person, place)
    people = require_groups(list(events), where)
    texts: list[str | None] = [BETWEEN.join(events[person]) for person in people]

    def pieces(new: Texts) -> Iterator[Piece]:
        out = io.StringIO(newline="")
        rows = csv.writer(out)
        rows.writerow([group_column, symbol])
        for person, old, after in zip(people, texts, new, strict=True):
            whole = old if after is None else after
            rows.writerows([person, event] for event in (whole or "").split(BETWEEN) if whole)
        yield out.getvalue().encode("utf-8")

    return Source(
        place,
        "csv",
        texts,
        people,
        (group_column, symbol),
        partial(_no_column, place),
        where,
        pieces,
    )


def _person(place: str, i: int) -> str:
    return f"{place}, person {i}"


def _no_column(place: str, name: str) -> list[str | None]:
    raise BadInput("events are read by person and symbol alone", where=place)
