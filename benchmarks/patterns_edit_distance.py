"""TFS against ETFS: the Edit Distance Relative Error (Figure 12 of the paper).

    python benchmarks/patterns_edit_distance.py [--strings 20]

Random binary strings of 1,000 symbols, and TRU.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import numpy as np
from patterns_common import SEPARATOR, SETTINGS, chart, load, random_string
from tables import record

import sfumato as sf
from sfumato.metrics.patterns import edit_distance


def errors(texts: list[str], k: int, patterns: int, tau: int) -> Iterator[float]:
    for seed, text in enumerate(texts):
        x = sf.sanitize(
            text, draw=patterns, length=k, tau=tau, seed=seed, method="tfs", separator=SEPARATOR
        )
        etfs = sf.sanitize(text, x.sides.patterns, "etfs", separator=SEPARATOR)
        least = etfs.loss["edit_distance"]
        yield (edit_distance(text, x.data) - least) / least if least else 0.0


def row(name: str, texts: list[str], k: int, patterns: int, tau: int) -> dict[str, Any]:
    found = np.array(list(errors(texts, k, patterns, tau)))
    return {
        "data": name,
        "k": k,
        "patterns": patterns,
        "method": "TFS",
        "optimal %": 100 * float((found < 1e-12).mean()),
        "EDRE": float(found.mean()),
        "most": float(found.max()),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--strings", type=int, default=20)
    chosen = parser.parse_args()
    binary = [random_string(1000, 2, seed) for seed in range(chosen.strings)]
    tru = [load("TRU")] * 3
    tau = SETTINGS["TRU"]["tau"]
    by_patterns = [row("binary", binary, 4, count, 1) for count in (1, 2, 3, 4, 6)]
    by_patterns += [row("TRU", tru, 4, count, tau) for count in (10, 20, 30)]
    by_k = [row("binary", binary, k, 3, 1) for k in (3, 4, 5, 6, 7)]
    by_k += [row("TRU", tru, k, 20, tau) for k in (3, 4, 5)]
    record(
        "patterns_edre",
        [*by_k, *by_patterns],
        part="sanitize",
        title="How far TFS is from the least edit distance (the paper's Figure 12)",
        note="""EDRE is the relative error of the edit distance. Means over 20 random
        binary strings of 1,000 symbols, and three draws on TRU.""",
    )
    for varied, rows in (("patterns", by_patterns), ("k", by_k)):
        chart(f"patterns_edre_by_{varied}", rows, varied, "EDRE")


if __name__ == "__main__":
    main()
