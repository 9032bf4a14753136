"""What is kept when an attacker knows m terms of a person, beside one who knows all of them.

    python benchmarks/records_knows.py [people|blogs] [--knows 1 2 3 all] [DATA]

k = 5. Terms kept are distinct (person, term) that stay as they are; "or more general" counts those
that an ontology's word stands for, too. Linkage: the attacker knows all columns and 1, 2, 3 or all
terms of 300 people, expected share of people found.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import Any

import polars as pl
from records_speed import blogs, people
from tables import Row, record

import sfumato as sf
from sfumato.attacks.known_terms import linkage_terms

RUNS: dict[str, list[tuple[str, float, str, dict[str, Any]]]] = {
    "all": [
        ("Mondrian", 0.5, "suppressed", {"partitioner": "mondrian"}),
        ("GDF", 0.5, "suppressed", {"partitioner": "gdf"}),
        ("clusters", 0.5, "suppressed", {"effort": "quick"}),
    ]
}
for known in (1, 2, 3):
    RUNS[str(known)] = [
        (
            "clusters",
            weight,
            f"{fate}ed" if fate.endswith("s") else f"{fate}d",
            {"knows": known, "effort": "quick", "relational_weight": weight, "terms": fate},
        )
        for weight in (0.0, 0.35, 0.5)
        for fate in ("suppress", "generalize")
    ]


def run(
    frame: pl.DataFrame, schema: Any, terms: pl.DataFrame, given: tuple[str, float, str, Any]
) -> Row:
    partitioner, weight, fate, options = given
    start = time.process_time()
    release = sf.anonymize(frame, schema, k=5, recognizer=terms, **options)
    seconds = time.process_time() - start
    owners = frame.select("id").with_row_index("row").cast({"row": pl.Int64})
    own = release.sides.terms.filter(pl.col("role") == "quasi").cast({"row": pl.Int64})
    pairs = own.join(owners, on="row").group_by("id", "label", "term").agg(pl.col("loss").max())
    loss = release.loss
    row: Row = {
        "partitioner": partitioner,
        "lambda": weight,
        "terms": fate,
        "classes": int(loss["classes"]),
        "NCP_A": loss["NCP_A"],
        "NCP_X": loss["NCP_X"],
        "kept": (pairs["loss"] == 0).mean(),
        "or more general": (pairs["loss"] < 1).mean(),
    }
    for m, name in ((1, "1"), (2, "2"), (3, "3"), (1000, "all")):
        found = linkage_terms(frame, release, m, 300).detail["expected"]
        row[f"found by {name}"] = round(float(found), 3)
    row["CPU s"] = round(seconds, 1)
    print(row, flush=True)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("people", "blogs"), nargs="?", default="people")
    default = os.environ.get("SFUMATO_DATA", "../shared/data")
    parser.add_argument("data", nargs="?", default=default, type=Path)
    parser.add_argument("--knows", nargs="+", choices=tuple(RUNS), default=list(RUNS))
    given = parser.parse_args()
    frame, schema, terms = (people if given.what == "people" else blogs)(given.data)
    for known in given.knows:
        rows = [run(frame, schema, terms, one) for one in RUNS[known]]
        whose = "4,000 synthetic people" if given.what == "people" else "19,320 bloggers"
        record(
            f"records_knows_{given.what}_{known}",
            rows,
            part="anonymize",
            title=f"{whose}, k = 5: an attacker who knows {known} of a person's terms",
            note="Shares of the terms that are kept, or kept or made more general; the share of 300"
            " people whom somebody finds who knows all columns and so many of their terms.",
            command=f"python benchmarks/records_knows.py {given.what} --knows {known}",
        )


if __name__ == "__main__":
    main()
