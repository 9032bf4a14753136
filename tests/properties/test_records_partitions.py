"""The partitioners against their definitions on small random tables."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import records as oracle
from sfumato.kernels.records import (
    CategoryColumn,
    CodeTree,
    NumberColumn,
    People,
    Sensitive,
    TermColumn,
)

WEIGHTS = (0.0, 0.3, 0.5, 0.8, 1.0)
LIMIT = settings(max_examples=150)
SLOW = settings(max_examples=60)


def sets(most: int, values: int = 4):
    return st.frozensets(st.integers(0, values - 1), max_size=most)


@st.composite
def tables(draw, demands: bool = False, weights: bool = False, terms: int = 2):
    count = draw(st.integers(1, 14))

    def column(kind: str, textual: bool, least: int, most: int) -> oracle.OracleColumn:
        values = st.lists(
            sets(most).filter(lambda v: len(v) >= least), min_size=count, max_size=count
        )
        weight = draw(st.sampled_from([0.0, 0.25])) if weights else 0.0
        return oracle.OracleColumn(kind, draw(values), textual, weight)

    columns = [column("number", False, 0, 2) for _ in range(draw(st.integers(0, 2)))]
    columns += [column("category", False, 1, 2) for _ in range(draw(st.integers(0, 1)))]
    columns += [column("terms", True, 0, 3) for _ in range(draw(st.integers(0, terms)))]
    demanded = []
    if demands:
        codes = draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))
        kind = draw(st.sampled_from([None, "distinct", "entropy", "recursive"]))
        demanded.append(
            oracle.OracleDemand(
                codes,
                3,
                draw(st.booleans()),
                kind,
                draw(st.sampled_from([1, 2, 3])),
                draw(st.sampled_from([0.7, 1.0, 2.0])),
                draw(st.sampled_from([None, 0.15, 0.4])),
            )
        )
    return oracle.OraclePeople(count, columns, demanded)


def compressed(values: list[frozenset[int]]) -> tuple[np.ndarray, np.ndarray]:
    offsets = np.cumsum([0, *map(len, values)]).astype(np.int64)
    codes = np.array([v for one in values for v in sorted(one)], np.int32)
    return offsets, codes


def fast(table: oracle.OraclePeople) -> People:
    columns = []
    for column in table.columns:
        if column.kind == "number":
            seen = sorted({v for one in column.values for v in one})
            low = [seen.index(min(one)) if one else -1 for one in column.values]
            high = [seen.index(max(one)) if one else -1 for one in column.values]
            columns.append(
                NumberColumn(
                    np.array(low, np.int32),
                    np.array(high, np.int32),
                    np.array(seen, np.float64),
                    column.textual,
                    column.weight,
                )
            )
            continue
        seen = sorted({v for one in column.values for v in one})
        ranked = [frozenset(seen.index(v) for v in one) for one in column.values]
        offsets, codes = compressed(ranked)
        if column.kind == "category":
            columns.append(CategoryColumn(codes, len(seen), offsets, column.textual, column.weight))
        else:
            columns.append(TermColumn(codes, len(seen), offsets, column.textual, column.weight))
    sensitive = [
        Sensitive(np.array(d.codes, np.int32), d.distinct, d.ordered, d.diversity, d.l, d.c, d.t)
        for d in table.demands
    ]
    return People(table.count, columns, sensitive)


def classes(labels: np.ndarray) -> list[list[int]]:
    return [np.flatnonzero(labels == c).tolist() for c in range(labels.max(initial=-1) + 1)]


@LIMIT
@given(tables(weights=True), st.integers(1, 4), st.sampled_from(WEIGHTS), st.booleans())
def test_mondrian_is_algorithm_1(table, k, weight, printed):
    found = fast(table).mondrian(k, weight, printed)
    assert classes(found.classes) == oracle.mondrian(table, k, weight, printed)
    assert found.relational + found.textual == found.classes.max()


@LIMIT
@given(tables(demands=True), st.integers(1, 3), st.sampled_from(WEIGHTS))
def test_mondrian_splits_only_where_both_sides_are_diverse_and_close(table, k, weight):
    assert classes(fast(table).mondrian(k, weight).classes) == oracle.mondrian(table, k, weight)


@LIMIT
@given(tables(terms=3), st.integers(1, 4))
def test_gdf_is_algorithm_2(table, k):
    assert classes(fast(table).gdf(k).classes) == oracle.gdf(table, k)


@LIMIT
@given(tables(demands=True), st.integers(1, 3))
def test_gdf_with_demands(table, k):
    assert classes(fast(table).gdf(k).classes) == oracle.gdf(table, k)


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
@given(tables(), st.integers(1, 3), st.sampled_from(WEIGHTS))
def test_clusters_are_greedy(table, k, weight):
    if table.count < k:
        return
    found = classes(fast(table).clusters(k, weight).classes)
    assert found == [sorted(members) for members in oracle.clusters(table, k, weight)]


@LIMIT
@given(tables(demands=True), st.integers(1, 3), st.sampled_from(WEIGHTS))
def test_clusters_with_demands_merge_until_met(table, k, weight):
    if table.count < k:
        return
    found = classes(fast(table).clusters(k, weight).classes)
    everyone = list(range(table.count))
    if oracle.satisfied(table, everyone, k):
        assert all(oracle.satisfied(table, members, k) for members in found)
    else:
        assert len(found) == 1 or all(oracle.satisfied(table, c, k) for c in found)


@LIMIT
@given(tables(demands=True), st.integers(1, 3), st.data())
def test_demands_are_the_definitions(table, k, data):
    members = sorted(data.draw(st.sets(st.integers(0, table.count - 1), min_size=1)))
    found = fast(table).satisfied(np.array(members, np.uint32), k)
    assert found == oracle.satisfied(table, members, k)


@SLOW
@given(tables(), st.integers(1, 3), st.sampled_from((0.3, 0.5, 1.0)), st.integers(0, 4))
def test_outliers_go_where_the_rest_gains_most(table, k, weight, most):
    people = fast(table)
    partition = people.mondrian(k, weight)
    if table.count < k:
        return
    found = people.without_outliers(partition, k, weight, most).classes
    before = classes(partition.classes)
    assert classes(found) == oracle.outliers(table, before, k, weight, most)


def test_a_median_that_only_allows_the_second_cut():
    ages = np.array([0, 0, 0, 0, 1, 1, 1], np.int32)
    people = People(7, [NumberColumn(ages, ages, np.array([1.0, 2.0]))])
    assert classes(people.mondrian(3, 1.0).classes) == [[0, 1, 2, 3], [4, 5, 6]]
    assert classes(people.mondrian(3, 1.0, printed=True).classes) == [list(range(7))]


def test_a_constant_column_divides_nothing_by_zero():
    same = np.zeros(6, np.int32)
    people = People(6, [NumberColumn(same, same, np.array([5.0]))])
    assert people.mondrian(2, 0.5).classes.tolist() == [0] * 6


def test_blocks_bound_the_clusters():
    ages = np.arange(40, dtype=np.int32)
    people = People(40, [NumberColumn(ages, ages, np.arange(40.0))])
    found = people.clusters(3, 1.0, block=10).classes
    assert all(len(c) >= 3 and max(c) - min(c) < 10 for c in classes(found))


@pytest.mark.parametrize("dtype", [np.int64, np.float64, np.uint32])
def test_wrong_types_are_refused(dtype):
    wrong = np.zeros(3, dtype)
    right = np.zeros(3, np.int32)
    values = np.array([1.0])
    for column in (
        NumberColumn(wrong, right, values),
        CategoryColumn(wrong, 1),
        TermColumn(wrong, 1, np.array([0, 1, 2, 3], np.int64)),
    ):
        with pytest.raises(TypeError):
            People(3, [column])
    with pytest.raises(TypeError):
        People(3, [], [Sensitive(wrong, 1)])
    with pytest.raises(TypeError):
        People(3, [NumberColumn(right, right, np.array([1], np.int32))])


@pytest.mark.parametrize(
    "column",
    [
        NumberColumn(np.array([0, 2], np.int32), np.array([0, 2], np.int32), np.array([1.0])),
        NumberColumn(np.array([1, 0], np.int32), np.array([0, 0], np.int32), np.array([1.0, 2])),
        NumberColumn(*[np.zeros(2, np.int32)] * 2, np.array([2.0, 1.0])),
        NumberColumn(*[np.zeros(2, np.int32)] * 2, np.array([np.nan])),
        CategoryColumn(np.array([0, 3], np.int32), 3),
        CategoryColumn(np.array([-1, 0], np.int32), 3),
        TermColumn(np.array([1, 0], np.int32), 2, np.array([0, 2, 2], np.int64)),
        TermColumn(np.array([1, 0], np.int32), 2, np.array([0, 3, 2], np.int64)),
        TermColumn(np.array([0, 1], np.int32), 2, np.array([0, 1], np.int64)),
    ],
)
def test_broken_columns_are_refused(column):
    with pytest.raises(ValueError):
        People(2, [column])


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


@settings(max_examples=100)
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
