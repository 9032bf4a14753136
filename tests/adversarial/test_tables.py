"""A secret in every role of a table: `anonymize` and policies with it hide what they must."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass

import pytest

from adversarial.known import case
from adversarial.place import ESCAPED, fields, lines
from adversarial.search import SECRET, holds, leaks
from support.commands import outcome

NOTE = "Seen for asthma and chest pain."
SCHEMA = {
    "person": "who",
    "others": "drop",
    "columns": {
        "name": {"role": "drop"},
        "age": {"kind": "number"},
        "town": {"kind": "category", "hierarchy": {"prefixes": [1]}},
        "codes": {"kind": "set", "separator": "|"},
        "ward": {"role": "insensitive"},
        "disease": {"role": "sensitive"},
        "note": {"kind": "text"},
    },
}
PEOPLE = [
    {
        "who": f"p{i}",
        "name": f"Ann{i}",
        "age": str(30 + i),
        "town": "Ulm",
        "codes": "A1|B2",
        "ward": "west",
        "disease": "cough",
        "note": NOTE,
        "more": "none",
    }
    for i in range(6)
]


def third(**more):
    return [{**row, **more} if i == 2 else row for i, row in enumerate(PEOPLE)]


def renamed(old):
    return [{(SECRET if name == old else name): row[name] for name in row} for row in PEOPLE]


@dataclass(frozen=True)
class Role:
    """The rows with the secret in one of the roles, and whether it may stay in the data."""

    rows: list[dict[str, str]]
    stays: bool = False


ROLES = {
    "person": Role(third(who=SECRET)),
    "dropped column": Role(third(name=SECRET)),
    "name of a column that is left out": Role(renamed("more")),
    "column that is left out": Role(third(more=SECRET)),
    "quasi-identifier": Role(third(town=SECRET)),
    "item of a set": Role(third(codes=f"A1|{SECRET}")),
    "term of a text": Role(third(note=f"Seen for asthma with {SECRET}.")),
    "own value in a text": Role(third(name=SECRET, note=f"Seen for asthma: {SECRET}.")),
    "own name in a text": Role(third(who=SECRET, note=f"Seen for asthma: {SECRET}.")),
    "own town in a text": Role(third(town=SECRET, note=f"Seen for asthma in {SECRET}.")),
    "insensitive column": Role(third(ward=SECRET), stays=True),
    "sensitive column": Role(third(disease=SECRET), stays=True),
}


def parquet(rows):
    import io

    import polars as pl

    out = io.BytesIO()
    pl.DataFrame(rows).write_parquet(out)
    return out.getvalue()


WRITTEN = {
    "csv": ("csv", lambda rows: fields(rows).encode()),
    "quoted csv": ("csv", lambda rows: fields(rows, csv.QUOTE_ALL).encode()),
    "tsv": ("tsv", lambda rows: fields(rows, separator="\t").encode()),
    "jsonl": ("jsonl", lambda rows: lines(rows).encode()),
    "escaped jsonl": ("jsonl", lambda rows: lines(rows).replace(SECRET, ESCAPED).encode()),
    "parquet": ("parquet", parquet),
}
TABLES = {
    f"table {written}: {role}": (*WRITTEN[written], ROLES[role])
    for written in WRITTEN
    for role in ROLES
}
PARTITIONERS = ("mondrian", "clusters")
RUN = "anonymized-suppressed"
CASES = [case(TABLES[name], name, action) for name in TABLES for action in (*PARTITIONERS, RUN)]


@pytest.mark.parametrize(("table", "action"), CASES)
def test_a_table_hides_the_secret(table, action, folder):
    ending, write, role = table
    (folder / f"in.{ending}").write_bytes(write(role.rows))
    (folder / "schema.yaml").write_text(json.dumps(SCHEMA))
    (folder / "release.yaml").write_text(
        json.dumps(
            {
                "version": 1,
                "input": {"path": f"in.{ending}", "columns": ["note"], "person": "who"},
                "schema": "schema.yaml",
                "recognizer": "secret.yaml",
                "stages": [{"verb": "anonymize", "k": 3}, {"verb": "suppress", "k": 3}],
                "key_file": "key",
            }
        )
    )
    given = [*(path.name for path in folder.iterdir()), "out.private"]
    if action in PARTITIONERS:
        done = outcome(
            f"anonymize in.{ending} --schema schema.yaml -k 3 --partitioner {action} "
            f"--recognizer secret.yaml --key-file key -o out.{ending}"
        )
        data, judged = f"out.{ending}", f"verify in.{ending} out.{ending} --schema schema.yaml"
    else:
        done = outcome("run release.yaml -o out")
        data, judged = "out/data", f"verify in.{ending} out"
    assert done.code == 0, done.told
    assert not holds((done.told + outcome(judged).told).encode())
    assert leaks(folder, (*given, *([data] if role.stays else []))) == []
    assert not list((folder.parent / "temporary").iterdir())
