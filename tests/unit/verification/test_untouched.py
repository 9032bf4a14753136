"""Columns that leave as they are must not give back what the texts of their row hide."""

from __future__ import annotations

import json

import pytest

from sfumato.cli.app import run
from sfumato.core.errors import BadInput
from sfumato.verification.untouched_columns import Publishing, Repeats


@pytest.mark.parametrize(
    ("cell", "before", "after", "long", "short"),
    [
        ("Ann Marlow", "Marlow fell.", "★★★★★★ fell.", 1, 0),
        ("MARLOW", "marlow fell", "★ fell", 1, 0),
        ("Mar\u00adlow", "Marlow", "★", 1, 0),
        ("Ｍarlow", "Marlow", "★", 1, 0),
        ("Marlowe", "Marlow", "★", 0, 0),
        ("Marlow", "Marlow and Marlow", "★ and Marlow", 0, 0),
        ("Bo", "Bo fell", "★ fell", 0, 1),
        (None, "Marlow", "★", 0, 0),
        ("", "", "", 0, 0),
        ("1972", "born 1972", "born ★", 1, 0),
        ("山田太郎", "山田太郎", "★", 1, 0),
    ],
)
def test_words_of_other_cells(cell, before, after, long, short):
    found = Repeats().add({"c": [cell]}, [before], [after])
    assert (found.long.get("c", 0), found.short.get("c", 0)) == (long, short)


def test_who_allows_a_column_must_name_one_that_leaves():
    with pytest.raises(Exception, match="does not leave"):
        Publishing.of(["name"], ["town"])


def test_a_column_that_gives_back_another_is_refused_unless_allowed():
    told = {"born": "born gives back age"}
    with pytest.raises(BadInput, match="born gives back age"):
        Publishing.of(["born", "town"], [], derived=told).require()
    Publishing.of(["born", "town"], ["born"], derived=told).require()


@pytest.mark.parametrize("allowed", [(), ("name",)])
def test_whoever_allows_a_column_is_told_what_it_gives_back(allowed):
    found = Publishing.of(["name", "town"], list(allowed))
    found.repeats.add({"name": ["Marlow"]}, ["Marlow fell"], ["★ fell"])
    told = "words hidden in a text stand in the same row of name"
    assert (told in found.warnings()) == bool(allowed)


NOTES = "who,name,note\n" + "".join(
    f"p{i},{name} Marlow,{name} has a cold today.\n"
    for i, name in enumerate(["Anna", "Berta", "Clara", "Dora", "Emma"])
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "n.csv").write_text(NOTES)
    (tmp_path / "terms.txt").write_text("Anna\nBerta\nClara\nDora\nEmma\nAnni\nEmmi\n")
    return tmp_path


TEXTS = ("--text-column", "note")


@pytest.mark.parametrize(
    "verb",
    [
        ("suppress", "-k", "3", "--group-column", "who"),
        ("redact", "--terms", "terms.txt", "-k", "2"),
        ("redact", "--terms", "terms.txt", "-k", "2", "--stream"),
    ],
    ids=lambda verb: " ".join(verb[:1] + verb[-1:]),
)
def test_a_column_that_repeats_what_was_hidden_is_refused_unless_allowed(folder, verb, capsys):
    before = sorted(path.name for path in folder.iterdir())
    assert run([verb[0], "n.csv", *TEXTS, *verb[1:], "-o", "out.csv"]) == 2
    told = capsys.readouterr().err
    assert "name (" in told
    assert "--publish" in told
    assert "Marlow" not in told
    assert sorted(path.name for path in folder.iterdir()) == before
    assert run([verb[0], "n.csv", *TEXTS, *verb[1:], "-o", "out.csv", "--publish", "name"]) == 0
    stated = json.loads((folder / "out.csv.certificate.json").read_text())
    assert stated["columns"] == {"untouched": ["who", "name"], "allowed": ["name"]}
    assert "these columns are released as they are: who, name" in " ".join(
        capsys.readouterr().err.split()
    )


def policy(folder, publish):
    stated = {
        "version": 1,
        "input": {"path": "n.csv", "columns": ["note"], "person": "who"},
        "stages": [{"verb": "suppress", "k": 3}],
        "publish": publish,
    }
    (folder / "release.yaml").write_text(json.dumps(stated))
    return "release.yaml"


def test_a_policy_too(folder, capsys):
    assert run(["run", policy(folder, []), "-q"]) == 2
    assert "publish" in capsys.readouterr().err
    assert not (folder / "release").exists()
    assert run(["run", policy(folder, "all"), "-q"]) == 0
    stated = json.loads((folder / "release" / "certificate.json").read_text())
    assert stated["columns"]["allowed"] == ["who", "name"]


def test_columns_that_a_schema_does_not_name(folder, capsys):
    schema = {"person": "who", "columns": {"note": {"kind": "text"}}, "own_values": "none"}
    (folder / "s.yaml").write_text(json.dumps(schema))
    (folder / "n.csv").write_text(NOTES.replace(" has a cold", " Marlow was seen by Dr. Holm"))
    terms = "who,entity_type,term\n" + "".join(
        f"p{i},PERSON,{name}\n" for i, name in enumerate(["Anna", "Berta", "Clara", "Dora", "Emma"])
    )
    (folder / "t.csv").write_text(terms)
    command = ["anonymize", "n.csv", "--schema", "s.yaml", "-k", "5", "--terms", "t.csv"]
    assert run([*command, "-o", "out.csv"]) == 2
    assert "name (5 rows)" in capsys.readouterr().err
    assert run([*command, "-o", "out.csv", "--publish", "name", "-q"]) == 0
