"""A policy run in parts gives what it gives all at once."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from sfumato import formats
from support.commands import call


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    notes = (files("sfumato.examples") / "clinic_notes.jsonl").read_bytes()
    (tmp_path / "notes.jsonl").write_bytes(notes)
    (tmp_path / "key").write_text("a key of more than sixteen bytes\n")
    words = ["Ward", "fever", "cough", "sleep", "chest", "knees", "wrist", "ankle"]
    (tmp_path / "terms.txt").write_text("\n".join(words) + "\n")
    real = formats.read_chunks
    monkeypatch.setattr(
        formats, "read_chunks", lambda *given, **named: real(*given, **named | {"size": 3000})
    )
    return tmp_path


def policy(place, *stages, **more):
    given = {
        "version": 1,
        "publish": "all",
        "input": {"path": "notes.jsonl", "columns": ["text"], "person": "patient_id"},
        "key_file": "key",
        "stages": list(stages),
        **more,
    }
    (place / "release.yaml").write_text(json.dumps(given))
    return "release.yaml"


REDACT = {"verb": "redact", "terms": "terms.txt", "k": 3}


@pytest.mark.parametrize(
    "stages", [[{"verb": "pseudonymize"}, REDACT], [REDACT], [{"verb": "pseudonymize"}]]
)
def test_in_parts_as_all_at_once(place, stages, capsys):
    path = policy(place, *stages)
    assert call("run", path, "-q", "-o", "whole", "--whole") == 0
    assert call("run", path, "-q", "-o", "parts", "--stream") == 0
    data = (place / "parts/data/notes.jsonl").read_bytes()
    assert data == (place / "whole/data/notes.jsonl").read_bytes()
    assert data != (place / "notes.jsonl").read_bytes()
    whole = json.loads((place / "whole/certificate.json").read_text())
    parts = json.loads((place / "parts/certificate.json").read_text())
    assert parts["hashes"] == whole["hashes"]
    assert parts["counts"] == whole["counts"]
    assert parts["claims"] == whole["claims"]
    assert parts["loss"] == whole["loss"]
    assert [one["holds"] for one in parts["verdicts"]] == [True] * len(whole["verdicts"])
    assert call("verify", "parts") == 2  # its bytes are right, and no claim was judged
    capsys.readouterr()
    assert call("verify", "notes.jsonl", "parts", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["not_judged"] == []
    names = ("claim", "holds", "statement")
    assert [{n: one.get(n) for n in names} for one in told["verdicts"]] == [
        {n: one.get(n) for n in names} for one in parts["verdicts"]
    ]
    other = (place / "notes.jsonl").read_bytes()
    (place / "notes.jsonl").write_bytes(other.replace(b"the", b"teh", 1))
    assert call("verify", "notes.jsonl", "parts") == 4
    assert "this original is not the one" in capsys.readouterr().err
    (place / "notes.jsonl").write_bytes(other)
    text = (place / "parts/data/notes.jsonl").read_bytes()
    (place / "parts/data/notes.jsonl").write_bytes(text.replace(b"the", b"teh", 1))
    assert call("verify", "parts") == 4


def test_surrogates_of_a_streamed_run_can_be_undone(place):
    assert call("run", policy(place, {"verb": "pseudonymize"}), "-q", "--stream") == 0
    assert (
        call(
            *("pseudonymize", "release/data/notes.jsonl", "--undo", "--text-column", "text"),
            *("--mapping", "release.private/mapping-1-text.sfumato", "--key-file", "key"),
            *("-o", "back.jsonl", "-q"),
        )
        == 0
    )
    assert (place / "back.jsonl").read_bytes() == (place / "notes.jsonl").read_bytes()


def test_a_second_run_uses_the_result_of_the_first(place, capsys):
    path = policy(place, {"verb": "pseudonymize"}, REDACT)
    assert call("run", path, "-q", "--stream") == 0
    assert call("run", path, "--json", "--stream", "--overwrite") == 0
    assert json.loads(capsys.readouterr().out)["stages_reused"] == 2


def test_what_cannot_be_streamed_says_why(place, capsys):
    assert call("run", policy(place, {"verb": "suppress"}), "--stream") == 2
    assert "needs all documents at once" in capsys.readouterr().err
    assert call("run", policy(place, REDACT, {"verb": "pseudonymize"}), "--stream") == 2
    assert "not the first stage" in capsys.readouterr().err


def test_a_broken_claim_writes_nothing(place, capsys):
    (place / "terms.txt").write_text("Ashford\nAshfort\nAshforb\n")
    rows = [{"patient_id": f"p{i}", "text": f"Dr. Ann Ho{'o' * i} came."} for i in range(40)]
    (place / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert call("run", policy(place, REDACT), "-q", "--stream") == 0
    (place / "notes.jsonl").write_text('{"patient_id": "p", "text": "mask * here"}\n')
    assert call("run", policy(place, REDACT), "--stream", "-o", "two") == 2
    assert not (place / "two").exists()
    assert not list((place / "two.private/stages").glob("[!.]*"))
