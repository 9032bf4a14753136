"""`sfumato schema`: what is proposed for a table, and what is wrong with one."""

from __future__ import annotations

import json

import polars as pl
import pytest
import yaml

from sfumato.cli.app import run
from sfumato.schema import as_schema

MARKER = "Zyxomme"


@pytest.fixture
def table(tmp_path):
    count = 40
    words = [f"{MARKER}{i} came in with a cough and went home again" for i in range(count)]
    frame = pl.DataFrame(
        {
            "patient_id": [f"p{i // 2:03}" for i in range(count)],
            "name": [f"{MARKER} {i}" for i in range(count)],
            "contact": [f"{MARKER}{i}@example.org" for i in range(count)],
            "age": [str(20 + i) for i in range(count)],
            "zip": [f"{89000 + i}" for i in range(count)],
            "visit": [f"{1 + i % 28:02}.05.2004" for i in range(count)],
            "risk": [("low", "high", "medium")[i % 3] for i in range(count)],
            "codes": ["A10;B20" if i % 2 else "A10;C30" for i in range(count)],
            "diagnosis": [("flu", "cold")[i % 2] for i in range(count)],
            "site": ["north"] * count,
            "note": words,
        }
    )
    path = tmp_path / "people.csv"
    frame.write_csv(path)
    return path


