"""Trees against their definition: sets of values under every label."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.hierarchies import lowest_common, values_below
from sfumato.core.errors import BadInput
from sfumato.schema import Column, Tree


@st.composite
def paths(draw):
    """Paths of one height whose labels tell their place: values, groups, the root."""
    count = draw(st.integers(1, 8))
    parents = draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))
    above = draw(st.lists(st.integers(0, 1), min_size=3, max_size=3))
    return [(f"v{i}", f"g{p}", f"h{above[p]}", "*") for i, p in enumerate(parents)]


@settings(max_examples=200)
@given(paths(), st.data())
def test_tree_is_its_definition(given_paths, data):
    tree = Tree.of_paths(given_paths)
    below = values_below(given_paths)
    values = [path[0] for path in given_paths]
    assert set(tree.labels) == set(below)
    for label, covered in below.items():
        assert tree.leaves(label) == len(covered)
        nodes = np.full(len(values), tree.nodes[label], np.int32)
        assert tree.covers(nodes, tree.find(values)).tolist() == [v in covered for v in values]
    chosen = data.draw(st.lists(st.sampled_from(values), min_size=1))
    assert tree.common(chosen) == lowest_common(given_paths, set(chosen))


@settings(max_examples=200)
@given(paths(), st.data())
def test_groups_meet_where_their_values_meet(given_paths, data):
    tree = Tree.of_paths(given_paths)
    values = [path[0] for path in given_paths]
    groups = data.draw(st.lists(st.integers(0, 2), min_size=len(values), max_size=len(values)))
    found = tree.common_of_groups(tree.find(values), np.array(groups), 3)
    for group in range(3):
        chosen = {v for v, g in zip(values, groups, strict=True) if g == group}
        if chosen:
            assert tree.labels[found[group]] == lowest_common(given_paths, chosen)
        else:
            assert found[group] == -1


def test_a_value_may_be_a_group():
    tree = Tree.of_paths([("Other", "Other", "*"), ("Farming", "Other", "*"), ("Sales", "S", "*")])
    assert tree.common(["Other", "Farming"]) == "Other"
    assert (tree.leaves("Other"), tree.size) == (2, 3)


@pytest.mark.parametrize(
    "bad",
    [
        [("a", "x", "*"), ("b", "x", "y", "*")],
        [("a", "x", "*"), ("a", "y", "*")],
        [()],
    ],
)
def test_ambiguous_trees_are_refused(bad):
    with pytest.raises(BadInput):
        Tree.of_paths(bad)


def test_several_roots_get_one_above_them():
    assert Tree.of_paths([("a", "x"), ("b", "y")]).labels[0] == "*"


def test_intervals_below_zero_and_decimals():
    column = Column(kind="number", hierarchy={"intervals": [5, 10]})
    assert column.tree(["-3", "-5", "4"]).common(["-3", "-5"]) == "[-5--1]"
    halves = Column(kind="number", hierarchy={"intervals": ["0.5"]})
    assert halves.tree(["0.1", "0.4"]).common(["0.1", "0.4"]) == "[0.0-0.5)"
    with pytest.raises(BadInput):
        column.tree(["many"])


def test_dates_meet_at_month_quarter_year_decade():
    hierarchy = {"dates": ["month", "quarter", "year", "decade"]}
    column = Column(kind="date", format="%d.%m.%Y", hierarchy=hierarchy)
    dates = ["01.05.2004", "31.05.2004", "02.06.2004", "01.12.2004", "01.01.2001", "01.01.1999"]
    tree = column.tree(dates)
    expected = ["01.05.2004", "2004-05", "2004-Q2", "2004", "2000s", "*"]
    assert [tree.common(dates[: i + 1]) for i in range(6)] == expected
    with pytest.raises(BadInput, match="record 2"):
        column.tree(["01.05.2004", "yesterday"])
