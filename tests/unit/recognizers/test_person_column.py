"""A person column: a name found in one text of a person is found in the person's other texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sfumato as sf
from support.commands import call

KEY = b"thirty-two bytes of a secret key"
NAME = "Marguerite Stensrud"
ROWS = [
    ("p1", f"Seen today: {NAME}, who came by train."),
    ("p1", "the line was bad, stensrud phoned again at nine."),
    ("p1", "Asked for tablets: M. Stensrud, then left."),
    ("p1", "MRS STENSRUD'S X-ray is normal; Stensrud's foot is not."),
    ("p1", "Mail marguerite.stensrud@post.example, log-in mstensrud73 is closed."),
    ("p1", "The form has M.S. at its end, and marguerite below."),
    ("p2", "Nothing to tell, all is quiet on the second floor."),
]
PARTS = ("marguerite", "stensrud")


@pytest.fixture
def notes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = "".join(json.dumps({"who": a, "text": b}) + "\n" for a, b in ROWS)
    Path("notes.jsonl").write_text(lines, "utf-8")
    Path("key").write_bytes(KEY)
    return tmp_path


def told(texts):
    return [part for text in texts for part in PARTS if part in text.lower()]


def test_in_python():
    texts, people = [b for _, b in ROWS], [a for a, _ in ROWS]
    release = sf.pseudonymize(texts, "en", KEY, groups=people)
    assert told(release.data) == []
    assert "M.S." not in release.data[5]
    assert release.data[-1] == texts[-1]
    surname = release.data[0].split(": ")[1].split(",")[0].split()[-1]
    assert surname.lower() in release.data[1]  # one name everywhere, also in capitals
    assert f"{surname.upper()}'S" in release.data[3]
    assert f"{surname}'s" in release.data[3]


def test_what_another_person_wrote_is_another_story():
    texts = ["Seen today: Marguerite Stensrud.", "the log-in mstensrud73 is closed"]
    same, other = (
        sf.pseudonymize(texts, "en", KEY, groups=["p1", who]).data for who in ("p1", "p2")
    )
    assert "mstensrud73" not in same[1]
    assert other[1] == texts[1]


def test_by_recognize(notes):
    options = ("--text-column", "text", "--person-column", "who", "--recognizer", "en")
    assert call("recognize", "notes.jsonl", *options, "-o", "spans.jsonl") == 0
    lines = [json.loads(line) for line in Path("spans.jsonl").read_text("utf-8").splitlines()]
    texts = [list(b) for _, b in ROWS]
    for line in lines:
        if "start" in line:
            for at in range(line["start"], line["stop"]):
                texts[line["document"]][at] = "*"
    assert told(map("".join, texts)) == []


def test_by_pseudonymize(notes):
    options = ("--text-column", "text", "--person-column", "who", "--key-file", "key")
    assert call("pseudonymize", "notes.jsonl", *options, "-o", "out.jsonl") == 0
    assert told([Path("out.jsonl").read_text("utf-8")]) == []


def test_by_a_policy(notes):
    Path("release.yaml").write_text(
        "version: 1\ninput: {path: notes.jsonl, columns: [text], person: who}\nrecognizer: en\n"
        "stages: [{verb: pseudonymize}]\nkey_file: key\noutput: {path: out}\n",
        "utf-8",
    )
    assert call("run", "release.yaml") == 0
    released = Path("out/data/notes.jsonl").read_text("utf-8")
    assert told([released]) == []
    assert "M.S." not in released
