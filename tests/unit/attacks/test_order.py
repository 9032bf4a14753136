"""The order of rows, used and shuffled away."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.errors import BadInput

SCHEMA = {"columns": {"age": {"kind": "number"}, "sex": {}}}


def register(people=300):
    rng = np.random.default_rng(0)
    ages = np.sort(rng.integers(18, 60, people))
    return pl.DataFrame({"age": ages, "sex": rng.choice(["f", "m"], people)})


@pytest.mark.parametrize("descending", [False, True])
def test_a_sorted_register_tells_ages_until_it_is_shuffled(descending):
    frame = register().sort("age", descending=descending)
    options = {"k": 5, "partitioner": "clusters", "effort": "quick"}
    for shuffle, found in ((False, True), (True, False)):
        release = sf.anonymize(frame, SCHEMA, shuffle=shuffle, **options)
        result = sf.attack(frame, release, ["order"])[0]
        assert (result.name, result.unit) == ("order", "row")
        assert result.trials > 0
        assert (result.success > 0) == found


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3), st.integers(0, 3)), max_size=12))
def test_what_is_found_is_what_all_sorted_tables_have(rows):
    """By the definition: every ascending choice of numbers from the ranges has that number."""
    rows = sorted(rows)
    table = pl.DataFrame({"age": [v for v, _, _ in rows]}, schema={"age": pl.Int64})
    cells = [f"[{v - a}-{v + b}]" if a or b else str(v) for v, a, b in rows]
    released = pl.DataFrame({"age": cells}, schema={"age": pl.String})
    result = sf.attack(table, released, ["order"], schema={"columns": {"age": {"kind": "number"}}})
    low = [v - a for v, a, _ in rows]
    high = [v + b for v, _, b in rows]
    exact = sum(max(low[: i + 1]) == min(high[i:]) for i in range(len(rows)) if low[i] < high[i])
    wide = sum(one < other for one, other in zip(low, high, strict=True))
    assert result[0].trials == wide
    assert round(result[0].success * wide) >= exact


def test_a_schema_is_needed():
    with pytest.raises(BadInput):
        sf.attack(register(), register(), ["order"])
