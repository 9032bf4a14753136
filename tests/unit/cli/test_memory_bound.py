"""`suppress --memory`: the whole process stays within it, or the command is refused."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys

import pytest

from sfumato.cli.app import run

PROGRAM = "import sys; from sfumato.cli import main; sys.exit(main())"
WORDS = [f"{a}{b}{c}" for a in "bcdfgklm" for b in "aeiou" for c in ("nd", "r", "st", "lly")]
COLUMNS = ["--text-column", "text", "--group-column", "who", "-k", "3", "-q"]


def megabyte_limit(problem: str) -> int:
    found = re.search(r"give (?:at least|about) (\d+)MB", problem)
    assert found, problem
    return int(found[1])


def peak(*given: str) -> tuple[int, float]:
    """Exit code and most megabytes of a command in a process of its own."""
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, *given], stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, used.ru_maxrss * 1024 / 1e6


@pytest.fixture(scope="module")
def posts(tmp_path_factory):
    chance, path = random.Random(7), tmp_path_factory.mktemp("memory") / "posts.jsonl"
    with path.open("w", encoding="utf-8") as lines:
        for i in range(8_000):
            text = " ".join(chance.choices(WORDS, k=200))
            lines.write(json.dumps({"who": f"p{i % 900}", "text": text}) + "\n")
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="peaks are told in other units")
@pytest.mark.parametrize("options", [[], ["--guess", "none"]], ids=["reader", "characters"])
def test_the_process_stays_within_its_allowance(posts, tmp_path, capsys, options):
    given = ["suppress", str(posts), *COLUMNS, *options]
    assert run([*given, "-o", str(tmp_path / "no.jsonl"), "--memory", "130MB"]) == 2
    assert not (tmp_path / "no.jsonl").exists()
    limit = megabyte_limit(capsys.readouterr().err)
    _, free = peak(*given, "-o", str(tmp_path / "free.jsonl"))
    bound = [*given, "-o", str(tmp_path / "bound.jsonl"), "--memory", f"{limit}MB"]
    code, most = peak(*bound)
    assert code == 0
    assert most <= limit
    assert most < free
    same = (tmp_path / "free.jsonl").read_bytes() == (tmp_path / "bound.jsonl").read_bytes()
    assert same


def test_what_cannot_even_be_read_is_refused_before_it_is(posts, tmp_path, capsys):
    given = ["suppress", str(posts), *COLUMNS, "-o", str(tmp_path / "no.jsonl"), "--memory", "1MB"]
    assert run(given) == 2
    told = capsys.readouterr().err
    assert megabyte_limit(told) > 100
    assert "--memory" in told
