"""Copied passages: found as defined, counted once, and judged by code of its own."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.oracles import reader as oracle

import sfumato as sf
from sfumato.core.errors import BadInput, CannotBeMet
from sfumato.kernels.repeats import SuffixIndex
from sfumato.methods.substrings import reader_stars
from sfumato.verification import reader, verify
from sfumato.verification.copies import copied_words

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
WORDS = ("a", "bb", "cc", "dd")
DOCUMENTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=9), min_size=2, max_size=5)
PASSAGE = "Please send all of your letters to me at twelve Pine Street"


def labelled(documents, data):
    people = st.integers(0, 2)
    return data.draw(st.lists(people, min_size=len(documents), max_size=len(documents)))


@settings(max_examples=200, deadline=None)
@given(DOCUMENTS, st.integers(1, 5), st.data())
def test_copied_passages_are_found_as_defined(documents, least, data):
    labels = np.array(labelled(documents, data), np.int32)
    expected = oracle.copied(documents, labels.tolist(), least)
    numbers = {word: i + 1 for i, word in enumerate(WORDS)}
    codes = np.array([c for d in documents for c in (*map(numbers.get, d), 0)], np.uint8)
    ends = np.cumsum([len(d) + 1 for d in documents]) - 1
    found = SuffixIndex(codes).copied(least, labels, ends)
    assert found.tolist() == [flag for flags in expected for flag in (*flags, False)]
    plain = np.array([numbers[word] for document in documents for word in document], np.int64)
    bounds = np.cumsum([len(document) for document in documents])
    checked = copied_words(plain, bounds, labels, least)
    assert checked.tolist() == [flag for flags in expected for flag in flags]


@settings(max_examples=200, deadline=None)
@given(DOCUMENTS, st.integers(2, 3), st.integers(2, 5), st.booleans(), st.data())
def test_a_copied_passage_counts_once(documents, k, least, strict, data):
    texts, groups = [" ".join(one) for one in documents], labelled(documents, data)
    reach = data.draw(st.sampled_from([None, 1, 2]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader_stars, "COPIED", least)
        patch.setattr(reader, "COPIED", least)
        try:
            release = sf.suppress(
                texts, k, groups=groups, strict=strict, reach=reach, copies="once"
            )
        except CannotBeMet:
            assume(False)
        assert verify(texts, release)[0].holds
        stars = [tuple("★" in word for word in text.split()) for text in release.data]
        known = oracle.Reader(documents, groups, Fraction(1, 2), True)
        once = oracle.copied(documents, groups, least)
        judge = {"strict": strict, "reach": reach, "copies": once}
        assert oracle.holds(known, stars, k, **judge)
        planted = [tuple(data.draw(st.booleans()) for _ in document) for document in documents]
        shown = [
            " ".join("★" * len(w) if f else w for w, f in zip(words, flags, strict=True))
            for words, flags in zip(documents, planted, strict=True)
        ]
        verdict = verify(texts, replace(release, data=shown))[0]
        assert verdict.holds == oracle.holds(known, planted, k, **judge)


def test_a_quoted_address_is_reported_and_hidden_on_demand():
    texts = [f"{PASSAGE} {word}" for word in ("today", "now", "soon", "later")]
    texts += ["letters to send", "letters to me", "Pine Street"]
    told = sf.suppress(texts, k=3)
    assert "Pine Street" in told.data[0]
    assert told.loss["legible_in_copies"] > 0.5
    once = sf.suppress(texts, k=3, copies="once")
    assert "Pine" not in once.data[0]
    assert once.loss["legible_in_copies"] == 0
    assert verify(texts, once)[0].holds
    assert not verify(texts, replace(once, data=told.data))[0].holds


def test_what_copies_cannot_be_counted_with():
    for options in ({"count": "occurrences"}, {"guess": None}, {"align": "character"}):
        with pytest.raises(BadInput, match="copies"):
            sf.suppress(["a b", "a b"], k=2, copies="once", **options)
    for k, copies in ((2, "twice"), (1, "once")):
        with pytest.raises(BadInput, match="copies"):
            sf.suppress(["a b", "a b"], k=k, copies=copies)
