"""`guarantee="published"`: rerunning the method on every base text finds at least t everywhere."""

from __future__ import annotations

import warnings
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from oracles.published_meanings import sharers, written
from sfumato.core.release import Sides
from sfumato.core.spans import Changes, Span
from sfumato.methods.meanings.partition import Tree
from sfumato.methods.meanings.published_texts import share
from sfumato.ontologies import wordnet
from sfumato.ontologies.build import build_sections
from sfumato.ontologies.readings import is_sure, sure_nodes
from sfumato.ontologies.table import Table
from sfumato.verification.own_groups import Groups
from sfumato.verification.published_texts import _root

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

NAMES = ["kap", "kit ux", "ko", "mur", "結核", "po7", "ram", "โรค", "atag", "vix", "wok am", "ezed"]


@st.composite
def ontologies(draw, most=9, synonyms=True):
    """Small ontologies: several roots and parents; some words name two nodes, some have capitals.

    Some are phrases, some are of scripts without blanks.
    """
    count = draw(st.integers(2, most))
    parents = []
    for i in range(count):
        several = 0 if i == 0 else draw(st.sampled_from([1, 1, 1, 1, 1, 2, 2, 0]))
        above = draw(st.lists(st.integers(0, max(0, i - 1)), min_size=several, max_size=several))
        parents.append(tuple(dict.fromkeys(above)))
    words = []
    for i in range(count):
        own = [NAMES[i].capitalize() if draw(st.integers(0, 3)) == 0 else NAMES[i]]
        if synonyms and draw(st.integers(0, 3)) == 0:
            own.append(draw(st.sampled_from(NAMES[: i + 1])))
        words.append(list(dict.fromkeys(own)))
    return Table("small", build_sections(words, parents))


def publisher(ontology, t, **options):
    def publish(text, places):
        spans = [Span(0, *place) for place in places]
        try:
            return sf.generalize(text, t=t, words=spans, ontology=ontology, **options).data
        except sf.CannotBeMet:
            return None

    return publish


def vocabulary(ontology, plurals=False):
    words = {word for node in range(len(ontology)) for word in ontology.words(node)}
    return sorted(words | ({word + "s" for word in words} if plurals else set()))


@settings(max_examples=30, deadline=None)
@given(
    ontologies(),
    st.integers(1, 8),
    st.sampled_from([["", ""], ["A ", ", "], ["see ", " and ", "."], ["an ", " or a ", "; ", " "]]),
    st.sampled_from(["context", "first"]),
    st.integers(1, 4),
    st.booleans(),
)
def test_every_text_is_published_for_t_base_texts(
    ontology, t, template, sense, min_volume, plurals
):
    words = vocabulary(ontology, plurals)
    if len(words) ** (len(template) - 1) > 400:
        template = template[:2]
    publish = publisher(ontology, t, sense=sense, min_volume=min_volume)
    for count in sharers(template, words, publish).values():  # all words are known: masks count too
        assert count >= t


@settings(max_examples=20, deadline=None)
@given(ontologies(7, synonyms=False), st.integers(2, 5))
def test_every_sentence_is_published_for_t_base_texts_whatever_the_others_are(ontology, t):
    """One sentence varies, the other is as it is: still at least t."""
    words = vocabulary(ontology)
    publish = publisher(ontology, t, segment="sentence")
    template = ["Not ", ". Now ", " and ", "."]
    found = defaultdict(Counter)
    for some in product(words, repeat=3):
        text = publish(*written(template, some))
        if text is not None:
            alike = tuple(some.index(word) for word in some)
            for here in ((0,), (1, 2)):  # the places of a sentence; its words vary where they stand
                inside = {some[at] for at in here}
                others = tuple(None if word in inside else word for word in some)
                found[here, alike, others][text] += 1
    for counts in found.values():
        assert min(counts.values()) >= t


@settings(max_examples=60, deadline=None)
@given(
    ontologies(12),
    st.integers(1, 10),
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=6),
    st.sampled_from(["document", "sentence"]),
    st.data(),
)
def test_releases_verify_and_planted_violations_do_not(ontology, t, words, segment, data):
    text = ". ".join(f"An {word} is a {word}" for word in words) + "."
    try:
        release = sf.generalize(text, t=t, words=NAMES, ontology=ontology, segment=segment)
    except sf.CannotBeMet:
        return
    (verdict,) = sf.verify(text, release)
    assert verdict.holds, verdict
    if release.claims[0].parameters["counted"]:
        assert verdict.measured["log2_base_texts"] == pytest.approx(release.loss["log2_base_texts"])
    (claim,) = release.claims
    stronger = replace(claim, parameters={**claim.parameters, "t": 10**6})
    if claim.parameters["counted"]:
        assert not sf.verify(text, replace(release, claims=(stronger,)))[0].holds
    changed = [c for c in release.changes if "base values" in c.reason]
    if not changed:
        return
    spoilt = data.draw(st.sampled_from(changed))
    others = [w for w in vocabulary(ontology) if w.casefold() != spoilt.replacement.casefold()]
    others += [o for o in ("★", spoilt.replacement.swapcase()) if o != spoilt.replacement]
    for instead in (*others[:3], *others[-2:]):
        assert not judged(text, release, spoilt, instead).holds
    alone = replace(release, sides=Sides(input=release.sides.input, ontology=ontology))
    if release.data != text:
        assert sf.verify(text, alone)[0].holds


