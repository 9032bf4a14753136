"""Runs every benchmark whose command stands in the documentation, and keeps what it prints.

    python benchmarks/all.py [--quick] [--budget MINUTES] [--each SECONDS] [--only PART] [--to DIR]

Commands are those of the pages, so that every figure there can be made again. Shorter ones come
first, by how long they took the last time. With --quick inputs are small where a benchmark has such
a setting (QUICK), every command may take a minute (more on a machine that is busy with other work),
and tables go to DIR/results: docs/results keeps what was measured at full size. A list of what went
well, failed, was stopped by time, misses something that is not installed or was not run ends it
(DIR/summary.txt); exit 1 if one failed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
COMMAND = re.compile(r"python (benchmarks/[\w/]+\.py(?: [^`#]*)?)")
# Commands with a small size of their own: the beginning of the command, what to run instead.
QUICK = {
    "benchmarks/composed.py": "{} --documents 60",
    "benchmarks/external_speed.py": "benchmarks/external_speed.py",
    "benchmarks/hostile.py": "benchmarks/hostile.py --letters 500",
    "benchmarks/judging.py attacks blogs": "{} --people 100",
    "benchmarks/judging.py downstream": "benchmarks/judging.py downstream --people 100",
    "benchmarks/judging_stars.py": "{} --people 60",
    "benchmarks/load.py": "benchmarks/load.py --megabytes 1 --commands recognize,redact",
    "benchmarks/load_studio.py": "benchmarks/load_studio.py --requests 60",
    "benchmarks/meanings_baselines.py": "benchmarks/meanings_baselines.py --draws 1",
    "benchmarks/meanings_experiments.py": "{} --draws 1 --limit 0.1",
    "benchmarks/meanings_guarantees.py": "benchmarks/meanings_guarantees.py --words 20 -t 32",
    "benchmarks/meanings_inversion.py": "benchmarks/meanings_inversion.py --t 2",
    "benchmarks/meanings_notes.py": "benchmarks/meanings_notes.py --notes 300",
    "benchmarks/patterns_attack.py": "benchmarks/patterns_attack.py TRU",
    "benchmarks/patterns_edit_distance.py": "benchmarks/patterns_edit_distance.py --strings 3",
    "benchmarks/patterns_implausible.py": "benchmarks/patterns_implausible.py TRU --runs 1",
    "benchmarks/patterns_mcsr.py": "benchmarks/patterns_mcsr.py TRU",
    "benchmarks/patterns_speed.py": "benchmarks/patterns_speed.py --largest 1000000",
    "benchmarks/patterns_utility.py": "benchmarks/patterns_utility.py TRU --runs 1",
    "benchmarks/pipeline_speed.py": "benchmarks/pipeline_speed.py --megabytes 1 2",
    "benchmarks/pipeline_stream.py": "benchmarks/pipeline_stream.py --sizes 1 2",
    "benchmarks/records_knows.py blogs": "benchmarks/records_knows.py people --knows 1",
    "benchmarks/records_loss.py": "benchmarks/records_loss.py --quick",
    "benchmarks/records_speed.py": "benchmarks/records_speed.py --tables --rows 100000",
    "benchmarks/scaling.py": "benchmarks/scaling.py --quick",
    "benchmarks/spark.py --here": "{} --sizes 1",
    "benchmarks/spark.py": "benchmarks/spark.py --sizes 1",
    "benchmarks/streaming.py": "benchmarks/streaming.py 1MB 2MB",
    "benchmarks/suppress_command.py": "benchmarks/suppress_command.py --megabytes 2",
    "benchmarks/suppress_known.py": "{} --people 60",
    "benchmarks/suppress_lengths.py": "{} --people 60",
    "benchmarks/suppress_libsais.py": "{} --symbols 1000000",
    "benchmarks/suppress_paper.py": "benchmarks/suppress_paper.py --quick",
    "benchmarks/suppress_speed.py": "benchmarks/suppress_speed.py --quick",
    "benchmarks/terms_baselines.py": "benchmarks/terms_baselines.py --terms 100000 --sample 3",
    "benchmarks/verify_shares.py": "benchmarks/verify_shares.py --people 20",
    "benchmarks/verify_speed.py": "benchmarks/verify_speed.py --symbols 1000000",
}
ABSENT = 5  # the exit code of what needs something that is not installed


class Done(NamedTuple):
    """How one command ended: `ok`, `failed`, `stopped`, `absent` or `not run`."""

    command: str
    how: str
    seconds: float = 0.0
    said: str = ""


def commands() -> list[str]:
    """The commands of all pages, each once."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    found = [one for page in pages for one in commands_of(page.read_text("utf-8"))]
    whole = [one for one in dict.fromkeys(found) if "..." not in one]
    return [one for one in whole if not one.startswith("benchmarks/all.py")]


