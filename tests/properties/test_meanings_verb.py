"""Random notes: the release verifies, and every planted violation is found."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.release import Sides
from sfumato.core.spans import Changes
from sfumato.ontologies import wordnet

plausible = partial(sf.generalize, guarantee="plausible")  # the guarantee of the paper

NOUNS = [
    "marijuana", "Sacramento", "liver cancer", "headaches", "an abscess", "aspirin", "nurse",
    "phantom limb pain", "Lumbar pain", "tuberculosis", "women", "a hospital", "HEROIN", "xyzzy",
]  # fmt: skip
FILLERS = ["has", "for the", "took", "of", "and", "reports,", "denies", "sees"]
sentences = st.lists(
    st.tuples(st.sampled_from(FILLERS), st.sampled_from(NOUNS)), min_size=1, max_size=4
).map(lambda pairs: "Ann " + " ".join(f"{a} {b}" for a, b in pairs) + ". ")
notes = st.lists(sentences, min_size=1, max_size=3).map("".join)
WORDS = [noun.removeprefix("an ").removeprefix("a ") for noun in NOUNS]

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@settings(max_examples=120)
@given(
    st.lists(notes, min_size=1, max_size=3),
    st.sampled_from([2, 10, 100]),
    st.sampled_from(["uniform", "smallest"]),
    st.sampled_from(["exact", "lub"]),
    st.sampled_from(["leaves", "level"]),
    st.sampled_from(["document", "paragraph", "sentence"]),
    st.sampled_from([1, 2, 20]),
)
def test_releases_verify(texts, t, objective, search, volume, segment, min_volume):
    release = plausible(
        texts,
        t=t,
        words=WORDS,
        objective=objective,
        search=search,
        volume=volume,
        segment=segment,
        min_volume=min_volume,
    )
    (verdict,) = sf.verify(texts, release)
    assert verdict.holds, verdict.reason
    if not release.parameters["counted"]:
        return  # the ontology knows no marked word: nothing is counted, and the claim says so
    for name in ("log2_base_texts", "log2_without_hyponyms"):
        assert verdict.measured[name] == pytest.approx(release.loss[name], abs=1e-6)
        assert name not in json.dumps(release.certificate([verdict]))
    # Without the steward's record the alignment finds a reading that is at least as good.
    (blind,) = sf.verify(texts, replace(release, sides=Sides()))
    assert blind.holds, blind.reason


@settings(max_examples=80)
@given(notes, st.data())
def test_restored_words_are_found(text, data):
    release = plausible(text, t=16, words=WORDS)
    changed = [c for c in release.changes if c.reason != "article"]
    chosen = data.draw(st.sampled_from(changed))
    kept = [c for c in release.changes if c != chosen]
    changes = Changes(
        np.array([c.document for c in kept], np.int64),
        np.array([c.start for c in kept], np.int64),
        np.array([c.stop for c in kept], np.int64),
        [c.replacement for c in kept],
        [c.reason for c in kept],
    )
    pieces, at = [], 0
    for c in kept:
        pieces += [text[at : c.start], c.replacement]
        at = c.stop
    spoilt = "".join([*pieces, text[at:]])
    # The data alone, and the data with changes that agree with it.
    assert not sf.verify(text, replace(release, data=spoilt))[0].holds
    assert not sf.verify(text, replace(release, data=spoilt, changes=changes))[0].holds


@settings(max_examples=60)
@given(notes)
def test_equal_meanings_get_one_general_word(text):
    release = plausible(text, t=50, words=WORDS, segment="sentence")
    general = {}
    for document, _, _, node, above in release.sides.marks:
        assert general.setdefault((document, node), above) == above


@settings(max_examples=60)
@given(notes, st.dictionaries(st.sampled_from(WORDS), st.integers(0, 1000), max_size=6))
def test_frequencies_verify(text, counts):
    release = plausible(text, t=12, words=WORDS, frequencies=counts)
    assert sf.verify(text, release)[0].holds
    missing = replace(release, sides=Sides(ontology=wordnet()))
    assert not sf.verify(text, missing)[0].holds


def spoil(release, **parameters):
    (claim,) = release.claims
    return replace(release, claims=(replace(claim, parameters={**claim.parameters, **parameters}),))


def test_planted_violations():
    text = "An ache, lumbar pain and marijuana. Marijuana again."
    words = ["ache", "lumbar pain", "marijuana"]
    release = plausible(text, t=32, words=words, segment="sentence")
    assert sf.verify(text, release)[0].holds
    table, marks = release.sides.ontology, release.sides.marks

    def judged(candidate):
        (verdict,) = sf.verify(text, candidate)
        return verdict.reason if not verdict.holds else None

    def with_sides(**sides):
        return replace(release, sides=replace(release.sides, **sides))

    assert "t is 1099511627776" in judged(spoil(release, t=1 << 40))
    assert "min_volume" in judged(spoil(release, min_volume=10**4))
    assert "ontology" in judged(spoil(release, ontology_sha256="0"))
    assert "not marked" in judged(with_sides(words=[*words, "again"]))
    assert "own t" in judged(with_sides(t_words=[("Marijuana", 10**6)]))
    # A meaning that is none of the word's, and a general word that is not above it.
    first = marks[0]
    other = table.senses("sacramento")[0]
    assert "none of the word's" in judged(
        with_sides(marks=[(*first[:3], other, first[4]), *marks[1:]])
    )
    assert "not above" in judged(with_sides(marks=[(*first[:4], other), *marks[1:]]))
    root = table.path(first[3])[-1]
    assert "no word of" in judged(with_sides(marks=[(*first[:4], root), *marks[1:]]))
    assert "unmarked" in judged(with_sides(marks=marks[1:]))
    assert "treated as unknown" in judged(with_sides(marks=[(*first[:3], -1, -1), *marks[1:]]))
    assert "documents became" in judged(replace(release, data=[release.data, release.data]))


def test_warnings_are_shown():
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        plausible("xyzzy pain", words=["xyzzy", "pain"])
    assert [str(one.message) for one in shown] == [
        "the ontology lacks 1 marked words: they were suppressed"
    ]
