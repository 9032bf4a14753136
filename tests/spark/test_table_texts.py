"""`anonymize` with texts on the cluster: the same texts, judged there, planted violations found."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

import sfumato as sf
from sfumato.engines import record_checks
from sfumato.methods.records import parts
from spark.people_with_texts import KEY, SCHEMA, people

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def table(session):
    frame = people()
    return session.createDataFrame(frame.to_arrow()).repartition(3).orderBy("id").persist(), frame


def compared(session, table, **options):
    """The release of Spark, which is that of one machine."""
    there = table[0]
    here = pl.from_arrow(there.toArrow())
    engine = sf.SparkEngine(session, blocks=3)
    release = sf.anonymize(there, SCHEMA, key=KEY, engine=engine, **options)
    local = sf.anonymize(here, SCHEMA, key=KEY, **options)
    assert pl.from_arrow(release.data.toArrow()).equals(local.data)
    assert (release.claims, release.counts) == (local.claims, local.counts)
    assert (release.parameters, release.warnings) == (local.parameters, local.warnings)
    for name, value in release.loss.items():
        assert value == pytest.approx(local.loss[name]), name
    told = [(one.holds, dict(one.measured)) for one in sf.verify(there, release)]
    assert told == [(one.holds, dict(one.measured)) for one in sf.verify(here, local)]
    return release, local


def test_texts_in_parts_are_those_of_one_machine(session, table, monkeypatch):
    monkeypatch.setattr(parts, "PART", 30)
    monkeypatch.setattr(record_checks, "ROWS", 40)
    release, local = compared(session, table, k=3, terms="generalize")
    outcomes = set(local.sides.terms["outcome"])
    assert outcomes >= {"kept", "suppressed", "replaced", "generalised"}
    _planted(table[0], release, local)


def _planted(there, release, local):
    """A name put back, a word changed elsewhere; and nothing said of the terms."""
    from pyspark.sql import functions

    hidden = local.data["note"].str.contains("[PERSON]", literal=True).fill_null(False)
    one = local.data.filter(hidden)["note"][0]
    for old, new in (("[PERSON]", "Edwin Marlow"), (one[-6:], "other.")):
        note = functions.when(functions.col("note") == one, one.replace(old, new, 1))
        note = note.otherwise(functions.col("note"))
        planted = replace(release, data=release.data.withColumn("note", note))
        assert not all(verdict.holds for verdict in sf.verify(there, planted)), new
    sides = replace(release.sides, terms=release.sides.terms.limit(0))
    assert not all(verdict.holds for verdict in sf.verify(there, replace(release, sides=sides)))


def test_an_attacker_who_knows_two_terms(session, table):
    release, local = compared(session, table, k=4, knows=2, l=2)
    assert release.claims[0].name == "km-anonymity"
    assert len(local.sides.classes) == 120


def test_what_is_refused_of_texts(session, table):
    engine = sf.SparkEngine(session)
    with pytest.raises(sf.BadInput, match="named"):
        sf.anonymize(table[0], SCHEMA, recognizer=lambda texts: [], engine=engine)
    with pytest.raises(sf.BadInput, match="on Spark"):
        sf.anonymize(table[0], SCHEMA, give_back=3, engine=engine)
