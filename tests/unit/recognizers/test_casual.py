"""English as it is spoken, typed in a hurry or machine-read; where addresses end."""

from __future__ import annotations

import pytest

from sfumato.recognizers import recognizer


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("then mrs hallorann called", ["mrs hallorann"]),
        ("mr and mrs were out", []),
        ("Puan Aminah binti Yusof signed.", ["Puan Aminah binti Yusof"]),
        ("the one known as “Badger” ran", ["Badger"]),
        ("born the ninth of august nineteen sixty one", ["ninth of august nineteen sixty one"]),
        ("we moved in november", ["november"]),
        ("she's eighty four and well", ["eighty four"]),
        ("a baker, 52, from the coast", ["52"]),
        ("rows 7, 52, and 60", []),
        ("stopped (M/B/31) at noon", ["31"]),
        ("go to 18 alder close now", ["18 alder close"]),
        ("it is twenty one elm grove road", ["twenty one elm grove road"]),
        ("two people in the street", []),
        ("a 5 minute drive from here", []),
        ("Tel. (4l7) 555-O198 today", ["(4l7) 555-O198"]),
        ("service number is RB 20 417 993.", ["RB 20 417 993"]),
        ("member ID K7712 44809 02 is his", ["K7712 44809 02"]),
        ("He lives at 12 Oak Street. The dog barked.", ["12 Oak Street"]),
        ("The shop at 5 Main St. was closed.", ["5 Main St"]),
        (
            "Go to 77 Elm Ave., Springfield, IL 62704. Thanks.",
            ["77 Elm Ave., Springfield, IL 62704"],
        ),
    ],
)
def test_rules(text, found):
    assert [text[one.start : one.stop] for one in recognizer("rules-en")([text])] == found


def test_an_address_of_the_tagger_ends_with_its_sentence():
    text = "Please send it to 14 Via Garibaldi, 16124 Genova. Grazie mille."
    ends = [one.stop for one in recognizer("en")([text]) if one.label == "ADDRESS"]
    assert text.index(". Grazie") in ends
