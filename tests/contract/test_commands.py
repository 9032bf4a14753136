"""Every command: `--json` gives one JSON document, failures are JSON with their exit code."""

import json

import pytest
import typer

from sfumato.cli.app import app, run

RELEASED = "the patient was seen for chest pain"
TEXT = ("--text-column", "text", "-o", "out.jsonl")
COMMANDS = {
    "suppress": ("notes.jsonl", *TEXT, "-k", "3"),
    "redact": ("notes.jsonl", *TEXT, "-k", "2", "--terms", "terms.txt"),
    "generalize": ("notes.jsonl", *TEXT, "-t", "2"),
    "sanitize": ("notes.jsonl", *TEXT, "--patterns", "patterns.txt"),
    "pseudonymize": ("notes.jsonl", *TEXT),
    "anonymize": ("people.csv", "--schema", "schema.yaml", "-k", "2", "-o", "out.csv"),
    "recognize": ("notes.jsonl", *TEXT),
    "recognise": ("notes.jsonl", *TEXT),
    "learn": ("reviewed.jsonl", "--base", "none", "-o", "ward.model"),
    "run": ("release.yaml", "-o", "folder"),
    "report": ("release.jsonl", "-o", "report.html"),
    "attack": ("notes.jsonl", "release.jsonl", "--text-column", "text"),
    "evaluate": ("notes.jsonl", "release.jsonl", "--text-column", "text", "--gold", "spans.jsonl"),
    "risk": ("people.csv", "--schema", "schema.yaml", "-o", "risk.html"),
    "sweep": ("notes.jsonl", "--text-column", "text", "--values", "2,3"),
    "policy check": ("release.yaml",),
    "policy new": ("new.yaml", "--input", "notes.jsonl", "--columns", "text", "-k", "3"),
    "new": ("people.csv", "--rows-are-people", "-k", "2", "--policy", "made.yaml"),
    "verify": ("notes.jsonl", "release.jsonl", "--text-column", "text"),
    "schema guess": ("people.csv",),
    "schema check": ("schema.yaml",),
    "demo": ("--raw", "raw"),
    "doctor": (),
}
MAKES = {"policy new", "demo"}  # its first argument is what it writes
WITHOUT = {"schema json", "policy json", "studio"}  # print JSON anyway, or serve until they end


def commands(group, path=()):
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


ALL = dict(commands(typer.main.get_command(app)))


def test_every_command_is_run_here():
    assert set(COMMANDS) | WITHOUT == set(ALL)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    notes = [{"text": f"{RELEASED} {i}"} for i in range(6)]
    (tmp_path / "notes.jsonl").write_text("".join(json.dumps(one) + "\n" for one in notes))
    spans = [{"start": 12, "stop": 20, "label": "WHAT"}]
    reviewed = [{**note, "spans": spans} for note in notes]
    (tmp_path / "reviewed.jsonl").write_text("".join(json.dumps(x) + "\n" for x in reviewed))
    (tmp_path / "terms.txt").write_text("chest\nchess\n")
    (tmp_path / "patterns.txt").write_text("est\n")
    (tmp_path / "people.csv").write_text("age,job\n30,nurse\n31,baker\n")
    (tmp_path / "schema.yaml").write_text("columns: {age: {kind: number}}\n")
    (tmp_path / "release.yaml").write_text(
        "{version: 1, input: {path: notes.jsonl, columns: [text]}, "
        "stages: [{verb: suppress, k: 3}]}"
    )
    options = ("--text-column", "text", "-k", "3", "-q")
    assert run(["suppress", "notes.jsonl", *options, "-o", "release.jsonl"]) == 0
    span = {"start": 0, "stop": 3, "label": "PERSON"}
    gold = [{**one, "spans": [span]} for one in notes]
    (tmp_path / "spans.jsonl").write_text("".join(json.dumps(one) + "\n" for one in gold))
    return tmp_path


@pytest.mark.parametrize("name", ALL)
def test_every_command_has_json(name):
    options = [option for one in ALL[name].params for option in one.opts]
    assert ("--json" in options) is (name not in WITHOUT)


@pytest.mark.parametrize("name", ALL)
def test_every_command_that_writes_can_be_told_to_replace(name):
    options = [option for one in ALL[name].params for option in one.opts]
    assert ("--overwrite" in options) is ("--output" in options)


@pytest.mark.parametrize("name", COMMANDS)
def test_json_is_one_document_and_the_code_is_0(name, folder, capsys):
    assert run([*name.split(), *COMMANDS[name], "--json"]) == 0
    json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    "name", [name for name in COMMANDS if COMMANDS[name] and name not in MAKES]
)
def test_a_failure_is_json_with_its_code(name, folder, capsys):
    arguments = ["absent.jsonl", *COMMANDS[name][1:]]
    assert run([*name.split(), *arguments, "--json"]) == 2
    told = json.loads(capsys.readouterr().out)
    assert told["exit_code"] == 2
    assert "absent.jsonl" in told["error"]


@pytest.mark.parametrize("name", ALL)
def test_an_unknown_option_is_bad_usage(name, capsys):
    assert run([*name.split(), "--no-such-option"]) == 2
    assert "--no-such-option" in capsys.readouterr().err
