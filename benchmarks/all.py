"""Runs every benchmark whose command stands in the documentation, and keeps what it prints.

    python benchmarks/all.py [--quick] [--budget MINUTES] [--only PART] [--to FOLDER]

Commands are those of the pages, so that every figure there can be made again. Shorter ones come
first, by how long they took the last time; what the budget does not reach is told. With --quick a
command may take a minute.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
COMMAND = re.compile(r"python (benchmarks/[\w/]+\.py(?: [^`#)\n]*)?)")


def commands() -> list[str]:
    """The commands of all pages, each once."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    found = [one.strip() for page in pages for one in COMMAND.findall(page.read_text("utf-8"))]
    whole = [one for one in dict.fromkeys(found) if "..." not in one]
    return [one for one in whole if not one.startswith("benchmarks/all.py")]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--budget", type=float, default=180, help="minutes in all")
    parser.add_argument("--only", default="", help="commands with this in them")
    parser.add_argument("--to", type=Path, default=ROOT / "build" / "bench")
    given = parser.parse_args()
    given.to.mkdir(parents=True, exist_ok=True)
    took_file = given.to / "seconds.json"
    took = json.loads(took_file.read_text()) if took_file.exists() else {}
    end, failed = time.monotonic() + 60 * given.budget, 0
    chosen = [one for one in commands() if given.only in one]
    for one in sorted(chosen, key=lambda one: took.get(one, 0)):
        left = min(end - time.monotonic(), 60 if given.quick else float("inf"))
        if left <= 0:
            print(f"not run (budget): {one}")
            continue
        begun = time.monotonic()
        target = given.to / (re.sub(r"\W+", "-", one.removeprefix("benchmarks/")) + ".txt")
        with target.open("w", encoding="utf-8") as output:
            try:
                done = subprocess.run(
                    [sys.executable, *shlex.split(one)],
                    cwd=ROOT,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    timeout=left,
                    check=False,
                )
                told = "ok" if done.returncode == 0 else f"failed ({done.returncode})"
                failed += done.returncode != 0
            except subprocess.TimeoutExpired:
                told = "stopped (time)"
        took[one] = time.monotonic() - begun
        print(f"{told}: {one} ({took[one]:.0f} s)", flush=True)
        took_file.write_text(json.dumps(took, indent=1))
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
