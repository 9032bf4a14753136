"""Measures of generalised words."""

from __future__ import annotations

import pytest

import sfumato as sf
from oracles import meanings as oracle
from sfumato.metrics.meanings import measure, similarity, word_entropies
from sfumato.ontologies.csv import parse_csv

TREE = parse_csv("a,x\nb,x\nc,x\nd,y\ne,y\nx,r\ny,r\n")


def test_similarity_equals_the_cosine_of_the_vectors():
    original = {"the": 2.0, "a": 1.0, "d": 3.0}
    general = {"the": 2.0, "a": 1 / 3, "b": 1 / 3, "c": 1 / 3, "d": 1.5, "e": 1.5}
    found = similarity([2.0], [(1.0, 3), (3.0, 2)])
    assert found.cosine == pytest.approx(oracle.cosine(original, general))


def test_nothing_to_compare():
    assert similarity([], []).cosine == 1.0
    assert word_entropies([]).variance == 0.0
    assert similarity([], [(1, 0)]).cosine == 0.0


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_measure_of_a_release():
    release = sf.generalize(
        "the the a d d d zz", t=6, words=["a", "d", "zz"], ontology=TREE, guarantee="plausible"
    )
    assert release.data == "the the an x y y y ★".replace("an x", "x")
    found = measure(release)
    expected = similarity([2.0], [(1, 3), (3, 2), (1, 0)])
    assert found["cosine"] == pytest.approx(expected.cosine)
    assert found["cosine"] > found["cosine_suppressed"]
    assert found["entropy_max"] == pytest.approx(1.585, abs=1e-3)
    assert found["information_lost"] == pytest.approx(1.585 + 1, abs=1e-3)
