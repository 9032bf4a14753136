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

import numpy as np
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
    print(f"{len(corpus.texts):,} documents, {symbols:,} symbols, k = {K}")
    documents = np.arange(len(corpus.texts), dtype=np.int32)
    for what, labels in (("occurrences", None), ("documents", documents)):
        free, seconds, most = measured(lambda labels=labels: stars(corpus, labels, None))
        print(f"{what:12} in memory {seconds:23.1f} s  1.00 x {most / 1e6:8.1f} MB")
        for share in (5, 20):
            allowed = symbols // share
            bound, longer, most = measured(
                lambda labels=labels, allowed=allowed: stars(corpus, labels, allowed)
            )
            same = "same" if np.array_equal(free.stars, bound.stars) else "OTHER"
            print(
                f"{what:12} allowed {allowed / 1e6:8.1f} MB {longer:13.1f} s "
                f"{longer / seconds:5.2f} x {most / 1e6:8.1f} MB  "
                f"{same} stars, {bound.capped} capped"
            )
            del bound


if __name__ == "__main__":
    main()
