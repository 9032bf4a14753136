"""`sfumato generalize` as a person runs it."""

from __future__ import annotations

import json

import pytest

from sfumato.ontologies import wordnet
from sfumato.verification.alignment import align
from support.commands import call

NOTE = "A Sacramento resident purchased marijuana for the lumbar pain caused by liver cancer.\n"
WORDS = 'sacramento,marijuana,lumbar pain,"liver cancer"'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "note.txt").write_text(NOTE)
    return tmp_path


def test_to_a_file_and_verified_again(folder, capsys):
    assert call("generalize", "note.txt", "-t", 32, "--words", WORDS, "-o", "out.txt") == 0
    expected = "A state capital resident purchased cannabis for the ache caused by liver disease.\n"
    assert (folder / "out.txt").read_text() == expected
    certificate = "out.txt.certificate.json"
    stated = json.loads((folder / certificate).read_text())
    assert stated["claims"][0]["name"] == "t-plausibility"
    assert stated["verdicts"][0]["holds"] is True
    assert "marijuana" not in json.dumps(stated)
    assert call("verify", "note.txt", "out.txt", "--certificate", certificate) == 0
    (folder / "out.txt").write_text(expected.replace("cannabis", "marijuana"))
    assert call("verify", "note.txt", "out.txt", "--certificate", certificate) == 4
    assert "marijuana" not in "".join(capsys.readouterr())


def test_ladder(folder, capsys):
    assert call("generalize", "note.txt", "--words", "marijuana,xyzzy", "--show-ladder") == 0
    out = capsys.readouterr().out
    assert out.startswith("marijuana 1 < soft drug 5 < drug of abuse 249 < [drug 719] <")
    assert list(folder.iterdir()) == [folder / "note.txt"]


def test_own_ontology_frequencies_words_file_and_thresholds(folder, capsys):
    (folder / "o.csv").write_text(
        "child,parent\nflu,infection\ncold,infection\ninfection,disease\n"
    )
    (folder / "f.csv").write_text("word,count\nflu,1\n")
    (folder / "w.txt").write_text("flu\n\n")
    (folder / "in.txt").write_text("The flu. Flu again.")
    common = ["generalize", "in.txt", "--ontology", "o.csv", "--words-file", "w.txt"]
    assert call(*common, "-t", "1,1", "--segment", "sentence", "--t-word", "flu=2", "-o", "-") == 0
    assert capsys.readouterr().out == "The infection. Infection again."
    assert call(*common, "-t", 1, "--frequencies", "f.csv", "-o", "out.txt", "-q") == 0
    verify = ["verify", "in.txt", "out.txt", "--certificate", "out.txt.certificate.json"]
    assert call(*verify) == 4  # WordNet is another ontology
    assert call(*verify, "--ontology", "o.csv") == 4
    assert call(*verify, "--ontology", "o.csv", "--frequencies", "f.csv") == 0


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["-t", "many"], 2),
        (["--t-word", "flu"], 2),
        (["--words-file", "absent.txt"], 2),
        (["--words", " , "], 2),
        (["--words-file", "/dev/null"], 2),
        (["--ontology", "absent.csv"], 2),
        (["--words", "xyzzy,liver", "--unknown", "fail", "--segment", "page"], 2),
        (["--words", "marijuana", "-t", str(1 << 30)], 3),
    ],
)
def test_failures_have_their_codes(folder, capsys, arguments, code):
    assert call("generalize", "note.txt", "-o", "out.txt", *arguments) == code
    assert not (folder / "out.txt").exists()
    assert "marijuana" not in capsys.readouterr().err


def test_own_thresholds_are_judged_from_files(folder):
    own = "--t-word", "liver cancer=100"
    assert call("generalize", "note.txt", "--words", WORDS, *own, "-o", "out.txt", "-q") == 0
    judge = "verify", "note.txt", "out.txt", "--certificate", "out.txt.certificate.json", "-q"
    assert call(*judge, *own) == 0
    assert call(*judge) == 2
    assert call(*judge, "--t-word", "liver cancer=1000000") == 4


def test_words_that_stay_are_not_taken_for_general_ones(folder):
    text = "A state capital. Cats and dogs."
    assert align(text, text, wordnet(), "★") == []
