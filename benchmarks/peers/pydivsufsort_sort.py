import json
import sys
from pathlib import Path

import numpy as np
import pydivsufsort
from measured import cpu

codes = np.frombuffer((Path(sys.argv[1]) / "text.txt").read_bytes(), np.uint8).copy()
_, told = cpu(lambda: pydivsufsort.kasai(codes, pydivsufsort.divsufsort(codes)))
print(json.dumps(told))
