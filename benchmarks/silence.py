"""How long commands show nothing: `python benchmarks/silence.py --megabytes 10`.

Every command runs on a terminal of its own (a pseudo-terminal). Told of each: its CPU seconds, and
the longest time in which it wrote nothing to the terminal, in CPU seconds of its own, so that other
work on the machine does not count. Anything above two seconds is a part without progress. Notes of
invented people (`load.py`); a command that needs the file of another runs after it.
"""

from __future__ import annotations

import argparse
import csv
import os
import pty
import resource
import sys
import tempfile
from pathlib import Path

from load import COMMANDS, ILLS, PROGRAM, TOWNS, write_notes

TEXT = ["--text-column", "text"]
PEOPLE = [*TEXT, "--group-column", "who"]
TABLE = ["table.csv", "--schema", "schema.yaml"]
MODEL = ["-o", "ward.model"]
POLICY = """\
version: 1
input: {path: in.jsonl, columns: [text], person: who}
recognizer: en
stages:
  - {verb: pseudonymize}
  - {verb: suppress, k: 5}
output: {path: folder}
"""
SCHEMA = """\
columns:
  id: {role: drop}
  town: {role: quasi}
  age: {role: quasi, kind: number}
  ill: {role: sensitive}
"""


def verify(name: str, *more: str) -> list[str]:
    """The command that judges the release of another."""
    paths = [f"{name}.jsonl", "--certificate", f"{name}.jsonl.certificate.json"]
    return ["verify", "in.jsonl", *paths, *more]


ALL = {
    **{name: [*COMMANDS[name][:-1], f"{name}.jsonl"] for name in ("recognize", "redact")},
    "generalize": [*COMMANDS["generalize"][:-1], "generalize.jsonl"],
    "pseudonymize": [*COMMANDS["pseudonymize"][:-1], "pseudonymize.jsonl"],
    "people": [*COMMANDS["people"][:-1], "people.jsonl"],
    "occurrences": COMMANDS["occurrences"],
    "anonymize": ["anonymize", *TABLE, "-k", "5", "-o", "anonymous.csv"],
    "sanitize": ["sanitize", "in.jsonl", *TEXT, "--patterns", "terms.txt", "-o", "sanitized.jsonl"],
    "verify redact": verify("redact", *TEXT, "--terms", "terms.txt"),
    "verify generalize": verify("generalize", *TEXT),
    "verify people": verify("people", *PEOPLE),
    "attack": ["attack", "in.jsonl", "people.jsonl", *PEOPLE],
    "evaluate": ["evaluate", "in.jsonl", "pseudonymize.jsonl", *TEXT],
    "report": ["report", "people.jsonl", "-o", "report.html"],
    "sweep": ["sweep", "in.jsonl", *PEOPLE, "--values", "2,5", "-o", "sweep.csv"],
    "risk": ["risk", *TABLE],
    "learn": [
        "learn",
        "recognize.jsonl",
        "--texts",
        "in.jsonl",
        *TEXT,
        "--base",
        "names-en",
        *MODEL,
    ],
    "run": ["run", "policy.yaml"],
}


def prepare(folder: Path, size: int) -> None:
    """The notes, a policy for them, and a table with a row for each thousand letters."""
    write_notes(folder, size)
    (folder / "policy.yaml").write_text(POLICY, "utf-8")
    (folder / "schema.yaml").write_text(SCHEMA, "utf-8")
    with (folder / "table.csv").open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "town", "age", "ill"])
        for i in range(size // 1000):
            row = [i, TOWNS[i * i % len(TOWNS)], i * 7919 % 83, ILLS[i // 3 % len(ILLS)]]
            rows.writerow(row)


def cpu(child: int) -> float:
    """CPU seconds of a process and of those of its children that have ended."""
    try:
        fields = Path(f"/proc/{child}/stat").read_text("ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def silence(folder: Path, command: list[str]) -> tuple[float, float, float, int]:
    """CPU seconds, the longest silence, when it began, and the exit code of a command."""
    child, terminal = pty.fork()
    if not child:
        os.chdir(folder)
        os.environ.update({"TERM": "xterm-256color", "COLUMNS": "100"})
        os.execv(sys.executable, [sys.executable, "-c", PROGRAM, *command])
    last = longest = since = 0.0
    while True:
        try:
            written = os.read(terminal, 1 << 16)
        except OSError:  # the other end was closed
            written = b""
        now = cpu(child)
        if now - last > longest:
            longest, since = now - last, last
        last = max(last, now)
        if not written:
            break
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _, status = os.waitpid(child, 0)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, longest, since, os.waitstatus_to_exitcode(status)


def main() -> None:
    """Prints one row for each command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=float, default=20)
    parser.add_argument("--commands", default=",".join(ALL))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        prepare(folder, round(given.megabytes * 1e6))
        for name in given.commands.split(","):
            used, longest, since, code = silence(folder, ALL[name])
            row = {
                "command": name,
                "CPU seconds": round(used, 1),
                "longest silence": round(longest, 1),
                "after": round(since, 1),
                "exit code": code,
            }
            print(row, flush=True)


if __name__ == "__main__":
    main()
