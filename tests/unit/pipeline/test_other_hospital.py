"""What a newcomer gets from `new` and `run` on a file unlike the examples, attacked afterwards."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
import yaml

from sfumato.cli.app import run

SURNAMES = ["Größmann", "Schäfer", "Köhler", "Voß", "Öhlers", "Jäger", "Kühn", "Weiß", "Möller"]
TOWNS = ("Würzburg", "Kitzingen", "Ochsenfurt")
HEADER = ["Patientennr", "Name", "Geburtsdatum", "Geschlecht", "PLZ", "Aufnahme", "CRP", "ICD"]
HEADER += ["Befund"]


def rows(people=60):
    made = []
    for i in range(people):
        name, born = f"{SURNAMES[i % 9]}", f"{1 + i % 28:02}.{1 + i % 12:02}.{1940 + i % 50}"
        note = (
            f"Frau {name}, geb. {born}, klagt über Husten und Fieber. Röntgen Thorax unauffällig. "
            f"Sie lebt in {TOWNS[i % 3]}. Telefon 0931 {555000 + i}."
            if i % 4
            else f"Pt {name} has a cough and a fever. Chest film normal. Call 0931 {555000 + i}."
        )
        crp, icd = f"{i % 17},{i % 10}", ("J18.9", "I10.90", "E11.90")[i * i // 7 % 3]
        sex, code = "wm"[i % 2], f"9707{i % 3}"
        seen = f"{1 + i % 28:02}.03.2025"
        made.append([str(300 + i), name, born, sex, code, seen, crp, icd, note])
    return made


@pytest.fixture
def hospital(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = io.StringIO()
    table = csv.writer(text, delimiter=";", lineterminator="\r\n")
    table.writerows([HEADER, *rows()])
    (tmp_path / "Befunde.csv").write_bytes(text.getvalue().encode("latin-1"))
    return tmp_path


def drafted(folder, *options):
    assert run(["new", "Befunde.csv", "--encoding", "latin-1", *options]) == 0
    schema = yaml.safe_load((folder / "release.schema.yaml").read_text("utf-8"))
    return yaml.safe_load((folder / "release.yaml").read_text("utf-8")), schema


def test_columns_of_another_language_are_known_by_name_and_form(hospital, capsys):
    policy, schema = drafted(hospital, "--rest", "drop")
    columns = schema["columns"]
    assert schema["person"] == "Patientennr"
    assert columns["Name"]["role"] == "drop"
    assert columns["Geburtsdatum"] == {
        "kind": "date",
        "format": "%d.%m.%Y",
        "entities": ["DATE"],
    }
    assert columns["Aufnahme"] == {"kind": "date", "format": "%d.%m.%Y"}
    assert columns["CRP"] == {"role": "drop", "kind": "number", "decimal": ","}
    assert columns["ICD"]["role"] == "sensitive"
    assert policy["recognizer"] == "auto"
    assert policy["attacks"] == "all"
    assert policy["stages"][-1]["mask"] == "*"  # latin-1 has no star of ours
    assert "recogniser: auto (languages of the texts: de" in capsys.readouterr().err


def test_what_is_published_names_nobody(hospital, capsys):
    drafted(hospital, "--role", "CRP=quasi")
    assert run(["policy", "check", "release.yaml"]) == 0
    assert run(["run", "release.yaml"]) == 0
    published = b"".join(
        path.read_bytes() for path in (hospital / "release").rglob("*") if path.is_file()
    )
    for encoding in ("latin-1", "utf-8"):
        for word in (*SURNAMES, "0931 555", "555000"):
            assert word.encode(encoding) not in published
    table = (hospital / "release" / "data" / "Befunde.csv").read_text("latin-1")
    cells = list(csv.DictReader(io.StringIO(table), delimiter=";"))
    assert len(cells) == 60
    assert all(re.fullmatch(r"\[?[\d.]+(-[\d.]+\])?", one["CRP"]) for one in cells)
    assert run(["verify", "release"]) == 0
    assert run(["verify", "Befunde.csv", "release"]) == 0


def test_policy_check_knows_that_the_mask_cannot_be_written(hospital, capsys):
    drafted(hospital, "--rest", "drop")
    policy = hospital / "release.yaml"
    policy.write_text(policy.read_text("utf-8").replace("  mask: '*'\n", ""), "utf-8")
    capsys.readouterr()
    assert run(["policy", "check", "release.yaml"]) == 2
    told = capsys.readouterr().err
    assert "stages[1].mask: latin-1, the input's encoding, lacks this character" in told


def test_rare_values_of_a_published_column_are_told(hospital, capsys):
    made = [[*one[:7], "G10" if i < 2 else one[7], one[8]] for i, one in enumerate(rows())]
    text = io.StringIO()
    csv.writer(text, delimiter=";").writerows([HEADER, *made])
    (hospital / "Befunde.csv").write_bytes(text.getvalue().encode("latin-1"))
    drafted(hospital, "--rest", "drop")
    told = capsys.readouterr().err
    assert "attention: ICD is published as it is, and 1 of its values" in told
    assert "G10" not in told


def test_short_messages_are_texts(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    said = ("ok", "see you", "Zyxomme is ill", "thanks", "the night shift at the old mill is mine")
    lines = [
        {"user": f"u{i % 20}", "msg": f"{said[i % 5]} {i % 7}" if i % 3 else said[i % 5]}
        for i in range(200)
    ]
    (tmp_path / "chat.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    assert run(["new", "chat.jsonl"]) == 0
    schema = yaml.safe_load((tmp_path / "release.schema.yaml").read_text())
    assert schema["columns"]["msg"]["kind"] == "text"
    assert schema["person"] == "user"
