import json
import sys
from pathlib import Path

from measured import covered, cpu

import sfumato as sf

notes = [json.loads(line) for line in (Path(sys.argv[1]) / "notes.jsonl").open(encoding="utf-8")]
texts = [note["text"] for note in notes]
gold = [(i, one["start"], one["end"]) for i, note in enumerate(notes) for one in note["spans"]]
size = sum(len(text.encode()) for text in texts) / 1e6
runs = []
for name in ("rules-en", "names-en", "en"):
    recognizer = sf.recognizer(name)
    recognizer(texts[:2])  # what is loaded once
    found, told = cpu(lambda recognizer=recognizer: recognizer(texts))
    share = covered(gold, [(one.document, one.start, one.stop) for one in found])
    told |= {"MB/s": round(size / told["seconds"], 2), "found": share}
    runs.append({"name": f"sfumato, {name}", **told})
print(json.dumps({"runs": runs}))
