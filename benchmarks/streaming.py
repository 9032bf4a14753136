"""Peak memory of `recognise -> pseudonymize -> redact` on JSON lines of any size.

    python benchmarks/streaming.py 200MB 2GB [--folder /tmp/streaming]

The notes of the data folder are repeated with other names of patients until the size is reached;
each command runs as its own process, whose CPU seconds and peak resident memory are read when it
ends. All files are deleted afterwards. With SFUMATO_DATA unset, ../shared/data is used.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import zstandard
from tables import DATA, Row, record

from sfumato.core.options import check_memory

SFUMATO = [Path(sys.executable).with_name("sfumato")]


def notes() -> list[dict]:
    raw = zstandard.ZstdDecompressor().stream_reader((DATA / "notes.jsonl.zst").open("rb")).read()
    return [json.loads(line) for line in raw.splitlines()]


def generate(path: Path, size: int) -> None:
    """Notes again and again, the patients of each round with numbers of their own."""
    records, round_, written = notes(), 0, 0
    with path.open("w", encoding="utf-8") as out:
        while written < size:
            for one in records:
                record = {
                    "doc_id": f"{round_}-{one['doc_id']}",
                    "patient_id": f"{round_ % 50}-{one['patient_id']}",
                    "text": one["text"],
                }
                written += out.write(json.dumps(record) + "\n")
            round_ += 1


def terms(path: Path) -> None:
    listed = {
        span["text"] for one in notes() for span in one["spans"] if span["id_type"] == "QUASI"
    }
    kept = sorted(term for term in listed if "\n" not in term and "*" not in term)
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")


def measured(name: str, *arguments: str | Path) -> Row:
    process = subprocess.Popen([*SFUMATO, name, *map(str, arguments), "--quiet"])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(process.returncode)
    seconds = usage.ru_utime + usage.ru_stime
    return {"command": name, "CPU s": seconds, "peak MB": usage.ru_maxrss / 1024}


def run(folder: Path, size: int) -> list[Row]:
    original, text = folder / "notes.jsonl", ("--text-column", "text")
    generate(original, size)
    megabytes = original.stat().st_size / 1e6
    terms(folder / "terms.txt")
    (folder / "key").write_bytes(os.urandom(32).hex().encode())
    key = "--key-file", folder / "key"
    spans, second, third = (folder / f"{name}.jsonl" for name in ("spans", "pseudonyms", "release"))
    found = [measured("recognize", original, *text, "-o", spans)]
    group = "--group-column", "patient_id"
    found.append(
        measured("pseudonymize", original, *text, *group, "--spans", spans, *key, "-o", second)
    )
    spans.unlink()
    original.unlink()
    listed = "--terms", folder / "terms.txt", "-k", "2"
    found.append(measured("redact", second, *text, *listed, *key, "-o", third))
    return [{"MB of JSON lines": megabytes, **one} for one in found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", default=["200MB", "2GB"])
    parser.add_argument("--folder", type=Path, default=Path("/tmp/streaming"))
    given = parser.parse_args()
    rows: list[Row] = []
    for size in given.sizes:
        given.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=given.folder) as place:  # a killed run leaves its own
            rows += run(Path(place), check_memory(size) or 0)
    record(
        "streaming",
        rows,
        part="Large files",
        title="Files that go through in parts",
        note="The notes again and again; each command is a process of its own.",
        command=f"python benchmarks/streaming.py {' '.join(given.sizes)}",
    )


if __name__ == "__main__":
    main()
