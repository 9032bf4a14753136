"""How long verification takes, against sorting the suffixes of the same text in the same run.

    python benchmarks/verify_speed.py [name ...] [--symbols 50000000] [-k 5]

Prints CPU seconds of comparing (and of aligning, had runs of stars been collapsed), of counting,
of divsufsort with Kasai's LCP (the package pydivsufsort), the ratio of comparing and counting to
sorting, and the memory of counting in bytes per symbol. Releases come from those arrays: keep from
left to right as far as the text occurs k times, then one star.
"""

from __future__ import annotations

import argparse
import ctypes
import itertools
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pydivsufsort
import zstandard
from tables import DATA, Row, record

from sfumato.kernels import checks

MASK = "★"


class Case(NamedTuple):
    texts: list[str]
    releases: list[str]
    sorting: float  # CPU seconds of suffix sorting, or nan


def collection(name: str, symbols: int) -> list[str]:
    with zstandard.open(DATA / name, "rt", encoding="utf-8") as file:
        texts = re.split(r"<<<DOC [^>]*>>>\n", file.read())[1:]
    totals = itertools.accumulate(map(len, texts))
    return [text for text, total in zip(texts, totals, strict=True) if total <= symbols]


def suppressed(texts: list[str], k: int) -> Case:
    """The release with the fewest stars, by a suffix array."""
    points = np.frombuffer(("\0".join(texts) + "\0").encode("utf-32-le"), dtype=np.uint32)
    symbols, codes, counts = np.unique(points, return_inverse=True, return_counts=True)
    often = (counts >= k) & (symbols > 0)
    codes = np.where(often, np.cumsum(often), 0)[codes]  # 0: ends every repeat
    codes = codes.astype(np.uint8 if codes.max() < 256 else np.uint16)
    began = time.process_time()
    order = pydivsufsort.divsufsort(codes)
    lcp = pydivsufsort.kasai(codes, order)
    sorting = time.process_time() - began
    size = len(codes)
    common = lcp[: size - k + 1].copy()
    for i in range(1, k - 1):
        np.minimum(common, lcp[i : size - k + 1 + i], out=common)
    longest = np.zeros(size, dtype=np.int64)
    for i in range(k):
        part = longest[i : i + len(common)]
        np.maximum(part, common, out=part)
    ends = np.empty(size, dtype=np.int64)
    ends[order] = longest
    ends += np.arange(size)
    borders = np.flatnonzero(codes == 0)
    ends = np.minimum(ends, borders[np.searchsorted(borders, np.arange(size))])
    release = points.copy()
    p, stops = 0, memoryview(ends)
    stars = []
    while p < size:
        stars.append(stops[p])
        p = stops[p] + 1
    release[stars] = np.where(points[stars] == 0, 0, ord(MASK))
    released = release.tobytes().decode("utf-32-le").split("\0")[:-1]
    return Case(texts, released, sorting)


def starred(texts: list[str], stars: list[list[int]]) -> Case:
    """Stars at the given positions of each text."""
    releases = []
    for text, at in zip(texts, stars, strict=True):
        bounds = [-1, *at, len(text)]
        releases.append(MASK.join(text[i + 1 : j] for i, j in itertools.pairwise(bounds)))
    return Case(texts, releases, float("nan"))


def fibonacci(symbols: int) -> str:
    a, b = "a", "ab"
    while len(b) < symbols:
        a, b = b, b + a
    return b[:symbols]


def de_bruijn(order: int) -> str:
    """Every binary word of `order` symbols once, by preferring ones."""
    seen, word, out = bytearray(1 << order), 0, bytearray()
    low = (1 << order) - 1
    while True:
        one = (word << 1 | 1) & low
        following = one if not seen[one] else one ^ 1
        if seen[following]:
            return out.decode()
        seen[following] = 1
        word = following
        out.append(97 + (word & 1))


def dna(symbols: int, k: int) -> Case:
    with zstandard.open(DATA / "dna.txt.zst", "rt") as file:
        return suppressed([file.read()[:symbols].strip()], k)


