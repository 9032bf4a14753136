"""How long counting people takes, against counting occurrences of the same index.

    python benchmarks/suppress_people.py [--symbols 10000000]

CPU seconds, best of 3, of MEDLINE abstracts as characters, k = 5, each person three documents. And
what `suppress` against the reader spends: words and what can be guessed of them, index and count.
Data from SFUMATO_DATA or ../shared/data.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from suppress_speed import best
from tables import text_of

from sfumato.core.corpus import Corpus
from sfumato.kernels.repeats import SuffixIndex
from sfumato.kernels.text import encode
from sfumato.methods.substrings.reader_stars import words_of

PARAMETERS = {
    "mask": "★",
    "guess": 0.5,
    "collapse": False,
    "min_run": 1,
    "run_price": 0,
    "reach": None,
    "copies": "report",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--symbols", type=int, default=10_000_000)
    text = text_of("medline_en.txt.zst", parser.parse_args().symbols)
    texts = [text[i : i + 1500] for i in range(0, len(text), 1500)]
    labels = (np.arange(len(texts)) // 3).astype(np.int32)
    encoded = encode(texts, at_least=5, labels=labels)
    index = SuffixIndex(encoded.codes)
    occurrences = best(lambda: index.repeat_lengths(5))
    people = best(lambda: index.repeat_lengths(5, labels=labels, ends=encoded.ends))
    size, ratio = len(encoded.codes), people / occurrences
    print(f"{size:,} symbols: occurrences {occurrences:.2f} s, people {people:.2f} s, {ratio:.2f}")
    corpus = Corpus.of(texts)
    words, made = timed(
        lambda: words_of(corpus, labels, PARAMETERS, [], at_least=5, memory=None, progress=None)
    )
    lengths, counted = timed(lambda: words.counting()(5, True)[0])
    _, covered = timed(lambda: words.cover(lengths, words.breaks))
    print(f"{len(words.codes.codes):,} words: numbered and guessed {made:.2f} s, indexed and "
          f"counted {counted:.2f} s, covered {covered:.2f} s")  # fmt: skip


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    began = time.process_time()
    found = work()
    return found, time.process_time() - began


if __name__ == "__main__":
    main()
