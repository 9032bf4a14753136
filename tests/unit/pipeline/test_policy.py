"""Policies as people write them: what is wrong is told by its place, with a remedy."""

from __future__ import annotations

import json

import pytest
import yaml

from sfumato.cli.app import run
from sfumato.core.errors import BadInput
from sfumato.pipeline import policy


def call(*arguments):
    return run([str(argument) for argument in arguments])


BASE = {"version": 1, "input": {"path": "a.txt"}, "stages": [{"verb": "suppress"}]}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"version": 2}, "version: expected 1"),
        ({"stages": []}, "stages: "),
        ({"stages": [{"verb": "supress"}]}, "stages[0]: names no verb"),
        ({"stages": [{"k": 5}]}, "stages[0]: names no verb"),
        ({"stages": [{"verb": "suppress", "k": 0}]}, "stages[0].k: "),
        ({"stages": [{"verb": "suppress", "k": "5"}]}, "stages[0].k: "),
        ({"stages": [{"verb": "suppress", "kk": 5}]}, "stages[0].kk: no such setting"),
        ({"stages": [{"verb": "redact"}]}, "stages[0].terms: is missing"),
        ({"stages": [{"verb": "suppress", "count": "groups"}]}, "input.person"),
        ({"stages": [{"verb": "suppress", "columns": ["x"]}]}, "input.columns"),
        ({"input": {}}, "input.path: is missing"),
        ({"recogniser": "rules-en"}, "did you mean recognizer?"),
        ({"recognizer": "rules-en", "spans": "s.jsonl"}, "exclude each other"),
        ({"claims": [{"claim": "k", "k": -1}]}, "claims[0].k: "),
        ({"claims": [{"claim": "k", "columns": ["x"]}]}, "claims[0].columns: "),
        ({"stages": [{"verb": "suppress", "columns": ["x"]}]}, "stages[0].columns: "),
        ({"input": {"path": "a.csv", "columns": ["x", "x"]}}, "input.columns: "),
        ({"seed": -1}, "seed: "),
        ({"seed": 2**63}, "seed: "),
    ],
)
def test_errors_name_the_place_in_the_yaml(change, told):
    with pytest.raises(BadInput) as problem:
        policy.parse(yaml.safe_dump(BASE | change), "release.yaml")
    assert told in str(problem.value)
    assert str(problem.value).startswith("release.yaml: ")


def test_a_setting_twice_is_refused():
    twice = "version: 1\ninput: {path: a.txt}\nstages:\n- {verb: suppress, k: 5, k: 2}\n"
    with pytest.raises(BadInput, match=r"release.yaml, line 4: .* second time"):
        policy.parse(twice)


def test_a_secret_word_is_in_no_message():
    stages = [{"verb": "generalize", "t_words": {"Zyxomme": "many"}}]
    with pytest.raises(BadInput, match=r"stages\[0\].t_words: ") as problem:
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
