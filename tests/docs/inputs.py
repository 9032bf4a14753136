"""The files that the documentation's commands read, made of the invented clinic of the package."""

from __future__ import annotations

import csv
import io
import json
import random
from importlib.resources import files
from pathlib import Path
from typing import Any

from docs.blocks import ROOT, blocks

EXAMPLES = files("sfumato.examples")
DIRECT = {"PERSON", "MRN", "PHONE", "ADDRESS", "EMAIL", "URL"}


def write_inputs(folder: Path) -> None:
    """Texts, tables, lists and sequences under the names that the pages use."""
    rows = list(csv.DictReader(io.StringIO(_example("clinic.csv"))))
    contents = {
        "notes.jsonl": _lines(
            json.dumps({"patient_id": row["patient_id"], "text": row["note"]}, ensure_ascii=False)
            for row in rows
        ),
        "gold.jsonl": _notes(rows),
        "reviewed.jsonl": "".join(_notes(rows).splitlines(keepends=True)[:40]),
        "notes.csv": _table([{"patient_id": r["patient_id"], "text": r["note"]} for r in rows]),
        "note.txt": "Marijuana against phantom limb pain and liver cancer in Sacramento.\n",
        "titles.txt": _lines({row[name] for row in rows for name in ("town", "occupation")}),
        "words.txt": _lines({"brew", "chew", "clew", "crew", "crow", "draw", "grew", "view"}),
        "key": "a key for these examples alone\n",
        **_people(rows),
        **_sequences(random.Random(0)),
    }
    for name, content in contents.items():
        (folder / name).write_text(content, encoding="utf-8")
    (folder / "export.csv").write_bytes(_export(rows))


def _example(name: str) -> str:
    return (EXAMPLES / name).read_text(encoding="utf-8")


def _notes(rows: list[dict[str, str]]) -> str:
    """One record a line with its gold spans, as `evaluate --gold` reads them."""
    spans: dict[int, list[dict[str, Any]]] = {}
    for one in map(json.loads, _example("clinic_gold.jsonl").splitlines()):
        role = "DIRECT" if one["label"] in DIRECT else "QUASI"
        found = {"start": one["start"], "end": one["stop"], "label": one["label"], "id_type": role}
        spans.setdefault(one["document"], []).append(found)
    records = [
        {"patient_id": row["patient_id"], "text": row["note"], "spans": spans.get(number, [])}
        for number, row in enumerate(rows)
    ]
    return _lines([json.dumps(record, ensure_ascii=False) for record in records])


def _people(rows: list[dict[str, str]]) -> dict[str, str]:
    """A table with a column of every kind, its texts apart, and terms of the texts."""
    rng = random.Random(0)
    people: dict[str, dict[str, str]] = {}
    for row in rows:
        year, month, day = row["birth_date"].split("-")
        people[row["patient_id"]] = {
            "id": row["patient_id"],
            "name": row["name"],
            "age": str(2024 - int(year)),
            "zip": row["postcode"],
            "born": f"{day}.{month}.{year}",
            "grade": rng.choice(["low", "middle", "high"]),
            "codes": "|".join(sorted(rng.sample(["A1", "B2", "C3", "D4"], 2))),
            "disease": row["diagnosis"],
        }
    posts = [{"id": row["patient_id"], "note": row["note"]} for row in rows]
    terms = [{"id": r["patient_id"], "entity_type": "GPE", "term": r["town"]} for r in rows]
    return {
        "people.csv": _table([{**people[post["id"]], "note": post["note"]} for post in posts]),
        "registry.csv": _table(list(people.values())),
        "posts.csv": _table(posts),
        "terms.csv": _table(terms),
        "people.yaml": _shown_schema(),
    }


def _export(rows: list[dict[str, str]]) -> bytes:
    """The clinic as a spreadsheet saves it: semicolons, Latin-1, 31.12.1980, 12,50, empty cells."""
    rng = random.Random(0)
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=";", lineterminator="\r\n")
    writer.writerow(["Patient", "Name", "Born", "Town", "Admitted", "Costs", "Remarks"])
    for number, row in enumerate(rows):
        born, admitted = (
            ".".join(reversed(row[name].split("-"))) for name in ("birth_date", "admission")
        )
        costs = "" if number % 9 == 0 else f"{rng.randint(200, 9000)},50"
        town = "" if number % 11 == 0 else row["town"].replace("o", "ö")
        remarks = "" if number % 7 == 0 else row["note"]
        writer.writerow([row["patient_id"], row["name"], born, town, admitted, costs, remarks])
    return stream.getvalue().encode("latin-1")


def _shown_schema() -> str:
    """The schema of this table, as docs/schema.md shows it."""
    page = ROOT / "docs" / "schema.md"
    return next(one.content for one in blocks(page) if one.words == "yaml people.yaml")


def _sequences(rng: random.Random) -> dict[str, str]:
    """Sequences of letters, of tokens, of events and of bases, with patterns to hide in each."""
    trace = "".join(rng.choices("abcdef", k=4000))
    genome = "".join(rng.choices("ACGT", k=3000))
    visits = [rng.choices(["home", "search", "clinic", "pay", "help"], k=12) for _ in range(200)]
    clicks = [
        {"visitor": str(number), "page": page, "time": str(hour)}
        for number, visit in enumerate(visits)
        for hour, page in enumerate(visit)
    ]
    return {
        "trace.txt": trace,
        "genome.fa": f">invented\n{genome}\n",
        "visits.txt": _lines([" ".join(visit) for visit in visits]),
        "clicks.csv": _table(clicks),
        "secret.txt": _lines([trace[100:104], trace[700:704]]),
        "secret-bases.txt": _lines([genome[100:106], genome[700:706]]),
        "secret-pages.txt": _lines(["search clinic pay", "clinic help help"]),
    }


def _lines(lines: Any) -> str:
    return "".join(f"{line}\n" for line in (sorted(lines) if isinstance(lines, set) else lines))


def _table(rows: list[dict[str, str]]) -> str:
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()
