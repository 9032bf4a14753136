"""Where verification finds listed words: every place that a reader would call one."""

from __future__ import annotations

import pytest

from sfumato.verification.listed_words import listed, occurrences, uncovered, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the café", [(0, 3, "the"), (4, 8, "café")]),
        ("the cafe\u0301", [(0, 3, "the"), (4, 9, "café")]),
        ("e\u0301a b", [(0, 3, "éa"), (4, 5, "b")]),
        ("東京 Tower", [(0, 1, "東"), (1, 2, "京"), (3, 8, "tower")]),
        ("", []),
    ],
)
def test_words_have_the_places_of_the_text_as_given(text, words):
    assert words_of(text) == words


@pytest.mark.parametrize(
    ("between", "is_one"),
    [
        (" ", True),
        (" \n ", True),
        ("\u00ad", True),
        ("-", True),
        (" - ", True),
        (". ", True),
        (" .", False),
        (", ", False),
        ("--", False),
        (".. ", False),
        (" / ", False),
    ],
)
def test_what_may_stand_between_the_words_of_a_phrase(between, is_one):
    text = f"limb{between}pain"
    assert list(occurrences(text, listed(["limb pain"]))) == ([(0, len(text))] if is_one else [])


def test_a_phrase_is_found_from_its_first_word_to_its_last():
    phrases = listed(["limb pain", "limb", "pain clinic"])
    assert list(occurrences("a limb pain clinic", phrases)) == [(2, 6), (2, 11), (7, 18)]
    assert listed([]) is None
    assert listed(None) is None


@pytest.mark.parametrize(
    ("places", "found"),
    [
        ([], (0, 4)),
        ([(0, 4)], (5, 9)),
        ([(3, 5)], (5, 9)),
        ([(4, 5)], (0, 4)),
        ([(5, 9), (0, 1)], None),
        ([(8, 12), (0, 4)], None),
        ([(9, 12), (0, 4)], (5, 9)),
    ],
)
def test_a_listed_word_that_no_place_touches(places, found):
    assert uncovered("pain pain", listed(["pain"]), places) == found


@pytest.mark.parametrize("text", ["Limb  PAIN, a2b_c 7", "x", "limb-pain limb", "_ . -"])
def test_ascii_is_read_as_other_texts_are(text):
    phrases = listed(["limb pain", "limb", "c"])
    assert [*words_of(text), (len(text) + 1, len(text) + 2, "é")] == words_of(f"{text} é")
    assert list(occurrences(text, phrases)) == list(occurrences(f"{text} é", phrases))
