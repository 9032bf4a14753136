"""Connections to databases: the rows of a query are read, a table is made in one transaction.

The address says by what: `sqlite:///` by Python's own module, `duckdb:///` by its package,
`adbc+NAME:` by the ADBC driver of that name, every other by SQLAlchemy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from ..core.errors import BadInput, NotInstalled

BIGINT, DOUBLE, TEXT = "BIGINT", "DOUBLE PRECISION", "TEXT"
ADBC = "adbc+"
_DRIVER = re.compile("[a-z][a-z0-9_]*")
_FILES = ("sqlite:///", "duckdb:///")


class Rows(NamedTuple):
    """The names of the columns, and the rows."""

    columns: list[str]
    cells: list[tuple[object, ...]]


class Table(NamedTuple):
    """A table to be made: its name, its columns with their types, and its rows."""

    name: str
    columns: list[str]
    kinds: list[str]
    rows: list[tuple[object, ...]]


class Connection(Protocol):
    """A database that can be asked and written to."""

    def rows(self, query: str) -> Rows:
        """The rows of a query; nothing is changed."""

    def create(self, table: Table) -> None:
        """Makes a table with its rows, all or nothing."""


def connection(url: str) -> Connection:
    """What reaches the database at this address.

    >>> [type(connection(f"{by}://host/a")).__name__ for by in ("adbc+flightsql", "mysql")]
    ['_Adbc', '_SqlAlchemy']
    """
    if url.startswith(ADBC):
        return _Adbc(url.removeprefix(ADBC))
    known: dict[str, type[_Sqlite | _DuckDb]] = {"sqlite:///": _Sqlite, "duckdb:///": _DuckDb}
    for scheme, kind in known.items():
        if url.startswith(scheme):
            return kind(url.removeprefix(scheme))
    return _SqlAlchemy(url)


def file_of(url: str) -> tuple[str, str] | None:
    """Of an address that names a file: what stands before the file, and the file.

    >>> file_of("adbc+duckdb:///clinic.db"), file_of("postgresql://host/clinic")
    (('adbc+duckdb:///', 'clinic.db'), None)
    """
    by = ADBC if url.startswith(ADBC) else ""
    for scheme in _FILES:
        if url.startswith(by + scheme):
            return by + scheme, url.removeprefix(by + scheme)
    return None


def quoted(name: str) -> str:
    """A name as SQL writes it.

    >>> quoted('a "b" c')
    '"a ""b"" c"'
    """
    return '"' + name.replace('"', '""') + '"'


class _Sqlite:
    def __init__(self, path: str) -> None:
        self._path = path

    def rows(self, query: str) -> Rows:
        import sqlite3

        address = f"{Path(self._path).resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as base:
            return _all(base.execute(query))

    def create(self, table: Table) -> None:
        import sqlite3

        with (
            closing(sqlite3.connect(self._path, isolation_level=None)) as base,
            _transaction(base, "BEGIN IMMEDIATE"),
        ):
            _fill(base, table, table.kinds)


class _DuckDb:
    def __init__(self, path: str) -> None:
        self._path = path

    def rows(self, query: str) -> Rows:
        with closing(self._opened(read_only=True)) as base:
            return _all(base.execute(query))

    def create(self, table: Table) -> None:
        kinds = [kind.split()[0] for kind in table.kinds]
        with closing(self._opened(read_only=False)) as base, _transaction(base, "BEGIN"):
            _fill(base, table, kinds)

    def _opened(self, *, read_only: bool) -> Any:
        return _module("duckdb", "DuckDB").connect(self._path, read_only=read_only)


class _Adbc:
    """Any database that has a driver of ADBC: `NAME:...` is reached by `adbc_driver_NAME`."""

    def __init__(self, url: str) -> None:
        name = url.partition(":")[0]
        if not _DRIVER.fullmatch(name):
            remedy = "write adbc+sqlite:///FILE, adbc+postgresql://HOST/NAME, adbc+DRIVER:..."
            raise BadInput("the address names no driver of ADBC", where="input.url", remedy=remedy)
        found = file_of(url)
        self._name, self._uri = name, url if found is None else found[1]
        if found is not None and not Path(self._uri).is_file():  # a driver would make it
            raise BadInput("no such file", where="input.url", remedy="check the path")

    def rows(self, query: str) -> Rows:
        with closing(self._opened()) as base, closing(base.cursor()) as cursor:
            cursor.execute(query)
            try:
                return _all(cursor)
            finally:
                base.rollback()

    def create(self, table: Table) -> None:
        import pyarrow as pa

        types = {BIGINT: pa.int64(), DOUBLE: pa.float64(), TEXT: pa.string()}
        arrays = [
            pa.array([_as(kind, row[i]) for row in table.rows], types[kind])
            for i, kind in enumerate(table.kinds)
        ]
        made = pa.Table.from_arrays(arrays, names=table.columns)
        with closing(self._opened()) as base, closing(base.cursor()) as cursor:
            cursor.adbc_ingest(table.name, made, mode="create")
            base.commit()

    def _opened(self) -> Any:
        _module("pyarrow", "pyarrow")
        package = f"adbc_driver_{self._name}"
        driver = _module(f"{package}.dbapi", package.replace("_", "-"))
        return driver.connect(self._uri)


def _as(kind: str, value: object) -> Any:
    """A value of a column of texts may be a number."""
    return str(value) if kind == TEXT and value is not None else value


class _SqlAlchemy:
    def __init__(self, url: str) -> None:
        self._url = url

    def rows(self, query: str) -> Rows:
        sql = _module("sqlalchemy", "SQLAlchemy")
        engine = sql.create_engine(self._url)
        try:
            with engine.connect() as base:
                found = base.execute(sql.text(query))
                rows = Rows(list(found.keys()), [tuple(row) for row in found])
                base.rollback()
                return rows
        finally:
            engine.dispose()

    def create(self, table: Table) -> None:
        sql = _module("sqlalchemy", "SQLAlchemy")
        types = {BIGINT: sql.BigInteger, DOUBLE: sql.Double, TEXT: sql.Text}
        described = [
            sql.Column(name, types[kind])
            for name, kind in zip(table.columns, table.kinds, strict=True)
        ]
        made = sql.Table(table.name, sql.MetaData(), *described)
        rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        engine = sql.create_engine(self._url)
        try:
            with engine.begin() as base:
                made.create(base, checkfirst=False)
                if rows:
                    base.execute(made.insert(), rows)
        finally:
            engine.dispose()


def _all(cursor: Any) -> Rows:
    return Rows([one[0] for one in cursor.description], [tuple(row) for row in cursor.fetchall()])


@contextmanager
def _transaction(base: Any, begin: str) -> Iterator[None]:
    base.execute(begin)
    try:
        yield
        base.execute("COMMIT")
    except BaseException:
        base.execute("ROLLBACK")
        raise


def _fill(base: Any, table: Table, kinds: Sequence[str]) -> None:
    described = ", ".join(
        f"{quoted(name)} {kind}" for name, kind in zip(table.columns, kinds, strict=True)
    )
    base.execute(f"CREATE TABLE {quoted(table.name)} ({described})")
    if table.rows:
        places = ", ".join("?" * len(table.columns))
        base.executemany(f"INSERT INTO {quoted(table.name)} VALUES ({places})", table.rows)  # noqa: S608


def _module(name: str, called: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        remedy = "pip install 'sfumato[sql]' and the driver of the database"
        raise NotInstalled(f"{called} is missing", where="input.url", remedy=remedy) from None
