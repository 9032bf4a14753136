"""Notes of a few people, some of them missing, with what verbs need beside them."""

from __future__ import annotations

import json
from pathlib import Path

NAMES = ["Ann Ho", "Bo Lee", "Cy Diaz"]


def write_notes(folder: Path) -> None:
    """`notes.jsonl` with 40 records, a list of terms and a key."""
    records = []
    for i in range(40):
        text = f"Seen by Dr. {NAMES[i % 3]} on 0{1 + i % 9}/17/2021, the crew drew {i}."
        records.append({"p": f"p{i % 7}", "t": None if i % 11 == 5 else text})
    (folder / "notes.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    (folder / "terms.txt").write_text("crew\ncraw\ndraw\ndrew\n")
    (folder / "key").write_text("0123456789abcdef0123456789abcdef")
