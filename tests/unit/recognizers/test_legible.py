"""Texts as they are seen: what hides a name or a number from rules is read through."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.legible import seen as slowly_seen
from sfumato import Span
from sfumato.recognizers import recognizer
from sfumato.recognizers.legible import _alike, _plain, _seen, _symbols, _turned, legible

ODD = "ab A\u00ad\u200b\u202e\u202c\u2060\u00a0\u2011\u0301\uff21\u0430\n1\u2013\U0001d400\x00"


@given(st.lists(st.text(ODD, max_size=20), max_size=4))
def test_every_symbol_that_is_seen_has_its_place(texts):
    read = legible(texts)
    assert len(read.texts) == len(texts)
    for number, (text, shown) in enumerate(zip(texts, read.texts, strict=True)):
        if number not in read.places:  # symbol by symbol
            pairs = list(zip(text, shown, strict=True))
            assert all(one == other for one, other in pairs if one.isascii())
            assert read.back([Span(number, 0, 1, "X")]) == [Span(number, 0, 1, "X")]
            continue
        starts, stops = read.places[number]
        assert len(starts) == len(stops) == len(shown)
        taken = [at for a, b in zip(starts, stops, strict=True) for at in range(a, b)]
        assert len(set(taken)) == len(taken)
        assert all(0 <= at < len(text) for at in taken)
        for i, (start, stop) in enumerate(zip(starts, stops, strict=True)):
            span = read.back([Span(number, i, i + 1, "X")])[0]
            assert (span.start, span.stop) == (start, stop)
            # What is plain stays what it is.
            if text[start].isascii() and stop == start + 1:
                assert shown[i] == text[start]


@given(st.text("abc XYZ.,\n0é京", max_size=30))
def test_usual_texts_are_themselves(text):
    assert legible([text]).texts == [text]
    assert not legible([text]).places


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("Please call Ma\u00adria Jen\u200bsen today.", ["Ma\u00adria Jen\u200bsen"]),
        ("Please call M\u0430ria J\u0435nsen today.", ["M\u0430ria J\u0435nsen"]),
        ("Please call \u202enesneJ airaM\u202c today.", ["nesneJ airaM"]),
        ("Mail ann\u200b@\u200bexample.org now", ["ann\u200b@\u200bexample.org"]),
        ("SSN 123\u201145\u20116789 is his", ["123\u201145\u20116789"]),
        ("card 4111\u00a01111\u00a01111\u00a01111 ok", ["4111\u00a01111\u00a01111\u00a01111"]),
        ("call 713\u2013524\u20139968 ok", ["713\u2013524\u20139968"]),
        ("call 713-\u200b524-9968 ok", ["713-\u200b524-9968"]),
        ("Please call \uff21nn\uff41 Jensen today.", ["\uff21nn\uff41 Jensen"]),
        ("Please ask Jose\u0301 Garci\u0301a today.", ["Jose\u0301 Garci\u0301a"]),
        ("Dr.\u00a0Edwin\u00a0Marlow came.", ["Edwin\u00a0Marlow"]),
    ],
)
def test_what_hides_names_and_numbers_is_read_through(text, hidden):
    covered = [False] * len(text)
    for span in recognizer("en")([text]):
        covered[span.start : span.stop] = [True] * (span.stop - span.start)
    for one in hidden:
        at = text.index(one)
        assert all(covered[at : at + len(one)]), one


def test_other_languages_read_so_as_well():
    text = "Frau Mei\u00ader rief an: 4111\u00a01111\u00a01111\u00a01111"
    found = [text[span.start : span.stop] for span in recognizer("de")([text])]
    assert found == ["Frau Mei\u00ader", "4111\u00a01111\u00a01111\u00a01111"]


@given(st.text(ODD + "e\u0323\u0302\u0416", max_size=40))
def test_what_is_seen_is_what_symbols_one_by_one_say(text):
    symbols = _symbols(text)
    plain = {one: _plain(one) for one in symbols}
    shown, starts, stops = slowly_seen(text, plain)
    for read in (_seen, _turned):
        fast, first, last = read(text, symbols)
        assert (fast, first.tolist(), last.tolist()) == (_alike(shown), starts, stops)
