"""Numbers, dates, labels and secrets as people write them: released, verified, counted once."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.errors import BadInput, CannotBeMet

LIMIT = settings(max_examples=60)
K = st.integers(1, 50)
NUMBERS = st.sampled_from(
    [
        *("1", "1.0", "+1", "01", "1e0", "-0", "0", "0.0", "2.5", "2.50", "1e3", "1000", "-7"),
        *("1E-7", "36", "36.0", " 36", "1e20", "100000000000000000000", "9007199254740993"),
        *("nan", "inf", ""),
    ]
)
FLOATS = st.sampled_from([0.0, -0.0, 1.0, 2.5, 1e-7, 1e20, 7.0, float("nan"), float("inf"), None])
WRITTEN = st.sampled_from(["8/3/2017", "08/03/2017", "8/03/2017", "8/4/2017", "12/31/2018", ""])
ISO = st.sampled_from(
    ["2017-08-03", "2017-08-03T10:00", "2017-08-03 23:59:59+02:00", "2017-08-04", "2019-01-01"]
)
MOMENTS = st.sampled_from(
    [datetime(2017, 8, 3, 1), datetime(2017, 8, 3, 2), datetime(2018, 1, 1), None]
)
ZONED = st.sampled_from(
    [datetime(2017, 8, 3, hour, tzinfo=UTC) for hour in (1, 23)]
    + [datetime(2017, 8, 9, tzinfo=UTC)]
)
DAYS = st.sampled_from([date(2017, 8, 3), date(2017, 8, 4), date(2020, 2, 29), None])


def is_rounded(value):
    return re.fullmatch(r"[+-]?\d+", value) is not None and abs(int(value)) >= 2**53


def described(**column):
    return {"columns": {"x": {**column, "unreadable": "missing"}}}


def checked(values, schema, k, dtype=None):
    frame = pl.DataFrame({"x": pl.Series(values, dtype=dtype)})
    if len(values) < k:
        with pytest.raises(CannotBeMet):
            sf.anonymize(frame, schema, k=k)
        return
    release = sf.anonymize(frame, schema, k=k)
    verdicts = sf.verify(frame, release)
    assert all(one.holds for one in verdicts), verdicts
    sizes = release.data["x"].cast(pl.String).value_counts()["count"]
    assert sizes.min() >= k


@LIMIT
@given(st.lists(NUMBERS, min_size=1, max_size=60), K, st.booleans())
def test_numbers_as_texts(values, k, intervals):
    more = {"hierarchy": {"intervals": [5, 10]}} if intervals else {}
    if any(is_rounded(value) for value in values):  # refused, so that no two become one
        with pytest.raises(BadInput, match=r"above 2\^53"):
            checked(values, described(kind="number", **more), 1, pl.String)
        return
    checked(values, described(kind="number", **more), k, pl.String)


@LIMIT
@given(st.lists(FLOATS, min_size=1, max_size=60), K, st.sampled_from([None, "intervals", "mean"]))
def test_numbers_as_floats(values, k, how):
    more = {"hierarchy": {"intervals": [5, 10]}} if how == "intervals" else {}
    more |= {"recode": "mean"} if how == "mean" else {}
    checked(values, described(kind="number", **more), k, pl.Float64)


@LIMIT
@given(st.lists(WRITTEN, min_size=1, max_size=60), K, st.booleans())
def test_dates_by_a_format(values, k, levels):
    more = {"hierarchy": {"dates": ["month", "year"]}} if levels else {}
    checked(values, described(kind="date", format="%m/%d/%Y", **more), k, pl.String)


@LIMIT
@given(
    st.sampled_from([(ISO, pl.String), (MOMENTS, None), (ZONED, None), (DAYS, pl.Date)]),
    st.data(),
    K,
    st.booleans(),
)
def test_days_with_and_without_times(kind, data, k, levels):
    values = data.draw(st.lists(kind[0], min_size=1, max_size=60))
    more = {"hierarchy": {"dates": ["month", "year"]}} if levels else {}
    dtype = kind[1]
    if dtype is None and all(one is None for one in values):
        dtype = pl.Datetime
    schema = described(kind="date", **more)
    checked(values, schema, k, dtype)


def test_no_time_of_day_is_released():
    times = [datetime(2017, 8, 3) + timedelta(minutes=i) for i in range(4)]
    frame = pl.DataFrame({"x": times})
    release = sf.anonymize(frame, described(kind="date"), k=4)
    assert release.data["x"].to_list() == ["2017-08-03"] * 4
    timed = replace(release, data=pl.DataFrame({"x": ["2017-08-03 00:01:00.000000"] * 4}))
    assert not all(one.holds for one in sf.verify(frame, timed))


def test_a_cell_of_another_day_or_number_is_rejected():
    frame = pl.DataFrame({"x": ["8/3/2017", "08/03/2017"]})
    schema = described(kind="date", format="%m/%d/%Y")
    release = sf.anonymize(frame, schema, k=2)
    wrong = replace(release, data=pl.DataFrame({"x": ["8/4/2017"] * 2}))
    assert not all(one.holds for one in sf.verify(frame, wrong))


SECRETS = {"person": "id", "columns": {"x": {"kind": "number"}, "s": {"role": "sensitive"}}}


@pytest.mark.parametrize("pair", [("HIV", "hiv"), ("hiv", "hiv\u200b"), ("hiv", "hiv ")])
def test_one_secret_in_two_writings_is_one(pair):
    frame = pl.DataFrame({"id": [1, 2], "x": [1, 1], "s": list(pair)})
    with pytest.raises(CannotBeMet):
        sf.anonymize(frame, SECRETS, k=2, l=2)
    assert_rejected(frame)


@pytest.mark.parametrize("gap", [None, "", "\u200b"])
@pytest.mark.parametrize("diversity", ["distinct", "entropy", "recursive"])
def test_a_missing_secret_is_no_diversity(gap, diversity):
    frame = pl.DataFrame({"id": [1, 2], "x": [1, 1], "s": ["hiv", gap]})
    with pytest.raises(CannotBeMet):
        sf.anonymize(frame, SECRETS, k=2, l=2, diversity=diversity, c=3.0)
    assert_rejected(frame)


def assert_rejected(frame):
    """A release that claims 2-diversity of this table is found out."""
    good = frame.with_columns(s=pl.Series(["hiv", "flu"]))
    release = sf.anonymize(good, SECRETS, k=2, l=2, shuffle=False)
    assert all(one.holds for one in sf.verify(good, release))
    planted = replace(release, data=release.data.with_columns(s=frame["s"]))
    verdicts = {one.claim.name: one.holds for one in sf.verify(frame, planted)}
    assert verdicts == {"k-anonymity": True, "l-diversity": False, "nothing-else-changed": True}


ILL = st.sampled_from(["hiv", "HIV", "flu", "Flu ", "gout", None, ""])


@LIMIT
@given(
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 3), ILL), min_size=1, max_size=40),
    st.integers(1, 6),
    st.sampled_from([("distinct", 2), ("entropy", 1.5), ("recursive", 2)]),
)
def test_what_is_diverse_is_verified(rows, k, demanded):
    frame = pl.DataFrame(rows, {"id": pl.Int64, "x": pl.Int64, "s": pl.String}, orient="row")
    try:
        release = sf.anonymize(frame, SECRETS, k=k, l=demanded[1], diversity=demanded[0], c=2.0)
    except CannotBeMet:
        return
    assert all(one.holds for one in sf.verify(frame, release))


@pytest.mark.parametrize("other", ["p1\u200b", "p1\u00ad", "P1", "p1 ", "ｐ1"])
def test_one_person_in_two_writings_is_one(other):
    frame = pl.DataFrame({"id": ["p1", other], "x": [1, 1]})
    schema = {"person": "id", "columns": {"x": {"kind": "number"}}}
    with pytest.raises(CannotBeMet):
        sf.anonymize(frame, schema, k=2)
    release = sf.anonymize(frame, schema, k=1)
    assert release.counts["people"] == 1
    assert release.warnings[0].startswith("1 labels differ")
    assert all(one.holds for one in sf.verify(frame, release))
    two = frame.with_columns(id=pl.Series(["p1", "p2"]))
    planted = sf.anonymize(two, schema, k=2, shuffle=False)
    assert not sf.verify(frame, planted)[0].holds


@pytest.mark.parametrize(
    "sets", [[["a"], None, [], ["b"]], ["a", None, "", "b"], [None, None, "", ""]]
)
def test_no_set_and_an_empty_one_look_alike(sets):
    frame = pl.DataFrame({"id": [1, 2, 3, 4], "x": pl.Series(sets)})
    schema = {"person": "id", "columns": {"x": {"kind": "set"}}}
    release = sf.anonymize(frame, schema, k=4, shuffle=False)
    assert release.data["x"].null_count() == 0
    assert all(one.holds for one in sf.verify(frame, release))
    empty = [[]] if isinstance(sets[0], list) else [""]
    gap = pl.Series([None, *(empty * 3)], dtype=release.data["x"].dtype)
    planted = replace(release, data=release.data.with_columns(x=gap))
    assert not sf.verify(frame, planted)[0].holds
