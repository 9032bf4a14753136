"""`anonymize` on the cluster: the same table, row by row, also while a worker is killed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.engines import record_checks
from sfumato.methods.records import parts
from spark.clusters import after_jobs, worker_lost

pytestmark = pytest.mark.filterwarnings("ignore")
KEY = "a key of sixteen bytes"
SCHEMA = {
    "person": "id",
    "others": "insensitive",
    "columns": {
        "age": {"kind": "number"},
        "zip": {"kind": "number", "missing": "own"},
        "job": {"missing": "own"},
        "seen": {"kind": "date"},
        "tags": {"kind": "set", "separator": ";"},
        "disease": {"role": "sensitive"},
        "name": {"role": "drop"},
    },
}


@pytest.fixture(scope="module")
def table(session):
    choice, rows = np.random.default_rng(1), 360
    frame = pl.DataFrame(
        {
            "id": [f"P{i}" for i in choice.integers(0, 240, rows)],
            "age": choice.integers(18, 90, rows),
            "zip": [str(x) if x % 17 else None for x in choice.integers(0, 300, rows)],
            "job": [f"j{x}" if x else None for x in choice.integers(0, 12, rows)],
            "seen": [f"20{a:02d}-0{b}-11" for a, b in choice.integers(1, 9, (rows, 2))],
            "tags": [f"t{a};t{b}" for a, b in choice.integers(0, 3, (rows, 2))],
            "disease": [f"d{x}" for x in choice.integers(0, 6, rows)],
            "name": [f"x{i:03d}" for i in range(rows)],
        }
    )
    there = session.createDataFrame(frame.to_arrow()).repartition(4).orderBy("name").persist()
    return there, frame


def same(session, table, **options):
    there, here = table
    release = sf.anonymize(there, SCHEMA, key=KEY, engine=sf.SparkEngine(session), **options)
    local = sf.anonymize(here, SCHEMA, key=KEY, **options)
    assert pl.from_arrow(release.data.toArrow()).equals(local.data)
    assert (release.claims, release.counts) == (local.claims, local.counts)
    assert release.parameters == local.parameters
    for name, value in release.loss.items():
        assert value == pytest.approx(local.loss[name]), name
    return release, local


def test_parts_are_cut_clustered_and_judged_as_on_one_machine(session, table, monkeypatch):
    monkeypatch.setattr(parts, "PART", 70)
    monkeypatch.setattr(record_checks, "ROWS", 100)
    release, local = same(session, table, k=4)
    told = [(one.holds, dict(one.measured)) for one in sf.verify(table[0], release)]
    assert told == [(one.holds, dict(one.measured)) for one in sf.verify(table[1], local)]
    # A violation is planted: the age of one person as it was.
    one = local.data["id"][5]
    cells = [f"if(id = {one}, '40', age) as age" if c == "age" else c for c in local.data.columns]
    verdicts = sf.verify(table[0], replace(release, data=release.data.selectExpr(*cells)))
    assert not verdicts[0].holds
    assert "fewer than 4" in verdicts[0].reason


@pytest.mark.parametrize(
    "options",
    [
        {"k": 3, "partitioner": "mondrian", "l": 2},
        {"k": 3, "t": 0.4},
        {"k": 3, "suppress_share": 0.1},
    ],
)
def test_up_to_a_part_every_partitioner_is_that_of_one_machine(session, table, options):
    same(session, table, **options)


@pytest.mark.parametrize("partitioner", ["mondrian", "gdf"])
def test_other_partitioners_in_parts(session, table, monkeypatch, partitioner):
    """Mondrian is cut in parts on one machine too; GDF cuts by terms as it always does."""
    monkeypatch.setattr(parts, "PART", 70)
    same(session, table, k=3, partitioner=partitioner)


def test_a_worker_killed_in_the_middle_changes_nothing(cluster, session, table, monkeypatch):
    monkeypatch.setattr(parts, "PART", 70)
    with worker_lost(cluster, session, after_jobs(session, 12)):
        same(session, table, k=4)


def test_what_spark_does_not_do_is_refused(session, table, monkeypatch):
    there, _ = table
    engine = sf.SparkEngine(session)
    for options in ({"population": there}, {"k_map": 3}, {"give_back": 3}, {"ontology": "x.obo"}):
        with pytest.raises(sf.BadInput, match="on Spark"):
            sf.anonymize(there, SCHEMA, k=3, engine=engine, **options)
    with pytest.raises(sf.CannotBeMet, match="cannot be 5000-anonymous"):
        sf.anonymize(there, SCHEMA, k=5000, engine=engine)
    with pytest.raises(sf.CannotBeMet, match="l-diverse"):
        sf.anonymize(there, SCHEMA, k=3, l=50, engine=engine)
    # What is asked of all people at once takes one task, which may have so many.
    monkeypatch.setattr(parts, "PART", 10)
    few = sf.SparkEngine(session, people=20)
    for options in ({"l": 2}, {"suppress_share": 0.1}):
        with pytest.raises(sf.BadInput, match=r"one task may have 20; .* 1 GB for the task"):
            sf.anonymize(there, SCHEMA, k=3, engine=few, **options)


@pytest.mark.parametrize("options", [{}, {"suppress_share": 0.1}, {"l": 2}])
def test_without_a_person_column_and_in_another_order(session, table, options):
    """Rows that are equal in every cell are people, too; the order of rows changes nothing."""
    schema = {name: one for name, one in SCHEMA.items() if name != "person"}
    here = table[1].drop("id", "name").select("age", "job", "tags", "disease")
    here = pl.concat([here, here.head(40)])
    schema["columns"] = {name: SCHEMA["columns"][name] for name in here.columns}
    there = session.createDataFrame(here.reverse().to_arrow()).repartition(3).persist()
    engine = sf.SparkEngine(session)
    release = sf.anonymize(there, schema, 3, key=KEY, engine=engine, **options)
    local = sf.anonymize(here, schema, 3, key=KEY, **options)
    assert pl.from_arrow(release.data.toArrow()).equals(local.data)
