"""Local search: never more loss, every class as demanded, close to the optimum of tiny tables."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import records_search as oracle
from oracles.records import satisfied
from properties.test_records_clusters import by_hierarchy
from properties.test_records_partitions import LIMIT, SLOW, WEIGHTS, classes, fast, tables
from sfumato.kernels.records import CategoryColumn, NumberColumn, Partition, People, Sensitive
from sfumato.kernels.records_dealt import dealt

EFFORTS = ("quick", "default", "thorough")


@SLOW
@given(
    tables(demands=True, people=(2, 24)),
    st.integers(1, 4),
    st.sampled_from(WEIGHTS),
    st.sampled_from(EFFORTS),
)
def test_search_never_loses_more_and_keeps_to_the_demands(table, k, weight, effort):
    people = fast(table)
    if not people.satisfied(np.arange(table.count, dtype=np.uint32), k):
        return
    before = people.clusters(k, weight)
    after = people.improved(before, k, weight, effort)
    found = classes(after.classes)
    assert sorted(p for members in found for p in members) == list(range(table.count))
    assert all(satisfied(table, members, k) for members in found)
    was, now = (oracle.total(table, classes(one.classes), k, weight) for one in (before, after))
    assert now <= was + 1e-9
    assert (people.improved(before, k, weight, effort).classes == after.classes).all()


@SLOW
@given(tables(demands=True, people=(2, 7)), st.integers(1, 3), st.sampled_from(WEIGHTS))
def test_no_partition_loses_less_than_the_bound_and_search_not_less_than_the_best(table, k, weight):
    people = fast(table)
    if not people.satisfied(np.arange(table.count, dtype=np.uint32), k):
        return
    found = people.improved(people.clusters(k, weight), k, weight, "thorough")
    best = oracle.optimum(table, k, weight)
    bounds = people.least_loss(found, k, weight)
    assert bounds == pytest.approx(oracle.bounds(table, k, weight), abs=1e-9)
    assert bounds.sum() <= best + 1e-9
    assert best <= oracle.total(table, classes(found.classes), k, weight) + 1e-9


# The distance from the optimum is what was seen, no theorem: always the same tables.
@settings(max_examples=40, deadline=None, derandomize=True)
@given(tables(people=(4, 7)), st.integers(2, 3), st.sampled_from(WEIGHTS))
def test_search_leaves_one_class_for_the_optimum(table, k, weight):
    """From the worst beginning, one class of all, a thorough search finds the best of small tables.

    Up to three classes: more need exchanges among four at once, which no move here makes.
    """
    people = fast(table)
    one = Partition(np.zeros(table.count, np.int32))
    found = people.improved(one, k, weight, "thorough")
    lost = oracle.total(table, classes(found.classes), k, weight)
    assert lost <= oracle.total(table, [list(range(table.count))], k, weight) + 1e-9
    assert lost <= oracle.optimum(table, k, weight) * 1.5 + 1e-9


@LIMIT
@given(st.lists(st.tuples(st.integers(0, 19), st.integers(0, 19)), min_size=6, max_size=40))
def test_search_by_hierarchy(people):
    table = by_hierarchy([one[0] for one in people], [one[1] for one in people])
    before = table.clusters(3, 1.0)
    after = table.improved(before, 3, 1.0)
    assert np.bincount(after.classes).min() >= 3
    assert table.least_loss(after, 3, 1.0).sum() <= _lost(people, after.classes) + 1e-9
    assert _lost(people, after.classes) <= _lost(people, before.classes) + 1e-9


def _lost(people, labels):
    """By the lowest common node of fives, tens and all of 20."""
    sum_of = 0.0
    for members in classes(labels):
        for column in (0, 1):
            values = {people[p][column] for p in members}
            nodes = [len({v // size for v in values}) for size in (1, 5, 10)]
            share = 0.0 if nodes[0] == 1 else 0.25 if nodes[1] == 1 else 0.5 if nodes[2] == 1 else 1
            sum_of += share * len(members) / 2
    return sum_of


@SLOW
@given(tables(demands=True, people=(8, 40)), st.integers(1, 4), st.sampled_from(WEIGHTS))
def test_dealt_classes_are_as_demanded(table, k, weight):
    people = fast(table)
    if not people.satisfied(np.arange(table.count, dtype=np.uint32), k):
        return
    found = dealt(people, k, weight)
    if found is None:
        return
    made = classes(found.classes)
    assert sorted(p for members in made for p in members) == list(range(table.count))
    assert all(satisfied(table, members, k) for members in made)
    lost = oracle.total(table, made, k, weight)
    assert people.loss(found, k, weight) == pytest.approx(lost, abs=1e-9)
    assert (dealt(people, k, weight).classes == found.classes).all()


def test_closeness_does_not_collapse_into_one_class():
    """A quarter of the people has a value that stands far from the others' in the columns."""
    ages = np.arange(400, dtype=np.int32)
    rich = (ages >= 300).astype(np.int32)
    people = People(400, [NumberColumn(ages, ages, np.arange(400.0))], [Sensitive(rich, 2, t=0.06)])
    found = dealt(people, 4, 1.0)
    assert people.hold(found.classes, 4)
    assert found.classes.max() + 1 == 100
    assert people.loss(found, 4, 1.0) < people.loss(people.clusters(4, 1.0), 4, 1.0)


