"""How many people of Adult are alone on six columns, estimated from samples of it.

python benchmarks/records_risk.py
"""

from __future__ import annotations

from typing import Any

import polars as pl
from records_speed import QUASI
from tables import DATA, Row, record

import sfumato as sf


def main() -> None:
    frame = pl.read_csv(DATA / "adult" / "adult.csv", separator=";", infer_schema=False)
    columns: dict[str, Any] = {name: {} for name in QUASI} | {"age": {"kind": "number"}}
    alone = sf.risk(frame, {"columns": columns}).unique
    rows: list[Row] = []
    for share in (0.05, 0.1, 0.2, 0.5):
        sample = frame.sample(fraction=share, seed=1)
        found = sf.risk(sample, {"columns": columns}, population_size=frame.height)
        rows.append(
            {
                "sample": f"{share:.0%}",
                "alone in the sample": f"{found.unique:,}",
                "alone in the population, estimated": f"{found.population_uniques:,.0f}",
                "alone in the population": f"{alone:,}",
            }
        )
    record(
        "records_risk",
        rows,
        part="anonymize",
        title=f"People alone on six columns of Adult ({frame.height:,} people), from samples",
        note="""Somebody is alone when nobody else has the same six values. `risk` sees a sample and
        estimates how many of all people are alone; the last column counts them.""",
    )


if __name__ == "__main__":
    main()
