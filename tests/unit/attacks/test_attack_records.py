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
    assert linked.control <= linked.high


def test_an_unchanged_table_is_linked():
    table = pl.DataFrame({"age": [str(i) for i in range(40)]})
    found = by_name(attack_records(table, table, {"columns": {"age": {"kind": "number"}}}))
    assert found["linkage"].success == 1
    assert found["linkage"].control == 0
    assert found["linkage"].is_above_control
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
