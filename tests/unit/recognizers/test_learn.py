"""Learning from review: what is learnt, what is measured, what the file tells."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from oracles import tagger as oracle
from sfumato import BadInput, Span
from sfumato.kernels import tagger
from sfumato.recognizers import recognizer, review
from sfumato.recognizers.learn import PRICE, RARE, LabelScore, Report, chosen, learn, measured
from sfumato.recognizers.learnt_recognizer import AS_BASE, Setting, hints_of
from sfumato.recognizers.names import english
from sfumato.recognizers.uncertain_places import uncertain
from support.commands import outcome

WARDS = ("Heron", "Ibis", "Egret", "Stork", "Crane", "Avocet", "Plover", "Dunlin")


def run(*arguments, code=0):
    done = outcome(" ".join(map(str, arguments)))
    assert done.code == code, done.told
    return done


def notes(count=40):
    """Notes that name a ward, which no recogniser knows, and an eponym that is no person."""
    texts, spans = [], []
    for i in range(count):
        ward = WARDS[i % len(WARDS)]
        texts.append(f"Moved to nest {ward} today. Signs of Zorrel sign were absent in case {i}.")
        spans.append(Span(i, 14, 14 + len(ward), "WARD"))
    return texts, spans


def text_of(texts, span):
    return texts[span.document][span.start : span.stop]


def test_what_was_added_is_found_and_what_was_rejected_is_not():
    texts, spans = notes()
    new = ["Moved to nest Bittern today. Signs of Zorrel sign were absent in case 3."]
    assert any("Zorrel" in text_of(new, s) for s in recognizer("names-en")(new))
    ward = sf.learn(spans, base="names-en", texts=texts, folds=2)
    found = [(s.label, text_of(new, s)) for s in ward(new)]
    assert found == [("WARD", "Bittern")]
    assert ward.report.documents == 40
    assert ward.report.all.recall > 0.95
    assert ward.report.all.precision > 0.95
    assert "WARD" in ward.types
    assert "Bittern" not in repr(ward)


def test_a_base_of_which_nothing_was_learnt_is_believed():
    texts = ["Please ask Maria Jensen of Oslo about it.", "Call 713-524-9968\n\nor Bo Ek."]
    found = recognizer("en")(texts)
    types = tuple(sorted({span.label for span in found}))
    n = 4 * len(types) + 1
    nothing = tagger.Weights(
        len(types),
        {
            "starts": np.zeros((1 << 17) + 1, np.uint32),
            "checks": np.zeros(0, np.uint16),
            "firsts": np.zeros(1, np.uint32),
            "weights": np.zeros(0, np.uint16),
            "transitions": np.zeros(n * n + 2 * n, np.int16),
        },
    )
    mentions = tagger.tag(texts, english().lexicon, nothing, hints=hints_of(found, types))
    told = [
        (d, a, b, types[k]) for d, a, b, k in zip(*(x.tolist() for x in mentions[:4]), strict=True)
    ]
    assert told == [(s.document, s.start, s.stop, s.label) for s in found]


def keys_of(model):
    arrays = model.weights.arrays
    buckets = np.repeat(np.arange(1 << 17), np.diff(arrays["starts"].astype(np.int64)))
    return set(((buckets << 16) | arrays["checks"]).tolist())


def tells(model, word):
    """Whether the model has a feature of the word itself, or of its first or last four letters."""
    seen = oracle.word_of(word, oracle.tokens(word)[0], {})
    affixes = [word.lower()[:4], word.lower()[-4:]]
    told = {oracle.key_of(oracle.joined(1, place, seen.lower)) for place in range(5)}
    told.add(oracle.key_of(oracle.joined(6, 2, seen.exact)))
    told |= {
        oracle.key_of(oracle.joined(kind, 2, oracle.hashed(x)))
        for kind in (10, 14)
        for x in affixes
    }
    return bool(told & keys_of(model))


def test_a_model_tells_no_word_of_mentions_and_no_rare_word():
    texts, spans = [], []
    for i in range(30):
        rare = "Quxxolent" if i < RARE - 1 else "as before"
        texts.append(f"Seen by Dr. Vrandelhoof. The patientium was {rare} and glimmerish.")
        spans.append(Span(i, 12, 23, "PERSON"))
    for base in ("rules-en", "none"):
        model = learn(spans, base, texts=texts, folds=0)
        assert next(text_of(texts, s) for s in model(texts)).endswith("Vrandelhoof")
        assert tells(model, "patientium")
        assert tells(model, "glimmerish")
        assert not tells(model, "Vrandelhoof")
        assert not tells(model, "Quxxolent")
        assert not any(word in model.as_bytes() for word in (b"Vrandelhoof", b"patientium"))
    # A word of mentions that the texts have outside of them as well is a usual one.
    texts = [text + " Vrandelhoof said so." for text in texts]
    assert tells(learn(spans, "none", texts=texts, folds=0), "Vrandelhoof")


def reviews(name, documents, count=24):
    """Notes of which some speak of one person; the others of somebody else each."""
    texts, spans = [], []
    for i in range(count):
        whom = name if i in documents else WARDS[i % len(WARDS)]
        texts.append(f"Seen by {whom} today, no fever. Sent home with {whom}.")
        spans += [Span(i, 8, 8 + len(whom), "PERSON")]
        last = texts[-1].rindex(whom)
        spans += [Span(i, last, last + len(whom), "PERSON")]
    return texts, spans


@pytest.mark.parametrize(
    ("one", "other", "documents"),
    [
        ("Qorva", "Zelmi", range(12)),  # a short name, wherever it stands
        ("Qorvadiq", "Xelmitax", range(RARE - 1)),  # a long one in few documents
    ],
)
def test_the_file_is_the_same_whoever_the_person_is(one, other, documents):
    files = [
        learn(spans, "none", texts=texts, folds=0).as_bytes()
        for texts, spans in (reviews(name, documents) for name in (one, other))
    ]
    assert files[0] == files[1]
    # A long name in many documents shows the letters it begins and ends with, as said.
    many = [
        learn(spans, "none", texts=texts, folds=0).as_bytes()
        for texts, spans in (reviews(name, range(12)) for name in ("Qorvadiq", "Xelmitax"))
    ]
    assert many[0] != many[1]


def test_it_cannot_be_told_who_is_among_the_texts():
    """A membership attack: who has the file asks how sure it is of a name in a likely sentence."""
    random = np.random.default_rng(5)
    starts, ends = ("Bra", "Cro", "Dru", "Fle", "Gri", "Klo"), ("mek", "nor", "vas", "lix", "tup")
    middles = [a + b for a in "aeiou" for b in "bdfgklmnprstvz"]
    names = [f"{random.choice(starts)}{x}{random.choice(ends)}" for x in middles]
    order = random.permutation(len(names))
    members, others = ([names[i] for i in half] for half in np.array_split(order, 2))
    texts, spans = [], []
    for name in members * 2:
        texts.append(f"Seen by {name} today, no fever. The wound was clean.")
        spans.append(Span(len(texts) - 1, 8, 8 + len(name), "PERSON"))
    model = learn(spans, "none", texts=texts, folds=0)
    asked = [f"Seen by {name} today, no fever. The wound was clean." for name in members + others]
    found = tagger.tag(asked, english().lexicon, model.weights, None, 30.0)
    sure = np.full(len(asked), -(10**6))
    at = found.starts == 8
    sure[found.documents[at]] = found.margins[at]
    inside, outside = sure[: len(members)], sure[len(members) :]
    assert (inside > -(10**6)).all()
    better = (inside[:, None] > outside[None, :]).mean() + (
        inside[:, None] == outside[None, :]
    ).mean() / 2
    assert 0.35 < better < 0.65  # 0.5 is guessing; of 35 and 35 names this is two deviations


def test_the_same_review_gives_the_same_bytes_and_the_file_is_read_back(tmp_path):
    texts, spans = notes()
    one, two = (learn(spans, "none", texts=texts, folds=0) for _ in range(2))
    assert one.as_bytes() == two.as_bytes()
    one.save(tmp_path / "ward.model")
    read = recognizer(str(tmp_path / "ward.model"))
    where = [(s.document, s.start, s.stop, s.label) for s in read(texts)]
    assert where == [(s.document, s.start, s.stop, s.label) for s in one(texts)]
    assert where == [(s.document, s.start, s.stop, s.label) for s in spans]
    (tmp_path / "bad.model").write_bytes(b"nothing")
    with pytest.raises(BadInput, match="learnt model"):
        recognizer(str(tmp_path / "bad.model"))


def test_a_partial_review_believes_the_base_elsewhere():
    texts = ["Ask Maria Jensen in room Heron now."] * 20
    spans = [Span(i, 25, 30, "ROOM") for i in range(20)]
    new = ["Ask Astrid Dahl in room Stork now."]
    whole = [text_of(new, s) for s in learn(spans, texts=texts, folds=0)(new)]
    part = [text_of(new, s) for s in learn(spans, texts=texts, folds=0, partial=True)(new)]
    assert whole == ["Stork"]
    assert part == ["Astrid Dahl", "Stork"]


def test_what_is_refused():
    texts, spans = notes(4)
    with pytest.raises(BadInput, match="at least 6 reviewed"):
        learn(spans, texts=texts)
    with pytest.raises(BadInput, match="texts"):
        learn(spans)
    texts, spans = notes()
    with pytest.raises(BadInput, match="files are none"):
        learn(spans, "ward.yaml", texts=texts)
    with pytest.raises(BadInput, match="nothing is marked"):
        learn([], "none", texts=texts)
    with pytest.raises(BadInput, match="expected spans"):
        learn([1], texts=texts)
    with pytest.raises(BadInput, match="one for each text"):
        learn(spans, "none", texts=texts, groups=["a"])


def test_documents_of_a_group_are_held_out_together():
    texts, spans = notes()
    model = learn(spans, "none", texts=texts, groups=["p", "q"] * 20, folds=2)
    assert model.report.labels["WARD"].marked == 40


def test_measured_counts_whole_mentions_and_letters():
    told = measured(
        ["Ann Ho saw Bo."],
        [Span(0, 0, 6, "A"), Span(0, 11, 13, "A")],
        [Span(0, 0, 3, "B"), Span(0, 7, 13, "A")],
        [Span(0, 0, 6, "A")],
    )
    assert (told["A"].marked, told["A"].found, told["A"].by_base) == (2, 1, 1)
    assert (told["A"].letters, told["A"].right, told["B"].precision) == (6, 2, 1.0)


def test_doubtful_places_come_first():
    texts = ["Maria Jensen of Oslo, Norway met a vex, or Brill, and the Tunel."]
    doubts = uncertain(recognizer("names-en"), texts, 100)
    found = [doubt.span for doubt in doubts if doubt.found]
    assert sorted(found, key=lambda s: s.start) == recognizer("names-en")(texts)
    scores = [abs(span.score - 0.5) for span in found]
    assert scores == sorted(scores)
    assert uncertain(recognizer("names-en"), texts, 2) == doubts[:2]
    with pytest.raises(BadInput, match="at least 1"):
        uncertain(recognizer("names-en"), texts, 0)


def test_the_command_learns_from_records_and_the_model_is_a_recogniser(tmp_path):
    texts, spans = notes()
    reviewed = tmp_path / "reviewed.jsonl"
    reviewed.write_bytes(review.write_records(spans, texts))
    model = tmp_path / "ward.model"
    told = run("learn", reviewed, "--base", "none", "-o", model, "--json")
    assert json.loads(told.out)["recall"] > 0.95
    assert oct(model.stat().st_mode)[-3:] == "600"
    shown = run("learn", reviewed, "--base", "none", "-o", model, "--overwrite")
    assert "WARD" in shown.told
    assert "found by the base" in shown.told
    new = tmp_path / "new.txt"
    new.write_text("Moved to nest Bittern today.")
    run("recognize", new, "--recognizer", model, "-o", tmp_path / "spans.jsonl")
    assert json.loads((tmp_path / "spans.jsonl").read_text())["text"] == "Bittern"
    run("recognize", new, "--recognizer", model, "--to", "records", "-o", tmp_path / "more.jsonl")
    assert json.loads((tmp_path / "more.jsonl").read_text())["spans"][0]["label"] == "WARD"


def test_the_command_reads_a_review_file_with_its_texts(tmp_path):
    texts, spans = notes()
    source = tmp_path / "notes.jsonl"
    source.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    lines = review.write(spans, texts).replace(b'"accept"', b'"reject"', 1)
    (tmp_path / "spans.jsonl").write_bytes(lines)
    asked = ("learn", tmp_path / "spans.jsonl", "--base", "none", "-o", tmp_path / "ward.model")
    assert run(*asked, code=2)
    told = run(*asked, "--texts", source, "--text-column", "text", "--json")
    assert json.loads(told.out)["by_label"]["WARD"]["marked"] == 39
    assert run(*asked[:-1], tmp_path / "ward", "--texts", source, code=2)


def test_the_command_lists_doubtful_places(tmp_path):
    source = tmp_path / "a.txt"
    source.write_text("Maria Jensen of Oslo, Norway met a vex, or Brill, and the Tunel.")
    target = tmp_path / "spans.jsonl"
    run("recognize", source, "--recognizer", "en", "--uncertain", 3, "-o", target)
    lines = [json.loads(line) for line in target.read_text().splitlines()]
    assert len(lines) == 3
    assert {line["decision"] for line in lines} <= {"accept", "reject"}
    assert run("recognize", source, "--uncertain", 3, "-o", tmp_path / "a.json", code=2)
    assert not Path(tmp_path / "a.json").exists()


scores = st.builds(
    LabelScore,
    st.just(100),
    st.integers(0, 100),
    st.just(0),
    st.just(100),
    st.integers(0, 100),
)


@given(scores, st.lists(scores, min_size=1, max_size=6), st.sampled_from([10, 100]))
def test_nothing_is_chosen_that_finds_less_than_the_base(base, others, documents):
    tried = {AS_BASE: Report(documents, 4, {"A": base})}
    for number, one in enumerate(others):
        tried[Setting(float(number), bool(number % 2))] = Report(documents, 4, {"A": one})
    taken = tried[chosen(tried)].all
    assert taken.recall >= base.recall
    assert taken.precision >= base.precision - PRICE
    assert taken.weighted >= base.weighted


def test_few_documents_take_nothing_from_a_good_base():
    texts = [f"Ask Maria Jensen about item {word}." for word in ("one", "two", "six", "ten")] * 2
    spans = [Span(i, 4, 16, "PERSON") for i in range(len(texts))]
    model = learn(spans, "names-en", texts=texts, folds=0)
    new = ["Dear Agnieszka, please write to Edwin Marlow in Oslo.", "It is raining."]
    kept = {(s.document, s.start) for s in model(new)}
    assert {(s.document, s.start) for s in recognizer("names-en")(new)} <= kept


def test_a_base_that_cannot_be_bettered_stays_as_it_is():
    texts = [f"Mr. {name} left the room." for name in ("Ho", "Li", "Marlow", "Jensen")] * 3
    spans = recognizer("rules-en")(texts)
    model = learn(spans, "rules-en", texts=texts, folds=0)
    new = ["Mr. Oak left at nine. The room was cold.", "Nobody came."]
    assert [(s.start, s.stop) for s in model(new)] == [
        (s.start, s.stop) for s in recognizer("rules-en")(new)
    ]
