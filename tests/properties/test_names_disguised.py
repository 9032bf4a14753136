"""Names in other clothes: hidden characters, other letters, any case, line breaks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.recognizers import recognizer

NAMES = (
    *("Maria Jensen", "Edwin Marlow", "Priya Ramanathan", "Oluwaseun Adebayo", "Kacper Wójcik"),
    *("Yuki Tanaka", "Fatima al-Sayed", "Siobhán O'Neill", "Jean-Luc Moreau", "Nguyen Van Minh"),
)
CARRIERS = (
    "Please call {} today, it is urgent.",
    "Dr. {} saw the patient in the afternoon.",
    "The letter was signed by {} and sent on.",
    "Yesterday {} told us about the new house.",
)
UNSEEN = "\u00ad\u200b\u200c\u200d\u2060\ufeff\u180e"
WIDE = {ord("A") + i: 0xFF21 + i for i in range(26)} | {ord("a") + i: 0xFF41 + i for i in range(26)}
BOLD = {ord("A") + i: 0x1D400 + i for i in range(26)}
BOLD |= {ord("a") + i: 0x1D41A + i for i in range(26)}
ALIKE = str.maketrans("aeopcxAEOPCTX", "аеорсхАЕОРСТХ")
FIND = recognizer("en")


def uncovered(text: str, name: str) -> str:
    """The letters of a name that nothing covers."""
    mask = [False] * len(text)
    for span in FIND([text]):
        mask[span.start : span.stop] = [True] * (span.stop - span.start)
    at = text.index(name)
    return "".join(text[i] for i in range(at, at + len(name)) if text[i].isalpha() and not mask[i])


names, carriers = st.sampled_from(NAMES), st.sampled_from(CARRIERS)


@settings(max_examples=60, deadline=None)
@given(names, carriers, st.data())
def test_what_is_not_seen_hides_no_name(name, carrier, data):
    places = data.draw(st.lists(st.integers(1, len(name) - 1), min_size=1, max_size=6))
    hidden = name
    for place in sorted(set(places), reverse=True):
        hidden = hidden[:place] + data.draw(st.sampled_from(UNSEEN)) + hidden[place:]
    assert uncovered(carrier.format(hidden), hidden) == ""


@settings(max_examples=60, deadline=None)
@given(names, carriers, st.sampled_from([WIDE, BOLD, ALIKE]), st.data())
def test_other_letters_that_look_alike_hide_no_name(name, carrier, letters, data):
    chosen = data.draw(st.sets(st.integers(0, len(name) - 1), min_size=1))
    if letters is ALIKE:  # a word of two alphabets: one whole in Cyrillic is a Cyrillic word
        chosen = {i for i in chosen if i and name[i - 1].isascii() and name[i - 1].isalpha()}
        chosen = {i for i in chosen if i - 1 not in chosen}
    dressed = "".join(x.translate(letters) if i in chosen else x for i, x in enumerate(name))
    assert uncovered(carrier.format(dressed), dressed) == ""


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("name", NAMES)
def test_a_line_break_hides_no_name(name, carrier):
    for gap in ("\n", "\r\n", " \n", "\n  ", "\u2028", "\u00a0"):
        broken = name.replace(" ", gap)
        assert uncovered(carrier.format(broken), broken) == "", repr(gap)


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("name", NAMES)
def test_capitals_hide_no_name(name, carrier):
    assert uncovered(carrier.format(name.upper()), name.upper()) == ""
    assert uncovered(carrier.format(name).upper(), name.upper()) == ""


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("name", NAMES)
def test_small_letters_hide_no_name(name, carrier):
    assert uncovered(carrier.format(name).lower(), name.lower()) == ""


def test_what_nothing_covers_is_told():
    assert uncovered("We ate soup and bread.", "soup") == "soup"
