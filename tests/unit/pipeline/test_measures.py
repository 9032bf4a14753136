"""What a run measures: loss from the original to the final text, gold spans, attacks."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from sfumato.cli.app import run
from sfumato.recognizers import recogniser, review


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    notes = (files("sfumato.examples") / "clinic_notes.jsonl").read_bytes()
    (tmp_path / "notes.jsonl").write_bytes(notes)
    texts = [json.loads(line)["text"] for line in notes.splitlines()]
    spans = recogniser("rules-en")(texts)
    (tmp_path / "gold.jsonl").write_bytes(review.write(spans, texts))
    return tmp_path


def figures(place, *stages, **more):
    policy = {
        "version": 1,
        "input": {"path": "notes.jsonl", "columns": ["text"], "person": "patient_id"},
        "stages": list(stages),
        **more,
    }
    (place / "release.yaml").write_text(json.dumps(policy))
    assert run(["run", "release.yaml", "-q", "--overwrite"]) == 0
    return json.loads((place / "release/figures.json").read_text())


PSEUDONYMS = {"verb": "pseudonymize", "dates": "label"}
SUPPRESS = {"verb": "suppress", "k": 5}


def test_gold_spans_are_protected_better_by_both_stages(place):
    gold = {"evaluation": {"gold": "gold.jsonl"}}
    one = figures(place, SUPPRESS, **gold)["evaluation"]["tokens"]["recall"]
    by_type = json.loads((place / "release/figures.json").read_text())["loss_by_entity_type"]
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
    suppressed = json.loads((place / "release/figures.json").read_text())["stages"][0]["loss"]
    assert alone["changed_symbols"] == suppressed["suppressed"]
