"""CPU seconds of TPM, BA and ETFS on uniformly random strings (Figures 6c and 6d of the paper).

    python benchmarks/patterns_speed.py [--largest 20000000]

Seconds, and the ratio to one million symbols within the same run.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from patterns_common import chart, random_string
from tables import record

import sfumato as sf


def seconds(text: str, patterns: list[str], method: str, repeat: int = 3) -> tuple[float, Any]:
    """The least CPU time of some runs."""
    best, release = float("inf"), None
    for _ in range(repeat):
        started = time.process_time()
        release = sf.sanitize(text, patterns, method)
        best = min(best, time.process_time() - started)
    return best, release


def drawn(text: str, k: int, count: int) -> list[str]:
    """Patterns among those that occur twice or more."""
    release = sf.sanitize(text[:1_000_000], draw=count, length=k, tau=2, method="tfs")
    return list(release.sides.patterns)


def by_length(largest: int) -> list[dict[str, Any]]:
    whole = random_string(largest, 10)
    rows = []
    for k in (8, 4):
        patterns = drawn(whole, k, 100)
        first: dict[str, float] = {}
        for n in (1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000):
            if n > largest:
                break
            for method in ("tpm", "ba"):
                taken, release = seconds(whole[:n], patterns, method)
                rows.append(
                    {
                        "data": f"SYN, k={k}",
                        "n": n,
                        "method": method,
                        "separators": release.counts["separators"] + release.counts["replaced"],
                        "CPU s": taken,
                        "times 1M": taken / first.setdefault(method, taken),
                    }
                )
    return rows


def by_k_and_patterns(n: int) -> list[dict[str, Any]]:
    text = random_string(n, 10)
    rows = []
    for k, count in ((4, 100), (5, 100), (6, 100), (7, 100), (8, 100), (6, 10), (6, 1000)):
        for method in ("tpm", "ba"):
            taken, release = seconds(text, drawn(text, k, count), method)
            rows.append(
                {
                    "k": k,
                    "patterns": count,
                    "method": method,
                    "separators": release.counts["separators"] + release.counts["replaced"],
                    "CPU s": taken,
                }
            )
    return rows


def edit_distance() -> list[dict[str, Any]]:
    rows = []
    for n, letters, k, count in (
        (1000, 2, 4, 4),
        (1000, 2, 8, 20),
        (1000, 10, 3, 20),
        (20_000, 10, 4, 20),
    ):
        text = random_string(n, letters)
        patterns = list(sf.sanitize(text, draw=count, length=k, method="tfs").sides.patterns)
        taken, release = seconds(text, patterns, "etfs")
        rows.append(
            {
                "n": n,
                "letters": letters,
                "k": k,
                "patterns": count,
                "edit distance": int(release.loss["edit_distance"]),
                "CPU s": taken,
            }
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--largest", type=int, default=20_000_000)
    chosen = parser.parse_args()
    rows = by_length(chosen.largest)
    record(
        "patterns_speed",
        rows,
        part="sanitize",
        title="CPU seconds against the length of a random string (the paper's Figure 6c)",
        note="Uniformly random over ten letters, 100 patterns; the least of three runs.",
    )
    chart("patterns_speed_by_length", rows, "n", "CPU s")
    record(
        "patterns_parameters",
        by_k_and_patterns(1_000_000),
        part="sanitize",
        title="CPU seconds against k and the number of patterns (the paper's Figure 6d)",
        note="A million random symbols over ten letters.",
    )
    record(
        "patterns_etfs",
        edit_distance(),
        part="sanitize",
        title="The string nearest by edit distance, `etfs`: CPU seconds",
        note="""Random strings of n symbols: the least number of insertions, deletions and
        replacements that hides all patterns and keeps the order of the others, and the time to
        find it.""",
    )


if __name__ == "__main__":
    main()
