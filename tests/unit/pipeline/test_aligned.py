"""An earlier release without its private folder: aligned with the originals, or refused."""

from __future__ import annotations

import json
import shutil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.pipeline.history import alignment
from sfumato.received.certificate import Stage
from support.commands import call


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rows(place, texts, owners=None):
    owners = owners or [f"p{i}" for i in range(len(texts))]
    lines = (json.dumps({"who": w, "text": t}) + "\n" for w, t in zip(owners, texts, strict=True))
    (place / "notes.jsonl").write_text("".join(lines))


def release(place, output, *stages, previous=None):
    source = {"path": "notes.jsonl", "columns": ["text"], "person": "who"}
    (place / "key").write_text("k" * 32)
    policy = {
        "version": 1,
        "publish": "all",
        "input": source,
        "key_file": "key",
        "stages": list(stages),
    }
    (place / "release.yaml").write_text(json.dumps(policy))
    more = () if previous is None else ("--previous", previous)
    code = call("run", "release.yaml", "-q", "-o", output, *more)
    if code == 0:
        (place / f"{output}.private").rename(place / f"{output}.hidden")
    return code


def data(place, folder):
    return (place / folder / "data/notes.jsonl").read_bytes()


def texts(place, folder):
    return [json.loads(line)["text"] for line in data(place, folder).splitlines()]


def together(place, folder):
    held = place / f"{folder}.hidden"
    held = held if held.is_dir() else place / f"{folder}.private"
    return json.loads((held / "certificate.json").read_text())["together"][0]


SUPPRESS = {"verb": "suppress", "k": 2, "align": "character"}
NOTES = ["abcd efgh", "abxx efgh", "yycd efgx", "abcz qfgh", "abcd efzz"]


def test_stars_are_read_position_by_position(place):
    """The same release, byte for byte, with the earlier private folder and without it."""
    rows(place, NOTES)
    assert release(place, "one", SUPPRESS) == 0
    later = {**SUPPRESS, "min_run": 2}
    assert release(place, "without", later, previous="one") == 0
    (place / "one.hidden").rename(place / "one.private")
    assert release(place, "with", later, previous="one") == 0
    assert data(place, "with") == data(place, "without")
    told, other = together(place, "without"), together(place, "with")
    assert told["aligned"] == ["one"]
    assert other["aligned"] == []
    assert told["symbols"] == other["symbols"]
    assert any("without a private folder" in line for line in told["in_words"])


def test_new_and_missing_documents_are_matched_by_person_and_text(place):
    rows(place, ["aa bb cc", "aa bb dd", "cc dd ee ff", "cc dd ee gg"])
    assert release(place, "one", {"verb": "suppress", "k": 2}) == 0
    rows(place, ["cc dd ee ff", "aa bb cc", "aa bb", "cc dd ee"], ["p2", "p0", "p8", "p9"])
    assert release(place, "two", {"verb": "suppress", "k": 2}, previous="one") == 0
    told = together(place, "two")
    assert told["documents_in_both"] == [2]
    assert told["documents_only_earlier"] == [2]


def test_a_document_that_fits_several_is_refused(place):
    """Whose stars these are cannot be told from what is public."""
    released, people = ["aa ★", "aa y"], ["p", "p"]
    with pytest.raises(BadInput, match="fits several"):
        alignment._matched(released, people, ["aa y"], ["p"], _stages("★"), place)
    with pytest.raises(BadInput, match="fits several"):
        alignment._matched(["aa ★"], ["p"], ["aa y", "aa x"], people, _stages("★"), place)
    hidden = alignment._matched(["★★★★"], ["p"], ["aa y", "aa x"], people, _stages("★"), place)
    assert hidden == [0, -1]  # nothing legible: whichever it is
    equal = alignment._matched(["aa ★", "aa ★"], people, ["aa y"], ["p"], _stages("★"), place)
    assert equal == [0]


def _stages(mask):
    stated = {"verb": "suppress", "columns": None, "parameters": {"mask": mask, "collapse": False}}
    stated |= {name: {} for name in ("counts", "loss")}
    stated |= {name: [] for name in ("claims", "verdicts", "not_protected")}
    return alignment._Stages((Stage.of(stated),))


def test_strings_of_redact_must_be_the_same(place, capsys):
    rows(place, ["the crew", "the craw", "the drew", "the draw", "the brew", "the braw"])
    (place / "terms.txt").write_text("crew\ncraw\ndrew\ndraw\nbrew\nbraw\n")
    redact = {"verb": "redact", "terms": "terms.txt", "k": 2}
    assert release(place, "one", redact) == 0
    assert release(place, "same", redact, previous="one") == 0
    assert data(place, "same") == data(place, "one")
    capsys.readouterr()
    assert release(place, "two", {**redact, "k": 3}, previous="one") == 3
    assert "without its private folder it cannot be counted" in capsys.readouterr().err
    assert not (place / "two").exists()
    assert release(place, "two", {"verb": "suppress", "k": 1}, previous="one") == 3
    assert "what redact replaced in the earlier release one stands in clear" in (
        capsys.readouterr().err
    )


