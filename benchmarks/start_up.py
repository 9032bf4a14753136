"""What starting costs: CPU seconds of whole commands on inputs that take no time.

    python benchmarks/start_up.py

Ten short notes (for `anonymize` twenty rows), each command in a process of its own, the best of
three, with compiled bytecode.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tables import record

PROGRAM = "from sfumato.cli import main; main()"
TEXTS = "in.jsonl --text-column text -q --overwrite -o"
COMMANDS = {
    "--help": "--help",
    "redact, 20 terms": f"redact {TEXTS} redact.jsonl --terms terms.txt -k 2",
    "suppress": f"suppress {TEXTS} suppress.jsonl -k 2",
    "generalize": f"generalize {TEXTS} generalize.jsonl -t 2",
    "pseudonymize": f"pseudonymize {TEXTS} pseudonymize.jsonl --key-file key",
    "anonymize": "anonymize in.csv --schema schema.yaml -k 5 -q --overwrite -o anonymize.csv",
    "recognize": f"recognize {TEXTS} recognize.jsonl",
}


def fill(folder: Path) -> None:
    """The inputs of all commands."""
    notes = [f'{{"text": "Ann came on {day} May with a cough."}}\n' for day in range(1, 11)]
    (folder / "in.jsonl").write_text("".join(notes), encoding="utf-8")
    terms = [f"{first}{last}" for first in "bcdfg" for last in ("ough", "old", "ay", "art")]
    (folder / "terms.txt").write_text("\n".join(terms) + "\n", encoding="utf-8")
    rows = [f"{20 + number},{'mf'[number % 2]}\n" for number in range(20)]
    (folder / "in.csv").write_text("age,sex\n" + "".join(rows), encoding="utf-8")
    schema = "columns:\n  age: {kind: number}\n  sex: {kind: category}\n"
    (folder / "schema.yaml").write_text(schema, encoding="utf-8")
    (folder / "key").write_text("a key of more than sixteen bytes\n", encoding="utf-8")
    (folder / "key").chmod(0o600)


def seconds(command: str, folder: Path) -> float:
    """The least CPU seconds of three runs."""
    found = []
    for _ in range(3):
        child = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *command.split()],
            cwd=folder,
            stdout=subprocess.DEVNULL,
        )
        _, status, used = os.wait4(child.pid, 0)
        if os.waitstatus_to_exitcode(status):
            raise SystemExit(f"this command failed: {command}")
        found.append(used.ru_utime + used.ru_stime)
    return min(found)


def main() -> None:
    """Runs every command, and records the table."""
    rows = []
    with tempfile.TemporaryDirectory() as made:
        fill(Path(made))
        for name, command in COMMANDS.items():
            rows.append({"command": name, "CPU s": seconds(command, Path(made))})
            print(rows[-1], flush=True)
    record(
        "start_up",
        rows,
        part="Whole commands",
        title="What starting costs: CPU seconds of whole commands on ten short notes",
        note="""For `anonymize` twenty rows of CSV. The best of three, with compiled bytecode;
        reading, verification and writing included.""",
    )


if __name__ == "__main__":
    main()
