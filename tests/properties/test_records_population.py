"""k-map and delta-presence: claims of a release beside a population, counted by definition."""

from __future__ import annotations

import json
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from support.commands import call

SCHEMA = {"person": "id", "columns": {"age": {"kind": "number"}, "town": {}}}
TOWNS = ["Oslo", "Bern", "Rome"]
people = st.lists(st.tuples(st.integers(20, 30), st.sampled_from(TOWNS)), min_size=6, max_size=40)


def frame_of(rows):
    return pl.DataFrame(
        [(number, *row) for number, row in enumerate(rows)],
        schema={"id": pl.Int64, "age": pl.Int64, "town": pl.String},
        orient="row",
    )


def fits(row, cells):
    """The definition: every value lies in its cell."""
    (age, town), (ages, towns) = row, cells
    low, _, high = str(ages).strip("[]").partition("-")
    return int(low) <= age <= int(high or low) and town in towns.strip("()").split(",")


def counted(release, rows):
    """Of every class its size and how many of the population fit it."""
    sizes = release.data.group_by("age", "town").agg(pl.col("id").n_unique()).rows()
    return [(size, sum(fits(row, cells) for row in rows)) for *cells, size in sizes]


@settings(max_examples=40, deadline=None)
@given(people, st.data())
def test_claims_hold_as_counted(rows, data):
    everybody = frame_of(rows)
    chosen = data.draw(st.sets(st.sampled_from(range(len(rows))), min_size=3))
    table = everybody.filter(pl.col("id").is_in(sorted(chosen)))
    k_map = data.draw(st.none() | st.integers(1, 12))
    delta = data.draw(st.none() | st.sampled_from([0.2, 0.5, 0.9, 1.0]))
    try:
        release = sf.anonymize(
            table, SCHEMA, k=2, population=everybody, k_map=k_map, delta=delta, effort="quick"
        )
    except sf.CannotBeMet:
        return
    found = counted(release, rows)
    if k_map is not None or delta is None:
        assert min(number for _, number in found) >= (k_map or 2)
    if delta is not None:
        assert max(size / number for size, number in found) <= delta + 1e-9
    for original in (table, None):
        verdicts = {one.claim.name: one for one in sf.verify(original, release)}
        assert all(one.holds for one in verdicts.values())
        if "k-map" in verdicts:
            assert verdicts["k-map"].measured["fewest"] == min(number for _, number in found)


def test_a_smaller_population_is_found_out():
    rows = [(20 + i % 5, TOWNS[i % 2]) for i in range(40)]
    everybody = frame_of(rows)
    table = everybody.head(10)
    release = sf.anonymize(table, SCHEMA, k=2, population=everybody, k_map=6, delta=0.5)
    assert [one.name for one in release.claims][-2:] == ["k-map", "delta-presence"]
    fewer = replace(release, sides=replace(release.sides, population=table))
    failed = {one.claim.name for one in sf.verify(table, fewer) if not one.holds}
    assert failed == {"k-map", "delta-presence"}
    none = replace(release, sides=replace(release.sides, population=None))
    with pytest.raises(sf.BadInput, match="population"):
        sf.verify(table, none)


def test_what_cannot_be_met_or_makes_no_sense_is_refused():
    table = frame_of([(20, "Oslo"), (21, "Oslo"), (22, "Bern")])
    with pytest.raises(sf.CannotBeMet, match="population"):
        sf.anonymize(table, SCHEMA, k=2, population=table, k_map=9)
    for wrong in ({"k_map": 2}, {"delta": 0.5}, {"population": table.drop("town")}):
        with pytest.raises(sf.BadInput, match="population"):
            sf.anonymize(table, SCHEMA, k=2, **wrong)
    mean = {"columns": {"age": {"kind": "number", "recode": "mean"}}}
    with pytest.raises(sf.BadInput, match="mean"):
        sf.anonymize(table, mean, k=2, population=table)


def test_the_command_claims_and_verifies_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [(20 + i % 5, TOWNS[i % 2]) for i in range(40)]
    frame_of(rows).write_csv("all.csv")
    frame_of(rows).head(12).write_csv("some.csv")
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA))
    made = "anonymize some.csv --schema schema.json -k 2 --population all.csv --k-map 6 -o out.csv"
    assert call(*made.split(), "-q") == 0
    verify = "verify", "out.csv", "--schema", "schema.json", "--json"
    assert call(*verify) == 2
    assert "--population" in capsys.readouterr().out
    assert call(*verify, "--population", "all.csv") == 0
    found = json.loads(capsys.readouterr().out)
    assert {one["claim"]: one["holds"] for one in found}["k-map"]
    assert call(*verify, "--population", "some.csv") == 4
