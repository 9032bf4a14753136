"""Words are found alike whether phrases are ruled out by their first two words or looked up."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from sfumato.methods.meanings.find import find_mentions, lexicon_of_ontology
from sfumato.ontologies import wordnet
from sfumato.ontologies.csv import parse_csv

SMALL = parse_csv(
    "child,parent\nhot dog stand,shop\nhot dogs,food\n結核,病\nab結 x,shop\ndog,pet\n"
)
WORDS = (
    *("liver", "cancer", "attorneys", "attorney", "general", "lumbar", "pains", "of", "a", "in"),
    *("hot", "dog", "dogs", "stand", "stands", "結核", "ab結", "x", "abx", "é", "Ü", "9"),
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


def test_pairs_are_the_beginnings_of_all_phrases():
    assert ("hot", "dog") in SMALL.pairs
    assert ("hot", "dogs") in SMALL.pairs
    assert ("dog", "stand") not in SMALL.pairs
