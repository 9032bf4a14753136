"""Values that look alike to a computer: `True` and `1`, and whole numbers beyond 2^53."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.errors import BadInput, CannotBeMet

LIMIT = 2**53
ALIKE = st.sampled_from([True, False, 1, 0, 1.0, 0.0, "1", "0", "True", "true", "1.0", None])


def shown(value):
    """How a cell of a mixed column is written."""
    return None if value is None else str(value)


@settings(max_examples=40, deadline=None)
@given(st.lists(ALIKE, min_size=4, max_size=12), st.integers(1, 3))
@example([1.0] * 4, 1)
def test_values_of_a_category_are_one_only_if_they_are_written_alike(values, k):
    """Lists, pandas' object columns and strings: never is `True` the same as `1`."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"flag": pandas.Series(values, dtype=object)})
    schema = {"columns": {"flag": {}}}
    release = sf.anonymize(frame, schema, k=k, effort="quick", shuffle=False)
    assert all(verdict.holds for verdict in sf.verify(frame, release))
    plain = pl.DataFrame({"flag": pl.Series([shown(one) for one in values], dtype=pl.String)})
    again = sf.anonymize(plain, schema, k=k, effort="quick", shuffle=False)
    cells = [None if pandas.isna(one) else str(one) for one in release.data["flag"]]
    if {type(one) for one in values if one is not None} == {bool}:
        cells = [None if one is None else one.replace("t", "T").replace("f", "F") for one in cells]
    # Who is alike and not in the same class is told apart by a draw: cells are compared by value.
    pairs, others = (
        sorted((str(shown(one)), str(cell)) for one, cell in zip(values, some, strict=True))
        for some in (cells, again.data["flag"].to_list())
    )
    assert pairs == others
    if k == 1:
        assert cells == plain["flag"].to_list()  # nobody is put together with anybody


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(LIMIT - 3, LIMIT - 1), min_size=2, max_size=8),
    st.sampled_from([pl.Int64, pl.String]),
    st.sampled_from([1, -1]),
)
def test_whole_numbers_up_to_the_limit_are_exact(values, dtype, sign):
    numbers = [sign * one for one in values]
    frame = pl.DataFrame({"x": pl.Series(numbers).cast(dtype)})
    release = sf.anonymize(frame, {"columns": {"x": {"kind": "number"}}}, k=1, shuffle=False)
    assert [int(one) for one in release.data["x"].to_list()] == numbers


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(-LIMIT, LIMIT), min_size=1, max_size=5),
    st.integers(LIMIT, 2**63 - 1),
    st.sampled_from([pl.Int64, pl.String, pl.UInt64]),
    st.booleans(),
    st.integers(0, 5),
)
def test_a_whole_number_that_would_be_rounded_is_refused(values, large, dtype, negative, place):
    unsigned = dtype == pl.UInt64
    values = [abs(one) if unsigned else one for one in values]
    values.insert(place, -large if negative and not unsigned else large)
    frame = pl.DataFrame({"x": pl.Series(values, dtype=pl.Int64).cast(dtype)})
    with pytest.raises(BadInput):
        sf.anonymize(frame, {"columns": {"x": {"kind": "number"}}}, k=1)
    as_categories = sf.anonymize(frame, {"columns": {"x": {}}}, k=1, shuffle=False)
    assert [int(str(one)) for one in as_categories.data["x"].to_list()] == values


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from([True, 1, "1", "True"]), min_size=4, max_size=10))
def test_no_class_shows_true_and_one_as_the_same(values):
    """People with `True` beside people with `1` are two values in classes, claims and checks."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"flag": pandas.Series(values, dtype=object)})
    try:
        release = sf.anonymize(frame, {"columns": {"flag": {}}}, k=2, effort="quick", shuffle=False)
    except CannotBeMet:
        return
    for cell, value in zip(release.data["flag"], values, strict=True):
        told = str(cell).strip("()").split(",")
        assert str(value) in told
