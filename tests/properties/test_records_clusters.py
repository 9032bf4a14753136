"""Clusters against their definition on small random tables, within one block and several."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import clusters as oracle
from oracles.records import satisfied
from properties.test_records_partitions import LIMIT, SLOW, WEIGHTS, classes, fast, tables
from sfumato.kernels.records import CodeTree, NumberColumn, People


@LIMIT
@given(tables(), st.integers(1, 4), st.sampled_from(WEIGHTS))
def test_clusters_have_k_people_and_everybody(table, k, weight):
    if table.count < k:
        return
    found = classes(fast(table).clusters(k, weight).classes)
    assert sorted(p for members in found for p in members) == list(range(table.count))
    assert min(map(len, found)) >= k
    assert len(found) <= table.count // k


@SLOW
@given(tables(demands=True), st.integers(1, 3), st.sampled_from(WEIGHTS))
def test_clusters_are_greedy_and_merge_until_met(table, k, weight):
    if table.count < k:
        return
    found = classes(fast(table).clusters(k, weight).classes)
    made = oracle.clusters(table, k, weight, block=table.count + 2 * k)
    assert found == [sorted(members) for members in made]
    assert len(found) == 1 or all(satisfied(table, members, k) for members in found)


@SLOW
@given(tables(people=(12, 30)), st.integers(2, 3), st.sampled_from(WEIGHTS), st.integers(0, 3))
def test_clusters_in_blocks_are_formed_anew_where_they_lose_most(table, k, weight, more):
    block = 2 * k + more
    found = fast(table).clusters(k, weight, block=block).classes
    made = oracle.clusters(table, k, weight, block)
    assert classes(found) == [sorted(members) for members in made]
    assert (fast(table).clusters(k, weight, block=block).classes == found).all()
    assert sorted(p for members in classes(found) for p in members) == list(range(table.count))
    assert min(map(len, classes(found))) >= k
    alike, blocks = oracle.alike(table, k, weight, block)
    before = oracle.block_by_block(table, alike, blocks, k, weight)
    lost = [oracle.total(table, one, k, weight) for one in (classes(found), before)]
    assert lost[0] <= lost[1] + 1e-9


@SLOW
@given(tables(demands=True, people=(12, 24)), st.integers(2, 3), st.sampled_from(WEIGHTS))
def test_clusters_in_blocks_merge_until_met(table, k, weight):
    found = classes(fast(table).clusters(k, weight, block=2 * k).classes)
    assert found == [sorted(members) for members in oracle.clusters(table, k, weight, 2 * k)]
    assert len(found) == 1 or all(satisfied(table, members, k) for members in found)


def test_blocks_bound_the_clusters():
    ages = np.arange(40, dtype=np.int32)
    people = People(40, [NumberColumn(ages, ages, np.arange(40.0))])
    found = people.clusters(3, 1.0, block=10).classes
    assert all(len(c) >= 3 and max(c) - min(c) < 10 for c in classes(found))


def tree_of_tens(count):
    """Codes 0 .. count - 1 below nodes of five and of ten, the root above all."""
    nodes, parents, ends, leaves = [], [-1], [0], [count]
    for ten in range(0, count, 10):
        above = len(parents)
        parents.append(0), ends.append(0), leaves.append(min(10, count - ten))
        for five in range(ten, min(ten + 10, count), 5):
            middle = len(parents)
            parents.append(above), ends.append(0), leaves.append(min(5, count - five))
            for _ in range(five, min(five + 5, count)):
                nodes.append(len(parents))
                parents.append(middle), ends.append(len(parents)), leaves.append(1)
            ends[middle] = len(parents)
        ends[above] = len(parents)
    ends[0] = len(parents)
    small = (np.array(one, np.int32) for one in (nodes, parents, ends))
    return CodeTree(*small, np.array(leaves, np.int64))


def by_hierarchy(ages, groups):
    codes = np.array(ages, np.int32)
    values, tree = np.arange(20, dtype=np.float64), tree_of_tens(20)
    column = NumberColumn(codes, codes, values, tree=tree)
    other = np.array(groups, np.int32)
    return People(len(ages), [column, NumberColumn(other, other, values, tree=tree)])


def test_people_below_one_node_are_a_class_before_others_take_from_them():
    # Five below the first node of five, and one far away, who comes first and is nearest to them.
    found = classes(by_hierarchy([12, 0, 1, 2, 3, 4, 13, 19, 17], [0] * 9).clusters(3, 1.0).classes)
    assert [1, 2, 3, 4, 5] in found
    assert sorted(p for members in found for p in members) == list(range(9))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 19), st.integers(0, 1)), min_size=4, max_size=24))
def test_k_people_below_a_node_of_five_stay_together(people):
    ages, groups = [one[0] for one in people], [one[1] for one in people]
    k = 3
    found = classes(by_hierarchy(ages, groups).clusters(k, 1.0).classes)
    assert all(len(members) >= k for members in found)
    assert sorted(p for members in found for p in members) == list(range(len(people)))
    exact = Counter(people)
    rest = [p for p in range(len(people)) if exact[people[p]] < k]
    cells = Counter((ages[p] // 5, groups[p]) for p in rest)
    number = {p: i for i, members in enumerate(found) for p in members}
    for cell, size in cells.items():
        here = {number[p] for p in rest if (ages[p] // 5, groups[p]) == cell}
        assert size < k or len(here) == 1
