"""Repeated releases against the definition: the union of what is legible keeps its crowd."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from oracles.together import least_crowd, union
from sfumato.core.errors import CannotBeMet
from sfumato.formats import jsonl
from sfumato.pipeline.chains import traces
from sfumato.pipeline.folder import text_sha256
from sfumato.pipeline.history import adapt, joint_disclosure
from sfumato.pipeline.history.earlier import Earlier
from sfumato.pipeline.policy import parse
from sfumato.pipeline.steps import StageResult, steps_of

POLICY = parse(
    "{version: 1, input: {path: a.jsonl, columns: [t], person: w}, stages: [{verb: suppress}]}"
)
STEP = steps_of(POLICY)[0]
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def done(texts, people, **options):
    release = sf.suppress(texts, groups=people, strict=True, **{"guess": None, **options})
    source = replace(
        jsonl.read(b'{"t": ""}', "a.jsonl", text_column="t"), texts=list(texts), groups=list(people)
    )
    return StageResult(STEP, source, release, {}, "", fresh=True)


def earlier(texts, people, **options):
    one = done(texts, people, **options)
    digests = [text_sha256(text) for text in texts]
    stages = (one.release,)
    return Earlier("one", list(one.release.data), list(people), digests, stages, traces([one]))


OPTIONS = st.fixed_dictionaries(
    {
        "k": st.integers(1, 4),
        "min_run": st.integers(1, 3),
        "cover": st.sampled_from(["fewest", "longest-first"]),
        "align": st.sampled_from(["character", "word"]),
    }
)


@given(st.lists(st.text("ab ", max_size=7), min_size=1, max_size=6), OPTIONS, OPTIONS, st.data())
@settings(max_examples=150)
def test_together_they_keep_the_weaker_promise(texts, first, second, data):
    people = [data.draw(st.sampled_from("xyz"), label="person") for _ in texts]
    first, second = ({**one, "k": min(one["k"], len(set(people)))} for one in (first, second))
    before = earlier(texts, people, **first)
    now = done(texts, people, **second)
    column = adapt.adapted(joint_disclosure.Column.of([now], [before]))
    after = list(column.done[-1].release.data)
    k = min(first["k"], second["k"])
    crowd = least_crowd(union(before.texts, after, "★"), people, "★")
    assert crowd is None or crowd >= k
    alone = least_crowd(after, people, "★")
    assert alone is None or alone >= second["k"]
    verdicts, _ = joint_disclosure.judge_column(column)
    assert all(verdict.holds for verdict in verdicts)
    shown = sum(text.count("★") for text in now.release.data)
    assert sum(text.count("★") for text in after) >= shown  # only more is hidden


def test_without_adaptation_two_good_releases_can_single_somebody_out():
    """Two releases, each 2-anonymous, that together show a text only one person has."""
    texts, people = ["abab", "ab", "ba", "bab"], list("vxyz")
    before = earlier(texts, people, k=2, align="character")
    now = done(texts, people, k=2, align="character")
    halves = ["ab★★", "ab", "ba", "ba★"], ["★bab", "★★", "ba", "bab"]
    before = replace(before, texts=halves[0], traces=traces([_with(now, halves[0])]))
    now = _with(now, halves[1])
    assert least_crowd(halves[0], people, "★") >= 2
    assert least_crowd(halves[1], people, "★") >= 2
    assert least_crowd(union(*halves, "★"), people, "★") == 1
    column = joint_disclosure.Column.of([now], [before])
    assert not joint_disclosure.judge_column(column)[0][0].holds
    column = adapt.adapted(column)
    assert joint_disclosure.judge_column(column)[0][0].holds
    after = list(column.done[-1].release.data)
    assert least_crowd(union(halves[0], after, "★"), people, "★") >= 2


def _with(one, texts):
    return replace(one, release=adapt._released(one, texts))


def test_an_earlier_release_below_its_own_claim_cannot_be_helped():
    texts, people = ["ab", "cd"], ["x", "y"]
    before = earlier(texts, people, k=1)
    before = replace(before, stages=(done(texts, people, k=2).release,))  # says 2, shows all
    with pytest.raises(CannotBeMet, match="earlier releases show"):
        adapt.adapted(joint_disclosure.Column.of([done(texts, people, k=2)], [before]))


@given(st.lists(st.text("ab ,", max_size=12), min_size=1, max_size=6), st.data())
@settings(max_examples=100)
def test_against_a_reader_sequences_of_words_are_counted(texts, data):
    people = [data.draw(st.sampled_from("xyz"), label="person") for _ in texts]
    k = min(2, len(set(people)))
    before = earlier(texts, people, k=k, guess=data.draw(st.sampled_from([0.5, None])))
    now = done(texts, people, k=k, guess=0.5)
    try:
        column = adapt.adapted(joint_disclosure.Column.of([now], [before]))
    except CannotBeMet:
        return  # what an earlier release shows cannot be taken back
    verdicts, _ = joint_disclosure.judge_column(column)
    assert all(verdict.holds for verdict in verdicts)
    assert all(verdict.holds for verdict in sf.verify(texts, column.done[-1].release))
