"""Time and memory of whole commands against the size of their input, over three magnitudes.

    python benchmarks/scaling.py [--largest 10] [--only suppress ...] [--quick]

Every command reads, changes, verifies and writes as a user would have it do, in a process of its
own: CPU seconds of user and system, peak of resident memory. Texts are posts of the Blog Authorship
Corpus in random order, up to the size; `sanitize` has E. coli's genome, after it the genome
backwards and the complements of both, as far as the size goes. Sizes are MB: the largest, a tenth,
a hundredth and a thousandth of it. The exponent is the slope of log time over log size (least
squares) over all sizes, and between the two largest with what starting takes (the smallest input's
time) taken away: 1 is linear. With --only the other commands keep what was recorded.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import zstandard
from tables import DATA, RESULTS, Row, draw_panels, record, text_of

# The peak of a process's own memory: what wait4 tells counts the parent's at the fork, too.
START = """
import sys
from sfumato.cli import main
try:
    sys.exit(main())
finally:
    with open("/proc/self/status") as status, open("peak", "w") as peak:
        peak.write(next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""
LONGEST = 240  # CPU seconds: what would take longer, if it is linear, is not run
TEXTS = "--text-column text --group-column id"
COMMANDS = {
    "suppress": f"suppress posts.jsonl -k 5 {TEXTS} -o suppress.jsonl",
    "suppress, reach 2": f"suppress posts.jsonl -k 5 --reach 2 {TEXTS} -o reach.jsonl",
    "redact": "redact posts.jsonl --terms terms.txt -k 5 --mask ▒ --text-column text "
    "-o redact.jsonl",
    "generalize": "generalize posts.jsonl -t 32 --words friend,school,house,music,car,night,day "
    "--text-column text -o generalize.jsonl",
    "pseudonymize": f"pseudonymize posts.jsonl --key-file key --mapping mapping.json {TEXTS} "
    "-o pseudonymize.jsonl",
    "recognize": "recognize posts.jsonl --text-column text -o spans.jsonl",
    "anonymize, columns": "anonymize people.csv --schema people.yaml -k 5 "
    "--private-certificate private.json -o anonymize.csv",
    "sanitize": "sanitize dna.txt --patterns patterns.txt --length 11 -o sanitize.txt",
    "run (suppress)": "run release.yaml",
    "verify suppress": f"verify posts.jsonl suppress.jsonl {TEXTS}",
    "verify redact": "verify posts.jsonl redact.jsonl --terms terms.txt --text-column text",
    "verify generalize": "verify posts.jsonl generalize.jsonl --text-column text",
    "verify pseudonymize": "verify posts.jsonl pseudonymize.jsonl --key-file key "
    f"--mapping mapping.json {TEXTS}",
    "verify anonymize": "verify people.csv anonymize.csv --schema people.yaml "
    "--private-certificate private.json",
    "verify sanitize": "verify dna.txt sanitize.txt --patterns patterns.txt",
    "verify a folder": "verify release",
    "risk": "risk people.csv --schema people.yaml",
    "schema guess": "schema guess people.csv -o guessed.yaml",
    "new": "new people.csv --rest quasi --person id -k 5 --policy new.yaml",
    "attack": f"attack posts.jsonl suppress.jsonl {TEXTS}",
    "evaluate": "evaluate posts.jsonl suppress.jsonl --text-column text --gold spans.jsonl",
    "sweep, 2 values": f"sweep posts.jsonl {TEXTS} --values 2,5 --sample 200 -o sweep.csv",
    "report": "report suppress.jsonl -o report.html",
}
POLICY = {
    "version": 1,
    "input": {"path": "posts.jsonl", "columns": ["text"], "person": "id"},
    "stages": [{"verb": "suppress", "k": 5}],
    "key_file": "key",
    "output": {"path": "release"},
}
SCHEMA = """
person: id
columns:
  gender: {role: quasi, kind: category}
  age: {role: quasi, kind: number}
  topic: {role: quasi, kind: category}
  sign: {role: quasi, kind: category}
"""


def dna() -> str:
    """The genome, and three strings as long that have its statistics."""
    genome = text_of("dna.txt.zst").strip()
    other = genome.translate(str.maketrans("acgtACGT", "tgcaTGCA"))
    return genome + genome[::-1] + other + other[::-1]


def posts() -> list[dict[str, str]]:
    csv.field_size_limit(10**9)
    with zstandard.open(DATA / "blogs.csv.zst", "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    random.Random(0).shuffle(rows)  # so that small files have many people, too
    return rows


def fill(folder: Path, rows: list[dict[str, str]], size: int) -> None:
    """The inputs of all commands, of about `size` bytes each."""
    (folder / "terms.txt").write_text("\n".join(TERMS) + "\n", encoding="utf-8")
    (folder / "people.yaml").write_text(SCHEMA, encoding="utf-8")
    (folder / "release.yaml").write_text(json.dumps(POLICY), encoding="utf-8")
    (folder / "key").write_bytes(bytes(range(32)))
    (folder / "key").chmod(0o600)
    written = 0
    with (folder / "posts.jsonl").open("w", encoding="utf-8") as file:
        for row in rows:
            written += file.write(json.dumps({"id": row["id"], "text": row["text"]}) + "\n")
            if written >= size:
                break
    # One row a blogger; bloggers are repeated under new numbers when the corpus has no more.
    people = list({row["id"]: row for row in rows}.values())
    with (folder / "people.csv").open("w", encoding="utf-8", newline="") as file:
        columns = ["id", "gender", "age", "topic", "sign"]
        writer = csv.writer(file)
        writer.writerow(columns)
        number = 0
        while file.tell() < size:
            row = people[number % len(people)]
            writer.writerow([number, *(row[name] for name in columns[1:])])
            number += 1
    genome = dna()[:size]
    (folder / "dna.txt").write_text(genome, encoding="utf-8")
    (folder / "patterns.txt").write_text(f"{genome[:11]}\n{genome[1000:1011]}\n", encoding="utf-8")


TERMS = [
    *("london", "boston", "chicago", "dallas", "denver", "austin", "berlin", "dublin", "sydney"),
    *("monday", "friday", "sunday", "college", "church", "hospital", "airport", "library"),
]


class Point(NamedTuple):
    """One run: MB of input, CPU seconds, MB of resident memory at its peak."""

    size: float
    seconds: float
    memory: float


def measured(command: str, folder: Path) -> tuple[float, float]:
    """CPU seconds and the peak of resident memory in MB of one command."""
    run = [sys.executable, "-c", START, *command.split()]
    with (folder / "said.txt").open("w") as said:
        child = subprocess.Popen(run, cwd=folder, stdout=said, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(child.pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code:
        raise SystemExit(f"exit {code}: {command}\n{(folder / 'said.txt').read_text()}")
    return used.ru_utime + used.ru_stime, int((folder / "peak").read_text()) / 1000


def recorded() -> dict[str, list[Point]]:
    """What the last runs found, read from the two tables."""
    found: dict[str, list[Point]] = {}
    tables = [RESULTS / f"{name}.csv" for name in ("scaling", "scaling_memory")]
    if not all(path.exists() for path in tables):
        return found
    times, peaks = (
        csv.DictReader(line for line in path.open(encoding="utf-8") if not line.startswith("#"))
        for path in tables
    )
    for time, peak in zip(times, peaks, strict=True):
        sizes = [title.removeprefix("CPU s, ") for title in time if title.startswith("CPU s, ")]
        found[time["command"]] = [
            Point(
                float(size.split()[0]), float(time[f"CPU s, {size}"]), number(peak[f"MB, {size}"])
            )
            for size in sizes
            if time[f"CPU s, {size}"]
        ]
    return found


def number(cell: str) -> float:
    return float(cell.replace(",", ""))


def slope(points: list[tuple[float, float]]) -> float:
    """Of log y over log x, by least squares."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mean_x = math.fsum(x for x, _ in logs) / len(logs)
    mean_y = math.fsum(y for _, y in logs) / len(logs)
    across = math.fsum((x - mean_x) * (y - mean_y) for x, y in logs)
    return across / math.fsum((x - mean_x) ** 2 for x, _ in logs)


def table(found: dict[str, list[Point]]) -> list[Row]:
    """CPU seconds by size, and how they grow."""
    rows: list[Row] = []
    for name, points in found.items():
        times = [(one.size, one.seconds) for one in points]
        rows.append(
            {"command": name}
            | {f"CPU s, {size:g} MB": f"{seconds:.2f}" for size, seconds in times}
            | {"exponent, all sizes": f"{slope(times):.2f}"}
            | {"exponent, start left out": without_start(points)}
        )
    return rows


def without_start(points: list[Point]) -> str:
    """The exponent between the two largest sizes, without the time of the smallest.

    Empty where they take no half a second more than it: noise would be fitted.
    """
    start = points[0].seconds
    last = [(one.size, one.seconds - start) for one in points[-2:] if one.seconds - start > 0.5]
    return f"{slope(last):.2f}" if len(last) > 1 else ""


def memory_table(found: dict[str, list[Point]]) -> list[Row]:
    """Peaks by size, and bytes for every further byte of the input."""
    rows: list[Row] = []
    for name, points in found.items():
        before, last = points[-2:]
        rows.append(
            {"command": name}
            | {f"MB, {one.size:g} MB": round(one.memory) for one in points}
            | {"bytes a byte": f"{(last.memory - before.memory) / (last.size - before.size):.1f}"}
        )
    return rows


def pictures(found: dict[str, list[Point]]) -> None:
    """A small picture for every command, with the slope of what is linear and the exponent."""
    times, peaks = [], []
    for name, points in found.items():
        exponent = without_start(points)
        title = f"{name}: {exponent}" if exponent else name
        for one in points:
            linear = points[-1].seconds * one.size / points[-1].size
            taken = {"CPU s": one.seconds, "linear": max(linear, 0.1)}
            times.append({"command": title, "MB": one.size} | taken)
            peaks.append({"command": name, "MB": one.size, "peak MB": one.memory})
    draw_panels("scaling", times, "MB", "CPU s", "command", beside="linear")
    draw_panels("scaling_memory", peaks, "MB", "peak MB", "command")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=float, default=10, help="MB")
    parser.add_argument("--only", nargs="+", choices=list(COMMANDS), default=list(COMMANDS))
    parser.add_argument("--quick", action="store_true", help="0.02 and 0.2 MB alone")
    given = parser.parse_args()
    sizes = [given.largest / 1000, given.largest / 100, given.largest / 10, given.largest]
    sizes = [0.02, 0.2] if given.quick else sizes
    rows = posts()
    found: dict[str, list[Point]] = {name: [] for name in given.only}
    for size in sizes:
        with tempfile.TemporaryDirectory() as place:
            fill(Path(place), rows, int(size * 1e6))
            for name in given.only:
                if found[name] and found[name][-1].seconds * size / found[name][-1].size > LONGEST:
                    continue
                seconds, memory = measured(COMMANDS[name], Path(place))
                found[name].append(Point(size, seconds, memory))
                print(f"{name:22} {size:8.3f} MB {seconds:9.2f} s {memory:8.0f} MB", flush=True)
    if len(given.only) < len(COMMANDS):
        found = {name: one for name in COMMANDS if (one := (recorded() | found).get(name))}
    write(found)


def write(found: dict[str, list[Point]]) -> None:
    """Tables and pictures, with the commands as they stand above."""
    command = "python benchmarks/scaling.py"
    record(
        "scaling",
        table(found),
        command=command,
        part="Whole commands",
        title="CPU seconds of whole commands against the size of their input",
        note="""Every command reads, changes, verifies and writes in a process of its own. Posts of
        the Blog Authorship Corpus; one row a blogger for tables; DNA for sanitize. The exponent is
        the slope of log time over log size: 1 is linear, below 1 what starting takes still weighs.
        In the last column the time of the smallest input is taken away first, and the two largest
        sizes count alone; it is empty where they take no half a second more than the smallest.
        A size that would take more than four minutes is left out.
        A picture has this last exponent above it; its grey line is linear through the largest
        size.""",
    )
    record(
        "scaling_memory",
        memory_table(found),
        command=command,
        part="Whole commands",
        title="Most memory of whole commands against the size of their input",
        note="""MB of resident memory at its peak, of the same runs. The last column: bytes more for
        every byte more, between the two largest sizes.""",
    )
    pictures(found)


if __name__ == "__main__":
    main()
