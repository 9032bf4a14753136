"""Policies on files with one event a row: an event is a symbol, or the policy is refused."""

from __future__ import annotations

import csv
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.formats.sequences import EVENTS
from sfumato.pipeline.changed_events import changes_between
from support.commands import call, outcome

PEOPLE = 8
DAY = ["home", "park", "pharmacy", "clinic", "pharmacy", "shop", "home"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"W{who},{place}" for who in range(PEOPLE) for place in DAY]
    (tmp_path / "walks.csv").write_text("\n".join(["walker,place", *rows, ""]), "utf-8")
    (tmp_path / "patterns.txt").write_text("pharmacy clinic pharmacy\n", "utf-8")
    return tmp_path


def policy(folder, unit, form="events"):
    given = {
        "version": 1,
        "publish": "all",
        "input": {"path": "walks.csv", "columns": ["place"], "person": "walker", "format": form},
        "stages": [{"verb": "sanitize", "patterns": "patterns.txt", "unit": unit}],
    }
    (folder / "release.yaml").write_text(json.dumps(given), "utf-8")


@pytest.mark.parametrize("unit", ["character", "token"])
def test_letters_of_events_are_refused(folder, unit):
    policy(folder, unit)
    for command in ("policy check release.yaml", "run release.yaml -o out"):
        done = outcome(command)
        assert done.code == 2
        assert "write unit: event" in done.err
    assert not (folder / "out").exists()


def test_events_of_a_plain_table_are_refused(folder):
    policy(folder, "event", form="csv")
    assert call("run", "release.yaml", "-o", "out") == 2
    assert not (folder / "out").exists()


def test_no_pattern_of_events_is_left(folder):
    policy(folder, "event")
    assert call("policy", "check", "release.yaml") == 0
    assert call("run", "release.yaml", "-o", "out") == 0
    with (folder / "out/data/walks.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for who in range(PEOPLE):
        walked = [row["place"] for row in rows if row["walker"] == f"W{who}"]
        triples = zip(walked, walked[1:], walked[2:], strict=False)
        assert ("pharmacy", "clinic", "pharmacy") not in set(triples)
    assert call("verify", "walks.csv", "out") == 0


def test_what_was_changed_is_counted_by_events(folder, capsys):
    """Before, every letter of a changed day counted as changed."""
    policy(folder, "event")
    assert call("run", "release.yaml", "-o", "out", "--json") == 0
    lost = json.loads((folder / "out.private" / "figures.json").read_bytes())["loss"]
    assert lost["changed_share"] < 0.5


@given(st.lists(st.sampled_from("ab"), min_size=1), st.lists(st.sampled_from("abc"), min_size=1))
def test_changes_of_events_give_the_released_text(old, new):
    before, after = EVENTS.join(old), EVENTS.join(new)
    text, shift = before, 0
    for one in changes_between([before], [after], "sanitize"):
        text = text[: one.start + shift] + one.replacement + text[one.stop + shift :]
        shift += len(one.replacement) - (one.stop - one.start)
    assert text == after
