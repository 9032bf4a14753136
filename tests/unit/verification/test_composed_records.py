"""Claims of `anonymize` judged after later changes of its texts, made by hand."""

from __future__ import annotations

import re

import polars as pl
import pytest

import sfumato as sf
from sfumato.core.spans import Change
from sfumato.verification.composed_records import _Reading, judge_table
from sfumato.verification.trace import Trace

pytestmark = pytest.mark.filterwarnings("ignore")
SCHEMA = {
    "person": "who",
    "person_number": False,
    "columns": {"age": {"kind": "number"}, "note": {"kind": "text"}},
}
NOTES = ["Saw Ulm today.", "Was in Ulm.", "Saw Rom and Ulm.", "Left Rom for Ulm."]


def towns(texts, *_, **__):
    return [
        sf.Span(i, found.start(), found.end(), "LOCATION")
        for i, text in enumerate(texts)
        for found in re.finditer("Ulm|Rom", text)
    ]


@pytest.fixture(scope="module")
def released():
    table = pl.DataFrame({"who": list("abcd"), "age": [30, 31, 60, 61], "note": NOTES})
    release = sf.anonymize(table, SCHEMA, 2, recognizer=towns, shuffle=False, key=b"k" * 16)
    assert release.data["note"].to_list() == NOTES  # each class shares its towns
    return table, release


def judged(released, changes, stars="", masks=""):
    """Whether both claims hold where some texts were changed: row, word, what stands there now."""
    table, release = released
    traces = [Trace() for _ in NOTES]
    for row, word, new in changes:
        at = NOTES[row].index(word)
        traces[row] = Trace().then([Change(0, at, at + len(word), new, "")])
    return [one.holds for one in judge_table(table, release, {"note": traces}, stars, masks)]


def test_nothing_changed_is_judged_as_it_is(released):
    table, release = released
    verdicts = judge_table(table, release, {"note": [Trace() for _ in NOTES]})
    assert all(one.holds for one in verdicts)
    assert [one.claim for one in verdicts] == list(release.claims)
    changed = judge_table(
        table, release, {"note": [Trace().then([Change(0, 0, 3, "★★★", "")]), *[Trace()] * 3]}
    )
    assert [one.claim for one in changed] != list(release.claims)  # said of what is left


def test_a_town_that_all_of_a_class_lose_is_no_loss_of_the_claim(released):
    assert all(judged(released, [(0, "Ulm", "★★★"), (1, "Ulm", "★")], stars="★"))


def test_a_town_of_one_of_a_class_that_becomes_another_is_found(released):
    assert not all(judged(released, [(0, "Ulm", "Bonn")]))
    assert all(judged(released, [(0, "Ulm", "Bonn"), (1, "Ulm", "Bonn")]))


def test_a_town_of_one_of_a_class_that_shows_a_part_is_found(released):
    assert not all(judged(released, [(0, "Ulm", "*lm")], masks="*"))
    assert all(judged(released, [(0, "Ulm", "*lm"), (1, "Ulm", "*lm")], masks="*"))
    assert not all(judged(released, [(0, "Ulm", "*lm"), (1, "Ulm", "U*m")], masks="*"))


def test_what_is_starred_shows_no_more_than_a_type(released):
    """As if it were hidden: whoever still shows the town is alone with it."""
    hidden = judged(released, [(0, "Ulm", "★★★")], stars="★")
    masked = judged(released, [(0, "Ulm", "***")], masks="*")
    assert hidden == masked == [False, True]


READING = {
    "starred": ("Ulm", "U★m", None),
    "a star that stood there": ("U★m", "U★m", "U★m"),
    "masked": ("Ulm", "***", None),
    "nothing left": ("Ulm", "", None),
    "in part": ("Ulm", "U*m", "U★m"),
    "another": ("Ulm", "Bonn", "Bonn"),
}


@pytest.mark.parametrize("name", READING)
def test_what_a_mention_shows(name):
    old, new, shown = READING[name]
    assert _Reading(0, old, old, Trace(), "★", "*")._legible(old, new) == shown


def test_an_entity_type_stays_one_whatever_is_made_of_it():
    before, left = "Saw Ulm.", "Saw location."
    typed = Change(0, 4, 7, "location", "LOCATION")
    later = Trace().then([Change(0, 4, 12, "thing", "")])
    reading = _Reading(0, before, left, later, "★", "*")
    assert reading.of([typed], [(4, 7, "LOCATION")]) == [typed]
    other = Change(0, 4, 7, "Rom", "LOCATION")
    later = Trace().then([Change(0, 4, 7, "Bonn", "")])
    reading = _Reading(0, before, "Saw Rom.", later, "★", "*")
    (found,) = reading.of([other], [(4, 7, "LOCATION")])
    assert (found.start, found.stop, found.replacement) == (4, 7, "Bonn")
