"""What many people write is given back, and counted in the release."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.core.spans import Span
from sfumato.recognizers.give_back import given_back

KEY = "a key of sixteen bytes"
WORDS = ("Rome", "Pisa", "Oslo")


def slow(texts, spans, owners, k):
    """The definition: strings that k owners have as quasi-identifiers, nobody as direct ones."""
    strings = {texts[one.document][one.start : one.stop] for one in spans}
    return {
        string
        for string in strings
        if all(
            one.label != "PERSON"
            for one in spans
            if texts[one.document][one.start : one.stop] == string
        )
        and len(
            {
                owners[one.document]
                for one in spans
                if one.label == "LOCATION" and texts[one.document][one.start : one.stop] == string
            }
        )
        >= k
    }


@given(
    st.lists(
        st.tuples(
            st.sampled_from(WORDS),
            st.sampled_from(("LOCATION", "PERSON", "TIME")),
            st.sampled_from("abc"),
        ),
        max_size=12,
    ),
    st.integers(1, 4),
)
def test_as_defined(rows, k):
    texts = [word for word, _, _ in rows]
    spans = [Span(i, 0, len(word), label) for i, (word, label, _) in enumerate(rows)]
    owners = [owner for *_, owner in rows]
    kept, back = given_back(spans, texts, k, owners)
    strings = {string for _, string in back}
    assert strings == slow(texts, spans, owners, k)
    left = [one for one in spans if one.label != "LOCATION" or texts[one.document] not in strings]
    assert kept == left


def test_pseudonymize_gives_back_and_the_count_is_verified():
    texts = ["went to Rome", "from Rome", "to Rome again", "near Pisa"]
    spans = [Span(0, 8, 12, "LOCATION"), Span(1, 5, 9, "LOCATION")]
    spans += [Span(2, 3, 7, "LOCATION"), Span(3, 5, 9, "LOCATION")]
    groups = ["a", "b", "b", "c"]
    release = sf.pseudonymize(texts, spans, KEY, groups=groups, give_back=2)
    assert list(release.data)[:3] == texts[:3]
    assert "Pisa" not in release.data[3]
    assert all(one.holds for one in sf.verify(texts, release))
    # With three it is nobody's: only two people write it.
    assert "Rome" not in " ".join(
        sf.pseudonymize(texts, spans, KEY, groups=groups, give_back=3).data
    )
    # A release that lost one of them does not hold what it claims.
    spoilt = replace(release, data=["went to Rom", *texts[1:3], release.data[3]])
    judged = {one.claim.name: one.holds for one in sf.verify(texts, spoilt)}
    assert not judged["given-back"]
    # Nor does one that gives back what only one writes, or somebody's name.
    for planted in (("LOCATION", "Pisa"), ("PERSON", "Rome")):
        sides = replace(release.sides, given_back=[*release.sides.given_back, planted])
        judged = {
            one.claim.name: one.holds for one in sf.verify(texts, replace(release, sides=sides))
        }
        assert not judged["given-back"]


@pytest.mark.parametrize(
    ("string", "text", "stands"),
    [
        ("Rome", "to Rome.", True),
        ("Rome", "Romeo", False),
        ("Rome", "xRome", False),
        ("C.", "to C. then", True),
        ("C.", "to C.x", True),  # it ends with no letter: what follows parts it
        ("C.", "to xC.", False),
        (".C", "to .C", True),
        (".C", "to .Cx", False),
        ("-x", "a-x", True),
        ("-x", "-xa", False),
    ],
)
def test_a_string_stands_where_its_words_begin_and_end(string, text, stands):
    """As part of a longer word it is not what was given back."""
    texts = ["in Rome", "to Rome"]
    spans = [Span(i, 3, 7, "LOCATION") for i in range(2)]
    release = sf.pseudonymize(texts, spans, KEY, give_back=2)
    sides = replace(release.sides, given_back=[("LOCATION", string)])
    shown = replace(release, data=[text, text], sides=sides)
    judged = {one.claim.name: one for one in sf.verify(texts, shown)}
    assert judged["given-back"].holds == stands
    if stands:
        assert judged["given-back"].measured == {"fewest": 2}


def test_nothing_was_given_back_and_nothing_is_counted():
    texts = ["Rome", "Pisa"]
    spans = [Span(i, 0, 4, "LOCATION") for i in range(2)]
    release = sf.pseudonymize(texts, spans, KEY, give_back=2)
    (verdict,) = (v for v in sf.verify(texts, release) if v.claim.name == "given-back")
    assert (verdict.holds, verdict.measured) == (True, {})


def test_the_fewest_of_all_strings_is_told():
    texts = ["Rome", "Rome", "Rome", "Pisa", "Pisa"]
    spans = [Span(i, 0, 4, "LOCATION") for i in range(5)]
    for order in (spans, spans[::-1]):
        release = sf.pseudonymize(texts, order, KEY, give_back=2)
        (verdict,) = (v for v in sf.verify(texts, release) if v.claim.name == "given-back")
        assert verdict.measured == {"fewest": 2}


def test_a_name_is_never_given_back():
    texts = ["Rome", "Rome", "Rome"]
    spans = [Span(i, 0, 4, "LOCATION") for i in range(2)] + [Span(2, 0, 4, "PERSON")]
    assert "Rome" not in " ".join(sf.pseudonymize(texts, spans, KEY, give_back=2).data)


def test_generalize_and_anonymize_give_back():
    texts = ["He was in Rome.", "She left Rome.", "They saw Pisa."]
    spans = [Span(0, 10, 14, "LOCATION"), Span(1, 9, 13, "LOCATION"), Span(2, 9, 13, "LOCATION")]
    release = sf.generalize(texts, t=2, words=spans, give_back=2)
    assert list(release.data)[:2] == texts[:2]
    assert "Pisa" not in release.data[2]
    assert all(one.holds for one in sf.verify(texts, release))
    with pytest.raises(BadInput, match="recogniser"):
        sf.generalize(texts, words=["Rome"], give_back=2)
    people = pl.DataFrame({"id": [1, 2, 3, 4], "note": [*texts, "nothing"]})
    schema = {"person": "id", "columns": {"note": {"kind": "text"}}}
    made = sf.anonymize(people, schema, k=2, recognizer=spans, give_back=2)
    assert sum("Rome" in note for note in made.data["note"]) == 2
    assert all(one.holds for one in sf.verify(people, made))


def test_what_is_refused():
    with pytest.raises(BadInput, match="must be 2"):
        sf.pseudonymize(["Rome"], [Span(0, 0, 4, "LOCATION")], KEY, give_back=1)
