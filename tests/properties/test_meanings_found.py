"""Words are found alike whether phrases are ruled out by their first two words or looked up."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.letters import compose
from sfumato.methods.meanings import find
from sfumato.methods.meanings.find import (
    among_tokens,
    find_mentions,
    lexicon_of_ontology,
    lexicon_of_words,
)
from sfumato.ontologies import wordnet
from sfumato.ontologies.csv import parse_csv

SMALL = parse_csv(
    "child,parent\nhot dog stand,shop\nhot dogs,food\n結核,病\nab結 x,shop\ndog,pet\n"
)
WORDS = (
    *("liver", "cancer", "attorneys", "attorney", "general", "lumbar", "pains", "of", "a", "in"),
    *(
        "hot",
        "dog",
        "dogs",
        "stand",
        "stands",
        "結核",
        "ab結",
        "x",
        "abx",
        "é",
        "e\u0301",
        "Ü",
        "9",
        "HOT",
        "Liver",
    ),
)
TEXTS = st.lists(
    st.tuples(st.sampled_from(WORDS), st.sampled_from((" ", "", "-", ". ", "\u200b ", "\n"))),
    max_size=12,
).map(lambda some: "".join(word + gap for word, gap in some))


@given(TEXTS)
def test_phrases_are_found_whether_pairs_of_words_are_known_or_not(text):
    for ontology in (SMALL, wordnet()):
        lexicon = lexicon_of_ontology(ontology)
        assert lexicon.pairs is not None
        assert find_mentions(text, lexicon) == find_mentions(text, replace(lexicon, pairs=None))


@given(TEXTS, st.lists(st.sampled_from((*WORDS, "hot dog", "liver cancer", "e\u0301")), min_size=1))
def test_words_with_blanks_between_are_found_as_any_are(text, words):
    for lexicon in (lexicon_of_ontology(wordnet()), lexicon_of_words(words)):
        assert find_mentions(text, lexicon) == among_tokens(*compose(text), lexicon)


@given(TEXTS, st.integers(1, 30))
def test_phrases_are_found_block_by_block(text, block):
    lexicon = lexicon_of_ontology(wordnet())
    whole = find_mentions(text, lexicon)
    with patch.object(find, "BLOCK", block):
        assert find_mentions(text, lexicon) == whole


def test_pairs_are_the_beginnings_of_all_phrases():
    assert ("hot", "dog") in SMALL.pairs
    assert ("hot", "dogs") in SMALL.pairs
    assert ("dog", "stand") not in SMALL.pairs
