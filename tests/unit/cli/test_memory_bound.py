"""`suppress --memory`: the whole process stays within it, or the command is refused."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys

import pytest

from sfumato.cli.app import run

# Anonymous memory: pages of files, which the system can drop, are no part of it.
PROGRAM = """
import re, sys, threading, time
from pathlib import Path
from sfumato.cli.app import run
most, done = [0], threading.Event()
def watch():
    while not done.wait(0.002):
        told = Path("/proc/self/status").read_text()
        most[0] = max(most[0], int(re.search(r"RssAnon:\\s+(\\d+) kB", told)[1]))
watching = threading.Thread(target=watch)
watching.start()
code = run(sys.argv[1:])
done.set()
watching.join()
print(most[0])
sys.exit(code)
"""
WORDS = [f"{a}{b}{c}" for a in "bcdfgklm" for b in "aeiou" for c in ("nd", "r", "st", "lly")]
COLUMNS = ["--text-column", "text", "--group-column", "who", "-k", "3", "-q"]


def megabyte_limit(problem: str) -> int:
    found = re.search(r"give (?:at least|about) (\d+)MB", problem)
    assert found, problem
    return int(found[1])


def peak(*given: str) -> tuple[int, float]:
    """Exit code and most megabytes of a command in a process of its own."""
    command = [sys.executable, "-c", PROGRAM, *given]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, int(done.stdout.split()[-1]) * 1024 / 1e6


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
