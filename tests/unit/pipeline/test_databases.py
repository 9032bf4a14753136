"""A query in, a table out, in one transaction: SQLite, DuckDB, PostgreSQL; ADBC, SQLAlchemy."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest
import yaml

from sfumato.cli.app import run

SECRET = "Zyxomme"
ROWS = [
    (i, f"{SECRET} {i}", 20 + i * 7 % 50, 1.5 * i, ("flu", "cold")[i % 2],
     f"seen again and well {SECRET}{i}" if i % 3 else None)
    for i in range(40)
]  # fmt: skip
CREATE = "CREATE TABLE people (id BIGINT, name TEXT, age BIGINT, dose {}, ill TEXT, note TEXT)"
SCHEMA = {
    "person": "id",
    "others": "refuse",
    "columns": {
        "name": {"role": "drop"},
        "age": {"kind": "number"},
        "dose": {"kind": "number"},
        "ill": {"role": "sensitive"},
        "note": {"kind": "text"},
    },
}


def policy(folder: Path, url: str, **changes) -> Path:
    stated = {
        "version": 1,
        "input": {"url": url, "query": "SELECT * FROM people ORDER BY id", "columns": ["note"],
                  "person": "id"},
        "schema": "schema.yaml",
        "recognizer": "rules-en",
        "stages": [{"verb": "anonymize", "k": 3}, {"verb": "suppress", "k": 3}],
        "output": {"path": "release", "table": "released"},
    } | changes  # fmt: skip
    (folder / "schema.yaml").write_text(yaml.safe_dump(SCHEMA))
    (folder / "release.yaml").write_text(yaml.safe_dump(stated))
    return folder / "release.yaml"


def judged(folder: Path, read, capsys) -> None:
    """The released table is there, whole, without a secret; nothing tells of the database."""
    assert run(["policy", "check", str(folder / "release.yaml"), "-q"]) == 0
    assert run(["run", str(folder / "release.yaml"), "-q"]) == 0
    columns, rows = read("SELECT * FROM released")
    assert columns == ["id", "age", "dose", "ill", "note"]
    assert len(rows) == len(ROWS)
    assert SECRET not in str(rows)
    assert any(row[4] and "seen again" in row[4] for row in rows)
    public = "".join(path.read_text() for path in (folder / "release").rglob("*") if path.is_file())
    assert "SELECT" not in public
    assert "people.db" not in public
    assert run(["run", str(folder / "release.yaml"), "-q", "--overwrite"]) == 2
    assert "the table exists" in capsys.readouterr().err
    assert read("SELECT * FROM released")[1] == rows


@pytest.fixture
def lite(tmp_path):
    with sqlite3.connect(tmp_path / "people.db") as base:
        base.execute(CREATE.format("REAL"))
        base.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?)", ROWS)
    base.close()
    return tmp_path


def read_lite(folder):
    def read(query):
        base = sqlite3.connect(folder / "people.db")
        try:
            found = base.execute(query)
            return [one[0] for one in found.description], found.fetchall()
        finally:
            base.close()

    return read


def test_sqlite(lite, capsys):
    policy(lite, "sqlite:///people.db")
    judged(lite, read_lite(lite), capsys)


def test_what_was_fetched_is_the_stewards_alone(lite):
    policy(lite, "sqlite:///people.db")
    assert run(["run", str(lite / "release.yaml"), "-q"]) == 0
    kept = lite / "release.query" / "query.jsonl"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert kept.parent.stat().st_mode & 0o777 == 0o700


def test_a_refused_run_leaves_neither_table_nor_rows(lite, capsys):
    policy(lite, "sqlite:///people.db", stages=[{"verb": "anonymize", "k": 41}])
    assert run(["run", str(lite / "release.yaml"), "-q"]) == 3
    assert not (lite / "release.query").exists()
    with pytest.raises(sqlite3.OperationalError):
        read_lite(lite)("SELECT * FROM released")


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("DELETE FROM people", "input.query"),
        (f"SELECT {SECRET} FROM nowhere", "input.query"),
        ("SELECT x'00' AS b, * FROM people", "bytes"),
    ],
)
def test_queries_that_are_refused_tell_no_text(lite, query, told, capsys):
    given = {"url": "sqlite:///people.db", "query": query, "columns": ["note"], "person": "id"}
    policy(lite, "", input=given)
    assert run(["run", str(lite / "release.yaml"), "-q"]) == 2
    said = capsys.readouterr().err
    assert told in said
    assert SECRET not in said
    assert len(read_lite(lite)("SELECT * FROM people")[1]) == len(ROWS)


@pytest.mark.parametrize(
    "wrong",
    [
        {"input": {"url": "sqlite:///people.db"}},
        {"input": {"path": "a.csv", "query": "SELECT 1"}},
        {"input": {"path": "a.csv", "url": "sqlite:///people.db", "query": "SELECT 1"}},
        {"input": {"path": "a.csv"}, "output": {"table": "released"}},
    ],
)
def test_half_a_database_is_refused(lite, wrong):
    policy(lite, "", **wrong)
    assert run(["run", str(lite / "release.yaml"), "-q"]) == 2


def test_sqlite_by_adbc(lite, capsys):
    pytest.importorskip("adbc_driver_sqlite", reason="its ADBC driver is not installed")
    policy(lite, "adbc+sqlite:///people.db")
    judged(lite, read_lite(lite), capsys)


def test_what_is_asked_by_adbc_changes_nothing(lite, capsys):
    pytest.importorskip("adbc_driver_sqlite", reason="its ADBC driver is not installed")
    before = (lite / "people.db").read_bytes()
    for query in ("DELETE FROM people", f"SELECT {SECRET} FROM nowhere"):
        given = {"url": "adbc+sqlite:///people.db", "query": query, "columns": ["note"],
                 "person": "id"}  # fmt: skip
        policy(lite, "", input=given)
        assert run(["run", str(lite / "release.yaml"), "-q"]) == 2
        assert SECRET not in capsys.readouterr().err
    assert len(read_lite(lite)("SELECT * FROM people")[1]) == len(ROWS)
    assert (lite / "people.db").read_bytes() == before


@pytest.mark.parametrize(
    ("url", "code", "told"),
    [
        ("adbc+sqlite:///absent.db", 2, "no such file"),
        ("adbc+no_such_thing://host/db", 5, "adbc-driver-no-such-thing is missing"),
        ("adbc+../x://host/db", 2, "names no driver"),
    ],
)
def test_addresses_of_adbc_that_lead_nowhere(lite, url, code, told, capsys):
    policy(lite, url)
    assert run(["run", str(lite / "release.yaml"), "-q"]) == code
    assert told in capsys.readouterr().err
    assert not (lite / "absent.db").exists()


@pytest.mark.parametrize("by", ["", "adbc+"])
def test_duckdb(tmp_path, by, capsys):
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    if by:
        pytest.importorskip("adbc_driver_manager", reason="ADBC is not installed")
        pytest.importorskip("adbc_driver_duckdb", reason="its ADBC driver is not installed")
    base = duckdb.connect(str(tmp_path / "people.db"))
    base.execute(CREATE.format("DECIMAL(8, 2)"))
    base.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?)", ROWS)
    base.close()
    policy(tmp_path, f"{by}duckdb:///people.db")

    def read(query):
        found = duckdb.connect(str(tmp_path / "people.db"), read_only=True)
        try:
            done = found.execute(query)
            return [one[0] for one in done.description], done.fetchall()
        finally:
            found.close()

    judged(tmp_path, read, capsys)


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    """A server of Debian's package, started for this test and stopped after it."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        pytest.skip("PostgreSQL is not installed (apt install postgresql)")
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    pytest.importorskip("sqlalchemy", reason="SQLAlchemy is not installed")
    programs = found[-1].parent
    folder = Path(os.path.realpath(tmp_path_factory.mktemp("pg")))
    user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
    user = user if os.getuid() == 0 and shutil.which("setpriv") else []
    if user:
        for place in (folder, *folder.parents):
            if place.owner() == "root" and place != Path("/") and place.stat().st_mode & 1 == 0:
                place.chmod(place.stat().st_mode | 0o011)
        shutil.chown(folder, "postgres")
    data = folder / "data"

    def call(*command):
        subprocess.run([*user, *map(str, command)], check=True, capture_output=True, cwd="/")

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    call(programs / "initdb", "-D", data, "-U", "steward", "-A", "trust", "--no-sync")
    options = f"-c listen_addresses=127.0.0.1 -p {port} -k {folder} -c fsync=off"
    call(programs / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start")
    try:
        yield f"postgresql+psycopg://steward@127.0.0.1:{port}/postgres"
    finally:
        call(programs / "pg_ctl", "-D", data, "-m", "immediate", "stop")
        time.sleep(0)


@pytest.mark.parametrize("by", ["SQLAlchemy", "ADBC"])
def test_postgresql(postgres, tmp_path, by, capsys):
    import sqlalchemy as sql

    if by == "ADBC":
        pytest.importorskip("adbc_driver_postgresql", reason="its ADBC driver is not installed")
    engine = sql.create_engine(postgres)
    with engine.begin() as base:
        base.execute(sql.text("DROP TABLE IF EXISTS people, released"))
        base.execute(sql.text(CREATE.format("NUMERIC(8, 2)")))
        names = ("a", "b", "c", "d", "e", "f")
        insert = sql.text("INSERT INTO people VALUES (:a, :b, :c, :d, :e, :f)")
        base.execute(insert, [dict(zip(names, row, strict=True)) for row in ROWS])
    adbc = postgres.replace("postgresql+psycopg", "adbc+postgresql")
    policy(tmp_path, adbc if by == "ADBC" else postgres)

    def read(query):
        with engine.connect() as base:
            found = base.execute(sql.text(query))
            return list(found.keys()), [tuple(row) for row in found]

    judged(tmp_path, read, capsys)
    engine.dispose()
