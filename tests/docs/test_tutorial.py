"""The tutorial runs from its first command to its last, and prints what it says."""

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

ROOT = Path(__file__).parents[2]
TUTORIAL = ROOT / "docs" / "tutorial.md"
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(sh|text)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str]]:
    return BLOCK.findall(page.read_text(encoding="utf-8"))


@pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="signing needs ssh-keygen (OpenSSH)")
def test_every_command_of_the_tutorial_runs(tmp_path):
    """Shell blocks run in one folder, one after another; text blocks are what they print."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "140", "NO_COLOR": "1"}
    printed = ""
    for kind, content in blocks(TUTORIAL):
        if kind == "text":
            words = " ".join(printed.split())
            for line in content.splitlines():
                assert " ".join(line.split()) in words, line
            continue
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", content],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )
        printed = done.stdout + done.stderr
        assert done.returncode == 0, f"{content}\n{printed}"


def commands() -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        for kind, content in blocks(page):
            lines = content.replace("\\\n", " ").splitlines() if kind == "sh" else []
            found += [(page.name, line) for line in lines if line.startswith("sfumato ")]
    return found


@pytest.mark.parametrize(("page", "line"), commands())
def test_every_command_in_the_documentation_is_one(page, line):
    """Names and options exist and required ones are given; nothing is run."""
    from sfumato.cli.app import app

    words = shlex.split(re.split(r"\s[|>]\s", line)[0], comments=True)[1:]
    command = typer.main.get_command(app)
    while hasattr(command, "commands") and words and words[0] in command.commands:
        command = command.commands[words.pop(0)]
    assert not hasattr(command, "commands") or words in (["--help"], ["--version"])
    if not hasattr(command, "commands"):
        command.make_context("sfumato", words)
