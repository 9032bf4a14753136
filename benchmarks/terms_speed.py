"""How fast terms are explained, published and found, and the paper's figures 2 and 3.

    python benchmarks/terms_speed.py [DATA [RESULTS]]

DATA has ja_terms.tsv.zst and aozora_ja.txt.zst (default: SFUMATO_DATA or ../shared/data). Prints
CPU seconds and peak memory; draws the figures into RESULTS (default: benchmarks/results).
The paper: 1,617,400 titles, 100 random ones of length 3 to 15, 520 ms each for the extraction of
candidates alone (standard deviation 470 ms).
"""

from __future__ import annotations

import io
import os
import random
import re
import resource
import statistics
import sys
import time
from pathlib import Path

import numpy as np
import zstandard

import sfumato as sf
from sfumato.attacks.terms import invert
from sfumato.kernels import terms as kernel
from sfumato.methods.terms.publication import Plan

TERMS = 1_617_400
SAMPLE = 100
MASK = "\ue000"  # stands in no term


def read(path: Path) -> str:
    with path.open("rb") as file:
        return io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(file), "utf-8").read()


def timed(what, function, *arguments):
    start = time.process_time()
    result = function(*arguments)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{what:56} {seconds:9.3f} s   peak {peak:.2f} GB", flush=True)
    return result, seconds


def numpy_patterns(columns: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """The same counts by a plain numpy version, for the ratio."""
    length = len(codes)
    bits = 1 << np.arange(length - 1, -1, -1)
    masks = ((columns == codes[:, None]) * bits[:, None]).sum(0)
    counts = np.bincount(masks, minlength=1 << length)
    for bit in bits:
        grid = counts.reshape(-1, 2, bit)
        grid[:, 0] += grid[:, 1]
    return counts


def explain(words: sf.TermDictionary, sample: list[str]) -> list[float]:
    seconds = []
    for term in sample:
        start = time.process_time()
        words.patterns(term, MASK)
        seconds.append(time.process_time() - start)
    return seconds


def compare_with_numpy(words: sf.TermDictionary, sample: list[str]) -> None:
    ours = theirs = 0.0
    for term in sample:
        place, row = words.terms.place(words.terms.number(term))
        columns = words.terms.classes[place]
        codes = np.ascontiguousarray(columns[:, row])
        start = time.process_time()
        counts = kernel.pattern_matches(columns, codes)
        middle = time.process_time()
        assert np.array_equal(counts, numpy_patterns(columns, codes))
        ours, theirs = ours + middle - start, theirs + time.process_time() - middle
    print(f"all patterns of one term: kernel {ours / len(sample) * 1e3:.3f} ms, "
          f"numpy {theirs / len(sample) * 1e3:.3f} ms, {theirs / ours:.1f} times")  # fmt: skip


def publish(words: sf.TermDictionary, k: int) -> None:
    stars = {}
    for guarantee in ("matching", "published"):
        plan = Plan(guarantee, k, "shared")
        made, _ = timed(f"publish the list, {guarantee}, k={k}", words.publication, plan)
        stars[guarantee] = sum(int(flags.sum()) for flags in made.stars)
        found = invert(made.strings(words.terms, MASK), k)
        print(f"  stars {stars[guarantee]:,}; strings with fewer than k pre-images: "
              f"{found.exposed:,} of {found.strings:,} ({found.exposed_share:.2%})")  # fmt: skip
    every = sum(codes.size for codes in words.terms.classes)
    print(f"  stars over their lower bound {stars['published'] / stars['matching']:.4f}; "
          f"share of characters {stars['published'] / every:.4f}")  # fmt: skip


def find(words: sf.TermDictionary, texts: list[str]) -> None:
    megabytes = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts) / 1e6
    automaton, _ = timed("build the automaton", words.automaton)

    def search() -> int:
        found = 0
        for text in texts:
            points, ends = kernel.layout([text])
            found += len(kernel.find_terms(automaton, points, ends)[0])
        return found

    found, seconds = timed(f"find terms in {megabytes:.0f} MB", search)
    print(
        f"  {megabytes / seconds:.1f} MB/s, {found:,} occurrences, {len(automaton.code):,} states"
    )


def chart(
    points: list[dict[str, float]], x: tuple[str, str], y: tuple[str, str], kind: str
) -> dict:
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "width": 420,
        "height": 260,
        "data": {"values": points},
        "mark": {"type": kind, "point": kind == "line"},
        "encoding": {
            axis: {"field": name, "type": "quantitative", "title": title}
            for axis, (name, title) in (("x", x), ("y", y))
        },
    }


def draw(folder: Path, sample: list[str], seconds: list[float]) -> None:
    """Figure 2: accumulated time over the terms; figure 3: time against length."""
    import vl_convert

    sums = np.cumsum(seconds) * 1e3
    figure_2 = [{"terms": i + 1, "ms": float(total)} for i, total in enumerate(sums)]
    figure_3 = [
        {"length": len(term), "ms": one * 1e3} for term, one in zip(sample, seconds, strict=True)
    ]
    folder.mkdir(parents=True, exist_ok=True)
    charts = {
        "terms_figure_2.svg": chart(
            figure_2, ("terms", "terms"), ("ms", "accumulated CPU time (ms)"), "line"
        ),
        "terms_figure_3.svg": chart(
            figure_3, ("length", "length of the term"), ("ms", "CPU time (ms)"), "point"
        ),
    }
    for name, specification in charts.items():
        (folder / name).write_text(vl_convert.vegalite_to_svg(specification), encoding="utf-8")
        print(f"drew {folder / name}")


def main() -> None:
    data = Path(
        sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SFUMATO_DATA", "../shared/data")
    )
    results = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).parent / "results"
    chance = random.Random(0)
    listed = [line.split("\t")[0] for line in read(data / "ja_terms.tsv.zst").splitlines() if line]
    listed = chance.sample(listed, TERMS)
    sample = chance.sample([term for term in listed if 3 <= len(term) <= 15], SAMPLE)
    words, _ = timed(f"make the dictionary of {TERMS:,} terms", sf.TermDictionary, listed)
    del listed
    explain(words, sample[:5])  # the first calls import and warm up
    seconds = explain(words, sample)
    mean, deviation = statistics.mean(seconds) * 1e3, statistics.stdev(seconds) * 1e3
    print(f"patterns of one term: mean {mean:.3f} ms, standard deviation {deviation:.3f} ms, "
          f"most {max(seconds) * 1e3:.3f} ms")  # fmt: skip
    compare_with_numpy(words, sample[:30])
    publish(words, 5)
    find(words, re.split(r"<<<DOC [^>]*>>>\n", read(data / "aozora_ja.txt.zst"))[1:])
    draw(results, sample, seconds)


if __name__ == "__main__":
    main()
