"""What the whole command `sfumato suppress` takes, against index and count of the same texts.

    python benchmarks/suppress_command.py [--megabytes 36] [--option=--collapse ...]

Blog posts as JSONL by author, k = 5 people, counted in the original and in the release. CPU seconds
and peak memory of the command, which reads, suppresses against the reader, verifies and writes; CPU
seconds of the suffix array, PLCP and the count of people over the same symbols in the same run,
best of 3; and their ratio. Data from SFUMATO_DATA or ../shared/data.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import zstandard
from suppress_speed import best
from tables import DATA, Row, record

from sfumato.kernels.repeats import SuffixIndex
from sfumato.kernels.text import encode

COMMAND = "import sys; from sfumato.cli import main; sys.exit(main())"


def posts(file: Path, size: int) -> tuple[list[str], list[str]]:
    """Writes posts until the file has so many bytes."""
    csv.field_size_limit(1 << 30)
    texts, people = [], []
    source = zstandard.open(DATA / "blogs.csv.zst", "rt", encoding="utf-8", newline="")
    with source, open(file, "w", encoding="utf-8") as target:
        for row in csv.DictReader(source):
            line = {"author": row["id"], "text": row["text"]}
            size -= len(json.dumps(line, ensure_ascii=False).encode()) + 1
            target.write(json.dumps(line, ensure_ascii=False) + "\n")
            texts.append(row["text"])
            people.append(row["id"])
            if size <= 0:
                break
    return texts, people


def spent(command: list[str]) -> tuple[float, float]:
    """CPU seconds and peak bytes of a process."""
    process = subprocess.Popen(command)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"exit {os.waitstatus_to_exitcode(status)}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=float, default=36)
    parser.add_argument("--option", action="append", default=[], help="one more for the command")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        source = Path(place, "posts.jsonl")
        texts, people = posts(source, int(asked.megabytes * 1e6))
        command = [sys.executable, "-c", COMMAND, "suppress", str(source), "-k", "5",
                   "--text-column", "text", "--group-column", "author", "-q",
                   "-o", str(Path(place, "out.jsonl")), *asked.option]  # fmt: skip
        took = {
            name: spent([*command, option, "--overwrite"])
            for name, option in (("original", "--no-strict"), ("release", "--strict"))
        }
    labels = np.unique(people, return_inverse=True)[1].astype(np.int32)
    encoded = encode(texts, at_least=5, labels=labels)
    del texts
    index = SuffixIndex(encoded.codes)
    indexed = best(lambda: SuffixIndex(encoded.codes))
    occurrences = best(lambda: index.repeat_lengths(5))
    counted = best(lambda: index.repeat_lengths(5, labels=labels, ends=encoded.ends))
    symbols = len(encoded.codes)
    parts = {"index": indexed, "count of occurrences": occurrences, "count of people": counted}
    rows: list[Row] = [{"what": name, "CPU s": seconds} for name, seconds in parts.items()]
    for name, (whole, peak) in took.items():
        rows.append({
            "what": f"the command, counting in the {name}",
            "CPU s": whole,
            "times index and people": whole / (indexed + counted),
            "bytes a symbol": peak / symbols,
        })  # fmt: skip
    record(
        "suppress_command",
        rows,
        part="suppress",
        title="The whole command beside index and count of the same texts, k = 5 people",
        note=f"""{symbols:,} symbols of {labels.max() + 1:,} people, blog posts as JSONL. Counting
        people takes {counted / occurrences:.2f} times counting occurrences. The command reads,
        stars against the reader, verifies and writes.""",
    )


if __name__ == "__main__":
    main()
