"""What is kept when an attacker knows m terms of a person, beside one who knows all of them.

    python benchmarks/records_knows.py [people|blogs] [DATA]

k = 5. Terms kept are distinct (person, term) that stay as they are; "or more general" counts those
that an ontology's word stands for, too. Linkage: the attacker knows all columns and m terms (3
where the release is against somebody who knows all), expected share of people found.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import Any

import polars as pl
from records_speed import blogs, people

import sfumato as sf
from sfumato.attacks.known_terms import linkage_terms

ALL = (
    ("mondrian, lambda 0.5", {"partitioner": "mondrian"}),
    ("gdf", {"partitioner": "gdf"}),
    ("clusters", {"effort": "quick"}),
)
SOME = tuple(
    (f"knows {m}, lambda {weight}{', ' * bool(fate)}{fate}", {"knows": m, "effort": "quick"} | more)
    for m in (1, 2, 3)
    for weight in (0.0, 0.35, 0.5)
    for fate, more in (
        ("", {"relational_weight": weight}),
        ("generalised", {"relational_weight": weight, "terms": "generalize"}),
    )
)


def run(name: str, frame: pl.DataFrame, schema: Any, terms: pl.DataFrame, options: Any) -> None:
    start = time.process_time()
    release = sf.anonymize(frame, schema, k=5, recognizer=terms, **options)
    seconds = time.process_time() - start
    owners = frame.select("id").with_row_index("row").cast({"row": pl.Int64})
    own = release.sides.terms.filter(pl.col("role") == "quasi").cast({"row": pl.Int64})
    pairs = own.join(owners, on="row").group_by("id", "label", "term").agg(pl.col("loss").max())
    kept, general = (pairs["loss"] == 0).mean(), (pairs["loss"] < 1).mean()
    found = [linkage_terms(frame, release, m, 300).detail["expected"] for m in (1, 2, 3, 1000)]
    loss = release.loss
    print(
        f"{name:32} {seconds:6.1f} CPU s {loss['classes']:6,.0f} classes  NCP_A {loss['NCP_A']:.3f}"
        f"  NCP_X {loss['NCP_X']:.3f}  kept {kept:.3f}  or more general {general:.3f}"
        f"  linked by 1, 2, 3, all: {', '.join(f'{one:.3f}' for one in found)}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("people", "blogs"), nargs="?", default="people")
    default = os.environ.get("SFUMATO_DATA", "../shared/data")
    parser.add_argument("data", nargs="?", default=default, type=Path)
    given = parser.parse_args()
    frame, schema, terms = (people if given.what == "people" else blogs)(given.data)
    for name, options in (*ALL, *SOME):
        run(name, frame, schema, terms, options)


if __name__ == "__main__":
    main()
