"""A document is one story: names that were found once, in all their forms."""

from __future__ import annotations

import pytest

import sfumato as sf
from sfumato import BadInput, Span
from sfumato.recognizers import recognizer, spans_of
from sfumato.recognizers.names import USUAL, Names, english
from sfumato.recognizers.story import follow

NAME = "Edwin J. Marlow"


def followed(rest, name=NAME, label="PERSON", score=1.0):
    text = f"{name}; {rest}"
    spans = [Span(0, 0, len(name), label, score)]
    found = follow([text], spans, english().lexicon, USUAL)
    return [text[span.start : span.stop] for span in found[1:]]


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("then Marlow left", ["Marlow"]),
        ("ask Mr. Marlow", ["Marlow"]),
        ("MARLOW'S file", ["MARLOW"]),
        ("Marlow’s file", ["Marlow"]),
        ("EDWIN MARLOW came", ["EDWIN MARLOW"]),
        ("E. Marlow, Marlow, E. and E. J. Marlow", ["E. Marlow", "Marlow, E", "E. J. Marlow"]),
        ("signed E.J.M. and EJM", ["E.J.M", "EJM"]),
        ("emarlow@mail.org, edwin.marlow, marlow73", ["emarlow", "edwin.marlow", "marlow73"]),
        ("@EdwinMarlow edwinm", ["EdwinMarlow", "edwinm"]),
        ("the marlower and a marl and Marlowton", []),
        ("a letter E. and J. alone", []),
    ],
)
def test_forms_of_a_name(rest, expected):
    assert followed(rest) == expected


def test_usual_words_need_a_title_or_another_part():
    found = followed("Will you ask Mr. Young? Will Young will. Young people.", "Will Young")
    assert found == ["Young", "Will Young"]


@pytest.mark.parametrize(("label", "score"), [("LOCATION", 1.0), ("PERSON", 0.5)])
def test_only_certain_people_are_followed(label, score):
    assert followed("then Marlow left", label=label, score=score) == []


def test_with_groups_a_persons_texts_are_one_story():
    texts = ["Edwin Marlow came.", "asked marlow again", "asked marlow again"]
    spans = [Span(0, 0, 12, "PERSON")]
    found = follow(texts, spans, english().lexicon, USUAL, ["a", "a", "b"])
    assert [(span.document, span.start) for span in found] == [(0, 0), (1, 6)]
    with pytest.raises(BadInput, match="one for each of the 3 texts"):
        follow(texts, spans, english().lexicon, USUAL, ["a"])


def test_names_en_and_verbs_follow_names():
    texts = ["Please call Agnieszka Varnedoe tomorrow.", "We have none of the varnedoe tables."]
    assert [s.document for s in Names()(texts)] == [0]
    for find in (recognizer("names-en"), "en", recognizer("en", "rules-es")):
        found = spans_of(find, texts, None, ["p", "p"])
        assert (1, 20, 28) in {(s.document, s.start, s.stop) for s in found}
    assert not [s for s in Names(story=False)(texts, None, ["p", "p"]) if s.document == 1]
    release = sf.pseudonymize(texts, "names-en", key="a key of sixteen bytes", groups=["p", "p"])
    assert "varnedoe" not in release.data[1].lower()


def test_a_recogniser_that_takes_texts_alone_is_called_so():
    assert spans_of(lambda texts: [Span(0, 0, 3, "PERSON")], ["Ann Ho"], None, ["a"])[0].stop == 3
