import json
import sys
from pathlib import Path

from measured import cpu

from sfumato.kernels.repeats import SuffixIndex
from sfumato.kernels.text import encode

codes = encode([(Path(sys.argv[1]) / "text.txt").read_text("utf-8")]).codes
_, told = cpu(lambda: SuffixIndex(codes))
print(json.dumps(told))
