"""`anonymize`: frames, kinds of columns and demands; one test for each known defect."""

from __future__ import annotations

import numpy as np
import pandas
import polars as pl
import pyarrow
import pytest

import sfumato as sf
from unit.methods.tables import described, spans, table, verified

# Known defects of rx-anon's code.


def test_rows_with_missing_values_are_not_dropped():
    frame = table(age=[36, None, 24, None], job=["a", None, "a", None], text=["x", None, "y", None])
    schema = described(age={"kind": "number"}, job={}, text={"kind": "text"})
    release = verified(frame, sf.anonymize(frame, schema, k=2, recognizer=[]))
    assert release.data.height == 4
    assert release.data["age"].to_list() == ["[24-36]", None, "[24-36]", None]
    release = verified(frame, sf.anonymize(frame, schema, k=4, recognizer=[]))
    assert release.data["age"].to_list() == ["[24-36]|missing"] * 4
    assert release.data["job"].to_list() == ["a|missing"] * 4
    assert release.data["text"].to_list() == frame["text"].to_list()


def test_fewer_than_k_people_cannot_be_met():
    frame = pl.DataFrame({"id": ["1", "1", "1"], "age": [1, 2, 3]})
    with pytest.raises(sf.CannotBeMet) as problem:
        sf.anonymize(frame, described(age={"kind": "number"}), k=2)
    assert problem.value.exit_code == 3


def test_a_constant_date_is_no_division_by_zero():
    frame = table(day=["2004-05-14"] * 4, age=[1, 2, 3, 4])
    release = verified(
        frame, sf.anonymize(frame, described(day={"kind": "date"}, age={"kind": "number"}), k=2)
    )
    assert release.data["day"].to_list() == ["2004-05-14"] * 4
    assert release.loss["NCP_A:day"] == 0


def test_column_names_keep_their_capitals():
    frame = pl.DataFrame({"ID": [1, 2], "Age": [3, 4], "AGE": ["x", "y"]})
    schema = {"person": "ID", "columns": {"Age": {"kind": "number"}, "AGE": {}}}
    release = verified(frame, sf.anonymize(frame, schema, k=2))
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
    release = verified(frame, sf.anonymize(frame, SCHEMA, k=2))
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
        assert list(release.data.index) == list("wxyz")
        assert release.data["id"].dtype == np.int64
        assert list(frame["age"]) == FRAME["age"]  # untouched


def test_an_unchanged_column_keeps_its_type():
    frame = pl.DataFrame({"id": [1, 2, 3, 4], "age": [36, 36, 61, 61]})
    release = sf.anonymize(frame, described(age={"kind": "number"}), k=2)
    assert release.data["age"].dtype == pl.Int64
    assert "age" not in release.claims[-1].parameters["recoded"]


def test_several_frames_are_joined_on_the_person():
    people = pl.DataFrame({"id": ["1", "2"], "age": [36, 24]})
    posts = pl.DataFrame({"id": ["1", "1", "2"], "text": ["in Bonn", "in Ulm", "in Bonn"]})
    frame = {"people": people, "posts": posts}
    found = spans(["in Bonn", "in Ulm", "in Bonn"], ("Bonn", "GPE"), ("Ulm", "GPE"))
    schema = described(age={"kind": "number"}, text={"kind": "text"})
    release = sf.anonymize(frame, schema, k=2, recognizer=found)
    assert release.data["text"].to_list() == ["in Bonn", "in gpe", "in Bonn"]


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
    release = verified(frame, sf.anonymize(frame, schema, k=2))
    data = release.data
    assert data["pain"].to_list() == ["[low-mid]", "[low-mid]", "high", "high"]
    assert data["city"].to_list() == ["Germany", "Germany", "Italy", "Italy"]
    assert data["codes"].to_list() == [["b"], ["b"], ["x"], ["x"]]
    assert data["pay"].to_list() == [2.0, 2.0, 9.5, 9.5]
    assert "gone" not in data.columns


def test_sets_as_strings_and_no_person_number():
    frame = table(codes=["b; a", "a;c", "x", "x;y"])
    schema = {**described(codes={"kind": "set"}), "person_number": False}
    release = verified(frame, sf.anonymize(frame, schema, k=2, partitioner="gdf"))
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
    release = verified(frame, sf.anonymize(frame, described(day={"kind": "date"}), k=2))
    assert release.data["day"].to_list() == [cell, cell]


# Demands.


def test_diversity_and_closeness_hold_in_every_class():
    rng = np.random.default_rng(1)
    frame = table(age=rng.integers(20, 80, 80), ill=rng.choice(["a", "b", "c"], 80))
    schema = described(age={"kind": "number"}, ill={"role": "sensitive"})
    plain = sf.anonymize(frame, schema, k=3)
    assert any("sensitive" in one for one in plain.warnings)
    for options in (
        {"l": 3},
        {"l": 2, "diversity": "entropy"},
        {"l": 2, "diversity": "recursive", "c": 2.0},
        {"t": 0.2},
    ):
        for partitioner in ("mondrian", "clusters"):
            release = sf.anonymize(frame, schema, k=3, partitioner=partitioner, **options)
            assert len(release.claims) == 3
            verified(frame, release)
            assert release.counts["classes"] > 1
    with pytest.raises(sf.CannotBeMet):
        sf.anonymize(frame, schema, k=3, l=4)


def test_outliers_are_left_out():
    frame = table(age=[1, 2, 3, 90, 60, 61])
    schema = described(age={"kind": "number"})
    release = verified(frame, sf.anonymize(frame, schema, k=2, suppress_share=0.2))
    assert release.counts["people_suppressed"] == 1
    assert release.data.height == 5
    assert release.loss["NCP"] < sf.anonymize(frame, schema, k=2).loss["NCP"]


def test_a_list_of_k():
    frame = table(age=list(range(12)))
    releases = sf.anonymize(frame, described(age={"kind": "number"}), k=[2, 3])
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
        sf.anonymize(frame, described(age={"kind": "number"}), **options)


def test_no_frame_is_refused():
    for wrong in ("text", [1, 2], None, 5):
        with pytest.raises(sf.BadInput):
            sf.anonymize(wrong, described(age={"kind": "number"}))


def test_same_seed_same_numbers():
    frame = table(age=list(range(20)))
    schema = described(age={"kind": "number"})
    one, two, other = (sf.anonymize(frame, schema, seed=seed).data for seed in (1, 1, 2))
    assert one.equals(two)
    assert not one["id"].equals(other["id"])


def test_clusters_cost_numbers_by_their_hierarchy() -> None:
    people = pl.DataFrame({"age": [9, 10, 14, 5]})
    ages = {"kind": "number", "hierarchy": {"intervals": [10, 100]}}
    release = sf.anonymize(
        people, {"columns": {"age": ages}}, k=2, partitioner="clusters", relational_weight=1.0
    )
    cells = release.data["age"].to_list()
    assert cells[0] == cells[3] != cells[1] == cells[2]
