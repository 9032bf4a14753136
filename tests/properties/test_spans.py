"""Listed spans in every verb: what is claimed of them holds, and what breaks it is rejected."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.errors import CannotBeMet

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

TEXTS = st.lists(st.text("ab -é", max_size=10), min_size=2, max_size=4)


@st.composite
def texts_and_spans(draw):
    texts = draw(TEXTS)
    spans = []
    for document, text in enumerate(texts):
        for _ in range(draw(st.integers(0, 2)) if text else 0):
            start = draw(st.integers(0, len(text) - 1))
            stop = draw(st.integers(start + 1, len(text)))
            spans.append(sf.Span(document, start, stop, "PERSON"))
    return texts, spans


@settings(max_examples=200)
@given(
    texts_and_spans(),
    st.sampled_from([1, 2, [1, 2]]),
    st.sampled_from(["character", "grapheme", "word"]),
    st.sampled_from(["word", "character"]),
    st.sampled_from(["fewest", "longest-first", "word", "word-and-repeats"]),
    st.booleans(),
    st.booleans(),
    st.sampled_from([None, " -"]),
    st.sampled_from([None, 1]),
)
def test_suppress(given_texts, k, unit, align, cover, strict, collapse, keep, memory):
    texts, spans = given_texts
    strict = strict and not cover.startswith("word")
    keep = None if unit == "word" else keep
    options = {"unit": unit, "align": align, "cover": cover, "strict": strict, "keep": keep}
    options |= {"collapse": collapse, "memory": memory}
    found = sf.suppress(texts, k, spans=spans, **options)
    for release in found.values() if isinstance(found, dict) else [found]:
        verdicts = sf.verify(texts, release)
        assert verdicts[-1].claim.name == "spans-hidden"
        assert all(verdict.holds for verdict in verdicts)
        for number, (text, released) in enumerate(zip(texts, release.data, strict=True)):
            here = [span for span in release.sides.spans if span[0] == number]
            if not collapse:
                assert all(released[i] == "★" for _, a, b in here for i in range(a, b))
                for _, start, _ in here:  # one symbol shown again is found
                    spoilt = released[:start] + text[start] + released[start + 1 :]
                    data = [*release.data[:number], spoilt, *release.data[number + 1 :]]
                    assert not sf.verify(texts, replace(release, data=data))[-1].holds


@settings(max_examples=200)
@given(texts_and_spans(), st.booleans(), st.sampled_from([1, 2]))
def test_redact(given_texts, whole_words, k):
    texts, spans = given_texts
    half = len(spans) // 2
    terms = ["a", "b", "ab", "ba", "é", *spans[:half]]
    direct = ["aab", *spans[half:]]
    try:
        release = sf.redact(texts, terms, k, direct=direct, whole_words=whole_words)
    except CannotBeMet:  # too few terms share the mark of places where they overlap
        assert k > 1
        return
    assert all(verdict.holds for verdict in sf.verify(texts, release))
    for document, start, stop in release.sides.spans or ():
        changed = [
            (change.start, change.stop)
            for change in release.changes.of_document(document)
            # where too few terms could stand, one mark covers the place and what is around it
            if change.reason == "direct identifier" or "too few terms" in change.reason
        ]
        covered = {i for low, high in changed for i in range(low, high)}
        inside = texts[document][start:stop]
        shown = range(start + len(inside) - len(inside.lstrip()), start + len(inside.rstrip()))
        assert covered.issuperset(shown)
    for number, text in enumerate(texts):
        for _, start, stop in (one for one in release.sides.spans or () if one[0] == number):
            same_length = len(release.data[number]) == len(text)
            if release.data[number] == text or not same_length or not text[start:stop].strip():
                continue
            spoilt = release.data[number][:start] + text[start:stop] + release.data[number][stop:]
            data = [*release.data[:number], spoilt, *release.data[number + 1 :]]
            verdicts = sf.verify(texts, replace(release, data=data))
            assert not all(verdict.holds for verdict in verdicts)


@settings(max_examples=200)
@given(texts_and_spans())
def test_sanitize(given_texts):
    texts, spans = given_texts
    listed = {texts[span.document][span.start : span.stop] for span in spans}
    release = sf.sanitize(texts, spans, collection=True, method="tfs")
    assert all(verdict.holds for verdict in sf.verify(texts, release))
    assert set(release.sides.patterns) <= listed


@settings(max_examples=100)
@given(texts_and_spans(), st.integers(0, 3), st.integers(0, 9))
def test_pseudonymize(given_texts, document, place):
    texts, spans = given_texts
    release = sf.pseudonymize(texts, spans, key="a key of sixteen bytes")
    assert all(verdict.holds for verdict in sf.verify(texts, release))
    number = document % len(texts)
    text = texts[number]
    inside = [one for one in release.sides.spans if one[0] == number]
    if inside or not text:
        return
    spoilt = text[: place % len(text)] + "X" + text[place % len(text) + 1 :]
    data = [*release.data[:number], spoilt, *release.data[number + 1 :]]
    assert not sf.verify(texts, replace(release, data=data))[-1].holds


def test_generalize_changes_spans_alone_and_masks_what_it_does_not_know():
    texts = ["Ann (Xyzzy-9) has cancer, and Bob has cancer.", "(Xyzzy-9)"]
    spans = [sf.Span(0, 4, 13, "MRN"), sf.Span(0, 18, 24, "DIAGNOSIS"), sf.Span(1, 0, 9, "MRN")]
    release = sf.generalize(texts, t=4, words=spans)
    assert all(verdict.holds for verdict in sf.verify(texts, release))
    assert release.data[0].startswith("Ann ★ has ")
    assert release.data[0].endswith(" and Bob has cancer.")
    assert release.data[1] == "★"
    without = replace(release.sides, marks=None)
    for record in (release, replace(release, sides=without)):  # with and without marks
        assert all(verdict.holds for verdict in sf.verify(texts, record))
        for data in (
            [texts[0], release.data[1]],
            [release.data[0], texts[1]],
            [release.data[0].replace("Bob has cancer", "Bob has illness"), "★"],
        ):
            assert not all(one.holds for one in sf.verify(texts, replace(record, data=data)))


def test_recognizers_name_the_spans():
    notes = ["Dr. Ann Ho has flu.", "Dr. Ann Ho has flu."]
    assert sf.suppress(notes, 2, spans="rules-en").data == ["★★★★★★★★★★ has flu."] * 2
    release = sf.suppress(notes, 2, spans=lambda texts: [sf.Span(0, 4, 10, "PERSON")])
    assert release.data == ["Dr. ★★★★★★ has flu.", notes[1]]
    with pytest.raises(sf.BadInput):
        sf.suppress(notes, 2, spans=lambda texts: ["Ann"])
    with pytest.raises(sf.BadInput):
        sf.suppress(notes, 2, strict=True, cover="word", spans=[])


def test_strict_goes_on_where_a_kept_symbol_lies_in_a_span():
    texts = ["aaa-a", "b"]
    release = sf.suppress(texts, 2, spans=[sf.Span(0, 0, 4)], keep="-", strict=True)
    assert release.data == ["★★★★★", "★"]
    assert all(verdict.holds for verdict in sf.verify(texts, release))
