"""On a real cluster of separate processes: the same release, byte for byte."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import sfumato as sf
from sfumato.engines.exchange import Here, Query
from sfumato.engines.spark_exchange import SparkExchange, same_part
from spark.clusters import after_jobs, worker_lost

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


def engine(session, blocks=3, **more):
    return sf.SparkEngine(session, text_column="note", blocks=blocks, **more)


def notes(release):
    return [row.note for row in release.data.select("note").collect()]


def test_the_exchange_is_that_of_one_process(session):
    """Questions, answers and neighbours, which all that is counted goes through."""
    parts, choice = 4, np.random.default_rng(5)
    ids = choice.permutation(40)
    states = [
        {
            "ids": np.sort(ids[b::parts]),
            "keys": choice.integers(0, 9, (30, 2)).astype(np.uint64),
            "words": [str(n).encode() for n in choice.integers(0, 9, 12)],
            "rows": choice.integers(0, 3, (10, 3)),
        }
        for b in range(parts)
    ]
    there = SparkExchange(session.sparkContext, parts)
    blocks = session.sparkContext.parallelize(list(enumerate(states)), parts)
    blocks = blocks.partitionBy(parts, same_part)

    # Here, not in the module: workers cannot import it.
    def asked(state):
        return state["keys"], state["keys"].astype(np.int64) + 1

    def asked_words(state):
        return state["words"], np.ones((len(state["words"]), 1), np.int64)

    def taken(name, state, numbers, sums):
        return {**state, name: np.column_stack([numbers.astype(np.int64), sums])}

    def ranked(sent):
        largest = [int(one.max()) for one in sent]
        return [np.array([most, *largest]) for most in largest]

    def kept(state, found):
        return {**state, "gathered": found}

    def stood(state, beside):
        return {**state, "beside": beside}

    def all_of(exchange, blocks):
        for how in ("sum", "or", "least"):
            unnamed = Query(asked, partial(taken, f"{how} alone"), how, named=False)
            blocks = exchange.ask(blocks, Query(asked, partial(taken, how), how), unnamed)
        blocks = exchange.ask(blocks, Query(asked_words, partial(taken, "words")))
        blocks = exchange.gather(blocks, lambda state: state["keys"], ranked, kept)
        blocks = exchange.beside(blocks, lambda state: (state["ids"], state["rows"]), stood)
        return exchange.each(blocks, lambda state: {**state, "more": 1})

    here = all_of(Here(parts), states)
    found = all_of(there, blocks)
    assert there.total(found, lambda state: {"n": state["more"]}) == {"n": parts}
    assert there.least(found, lambda state: (int(state["ids"][0]),)) == (0,)
    for b, state in found.collect():
        for name in ("sum", "or", "least", "least alone", "words", "beside", "gathered"):
            assert np.array_equal(state[name], here[b][name]), name
    there.close()


def test_suppress_is_the_same_and_is_judged_on_the_cluster(session, made):
    frame, texts, people = made
    here = sf.suppress(texts, k=3, groups=people, strict=False)
    # Words together in one task; then counted where they lie, with long repeats in one task.
    for gathered in (1 << 20, 200):
        by = engine(session, gathered=gathered)
        release = sf.suppress(frame, k=3, groups="patient", strict=False, engine=by)
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
    options = {"k": [2, 4], "reach": 6, "strict": False}
    here = sf.suppress(texts, groups=people, **options)
    with worker_lost(cluster, session, after_jobs(session, 4)):
        by = engine(session, gathered=0)
        release = sf.suppress(frame, groups="patient", engine=by, **options)
    for k in (2, 4):
        assert notes(release[k]) == here[k].data


def test_redact_is_the_same_and_is_judged_on_the_cluster(session, made):
    frame, texts, _ = made
    terms, options = ["cat", "cap", "dog", "dot", "Ann", "Any"], {"k": 2, "direct": ["Bob"]}
    release = sf.redact(frame, terms, engine=engine(session), mask=["★", "*"], **options)
    here = sf.redact(texts, terms, mask=["★", "*"], **options)
    assert notes(release) == here.data
    assert dict(release.loss) == dict(here.loss)
    assert release.counts == here.counts
    assert release.parameters == here.parameters
    told = [(one.holds, one.claim.name) for one in sf.verify(frame, release)]
    assert told == [(one.holds, one.claim.name) for one in sf.verify(texts, here)]
    assert all(holds for holds, _ in told)
    at = next(i for i, text in enumerate(texts) if text and "cat" in text.split())
    planted = release.data.selectExpr("n", f"if(n = {at}, 'a cat', note) as note", "patient")
    original = frame.selectExpr("n", f"if(n = {at}, 'a cat', note) as note", "patient")
    verdicts = sf.verify(original, replace(release, data=planted))
    assert any(not one.holds and one.where.startswith(f"document {at}") for one in verdicts)


def test_generalize_is_the_same_and_is_judged_on_the_cluster(session, made):
    frame, texts, _ = made
    options = {"t": 4, "words": ["cat", "dog", "flu", "house"]}
    release = sf.generalize(frame, engine=engine(session), **options)
    here = sf.generalize(texts, **options)
    assert notes(release) == here.data
    assert release.counts == here.counts
    assert release.claims == here.claims
    assert {name: pytest.approx(one) for name, one in here.loss.items()} == dict(release.loss)
    (verdict,) = sf.verify(frame, release)
    assert verdict.holds
    at = next(i for i, text in enumerate(texts) if text and "cat" in text.split())
    planted = release.data.selectExpr("n", f"if(n = {at}, 'a cat', note) as note", "patient")
    (verdict,) = sf.verify(frame, replace(release, data=planted))
    assert not verdict.holds
    assert verdict.where.startswith(f"document {at}")


def test_what_spark_does_not_do_is_refused(session, made):
    frame, *_ = made
    for options in (
        {"strict": True, "guess": None},
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
    with pytest.raises(sf.BadInput, match="named"):
        sf.pseudonymize(frame, lambda texts: [], engine=engine(session))
    with pytest.raises(sf.BadInput, match="DataFrame"):
        sf.suppress(["a"], k=2, engine=engine(session))
    release = sf.suppress(frame, k=2, reach=1, strict=False, engine=engine(session, 2))
    with pytest.raises(sf.BadInput, match="certified"):
        release.certificate()
