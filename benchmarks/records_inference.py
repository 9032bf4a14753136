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

import sfumato as sf

RUNS: tuple[dict[str, Any], ...] = ({"k": 1}, {"k": 5}, {"k": 20}, {"k": 5, "t": 0.2})


def main() -> None:
    given = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SFUMATO_DATA", "../shared/data")
    frame = pl.read_csv(Path(given) / "adult" / "adult.csv", separator=";", infer_schema=False)
    columns: dict[str, Any] = {name: {} for name in QUASI} | {"age": {"kind": "number"}}
    for secret in ("salary-class", "race"):
        schema = {"columns": {**columns, secret: {"role": "sensitive"}}}
        for options in RUNS:
            release = sf.anonymize(frame, schema, effort="quick", **options)
            (found,) = sf.attack(frame, release, ["inference"])
            print(
                f"{secret:14} {options!s:22} inside {found.success:.3f} [{found.low:.3f}, "
                f"{found.high:.3f}]  outside {found.control:.3f} [{found.control_low:.3f}, "
                f"{found.control_high:.3f}]  majority {found.baseline:.3f}  {found.verdict}",
                flush=True,
            )


if __name__ == "__main__":
    main()
