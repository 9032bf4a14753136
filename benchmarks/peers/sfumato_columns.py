import json
import sys
from pathlib import Path

import polars as pl
from measured import QUASI, cpu

import sfumato as sf

folder = Path(sys.argv[1])
people = pl.read_csv(folder / "adult.csv", separator=";", infer_schema=False)
columns = {name: {"hierarchy": str(folder / f"adult_hierarchy_{name}.csv")} for name in QUASI}
columns["age"] = {"kind": "number"}
runs = []
for name, options in {"sfumato": {}, "sfumato (Mondrian)": {"partitioner": "mondrian"}}.items():
    release, told = cpu(
        lambda options=options: sf.anonymize(
            people, {"columns": columns}, k=5, relational_weight=1.0, **options
        )
    )
    of: list[int | None] = [None] * len(people)
    for row, one in zip(release.sides.rows, release.sides.classes, strict=True):
        of[int(row)] = int(one)
    runs.append({"name": name, **told, "class": of})
print(json.dumps({"runs": runs}))
