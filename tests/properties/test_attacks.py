"""The fast attacks compute what their definitions say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.attacks import rare_run_votes, tf_idf_cosines
from sfumato.attacks.linkage import (
    LONGEST,
    RARE,
    matches_by_rare_runs,
    matches_by_words,
)
from sfumato.attacks.scene import scenes
from sfumato.metrics.words import Index, Words

WORDS = st.lists(st.sampled_from(["ann", "bob", "cat", "dog", "eel"]), min_size=1, max_size=6)


@settings(max_examples=60)
@given(st.lists(st.tuples(WORDS, WORDS), min_size=2, max_size=5))
def test_linkage_is_its_definition(people):
    texts = [" ".join(shown) for shown, _ in people]
    [watched, *_] = scenes(texts, texts, background=[" ".join(known) for _, known in people]).folds
    inside = sorted(set(watched.people[watched.codes != 0].tolist()))
    shown = {person: people[person][0] for person in inside}
    for found, oracle in (
        (
            matches_by_words(watched),
            lambda known: tf_idf_cosines(known, shown, watched.population),
        ),
        (
            matches_by_rare_runs(watched),
            lambda known: rare_run_votes(known, shown, RARE, LONGEST),
        ),
    ):
        for i, target in enumerate(watched.targets.tolist()):
            scores = oracle(people[target][1])
            ordered = sorted([*scores.values(), 0.0], reverse=True)
            assert found.best[i] == pytest.approx(ordered[0])
            assert found.second[i] == pytest.approx(ordered[1])
            if found.best[i] > 0:
                assert scores[int(found.nearest[i])] == pytest.approx(ordered[0])


@settings(max_examples=100)
@given(st.lists(st.text("aB ★,", max_size=8), max_size=5))
def test_words_are_the_legible_words_of_each_document(texts):
    words = Words.of(texts)
    seen: dict[str, int] = {}
    for document, text in enumerate(texts):
        expected = "".join(f" {one} " if one == "★" else one for one in text.replace(",", " "))
        codes = words.of_document(document).tolist()
        assert len(codes) == len(expected.split())
        for code, word in zip(codes, expected.casefold().split(), strict=True):
            assert code == (0 if word == "★" else seen.setdefault(word, len(seen) + 1))


@settings(max_examples=100)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4)), max_size=20))
def test_the_index_counts_pairs(pairs):
    index = Index.of(
        np.array([one for one, _ in pairs], np.uint64), np.array([two for _, two in pairs], int)
    )
    found = {}
    for place, feature in enumerate(index.features.tolist()):
        _, places = index.postings(np.array([place]))
        for at in places.tolist():
            found[feature, int(index.people[at])] = int(index.counts[at])
    assert found == {pair: pairs.count(pair) for pair in pairs}
