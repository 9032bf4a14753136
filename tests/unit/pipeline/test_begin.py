"""`sfumato new`: a policy and its schema from a file; nothing unclassified is published."""

from __future__ import annotations

import csv
import io
import json
import sys

import polars as pl
import pytest
import yaml

from sfumato.cli.app import run

WARDS = ("north", "south", "east")


def people(count=60):
    return pl.DataFrame(
        {
            "patient_id": [f"p{i // 2:03}" for i in range(count)],
            "name": [f"Zyxomme {i}" for i in range(count)],
            "age": [str(20 + i * 7 % 50) for i in range(count)],
            "visit_date": [f"2021-{1 + i % 12:02}-{1 + i % 28:02}" for i in range(count)],
            "days_since_visit": [f"{(400 - (i % 12) * 31 - i % 28)} days" for i in range(count)],
            "grippe": [WARDS[i * i // 7 % 3] for i in range(count)],
            "diagnosis": [("flu", "cold", "burn")[i % 3] for i in range(count)],
            "note": [f"seen again for a cough, patient {i} well" for i in range(count)],
        }
    )


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    people().write_csv(tmp_path / "people.csv")
    return tmp_path


def test_without_a_terminal_what_is_not_classified_is_refused_by_name(folder, capsys):
    assert run(["new", "people.csv"]) == 2
    told = capsys.readouterr().err
    assert "columns without a role: grippe" in told
    assert "--role" in told
    assert not (folder / "release.yaml").exists()
    assert not (folder / "release.schema.yaml").exists()


@pytest.mark.parametrize("command", [("policy", "new"), ("new",)])
def test_a_policy_that_runs(folder, command, capsys):
    assert run([*command, "people.csv", "--role", "grippe=insensitive", "-k", "3"]) == 0
    schema = yaml.safe_load((folder / "release.schema.yaml").read_text())
    assert schema["others"] == "refuse"
    assert schema["person"] == "patient_id"
    assert schema["columns"]["name"]["role"] == "drop"
    assert schema["columns"]["days_since_visit"]["role"] == "drop"
    assert schema["columns"]["diagnosis"]["role"] == "sensitive"
    policy = yaml.safe_load((folder / "release.yaml").read_text())
    assert [one["verb"] for one in policy["stages"]] == ["anonymize", "suppress"]
    assert policy["stages"][0]["l"] == 2
    assert run(["run", "release.yaml", "-q"]) == 0
    with (folder / "release" / "data" / "people.csv").open() as file:
        released = list(csv.DictReader(file))
    assert set(released[0]) == {*("patient_id", "age", "visit_date", "grippe", "diagnosis", "note")}
    assert "Zyxomme" not in (folder / "release" / "data" / "people.csv").read_text()


def test_a_column_that_comes_later_is_refused_by_the_run(folder, capsys):
    assert run(["new", "people.csv", "--rest", "drop", "-k", "3"]) == 0
    people().with_columns(pl.lit("x").alias("also")).write_csv("people.csv")
    assert run(["run", "release.yaml", "-q"]) == 2
    assert "stand in no line of the schema" in capsys.readouterr().err


@pytest.mark.parametrize("rest", ["insensitive", "sensitive", "no"])
def test_the_rest_is_never_published(folder, rest):
    assert run(["new", "people.csv", "--rest", rest]) == 2


def test_a_terminal_is_asked_for_every_open_column(folder, monkeypatch, capsys):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stdin", Terminal("3\ndrop\nnone\n"))
    assert run(["new", "people.csv"]) == 0
    assert "grippe" in capsys.readouterr().err
    schema = yaml.safe_load((folder / "release.schema.yaml").read_text())
    assert schema["columns"]["grippe"]["role"] == "drop"
    assert yaml.safe_load((folder / "release.yaml").read_text())["stages"][0]["k"] == 3


def test_nobody_is_a_person_by_default(folder, capsys):
    people().drop("patient_id").write_csv("rows.csv")
    assert run(["new", "rows.csv", "--rest", "drop"]) == 2
    assert "whose record" in capsys.readouterr().err
    assert run(["new", "rows.csv", "--rest", "drop", "--rows-are-people"]) == 0


def test_a_file_without_header_shows_no_record(folder, capsys):
    text = "\n".join(f"Zyxomme {i};{i % 7};x{i % 4}" for i in range(30))
    (folder / "rows.csv").write_text(text + "\n")
    assert run(["new", "rows.csv", "--rows-are-people"]) == 2
    told = capsys.readouterr().err
    assert "Zyxomme" not in told
    assert "--no-header" in told
    options = ("--no-header", "--rows-are-people", "--rest", "quasi", "-k", "3")
    assert run(["new", "rows.csv", *options]) == 2
    assert "give the file a header" in capsys.readouterr().err
    assert run(["new", "rows.csv", *options, "--role", "column_1=quasi"]) == 0
    assert run(["run", "release.yaml", "-q"]) == 0


def test_fewer_people_than_k_cannot_be_met(folder):
    assert run(["new", "people.csv", "--rest", "drop", "-k", "31"]) == 3
    assert run(["new", "people.csv", "--rest", "drop", "-k", "30"]) == 0


def test_texts_without_columns(folder):
    (folder / "note.txt").write_text("the cat sat on the mat and the cat sat on the hat " * 9)
    assert run(["new", "note.txt", "-k", "2", "--json"]) == 0
    assert run(["run", "release.yaml", "-q"]) == 0


def test_a_chosen_column_that_tells_another_is_named_in_the_policy(folder, capsys):
    role = ("--role", "days_since_visit=insensitive", "--role", "grippe=drop")
    assert run(["new", "people.csv", "-k", "3", *role]) == 0
    assert "days_since_visit tells visit_date" in capsys.readouterr().err
    policy = yaml.safe_load((folder / "release.yaml").read_text())
    assert policy["publish"] == ["days_since_visit"]
    assert run(["run", "release.yaml", "--json"]) == 0
    assert "days_since_visit tells visit_date" in capsys.readouterr().out
    del policy["publish"]
    (folder / "release.yaml").write_text(yaml.safe_dump(policy))
    assert run(["run", "release.yaml", "--overwrite"]) == 2
    assert "days_since_visit tells visit_date" in capsys.readouterr().err


def test_anonymize_refuses_a_derived_column_unless_it_is_named(folder, capsys):
    kinds = {"age": {"kind": "number"}, "visit_date": {"kind": "date"}, "note": {"role": "drop"}}
    schema = {"person": "patient_id", "columns": {**kinds, "name": {"role": "drop"}}}
    (folder / "s.yaml").write_text(yaml.safe_dump(schema))
    arguments = ["anonymize", "people.csv", "--schema", "s.yaml", "-k", "3", "-o", "out.csv"]
    assert run(arguments) == 2
    assert "days_since_visit tells visit_date" in capsys.readouterr().err
    assert not (folder / "out.csv").exists()
    assert run([*arguments, "--publish", "days_since_visit", "--json"]) == 0
    assert "tells visit_date" in json.dumps(json.loads(capsys.readouterr().out))


def test_the_cost_of_each_reach_is_shown_before_it_is_asked_for(folder, capsys, monkeypatch):
    lines = [
        json.dumps({"who": i, "note": f"seen by nurse {i % 20} again today"}) for i in range(60)
    ]
    (folder / "notes.jsonl").write_text("\n".join(lines) + "\n")
    stated = ["--columns", "note", "--person", "who", "--stages", "suppress"]
    assert run(["new", "notes.jsonl", *stated]) == 0
    told = capsys.readouterr().err
    shares = [float(line.split()[1].rstrip("%")) for line in told.splitlines() if "  rare" in line]
    assert len(shares) == 4
    assert shares == sorted(shares)
    assert "nurse" not in told
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(
        "typer.prompt", lambda question, *_, **__: "2" if "reach" in question else 5
    )
    assert run(["new", "notes.jsonl", *stated, "--overwrite"]) == 0
    stages = yaml.safe_load((folder / "release.yaml").read_text())["stages"]
    assert stages == [{"verb": "suppress", "reach": 2, "k": 5, "collapse": True}]
    assert run(["run", "release.yaml", "-q"]) == 0


def test_stated_columns_let_no_other_leave_unclassified(folder, capsys):
    lines = [{"who": i, "ward": "west", "note": f"seen by nurse {i % 3}"} for i in range(20)]
    text = "\n".join(map(json.dumps, lines)) + "\n"
    (folder / "later.jsonl").write_text(text)
    stated = ["later.jsonl", "--columns", "note", "--person", "who", "-k", "2"]
    assert run(["new", *stated]) == 2
    assert "columns without a role: ward" in capsys.readouterr().err
    assert run(["new", *stated, "--role", "ward=drop"]) == 2
    assert "change texts alone" in capsys.readouterr().err
    assert not (folder / "release.yaml").exists()
    assert run(["new", *stated, "--role", "ward=insensitive"]) == 0
    assert yaml.safe_load((folder / "release.yaml").read_text())["leave"] == ["who", "ward"]
    assert run(["run", "release.yaml", "-q"]) == 0
    capsys.readouterr()
    (folder / "later.jsonl").unlink()  # a policy for a file that is not there yet
    assert run(["new", *stated, "--policy", "before.yaml"]) == 0
    (folder / "later.jsonl").write_text(text)
    for command in ("policy check", "run"):
        assert (
            run([*command.split(), "before.yaml", *(["--overwrite"] if command == "run" else [])])
            == 2
        )
        told = capsys.readouterr().err
        assert "1 columns would leave as they are, and nobody said they may: ward" in told
    assert run(["new", *stated, "--policy", "table.yaml", "--stages", "nothing"]) == 2


def test_a_schema_beside_stated_stages_lets_no_other_leave(folder, capsys):
    schema = {"person": "patient_id", "columns": {"age": {"kind": "number"}}}
    (folder / "s.yaml").write_text(yaml.safe_dump(schema))
    stated = ["people.csv", "--stages", "anonymize", "--schema", "s.yaml", "-k", "3"]
    assert run(["new", *stated, "--person", "patient_id"]) == 0
    assert run(["run", "release.yaml", "-q"]) == 2
    assert "nobody said they may" in capsys.readouterr().err
