"""The partitioners against their definitions on small random tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import records as oracle
from sfumato.kernels.records import (
    Calendar,
    CategoryColumn,
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
def tables(
    draw, demands: bool = False, weights: bool = False, terms: int = 2, people: tuple = (1, 14)
):
    count = draw(st.integers(*people))

    def column(
        kind: str, textual: bool, least: int, most: int, values: int = 4
    ) -> oracle.OracleColumn:
        held = st.lists(
            sets(most, values).filter(lambda v: len(v) >= least), min_size=count, max_size=count
        )
        weight = draw(st.sampled_from([0.0, 0.25])) if weights else 0.0
        return oracle.OracleColumn(kind, draw(held), textual, weight)

    columns = [column("number", False, 0, 2) for _ in range(draw(st.integers(0, 2)))]
    if draw(st.booleans()):
        columns.append(replace(column("number", False, 0, 2, 16), days=True))
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
                draw(st.booleans()),
            )
        )
    return oracle.OraclePeople(count, columns, demanded)


def compressed(values: list[frozenset[int]]) -> tuple[np.ndarray, np.ndarray]:
    offsets = np.cumsum([0, *map(len, values)]).astype(np.int64)
    codes = np.array([v for one in values for v in sorted(one)], np.int32)
    return offsets, codes


def calendar_of(days: list[int]) -> Calendar:
    """Months of two days, years of two months."""
    ranks = np.array(days, np.int32)
    return Calendar(ranks // 2, ranks // 4)


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
                    None,
                    calendar_of(seen) if column.days else None,
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
        Sensitive(
            np.array(d.codes, np.int32),
            d.distinct,
            d.ordered,
            d.diversity,
            d.l,
            d.c,
            d.t,
            d.missing,
        )
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


def restricted(table: oracle.OraclePeople, members: list[int]) -> oracle.OraclePeople:
    """The table of these people, values that nobody of them has forgotten."""
    columns = [replace(c, values=[c.values[p] for p in members]) for c in table.columns]
    demands = []
    for demand in table.demands:
        seen = sorted({demand.codes[p] for p in members})
        codes = [seen.index(demand.codes[p]) for p in members]
        missing = demand.missing and seen[0] == 0
        demands.append(replace(demand, codes=codes, distinct=len(seen), missing=missing))
    return oracle.OraclePeople(len(members), columns, demands)


@LIMIT
@given(tables(demands=True), st.integers(1, 3), st.sampled_from(WEIGHTS), st.data())
def test_some_people_are_a_table_of_their_own(table, k, weight, data):
    members = sorted(data.draw(st.sets(st.integers(0, table.count - 1), min_size=1)))
    left, expected = fast(table).among(np.array(members)), restricted(table, members)
    assert classes(left.mondrian(k, weight).classes) == oracle.mondrian(expected, k, weight)
    assert classes(left.gdf(k).classes) == oracle.gdf(expected, k)
    numbers = st.lists(st.integers(0, 1), min_size=len(members), max_size=len(members))
    labels = np.array(data.draw(numbers), np.int32) % len(members)
    held = [oracle.satisfied(expected, one, k) for one in classes(labels) if one]
    assert left.hold(labels, k) == all(held)


def test_a_class_outside_the_numbers_is_refused():
    people = People(2, [])
    for wrong in ([0, 2], [-1, 0], [0]):
        with pytest.raises(ValueError):
            people.hold(np.array(wrong, np.int32), 1)
    with pytest.raises(TypeError):
        people.hold(np.zeros(2, np.int64), 1)


def test_a_median_that_only_allows_the_second_cut():
    ages = np.array([0, 0, 0, 0, 1, 1, 1], np.int32)
    people = People(7, [NumberColumn(ages, ages, np.array([1.0, 2.0]))])
    assert classes(people.mondrian(3, 1.0).classes) == [[0, 1, 2, 3], [4, 5, 6]]
    assert classes(people.mondrian(3, 1.0, printed=True).classes) == [list(range(7))]


def test_a_constant_column_divides_nothing_by_zero():
    same = np.zeros(6, np.int32)
    people = People(6, [NumberColumn(same, same, np.array([5.0]))])
    assert people.mondrian(2, 0.5).classes.tolist() == [0] * 6


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
