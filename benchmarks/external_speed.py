"""What counting by buckets on disk costs beside counting in memory, in the same run.

    python benchmarks/external_speed.py [collection.txt.zst]

For occurrences and for documents (k = 5), and for allowances of a fifth and a twentieth of a byte
for each symbol: CPU seconds, how often as many as in memory, and the anonymous memory taken at most
(Linux) beside the allowance. Everything from strings to stars is measured: codes, words, repeat
lengths, cover. Without a collection the text is made up.
"""

from __future__ import annotations

import ctypes
import gc
import re
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from tables import Row, record
from text_speed import collection, made_up

from sfumato.core.corpus import Corpus
from sfumato.methods.substrings.legible import Rules, StarredCodes, stars_for
from sfumato.methods.substrings.sequence import sequence_of

K = 5


def stars(corpus: Corpus, labels: np.ndarray | None, memory: int | None) -> StarredCodes:
    codes = sequence_of(
        corpus,
        "character",
        align="word",
        keep="",
        mask="★",
        at_least=K,
        labels=labels,
        spill=memory is not None,
    )
    return next(stars_for(codes, [K], labels, Rules(), strict=False, memory=memory))


def anonymous() -> int:
    """Bytes of this process that no file stands behind."""
    with open("/proc/self/status") as status:
        return int(re.search(r"RssAnon:\s+(\d+) kB", status.read())[1]) * 1024


def measured(run: Callable[[], StarredCodes]) -> tuple[StarredCodes, float, int]:
    """The result, its CPU seconds and the most anonymous memory it took."""
    gc.collect()
    if sys.platform != "linux":
        start = time.process_time()
        return run(), time.process_time() - start, 0
    ctypes.CDLL(None).malloc_trim(0)  # what was freed before must not hide what is taken
    stop, before, most = threading.Event(), anonymous(), [0]

    def watch() -> None:
        while not stop.wait(0.01):
            most[0] = max(most[0], anonymous())

    thread = threading.Thread(target=watch)
    thread.start()
    start = time.process_time()
    result = run()
    seconds = time.process_time() - start
    stop.set()
    thread.join()
    return result, seconds, most[0] - before


def main() -> None:
    corpus = Corpus.of(collection(sys.argv[1]) if sys.argv[1:] else made_up())
    symbols = sum(map(len, corpus.texts)) + len(corpus.texts)
    documents = np.arange(len(corpus.texts), dtype=np.int32)
    rows: list[Row] = []
    for what, labels in (("occurrences", None), ("documents", documents)):
        free, seconds, most = measured(lambda labels=labels: stars(corpus, labels, None))
        rows.append({
            "counted": what,
            "allowance": "none",
            "CPU s": seconds,
            "ratio": 1.0,
            "anonymous MB": most / 1e6,
            "stars": "",
            "capped": "",
        })  # fmt: skip
        for share in (5, 20):
            allowed = symbols // share
            bound, longer, most = measured(
                lambda labels=labels, allowed=allowed: stars(corpus, labels, allowed)
            )
            rows.append({
                "counted": what,
                "allowance": f"{allowed / 1e6:.1f} MB",
                "CPU s": longer,
                "ratio": longer / seconds,
                "anonymous MB": most / 1e6,
                "stars": "same" if np.array_equal(free.stars, bound.stars) else "OTHER",
                "capped": bound.capped,
            })  # fmt: skip
            del bound
    record(
        "external_speed",
        rows,
        part="suppress",
        title="Counting by buckets on disk beside counting in memory",
        note=f"""{len(corpus.texts):,} documents, {symbols:,} symbols, k = {K}, everything from
        strings to stars, and the anonymous memory taken at most.""",
        command=" ".join(
            ["python benchmarks/external_speed.py", *(Path(one).name for one in sys.argv[1:])]
        ),
    )


if __name__ == "__main__":
    main()
