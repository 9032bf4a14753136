"""On a real cluster of separate processes: the same release, byte for byte."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import replace

import pytest

import sfumato as sf

pytestmark = pytest.mark.filterwarnings("ignore")
WORDS = ["the", "a", "of", "cat", "dog", "Ann", "Bob", "has", "flu", "12", "日本", "house", "Pine"]


def corpus(seed, documents=60, people=15):
    choice = random.Random(seed)
    texts = [
        " ".join(
            choice.choice(WORDS[: choice.choice([4, 9, 13])]) for _ in range(choice.randint(0, 25))
        )
        + choice.choice([".", "; so", ""])
        for _ in range(documents)
    ]
    texts[5] = texts[6] = texts[7] + " " + texts[8]
    return texts, [f"p{choice.randrange(people)}" for _ in texts]


@pytest.fixture(scope="module")
def made(session):
    texts, people = corpus(1)
    rows = [(i, *pair) for i, pair in enumerate(zip([*texts[:-1], None], people, strict=True))]
    frame = session.createDataFrame(rows, "n int, note string, patient string").repartition(5)
    frame = frame.orderBy("n")
    return frame, [row[1] for row in rows], people


def engine(session, blocks=3):
    return sf.SparkEngine(session, text_column="note", blocks=blocks)


def notes(release):
    return [row.note for row in release.data.select("note").collect()]


def test_suppress_is_the_same_and_is_judged_on_the_cluster(session, made):
    frame, texts, people = made
    release = sf.suppress(frame, k=3, groups="patient", engine=engine(session))
    here = sf.suppress(texts, k=3, groups=people)
    assert notes(release) == here.data
    assert release.data.columns == ["n", "note", "patient"]
    assert [row.n for row in release.data.collect()] == list(range(len(texts)))
    for name in ("suppressed", "unsuppressed_ratio", "runs"):
        assert release.loss[name] == here.loss[name]
    (verdict,) = sf.verify(frame, release)
    assert verdict.holds
    (local,) = sf.verify(texts, here)
    for name in ("stretches", "smallest_count", "read_back"):
        assert verdict.measured[name] == local.measured[name]
    # A violation is planted: one note as it was.
    whole = session.createDataFrame([(9, texts[9])], "n int, old string")
    shown = release.data.join(whole, "n", "left").orderBy("n")
    planted = shown.selectExpr("n", "coalesce(old, note) as note", "patient")
    (verdict,) = sf.verify(frame, replace(release, data=planted))
    (local,) = sf.verify(texts, replace(here, data=[*here.data[:9], texts[9], *here.data[10:]]))
    assert not local.holds
    assert not verdict.holds
    assert verdict.where.split(",")[0] == local.where.split(",")[0] == "document 9"


def test_a_killed_worker_changes_nothing(cluster, session, made):
    frame, texts, people = made
    here = sf.suppress(texts, k=[2, 4], groups=people, reach=3)
    tracker, done = session.sparkContext.statusTracker(), []
    lost = cluster.processes[1]

    def kill():
        # In the middle: when some of the verb's jobs are done and one is running.
        before = len(tracker.getJobIdsForGroup(None))
        while len(tracker.getJobIdsForGroup(None)) < before + 4:
            time.sleep(0.05)
        while not tracker.getActiveJobsIds():
            time.sleep(0.01)
        cluster.kill(lost)
        done.append(True)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    release = sf.suppress(frame, k=[2, 4], groups="patient", reach=3, engine=engine(session))
    assert done, "the worker was not killed while the verb ran"
    assert lost.poll() is not None
    for k in (2, 4):
        assert notes(release[k]) == here[k].data
    cluster.worker()


def test_what_spark_does_not_do_is_refused(session, made):
    frame, *_ = made
    for options in (
        {"strict": True},
        {"copies": "once"},
        {"memory": "1GB"},
        {"public": ["x"]},
        {"groups": ["a"]},
        {"cover": "word"},
    ):
        with pytest.raises(sf.BadInput):
            sf.suppress(frame, k=2, engine=engine(session), **options)
    with pytest.raises(sf.CannotBeMet):
        sf.suppress(frame, k=50, groups="patient", engine=engine(session))
    with pytest.raises(sf.BadInput, match="DataFrame"):
        sf.suppress(["a"], k=2, engine=engine(session))
    release = sf.suppress(frame, k=2, reach=1, engine=engine(session, 2))
    with pytest.raises(sf.BadInput, match="certified"):
        release.certificate()
