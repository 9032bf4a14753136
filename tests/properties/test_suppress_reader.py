"""`suppress` against the reader: releases by the definition, and by verification of its own."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.oracles import reader as oracle

import sfumato as sf
from sfumato.core.errors import CannotBeMet
from sfumato.verification import verify

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
WORDS = ("a", "bb", "be", "cc", "漢", "カナ", "😀")
BETWEEN = (" ", ", ", "  ", "\n", " - ", "; ", " ★ ")


@st.composite
def corpora(draw, most=6, documents=4):
    size = draw(st.integers(1, documents))
    texts = []
    for _ in range(size):
        words = draw(st.lists(st.sampled_from(WORDS), max_size=most))
        gaps = [draw(st.sampled_from(BETWEEN)) for _ in words]
        texts.append("".join(w + g for w, g in zip(words, gaps, strict=True)))
    return texts


@st.composite
def settings_of(draw, size):
    count = draw(st.sampled_from(["occurrences", "documents", "groups"]))
    groups = [draw(st.integers(0, 2)) for _ in range(size)] if count == "groups" else None
    return {
        "count": count,
        "groups": groups,
        "k": draw(st.integers(1, 3)),
        "guess": draw(st.sampled_from([0.5, 1.0, 0.2])),
        "collapse": draw(st.booleans()),
        "strict": draw(st.booleans()),
        "reach": draw(st.sampled_from([None, 1, 2])),
    }


TOKEN = re.compile("[a-z]+|漢|カナ|😀|★")


def tokens(text):
    return [None if one == "★" else one for one in TOKEN.findall(text)]


def as_oracle(texts, options):
    labels = options["groups"]
    if options["count"] == "documents":
        labels = list(range(len(texts)))
    guess = Fraction(repr(options["guess"]))
    return oracle.Reader([*map(tokens, texts)], labels, guess, not options["collapse"])


def starred(text, changes):
    """Which words the release's own list of changes stars."""
    places = [(c.start, c.stop) for c in changes if "★" in c.replacement]
    return tuple(
        any(start <= found.start() < stop for start, stop in places)
        for found in TOKEN.finditer(text)
    )


def released(texts, options, **more):
    try:
        return sf.suppress(texts, **options, **more)
    except CannotBeMet:
        assume(False)


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_a_release_holds_by_definition_and_by_verification(data):
    texts = data.draw(corpora())
    options = data.draw(settings_of(len(texts)))
    release = released(texts, options)
    assert all(verdict.holds for verdict in verify(texts, release))
    reader = as_oracle(texts, options)
    stars = [starred(text, release.changes.of_document(d)) for d, text in enumerate(texts)]
    strict, reach = options["strict"], options["reach"]
    assert oracle.holds(reader, stars, options["k"], strict=strict, reach=reach)
    if not strict:
        cost = sum(
            len(token)
            for document, flags in zip(reader.documents, stars, strict=True)
            for token, flag in zip(document, flags, strict=True)
            if flag and token is not None
        )
        assert cost == oracle.least(reader, options["k"], reach=reach)
        if options["collapse"]:  # a run hides what stands between its words, too
            assert release.loss["suppressed"] >= cost
        else:
            assert release.loss["suppressed"] == cost


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_verification_judges_as_the_definition_does(data):
    """Any words starred: the check says what the oracle says."""
    texts = [text.replace("★", "-") for text in data.draw(corpora())]
    texts = [re.sub(r"\s*[-;,]\s*", " ", text) for text in texts]  # separators are another rule
    options = data.draw(settings_of(len(texts)))
    release = released(texts, options)
    stars, shown = [], []
    for text in texts:
        flags = tuple(data.draw(st.booleans()) for _ in TOKEN.findall(text))
        marks = iter(flags)
        one = options["collapse"]

        def mask(found, marks=marks, one=one):
            return ("★" if one else "★" * len(found[0])) if next(marks) else found[0]

        shown.append(TOKEN.sub(mask, text))
        stars.append(flags)
    planted = replace(release, data=shown)
    expected = oracle.holds(
        as_oracle(texts, options),
        stars,
        options["k"],
        strict=options["strict"],
        reach=options["reach"],
    )
    assert [verdict.holds for verdict in verify(texts, planted)] == [expected]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_several_k_are_nested(data):
    texts = data.draw(corpora(documents=5))
    options = data.draw(settings_of(len(texts)))
    options["k"] = [1, 2, 3]
    releases = released(texts, options)
    before = set()
    for _k, release in sorted(releases.items()):
        assert all(verdict.holds for verdict in verify(texts, release))
        now = {
            (c.document, i)
            for c in release.changes
            if "★" in c.replacement
            for i in range(c.start, c.stop)
            if texts[c.document][i].isalnum()  # between words stands what k share, or a blank
        }
        assert before <= now
        before = now


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_spans_are_starred_with_what_stands_between(data):
    texts = data.draw(corpora())
    options = data.draw(settings_of(len(texts)))
    spans = []
    for d, text in enumerate(texts):
        if text and data.draw(st.booleans()):
            start = data.draw(st.integers(0, len(text) - 1))
            spans.append(sf.Span(d, start, data.draw(st.integers(start + 1, len(text)))))
    release = released(texts, options, spans=spans)
    assert [verdict.holds for verdict in verify(texts, release)] == [True, True]


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_public_texts_and_a_memory_bound(data):
    texts = data.draw(corpora())
    options = data.draw(settings_of(len(texts)))
    public = data.draw(corpora(documents=2))
    release = released(texts, options, public=public)
    assert all(verdict.holds for verdict in verify(texts, release))
    small = released(texts, options, public=public, memory=100)
    assert small.data == release.data
