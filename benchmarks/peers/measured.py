"""What every program here measures: CPU seconds of a piece of work and the process's peak."""

from __future__ import annotations

import json
import resource
import time

QUASI = ["age", "education", "marital-status", "occupation", "sex", "native-country"]


def cpu(work):
    """What the work gives, with its CPU seconds and the peak of resident memory in MB."""
    begun = time.process_time()
    result = work()
    seconds = time.process_time() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    return result, {"seconds": round(seconds, 3), "peak": round(peak)}


def notes_in(folder):
    """The texts of the notes, their gold spans (document, start, stop), and their size in MB."""
    with (folder / "notes.jsonl").open(encoding="utf-8") as file:
        notes = [json.loads(line) for line in file]
    texts = [note["text"] for note in notes]
    gold = [(i, one["start"], one["end"]) for i, note in enumerate(notes) for one in note["spans"]]
    return texts, gold, sum(len(text.encode()) for text in texts) / 1e6


def covered(gold, found):
    """The share of gold spans, (document, start, stop), all of whose symbols were found."""
    marked = {}
    for document, start, stop in found:
        marked.setdefault(document, set()).update(range(start, stop))
    hits = [set(range(start, stop)) <= marked.get(d, set()) for d, start, stop in gold]
    return round(sum(hits) / len(hits), 4)
