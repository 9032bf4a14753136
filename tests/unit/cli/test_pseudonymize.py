"""`sfumato recognize` and `sfumato pseudonymize` as a person runs them."""

from __future__ import annotations

import json
import os
import stat

import pytest

from support.commands import call

MARKER = "Zyxomme Quvril"
COLUMN = ["--text-column", "text"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [
        {"id": i, "who": f"p{i % 2}", "text": f"Dr. {MARKER} saw Mr. Li on 06/1{i}/2021 at 14:30."}
        for i in range(4)
    ]
    (tmp_path / "notes.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    (tmp_path / "key").write_text("0123456789abcdef0123\n")
    (tmp_path / "other").write_text("another key of enough bytes")
    return tmp_path


SECRET = ["--key-file", "key", "--mapping", "map"]


def test_release_mapping_and_way_back(folder, capsys):
    notes = folder / "notes.jsonl"
    group = ["--group-column", "who"]
    assert call("pseudonymize", notes, *COLUMN, *group, *SECRET, "-o", "out.jsonl") == 0
    released = (folder / "out.jsonl").read_text()
    assert MARKER not in released
    assert stat.S_IMODE(os.stat("map").st_mode) == 0o600
    public = (folder / "out.jsonl.certificate.json").read_text()
    assert MARKER not in public
    assert json.loads(public)["verdicts"][0]["holds"] is True
    assert "0123456789abcdef" not in public
    back = ["pseudonymize", "out.jsonl", *COLUMN, "--undo", *SECRET, "-o", "back.jsonl"]
    assert call(*back, "--json") == 0
    assert (folder / "back.jsonl").read_bytes() == notes.read_bytes()
    assert json.loads(capsys.readouterr().out)["same_bytes"] is True
    again = ["pseudonymize", notes, *COLUMN, *group, "--key-file"]
    assert call(*again, "key", "-o", "again.jsonl", "-q") == 0
    assert (folder / "again.jsonl").read_text() == released
    assert call(*again, "other", "-o", "other.jsonl", "-q") == 0
    assert (folder / "other.jsonl").read_text() != released


def test_a_changed_mapping_or_key_writes_nothing(folder, capsys):
    assert call("pseudonymize", "notes.jsonl", *COLUMN, *SECRET, "-o", "out.jsonl", "-q") == 0
    content = bytearray((folder / "map").read_bytes())
    content[60] ^= 1
    (folder / "spoilt").write_bytes(content)
    undo = ["pseudonymize", "out.jsonl", *COLUMN, "--undo", "-o", "back.jsonl"]
    for secret in (
        ["--key-file", "key", "--mapping", "spoilt"],
        ["--key-file", "other", "--mapping", "map"],
        ["--key-file", "key", "--mapping", "absent"],
        ["--key-file", "key"],
        ["--mapping", "map"],
    ):
        assert call(*undo, *secret) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert not (folder / "back.jsonl").exists()
    assert call("pseudonymize", "notes.jsonl", *COLUMN, "--mapping", "m", "-o", "o.jsonl") == 2


def test_a_review_file_is_edited_and_read_back(folder, capsys):
    assert call("recognize", "notes.jsonl", *COLUMN, "-o", "spans.jsonl", "--json") == 0
    outcome = json.loads(capsys.readouterr().out)
    assert outcome["spans"] == {"DATE": 4, "PERSON": 8, "TIME": 4}
    assert stat.S_IMODE(os.stat("spans.jsonl").st_mode) == 0o600
    lines = [json.loads(line) for line in (folder / "spans.jsonl").read_text().splitlines()]
    first = next(line for line in lines if line["text"] == "Mr. Li")
    first |= {"decision": "reject", "scope": "everywhere"}
    (folder / "spans.jsonl").write_text("\n".join(map(json.dumps, lines)))
    made = ["pseudonymize", "notes.jsonl", *COLUMN, *SECRET, "--spans", "spans.jsonl"]
    assert call(*made, "-o", "out.jsonl", "-q") == 0
    released = (folder / "out.jsonl").read_text()
    assert released.count("Mr. Li") == 4
    assert MARKER not in released


def test_spans_go_through_every_format(folder):
    assert call("recognize", "notes.jsonl", *COLUMN, "-o", "a.jsonl", "-q") == 0
    previous = "a.jsonl"
    for target, more in (("b", []), ("c.json", []), ("d", ["--to", "i2b2"]), ("e.jsonl", [])):
        made = ["recognize", "notes.jsonl", *COLUMN, "--spans", previous, "-o", target, *more, "-q"]
        assert call(*made) == 0
        previous = target
    places = [
        [(line["document"], line["start"], line["stop"], line["label"]) for line in map(
            json.loads, (folder / name).read_text().splitlines())]
        for name in ("a.jsonl", "e.jsonl")
    ]  # fmt: skip
    assert places[0] == places[1]
    assert (folder / "b/0.ann").read_text().startswith("T1\tPERSON 0 ")


def test_presets_and_roles(folder, capsys):
    made = [
        "recognize",
        "notes.jsonl",
        *COLUMN,
        "--preset",
        "hipaa",
        "--roles",
        "direct",
        "-o",
        "-",
    ]
    assert call(*made, "-q") == 0
    labels = {json.loads(line)["label"] for line in capsys.readouterr().out.splitlines()}
    assert labels == {"PERSON", "DATE"}


def test_bad_input_is_one_line_without_the_text(folder, capsys):
    (folder / "wrong.jsonl").write_text(json.dumps({"document": 0, "start": 0, "stop": 1}))
    for arguments, code in (
        (["recognize", "notes.jsonl", *COLUMN, "--recognizer", MARKER, "-o", "s.jsonl"], 5),
        (["recognize", "notes.jsonl", *COLUMN, "--spans", "wrong.jsonl", "-o", "s.jsonl"], 2),
        (["recognize", "notes.jsonl", *COLUMN, "--spans", "wrong.txt", "-o", "s.jsonl"], 2),
        (["recognize", "notes.jsonl", *COLUMN, "--to", "word", "-o", "s.jsonl"], 2),
        (["recognize", "notes.jsonl", *COLUMN, "--preset", "none", "-o", "s.jsonl"], 2),
        (["recognize", "notes.jsonl", *COLUMN, "-o", "notes.jsonl"], 2),
        (["pseudonymize", "notes.jsonl", *COLUMN, "--dates", "burn", "-o", "o.jsonl"], 2),
    ):
        assert call(*arguments) == code, arguments
        message = capsys.readouterr().err
        assert message.count("\n") == 1, message
        assert MARKER not in message