def test_general_words_are_aligned_by_unchanged_stretches(place, capsys):
    rows(place, ["Uses marijuana now", "Uses marijuana and gin", "Uses gin"])
    general = {"verb": "generalize", "t": 2, "words": ["marijuana"]}
    assert release(place, "one", general) == 0
    assert release(place, "same", general, previous="one") == 0
    told = together(place, "same")["symbols"]
    assert told["only_here"] == told["only_earlier"] == 0
    assert told["neither"] == 2 * len("marijuana")
    capsys.readouterr()
    assert release(place, "two", {"verb": "suppress", "k": 1}, previous="one") == 3
    assert "what generalize replaced in the earlier release one" in capsys.readouterr().err
    other = {**general, "t": 30}
    assert release(place, "two", other, previous="one") == 3
    assert "generalize wrote another string" in capsys.readouterr().err
    rows(place, ["Uses marijuana now", "Uses marijuana and rum!"])
    assert release(place, "two", general, previous="one") == 2
    assert "made of other texts" in capsys.readouterr().err
    assert not (place / "two").exists()


def test_surrogates_then_stars(place):
    rows(place, [f"Seen by Dr. {name} Ho. Is well." for name in ("Ann", "Bob", "Eve", "Flo")])
    stages = ({"verb": "pseudonymize"}, {"verb": "suppress", "k": 2})
    assert release(place, "one", *stages) == 0
    assert release(place, "two", *stages, previous="one") == 0
    assert together(place, "two")["verdicts"][0]["holds"] is True
    assert texts(place, "two") == texts(place, "one")


def test_a_release_made_in_parts_is_aligned(place):
    rows(place, ["the crew sings", "the craw sings"])
    (place / "terms.txt").write_text("crew\ncraw\n")
    redact = {"verb": "redact", "terms": "terms.txt", "k": 2}
    assert release(place, "whole", redact) == 0
    assert call("run", "release.yaml", "-q", "-o", "one", "--stream") == 0
    assert release(place, "two", redact, previous="one") == 0
    assert together(place, "two")["aligned"] == ["one"]


def test_classes_of_a_table_are_read_from_its_cells(place, capsys):
    people = [("a", 20), ("b", 22), ("c", 24), ("d", 60), ("e", 62), ("f", 64)]
    lines = [f"{who},{age},x" for who, age in people]
    (place / "people.csv").write_text("\n".join(["id,age,ward", *lines]) + "\n")
    (place / "schema.yaml").write_text("{person: id, columns: {age: {kind: number}}}")
    policy = {
        "version": 1,
        "input": {"path": "people.csv", "person": "id"},
        "schema": "schema.yaml",
        "stages": [{"verb": "anonymize", "k": 3, "shuffle": False}],
    }
    (place / "release.yaml").write_text(json.dumps(policy))
    assert call("run", "release.yaml", "-q", "-o", "one") == 0
    shutil.rmtree(place / "one.private")
    assert call("run", "release.yaml", "-q", "-o", "two", "--previous", "one") == 0
    assert together(place, "two")["smallest"] == 3
    text = (place / "people.csv").read_text()
    (place / "people.csv").write_text(text.replace("a,20", "a,70"))
    assert call("run", "release.yaml", "-o", "three", "--previous", "one") == 3
    assert "told apart by all together" in capsys.readouterr().err
    (place / "people.csv").write_text(text.replace("a,20,x", "a,20,y"))
    assert call("run", "release.yaml", "-o", "three", "--previous", "one") == 2
    assert "other rows than this input" in capsys.readouterr().err


@settings(max_examples=200)
@given(st.lists(st.sampled_from("ab c★"), max_size=12), st.lists(st.booleans(), max_size=12))
def test_positions_give_the_trace(symbols, hidden):
    original = "".join(symbols).replace("★", "d")
    flags = [*hidden, *[False] * len(original)][: len(original)]
    released = "".join(
        "★" if hide else symbol for symbol, hide in zip(original, flags, strict=True)
    )
    trace = alignment._in_step(original, released)
    assert trace.applied(original) == released
    shown = {i for piece in trace.pieces for i in range(piece.start, piece.stop)}
    assert shown == {i for i, hide in enumerate(flags) if hide}


@settings(max_examples=200)
@given(st.lists(st.sampled_from(["a", "b", "c"]), max_size=7), st.data())
def test_what_truly_stands_counts_as_shown_up_to_the_longest(words, draw):
    """No alignment keeps more words than the one taken; its changes stand in order and apart."""
    original = " ".join(words)
    new = [draw.draw(st.sampled_from([word, word, "x", "y z"])) for word in words]
    released = " ".join(new)
    trace = alignment._by_words(original, released)
    lost = sum(piece.stop - piece.start for piece in trace.pieces)
    truly = sum(len(old) for old, now in zip(words, new, strict=True) if old != now)
    assert lost <= truly
    edges = [edge for piece in trace.pieces for edge in (piece.start, piece.stop)]
    assert edges == sorted(edges)
    assert all(0 <= edge <= len(original) for edge in edges)


def test_what_may_stand_unchanged_counts_as_shown(place, capsys):
    """A surrogate that has a word of the original: refused, with the private folder as remedy."""
    rows(place, ["one alpha", "one beta", "one gamma"])
    assert release(place, "one", {"verb": "pseudonymize"}) == 0
    capsys.readouterr()
    assert release(place, "two", {"verb": "suppress", "k": 3}, previous="one") == 3
    assert "put the private folder of one beside it" in capsys.readouterr().err
    assert not (place / "two").exists()
