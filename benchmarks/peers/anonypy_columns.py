import json
import sys
from pathlib import Path

import pandas as pd
from anonypy import mondrian
from measured import QUASI, cpu

people = pd.read_csv(Path(sys.argv[1]) / "adult.csv", sep=";")
for name in QUASI[1:]:
    people[name] = people[name].astype("category")
partitions, told = cpu(lambda: mondrian.Mondrian(people, QUASI).partition(5))
of = [None] * len(people)
for number, members in enumerate(partitions):
    for person in members:
        of[person] = number
print(json.dumps({"runs": [{"name": "anonypy (Mondrian)", **told, "class": of}]}))
