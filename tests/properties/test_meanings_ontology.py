"""Volumes, base values and entropies equal the definitions on random ontologies."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import meanings as oracle
from sfumato.methods.meanings.plausibility import Frequencies, base_values, entropy_of_counts
from sfumato.ontologies import hypernym_paths, volume
from sfumato.ontologies.build import build_sections
from sfumato.ontologies.csv import table_of_links
from sfumato.ontologies.table import Table


@st.composite
def links(draw):
    """Child -> parents with smaller numbers: acyclic, several parents, several roots."""
    size = draw(st.integers(2, 9))
    return {
        f"n{i}": [f"n{p}" for p in draw(st.lists(st.integers(0, i - 1), max_size=3, unique=True))]
        for i in range(1, size)
    }


def table_of(parents):
    rows = [(c, p) for c, some in parents.items() for p in some or [""]]
    return table_of_links(rows, "random")


@settings(max_examples=150)
@given(links(), st.sampled_from(["leaves", "level"]))
def test_volumes_and_base_values(parents, reading):
    table = table_of(parents)
    for word in parents:
        (node,) = table.senses(word)
        path = oracle.hypernym_path(parents, word)
        assert [table.words(n)[0] for n in table.path(node)] == path
        for level in range(len(path)):
            expected = oracle.base_values(parents, word, level, reading)
            found = base_values(table, node, level, reading)
            assert {table.words(n)[0] for n in found} == expected
            assert volume(table, node, level, reading) == len(expected)


@settings(max_examples=150)
@given(links(), st.booleans())
def test_levels_are_the_same_stored_and_counted_when_asked(parents, tree):
    if tree:
        parents = {child: some[:1] for child, some in parents.items()}
    names = list(dict.fromkeys([*parents, *(one for some in parents.values() for one in some)]))
    numbers = {name: i for i, name in enumerate(names)}
    above = [[numbers[one] for one in parents.get(name, [])] for name in names]
    words = [[name] for name in names]
    stored = Table("stored", build_sections(words, above, levels=True))
    counted = Table("counted", build_sections(words, above))
    for node in range(len(names)):
        assert stored.leaves(node) == counted.leaves(node)
        for distance in range(len(names) + 1):
            assert stored.level(node, distance) == counted.level(node, distance)


@settings(max_examples=100)
@given(links())
def test_paths_intervals_and_places(parents):
    table = table_of(parents)
    for word in parents:
        (node,) = table.senses(word)
        paths = hypernym_paths(table, node)
        assert paths[0] == table.path(node)
        assert all(b in table.parents(a) for p in paths for a, b in itertools.pairwise(p))
        first, last = table.tree_interval(node)
        below = {m for m in range(len(table)) if node in table.path(m)}
        assert last - first == len(below)
        assert {table.tree_interval(m)[0] for m in below} == set(range(first, last))
        assert table.places(word) == (first,)


@settings(max_examples=150)
@given(
    links(),
    st.dictionaries(st.integers(0, 8), st.integers(0, 50), max_size=5),
    st.sampled_from(["leaves", "level"]),
)
def test_entropies_are_equations_2_to_4(parents, counts, reading):
    table = table_of(parents)
    frequencies = Frequencies.of({f"N{i}": count for i, count in counts.items()}, table)
    local, words = [], []
    for word in list(parents)[:3]:
        (node,) = table.senses(word)
        level = len(table.path(node)) - 1
        values = oracle.base_values(parents, word, level, reading)
        weights = {value: counts.get(int(value[1:]), 0) + 1 for value in values}
        total = sum(weights.values())
        local.append({value: weight / total for value, weight in weights.items()})
        words.append(frequencies.entropy(node, level, reading))
        assert words[-1] == pytest.approx(oracle.entropy(list(local[-1].values())), abs=1e-9)
    assert math.fsum(words) == pytest.approx(oracle.text_entropy(local), abs=1e-9)


def test_no_counts_are_uniform():
    assert entropy_of_counts([1.0] * 8) == pytest.approx(3.0)
