"""What a policy would do, and what it does to a sample: nothing is written."""

from __future__ import annotations

import json
import os
from importlib.resources import files

import pytest

from support.commands import call


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    notes = (files("sfumato.examples") / "clinic_notes.jsonl").read_bytes()
    (tmp_path / "notes.jsonl").write_bytes(notes)
    policy = {
        "version": 1,
        "input": {"path": "notes.jsonl", "columns": ["text"], "person": "patient_id"},
        "stages": [{"verb": "pseudonymize"}, {"verb": "suppress", "k": 5}],
    }
    (tmp_path / "release.yaml").write_text(json.dumps(policy))
    return tmp_path


def test_a_plan_tells_steps_time_and_memory(place, capsys):
    before = sorted(os.listdir())
    assert call("run", "release.yaml", "--plan", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [step["name"] for step in told["steps"]] == [
        "stage 1 (pseudonymize of text)",
        "stage 2 (suppress of text)",
    ]
    assert told["seconds"] == sum(step["seconds"] for step in told["steps"]) > 0
    assert told["memory"] > 10**8
    assert call("run", "release.yaml", "--plan") == 0
    assert "substring-k-anonymity" in capsys.readouterr().out
    assert sorted(os.listdir()) == before


def test_a_plan_on_spark_tells_what_is_shuffled(place, capsys):
    """Without Spark: nothing is started, nothing read but sizes."""
    assert call("run", "release.yaml", "--plan", "--json") == 0
    here = json.loads(capsys.readouterr().out)
    assert "on_spark" not in here
    assert call("run", "release.yaml", "--plan", "--engine", "spark", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["on_spark"]["blocks"] == 1
    assert told["on_spark"]["shuffled"] >= 2 * told["bytes"]
    assert told["seconds"] > here["seconds"]
    with open("notes.jsonl", "ab") as notes:  # of a size that is no longer one block's
        notes.truncate(50_000_000)
    assert call("run", "release.yaml", "--plan", "--engine", "spark", "--json") == 0
    larger = json.loads(capsys.readouterr().out)
    assert larger["on_spark"]["blocks"] > 1
    assert larger["on_spark"]["shuffled"] > 10 * larger["bytes"]
    assert call("run", "release.yaml", "--plan", "--engine", "spark") == 0
    assert "MB shuffled" in capsys.readouterr().out


def test_a_sample_takes_people_whole_and_writes_nothing(place, capsys):
    before = sorted(os.listdir())
    assert call("run", "release.yaml", "--sample", "50%", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    people: dict[str, int] = {}
    for line in (place / "notes.jsonl").read_text().splitlines():
        who = json.loads(line)["patient_id"]
        people[who] = people.get(who, 0) + 1
    assert 0 < told["persons"] < len(people)
    assert told["documents"] >= told["persons"]
    assert all(holds for _, holds, _ in told["verdicts"])
    assert call("run", "release.yaml", "--sample", "50%", "--json") == 0
    assert json.loads(capsys.readouterr().out)["persons"] == told["persons"]
    assert sorted(os.listdir()) == before


@pytest.mark.parametrize("share", ["0", "101%", "many", "-1%"])
def test_a_share_that_is_none(place, share, capsys):
    assert call("run", "release.yaml", "--sample", share) == 2
    assert "--sample" in capsys.readouterr().err
