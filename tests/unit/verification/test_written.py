"""The bytes of a released table: planted differences between equal cells are rejected."""

from __future__ import annotations

import io

import polars as pl
import pyarrow.parquet as pq
import pytest

from sfumato.cli.app import run
from sfumato.core.errors import NotVerified
from sfumato.formats import csv, table_lines
from sfumato.verification.written_bytes import require_written

TABLE = pl.DataFrame({"id": ["7", "8", "9"], "age": ["a-b"] * 3, "job": ["x", None, "x"]})
CSV = b"id,age,job\r\n7,a-b,x\r\n8,a-b,\r\n9,a-b,x"
JSONL = (
    b'{"id": 7, "age": "a-b", "job": "x"}\n{"id": 8, "age": "a-b", "job": null}\n\n'
    b'{"id": 9, "age": "a-b", "job": "x"}'
)


@pytest.mark.parametrize(
    ("format", "content"),
    [
        ("csv", CSV),
        ("csv", b"\xef\xbb\xbf" + CSV.replace(b"a-b", b'"a-b"').replace(b"\r\n", b"\r\n\r\n")),
        ("csv", CSV.replace(b",", b";")),
        ("tsv", CSV.replace(b",", b"\t")),
        ("jsonl", JSONL),
        ("jsonl", JSONL.replace(b": ", b":").replace(b"\n", b"\r\n")),
    ],
)
def test_cells_in_one_form_hold(format, content):
    require_written(content, format, TABLE, ["age", "job"])


def test_a_last_cell_that_is_empty_is_read_without_a_line_end():
    table = TABLE.with_columns(job=pl.Series(["x", None, None]))
    require_written(CSV[:-1], "csv", table, ["age", "job"])
    with pytest.raises(NotVerified, match="record"):
        require_written(CSV[:-1], "csv", TABLE, ["age", "job"])


@pytest.mark.parametrize(
    ("format", "old", "new", "message"),
    [
        ("csv", b"8,a-b", b'8,"a-b"', "age, record 2: equal values are written differently"),
        ("csv", b"8,a-b,", b'8,a-b,""\r\n4,a-b,', "record 3: the file holds another value"),
        ("csv", b"8,a-b", b"8,36", "age, record 2: the file holds another value"),
        ("csv", b"8,a-b,\r\n", b"", "another value|the records of the release"),
        ("csv", b"\n9,a-b,x", b"\n9,a-b,x\r\n10,a-b,x", "not have the cells"),
        ("csv", b"id,age", b"id,old", "not have the columns"),
        ("csv", b"9,a-b", b'9,"a-b', "cannot be read"),
        ("jsonl", b'8, "age": "a-b"', b'8, "age": "a\\u002db"', "record 2: equal values"),
        ("jsonl", b'8, "age": ', b'8, "age":', "record 2: equal values"),
        ("jsonl", b'8, "age"', b'8, "\\u0061ge"', "record 2: equal values"),
        ("jsonl", b'8, "age"', b'8,"age"', "record 2: what stands between"),
        ("jsonl", b'null}', b'null }', "record 2: what stands between"),
        ("jsonl", b', "job": null', b"", "record 2: the place of a key"),
        ("jsonl", b'"id": 8, "age": "a-b"', b'"age": "a-b", "id": 8', "record 2: the place"),
        ("jsonl", b'8, "age": "a-b"', b'8, "age": "b"', "record 2: the file holds another"),
    ],
)  # fmt: skip
def test_planted_differences_are_rejected(format, old, new, message):
    content = CSV if format == "csv" else JSONL
    assert old in content
    with pytest.raises(NotVerified, match=message) as caught:
        require_written(content.replace(old, new), format, TABLE, ["age", "job"])
    assert "a-b" not in str(caught.value)


def test_kinds_of_numbers_are_told_apart():
    table = pl.DataFrame({"n": ["36", "36"]})
    require_written(b'{"n": 36}\n{"n": 36}\n', "jsonl", table, ["n"])
    with pytest.raises(NotVerified, match="record 2"):
        require_written(b'{"n": 36}\n{"n": "36"}\n', "jsonl", table, ["n"])


def parquet(table):
    stream = io.BytesIO()
    pq.write_table(table, stream)
    return stream.getvalue()


def test_parquet():
    stream = io.BytesIO()
    TABLE.write_parquet(stream)
    require_written(stream.getvalue(), "parquet", TABLE, ["age", "job"])
    other = TABLE.with_columns(pl.lit("c").alias("age"))
    with pytest.raises(NotVerified, match="age: the file holds another value"):
        require_written(stream.getvalue(), "parquet", other, ["age"])
    listed = TABLE.with_columns(pl.col("age").cast(pl.Enum(["a-b", "36"])))
    stream = io.BytesIO()
    listed.write_parquet(stream)
    with pytest.raises(NotVerified, match="age: the column lists values"):
        require_written(stream.getvalue(), "parquet", listed, ["age"])
    noted = TABLE.to_arrow().replace_schema_metadata({"seen": "36"})
    with pytest.raises(NotVerified, match="notes beside its columns"):
        require_written(parquet(noted), "parquet", TABLE, ["age"])


@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_the_command_writes_nothing_then(tmp_path, monkeypatch, format, capsys):
    """A writer that quotes by the old cell, or escapes now and then, is caught: exit code 4."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.yaml").write_text("person: id\ncolumns:\n  age: {kind: number}\n")
    rows = [(1, 36), (2, 24), (3, 24), (4, 36)]
    if format == "csv":
        (tmp_path / "in.csv").write_text("id,age\n" + "".join(f"{a},{b}\n" for a, b in rows))
    else:
        (tmp_path / "in.jsonl").write_text("".join(f'{{"id": {a}, "age": {b}}}\n' for a, b in rows))
    call = ["anonymize", f"in.{format}", "--schema", "s.yaml", "-k", "4", "-q"]
    assert run([*call, "-o", f"good.{format}"]) == 0
    count = iter(range(99))
    if format == "csv":
        plain = csv._render
        monkeypatch.setattr(
            csv, "_render",
            lambda text, *more: b'"%b"' % text.encode() if next(count) == 3 else plain(text, *more),
        )  # fmt: skip
    else:
        whole = table_lines.json_bytes
        monkeypatch.setattr(
            table_lines, "json_bytes",
            lambda value: whole(value).replace(b"36", b"\\u0033\\u0036") if next(count) > 8
            else whole(value),
        )  # fmt: skip
    assert run([*call, "-o", f"out.{format}"]) == 4
    assert not (tmp_path / f"out.{format}").exists()
    assert "written differently" in capsys.readouterr().err
