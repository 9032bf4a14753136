"""How often a sensitive column of Adult is inferred, of people in a release and not in it.

    python benchmarks/records_inference.py [DATA]

Six quasi-identifiers; k = 1 is the table as it is.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import polars as pl
from records_speed import QUASI
from tables import Row, record

import sfumato as sf

RUNS: tuple[dict[str, Any], ...] = ({"k": 1}, {"k": 5}, {"k": 20}, {"k": 5, "t": 0.2})


def main() -> None:
    given = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SFUMATO_DATA", "../shared/data")
    frame = pl.read_csv(Path(given) / "adult" / "adult.csv", separator=";", infer_schema=False)
    columns: dict[str, Any] = {name: {} for name in QUASI} | {"age": {"kind": "number"}}
    rows: list[Row] = []
    for secret in ("salary-class", "race"):
        schema = {"columns": {**columns, secret: {"role": "sensitive"}}}
        for options in RUNS:
            release = sf.anonymize(frame, schema, effort="quick", **options)
            (found,) = sf.attack(frame, release, ["inference"])
            rows.append(
                {
                    "sensitive": secret,
                    "k": options["k"],
                    "t": options.get("t", ""),
                    "of people in it": round(found.success, 3),
                    "in it, 95%": f"{found.low:.3f} to {found.high:.3f}",
                    "of others": round(found.control, 3),
                    "others, 95%": f"{found.control_low:.3f} to {found.control_high:.3f}",
                    "always the most frequent": round(found.baseline, 3),
                    "verdict": found.verdict,
                }
            )
            print(rows[-1], flush=True)
    record(
        "records_inference",
        rows,
        part="anonymize",
        title="Adult: a sensitive column inferred from the released ones, by k and t",
        note="A model learns from the release and predicts the column of people who are in it and "
        "of people who are not. k = 1 is the table as it is; classes by effort quick.",
    )


if __name__ == "__main__":
    main()
