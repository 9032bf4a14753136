import json
import sys
from pathlib import Path

import polars as pl
from measured import QUASI, cpu

import sfumato as sf

folder = Path(sys.argv[1])
people = pl.read_csv(folder / "adult.csv", separator=";", infer_schema=False)
columns = {name: {"hierarchy": str(folder / f"adult_hierarchy_{name}.csv")} for name in QUASI}
columns["salary-class"] = {"role": "sensitive"}
columns["age"] = {"kind": "number"}
release = sf.anonymize(people, {"columns": columns}, k=5, l=2, t=0.3, relational_weight=1.0)
release.data.write_csv(folder / "release.csv")
verdicts, told = cpu(lambda: sf.verify(people, release))
figures = {one.claim.name: one.measured for one in verdicts}
print(
    json.dumps(
        {
            **told,
            "k": figures["k-anonymity"]["smallest"],
            "l": figures["l-diversity"]["l"],
            "t": figures["t-closeness"]["t"],
        }
    )
)
