"""`suppress(knows=m)`: sets of words by the definition, and by verification of its own."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import known

import sfumato as sf
from properties.test_suppress_reader import TOKEN, as_oracle, corpora, released, starred
from sfumato.core.errors import BadInput
from sfumato.verification import verify

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@st.composite
def asked(draw, size):
    count = draw(st.sampled_from(["documents", "groups"]))
    return {
        "count": count,
        "groups": [draw(st.integers(0, 3)) for _ in range(size)] if count == "groups" else None,
        "k": draw(st.integers(1, 3)),
        "guess": draw(st.sampled_from([0.5, 1.0, 0.2])),
        "collapse": draw(st.booleans()),
        "reach": draw(st.sampled_from([None, 1, 2])),
        "knows": draw(st.integers(1, 3)),
        "common": draw(st.sampled_from([0.1, 0.5, 0.9, 1.0, 0.0])),
    }


def holds(texts, options, stars):
    """Words that are legible as read, of each person, and every set of them that is not common."""
    reader = as_oracle(texts, options)
    labels = options["groups"] or list(range(len(texts)))
    shown = {label: set() for label in labels}
    for d, document in enumerate(reader.documents):
        for token, left in zip(document, reader.read(d, stars[d]), strict=True):
            if token is not None and not left:
                shown[labels[d]].add(token)
    return known.words_hold(
        list(shown.values()), options["k"], options["knows"], Fraction(repr(options["common"]))
    )


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_release_holds_by_definition_and_by_verification(data):
    texts = data.draw(corpora(documents=6))
    options = data.draw(asked(len(texts)))
    release = released(texts, options)
    assert [verdict.holds for verdict in verify(texts, release)] == [True, True]
    assert all(verdict.holds for verdict in verify(None, release))
    stars = [starred(text, release.changes.of_document(d)) for d, text in enumerate(texts)]
    assert holds(texts, options, stars)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_verification_judges_as_the_definition_does(data):
    texts = [text.replace("★", "-") for text in data.draw(corpora(documents=6))]
    texts = [re.sub(r"\s*[-;,]\s*", " ", text) for text in texts]
    options = data.draw(asked(len(texts)))
    release = released(texts, options)
    stars, shown = [], []
    for text in texts:
        flags = tuple(data.draw(st.booleans()) for _ in TOKEN.findall(text))
        marks, one = iter(flags), options["collapse"]

        def mask(found, marks=marks, one=one):
            return ("★" if one else "★" * len(found[0])) if next(marks) else found[0]

        shown.append(TOKEN.sub(mask, text))
        stars.append(flags)
    planted = replace(release, data=shown, claims=release.claims[1:])
    assert [verdict.holds for verdict in verify(texts, planted)] == [holds(texts, options, stars)]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_several_k_are_nested_and_each_holds(data):
    texts = data.draw(corpora(documents=6))
    options = data.draw(asked(len(texts))) | {"k": [1, 2, 3], "collapse": False}
    several = released(texts, options)
    for release in several.values():
        assert all(verdict.holds for verdict in verify(texts, release))
    for d in range(len(texts)):
        flags = [starred(texts[d], one.changes.of_document(d)) for one in several.values()]
        for less, more in pairwise(flags):
            assert all(b or not a for a, b in zip(less, more, strict=True))


TRIPS = [*["smokes golf"] * 3, *["smokes opera"] * 3, *["golf opera"] * 3, "smokes golf opera"]


def test_three_words_that_nobody_else_has_together():
    """Each pair has four people, all three words together one: only knows=3 hides one of them."""
    pairs = sf.suppress(TRIPS, k=4, knows=2, common=0.8, reach=1)
    assert pairs.data == TRIPS
    three = sf.suppress(TRIPS, k=4, knows=3, common=0.8, reach=1)
    assert [verdict.holds for verdict in verify(TRIPS, three)] == [True, True]
    assert three.data[-1] != TRIPS[-1]
    planted = replace(three, data=TRIPS)
    verdict = verify(TRIPS, planted)[1]
    assert not verdict.holds
    assert verdict.where == "document 9"
    assert "smokes" not in verdict.reason


@pytest.mark.parametrize(
    "options",
    [
        {"knows": 0},
        {"knows": 9},
        {"knows": True},
        {"knows": 2, "guess": None},
        {"knows": 2, "strict": False},
        {"knows": 2, "count": "occurrences"},
        {"knows": 2, "align": "character"},
        {"knows": 2, "common": 1.5},
        {"knows": 2, "common": 0.12345678},
        {"common": -0.1},
    ],
)
def test_what_cannot_be_asked_is_refused(options):
    with pytest.raises(BadInput):
        sf.suppress(TRIPS, k=2, **options)
