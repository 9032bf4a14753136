"""The paper's experiments (Section VI), with the exact search beside the paper's own.

    python benchmarks/meanings_experiments.py [--draws 5] [--limit 5]

50 random leaves below `entity`, first sense, paths of height 8 +- 1; |d| = 10 to 50, t = 1,024 to
16,384, alpha 0.5, min_volume 1. CPU seconds; a search that exceeds the limit is given up.
"""

from __future__ import annotations

import argparse
import math
import random
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import cache
from itertools import product
from statistics import fmean, median

from tables import RESULTS, Row, record

from sfumato.methods.meanings.exact import exact_smallest, exact_uniform
from sfumato.methods.meanings.exhaustive import esearch_prune, uep
from sfumato.methods.meanings.ladders import Ladder, ladder_of_node
from sfumato.methods.meanings.lub import lub_search
from sfumato.methods.meanings.plausibility import cost
from sfumato.metrics.meanings import similarity, word_entropies
from sfumato.ontologies import key_of, wordnet

SIZES, THRESHOLDS, ALPHA = (10, 20, 30, 40, 50), (1024, 2048, 4096, 8192, 16384), 0.5
TICK = 0.004  # seconds: how coarse the clock is while a timer is armed
FAST, SLOW = ("LUBS", "exact uniform", "exact smallest"), ("EP", "UEP")
Found = tuple[int, ...] | None


class GivenUp(Exception):
    pass


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Gives a search up after so many CPU seconds."""

    def give_up(*_: object) -> None:
        raise GivenUp

    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@cache
def draw_words(seed: int) -> list[Ladder]:
    """The ladders of 50 random leaves."""
    table = wordnet()
    leaves = [
        node
        for node in range(len(table))
        if not table.children(node)
        and 7 <= len(table.path(node)) - 1 <= 9
        and table.words(table.path(node)[-1])[0] == "entity"
        and table.senses(key_of(table.words(node)[0]))[0] == node
    ]
    chosen = random.Random(seed).sample(leaves, 50)
    return [ladder_of_node(table, node, "leaves") for node in chosen]


def searches(ladders: Sequence[Ladder], t: int) -> dict[str, Callable[[], Found]]:
    log_t = math.log2(t)
    return {
        "EP": lambda: esearch_prune(ladders, t, stop_at_t=True),
        "UEP": lambda: uep(ladders, log_t, ALPHA),
        "LUBS": lambda: lub_search(ladders, log_t, ALPHA),
        "exact uniform": lambda: exact_uniform(ladders, log_t, ALPHA),
        "exact smallest": lambda: exact_smallest(ladders, t),
    }


def timed(search: Callable[[], Found], seconds: float | None) -> tuple[float, Found]:
    """CPU seconds and result; an armed timer makes the clock coarse, so fast searches have none."""
    start = time.process_time()
    try:
        with limit(seconds) if seconds else nullcontext():
            found = search()
    except GivenUp:
        return math.inf, None
    return time.process_time() - start, found


def pure_exhaustive(ladders: Sequence[Ladder], t: int) -> int:
    """|D| of the best text by looking at every one."""
    texts = product(*(ladder.volumes for ladder in ladders))
    return min(p for p in map(math.prod, texts) if p >= t)


def experiment(draws: int, seconds: float) -> list[Row]:
    """All searches on all draws; the fast ones first, while no timer makes the clock coarse."""
    rows: list[Row] = []
    given_up: set[tuple[int, str, int]] = set()
    for names in (FAST, SLOW):
        for seed, m, t in product(range(draws), SIZES, THRESHOLDS):
            ladders = draw_words(seed)[:m]
            for name in names:
                if any((seed, name, smaller) in given_up for smaller in SIZES if smaller < m):
                    continue  # it gave up on fewer words already
                search = searches(ladders, t)[name]
                spent, levels = timed(search, seconds if name in SLOW else None)
                row: Row = {"draw": seed, "words": m, "t": t, "search": name, "seconds": spent}
                if levels is None:
                    given_up.add((seed, name, m))
                else:
                    row |= measures(ladders, levels, t)
                rows.append(row)
    return rows


def measures(ladders: Sequence[Ladder], levels: Sequence[int], t: int) -> Row:
    chosen = [ladder.volumes[j] for ladder, j in zip(ladders, levels, strict=True)]
    entropies = word_entropies(chosen)
    alike = similarity([], [(1, volume) for volume in chosen])
    return {
        "cost": cost(entropies.values, math.log2(t), ALPHA),
        "variance": entropies.variance,
        "largest": entropies.largest,
        "base_texts": math.prod(chosen),
        "cosine": alike.cosine,
        "paper": alike.paper,
    }


def figure(rows: Sequence[Row], y: str, title: str, log: bool = False) -> dict[str, object]:
    """A Vega-Lite chart of one measure over |d|, a line per search, means over the draws."""
    scale = {"type": "log"} if log else {"type": "linear"}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "title": title,
        "width": 360,
        "height": 240,
        "data": {"values": [row for row in rows if math.isfinite(float(row.get(y, math.inf)))]},
        "mark": {"type": "line", "point": True},
        "encoding": {
            "x": {
                "field": "words",
                "type": "quantitative",
                "title": "|d|",
                "axis": {"tickCount": 5},
            },
            "y": {"field": y, "aggregate": "mean", "type": "quantitative", "scale": scale},
            "color": {"field": "search", "type": "nominal"},
        },
    }


def draw(rows: Sequence[Row]) -> None:
    """The paper's figures, into docs/results."""
    at_4096 = [row for row in rows if row["t"] == 4096]
    for name, chart in {
        "time": figure(rows, "seconds", "CPU seconds, all t, finished searches", log=True),
        "cost": figure(at_4096, "cost", "Cost, t = 4,096"),
        "variance": figure(at_4096, "variance", "Variance of the words' entropy, t = 4,096"),
        "largest": figure(at_4096, "largest", "Largest entropy of a word, t = 4,096"),
        "cosine": figure(at_4096, "cosine", "Cosine similarity, t = 4,096"),
    }.items():
        write(f"meanings_searches_{name}", chart)