def test_a_far_member_moves_to_its_like():
    ages = np.array([0, 1, 2, 9, 10, 11, 12], np.int32)
    people = People(7, [NumberColumn(ages, ages, np.arange(13.0))])
    mixed = Partition(np.array([0, 0, 0, 0, 1, 1, 1], np.int32))
    assert people.improved(mixed, 3, 1.0).classes.tolist() == [0, 0, 0, 1, 1, 1, 1]


def test_two_strangers_are_swapped():
    ages = np.array([0, 1, 12, 2, 10, 11], np.int32)
    people = People(6, [NumberColumn(ages, ages, np.arange(13.0))])
    mixed = Partition(np.array([0, 0, 0, 1, 1, 1], np.int32))
    assert people.improved(mixed, 3, 1.0).classes.tolist() == [0, 0, 1, 0, 1, 1]


def test_a_large_class_is_split_and_a_needless_one_dissolved():
    ages = np.repeat(np.array([0, 6, 12], np.int32), 4)
    people = People(12, [NumberColumn(ages, ages, np.arange(13.0))])
    found = people.improved(Partition(np.zeros(12, np.int32)), 3, 1.0).classes
    assert classes(found) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    codes = np.array([0, 0, 1, 1, 0, 1], np.int32)
    people = People(6, [CategoryColumn(codes, 2)])
    found = people.improved(Partition(np.array([0, 0, 1, 1, 2, 2], np.int32)), 2, 1.0).classes
    assert classes(found) == [[0, 1, 4], [2, 3, 5]]


def test_categories_of_many_values_are_searched_too():
    codes = np.tile(np.arange(100, dtype=np.int32), 3)
    people = People(300, [CategoryColumn(codes, 100)])
    mixed = Partition(np.repeat(np.arange(100, dtype=np.int32), 3))
    found = people.improved(mixed, 3, 1.0, "thorough")
    assert people.least_loss(found, 3, 1.0).sum() == 0
    assert sum(len(set(codes[members])) > 1 for members in classes(found.classes)) == 0


def test_interrupted_by_progress():
    def stop(share):
        raise KeyboardInterrupt

    ages = np.arange(40, dtype=np.int32)
    people = People(40, [NumberColumn(ages, ages, np.arange(40.0))])
    with pytest.raises(KeyboardInterrupt):
        people.improved(Partition(np.zeros(40, np.int32)), 3, 1.0, progress=stop)