def test_guess_proposes_a_schema_that_fits_its_table(table, tmp_path, capsys):
    target = tmp_path / "people.yaml"
    assert run(["schema", "guess", str(table), "-o", str(target)]) == 0
    schema = as_schema(target)
    assert schema.person == "patient_id"
    kinds = {name: (column.kind, column.role) for name, column in schema.columns.items()}
    assert kinds == {
        "name": ("category", "drop"),
        "contact": ("category", "drop"),
        "age": ("number", "quasi"),
        "zip": ("category", "quasi"),
        "visit": ("date", "quasi"),
        "risk": ("ordered", "quasi"),
        "codes": ("set", "quasi"),
        "diagnosis": ("category", "sensitive"),
        "site": ("category", "insensitive"),
        "note": ("text", "quasi"),
    }
    assert schema.columns["visit"].format == "%d.%m.%Y"
    assert schema.columns["risk"].order == ["low", "medium", "high"]
    assert schema.columns["age"].entities == ["AGE"]
    assert run(["schema", "check", str(target), str(table), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["people"] == 20


def test_guess_shows_no_values(table, capsys):
    assert run(["schema", "guess", str(table)]) == 0
    shown = capsys.readouterr().out
    assert MARKER not in shown
    assert "flu" not in shown
    assert "A10" not in shown
    assert "20 distinct values in 40 rows" in shown
    assert yaml.safe_load(shown)["person"] == "patient_id"


@pytest.mark.parametrize("suffix", ["jsonl", "parquet", "tsv", "csv.gz"])
def test_tables_of_all_formats_are_read(tmp_path, suffix, capsys):
    frame = pl.DataFrame({"id": ["a", "b"], "age": [3, 4], "codes": [["x"], ["y", "x"]]})
    path = tmp_path / f"people.{suffix}"
    if suffix == "jsonl":
        frame.write_ndjson(path)
    elif suffix == "parquet":
        frame.write_parquet(path)
    elif suffix == "tsv":
        frame.drop("codes").write_csv(path, separator="\t")
    else:
        import gzip

        path.write_bytes(gzip.compress(frame.drop("codes").write_csv().encode()))
    assert run(["schema", "guess", str(path)]) == 0
    proposed = yaml.safe_load(capsys.readouterr().out)
    assert proposed["person"] == "id"
    assert proposed["columns"]["age"]["kind"] == "number"
    if suffix in ("jsonl", "parquet"):
        assert proposed["columns"]["codes"]["kind"] == "set"


@pytest.mark.parametrize(
    ("column", "told"),
    [
        ("age: {kind: number}", "age, record 2"),
        ("age: {kind: number, missing: refuse, unreadable: missing}", "age, record 3"),
        ("age: {kind: date}", "age, record 1"),
        ("age: {kind: ordered, order: [a, b]}", "age, record 1"),
        ("age: {hierarchy: {tree: {x: [a, b]}}}", "age.hierarchy"),
        ("agee: {kind: number}", "columns.agee"),
    ],
)
def test_check_says_where_a_table_is_wrong(tmp_path, capsys, column, told):
    (tmp_path / "t.csv").write_text(f"id,age\n1,30\n2,{MARKER}\n3,\n")
    (tmp_path / "s.yaml").write_text(f"person: id\ncolumns:\n  {column}\n")
    assert run(["schema", "check", str(tmp_path / "s.yaml"), str(tmp_path / "t.csv")]) == 2
    message = capsys.readouterr().err
    assert told in message
    assert MARKER not in message


def test_check_refuses_rows_of_nobody_and_unwanted_columns(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("id,age,more\n1,30,a\n,31,b\n")
    (tmp_path / "s.yaml").write_text(
        "person: id\nothers: refuse\ncolumns:\n  age: {kind: number}\n"
    )
    arguments = ["schema", "check", str(tmp_path / "s.yaml"), str(tmp_path / "t.csv")]
    assert run(arguments) == 2
    assert "more" in capsys.readouterr().err
    (tmp_path / "s.yaml").write_text("person: id\ncolumns:\n  age: {kind: number}\n")
    assert run(arguments) == 2
    assert "id, record 2" in capsys.readouterr().err


def test_json_schema_is_printed(capsys):
    assert run(["schema", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "Schema"


def test_guess_does_not_overwrite_its_table(table):
    before = table.read_bytes()
    assert run(["schema", "guess", str(table), "-o", str(table)]) == 2
    assert table.read_bytes() == before


RECORDS = {
    "strings": [f"{MARKER} Abe", "Ulm", "flu"],
    "a number": [f"{MARKER}", "44", "flu"],
    "a date": [f"{MARKER}", "1972-07-22", "flu"],
    "a missing number": [f"{MARKER}", "", "flu"],
    "an unknown number": [f"{MARKER}", "unknown", "flu"],
    "a mail address": [f"{MARKER}@example.org", "44", "cold"],
    "a text": [f"{MARKER} came in with a cough and went home", "44", "none"],
    "a usual word": [f"{MARKER}", "44", "name"],
}


@pytest.mark.parametrize(
    ("case", "separator", "json"),
    [
        *((case, ",", []) for case in RECORDS),
        *(("strings", one, ["--json"]) for one in (";", "|", "\t")),
    ],
)
def test_a_record_is_not_shown_as_names_of_columns(case, separator, json, tmp_path, capsys):
    path = tmp_path / ("people.tsv" if separator == "\t" else "people.csv")
    first = RECORDS[case]
    others = [[first[0].replace(MARKER, f"Ann{i}"), str(20 + i), "flu"] for i in range(9)]
    if case == "a date":
        others = [[one, f"1972-07-1{i}", three] for i, (one, _, three) in enumerate(others)]
    path.write_text("".join(separator.join(row) + "\n" for row in [first, *others]))
    assert run(["schema", "guess", str(path), *json]) == 2
    told = "".join(capsys.readouterr())
    assert "--no-header" in told
    for cell in first:
        assert len(cell) < 3 or cell == "name" or cell not in told
    assert run(["schema", "guess", str(path), "--no-header", *json]) == 0
    told = "".join(capsys.readouterr())
    assert "column_1" in told
    assert MARKER not in told
    assert run(["schema", "guess", str(path), "--header", "-o", str(tmp_path / "s.yaml")]) == 0


@pytest.mark.parametrize(
    "lines",
    [
        "Kennung,Jahre\nA1,31\nB2,44\n",
        "patient_ref,wardCode,visit_no\nA,B,C\nD,E,F\n",
        "unbekannt,Befund\nA,ein langer Text von vielen Worten\nB,noch ein langer Text davon\n",
        "name,age\nname,31\nBo,44\n",
    ],
)
def test_names_of_columns_are_taken_as_such(lines, tmp_path, capsys):
    path = tmp_path / "people.csv"
    path.write_text(lines)
    assert run(["schema", "guess", str(path)]) == 0, capsys.readouterr().err


def test_a_policy_is_not_begun_from_a_record_either(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lines = [f"{MARKER}{i} Abe,Ulm,flu\n" for i in range(8)]
    (tmp_path / "people.csv").write_text("".join(lines))
    assert run(["new", "people.csv", "--rows-are-people", "--rest", "quasi"]) == 2
    told = "".join(capsys.readouterr())
    assert "--no-header" in told
    assert MARKER not in told
    assert not list(tmp_path.glob("*.yaml"))
