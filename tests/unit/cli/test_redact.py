"""`sfumato redact` as a person runs it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import sfumato as sf
from sfumato.cli.app import run

WORDS = ["crew", "craw", "draw", "drew", "slow", "slew"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.txt").write_text("\n".join([*WORDS, "", "crew", " slow "]), "utf-8")
    (tmp_path / "direct.txt").write_text("Ann Ho\n", "utf-8")
    (tmp_path / "notes.csv").write_text('id,text\n007,"The crew, Ann Ho, drew."\n8,slow\n', "utf-8")
    return tmp_path


def redact(*options):
    return run(
        ["redact", "notes.csv", "--text-column", "text", "--terms", "words.txt", "-o", "out.csv",
         *options]
    )  # fmt: skip


@pytest.mark.parametrize("guarantee", ["published", "matching"])
def test_a_verified_release_is_written_and_verifies_again(folder, guarantee, capsys):
    options = ["-k", "2", "--guarantee", guarantee, "--direct", "direct.txt"]
    assert redact(*options, "--save-dictionary", "words.dictionary") == 0
    released = (folder / "out.csv").read_text("utf-8")
    assert released.startswith('id,text\n007,"The ')
    assert not any(word in released for word in [*WORDS, "Ann"])
    check = ["verify", "notes.csv", "out.csv", "--certificate", "out.csv.certificate.json",
             "--text-column", "text", "--direct", "direct.txt"]  # fmt: skip
    assert run([*check, "--terms", "words.dictionary"]) == 0
    assert run([*check, "--terms", "words.txt"]) == 0
    assert run([*check, "--terms", "direct.txt"]) in (3, 4)
    assert run(check) == 2
    certificate = json.loads((folder / "out.csv.certificate.json").read_text("utf-8"))
    assert [claim["name"] for claim in certificate["claims"]] == [
        "term-k-anonymity",
        "no-term-in-clear",
    ]
    assert not any(word in json.dumps(certificate) for word in WORDS)


def test_a_changed_release_is_not_verified(folder):
    assert redact("-k", "2") == 0
    path = folder / "out.csv"
    certificate = json.loads((folder / "out.csv.certificate.json").read_text("utf-8"))
    certificate["hashes"]["files"] = {}
    (folder / "c.json").write_text(json.dumps(certificate), "utf-8")
    path.write_text(path.read_text("utf-8").replace("sl*w", "slow"), "utf-8")
    check = ["verify", "notes.csv", "out.csv", "--certificate", "c.json", "--text-column", "text"]
    assert run([*check, "--terms", "words.txt"]) == 4


def test_explain_prints_table_2(folder, capsys):
    assert run(["redact", "--explain", "crew", "--terms", "words.txt"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == ["matches", "redacted", "pattern"]
    assert ["2", "1", "cr*w"] in lines
    assert ["2", "1", "*rew"] in lines
    assert ["6", "3", "***w"] in lines
    assert run(["redact", "--explain", "crew", "--terms", "words.txt", "--json"]) == 0
    assert {"matches": 2, "redacted": 1, "pattern": "cr*w"} in json.loads(capsys.readouterr().out)


def test_tradeoff_prints_what_k_costs(folder, capsys):
    assert run(["redact", "--tradeoff", "--terms", "words.txt", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["guarantee"], row["k"]) for row in rows][:2] == [("published", 2), ("matching", 2)]
    assert all(0 < row["share"] <= 1 for row in rows)
    assert run(["redact", "--tradeoff", "--terms", "words.txt"]) == 0
    assert capsys.readouterr().out.split()[:2] == ["guarantee", "k"]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["-k", "7"], 3),
        (["-k", "0"], 2),
        (["--mask", "e"], 2),
        (["--mask", ","], 2),
        (["--mask", "e", "--mask", "★", "-k", "2"], 0),
        (["--guarantee", "none"], 2),
        (["--rare-lengths", "none"], 2),
        (["--terms", "absent.txt"], 2),
    ],
)
def test_exit_codes(folder, options, code):
    assert redact(*options) == code
    assert (folder / "out.csv").exists() == (code == 0)


def test_lists_and_files_are_asked_for(folder):
    assert run(["redact", "notes.csv", "-o", "out.csv"]) == 2
    assert run(["redact", "--terms", "words.txt"]) == 2
    assert run(["redact", "--terms", "words.txt", "--explain", "absent"]) == 2


@pytest.mark.parametrize(
    "options",
    [
        ["--save-dictionary", "missing/words.dictionary"],
        ["--save-dictionary", "out.csv"],
        ["--save-dictionary", "notes.csv"],
        ["--save-dictionary", "words.txt"],
        ["-o", "words.txt"],
        ["--direct", "direct.txt", "--certificate", "direct.txt"],
    ],
)
def test_nothing_is_written_over_what_was_read_or_written_half(folder, options):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert redact("-k", "2", *options) == 2
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_stars_that_tell_a_rare_length_are_not_verified():
    release = sf.redact("aa b", ["aa", "b", "aabb", "abab"], k=2)
    assert release.data == "*** ***"
    assert all(verdict.holds for verdict in sf.verify("aa b", release))
    told = replace(release, data="** ***")  # aa is the only term of its length
    assert not all(verdict.holds for verdict in sf.verify("aa b", told))
