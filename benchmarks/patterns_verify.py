"""Time and memory of `verify` beside `sanitize`: `python benchmarks/patterns_verify.py`.

Each row runs in a process of its own: 5 million random symbols, DNA and MSN (SFUMATO_DATA).
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time

from patterns_common import SEPARATOR, load, random_string
from tables import record

import sfumato as sf

# data, method, k, patterns, tau
CASES = (
    ("SYN", "tpm", 8, 100, 1),
    ("SYN", "tpm", 4, 100, 20),
    ("SYN", "tm", 4, 100, 20),
    ("SYN", "tfs", 4, 100, 20),
    ("DNA", "tpm", 11, 50, 20),
    ("MSN", "tpm", 4, 60, 200),
)


def peak() -> float:
    """The most memory so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measured(number: int) -> None:
    """Prints one row, its cells between tabs."""
    name, method, k, patterns, tau = CASES[number]
    text = random_string(5_000_000, 10) if name == "SYN" else load(name)
    started = time.process_time()
    drawn = {"draw": patterns, "length": k, "tau": tau, "separator": SEPARATOR}
    release = sf.sanitize(text, method=method, **drawn)
    made, most = time.process_time() - started, peak()
    started = time.process_time()
    holds = all(verdict.holds for verdict in sf.verify(text, release))
    judged = time.process_time() - started
    cells = (
        *(name, method, k, len(text), made, judged, judged / made),
        *(most, peak(), peak() / most, holds),
    )
    print("\t".join(f"{one:.2f}" if isinstance(one, float) else str(one) for one in cells))


def main() -> None:
    """Every case in a process of its own."""
    if len(sys.argv) > 1:
        measured(int(sys.argv[1]))
        return
    names = (
        "data",
        "method",
        "k",
        "n",
        "sanitize, s",
        "verify, s",
        "ratio",
        "MB after sanitize",
        "MB after verify",
        "ratio of memory",
        "holds",
    )
    rows = []
    for number in range(len(CASES)):
        command = [sys.executable, __file__, str(number)]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        rows.append(dict(zip(names, told.strip().split("\t"), strict=True)))
    record(
        "patterns_verify",
        rows,
        part="sanitize",
        title="`verify` beside `sanitize`: CPU seconds and the most memory of the process",
        command="python benchmarks/patterns_verify.py",
    )


if __name__ == "__main__":
    main()
