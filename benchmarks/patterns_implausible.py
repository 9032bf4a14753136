"""TM against TMI: implausible patterns, distortion and ghosts (Figures 7 to 11 of the paper).

    python benchmarks/patterns_implausible.py [--runs N] [OLD TRU MSN DNA]

Means of N runs (3). `implausible` is the share of the created windows that are
implausible.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from typing import Any

from patterns_common import SEPARATOR, SETTINGS, averaged, chart, load
from tables import record

import sfumato as sf
from sfumato.metrics.patterns import frequencies, implausible

METHODS = [(method, how) for how in ("hide-and-mine", "mcsr") for method in ("tm", "tmi")]


def runs(
    name: str, text: str, k: int, patterns: int, rho: float, seeds: int
) -> Iterator[dict[str, Any]]:
    """The rows of every draw that all four can hide, so that their means compare the same draws."""
    shared = {"tau": SETTINGS[name]["tau"], "separator": SEPARATOR}
    drawn = {"draw": patterns, "length": k, "method": "tfs"}
    for seed in range(seeds):
        secret = sf.sanitize(text, seed=seed, **drawn, **shared).sides.patterns
        rows = []
        for method, replacement in METHODS:
            options: dict[str, Any] = {"rho": rho} if method == "tmi" else {}
            try:
                release = sf.sanitize(text, secret, method, replacement, **shared, **options)
            except sf.CannotBeMet:
                print(f"{method}, {replacement}: no solution on {name}, {k=}, {patterns=}, {seed=}")
                break
            found = frequencies(text, release.data, secret, k, SEPARATOR)
            created = int((found.after > found.before).sum())
            rows.append(
                {
                    "data": name,
                    "k": k,
                    "patterns": patterns,
                    "rho": rho,
                    "method": f"{method.upper()}, {replacement}",
                    "seed": seed,
                    "implausible %": 100 * implausible(found, rho) / max(1, created),
                    "distortion": release.loss["distortion"],
                    "ghosts": release.loss["ghosts"],
                    "lost": release.loss["lost"],
                }
            )
        else:
            yield from rows


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=["OLD", "TRU", "MSN", "DNA"])
    parser.add_argument("--runs", type=int)
    chosen = parser.parse_args()
    found: dict[str, list[dict[str, Any]]] = {"patterns": [], "k": [], "rho": []}
    for name in chosen.names:
        text, setting = load(name), SETTINGS[name]
        times = chosen.runs or setting["runs"]
        k, rho, few = setting["k"][0], setting["rho"], setting["patterns"][0]
        for patterns in sorted(setting["patterns"]):
            found["patterns"] += runs(name, text, k, patterns, rho, times)
        if name == "OLD":  # as in the paper
            for other in sorted(setting["k"]):
                found["k"] += runs(name, text, other, few, rho, times)
            for least in (-2.0, -1.0, -0.5, -0.25):
                found["rho"] += runs(name, text, k, few, least, times)
    by = ["data", "k", "patterns", "rho", "method"]
    means = {varied: list(averaged(rows, by)) for varied, rows in found.items()}
    usual = {name: SETTINGS[name]["patterns"][0] for name in chosen.names}
    record(
        "patterns_implausible",
        [row for row in means["patterns"] if row["patterns"] == usual[row["data"]]],
        part="sanitize",
        title="TM against TMI: implausible windows, distortion, ghosts",
        note="""Means of three draws. `implausible` is the share of created windows that
        score below rho.""",
    )
    record(
        "patterns_implausible_rows",
        [{"varied": varied, **row} for varied, rows in means.items() for row in rows],
        part="sanitize",
        title="TM against TMI over the number of patterns, k and rho (the paper's Figures 7 to 11)",
        note="""TM puts letters for separators as they cost least, TMI only such that no unlikely
        window arises. `implausible` is the share of created windows that score below rho;
        distortion, ghosts and lost as above. Means of three draws.""",
        listed=False,
    )
    for varied, rows in means.items():
        if rows:
            draw(varied, rows)


def draw(varied: str, means: list[dict[str, Any]]) -> None:
    """A figure for every measure; where only OLD was varied, one with a panel for every measure."""
    if varied == "patterns":
        by_data = partial(chart, rows=means, x=varied, columns=2)
        by_data("patterns_implausible_rows_implausible", y="implausible %")
        by_data("patterns_implausible_rows_distortion", y="distortion", scale="log")
        by_data("patterns_implausible_rows_ghosts", y="ghosts", scale="symlog")
        return
    panels = [
        {
            "data": f"OLD: {measure}",
            varied: row[varied],
            "method": row["method"],
            "value": row[measure],
        }
        for measure in ("implausible %", "distortion", "ghosts")
        for row in means
    ]
    chart(f"patterns_implausible_rows_by_{varied}", panels, varied, "value", scale="symlog")


if __name__ == "__main__":
    main()
