"""`anonymize`: frames, kinds of columns and demands; one test for each known defect."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas
import polars as pl
import pyarrow
import pytest

import sfumato as sf
from oracles import record_measures as oracle
from unit.methods.tables import described, spans, table, verified

anonymize = partial(sf.anonymize, shuffle=False)  # rows are compared with the original's

# Known defects of rx-anon's code.


def test_rows_with_missing_values_are_not_dropped():
    frame = table(age=[36, None, 24, None], job=["a", None, "a", None], text=["x", None, "y", None])
    schema = described(age={"kind": "number"}, job={}, text={"kind": "text"})
    release = verified(frame, anonymize(frame, schema, k=2, recognizer=[]))
    assert release.data.height == 4
    assert release.data["age"].to_list() == ["[24-36]", None, "[24-36]", None]
    release = verified(frame, anonymize(frame, schema, k=4, recognizer=[]))
    assert release.data["age"].to_list() == ["[24-36]|missing"] * 4
    assert release.data["job"].to_list() == ["a|missing"] * 4
    assert release.data["text"].to_list() == frame["text"].to_list()


def test_fewer_than_k_people_cannot_be_met():
    frame = pl.DataFrame({"id": ["1", "1", "1"], "age": [1, 2, 3]})
    with pytest.raises(sf.CannotBeMet) as problem:
        anonymize(frame, described(age={"kind": "number"}), k=2)
    assert problem.value.exit_code == 3


def test_a_constant_date_is_no_division_by_zero():
    frame = table(day=["2004-05-14"] * 4, age=[1, 2, 3, 4])
    release = verified(
        frame, anonymize(frame, described(day={"kind": "date"}, age={"kind": "number"}), k=2)
    )
    assert release.data["day"].to_list() == ["2004-05-14"] * 4
    assert release.loss["NCP_A:day"] == 0


def test_column_names_keep_their_capitals():
    frame = pl.DataFrame({"ID": [1, 2], "Age": [3, 4], "AGE": ["x", "y"]})
    schema = {"person": "ID", "columns": {"Age": {"kind": "number"}, "AGE": {}}}
    release = verified(frame, anonymize(frame, schema, k=2))
    assert release.data.columns == ["ID", "Age", "AGE"]


# Frames.


FRAME = {"id": [3, 1, 2, 4], "age": [36, 24, 61, 58], "note": ["a", "b", "c", "d"]}
SCHEMA = described(age={"kind": "number"}, note={"role": "insensitive"})
AGES = ["[24-36]", "[24-36]", "[58-61]", "[58-61]"]


@pytest.mark.parametrize(
    "make",
    [
        lambda: pl.DataFrame(FRAME),
        lambda: pandas.DataFrame(FRAME, index=list("wxyz")),
        lambda: pyarrow.table(FRAME),
    ],
)
def test_the_kind_of_frame_comes_back(make):
    frame = make()
    release = verified(frame, anonymize(frame, SCHEMA, k=2))
    assert type(release.data) is type(frame)
    assert (
        list(
            release.data["age"].to_pylist()
            if hasattr(release.data["age"], "to_pylist")
            else release.data["age"]
        )
        == AGES
    )
    if isinstance(frame, pandas.DataFrame):
        assert list(release.data.index) == [0, 1, 2, 3]  # no names, no places
        assert release.data["id"].dtype == np.int64
        assert list(frame["age"]) == FRAME["age"]  # untouched


def test_an_unchanged_column_keeps_its_type():
    frame = pl.DataFrame({"id": [1, 2, 3, 4], "age": [36, 36, 61, 61]})
    release = anonymize(frame, described(age={"kind": "number"}), k=2)
    assert release.data["age"].dtype == pl.Int64
    assert "age" not in release.claims[-1].parameters["recoded"]


def test_several_frames_are_joined_on_the_person():
    people = pl.DataFrame({"id": ["1", "2"], "age": [36, 24]})
    posts = pl.DataFrame({"id": ["1", "1", "2"], "text": ["in Bonn", "in Ulm", "in Bonn"]})
    frame = {"people": people, "posts": posts}
    found = spans(["in Bonn", "in Ulm", "in Bonn"], ("Bonn", "GPE"), ("Ulm", "GPE"))
    schema = described(age={"kind": "number"}, text={"kind": "text"})
    release = anonymize(frame, schema, k=2, recognizer=found)
    assert release.data["text"].to_list() == ["in Bonn", "in [GPE]", "in Bonn"]


# Kinds.


def test_every_kind_of_column():
    frame = table(
        pain=["low", "mid", "high", "high"],
        city=["Bonn", "Ulm", "Rome", "Pisa"],
        codes=[["a", "b"], ["b", "c"], ["x"], ["x", "y"]],
        pay=[1.5, 2.5, 9.0, 10.0],
        gone=["p", "q", "r", "s"],
    )
    tree = {"tree": {"Germany": ["Bonn", "Ulm"], "Italy": ["Rome", "Pisa"]}}
    schema = described(
        pain={"kind": "ordered", "order": ["low", "mid", "high"]},
        city={"hierarchy": tree},
        codes={"kind": "set"},
        pay={"kind": "number", "recode": "mean"},
        gone={"role": "drop"},
    )
    release = verified(frame, anonymize(frame, schema, k=2))
    data = release.data
    assert data["pain"].to_list() == ["[low-mid]", "[low-mid]", "high", "high"]
    assert data["city"].to_list() == ["Germany", "Germany", "Italy", "Italy"]
    assert data["codes"].to_list() == [["b"], ["b"], ["x"], ["x"]]
    assert data["pay"].to_list() == [2.0, 2.0, 9.5, 9.5]
    assert "gone" not in data.columns


def test_sets_as_strings_and_no_person_number():
    frame = table(codes=["b; a", "a;c", "x", "x;y"])
    schema = {**described(codes={"kind": "set"}), "person_number": False}
    release = verified(frame, anonymize(frame, schema, k=2, partitioner="gdf"))
    assert release.data.columns == ["codes"]
    assert release.data["codes"].to_list() == ["a", "a", "x", "x"]


@pytest.mark.parametrize(
    ("days", "cell"),
    [
        (["2004-05-01", "2004-05-09"], "2004-05"),
        (["2010-01-01", "2010-11-01"], "2010"),
        (["1990-01-01", "1992-01-01"], "[1990-1992]"),
        (["1990-01-01", "1990-01-01"], "1990-01-01"),
    ],
)
def test_dates_become_months_years_and_ranges(days, cell):
    frame = table(day=days)
    release = verified(frame, anonymize(frame, described(day={"kind": "date"}), k=2))
    assert release.data["day"].to_list() == [cell, cell]


# Demands.


def test_diversity_and_closeness_hold_in_every_class():
    rng = np.random.default_rng(1)
    frame = table(age=rng.integers(20, 80, 80), ill=rng.choice(["a", "b", "c"], 80))
    schema = described(age={"kind": "number"}, ill={"role": "sensitive"})
    plain = anonymize(frame, schema, k=3)
    assert any("sensitive" in one for one in plain.warnings)
    for options in (
        {"l": 3},
        {"l": 2, "diversity": "entropy"},
        {"l": 2, "diversity": "recursive", "c": 2.0},
        {"t": 0.2},
    ):
        for partitioner in ("mondrian", "clusters"):
            release = anonymize(frame, schema, k=3, partitioner=partitioner, **options)
            assert len(release.claims) == 3
            verified(frame, release)
            assert release.counts["classes"] > 1
    with pytest.raises(sf.CannotBeMet):
        anonymize(frame, schema, k=3, l=4)


def test_outliers_are_left_out():
    frame = table(age=[1, 2, 3, 90, 60, 61])
    schema = described(age={"kind": "number"})
    release = verified(frame, anonymize(frame, schema, k=2, suppress_share=0.2))
    assert release.counts["people_suppressed"] == 1
    assert release.data.height == 5
    assert release.loss["NCP"] < anonymize(frame, schema, k=2).loss["NCP"]


def test_classes_stay_where_they_are_close_to_those_who_stay_too():
    # 90 goes; of the others half are ill, as in both classes.
    frame = table(age=[1, 2, 60, 61, 90], ill=["a", "b", "a", "b", "a"])
    schema = described(age={"kind": "number"}, ill={"role": "sensitive"})
    release = verified(frame, anonymize(frame, schema, k=2, t=0.2, suppress_share=0.2))
    assert release.data["age"].to_list() == ["[1-2]", "[1-2]", "[60-61]", "[60-61]"]
    assert release.loss["NCP"] < anonymize(frame, schema, k=2, t=0.2).loss["NCP"]


@pytest.mark.parametrize("partitioner", ["mondrian", "clusters", "gdf"])
@pytest.mark.parametrize(("kind", "distance"), [("category", "equal"), ("number", "ordered")])
def test_closeness_is_to_those_who_stay(partitioner, kind, distance):
    measured = {"equal": oracle.equal_distance, "ordered": oracle.ordered_distance}[distance]
    formed_anew = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        ages, ill = rng.gamma(2, 15, 60).astype(int), rng.integers(0, 5, 60)
        ill[np.argmax(ages)] = 9  # a value that goes with the outlier
        words = [["x", "y"][age > 30 :][: age % 3] for age in ages.tolist()]
        frame = table(age=ages, words=words, ill=ill)
        schema = described(
            age={"kind": "number"}, words={"kind": "set"}, ill={"role": "sensitive", "kind": kind}
        )
        options = {"k": 2, "t": 0.25, "partitioner": partitioner}
        release = verified(frame, anonymize(frame, schema, suppress_share=0.1, **options))
        assert 0 < release.counts["people_suppressed"] <= 6
        everybody = release.data["ill"].to_list()
        whole = anonymize(frame, schema, **options)
        formed_anew += whole.counts["classes"] != release.counts["classes"]
        members: dict[int, list[int]] = {}
        for number, value in zip(release.sides.classes.tolist(), everybody, strict=True):
            members.setdefault(number, []).append(value)
        assert all(measured(own, everybody) <= 0.25 + 1e-9 for own in members.values())
    assert formed_anew or partitioner != "mondrian"  # other classes may stay close here


def test_a_list_of_k():
    frame = table(age=list(range(12)))
    releases = anonymize(frame, described(age={"kind": "number"}), k=[2, 3])
    assert list(releases) == [2, 3]
    for k, release in releases.items():
        verified(frame, release)
        assert release.claims[0].parameters["k"] == k


@pytest.mark.parametrize(
    "options",
    [
        {"partitioner": "best"},
        {"relational_weight": 2},
        {"relational_weight": "half"},
        {"suppress_share": 1},
        {"terms": "drop"},
        {"cuts": "none"},
        {"l": 2},
        {"t": 0.1},
        {"k": 0},
        {"partitioner": "gdf"},
    ],
)
def test_what_cannot_be_is_refused(options):
    frame = table(age=[1, 2, 3])
    with pytest.raises(sf.BadInput):
        anonymize(frame, described(age={"kind": "number"}), **options)


def test_no_frame_is_refused():
    for wrong in ("text", [1, 2], None, 5):
        with pytest.raises(sf.BadInput):
            anonymize(wrong, described(age={"kind": "number"}))


KEY = b"a key of sixteen bytes"


def test_same_seed_and_key_same_rows():
    frame = table(age=list(range(40)))
    schema = described(age={"kind": "number"})

    def made(key=KEY, frame=frame, **options):
        return sf.anonymize(frame, schema, key=key, **options).data

    first = made(seed=1)
    assert first.equals(made(seed=1))
    other_table = frame.with_columns(age=pl.col("age") + 1)
    for other in (made(seed=2), made(b"another key of 16 b"), made(k=6), made(frame=other_table)):
        assert not first["id"].equals(other["id"])
    drawn = [sf.anonymize(frame, schema).data["id"].to_list() for _ in range(2)]
    assert drawn[0] != drawn[1]
    releases = sf.anonymize(frame, schema, k=[2, 3], key=KEY)
    assert not releases[2].data["id"].equals(releases[3].data["id"])


def test_the_public_seed_draws_nothing():
    """Who has the release and the package cannot number the people again."""
    frame = table(age=list(range(200)))
    schema = described(age={"kind": "number"})
    release = sf.anonymize(frame, schema, k=2)
    numbers = release.data["id"].to_numpy()
    guess = np.random.default_rng(0).permutation(200) + 1
    assert (numbers == guess).sum() < 20
    assert (release.sides.rows == np.arange(200)).sum() < 20
    kept = sf.anonymize(frame, schema, k=2, shuffle=False)
    assert kept.sides.rows.tolist() == list(range(200))
    assert (kept.data["id"].to_numpy() == guess).sum() < 20
    assert any("order of the rows" in one for one in kept.not_protected)
    assert "key" not in release.parameters
    assert release.certificate(private=True)["key"] == release.key.hex()
    assert str(release.sides.rows[0]) in release.certificate(private=True)["private"]["rows"]


@pytest.mark.parametrize("key", ["short", 7, b""])
def test_a_key_is_sixteen_bytes(key):
    with pytest.raises(sf.BadInput, match="key"):
        sf.anonymize(table(age=[1, 2]), described(age={"kind": "number"}), k=2, key=key)


def test_every_kind_of_frame_is_shuffled_alike():
    orders = []
    for make in (pl.DataFrame, pandas.DataFrame, pyarrow.table):
        frame = make(FRAME)
        release = verified(frame, sf.anonymize(frame, SCHEMA, k=2, key=KEY))
        orders.append(list(map(str, release.data["note"])))
    assert orders[0] == orders[1] == orders[2]


def test_clusters_cost_numbers_by_their_hierarchy() -> None:
    people = pl.DataFrame({"age": [9, 10, 14, 5]})
    ages = {"kind": "number", "hierarchy": {"intervals": [10, 100]}}
    release = anonymize(
        people, {"columns": {"age": ages}}, k=2, partitioner="clusters", relational_weight=1.0
    )
    cells = release.data["age"].to_list()
    assert cells[0] == cells[3] != cells[1] == cells[2]


def test_days_of_a_month_stay_together():
    """The nearest days are of two months, which would be published as their year."""
    days = ["2004-01-20", "2004-01-31", "2004-02-01", "2004-02-12"]
    schema = {"columns": {"day": {"kind": "date"}}}
    release = sf.anonymize(pl.DataFrame({"day": days}), schema, k=2, shuffle=False)
    assert release.data["day"].to_list() == ["2004-01", "2004-01", "2004-02", "2004-02"]
    assert release.loss["NCP_least"] == release.loss["NCP"] == 0.5


def test_years_between_the_first_and_the_last_day_are_lost():
    days = ["2003-05-02", "2003-11-30", "2005-01-01", "2004-02-12", "2001-06-06", None]
    schema = {"columns": {"day": {"kind": "date"}}}
    release = sf.anonymize(pl.DataFrame({"day": days}), schema, k=3, shuffle=False)
    assert all(one.holds for one in sf.verify(pl.DataFrame({"day": days}), release))
    assert release.loss["NCP_least"] <= release.loss["NCP"]