def powers(symbols: int) -> list[int]:
    """Stars that leave runs of 1, 2, 3, ... symbols."""
    count = int((2 * symbols) ** 0.5) - 1
    return [n * (n + 3) // 2 for n in range(1, count)]


def copies(symbols: int, k: int) -> Case:
    text = collection("trials_en.txt.zst", 10**6)[0][: max(1, symbols // 10_000)]
    return starred([text] * 10_000, [[]] * 10_000)


def shifted(symbols: int, k: int) -> Case:
    """Copies of one document, each with its star at another place."""
    text = collection("trials_en.txt.zst", 10**6)[0][: max(2, int(symbols**0.5))]
    return starred([text] * len(text), [[i] for i in range(len(text))])


def random_text(symbols: int) -> str:
    return (np.random.default_rng(0).integers(97, 99, symbols, dtype=np.uint8)).tobytes().decode()


CASES = {
    "english": lambda n, k: suppressed(collection("trials_en.txt.zst", n), k),
    "japanese": lambda n, k: suppressed(collection("aozora_ja.txt.zst", n), k),
    "dna": dna,
    "one symbol": lambda n, k: starred(["a" * n], [list(range(n - k + 1, n))]),
    "one symbol, one star too few": lambda n, k: starred(["a" * n], [list(range(n - k + 2, n))]),
    "runs of 1, 2, 3, ...": lambda n, k: starred(["a" * n], [powers(n)]),
    "fibonacci": lambda n, k: suppressed([fibonacci(n)], k),
    "fibonacci, nothing starred": lambda n, k: starred([fibonacci(n)], [[]]),
    "de bruijn": lambda n, k: suppressed([de_bruijn(max(8, n.bit_length() - 1))], k),
    "random, long stretches": lambda n, k: starred([random_text(n)], [list(range(999, n, 1000))]),
    "10,000 copies": copies,
    "copies with shifted stars": shifted,
}


def forget_peak() -> None:
    """Give freed memory back and let the peak start from what is left (Linux)."""
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")


def peak() -> int:
    status = Path("/proc/self/status").read_text()
    return int(re.findall(r"VmHWM:\s+(\d+)", status)[0]) * 1024


def measure(name: str, case: Case, k: int) -> Iterator[Row]:
    symbols = sum(map(len, case.texts))
    began = time.process_time()
    compared = checks.compare_masked(case.texts, case.releases, MASK)
    comparing = time.process_time() - began
    collapsed = [re.sub(f"{MASK}+", MASK, release) for release in case.releases]
    began = time.process_time()
    aligned = checks.align_collapsed(case.texts, collapsed, MASK)
    aligning = time.process_time() - began
    assert compared.first_difference is None
    assert aligned.first_difference is None
    stretches = compared.documents, compared.starts, compared.stops
    for labels in (None, np.arange(len(case.texts), dtype=np.int32)):
        if labels is not None and len(case.texts) == 1:
            continue
        forget_peak()
        before = peak()
        began = time.process_time()
        counted = checks.count_stretches(case.texts, *stretches, case.releases, k, labels=labels)
        counting = time.process_time() - began
        memory = (peak() - before) / symbols
        row: Row = {
            "input": name,
            "count": "occurrences" if labels is None else "documents",
            "symbols": symbols,
            "stretches": counted.checked,
            "failures": counted.failures,
            "compare": f"{comparing:.2f}",
            "align": f"{aligning:.2f}",
            "counting": f"{counting:.2f}",
            "sorting": f"{case.sorting:.2f}",
            "compare and count / sorting": f"{(comparing + counting) / case.sorting:.2f}",
            "bytes a symbol": f"{memory:.1f}",
        }
        print(row, flush=True)
        yield row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(CASES))
    parser.add_argument("--symbols", type=int, default=5_000_000)
    parser.add_argument("-k", type=int, default=5)
    options = parser.parse_args()
    k, rows = options.k, []
    for name in options.names:
        rows += measure(name, CASES[name](options.symbols, k), k)
    if options.names == list(CASES):
        record(
            "verify_speed",
            rows,
            part="suppress",
            title=f"Verification beside sorting, texts made to do harm included, k = {k}",
            note="""CPU seconds of laying the release on its original (as it stands, or collapsed),
            of counting what is legible, and of sorting the same text with divsufsort; memory of
            counting.""",
        )


if __name__ == "__main__":
    main()
