"""Every command that writes refuses what exists, and replaces it when it is told to."""

from __future__ import annotations

import json

import pytest

from sfumato.cli.app import run

TEXT = ["--text-column", "text"]
COMMANDS = {
    "suppress": ["notes.jsonl", "-k", "2", *TEXT, "-o", "out.jsonl"],
    "redact": ["notes.jsonl", "-k", "2", "--terms", "terms.txt", *TEXT, "-o", "out.jsonl"],
    "redact in parts": [
        *("notes.jsonl", "-k", "2", "--terms", "terms.txt", *TEXT, "-o", "out.jsonl", "--stream")
    ],
    "sanitize": ["notes.jsonl", "--patterns", "terms.txt", *TEXT, "-o", "out.jsonl"],
    "generalize": ["notes.jsonl", "-t", "2", "--words", "pain", *TEXT, "-o", "out.jsonl"],
    "pseudonymize": ["notes.jsonl", *TEXT, "-o", "out.jsonl"],
    "pseudonymize in parts": ["notes.jsonl", *TEXT, "-o", "out.jsonl", "--stream"],
    "anonymize": ["people.csv", "--schema", "people.yaml", "-k", "2", "-o", "out.csv"],
    "recognize": ["notes.jsonl", *TEXT, "-o", "out.jsonl"],
    "recognise in parts": ["notes.jsonl", *TEXT, "-o", "out.jsonl", "--stream"],
    "sweep": [
        *("notes.jsonl", *TEXT, "--values", "2", "--attacks", "singling-out-word", "-o", "out.csv")
    ],
    "schema guess": ["people.csv", "-o", "out.yaml"],
    "policy new": ["out.yaml", "--input", "notes.jsonl", "--columns", "text"],
}


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [json.dumps({"text": "seen by Dr. Ho for pain"}) + "\n" for _ in range(4)]
    (tmp_path / "notes.jsonl").write_text("".join(lines))
    (tmp_path / "terms.txt").write_text("pain\nrain\n")
    (tmp_path / "people.csv").write_text("age\n24\n25\n40\n41\n")
    (tmp_path / "people.yaml").write_text("columns: {age: {kind: number}}\n")
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_what_exists_is_replaced_only_when_told(place, name, capsys):
    verb = name.removesuffix(" in parts").split()
    command = [*verb, *COMMANDS[name]]
    quiet = [] if verb[0] in ("schema", "policy") else ["-q"]
    assert run([*command, *quiet]) == 0
    [target] = [path for path in place.glob("out.*") if "certificate" not in path.name]
    target.write_bytes(b"mine")
    assert run(command) == 2
    assert "exists" in capsys.readouterr().err
    assert target.read_bytes() == b"mine"
    assert run([*command, *quiet, "--overwrite"]) == 0
    assert target.read_bytes() != b"mine"


def test_a_certificate_that_exists_is_not_replaced_either(place):
    (place / "out.jsonl.certificate.json").write_bytes(b"mine")
    command = ["suppress", *COMMANDS["suppress"], "-q"]
    assert run(command) == 2
    assert not (place / "out.jsonl").exists()
    assert (place / "out.jsonl.certificate.json").read_bytes() == b"mine"
    assert run([*command, "--certificate", "other.json"]) == 0
