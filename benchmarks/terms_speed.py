"""How fast terms are explained, published and found, and the paper's figures 2 and 3.

    python benchmarks/terms_speed.py

SFUMATO_DATA has ja_terms.tsv.zst and aozora_ja.txt.zst. CPU seconds and peak memory.
The paper: 1,617,400 titles, 100 random ones of length 3 to 15, 520 ms each for the extraction of
candidates alone (standard deviation 470 ms).
"""

from __future__ import annotations

import random
import re
import resource
import statistics
import time

import numpy as np
from tables import RESULTS, Row, record, text_of

import sfumato as sf
from sfumato.attacks.terms import invert
from sfumato.kernels import terms as kernel
from sfumato.methods.terms.publication import Plan

TERMS = 1_617_400
SAMPLE = 100
MASK = "\ue000"  # stands in no term


ROWS: list[Row] = []


def tell(what: str, measured: object, asked: str = "", paper: str = "") -> None:
    """A line of the table."""
    ROWS.append({"what": what, "measured": measured, "asked for": asked, "paper": paper})


def timed(what, asked, function, *arguments):
    start = time.process_time()
    result = function(*arguments)
    seconds = time.process_time() - start
    tell(what, f"{seconds:.2f} s", asked)
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
    kernel_ms, numpy_ms = (1e3 * one / len(sample) for one in (ours, theirs))
    said = f"{kernel_ms:.2f} ms against {numpy_ms:.2f} ms, {theirs / ours:.1f} times"
    tell("the same, kernel against plain numpy", said)


def publish(words: sf.TermDictionary, k: int) -> None:
    stars = {}
    asked = {"matching": "60 s", "published": "300 s"}
    for guarantee in ("matching", "published"):
        plan = Plan(guarantee, k, "shared")
        what = f"publish the whole list, k = {k}, `{guarantee}`"
        made, _ = timed(what, asked[guarantee], words.publication, plan)
        stars[guarantee] = sum(int(flags.sum()) for flags in made.stars)
        found = invert(made.strings(words.terms, MASK), k)
        tell(
            f"strings of `{guarantee}` that fewer than {k} terms have",
            f"{found.exposed:,} of {found.strings:,}",
            "0" if guarantee == "published" else "",
        )
    every = sum(codes.size for codes in words.terms.classes)
    tell("stars of `published` over the lower bound", stars["published"] / stars["matching"])
    tell("share of characters starred by `published`", stars["published"] / every)


def find(words: sf.TermDictionary, texts: list[str]) -> None:
    megabytes = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts) / 1e6
    automaton, _ = timed("build the automaton", "", words.automaton)

    def search() -> int:
        found = 0
        for text in texts:
            points, ends = kernel.layout([text])
            found += len(kernel.find_terms(automaton, points, ends)[0])
        return found

    found, seconds = timed(f"find terms in {megabytes:.0f} MB", "", search)
    tell("search, a second", f"{megabytes / seconds:.1f} MB", "15 MB")
    tell("occurrences; states of the automaton", f"{found:,}; {len(automaton.code):,}")


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


def draw(sample: list[str], seconds: list[float]) -> None:
    """Figure 2: accumulated time over the terms; figure 3: time against length."""
    import vl_convert

    sums = np.cumsum(seconds) * 1e3
    figure_2 = [{"terms": i + 1, "ms": float(total)} for i, total in enumerate(sums)]
    figure_3 = [
        {"length": len(term), "ms": one * 1e3} for term, one in zip(sample, seconds, strict=True)
    ]
    charts = {
        "terms_speed_figure_2.svg": chart(
            figure_2, ("terms", "terms"), ("ms", "accumulated CPU time (ms)"), "line"
        ),
        "terms_speed_figure_3.svg": chart(
            figure_3, ("length", "length of the term"), ("ms", "CPU time (ms)"), "point"
        ),
    }
    for name, specification in charts.items():
        (RESULTS / name).write_text(vl_convert.vegalite_to_svg(specification), encoding="utf-8")


def main() -> None:
    chance = random.Random(0)
    listed = [line.split("\t")[0] for line in text_of("ja_terms.tsv.zst").splitlines() if line]
    listed = chance.sample(listed, TERMS)
    sample = chance.sample([term for term in listed if 3 <= len(term) <= 15], SAMPLE)
    words, _ = timed(f"make the dictionary of {TERMS:,} terms", "", sf.TermDictionary, listed)
    del listed
    explain(words, sample[:5])  # the first calls import and warm up
    seconds = explain(words, sample)
    mean, deviation = statistics.mean(seconds) * 1e3, statistics.stdev(seconds) * 1e3
    tell(
        f"all patterns of one term, {SAMPLE} random ones of length 3 to 15",
        f"{mean:.2f} ms (deviation {deviation:.2f}, most {max(seconds) * 1e3:.2f})",
        "1 ms",
        "520 ms (deviation 470), candidates alone",
    )
    compare_with_numpy(words, sample[:30])
    publish(words, 5)
    find(words, re.split(r"<<<DOC [^>]*>>>\n", text_of("aozora_ja.txt.zst"))[1:])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    tell("peak memory of it all", f"{peak:.2f} GB", "1.5 GB")
    record(
        "terms_speed",
        ROWS,
        part="redact",
        title="A list of 1.6 million terms: explained, published, found (the paper's Figures 2, 3)",
        note=f"{TERMS:,} Japanese terms; the text is Japanese literature. CPU seconds.",
    )
    draw(sample, seconds)


if __name__ == "__main__":
    main()
