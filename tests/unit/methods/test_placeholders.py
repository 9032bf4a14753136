"""What a reader sees of hidden terms: placeholders, and articles that tell nothing of them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import polars as pl
import pytest

import sfumato as sf
from sfumato.core.spans import Changes
from unit.methods.tables import described, spans, table, verified

anonymize = partial(sf.anonymize, shuffle=False)
NOTE = described(note={"kind": "text"})
PEOPLE = ["She met an Irish nurse in the ward.", "She met a Danish nurse in the ward."]


def hidden(texts: list[str], *pairs: tuple[str, str]) -> tuple[pl.DataFrame, sf.Release]:
    frame = table(note=texts)
    given = {**NOTE, "entities": {label: "quasi" for _, label in pairs}}
    release = anonymize(frame, given, k=2, recognizer=spans(texts, *pairs))
    return frame, verified(frame, release)


def test_articles_are_those_of_the_placeholder():
    frame, release = hidden(PEOPLE, ("Irish", "NORP"), ("Danish", "NORP"))
    assert release.data["note"].to_list() == ["She met a [NORP] nurse in the ward."] * 2
    unstated = replace(release, changes=Changes.of())
    assert all(one.holds for one in sf.verify(frame, unstated))


@pytest.mark.parametrize("stated", [True, False])
def test_an_article_that_tells_the_first_sound_is_refused(stated):
    frame, release = hidden(PEOPLE, ("Irish", "NORP"), ("Danish", "NORP"))
    texts = ["She met an [NORP] nurse in the ward.", release.data["note"][1]]
    kept = [one for one in release.changes if one.reason != "article"]
    planted = replace(
        release,
        data=release.data.with_columns(note=pl.Series(texts)),
        changes=Changes.of(kept if stated else []),
    )
    verdict = next(one for one in sf.verify(frame, planted) if not one.holds)
    assert "article" in verdict.reason


@pytest.mark.parametrize(
    ("text", "term", "shown"),
    [
        ("An Oslo clinic in the north.", "Oslo", "A [GPE] clinic in the north."),
        ("The note of an 'Oslo' clinic.", "Oslo", "The note of a '[GPE]' clinic."),
        ("A Bonn clinic in the north.", "Bonn", "A [GPE] clinic in the north."),
        ("AN OSLO CLINIC IN THE NORTH", "OSLO", "A [GPE] CLINIC IN THE NORTH"),
        (
            "Das ist ein Brief an Oslo und an alle.",
            "Oslo",
            "Das ist ein Brief an [GPE] und an alle.",
        ),
        (
            "El viernes se fue a Oslo con su madre.",
            "Oslo",
            "El viernes se fue a [GPE] con su madre.",
        ),
        ("They said pan Oslo was in the north.", "Oslo", "They said pan [GPE] was in the north."),
    ],
)
def test_articles_in_their_place(text, term, shown):
    _, release = hidden([text, "nothing of it"], (term, "GPE"))
    assert release.data["note"][0] == shown


def test_an_article_before_a_label_that_takes_an():
    _, release = hidden(["It was a Siemens device in the ward.", "no"], ("Siemens", "ORG"))
    assert release.data["note"][0] == "It was an [ORG] device in the ward."


def test_articles_before_recoded_cells():
    texts = ["Seen was an 84 year old man.", "Seen was a 36 year old man."]
    frame = table(age=[84, 36], note=texts)
    schema = described(age={"kind": "number", "entities": ["AGE"]}, note={"kind": "text"})
    for found in (
        spans(texts, ("84", "AGE"), ("36", "AGE")),
        [sf.Span(0, 9, 23, "AGE"), sf.Span(1, 9, 22, "AGE")],
    ):
        release = verified(frame, anonymize(frame, schema, k=2, recognizer=found))
        assert release.data["note"].to_list() == ["Seen was a [36-84] year old man."] * 2


def test_a_text_that_has_a_placeholder_already_shows_nothing_by_it():
    frame = table(note=["seen by [PERSON] here", "seen by Ann here"])
    found = spans(frame["note"].to_list(), ("[PERSON]", "PERSON"), ("Ann", "PERSON"))
    release = verified(frame, anonymize(frame, NOTE, k=2, recognizer=found))
    assert release.data["note"].to_list() == ["seen by [PERSON] here"] * 2


def test_other_forms_of_a_placeholder_are_terms():
    frame, release = hidden(["in Bonn", "in Ulm"], ("Bonn", "GPE"), ("Ulm", "GPE"))
    planted = pl.Series(["in [Gpe]", "in [GPE]"])
    release = replace(release, data=release.data.with_columns(note=planted), changes=Changes.of())
    assert not all(one.holds for one in sf.verify(frame, release))
