"""`suppress` against the definition, in every counting mode, alignment and option."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from oracles import substrings as oracle

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

corpora = st.lists(st.text("ab ", max_size=7), min_size=1, max_size=4)
aligns = st.sampled_from(["word", "character"])


def suppress(*arguments, **options):
    """Every star counts, as in the paper; against a reader: test_suppress_reader.py."""
    return sf.suppress(*arguments, guess=None, **options)


def enough(k, texts, labels):
    """As many as there are of what is counted, if they are fewer than k."""
    return min(k, sum(map(len, texts)) or 1) if labels is None else min(k, len(set(labels)))


def stars(texts):
    return sum(text.count("★") for text in texts)


def same_but_for_stars(before, after):
    return all(
        len(b) == len(a) and all(y in (x, "★") for x, y in zip(b, a, strict=True))
        for b, a in zip(before, after, strict=True)
    )


@pytest.mark.parametrize("align", ["word", "character"])
def test_all_binary_strings_for_every_k(align):
    for n in range(11):
        for letters in product("ab", repeat=n):
            text = "".join(letters)
            for k in range(1, max(n, 1) + 1):
                released = suppress(text, k=k, align=align).data
                assert same_but_for_stars([text], [released])
                assert oracle.is_anonymous([released], [text], k, None)
                if n < 7:  # brute force over all masks
                    assert stars([released]) == oracle.fewest_stars([text], k, None, align)


def test_all_strings_with_a_blank_counted_over_documents():
    texts = ["".join(letters) for n in range(5) for letters in product("ab ", repeat=n)]
    for k in (2, 30, 50):
        labels = range(len(texts))
        released = suppress(texts, k=k).data
        assert oracle.is_anonymous(released, texts, k, labels)
        assert stars(released) == oracle.fewest_stars(texts, k, labels, "word")


@settings(max_examples=300)
@given(corpora, st.integers(1, 4), aligns, st.data())
def test_the_fewest_stars_in_every_counting_mode(texts, k, align, data):
    count = data.draw(st.sampled_from(["occurrences", "documents", "groups"]))
    groups = None
    if count == "groups":
        groups = data.draw(
            st.lists(st.sampled_from("xyz"), min_size=len(texts), max_size=len(texts))
        )
    labels = {"occurrences": None, "documents": range(len(texts)), "groups": groups}[count]
    k = enough(k, texts, labels)
    release = suppress(texts, k=k, count=count, groups=groups, align=align)
    assert same_but_for_stars(texts, release.data)
    assert oracle.is_anonymous(release.data, texts, k, labels)
    assert stars(release.data) == oracle.fewest_stars(texts, k, labels, align)
    assert release.loss["suppressed"] == stars(release.data)
    assert all(verdict.holds for verdict in sf.verify(texts, release))


@settings(max_examples=200)
@given(corpora, st.integers(1, 3), aligns, st.integers(1, 4), st.sampled_from(["", " ", "b "]))
def test_keep_and_min_run_by_their_definitions(texts, k, align, min_run, keep):
    labels = range(len(texts))
    k = enough(k, texts, labels)
    release = suppress(texts, k=k, align=align, keep=keep, min_run=min_run)
    assert oracle.is_anonymous(release.data, texts, k, labels, keep)
    assert stars(release.data) == oracle.fewest_stars(texts, k, labels, align, keep, min_run)
    assert all(verdict.holds for verdict in sf.verify(texts, release))


@settings(max_examples=200)
@given(corpora, st.integers(1, 3), aligns, st.booleans(), st.sampled_from(["", " "]))
def test_strict_counts_in_the_release(texts, k, align, over_documents, keep):
    count = "documents" if over_documents else "occurrences"
    labels = range(len(texts)) if over_documents else None
    k = enough(k, texts, labels)
    release = suppress(texts, k=k, align=align, count=count, strict=True, keep=keep)
    assert same_but_for_stars(texts, release.data)
    assert oracle.is_anonymous(release.data, release.data, k, labels, keep)
    assert all(verdict.holds for verdict in sf.verify(texts, release))


def test_no_star_of_a_strict_release_can_be_undone_alone_and_few_are_too_many():
    found = best = 0
    for n in range(2, 11):
        for letters in product("ab", repeat=n):
            text = "".join(letters)
            release = suppress(text, k=2, align="character", strict=True).data
            for p in np.flatnonzero([symbol == "★" for symbol in release]):
                undone = release[:p] + text[p] + release[p + 1 :]
                assert not oracle.is_anonymous([undone], [undone], 2, None)
            if n < 8:
                found += release.count("★")
                best += oracle.fewest_stars_strict(text, 2)
    assert found <= 1.2 * best  # accumulated alone: 1.54


@settings(max_examples=200)
@given(corpora, st.integers(1, 4), st.sampled_from(["occurrences", "documents"]), st.data())
def test_no_word_of_a_strict_release_can_be_undone_alone(texts, k, count, data):
    labels = range(len(texts)) if count == "documents" else None
    k = enough(k, texts, labels)
    min_run = data.draw(st.integers(1, 3))
    release = suppress(texts, k=k, count=count, strict=True, min_run=min_run)
    assert all(verdict.holds for verdict in sf.verify(texts, release))
    for document, text in enumerate(texts):
        borders = oracle.tokens(text, "word")
        for start, stop in pairwise(borders):
            new = release.data[document]
            if "★" not in new[start:stop]:
                continue
            undone = list(release.data)
            undone[document] = new[:start] + text[start:stop] + new[stop:]
            short = any(0 < len(one) < min_run for one in undone[document].split("★"))
            assert short or not oracle.is_anonymous(undone, undone, k, labels)


@settings(max_examples=100)
@given(st.lists(st.text("ab ", max_size=7), min_size=3, max_size=5), aligns, st.booleans())
def test_several_k_are_nested_and_each_holds(texts, align, strict):
    releases = suppress(texts, k=[3, 1, 2], align=align, strict=strict)
    assert list(releases) == [1, 2, 3]
    for small, large in ((1, 2), (2, 3)):
        for less, more in zip(releases[small].data, releases[large].data, strict=True):
            assert all(y == "★" for x, y in zip(less, more, strict=True) if x == "★")
    for k, release in releases.items():
        reference = release.data if strict else texts
        assert oracle.is_anonymous(release.data, reference, k, range(len(texts)))
        assert all(verdict.holds for verdict in sf.verify(texts, release))


@settings(max_examples=200)
@given(corpora, st.integers(1, 3))
def test_words_are_judged_as_sequences_whatever_stands_between(texts, k):
    k = enough(k, texts, range(len(texts)))
    release = suppress(texts, k=k, unit="word")
    words = [text.split() for text in texts]
    for document, (text, released) in enumerate(zip(texts, release.data, strict=True)):
        assert len(text) == len(released)
        runs, run = [], []
        for word in released.split():
            assert "★" not in word or set(word) == {"★"}
            if "★" in word:
                runs.append(run)
                run = []
            else:
                run.append(word)
        for legible in filter(None, [*runs, run]):
            size = len(legible)
            holders = sum(
                any(other[i : i + size] == legible for i in range(len(other))) for other in words
            )
            assert holders >= k, document
    assert all(verdict.holds for verdict in sf.verify(texts, release))


@settings(max_examples=100)
@given(corpora, st.integers(1, 3))
def test_the_word_baseline_stars_rare_words_and_nothing_else(texts, k):
    k = enough(k, texts, range(len(texts)))
    release = suppress(texts, k=k, cover="word")
    words = [set(text.split()) for text in texts]
    for text, released in zip(texts, release.data, strict=True):
        for before, after in zip(text.split(), released.split(), strict=True):
            rare = sum(before in held for held in words) < k
            assert after == ("★" * len(before) if rare else before)
    assert all(verdict.holds for verdict in sf.verify(texts, release))


@settings(max_examples=100)
@given(corpora, st.integers(1, 3))
def test_the_hybrid_stars_no_more_than_the_word_baseline_and_claims_nothing(texts, k):
    k = enough(k, texts, range(len(texts)))
    word = suppress(texts, k=k, cover="word")
    both = suppress(texts, k=k, cover="word-and-repeats")
    assert both.claims == ()
    for one, other in zip(word.data, both.data, strict=True):
        assert all(x == "★" for x, y in zip(one, other, strict=True) if y == "★")


@settings(max_examples=100)
@given(corpora, st.integers(1, 3), st.booleans(), st.sampled_from(["★", "[…]"]))
def test_changes_rebuild_the_release(texts, k, collapse, mask):
    k = enough(k, texts, range(len(texts)))
    release = suppress(texts, k=k, collapse=collapse, mask=mask)
    rebuilt = list(texts)
    for change in reversed(release.changes):
        text = rebuilt[change.document]
        rebuilt[change.document] = text[: change.start] + change.replacement + text[change.stop :]
    assert rebuilt == release.data
    assert all(verdict.holds for verdict in sf.verify(texts, release))


@settings(max_examples=100)
@given(st.lists(st.text(max_size=12), min_size=1, max_size=4), st.integers(1, 3), st.data())
def test_any_unicode(texts, k, data):
    unit = data.draw(st.sampled_from(["character", "grapheme", "word"]))
    align = data.draw(aligns)
    k = enough(k, texts, range(len(texts)))
    release = suppress(texts, k=k, unit=unit, align=align)
    assert same_but_for_stars(texts, release.data)
    if unit != "word":
        assert oracle.is_anonymous(release.data, texts, k, range(len(texts)))
    assert all(verdict.holds for verdict in sf.verify(texts, release))


@settings(max_examples=150)
@given(corpora, st.integers(2, 3), st.booleans(), st.sampled_from(["character", "word"]))
def test_one_star_undone_is_rejected_exactly_where_it_matters(texts, k, strict, unit):
    k = enough(k, texts, range(len(texts)))
    release = suppress(texts, k=k, strict=strict, unit=unit, align="character")
    for document, text in enumerate(release.data):
        for p in np.flatnonzero([symbol == "★" for symbol in text]):
            spoilt = list(release.data)
            spoilt[document] = text[:p] + texts[document][p] + text[p + 1 :]
            verdicts = sf.verify(texts, with_data(release, spoilt))
            if unit == "character":
                reference = spoilt if strict else texts
                expected = oracle.is_anonymous(spoilt, reference, k, range(len(texts)))
                assert all(verdict.holds for verdict in verdicts) == expected


def with_data(release, data):
    from dataclasses import replace

    return replace(release, data=data)
