"""Events: a CSV file with one event a row, whose rows make one sequence for every person.

An event may have several attributes: together they are its symbol, with ` | ` between them. Where a
column of times is named, the events of a person are taken in its order, else in that of the file.
A sanitized sequence has other events than its original, so that a release consists of the person
and the attributes alone, person by person in the order of their first event. Where events are
deleted and none is made, each may keep its time (`timed`).
"""

from __future__ import annotations

import csv
import io
from datetime import datetime
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
    from collections.abc import Iterator, Sequence

    from sfumato.formats.source import Columns, Piece, Texts

BETWEEN = "\x1f"
"""Stands between the events of a document: the unit separator of ASCII."""
JOINT = " | "
"""Stands between the attributes of an event."""
AT = "\x1e"
"""Stands before the time of an event, where times are kept."""


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "csv",
    text_column: Columns = None,
    group_column: str | None = None,
    time_column: str | None = None,
    timed: bool = False,
) -> Source:
    """One document a person: the events of `text_column` by `group_column`, joined by BETWEEN.

    >>> raw = b"who,page\\nann,home\\nbob,home\\nann,shop\\n"
    >>> source = read(raw, "clicks.csv", text_column="page", group_column="who")
    >>> source.texts, source.groups
    (['home\\x1fshop', 'home'], ['ann', 'bob'])
    >>> b"".join(source.pieces(["home", None]))
    b'who,page\\r\\nann,home\\r\\nbob,home\\r\\n'

    With `timed` every event is followed by AT and its time, and released with it.
    """
    try:
        text = raw[len(BOM) * raw.startswith(BOM) :].decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        remedy = "name its encoding, or repair the row"
        raise BadInput("not valid UTF-8", where=f"{place}, line {line}", remedy=remedy) from None
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        columns = next(rows, [])
    except csv.Error:
        remedy = "repair its quotes"
        raise BadInput("the header cannot be read", where=place, remedy=remedy) from None
    names = names_of(text_column)
    if not names:
        require_text_column(place, columns, None)
    if group_column is None:
        raise BadInput("the person's column is not named", where=place, remedy="name it")
    released = columns == [group_column, *names]  # a release has no times: its order is theirs
    sorts = time_column is not None and not released
    for name in (*names, group_column, *([str(time_column)] if sorts else [])):
        require_column(place, columns, name)
    at, whose = [columns.index(name) for name in names], columns.index(group_column)
    when = columns.index(str(time_column)) if sorts else None
    events: dict[str, list[tuple[str, str]]] = {}
    try:
        for row in rows:
            if not row:
                continue
            if len(row) != len(columns):
                raise csv.Error
            symbol, time = symbol_of([row[i] for i in at]), "" if when is None else row[when]
            if timed and (BETWEEN in time or AT in time or AT in symbol):
                raise csv.Error
            events.setdefault(row[whose], []).append((time, symbol))
    except csv.Error:
        raise BadInput(
            f"expected {len(columns)} plain fields",
            where=f"{place}, line {rows.line_num}",
            remedy="repair this row; an attribute holds no | where there are several",
        ) from None
    where = partial(_person, place)
    people = require_groups(list(events), where)
    if sorts:
        in_time = _order({time for one in events.values() for time, _ in one}, place)
        events = {
            who: sorted(one, key=lambda pair: in_time[pair[0]]) for who, one in events.items()
        }
    texts: list[str | None] = [
        BETWEEN.join(symbol + AT + time if timed else symbol for time, symbol in events[person])
        for person in people
    ]

    def pieces(new: Texts) -> Iterator[Piece]:
        out = io.StringIO(newline="")
        rows = csv.writer(out)
        rows.writerow([group_column, *names, *([str(time_column)] if timed else [])])
        for person, old, after in zip(people, texts, new, strict=True):
            whole = old if after is None else after
            for event in (whole or "").split(BETWEEN) if whole else ():
                symbol, _, time = event.partition(AT)
                kept = [time] if timed else []
                rows.writerow([person, *attributes_of(symbol, len(names)), *kept])
        yield out.getvalue().encode("utf-8")

    return Source(
        place,
        "csv",
        texts,
        people,
        (group_column, *names),
        partial(_no_column, place),
        where,
        pieces,
    )


def symbol_of(attributes: Sequence[str]) -> str:
    """The symbol of an event with these attributes."""
    several = len(attributes) > 1
    if any(BETWEEN in one or (several and "|" in one) for one in attributes):
        raise csv.Error
    return JOINT.join(attributes)


def attributes_of(symbol: str, count: int) -> list[str]:
    """The attributes of a symbol; of a separator, which has none, itself in every place.

    >>> attributes_of("scan | ward 3", 2), attributes_of("#", 2)
    (['scan', 'ward 3'], ['#', '#'])
    """
    found = symbol.split(JOINT) if count > 1 else [symbol]
    return found if len(found) == count else [symbol] * count


def _order(times: set[str], place: str) -> dict[str, float]:
    """A number for every time, in their order: ISO's times, or numbers."""
    try:
        return {time: float(time) for time in times}
    except ValueError:
        pass
    try:
        read = {time: datetime.fromisoformat(time.strip()) for time in times}
        first = min(read.values(), default=datetime.min)  # refuses times with and without a zone
        return {time: (one - first).total_seconds() for time, one in read.items()}
    except (ValueError, TypeError):
        pass
    raise BadInput(
        "the times are neither all numbers nor all ISO's, or some have a zone and some none",
        where=place,
        remedy="write all of them in one form, such as 2021-03-01T10:30:00",
    )


def _person(place: str, i: int) -> str:
    return f"{place}, person {i}"


def _no_column(place: str, name: str) -> list[str | None]:
    raise BadInput("events are read by person and symbol alone", where=place)
