"""How many short notes a minute `generalize` makes on one core, and how fast WordNet loads.

    python benchmarks/meanings_notes.py [--notes 100000]

Notes are random sentences of 8 to 16 words with 2 to 4 marked words out of 2,000; CPU seconds.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
import warnings

from tables import record

import sfumato as sf
from sfumato.ontologies import wordnet

FILLERS = """
the patient reports that she was seen today with and after taking for about since a mild history of
denies any recent follows up in clinic next week lives near works as
"""
LOAD = """
import numpy, time, resource
before = resource.getrusage(resource.RUSAGE_SELF)
from sfumato.ontologies import wordnet
wordnet()
after = resource.getrusage(resource.RUSAGE_SELF)
print(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
"""


def random_notes(count: int, seed: int = 0) -> tuple[list[str], list[str]]:
    """Notes, and the words marked in them."""
    draw = random.Random(seed)
    table = wordnet()
    inner = [n for n in range(len(table)) if len(table.path(n)) > 4]
    words = sorted({table.words(n)[0] for n in draw.sample(inner, 2000)})
    notes = []
    for _ in range(count):
        note = draw.choices(FILLERS.split(), k=draw.randint(6, 12))
        for word in draw.sample(words, draw.randint(2, 4)):
            note.insert(draw.randrange(len(note) + 1), word)
        notes.append(" ".join(note).capitalize() + ".")
    return notes, words


def main() -> None:
    """Measures and records."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--notes", type=int, default=100_000)
    count = parser.parse_args().notes
    loads = [float(subprocess.check_output([sys.executable, "-c", LOAD])) for _ in range(5)]
    rows = [{"what": "WordNet's table loads, numpy imported before", "CPU s": sorted(loads)[2]}]
    warnings.simplefilter("ignore")
    notes, words = random_notes(count)
    for sense in ("first", "context"):
        start = time.process_time()
        release = sf.generalize(notes, t=32, words=words, sense=sense)
        spent = time.process_time() - start
        start = time.process_time()
        holds = sf.verify(notes, release)[0].holds
        check = time.process_time() - start
        rows.append(
            {
                "what": f"listed words, sense={sense!r}",
                "notes": count,
                "CPU s": spent,
                "notes a minute": count / spent * 60,
                "verification, CPU s": check,
                "holds": holds,
            }
        )
    start = time.process_time()
    release = sf.generalize(notes[: count // 10], t=32)
    spent = time.process_time() - start
    rows.append(
        {
            "what": f"every noun, {len(release.changes):,} changes",
            "notes": count // 10,
            "CPU s": spent,
            "notes a minute": count / 10 / spent * 60,
        }
    )
    record(
        "meanings_notes",
        rows,
        part="generalize",
        title="Short notes a minute on one core",
        note="Random sentences of 8 to 16 words, 2 to 4 marked words out of 2,000, t = 32.",
    )


if __name__ == "__main__":
    main()
