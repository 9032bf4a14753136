"""A release whose rows were shuffled is judged row by row only by who has their order."""

from __future__ import annotations

import csv
import json

import pytest

from sfumato.cli.app import run

SCHEMA = {"person": "who", "columns": {"age": {"kind": "number"}, "note": {"kind": "text"}}}


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with open("in.csv", "w", newline="") as stream:
        out = csv.writer(stream)
        out.writerow(["who", "age", "note"])
        for i in range(30):
            words = " ".join(f"word{i}x{j}" for j in range(6))
            out.writerow([f"p{i}", 20 + i, f"The patient said {words} today."])
    (tmp_path / "s.yaml").write_text(json.dumps(SCHEMA))
    (tmp_path / "key").write_text("a key of more than sixteen bytes")
    command = ["anonymize", "in.csv", "--schema", "s.yaml", "-k", "3", "--key-file", "key"]
    assert run([*command, "-o", "out.csv", "--private-certificate", "private.json", "-q"]) == 0
    return tmp_path


ATTACK = ["attack", "in.csv", "out.csv", "--json"]
TEXTS = ["--text-column", "note", "--attacks", "linkage-rare"]
ORDER = ["--private-certificate", "private.json"]


def test_attacks_on_texts_need_the_order_of_the_rows(files, capsys):
    assert run([*ATTACK, *TEXTS]) == 2
    assert "--private-certificate" in capsys.readouterr().out
    assert run([*ATTACK, *TEXTS, *ORDER]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["success"] > 0.9  # no word of the notes was hidden


def test_attacks_on_tables_too(files, capsys):
    assert run([*ATTACK, "--schema", "s.yaml", "--attacks", "prosecutor"]) == 2
    capsys.readouterr()
    assert run([*ATTACK, "--schema", "s.yaml", "--attacks", "prosecutor", *ORDER]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert 0.2 < found["success"] <= 1 / 3 + 1e-9


def test_evaluation_puts_the_release_into_the_original_s_order(files, capsys):
    with open("in.csv", newline="") as stream:
        rows = list(csv.DictReader(stream))
    gold = [{"spans": [{"start": 4, "end": 11, "label": "PERSON"}]} for _ in rows]
    (files / "gold.jsonl").write_text("".join(json.dumps(one) + "\n" for one in gold))
    command = ["evaluate", "in.csv", "out.csv", "--text-column", "note", "--gold", "gold.jsonl"]
    assert run([*command, "--json"]) == 2
    capsys.readouterr()
    assert run([*command, "--json", *ORDER]) == 0
    assert json.loads(capsys.readouterr().out)["tokens"]["recall"] == 0  # nothing was masked
