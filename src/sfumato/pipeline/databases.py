"""Databases: the rows of a query are the input, the released rows a new table.

The rows become JSON lines in a folder of the steward's own; the run then goes as with any file. The
table appears in one transaction, after every claim has been verified.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import BadInput, NotInstalled
from .connections import BIGINT, DOUBLE, TEXT, Rows, Table, connection, file_of, quoted
from .policy import QUERY as NAME

if TYPE_CHECKING:
    from .policy import PolicyFile

_REMEDY = "check the address, the rights and the SQL; try it in another program"


@contextmanager
def fetched(written: PolicyFile, target: Path | None = None) -> Iterator[PolicyFile]:
    """The policy with the rows of its query as a file: beside `target`, else for a while only.

    A policy without an address is given back as it is. What was fetched for a run that is refused
    is removed.
    """
    given = written.policy.input
    if given.url is None:
        yield written
        return
    if target is not None and written.policy.output.table is not None:
        _require_free(written)
    place = Path(f"{target}.query") if target else Path(tempfile.mkdtemp())
    try:
        place.mkdir(0o700, exist_ok=True)
        columns, rows = _queried(_address(written), str(given.query))
        with open(os.open(place / NAME, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as out:
            for row in rows:
                out.write(_line(columns, row))
        plain = given.model_copy(update={"url": None, "query": None, "path": str(place / NAME)})
        yield replace(written, policy=written.policy.model_copy(update={"input": plain}))
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise
    if target is None:
        shutil.rmtree(place, ignore_errors=True)


def stored(written: PolicyFile, released: Path) -> None:
    """Writes the released rows to the policy's table, all or none of them."""
    table = written.policy.output.table
    if table is None or written.policy.input.url is None:
        return
    records = [json.loads(line) for line in released.read_bytes().splitlines() if line.strip()]
    columns = list(dict.fromkeys(name for one in records for name in one))
    rows = [tuple(_cell(one.get(name)) for name in columns) for one in records]
    kinds = [_kind([row[i] for row in rows]) for i in range(len(columns))]
    with _refused("output.table"):
        connection(_address(written)).create(Table(table, columns, kinds, rows))


def _line(columns: Sequence[str], row: Sequence[object]) -> bytes:
    """A row as a line of JSON, numbers as the database has them."""
    cells = (
        f"{json.dumps(name)}: {_json(value)}" for name, value in zip(columns, row, strict=True)
    )
    return ("{" + ", ".join(cells) + "}\n").encode("utf-8", "surrogatepass")


def _json(value: object) -> str:
    """A value in JSON.

    >>> _json(Decimal("1.50")), _json(float("nan")), _json(None)
    ('1.50', '"nan"', 'null')
    """
    if isinstance(value, Decimal) and value.is_finite():
        return format(value, "f")
    if isinstance(value, (bytes, bytearray, memoryview)):
        remedy = "leave it out of the query, or turn it into text there"
        raise BadInput("a column holds bytes", where="input.query", remedy=remedy)
    if isinstance(value, (bool, int, str, list, dict)) or value is None:
        return json.dumps(value, ensure_ascii=False, default=str)
    if isinstance(value, float) and value - value == 0:
        return repr(value)
    moment = getattr(value, "isoformat", None)
    return json.dumps(moment() if callable(moment) else str(value), ensure_ascii=False)


def _cell(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict)) else value


def _kind(cells: Sequence[object]) -> str:
    """The type of a column that holds these values.

    >>> _kind([1, None]), _kind([1, 2.5]), _kind(["[24-36]", 1])
    ('BIGINT', 'DOUBLE PRECISION', 'TEXT')
    """
    present = [one for one in cells if one is not None]
    if present and all(type(one) is int and abs(one) < 2**63 for one in present):
        return BIGINT
    if present and all(type(one) in (int, float) for one in present):
        return DOUBLE
    return TEXT


def _address(written: PolicyFile) -> str:
    """The address; a file in it is relative to the policy's folder."""
    url = str(written.policy.input.url)
    found = file_of(url)
    return url if found is None else found[0] + str(written.path(found[1]))


@contextmanager
def _refused(where: str) -> Iterator[None]:
    """What a database says may quote rows or passwords: only its kind is told."""
    try:
        yield
    except (BadInput, NotInstalled, KeyboardInterrupt):
        raise
    except Exception as problem:
        kind = type(problem).__name__
        raise BadInput(f"the database refused ({kind})", where=where, remedy=_REMEDY) from None


def _queried(url: str, query: str) -> Rows:
    """The names of the columns, and the rows, read and nothing changed."""
    with _refused("input.query"):
        return connection(url).rows(query)


def _require_free(written: PolicyFile) -> None:
    """Refuses, before any work, a table that exists."""
    table = str(written.policy.output.table)
    try:
        _queried(_address(written), f"SELECT 1 FROM {quoted(table)} LIMIT 1")  # noqa: S608
    except BadInput:
        return  # there is none, or it may not be read: writing it says so
    remedy = "name another, or drop it first"
    raise BadInput("the table exists", where="output.table", remedy=remedy)
