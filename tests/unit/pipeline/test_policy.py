"""Policies as people write them: what is wrong is told by its place, with a remedy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from sfumato.core.errors import BadInput
from sfumato.pipeline import policy
from support.commands import call

EXAMPLES = Path(__file__).parents[3] / "examples"
BASE = {"version": 1, "input": {"path": "a.txt"}, "stages": [{"verb": "suppress"}]}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"version": 2}, "line 5: version: expected 1"),
        ({"stages": []}, "line 3: stages: "),
        ({"stages": [{"verb": "supress"}]}, "line 4: stages[0]: names no verb"),
        ({"stages": [{"k": 5}]}, "line 4: stages[0]: names no verb"),
        ({"stages": [{"verb": "suppress", "k": 0}]}, "line 4: stages[0].k: "),
        ({"stages": [{"verb": "suppress", "k": "5"}]}, "line 4: stages[0].k: "),
        ({"stages": [{"verb": "suppress", "kk": 5}]}, "line 4: stages[0].kk: no such setting"),
        ({"stages": [{"verb": "redact"}]}, "line 4: stages[0].terms: is missing"),
        ({"stages": [{"verb": "suppress", "count": "groups"}]}, "input.person"),
        ({"stages": [{"verb": "suppress", "columns": ["x"]}]}, "input.columns"),
        ({"input": {}}, "line 1: input.path: is missing"),
        ({"recogniser": "rules-en"}, "did you mean recognizer?"),
        ({"recognizer": "rules-en", "spans": "s.jsonl"}, "exclude each other"),
        ({"claims": [{"claim": "k", "k": -1}]}, "line 3: claims[0].k: "),
        ({"claims": [{"claim": "k", "columns": ["x"]}]}, "line 3: claims[0].columns: "),
        ({"stages": [{"verb": "suppress", "columns": ["x"]}]}, "line 4: stages[0].columns: "),
        ({"input": {"path": "a.csv", "columns": ["x", "x"]}}, "line 2: input.columns: "),
        ({"seed": -1}, "line 3: seed: "),
        ({"seed": 2**63}, "line 3: seed: "),
    ],
)
def test_errors_name_the_place_in_the_yaml(change, told):
    with pytest.raises(BadInput) as problem:
        policy.parse(yaml.safe_dump(BASE | change), "release.yaml")
    assert told in str(problem.value)
    assert str(problem.value).startswith("release.yaml")


def test_a_setting_twice_is_refused():
    twice = "version: 1\ninput: {path: a.txt}\nstages:\n- {verb: suppress, k: 5, k: 2}\n"
    with pytest.raises(BadInput, match=r"release.yaml, line 4: .* second time"):
        policy.parse(twice)


def test_a_secret_word_is_in_no_message():
    stages = [{"verb": "generalize", "t_words": {"Zyxomme": "many"}}]
    with pytest.raises(BadInput, match=r"line 4: stages\[0\].t_words: ") as problem:
        policy.parse(yaml.safe_dump(BASE | {"stages": stages}))
    assert "Zyxomme" not in str(problem.value)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"attacks": ["linkage-rare", "linkage"]}, "attacks[1]: no such attack"),
        ({"sweep": [2], "stages": [{"verb": "pseudonymize"}]}, "sweep: no stage suppresses"),
    ],
)
def test_measures_that_cannot_be_taken_are_refused_at_once(change, told, tmp_path, capsys):
    (tmp_path / "a.txt").write_text("a")
    (tmp_path / "release.yaml").write_text(yaml.safe_dump(BASE | change))
    assert call("policy", "check", tmp_path / "release.yaml") == 2
    assert told in capsys.readouterr().err


def test_no_yaml(tmp_path):
    with pytest.raises(BadInput, match="line 2"):
        policy.parse("version: 1\ninput: {path: [}\n")
    with pytest.raises(BadInput, match="mapping"):
        policy.parse("- 1\n")
    with pytest.raises(BadInput, match="cannot be read"):
        policy.read(tmp_path / "absent.yaml")


NAMED = {
    "version": 1,
    "input": {"path": "people.csv", "columns": ["note"], "person": "id"},
    "stages": [{"verb": "suppress", "k": 2}],
}


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text("id,age,note\na,20,Ann is calm\nb,30,Bob is well\n")
    (tmp_path / "schema.yaml").write_text("{person: id, columns: {age: {kind: number}}}")
    (tmp_path / "other.yaml").write_text("{person: id, columns: {height: {kind: number}}}")
    (tmp_path / "spans.jsonl").write_text('{"document": 0, "start": 0, "stop": 3, "label": "P"}\n')
    (tmp_path / "far.jsonl").write_text('{"document": 0, "start": 0, "stop": 99, "label": "P"}\n')
    (tmp_path / "broken.jsonl").write_text('{"document": 0, "sta')
    (tmp_path / "terms.txt").write_text("Ann\nBob\n")
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe\xfa")
    (tmp_path / "rules.yaml").write_text("rules: [{label: X}]")
    return tmp_path


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"input": {"path": "people.csv", "columns": ["text"]}}, "line 3: input.columns[0], "),
        ({"input": {"path": "people.csv"}}, "line 2: input.path, "),
        ({"input": NAMED["input"] | {"person": "who"}}, "line 5: input.person, "),
        ({"input": NAMED["input"] | {"encoding": "utf-99"}}, "line 3: input.columns[0]"),
        ({"recognizer": "rules-xx"}, "line 6: recognizer: no rules"),
        ({"recognizer": "no_such_pipeline"}, "line 6: recognizer"),
        ({"recognizer": "rules.yaml"}, "line 6: recognizer, "),
        ({"spans": "far.jsonl"}, "line 6: spans, far.jsonl, line 1"),
        ({"spans": "broken.jsonl"}, "line 6: spans, broken.jsonl, line 1"),
        ({"spans": "absent.jsonl"}, "line 6: spans: names a file"),
        ({"evaluation": {"gold": "far.jsonl"}}, "line 2: evaluation.gold, far.jsonl, line 1"),
        ({"schema": "other.yaml", "stages": [{"verb": "anonymize"}]}, ": stages[0], "),
        ({"stages": [{"verb": "suppress", "mask": "is"}]}, "line 7: stages[0]"),
        ({"stages": [{"verb": "redact", "terms": "bytes.txt"}]}, ": stages[0].terms: is not UTF"),
        ({"stages": [{"verb": "redact", "terms": "absent.txt"}]}, ": stages[0].terms: names a"),
        (
            {"stages": [{"verb": "sanitize", "patterns": "terms.txt", "separator": "m"}]},
            "stages[0]",
        ),
        ({"stages": [{"verb": "generalize", "ontology": "terms.txt"}]}, "stages[0], "),
        ({"claims": [{"claim": "k-anonymity"}]}, "line 2: claims[0].claim: no stage gives"),
        ({"claims": [{"claim": "spans-hidden", "k": 9}]}, ": claims[0].k: no stage gives"),
    ],
)
def test_what_can_be_told_before_running_is_told_by_its_place(place, change, told, capsys):
    given = {name: value for name, value in (NAMED | change).items() if value is not None}
    (place / "release.yaml").write_text(yaml.safe_dump(given))
    assert call("policy", "check", "release.yaml") in (2, 5)
    found = capsys.readouterr().err
    assert found.startswith("sfumato: release.yaml, line ")
    assert told in found
    assert "Ann" not in found


@pytest.mark.parametrize(("asked", "code"), [(2, 0), (3, 2)])
def test_what_is_given_back_can_be_demanded_as_strongly_as_the_stage_gives_it(
    place, asked, code, capsys
):
    stages = [{"verb": "pseudonymize", "give_back": 2}]
    claims = [{"claim": "given-back", "k": asked}]
    (place / "release.yaml").write_text(
        yaml.safe_dump(NAMED | {"stages": stages, "claims": claims})
    )
    assert call("policy", "check", "release.yaml") == code
    assert ("so strongly" in capsys.readouterr().err) == (code == 2)


def test_every_verb_passes(place, capsys):
    (place / "patterns.txt").write_text("cal\n")
    stages = [
        {"verb": "redact", "terms": "terms.txt", "k": 2},
        {"verb": "pseudonymize"},
        {"verb": "generalize", "words": ["calm"], "t": 2},
        {"verb": "suppress", "k": 2},
        {"verb": "anonymize", "k": 2},
    ]
    for one in (stages, [{"verb": "sanitize", "patterns": "patterns.txt"}]):
        more = {"stages": one, "schema": "schema.yaml", "spans": "spans.jsonl"}
        (place / "release.yaml").write_text(yaml.safe_dump(NAMED | more))
        assert call("policy", "check", "release.yaml") == 0, capsys.readouterr().err
    assert sorted(path.name for path in place.iterdir() if "release" in path.name) == [
        "release.yaml"
    ]


def test_the_json_schema_and_the_models_judge_alike():
    """Editors that know the schema accept and refuse what `policy check` does, by form."""
    validator = pytest.importorskip("jsonschema").Draft202012Validator
    schema = policy.json_schema()
    validator.check_schema(schema)
    judge = validator(schema)
    for path in sorted(EXAMPLES.glob("*.yaml")):
        assert judge.is_valid(yaml.safe_load(path.read_text())), path.name
    good = [
        BASE,
        NAMED | {"claims": [{"claim": "substring-k-anonymity", "k": 5, "count": "groups"}]},
        BASE | {"stages": [{"verb": "redact", "terms": "t.txt", "mask": ["*", "#"]}]},
        BASE | {"stages": [{"verb": "anonymize", "t": 0.2}], "schema": "s.yaml"},
        BASE | {"attacks": "all", "sweep": [2, 3], "evaluation": {"gold": "g.jsonl"}},
    ]
    bad = [
        {**BASE, "version": 2},
        {**BASE, "stages": []},
        {**BASE, "stages": [{"verb": "supress"}]},
        {**BASE, "stages": [{"verb": "suppress", "k": 0}]},
        {**BASE, "stages": [{"verb": "suppress", "k": "5"}]},
        {**BASE, "stages": [{"verb": "suppress", "kk": 5}]},
        {**BASE, "stages": [{"verb": "redact"}]},
        {**BASE, "input": {}},
        {**BASE, "recogniser": "rules-en"},
        {**BASE, "seed": -1},
        {**BASE, "attacks": "some"},
    ]
    for stated in good:
        policy.parse(yaml.safe_dump(stated))
        assert judge.is_valid(stated), stated
    for stated in bad:
        with pytest.raises(BadInput):
            policy.parse(yaml.safe_dump(stated))
        assert not judge.is_valid(stated), stated


def test_schema_agrees_with_the_models(capsys):
    assert call("policy", "json") == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["properties"].keys() >= {"version", "input", "schema", "stages", "claims"}
    assert schema["additionalProperties"] is False
    assert set(schema["required"]) == {"version", "input", "stages"}


def test_new_then_check(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    arguments = ("--input", "notes.jsonl", "--columns", "text", "--person", "who", "-k", 7)
    assert call("policy", "new", *arguments, "--stages", "pseudonymize,suppress") == 0
    assert call("policy", "check", "release.yaml") == 2
    assert "input.path: names a file that does not exist" in capsys.readouterr().err
    (tmp_path / "notes.jsonl").write_text('{"who": "a", "text": "b"}\n')
    assert call("policy", "check", "release.yaml") == 0
    assert "1. pseudonymize" in capsys.readouterr().out
    assert call("policy", "new", *arguments) == 2  # it exists
    assert call("policy", "new", "-", *arguments, "--stages", "redact") == 2
    assert "--terms" in capsys.readouterr().err
    assert call("policy", "new", "-", *arguments, "--stages", "anonymize,suppress") == 2
    assert "--schema" in capsys.readouterr().err
    table = ("--stages", "anonymize,suppress", "--schema", "people.yaml")
    assert call("policy", "new", "-", *arguments, *table) == 0
    made = policy.parse(capsys.readouterr().out)
    assert made.schema_file == "people.yaml"
    assert [one.claim for one in made.claims] == ["k-anonymity", "substring-k-anonymity"]
    assert call("policy", "new", "-") == 2  # no terminal to ask


def test_guidance_is_shown_when_asked(tmp_path, monkeypatch, capsys):
    import io
    import sys

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", Terminal("notes.jsonl\ntext\nwho\nsuppress\n11\n"))
    assert call("policy", "new", "release.yaml") == 0
    told = capsys.readouterr().err
    assert "No k fits all data" in told
    assert policy.read("release.yaml").policy.stages[0].k == 11


BOMB = "a0: &a0 [x]\n" + "".join(
    f"a{i + 1}: &a{i + 1} [{','.join([f'*a{i}'] * 9)}]\n" for i in range(10)
)


@pytest.mark.parametrize("text", [BOMB, "[" * 5000])
def test_yaml_that_grows_or_nests_without_end_is_refused_at_once(text):
    with pytest.raises(BadInput):
        policy.parse(text)


@pytest.mark.parametrize(
    ("stage", "demanded", "is_met"),
    [
        ({}, {}, True),
        ({"reach": 3}, {}, False),
        ({"reach": 3}, {"reach": 3}, True),
        ({"reach": 3}, {"reach": 2}, True),
        ({"reach": 2}, {"reach": 3}, False),
        ({}, {"reach": 3}, True),
    ],
)
def test_a_bounded_claim_meets_no_unbounded_demand(stage, demanded, is_met, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("notes.csv").write_text("who,text\n" + "".join(f"p{i},all is well\n" for i in range(6)))
    given = {
        "version": 1,
        "input": {"path": "notes.csv", "columns": ["text"], "person": "who"},
        "stages": [{"verb": "suppress", "k": 3, **stage}],
        "claims": [{"claim": "substring-k-anonymity", "k": 3, "count": "groups", **demanded}],
    }
    Path("release.yaml").write_text(yaml.safe_dump(given))
    for command in (["policy", "check", "release.yaml"], ["run", "release.yaml"]):
        assert call(*command) == (0 if is_met else 2)
