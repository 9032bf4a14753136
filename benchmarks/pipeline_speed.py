"""What each verb takes as a stage of a policy: CPU seconds a megabyte and memory a byte.

    python benchmarks/pipeline_speed.py [--megabytes 1 3] [--verbs suppress]

Everything a stage brings along is counted: reading, the verb, keeping its result, reading it back,
judging its claims, writing the release. Two sizes give the slope, so that starting costs drop out.
The notes of SFUMATO_DATA (default ../shared/data) are repeated with new patients. The figures of
`sfumato run --plan` (pipeline/plan.py) come from here.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from pipeline_stream import RUN, fill
from tables import Row, record

STAGES = {
    "suppress": {"verb": "suppress", "k": 5},
    "redact": {"verb": "redact", "terms": "terms.txt", "k": 3},
    "generalize": {"verb": "generalize", "t": 32, "words": ["pain", "fever", "cough", "asthma"]},
    "sanitize": {"verb": "sanitize", "patterns": "patterns.txt", "length": 4},
    "pseudonymize": {"verb": "pseudonymize"},
    "anonymize": {"verb": "anonymize", "k": 5},
}


def measured(stage: dict[str, object]) -> tuple[float, int]:
    policy = {
        "version": 1,
        "input": {"path": "notes.jsonl", "columns": ["text"], "person": "who"},
        "stages": [stage],
    }
    if stage["verb"] == "anonymize":
        policy["schema"] = "schema.yaml"
    Path("release.yaml").write_text(json.dumps(policy))
    command = [sys.executable, "-c", RUN, "run", "release.yaml", "--whole", "--overwrite", "-q"]
    _, status, used = os.wait4(subprocess.Popen(command).pid, 0)
    if status:
        raise SystemExit(f"exit {os.waitstatus_to_exitcode(status)}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verbs", nargs="+", choices=list(STAGES), default=list(STAGES))
    parser.add_argument("--megabytes", type=int, nargs=2, default=[1, 3])
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        words = ["hypertension", "asthma", "diabetes", "migraine", "pneumonia", "anemia", "statin"]
        Path("terms.txt").write_text("\n".join(words) + "\n")
        schema = {"person": "who", "columns": {"text": {"kind": "text"}}}
        Path("schema.yaml").write_text(json.dumps(schema))
        Path("patterns.txt").write_text("pain\nfeve\n")
        rows: list[Row] = []
        for name in asked.verbs:
            stage = STAGES[name]
            found = []
            for size in asked.megabytes:
                got = fill(Path("notes.jsonl"), size * 10**6)
                found.append((got, *measured(stage)))
            (small, first, low), (large, second, high) = found
            seconds = (second - first) / (large - small) * 1e6
            memory = (high - low) / (large - small)
            rows.append({"stage": name, "CPU s a MB": seconds, "bytes of memory a byte": memory})
        os.chdir("/")
    if asked.verbs == list(STAGES):
        record(
            "pipeline_speed",
            rows,
            part="Large files",
            title="What each verb takes as a stage of a policy",
            note="The slope between two sizes of the notes; anonymize withdraws words.",
        )
    else:
        for row in rows:
            print(row)


if __name__ == "__main__":
    main()