def write(name: str, chart: dict[str, object]) -> None:
    import vl_convert

    (RESULTS / f"{name}.svg").write_text(vl_convert.vegalite_to_svg(vl_spec=chart))


def compared(rows: Sequence[Row], draws: int) -> Iterator[Row]:
    """Times over all t, measures at t = 4,096: means over the same draws for every search."""
    for name, m in product(searches([], 2), SIZES):
        here = [row for row in rows if row["search"] == name and row["words"] == m]
        seconds = [float(row["seconds"]) for row in here]
        done = [s for s in seconds if math.isfinite(s)]
        if not done:
            continue
        measured = [row for row in here if row["t"] == 4096 and "cost" in row]
        found: Row = {
            "search": name,
            "words": m,
            "median ms": 1e3 * median(seconds) if math.isfinite(median(seconds)) else "",
            "longest ms": 1e3 * max(done),
            "given up": f"{len(seconds) - len(done)} of {len(seconds)}",
        }
        if len(measured) == draws:
            names = {
                "cost": "cost",
                "variance": "variance of H",
                "largest": "largest H",
                "cosine": "cosine",
            }
            found |= {
                said: fmean(float(row[one]) for row in measured) for one, said in names.items()
            }
        yield found


def by_threshold(rows: Sequence[Row]) -> list[Row]:
    """Figures 3a and 3b: the time of the pruned searches against |d|, a line for each t."""
    table: list[Row] = []
    points: list[Row] = []
    for name, t in product(SLOW, THRESHOLDS):
        line: Row = {"search": name, "t": t}
        for m in SIZES:
            here = [row for row in rows if (row["search"], row["t"], row["words"]) == (name, t, m)]
            middle = median(float(row["seconds"]) for row in here) if here else math.inf
            told = "under 4" if middle < TICK else 1e3 * middle
            line[f"{m} words, ms"] = told if math.isfinite(middle) else "given up"
            if TICK < middle < math.inf:
                points.append({"words": m, "seconds": middle, "search": f"{name}, t = {t:,}"})
        table.append(line)
    chart = figure(points, "seconds", "CPU seconds of EP and UEP, medians", log=True)
    write("meanings_searches_by_t", chart)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--limit", type=float, default=5.0)
    arguments = parser.parse_args()
    words = draw_words(0)
    start = time.process_time()
    pure_exhaustive(words[:6], 4096)
    spent = time.process_time() - start
    texts, all_texts = (math.prod(len(x.volumes) for x in words[:m]) for m in (6, 10))
    rows = experiment(arguments.draws, arguments.limit)
    record(
        "meanings_searches",
        list(compared(rows, arguments.draws)),
        part="generalize",
        title="The searches of the paper's Section VI, with the exact ones beside them",
        note=f"""{arguments.draws} draws of 50 random WordNet leaves (paths of height 8 +- 1, first
        sense), t = 1,024 to 16,384, alpha = 0.5, min_volume = 1. EP and UEP are the paper's pruned
        exhaustive searches, in Python, given up after {arguments.limit:g} s; LUBS is its heuristic.
        H is the entropy of a word. Looking at every text of 10 words would take about
        {spent * all_texts / texts:,.0f} s, as looking at all {texts:,} of 6 words took
        {spent:.2f} s. Only marked words count, so plain suppression has cosine 0.""",
    )
    record(
        "meanings_searches_by_t",
        by_threshold(rows),
        part="generalize",
        title="Time of the pruned searches against the number of words and t (Figures 3a and 3b)",
        note=f"""Median milliseconds of {arguments.draws} draws; given up after {arguments.limit:g}
        s. EP and UEP are the paper's searches, in Python. The paper's figure prints no numbers; it
        says that time grows with both, and that looking at all texts of 10 words took 56 s.""",
    )
    draw(rows)


if __name__ == "__main__":
    main()
