"""Verification of `generalize`: releases that would hold under a weaker reading are rejected."""

from __future__ import annotations

from dataclasses import replace

import pytest

import sfumato as sf
from sfumato.core.spans import Change, Changes

NOTE, WORDS = "Uses marijuana for phantom limb pain", ["marijuana", "phantom limb pain"]
OFTEN = {"marijuana": 20.0, "phantom limb pain": 20.0}


def plausible(**more):
    return sf.generalize(NOTE, 10, words=WORDS, guarantee="plausible", **more)


def weighed():
    with pytest.warns(UserWarning, match="frequencies measures"):
        return plausible(frequencies=OFTEN)


def test_base_values_that_are_unlikely_count_less():
    """As many values as t, of which one is nearly certain: the entropy is too low."""
    often = weighed()
    assert sf.verify(NOTE, often)[0].holds
    plain = plausible()
    assert plain.data != often.data
    planted = replace(
        often,
        data=plain.data,
        changes=plain.changes,
        sides=replace(often.sides, marks=plain.sides.marks),
    )
    assert not sf.verify(NOTE, planted)[0].holds


def test_frequencies_that_are_missing_are_noticed():
    often = weighed()
    lacking = replace(often, sides=replace(often.sides, frequencies=None))
    verdict = sf.verify(NOTE, lacking)[0]
    assert (verdict.holds, verdict.reason) == (False, "the frequencies of the claim are missing")


@pytest.mark.parametrize("t", [2, 10])
def test_what_is_measured_is_the_entropy(t):
    release = sf.generalize(NOTE, t, words=WORDS, guarantee="plausible")
    measured = sf.verify(NOTE, release)[0].measured
    assert measured["log2_base_texts"] == pytest.approx(release.loss["log2_base_texts"])
    assert measured["log2_without_hyponyms"] == pytest.approx(release.loss["log2_without_hyponyms"])
    assert measured["meanings"] == 2


@pytest.mark.parametrize(("start", "stop", "word"), [(0, 2, "It"), (3, 6, "was")])
def test_changes_of_a_text_that_stays_are_judged(start, stop, word):
    """A text without marked words is left out of the count, unless the record says otherwise."""
    texts = ["Had a cough.", "It was so."]
    release = sf.generalize(texts, t=2)
    assert sf.verify(texts, release)[0].holds
    more = Changes.of([*release.changes, Change(1, start, stop, word, "one of 9 base values")])
    assert not sf.verify(texts, replace(release, changes=more))[0].holds


def test_a_text_without_marked_words_may_not_change():
    texts = ["Had a cough.", "It was so."]
    release = sf.generalize(texts, t=2)
    planted = replace(release, data=[release.data[0], "It is so."])
    assert not sf.verify(texts, planted)[0].holds
