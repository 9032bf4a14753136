"""Metrics and attacks of string sanitization."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from oracles import patterns as oracle
from sfumato.attacks.patterns import undo
from sfumato.metrics import patterns as metrics


@settings(max_examples=200)
@given(
    st.text("abc", min_size=3, max_size=20),
    st.text("abc#", max_size=20),
    st.lists(st.text("abc", min_size=3, max_size=3), max_size=3),
    st.integers(1, 3),
)
def test_measures_equal_their_definitions(text, released, patterns, tau):
    found = metrics.utility(text, released, patterns, 3, tau, rho=-0.3)
    assert found.distortion == oracle.distortion(text, released, patterns, 3)
    assert found.lost == len(oracle.lost(text, released, patterns, 3, tau))
    assert found.ghosts == len(oracle.ghosts(text, released, 3, tau) - set(patterns))
    before, after = oracle.windows(text, 3), oracle.windows(released, 3)
    created = {w for w in after if after.count(w) > before.count(w)}
    assert found.implausible == sum(oracle.z_score(w, text) < -0.3 for w in created)
    assert (found.length, found.released_length) == (len(text), len(released))
    tokens = metrics.utility(list(text), list(released), list(map(list, patterns)), 3, tau, -0.3)
    assert tokens == found


def test_measures_of_collections():
    found = metrics.utility(["aba", "ba"], ["ab", "ba"], [], 2, collection=True)
    assert (found.distortion, found.lost, found.length) == (1, 0, 5)


@settings(max_examples=100)
@given(st.text("ab", max_size=60), st.text("ab", max_size=60))
def test_edit_distance(a, b):
    assert metrics.edit_distance(a, b) == oracle.edit_distance(a, b)


def test_edit_distance_relative_error_of_equals():
    assert metrics.edit_distance_relative_error("abc", "abc", "abc") == 0


@pytest.fixture(scope="module")
def trace():
    """A walk over thirty places in which some steps are far likelier than others."""
    rng = np.random.default_rng(7)
    steps = rng.dirichlet(np.full(30, 0.08), 30)
    here, walk = 0, []
    for _ in range(20_000):
        here = int(rng.choice(30, p=steps[here]))
        walk.append(chr(97 + here))
    return "".join(walk)


def test_undoing_restores_tfs_and_hardly_tpm(trace):
    chosen = {"draw": 20, "length": 4, "tau": 20, "seed": 1}
    tfs = undo(trace, sf.sanitize(trace, method="tfs", **chosen))
    tpm = undo(trace, sf.sanitize(trace, method="tpm", **chosen))
    assert tfs.suspected == tfs.restored
    assert tfs.recovered_share > 0.9
    assert tpm.recovered_share < 0.2
    assert tpm.confidence < 0.2


def test_undoing_takes_collections_tokens_and_nothing():
    many = ["abcabc", "cabcab"]
    assert undo(many, sf.sanitize(many, ["bca"], "tfs")).recovered_share == 1
    words = ["bus", "clinic", "home", "bus"]
    found = undo(words, sf.sanitize(words, [["bus", "clinic", "home"]], "tfs"))
    assert found.suspected == 0
    assert undo("", sf.sanitize("", ["ab"])).recovered_share == 0
