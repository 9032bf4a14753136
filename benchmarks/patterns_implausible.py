"""TM against TMI: implausible patterns, distortion and ghosts (Figures 7 to 11 of the paper).

    python benchmarks/patterns_implausible.py [--runs N] [OLD TRU MSN DNA]

Means of N runs (3). `implausible` is the share of the created windows that are
implausible.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from patterns_common import SEPARATOR, SETTINGS, averaged, chart, load, save, table

import sfumato as sf
from sfumato.metrics.patterns import frequencies, implausible


def runs(
    name: str, text: str, k: int, patterns: int, rho: float, seeds: int
) -> Iterator[dict[str, Any]]:
    tau = SETTINGS[name]["tau"]
    for seed in range(seeds):
        shared = {"tau": tau, "separator": SEPARATOR}
        try:
            first = sf.sanitize(text, draw=patterns, length=k, seed=seed, method="tm", **shared)
        except sf.CannotBeMet:
            return
        secret = first.private["patterns"]
        for replacement in ("hide-and-mine", "mcsr"):
            for method in ("tm", "tmi"):
                options: dict[str, Any] = {"rho": rho} if method == "tmi" else {}
                try:
                    release = sf.sanitize(text, secret, method, replacement, **shared, **options)
                except sf.CannotBeMet:
                    continue
                found = frequencies(text, release.data, secret, k, SEPARATOR)
                created = int((found.after > found.before).sum())
                yield {
                    "data": name,
                    "k": k,
                    "patterns": patterns,
                    "rho": rho,
                    "method": f"{method.upper()}, {replacement}",
                    "seed": seed,
                    "implausible %": 100 * implausible(found, k, rho) / max(1, created),
                    "distortion": release.loss["distortion"],
                    "ghosts": release.loss["ghosts"],
                    "lost": release.loss["lost"],
                }


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
    for varied, rows in found.items():
        if not rows:
            continue
        means = list(averaged(rows, ["data", "k", "patterns", "rho", "method"]))
        print(f"## Varying {varied}\n")
        table(means)
        save(f"patterns_implausible_{varied}", means)
        for measure, label in (("implausible %", "implausible"), ("distortion", "tmi_distortion")):
            chart(f"patterns_{label}_by_{varied}", means, varied, measure)


if __name__ == "__main__":
    main()