def commands_of(text: str) -> list[str]:
    """Those between backticks, where lines may be broken, and those that are lines of a block."""
    said: list[str] = []
    for i, part in enumerate(text.split("```")):
        said += part.splitlines() if i % 2 else re.findall(r"`([^`]+)`", part)
    found = (COMMAND.search(" ".join(one.split())) for one in said)
    return [one[1].strip() for one in found if one]


def quick(command: str) -> str:
    """The same at a small size, if there is one."""
    for begins, small in QUICK.items():
        if command.startswith(begins):
            return small.format(command)
    return command


def run(command: str, seconds: float | None, to: Path, results: Path | None) -> Done:
    """Runs one command; what it prints goes to a file."""
    target = to / (re.sub(r"\W+", "-", command.removeprefix("benchmarks/")).strip("-") + ".txt")
    environment = os.environ | ({"SFUMATO_RESULTS": str(results)} if results else {})
    begun = time.monotonic()
    with target.open("w", encoding="utf-8") as output:
        child = subprocess.Popen(
            [sys.executable, *shlex.split(command)],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # so that what it started ends with it
        )
        try:
            code: int | None = child.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, 15)
            child.wait()
            code = None
    lines = target.read_text("utf-8", errors="replace").strip().splitlines()
    how = {0: "ok", ABSENT: "absent", None: "stopped"}.get(code, "failed")
    said = "" if how == "ok" else (lines or [""])[-1][:120]
    return Done(command, how, time.monotonic() - begun, said)


def summary(done: list[Done]) -> str:
    """A line for each command, those to look at first, and how many of each."""
    order = ["failed", "absent", "stopped", "not run", "ok"]
    lines = [
        f"{one.how:8} {one.seconds:7.0f} s  {one.command}" + (f"  ({one.said})" if one.said else "")
        for one in sorted(done, key=lambda one: (order.index(one.how), one.command))
    ]
    counted = Counter(one.how for one in done)
    told = ", ".join(f"{counted[how]} {how}" for how in reversed(order) if counted[how])
    return "\n".join([*lines, told, ""])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--budget", type=float, default=180, help="minutes in all")
    parser.add_argument("--each", type=float, help="seconds for a command (--quick: 60)")
    parser.add_argument("--only", default="", help="commands with this in them")
    parser.add_argument("--to", type=Path, default=ROOT / "build" / "bench")
    given = parser.parse_args()
    given.to.mkdir(parents=True, exist_ok=True)
    took_file = given.to / "seconds.json"
    took = json.loads(took_file.read_text()) if took_file.exists() else {}
    end, each = time.monotonic() + 60 * given.budget, given.each or (60 if given.quick else 1e9)
    chosen = [one for one in commands() if given.only in one]
    if given.quick:
        chosen = list(dict.fromkeys(map(quick, chosen)))
    done: list[Done] = []
    for one in sorted(chosen, key=lambda one: took.get(one, 0)):
        busy = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
        left = min(end - time.monotonic(), each * busy)
        if left <= 0:
            done.append(Done(one, "not run", said="budget"))
            continue
        done.append(run(one, left, given.to, given.to / "results" if given.quick else None))
        took[one] = done[-1].seconds
        print(f"{done[-1].how}: {one} ({took[one]:.0f} s)", flush=True)
        took_file.write_text(json.dumps(took, indent=1))
    told = summary(done)
    (given.to / "summary.txt").write_text(told, encoding="utf-8")
    print("\n" + told)
    return int(any(one.how == "failed" for one in done))


if __name__ == "__main__":
    sys.exit(main())
