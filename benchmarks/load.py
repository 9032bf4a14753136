"""Large inputs through whole commands: `python benchmarks/load.py --megabytes 5000` (make load).

Clinical sentences of invented people as JSONL, through `recognize`, `redact` and `generalize`, each
in a process of its own: seconds, the most memory, megabytes released, exit code. Memory must not
grow with the input. Needs twice the size on disk, in a temporary folder that is removed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path

WORDS = ("asthma", "cough", "influenza", "fever", "patient", "saw", "Ann", "Ho", "in", "Ulm", "on")
PROGRAM = "from sfumato.cli import main; main()"
COMMANDS = {
    "recognize": ["recognize", "in.jsonl", "--text-column", "text", "-o", "spans.jsonl"],
    "redact": ["redact", "in.jsonl", "--text-column", "text", "--terms", "terms.txt", "-k", "2"],
    "generalize": ["generalize", "in.jsonl", "--text-column", "text", "-t", "2"],
}


def written(folder: Path, megabytes: int) -> None:
    """The input, and a list of terms."""
    chance = random.Random(0)
    with (folder / "in.jsonl").open("w", encoding="utf-8") as out:
        while out.tell() < megabytes * 1_000_000:
            text = " ".join(chance.choices(WORDS, k=400))
            out.write(json.dumps({"text": text}) + "\n")
    (folder / "terms.txt").write_text("asthma\ncough\ninfluenza\nfever\n", "utf-8")


def measured(folder: Path, name: str) -> dict[str, object]:
    """Runs one command."""
    command = [sys.executable, "-c", PROGRAM, *COMMANDS[name], "-q"]
    out = "spans.jsonl" if name == "recognize" else f"{name}.jsonl"
    command += [] if name == "recognize" else ["-o", out]
    begun = time.monotonic()
    child = os.fork()
    if not child:
        os.chdir(folder)
        os.execv(command[0], command)
    _, status, used = os.wait4(child, 0)
    path = folder / out
    row = {
        "command": name,
        "seconds": round(time.monotonic() - begun, 1),
        "CPU seconds": round(used.ru_utime + used.ru_stime, 1),
        "most memory, MB": used.ru_maxrss // 1024,
        "written, MB": round(path.stat().st_size / 1e6, 1) if path.exists() else 0,
        "exit code": os.waitstatus_to_exitcode(status),
    }
    path.unlink(missing_ok=True)
    return row


def main() -> None:
    """Prints one row for each command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=5000)
    parser.add_argument("--commands", default=",".join(COMMANDS))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        written(folder, given.megabytes)
        for name in given.commands.split(","):
            print(measured(folder, name), flush=True)


if __name__ == "__main__":
    main()
