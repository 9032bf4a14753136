"""Recognisers against their definitions, and the work they do on hostile input."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import sfumato as sf
from oracles import spans as oracle
from sfumato.recognizers import Gazetteer, resolve
from sfumato.recognizers.rules import LANGUAGES, rules
from sfumato.recognizers.scan import Rule, Rules, first_symbols

places = st.builds(
    lambda document, start, length, score: sf.Span(
        document, start, start + length, f"{start}", score
    ),
    st.integers(0, 1),
    st.integers(0, 8),
    st.integers(0, 5),
    st.sampled_from([0.5, 0.9]),
)


@settings(max_examples=200)
@given(st.lists(places, max_size=10))
def test_overlaps_are_resolved_as_defined(spans):
    assert resolve(spans) == oracle.resolve(spans)


@settings(max_examples=200)
@example("ééé éa ", {" éa ": "T", "ééé ": "T"})
@given(
    st.text("ab é-", max_size=14),
    st.dictionaries(st.text("ab é", min_size=1, max_size=4), st.just("T"), max_size=4),
)
def test_listed_terms_are_found_as_defined(text, terms):
    terms = {term: label for term, label in terms.items() if term.strip()}
    # Of two that are equally long, the one that stands first in the text comes first.
    places = sorted(oracle.occurrences(text, terms))
    expected = [sf.Span(0, *place, 0.9) for place in places]
    found = Gazetteer("list", terms)([text])
    assert [(one.start, one.stop) for one in found] == [
        (one.start, one.stop) for one in oracle.resolve(expected)
    ]


@settings(max_examples=200)
@given(st.text("1a é,", max_size=16))
def test_the_first_rule_whose_check_agrees_is_taken(text):
    """The same as trying every rule at every place, going on after each find."""
    tried = (
        Rule("ODD", r"\b[1a]{1,3}\b", lambda found: len(found) % 2 == 1),
        Rule("LIST", r"\b1(?:,[1a]){1,2}\b", lambda found: "a" in found),
        Rule("PAIR", r"\b[1a]{2} ([1a])\b"),
    )
    found = [(one.start, one.stop, one.label) for one in Rules("r", tried)([text])]
    expected, at = [], 0
    while at < len(text):
        for rule in tried:
            match = re.compile(rule.expression, re.ASCII).match(text, at)
            if match is None:
                continue
            start, stop = match.span(match.lastindex or 0)
            bordered = not (
                (at and text[at - 1].isalnum() and text[at].isalnum())
                or (stop < len(text) and text[stop].isalnum() and text[stop - 1].isalnum())
            )
            if bordered and (rule.check is None or rule.check(text[start:stop])):
                expected.append((start, stop, rule.label))
                at = match.end() - 1
                break
        at += 1
    assert found == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_built_in_rules_repeat_nothing_without_bound(language):
    """An open repetition could make a candidate's work grow with the text."""
    for rule in rules(language).rules:
        assert not re.search(r"(?<!\\)[*+](?![^\[]*\])", rule.expression), rule.expression
        assert first_symbols(rule.expression) is not None


HOSTILE = [
    "1 ", "1-", "1.", "a.", "a@", "@", "://", "http://", "éhttp://", "www.", "(1", "+1 1", "12/",
    "A", "Aa ", "Dr. ", "Dr. Aa ", "1 Aa ", "MRN ", "MRN: 1-", "4111 ", "ES11 ", "1:", "a:", "é1 ",
    "C/ A ", "Calle Aa ", "2 de ", "Nombre: ", "Domicilio: A", "Hospital de ", "X1234567 ",
    "\ud800",
]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("piece", HOSTILE, ids=ascii)
def test_work_grows_linearly_on_hostile_input(language, piece):
    """Counted: how many bytes RE2 reads, those that it reads again included."""
    work = {}
    for size in (2_000, 8_000):
        text = (piece * size)[:size]
        recognizer = rules(language)
        counted = Counting(recognizer._find)
        recognizer.__dict__["_find"] = counted
        recognizer([text])
        work[size] = counted.read
    assert work[8_000] <= 6 * work[2_000] + 4_000
    assert work[8_000] <= 100 * 8_000


class Counting:
    """A search that counts the bytes it passes over."""

    def __init__(self, find):
        self.find, self.read = find, 0

    def __call__(self, data, position):
        at, end = self.find(data, position)
        self.read += (end if at >= 0 else len(data)) - position
        return at, end
