import json
import sys
from pathlib import Path

import pandas as pd
from measured import QUASI, cpu
from pycanon import anonymity

released = pd.read_csv(Path(sys.argv[1]) / "release.csv", dtype=str)
(k, diversity, t), told = cpu(
    lambda: (
        anonymity.k_anonymity(released, QUASI),
        anonymity.l_diversity(released, QUASI, ["salary-class"]),
        anonymity.t_closeness(released, QUASI, ["salary-class"]),
    )
)
print(json.dumps({**told, "k": int(k), "l": int(diversity), "t": float(t)}))
