"""How many people of Adult are alone on six columns, estimated from samples of it.

python benchmarks/records_risk.py [DATA]
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import polars as pl
from records_speed import QUASI

import sfumato as sf


def main() -> None:
    given = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SFUMATO_DATA", "../shared/data")
    frame = pl.read_csv(Path(given) / "adult" / "adult.csv", separator=";", infer_schema=False)
    columns: dict[str, Any] = {name: {} for name in QUASI} | {"age": {"kind": "number"}}
    print(f"{frame.height:,} people, {sf.risk(frame, {'columns': columns}).unique:,} alone")
    for share in (0.05, 0.1, 0.2, 0.5):
        sample = frame.sample(fraction=share, seed=1)
        found = sf.risk(sample, {"columns": columns}, population_size=frame.height)
        print(
            f"{share:.0%}: {found.unique:,} alone in it, estimated {found.population_uniques:,.0f}"
        )


if __name__ == "__main__":
    main()
