"""What a run measures: loss from the original to the final text, gold spans, attacks."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from sfumato.cli.app import run
from sfumato.recognizers import recognizer, review


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    notes = (files("sfumato.examples") / "clinic_notes.jsonl").read_bytes()
    (tmp_path / "notes.jsonl").write_bytes(notes)
    texts = [json.loads(line)["text"] for line in notes.splitlines()]
    spans = recognizer("rules-en")(texts)
    (tmp_path / "gold.jsonl").write_bytes(review.write(spans, texts))
    return tmp_path


def figures(place, *stages, **more):
    policy = {
        "version": 1,
        "publish": "all",
        "input": {"path": "notes.jsonl", "columns": ["text"], "person": "patient_id"},
        "stages": list(stages),
        **more,
    }
    (place / "release.yaml").write_text(json.dumps(policy))
    assert run(["run", "release.yaml", "-q", "--overwrite"]) == 0
    return json.loads((place / "release.private/figures.json").read_text())


PSEUDONYMS = {"verb": "pseudonymize", "dates": "label"}
SUPPRESS = {"verb": "suppress", "k": 5}


def test_gold_spans_are_protected_better_by_both_stages(place):
    gold = {"evaluation": {"gold": "gold.jsonl"}}
    one = figures(place, SUPPRESS, **gold)["evaluation"]["tokens"]["recall"]
    by_type = json.loads((place / "release.private/figures.json").read_text())[
        "loss_by_entity_type"
    ]
    assert 0 < by_type["PERSON"] <= 1
    both = figures(place, PSEUDONYMS, SUPPRESS, **gold)["evaluation"]["tokens"]["recall"]
    assert one < both <= 1


def test_attacks_are_reported_as_numbers(place):
    told = figures(place, PSEUDONYMS, SUPPRESS, attacks=["singling-out-word"])["attacks"]
    assert [one["name"] for one in told] == ["singling-out-word"]
    assert 0 <= told[0]["success"] <= 1


def test_loss_counts_every_symbol_once(place):
    told = figures(place, PSEUDONYMS, SUPPRESS)
    share = told["loss"]["changed_share"]
    assert told["loss_by_column"] == {"text": share}
    assert 0 < share < 1
    alone = figures(place, SUPPRESS)["loss"]
    suppressed = json.loads((place / "release.private/figures.json").read_text())["stages"][0][
        "loss"
    ]
    assert alone["changed_symbols"] == suppressed["suppressed"]


@pytest.mark.parametrize("named", [False, True])
def test_a_folder_of_annotations_is_gold(tmp_path, named):
    """brat's folder: by the names of the texts, or by the documents' numbers."""
    from sfumato.pipeline import policy, run

    notes = tmp_path / "notes"
    notes.mkdir()
    for name in ("a", "b"):
        (notes / f"{name}.txt").write_text(f"Dr. Ho saw patient {name} today.")
    gold = tmp_path / "gold"
    gold.mkdir()
    for number, name in enumerate(("a", "b")):
        file = gold / (f"{name}.ann" if named else f"{number}.ann")
        file.write_text("T1\tPERSON 4 6\tHo\n")
    given = {
        "version": 1,
        "input": {"path": "notes" if named else "notes.jsonl"},
        "stages": [{"verb": "suppress", "k": 2, "hide": "recognized"}],
        "evaluation": {"gold": "gold"},
    }
    if not named:
        given["input"]["columns"] = ["text"]
        texts = [(notes / f"{name}.txt").read_text() for name in ("a", "b")]
        lines = [json.dumps({"text": text}) + "\n" for text in texts]
        (tmp_path / "notes.jsonl").write_text("".join(lines))
    (tmp_path / "release.yaml").write_text(json.dumps(given))
    done = run.run(policy.read(tmp_path / "release.yaml"), output=tmp_path / "out")
    assert done.figures["evaluation"]["entities"]["direct_recall"] == 1.0
