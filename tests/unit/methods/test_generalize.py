"""`generalize`: finding, senses, realisation, thresholds, policies and refusals."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.core.release import Sides
from sfumato.core.segments import segments
from sfumato.core.spans import Span
from sfumato.methods.meanings.find import find_mentions, lexicon_of_ontology, lexicon_of_words
from sfumato.methods.meanings.realize import realize
from sfumato.ontologies import wordnet
from sfumato.ontologies.csv import parse_csv
from sfumato.ontologies.inflection import takes_an

plausible = partial(sf.generalize, guarantee="plausible")  # the guarantee of the paper

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

PAINS = parse_csv(
    "\n".join(
        f"{child},{parent}"
        for parent, children in {
            "ache": ["headache", "backache", "earache"],
            "pain": ["ache", "sting", "cramp", "burn"],
            "symptom": ["pain", "fever", "cough"],
        }.items()
        for child in children
    )
)


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("phantom limb pain, limb", ["limb", "phantom limb pain"], ["phantom limb pain", "limb"]),
        ("Liver-cancer", ["liver cancer"], ["Liver-cancer"]),
        ("liver, cancer", ["liver cancer"], []),
        ("liver \n\u00a0 cancer", ["liver cancer"], ["liver \n\u00a0 cancer"]),
        ("liver\u00adcancer", ["liver cancer"], ["liver\u00adcancer"]),
        ("彼は結核です", ["結核"], ["結核"]),
        ("彼は結\n核です", ["結核"], ["結\n核"]),
        ("B型肝炎と結核", ["b型肝炎", "結核"], ["B型肝炎", "結核"]),
        ("เขาเป็นวัณโรคและ", ["วัณโรค"], ["วัณโรค"]),  # signs above and below the letters
        ("उसे मलेरिया है", ["मलेरिया"], ["मलेरिया"]),
        ("他有流感。", ["流感"], ["流感"]),
        ("un cafe\u0301.", ["café"], ["cafe\u0301"]),
        ("un café.", ["cafe\u0301"], ["café"]),
        ("headaches and headache", ["headache"], ["headaches", "headache"]),
        ("a headache", ["headaches"], ["headache"]),
        ("attorneys general", ["attorney general"], ["attorneys general"]),
        ("children; CHILD", ["child"], ["children", "CHILD"]),
        ("Alzheimer's disease", ["alzheimer's disease"], ["Alzheimer's disease"]),
        ("painful", ["pain"], []),
        ("", ["pain"], []),
    ],
)
def test_finding_listed_words(text, words, expected):
    found = find_mentions(text, lexicon_of_words(words))
    assert [text[m.start : m.stop] for m in found] == expected


def test_finding_every_noun():
    text = "He has had a phantom limb pain in May and went to Sacramento."
    found = [text[m.start : m.stop] for m in find_mentions(text, lexicon_of_ontology(wordnet()))]
    assert "phantom limb pain" in found
    assert "Sacramento" in found
    assert not {"He", "has", "a", "in", "went"} & set(found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("An ache", "A pain"),
        ("an ache.", "a pain."),
        ("AN ACHE", "A PAIN"),
        ("Aches came", "Pains came"),
        ("his aches", "his pains"),
        ("The Ache Clinic, ache", "The Pain Clinic, pain"),
        ("It hurts. Ache again", "It hurts. Pain again"),
    ],
)
def test_the_text_reads_well(text, expected):
    assert plausible(text, t=4, words=["ache"], ontology=PAINS).data == expected


def test_articles_and_capitals():
    assert realize("in Sacramento", 3, 13, "state capital", proper=True) == "state capital"
    assert realize("Sacramento is", 0, 10, "state capital", proper=True) == "State capital"
    assert realize("in New York", 3, 11, "city", proper=True) == "city"
    assert [takes_an(w) for w in ("hour", "use", "university", "ulcer", "one", "MRI")] == [
        True, False, False, True, False, False,
    ]  # fmt: skip


def test_equal_words_count_once_and_the_strictest_segment_decides():
    text = "A headache. A headache and a cough."
    release = plausible(
        text, t=[2, 12], words=["headache", "cough"], ontology=PAINS, segment="sentence"
    )
    assert sf.verify(text, release)[0].holds
    marks = release.sides.marks
    assert marks[0][3:] == marks[1][3:]
    # Alone, the first sentence would be content with less.
    alone = plausible("A headache.", t=2, words=["headache"], ontology=PAINS)
    assert alone.data == "An ache."
    strict = plausible("A headache. Headache.", t=[2, 5], words=["headache"],
                           ontology=PAINS, segment="sentence")  # fmt: skip
    assert strict.data == "A pain. Pain."


def test_two_mentions_do_not_multiply():
    """3 x 3 = 9 would be enough for t = 9; one factor of 3 is not."""
    text = "headache, headache"
    release = plausible(text, t=6, words=["headache"], ontology=PAINS)
    assert release.data == "pain, pain"
    assert release.loss["log2_base_texts"] == pytest.approx(2.585, abs=1e-3)


def test_thresholds_of_words_documents_and_segments():
    words = ["headache", "cough"]
    release = plausible(["A headache", "A cough"], t=[3, 8], words=words, ontology=PAINS)
    assert release.data == ["An ache", "A symptom"]
    own = plausible("A headache", t=2, words=words, t_words={"Headaches": 5}, ontology=PAINS)
    assert own.data == "A pain"
    own = plausible("A headache", t=2, words=words, t_words={"Headache": 5}, ontology=PAINS)
    assert own.data == "A pain"
    assert sf.verify("A headache", own)[0].holds
    assert "eadache" not in str(own.certificate())
    nested = plausible(["A cough. A headache", ""], t=[[2, 6], 1], words=words,
                           ontology=PAINS, segment="sentence")  # fmt: skip
    assert nested.data == ["A symptom. A pain", ""]
    with pytest.raises(sf.CannotBeMet):
        plausible("A headache", t=2, words=words, t_words={"headache": 99}, ontology=PAINS)


def test_unknown_words():
    note = "A xyzzy and a headache"
    words = ["xyzzy", "headache"]
    masked = plausible(note, t=3, words=words, ontology=PAINS)
    assert masked.data == "A ★ and an ache"
    assert masked.loss["suppressed"] == 1
    kept = plausible(note, t=3, words=words, ontology=PAINS, unknown="keep")
    assert kept.data == "A xyzzy and an ache"
    assert sf.verify(note, kept)[0].holds
    assert any("kept" in warning for warning in kept.warnings)
    with pytest.raises(sf.BadInput, match="offsets 2 to 7"):
        plausible(note, t=3, words=words, ontology=PAINS, unknown="fail")
    only = plausible("xyzzy", words=["xyzzy"], ontology=PAINS)
    assert only.data == "★"
    assert sf.verify("xyzzy", only)[0].holds


def test_spans_and_recognizers():
    text = ["A headache and a cough", "none"]
    spans = [Span(0, 2, 10), Span(0, 2, 6)]
    release = plausible(text, t=3, words=spans, ontology=PAINS)
    assert release.data == ["An ache and a cough", "none"]
    assert plausible(text, t=3, words=lambda texts: spans, ontology=PAINS).data == release.data
    assert sf.verify(text, release)[0].holds
    for bad in ([Span(2, 0, 1)], [Span(0, 5, 5)], [Span(0, 0, 999)], ["a", Span(0, 0, 1)], 7, [""]):
        with pytest.raises(sf.BadInput):
            plausible(text, words=bad, ontology=PAINS)


def test_senses():
    note = "Uses marijuana for phantom limb pain"
    words = ["marijuana", "phantom limb pain"]
    first = plausible(note, t=10, words=words, sense="first")
    assert first.data != plausible(note, t=10, words=words).data
    given = plausible("marijuana", t=4, words=words, sense={"marijuana": 2})
    assert given.data == "soft drug"
    assert given.parameters["sense"] == "given"
    with pytest.raises(sf.BadInput):
        plausible("marijuana", words=words, sense={"marijuana": 9})


def test_frequencies_from_a_table_and_from_texts():
    """When nearly all aches are headaches, an ache says little less than a headache."""
    words = ["headache"]
    even = plausible("headache", t=3, words=words, ontology=PAINS)
    table = plausible("headache", t=3, words=words, ontology=PAINS, frequencies={"headache": 9})
    texts = plausible("headache", t=3, words=words, ontology=PAINS, frequencies=["headache"] * 9)
    assert even.data == "ache"
    assert table.data == texts.data == "pain"
    assert sf.verify("headache", table)[0].holds
    with pytest.raises(sf.BadInput):
        plausible("headache", words=words, frequencies={"headache": -1}, ontology=PAINS)
    with pytest.raises(sf.BadInput):
        plausible("x", objective="smallest", frequencies={"x": 1})


@pytest.mark.parametrize(
    "options",
    [
        {"t": 0},
        {"t": 2.5},
        {"t": True},
        {"t": 1 << 41},
        {"t": [1, 2]},
        {"alpha": 2},
        {"min_volume": 0},
        {"mask": ""},
        {"mask": "x"},
        {"search": "all"},
        {"volume": "all"},
        {"sense": "last"},
        {"segment": "page"},
        {"unknown": "guess"},
        {"t_words": {"": 2}},
        {"engine": "ray"},
    ],
    ids=str,
)
def test_bad_parameters_are_refused(options):
    with pytest.raises(sf.BadInput):
        plausible("headache", words=["headache"], ontology=PAINS, **options)


def test_what_cannot_be_met():
    with pytest.raises(sf.CannotBeMet, match="document 1, segment 0"):
        plausible(["x", "headache"], t=1000, words=["headache"], ontology=PAINS)


def test_kinds_of_input_come_back():
    assert plausible([], words=["x"]).data == []
    assert plausible("", words=["x"]).data == ""
    assert plausible(("headache",), t=2, words=["headache"], ontology=PAINS).data == ("ache",)
    pandas = pytest.importorskip("pandas")
    column = pandas.Series(["headache", None], name="note")
    released = plausible(column, t=2, words=["headache"], ontology=PAINS).data
    assert list(released[:1]) == ["ache"]
    assert released.name == "note"


def test_progress_is_reported():
    seen = []
    plausible(["headache"] * 600, t=2, words=["headache"], ontology=PAINS,
                  progress=lambda stage, share: seen.append((stage, share)))  # fmt: skip
    assert seen[-1] == ("generalize", 1.0)
    assert len(seen) == 3


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("", "sentence", []),
        ("One. Two", "sentence", [(0, 5), (5, 8)]),
        ("Dr. no. yes", "sentence", [(0, 11)]),
        ("a\n\nb", "paragraph", [(0, 3), (3, 4)]),
        ("a\n\nb", "document", [(0, 4)]),
    ],
)
def test_segments(text, unit, expected):
    assert segments(text, unit) == expected


def test_a_word_with_its_own_t_must_be_marked():
    with pytest.raises(BadInput, match="not among the words"):
        plausible("a dog and a cat", t=2, words=["dog"], t_words={"cat": 100})
    assert plausible("two dogs", t=2, words=["dog"], t_words={"dogs": 2}).data == "two canines"


def test_listed_words_of_scripts_without_blanks_are_published_and_verified():
    ontology = parse_csv("結核,感染症\n肺炎,感染症\n風邪,感染症\n麻疹,感染症")
    text = "彼は結核です。肺\n炎も。"
    release = sf.generalize(text, t=3, words=["結核", "肺炎"], ontology=ontology)
    assert release.data == "彼は感染症です。感染症も。"
    assert sf.verify(text, release)[0].holds
    one = "彼は結核です。"
    alone = sf.generalize(one, t=3, words=["結核"], ontology=ontology)
    assert sf.verify(one, replace(alone, sides=Sides(ontology=ontology)))[0].holds
    planted = replace(release, sides=replace(release.sides, words=["結核", "肺炎", "彼"]))
    assert "not marked" in sf.verify(text, planted)[0].reason


def test_words_with_signs_are_published_and_what_stays_in_clear_is_not_verified():
    links = "วัณโรค,โรค\nมาลาเรีย,โรค\nหวัด,โรค\nमलेरिया,रोग\nखाँसी,रोग"
    text, words = "เขาเป็นวัณโรค उसे मलेरिया है", ["วัณโรค", "मलेरिया"]
    release = sf.generalize(text, t=4, words=words, ontology=parse_csv(links))
    assert release.data == "เขาเป็นโรค उसे रोग है"
    assert sf.verify(text, release)[0].holds
    planted = sf.generalize(text, t=4, words=words[:1], ontology=parse_csv(links))
    planted = replace(planted, sides=replace(planted.sides, words=words))
    assert "not marked" in sf.verify(text, planted)[0].reason


def test_articles_tell_nothing_of_hidden_words():
    ontology = parse_csv("ache,pain\nsting,pain\nburn,pain\nimp,\nelf,\norc,")
    texts = ["an ache", "a sting", "An 'ache'", "A 'sting'", "an imp", "an elf", "AN ORC HERE"]
    release = sf.generalize(texts, t=3, ontology=ontology)
    expected = ["a pain", "a pain", "A 'pain'", "A 'pain'", "a ★", "a ★", "A ★ HERE"]
    assert release.data == expected
    assert sf.verify(texts, release)[0].holds
    changes = [c for c in release.changes if c.reason != "article"]
    data = ["an pain", "a pain", "An 'pain'", "A 'pain'", "an ★", "an ★", "AN ★ HERE"]
    planted = replace(release, data=data, changes=type(release.changes).of(changes))
    assert not sf.verify(texts, planted)[0].holds


def test_what_no_ontology_knows_is_masked_and_no_number_is_claimed():
    for guarantee in ("published", "plausible"):
        release = sf.generalize("xyzzy", t=5, words=["xyzzy"], ontology=PAINS, guarantee=guarantee)
        (verdict,) = sf.verify("xyzzy", release)
        assert verdict.holds
        told = f"{release.claims[0].statement} {verdict.reason} {verdict.measured} {release.loss}"
        assert "5" not in told
        assert "2^" not in told
        assert "log2" not in told
        assert "no number" in release.claims[0].statement