@settings(max_examples=60, deadline=None)
@given(
    ontologies(12),
    st.sampled_from([1, 2, 3, 4, 6]),
    st.lists(st.sampled_from([*NAMES, *(one + "s" for one in NAMES if one.isascii())]), min_size=1),
    st.sampled_from([". ", " ", ", ", "\n"]),
    st.sampled_from(["An {0} is a {0}", "{0}", "see {0} and", "The {0}, no"]),
    st.sampled_from(["document", "sentence"]),
    st.sampled_from(["context", "first"]),
    st.integers(1, 3),
    st.sampled_from(["suppress", "keep"]),
)
def test_a_release_of_ambiguous_words_verifies_without_its_record(
    ontology, t, words, between, template, segment, sense, min_volume, unknown
):
    text = between.join(template.format(word) for word in words[:6])
    options = {"segment": segment, "sense": sense, "min_volume": min_volume, "unknown": unknown}
    try:
        release = sf.generalize(text, t=t, words=NAMES, ontology=ontology, **options)
    except sf.CannotBeMet:
        return
    alone = replace(release, sides=Sides(input=release.sides.input, ontology=ontology))
    if release.data != text:
        assert sf.verify(text, alone)[0].holds


def test_a_mask_is_no_part_of_a_written_phrase():
    """`kit ux, ★` was taken for one phrase, so that words under masks went missing."""
    words = [["kap"], ["kit ux", "kap"], ["ko"], ["mur"], ["結核"], ["po7"], ["ram"], ["โรค"]]
    words += [["atag", "結核"], ["Vix", "vix", "ko"]]
    parents = [(), (0,), (1, 0), (2,), (), (0,), (1,), (0,), (4, 0), (3,)]
    ontology = Table("small", build_sections(words, parents))
    text = "vix, vix, po7, ko, โรค"
    release = sf.generalize(text, t=4, words=NAMES, ontology=ontology, min_volume=1)
    assert "★" in release.data
    alone = replace(release, sides=Sides(input=release.sides.input, ontology=ontology))
    assert sf.verify(text, alone)[0].holds
    words_gone = replace(alone, data=release.data.replace("★", "kap", 1))
    assert not sf.verify(text, words_gone)[0].holds


def judged(text, release, change, instead):
    """The verdict after another word was written in one place, in release and record alike."""
    changes = [replace(c, replacement=instead) if c == change else c for c in release.changes]
    pieces, at = [], 0
    for c in changes:
        pieces += [text[at : c.start], c.replacement]
        at = c.stop
    new = "".join([*pieces, text[at:]])
    (verdict,) = sf.verify(text, replace(release, data=new, changes=Changes.of(changes)))
    return verdict


@settings(max_examples=80, deadline=None)
@given(ontologies(12), st.integers(1, 8), st.booleans())
def test_groups_of_method_and_check_agree_and_are_large_enough(ontology, size, many):
    tree, groups = Tree.of(ontology), Groups(ontology)
    partition, grouping = tree.partition(size, many), groups.of_size(size, many)
    for node in range(len(ontology)):
        general = int(partition.general[node])
        assert general in (ontology.path(node)[1:] or (node,)) or general == len(ontology)
        assert grouping.group[node] == general
        if general < len(ontology):
            assert groups.word(size, many, general) == partition.word(general)
        values = set(partition.values(general).tolist())
        assert values == grouping.values[general]
        assert len(values) == partition.volumes[general]
        assert len(values) >= size or general in partition.short
    if partition.short:  # the whole ontology has too few
        assert tree.counted[many].sum() < size


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.integers(1, 40))
def test_shares(t, texts, words):
    need = share(t, texts, words)
    assert need == _root(t, texts, words)
    assert texts * need**words >= t
    assert need == 1 or texts * (need - 1) ** words < t


def test_the_stored_list_of_sure_nodes_is_right():
    table, (one, many) = wordnet(), sure_nodes(wordnet())
    draw = np.random.default_rng(0).choice(len(table), 3000, replace=False)
    stored = list(zip(one[draw].tolist(), many[draw].tolist(), strict=True))
    assert [is_sure(table, int(node)) for node in draw] == stored


def test_single_words_of_wordnet_have_t_base_words():
    """A sample; `benchmarks/meanings_published.py` has every leaf."""
    tree = Tree.of(wordnet())
    partition = tree.partition(32)
    draw = np.random.default_rng(1).choice(np.flatnonzero(tree.counted[False]), 20, replace=False)
    for node in draw.tolist():
        general = int(partition.general[node])
        values = partition.values(general)[:40].tolist()
        words = [next(w for w in wordnet().words(v) if is_single(w)) for v in values if any(
            is_single(w) for w in wordnet().words(v))]  # fmt: skip
        texts = sf.generalize(words, t=32, words=[Span(i, 0, len(w)) for i, w in enumerate(words)])
        assert len(set(texts.data)) == 1


def is_single(word):
    from sfumato.ontologies import key_of

    return len(wordnet().senses(key_of(word))) == 1


def test_what_is_written_depends_on_nothing_hidden():
    texts = ["Leprosy is bad", "Tuberculosis is bad", "tuberculosis is bad", "SHIGELLOSIS is bad"]
    words = [Span(i, 0, text.index(" ")) for i, text in enumerate(texts)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        released = sf.generalize(texts, t=2, words=words).data
    assert set(released) == {"Infectious disease is bad"}
