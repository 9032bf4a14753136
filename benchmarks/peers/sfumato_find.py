import json
import sys
from pathlib import Path

from measured import covered, cpu, notes_in

import sfumato as sf

texts, gold, size = notes_in(Path(sys.argv[1]))
runs = []
for name in ("rules-en", "names-en", "en"):
    recognizer = sf.recognizer(name)
    recognizer(texts[:2])  # what is loaded once
    found, told = cpu(lambda recognizer=recognizer: recognizer(texts))
    share = covered(gold, [(one.document, one.start, one.stop) for one in found])
    told |= {"MB/s": round(size / told["seconds"], 2), "found": share}
    runs.append({"name": f"sfumato, {name}", **told})
print(json.dumps({"runs": runs}))
