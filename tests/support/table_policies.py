"""Policies of tables with texts, and the rows that they release."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path


def table_policy(place: Path, *stages: dict[str, object], **more: object) -> str:
    """Writes a policy of `people.csv` with its schema and its marked spans; its name."""
    given = {
        "version": 1,
        "publish": "all",
        "input": {"path": "people.csv", "columns": ["note"], "person": "id"},
        "schema": "schema.yaml",
        "spans": "spans.jsonl",
        "stages": list(stages),
        **more,
    }
    (place / "release.yaml").write_text(json.dumps(given))
    return "release.yaml"


def released_rows(place: Path, folder: str = "release") -> list[dict[str, str]]:
    """The rows of the table in a release folder."""
    return list(csv.DictReader(io.StringIO((place / folder / "data/people.csv").read_text())))
