"""Linkage and risks on Table 5 and on random tables, against the definition."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from oracles.record_measures import linkage_success
from papers.rx_anon_tables import table_1, table_5
from sfumato.attacks.records import attack_records, risks


def by_name(found):
    return {one.name: one for one in found}


def test_table_5_protects_half():
    found = by_name(attack_records(table_1(), table_5()))
    assert found["prosecutor"].success == 0.5
    assert found["marketer"].success == 0.5
    linked = found["linkage"]
    assert linked.detail["expected"] <= 0.5
    assert linked.detail["found_alone"] == 0
    assert linked.detail["success_on_original"] == 1
    assert linked.trials == 6
    assert linked.control is None  # typed in: nobody can be held out


def test_an_unchanged_table_is_linked():
    table = pl.DataFrame({"age": [str(i) for i in range(40)]})
    found = by_name(attack_records(table, table, {"columns": {"age": {"kind": "number"}}}))
    assert found["linkage"].success == 1
    assert found["linkage"].control is None
    assert found["linkage"].verdict == "no control"
    assert found["prosecutor"].success == 1


@settings(max_examples=60)
@given(st.lists(st.integers(0, 9), min_size=4, max_size=12), st.integers(2, 3))
def test_expected_success_is_the_definition(ages, k):
    """Sorted people in runs of k, the rest in the last run: never above 1/k."""
    ages = sorted(ages)
    starts = list(range(0, len(ages) - k + 1, k))
    runs = [ages[a:b] for a, b in zip(starts, [*starts[1:], len(ages)], strict=True)]
    cells = [
        f"[{run[0]}-{run[-1]}]" if run[0] < run[-1] else str(run[0]) for run in runs for _ in run
    ]
    shown = {
        i: [set(range(run[0], run[-1] + 1))]
        for i, run in enumerate(run for run in runs for _ in run)
    }
    expected = linkage_success({i: [age] for i, age in enumerate(ages)}, shown)
    schema = {"columns": {"age": {"kind": "number"}}}
    found = by_name(
        attack_records(pl.DataFrame({"age": ages}), pl.DataFrame({"age": cells}), schema)
    )["linkage"]
    assert found.detail["expected"] == pytest.approx(expected)
    assert expected <= 1 / k + 1e-12


def test_the_journalist_searches_the_population():
    table = pl.DataFrame({"age": [1, 2, 8, 9]})
    released = pl.DataFrame({"age": ["[1-2]", "[1-2]", "[8-9]", "[8-9]"]})
    population = pl.DataFrame({"age": [1, 1, 1, 2, 8, 9, 9, 9, 9, 9]})
    schema = {"columns": {"age": {"kind": "number"}}}
    found = by_name(attack_records(table, released, schema, population))
    assert found["journalist"].success == 1 / 4
    assert found["prosecutor"].success == 1 / 2
    assert found["marketer"].success == pytest.approx((2 / 4 + 2 / 6) / 4)


def test_risks_of_nobody():
    assert [one.success for one in risks(np.zeros(0, np.int64))] == [0, 0, 0]


def test_a_frame_without_schema_is_refused():
    with pytest.raises(sf.BadInput, match="schema"):
        attack_records(pl.DataFrame({"a": [1]}), pl.DataFrame({"a": [1]}))


def test_results_hold_no_text():
    shown = repr([one.as_dict() for one in attack_records(table_1(), table_5())])
    assert "engineer" not in shown


PEOPLE = st.lists(
    st.tuples(
        st.integers(0, 7),  # the person
        st.integers(0, 9),
        st.sampled_from("xyz"),
        st.sets(st.sampled_from("abc")),
        st.sampled_from(["met Ann", "met Bob", "met nobody"]),
    ),
    min_size=8,
    max_size=24,
)
MIXED = {
    "person": "id",
    "columns": {
        "age": {"kind": "number"},
        "town": {"kind": "category"},
        "codes": {"kind": "set"},
        "text": {"kind": "text"},
    },
}


def released_people(rows, k):
    table = pl.DataFrame(
        [(i, age, town, sorted(codes), text) for i, age, town, codes, text in rows],
        {"id": pl.Int64, "age": pl.Int64, "town": pl.String, "codes": pl.List(pl.String)}
        | {"text": pl.String},
        orient="row",
    )
    places = [
        (row, 4, 7, "ORG") for row, text in enumerate(table["text"]) if not text.endswith("nobody")
    ]
    terms = pl.DataFrame(
        places,
        {"row": pl.Int64, "start": pl.Int64, "stop": pl.Int64, "label": pl.String},
        orient="row",
    )
    return table, sf.anonymize(table, MIXED, k=k, recognizer=terms, shuffle=False)


@settings(max_examples=40)
@given(PEOPLE, st.integers(2, 3))
def test_nobody_is_linked_more_often_than_once_in_k(rows, k):
    """Several rows a person, sets and terms: the definition over people, and 1/k at most."""
    if len({row[0] for row in rows}) < k:
        return
    table, release = released_people(rows, k)
    linked = by_name(attack_records(table, release))["linkage"]
    assert linked.detail["expected"] == pytest.approx(
        by_definition(rows, release.data.rows(named=True))
    )
    assert linked.detail["expected"] <= 1 / k + 1e-12


def by_definition(rows, shown):
    """Whoever fits: every value covered, and everything that is shown of them known."""
    people = sorted({row[0] for row in rows})
    known = {
        person: [(row, one) for row, one in zip(rows, shown, strict=True) if row[0] == person]
        for person in people
    }

    def fits(person, other):
        mine, theirs = [row for row, _ in known[person]], [one for _, one in known[other]]
        ages = [[int(end) for end in str(one["age"]).strip("[]").split("-")] for one in theirs]
        towns = {town for one in theirs for town in one["town"].strip("()").split(",")}
        items = {item for one in theirs for item in one["codes"]}
        words = {one["text"][4:] for one in theirs} & {"Ann", "Bob"}
        return (
            all(any(age[0] <= row[1] <= age[-1] for age in ages) for row in mine)
            and {row[2] for row in mine} <= towns
            and items <= set().union(*(row[3] for row in mine))
            and words <= {row[4][4:] for row in mine}
        )

    chances = [
        fits(person, person) / max(1, sum(fits(person, other) for other in people))
        for person in people
    ]
    return sum(chances) / len(chances)


def test_all_rows_of_a_person_are_known():
    """By their first rows alone both people would fit both classes."""
    table = pl.DataFrame({"id": [1, 1, 2, 2], "age": [5, 9, 5, 1]})
    released = table.with_columns(pl.col("age").cast(pl.String))
    schema = {"person": "id", "columns": {"age": {"kind": "number"}}}
    linked = by_name(attack_records(table, released, schema))["linkage"]
    assert linked.success == linked.detail["expected"] == 1


def test_people_held_out_are_the_control():
    draw = np.random.default_rng(0)
    table = pl.DataFrame({"id": range(400), "age": draw.integers(0, 10_000, 400)})
    schema = {"person": "id", "columns": {"age": {"kind": "number"}}}
    found = attack_records(table, sf.anonymize(table, schema, k=4))
    linked = by_name(found)["linkage"]
    assert linked.detail["expected"] <= 1 / 4
    # Some fall between two classes, the others fit one class as if they were in it.
    assert 0 < linked.control < 1 / 4
    assert linked == by_name(attack_records(table, sf.anonymize(table, schema, k=4)))["linkage"]


@pytest.mark.data
def test_four_thousand_people_are_linked_at_most_once_in_k(data_folder):
    people = pl.read_csv(data_folder / "people_4000.csv.zst")
    terms = pl.read_csv(data_folder / "people_4000_terms.csv.zst")
    columns = {"age": {"kind": "number"}, "topic": {}, "sign": {}, "text": {"kind": "text"}}
    release = sf.anonymize(people, {"person": "id", "columns": columns}, k=5, recognizer=terms)
    linked = by_name(attack_records(people, release, trials=300))["linkage"]
    assert linked.detail["expected"] <= 1 / 5
    assert linked.control <= linked.high


def test_the_order_of_rows_changes_no_figure():
    table = pl.DataFrame(
        {
            "who": [f"p{i % 20}" for i in range(40)],
            "age": [20 + i % 20 for i in range(40)],
            "town": ["Ulm" if i % 3 else "Bonn" for i in range(40)],
        }
    )
    schema = {"person": "who", "columns": {"age": {"kind": "number"}, "town": {"kind": "category"}}}
    cells = table.with_columns(
        pl.when(pl.col("age") < 30)
        .then(pl.lit("[20-29]"))
        .otherwise(pl.lit("[30-39]"))
        .alias("age")
    )
    figures = []
    for seed in range(4):
        order = np.random.default_rng(seed).permutation(table.height)
        figures.append(attack_records(table[order], cells[order], schema, trials=9))
    assert all(one == figures[0] for one in figures)
