"""Every code block of the documentation runs, page by page, and prints what the page says."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer
import yaml

from docs.blocks import PAGES, ROOT, Block, blocks, name_of
from docs.inputs import write_inputs
from sfumato.cli.app import app, run

KINDS = {"", "python", "sh", "sh not-run", "text", "extended"}
NAMED = re.compile(r"yaml [\w.-]+\.yaml|(file|line) [\w/]+\.(py|yaml)")
REFERENCE = ROOT / "docs" / "cli.md"
SHELL = re.compile(r"[|<>&;$`!*]")  # a line with one of these is the shell's
NEEDS = {"ssh-keygen": "signing needs ssh-keygen (OpenSSH)"}

SUPPRESS = "sfumato suppress notes.jsonl -k 5 --text-column text --group-column patient_id"
POLICY = "sfumato policy new --input notes.jsonl --columns text --person patient_id -k 5"
# What the examples of the reference, each of which runs by itself, find already done.
BEFORE = {
    "sfumato run": [POLICY],
    "sfumato verify": [f"{SUPPRESS} -o out.jsonl"],
    "sfumato report": [POLICY, "sfumato run release.yaml -o release-folder"],
    "sfumato attack": [f"{SUPPRESS} -o out.jsonl"],
    "sfumato evaluate": [f"{SUPPRESS} -o out.jsonl"],
    "sfumato policy check": [POLICY],
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder with the files that pages read; here the commands run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "140")
    monkeypatch.setenv("NO_COLOR", "1")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    monkeypatch.setenv("PATH", path)
    write_inputs(tmp_path)
    return tmp_path


def with_shell() -> list[Path]:
    kinds = ("sh", "yaml")
    return [page for page in PAGES if any(one.words.startswith(kinds) for one in blocks(page))]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_block_says_what_it_is(page):
    for one in blocks(page):
        assert one.words in KINDS or NAMED.fullmatch(one.words), one.line
        if one.words == "python" and page.name != "README.md":
            assert ">>>" in one.content, one.line
        assert one.words or not one.content.startswith("sfumato "), one.line


@pytest.mark.parametrize("page", [p for p in with_shell() if p != REFERENCE], ids=name_of)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_commands_of_a_page_run(page, folder, capfd):
    """In one folder, from the first to the last; text blocks are what was printed before."""
    printed = ""
    for one in blocks(page):
        if one.words.startswith("yaml "):
            name = one.words.removeprefix("yaml ")
            (folder / name).write_text(one.content, encoding="utf-8")
            check_written(name, one)
        elif one.words == "sh":
            printed = run_block(page, one, capfd)
        elif one.words == "text":
            words = " ".join(printed.split())
            for line in one.content.splitlines():
                assert " ".join(line.split()) in words, f"{page.name}, line {one.line}: {line}"


@pytest.mark.parametrize("one", blocks(REFERENCE), ids=lambda one: one.lines[0][8:25])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_examples_of_the_reference_run(one, folder, capfd):
    if one.content.startswith("sfumato studio"):
        pytest.skip("it serves until it is stopped: tests/browser and tests/unit/studio run it")
    for begin, commands in BEFORE.items():
        if one.content.startswith(f"{begin} "):
            for command in commands:
                assert run([*shlex.split(command)[1:]]) == 0, capfd.readouterr().err
    run_block(REFERENCE, one, capfd)


def run_block(page: Path, one: Block, capfd: pytest.CaptureFixture[str]) -> str:
    """Runs a block, plain commands of ours in this process; gives what it printed."""
    where = f"{page.name}, line {one.line}"
    for program, reason in NEEDS.items():
        if program in one.content and not shutil.which(program):
            pytest.skip(reason)
    if all(line.startswith("sfumato ") and not SHELL.search(line) for line in one.lines):
        for line in one.lines:
            code = run(shlex.split(line)[1:])
            told = capfd.readouterr()
            assert code == 0, f"{where}: {line}\n{told.err}"
        return told.out + told.err
    if all(line.startswith("make ") for line in one.lines):  # the tests cannot make the tests
        command = f"make --dry-run -C {ROOT} {' '.join(line[5:] for line in one.lines)}"
    else:
        command = one.content
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, f"{where}: {one.content}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def check_written(name: str, one: Block) -> None:
    """What a page shows as YAML is a policy, a schema or rules that the package reads."""
    from sfumato.recognizers import recognizer
    from sfumato.schema import as_schema

    content = yaml.safe_load(one.content)
    if "stages" in content:
        assert run(["policy", "check", name, "-q"]) == 0, one.line
    elif "columns" in content:
        as_schema(name)
    else:
        recognizer(name)


def commands() -> list[tuple[str, str]]:
    return [
        (page.name, line)
        for page in PAGES
        for one in blocks(page)
        if one.words.startswith("sh")
        for line in one.lines
        if line.startswith("sfumato ")
    ]


@pytest.mark.parametrize(("page", "line"), commands())
def test_every_command_in_the_documentation_is_one(page, line):
    """Names and options exist and required ones are given, also where a block is not run."""
    words = shlex.split(re.split(r"\s[|>]\s", line)[0], comments=True)[1:]
    command = typer.main.get_command(app)
    while hasattr(command, "commands") and words and words[0] in command.commands:
        command = command.commands[words.pop(0)]
    assert not hasattr(command, "commands") or words in (["--help"], ["--version"])
    if not hasattr(command, "commands"):
        command.make_context("sfumato", words)
