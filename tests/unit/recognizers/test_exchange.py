"""Review files, brat, Presidio and i2b2: what goes out comes back; what is broken is refused."""

from __future__ import annotations

import json

import pytest

import sfumato as sf
from sfumato.recognizers import brat, i2b2, presidio, review

MARKER = "Zyxomme Quvril"
TEXTS = [f"{MARKER} saw Ann & <Bob>.\nAnn left.", "Ann é😀 ]]> Ann", ""]
SPANS = [
    sf.Span(0, 0, 14, "PERSON", 0.9, "x"),
    sf.Span(0, 25, 28, "PERSON", 0.9, "x"),
    sf.Span(1, 0, 3, "PERSON", 0.9, "x"),
    sf.Span(1, 4, 6, "LOCATION", 0.5, "x"),
]


def edited(**changes):
    """The review file of SPANS with fields of some lines (by number) changed."""
    lines = [json.loads(line) for line in review.write(SPANS, TEXTS).splitlines()]
    for number, fields in changes.items():
        lines[int(number[1:])].update(fields)
    return "\n".join(map(json.dumps, lines)).encode()


def places(spans):
    return [(span.document, span.start, span.label) for span in spans]


def test_an_unedited_review_changes_nothing():
    assert review.read(review.write(SPANS, TEXTS), TEXTS, "r.jsonl") == SPANS


def test_decisions_for_one_place():
    content = edited(n0={"decision": "reject"}, n3={"decision": "relabel", "new_label": "ORG"})
    assert places(review.read(content, TEXTS, "r")) == [
        (0, 25, "PERSON"),
        (1, 0, "PERSON"),
        (1, 4, "ORG"),
    ]


def test_decisions_for_all_occurrences():
    ann = [SPANS[2]]
    accepted = review.write(ann, TEXTS).replace(b'"here"', b'"everywhere"')
    assert places(review.read(accepted, TEXTS, "r")) == [
        (0, 19, "PERSON"),
        (0, 32, "PERSON"),
        (1, 0, "PERSON"),
        (1, 11, "PERSON"),
    ]
    relabelled = edited(n2={"decision": "relabel", "new_label": "DOG", "scope": "everywhere"})
    found = review.read(relabelled, TEXTS, "r")
    assert {span.label for span in found if span.stop - span.start == 3 and span.start != 25} == {
        "DOG"
    }
    rejected = edited(n2={"decision": "reject", "scope": "everywhere"})
    assert places(review.read(rejected, TEXTS, "r")) == [
        (0, 0, "PERSON"),
        (0, 25, "PERSON"),
        (1, 4, "LOCATION"),
    ]


def test_one_place_beats_all():
    lines = review.write([SPANS[2], sf.Span(1, 11, 14, "PERSON")], TEXTS).splitlines()
    everywhere = json.loads(lines[0]) | {"scope": "everywhere"}
    here = json.loads(lines[1]) | {"decision": "reject"}
    content = "\n".join(map(json.dumps, (everywhere, here))).encode()
    assert (1, 11, "PERSON") not in places(review.read(content, TEXTS, "r"))


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b'{"document": 0}',
        edited(n0={"text": "another"}),
        edited(n0={"document": 9}),
        edited(n0={"start": 5}),
        edited(n0={"stop": 999}),
        edited(n0={"decision": MARKER}),
        edited(n0={"scope": MARKER}),
        edited(n0={"decision": "relabel"}),
    ],
)
def test_a_broken_review_is_refused_without_the_text(content):
    with pytest.raises(sf.BadInput) as caught:
        review.read(content, TEXTS, "r.jsonl")
    assert "line 1" in str(caught.value)
    assert MARKER not in str(caught.value)


@pytest.mark.parametrize("broken", [b"{", b"[]", b'{"document": [1', b'{"a": 1}, {"a": 2}'])
def test_a_broken_line_among_many_is_named(broken, tmp_path):
    lines = review.write(SPANS, TEXTS).splitlines()
    path = tmp_path / "spans.jsonl"
    path.write_bytes(b"\n".join([lines[0], b"", broken, *lines[1:]]))
    with pytest.raises(sf.BadInput, match="line 3"):
        review.Review(path).spans(TEXTS)


def test_brat_and_back():
    for number, text in enumerate(TEXTS):
        here = [span for span in SPANS if span.document == number]
        found = brat.read(brat.write(here, text), number, "a.ann")
        assert places(found) == places(here)
    parts = brat.read(b"T1\tNAME 0 3;5 8\tAnn Bob\nR1\trel\n", 0, "a")
    assert [(span.start, span.stop) for span in parts] == [(0, 3), (5, 8)]
    for broken in (b"T1\tNAME x 3\tAnn", b"T1 NAME", b"T1\t\xff"):
        with pytest.raises(sf.BadInput):
            brat.read(broken, 0, "a")


def test_i2b2_and_back():
    for number, text in enumerate(TEXTS):
        here = [span for span in SPANS if span.document == number]
        held, found = i2b2.read(i2b2.write(here, text), number, "a.xml")
        assert held == text
        assert places(found) == places(here)


@pytest.mark.parametrize(
    "content",
    [
        b"<a",
        b'<!DOCTYPE a [<!ENTITY x "xx">]><a>&x;</a>',
        b"<deIdi2b2><TEXT>a</TEXT><TAGS><NAME/></TAGS></deIdi2b2>",
        b"<deIdi2b2><TEXT>a</TEXT><TEXT>b</TEXT></deIdi2b2>",
        b"<deIdi2b2><TEXT>a<b/></TEXT></deIdi2b2>",
        b"<deIdi2b2><TEXT>a</TEXT><NOTE/></deIdi2b2>",
        b"<deIdi2b2><TEXT>a</TEXT><TAGS>Ann</TAGS></deIdi2b2>",
        b"<deIdi2b2><TEXT>a</TEXT><TAGS/><TAGS/></deIdi2b2>",
        b'<deIdi2b2><TEXT>a</TEXT><TAGS><NAME start="0" end="2"/></TAGS></deIdi2b2>',
    ],
)
def test_hostile_xml_is_refused(content):
    with pytest.raises(sf.BadInput):
        i2b2.read(content, 0, "a.xml")


def test_presidio_and_back():
    found = presidio.read(presidio.write(SPANS, 3), "p.json")
    assert places(found) == places(SPANS)
    mail = presidio.as_dictionaries([sf.Span(0, 0, 3, "EMAIL")], 1)
    assert mail[0][0]["entity_type"] == "EMAIL_ADDRESS"
    for broken in (b"{}", b"[1]", b'[[{"start": 1}]]', b"nonsense"):
        with pytest.raises(sf.BadInput):
            presidio.read(broken, "p.json")


def test_presidio_objects():
    class RecognizerResult:
        def __init__(self):
            self.entity_type, self.start, self.end, self.score = "PHONE_NUMBER", 1, 5, 0.4

    assert presidio.from_presidio([[RecognizerResult()]]) == [
        sf.Span(0, 1, 5, "PHONE", 0.4, "presidio")
    ]
    analyzer = pytest.importorskip("presidio_analyzer")
    handed = presidio.to_presidio(SPANS, 3)
    assert isinstance(handed[0][0], analyzer.RecognizerResult)
