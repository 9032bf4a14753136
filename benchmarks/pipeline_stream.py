"""recognise -> pseudonymize -> redact by a policy, on JSONL of several sizes: memory stays flat.

    python benchmarks/pipeline_stream.py [--sizes 50 200 2000] [--folder /tmp/stream]

Sizes in MB. The notes of SFUMATO_DATA (default ../shared/data) are repeated with new patients until
the size is reached; every policy runs in a process of its own, verified part by part. Prints CPU
seconds and the peak of resident memory.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from gold import unpacked
from tables import Row, record

RUN = "import sys; from sfumato.cli import main; sys.argv = ['sfumato', *sys.argv[1:]]; main()"


def fill(path: Path, size: int) -> int:
    """Writes notes until the file has so many bytes."""
    notes = [json.loads(line) for line in unpacked("notes.jsonl.zst").splitlines()]
    written, turn = 0, 0
    with path.open("w", encoding="utf-8") as out:
        while written < size:
            for note in notes:
                row = {"who": f"{note['patient_id']}-{turn}", "text": note["text"]}
                written += out.write(json.dumps(row) + "\n")
                if written >= size:
                    break
            turn += 1
    return written


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[50, 200, 2000])
    parser.add_argument("--folder", type=Path, default=Path("/tmp/stream"))
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    os.chdir(asked.folder)
    Path("key").write_text("a key of more than sixteen bytes\n")
    words = ["hypertension", "asthma", "diabetes", "migraine", "pneumonia", "anemia", "insomnia"]
    words += ["metformin", "lisinopril", "ibuprofen", "aspirin", "warfarin", "insulin", "statin"]
    Path("terms.txt").write_text("\n".join(words) + "\n")
    policy = {
        "version": 1,
        "input": {"path": "notes.jsonl", "columns": ["text"], "person": "who"},
        "recognizer": "rules-en",
        "key_file": "key",
        "stages": [
            {"verb": "pseudonymize"},
            {"verb": "redact", "terms": "terms.txt", "k": 3, "fold_case": True},
        ],
    }
    Path("release.yaml").write_text(json.dumps(policy))
    rows: list[Row] = []
    for size in asked.sizes:
        got = fill(Path("notes.jsonl"), size * 10**6)
        command = [
            sys.executable,
            "-c",
            RUN,
            "run",
            "release.yaml",
            "--stream",
            "--overwrite",
            "-q",
        ]
        process = subprocess.Popen(command)
        _, status, used = os.wait4(process.pid, 0)
        seconds = used.ru_utime + used.ru_stime
        if status:
            raise SystemExit(f"exit {os.waitstatus_to_exitcode(status)}")
        rows.append(
            {
                "input": f"{got / 1e6:,.0f} MB",
                "CPU s": f"{seconds:,.0f}",
                "MB a CPU second": got / 1e6 / seconds,
                "peak memory": f"{used.ru_maxrss / 1e3:,.0f} MB",
            }
        )
        print(rows[-1], flush=True)
    record(
        "pipeline_stream",
        rows,
        part="Large files",
        title="A policy that runs in parts: recognise, pseudonymize, redact",
        note="Repeated notes with new patients; every part is verified.",
    )


if __name__ == "__main__":
    main()
