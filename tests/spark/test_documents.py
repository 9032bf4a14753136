"""Verbs that work document by document, on the cluster: the same bytes, and judged there."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import sfumato as sf

pytestmark = pytest.mark.filterwarnings("ignore")
NAMES = ["Ann Ho", "Dr. Edwin Marlow", "Mr. Li", "Maria Garcia", "Bob Stone"]
KEY = "a key of sixteen bytes"


@pytest.fixture(scope="module")
def notes(session):
    choice = random.Random(3)
    texts = [
        f"{choice.choice(NAMES)} was seen on 0{choice.randint(1, 9)}/{choice.randint(10, 28)}/"
        f"20{choice.randint(10, 23)} by {choice.choice(NAMES)}, tel. 555-{choice.randint(100, 999)}"
        f"-{choice.randint(1000, 9999)}. Marlow called."
        for _ in range(40)
    ]
    texts[7] = None
    people = [f"p{choice.randrange(9)}" for _ in texts]
    rows = [(i, *pair) for i, pair in enumerate(zip(texts, people, strict=True))]
    frame = session.createDataFrame(rows, "n int, note string, patient string")
    return frame.repartition(3).orderBy("n"), texts, people


def engine(session):
    return sf.SparkEngine(session, text_column="note", blocks=2)


def released(release, name="note"):
    return [row[0] for row in release.data.select(name).collect()]


@pytest.mark.parametrize("grouped", [False, True])
def test_pseudonyms_are_those_of_one_machine(session, notes, grouped):
    frame, texts, people = notes
    groups = {"groups": "patient"} if grouped else {}
    release = sf.pseudonymize(frame, "rules-en", key=KEY, engine=engine(session), **groups)
    here = sf.pseudonymize(texts, "rules-en", key=KEY, groups=people if grouped else None)
    assert released(release) == here.data
    assert dict(release.loss) == dict(here.loss)
    assert (release.counts, release.claims) == (here.counts, here.claims)
    assert release.parameters == here.parameters
    if grouped:
        return
    told = [(one.holds, one.reason, one.measured) for one in sf.verify(frame, release)]
    assert told == [(one.holds, one.reason, one.measured) for one in sf.verify(texts, here)]
    planted = release.data.selectExpr("n", "if(n = 9, concat(note, '!'), note) as note", "patient")
    verdicts = sf.verify(frame, replace(release, data=planted))
    assert [(one.holds, one.where) for one in verdicts] == [(False, "document 9")] * 3


@pytest.mark.parametrize("method", ["tfs", "delete"])
def test_sequences_are_sanitized_as_on_one_machine(session, method):
    choice = random.Random(4)
    texts = ["".join(choice.choice("abc") for _ in range(choice.randint(0, 30))) for _ in range(40)]
    frame = session.createDataFrame(list(enumerate(texts)), "n int, note string").repartition(
        2, "n"
    )
    frame, patterns = frame.orderBy("n"), ["abca", "bbaa", "zzzz"]
    release = sf.sanitize(frame, patterns, method=method, engine=engine(session))
    here = sf.sanitize(texts, patterns, method=method, collection=True)
    assert released(release) == here.data
    assert (release.counts, release.claims) == (here.counts, here.claims)
    assert release.warnings == here.warnings
    assert all(one.holds for one in sf.verify(frame, release))
    planted = release.data.selectExpr("n", "if(n = 9, concat(note, 'abca'), note) as note")
    first, *_ = sf.verify(frame, replace(release, data=planted))
    assert not first.holds
    assert first.where.startswith("sequence 9,")


def test_what_weighs_all_sequences_is_refused(session):
    frame = session.createDataFrame([(0, "abab")], "n int, note string")
    for options in ({}, {"method": "tfs", "draw": 1}, {"method": "tfs", "shuffle": True}):
        with pytest.raises(sf.BadInput, match="Spark"):
            sf.sanitize(frame, ["ab"], engine=engine(session), **options)
    with pytest.raises(sf.BadInput, match="one length"):
        sf.sanitize(frame, ["ab", "aba"], method="tfs", engine=engine(session))
