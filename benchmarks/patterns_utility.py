"""TPM against BA: distortion, lost and ghost patterns, and lengths (Figures 2 to 6b of the paper).

    python benchmarks/patterns_utility.py [--runs N] [OLD TRU MSN DNA]

Means of N runs (3; of MSN and DNA 1). Varies the number of sensitive patterns and k; patterns are
drawn among the frequent ones. Every release is also checked for sensitive patterns.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import Any

from patterns_common import SEPARATOR, SETTINGS, averaged, chart, load, save, table

import sfumato as sf

METHODS: dict[str, dict[str, Any]] = {
    "TPM": {"method": "tpm"},
    "TPM, mcsr": {"method": "tpm", "replacement": "mcsr"},
    "BA": {"method": "ba"},
    "BA reversed": {"method": "ba-reverse"},
}


def runs(name: str, text: str, k: int, patterns: int, seeds: int) -> Iterator[dict[str, Any]]:
    tau = SETTINGS[name]["tau"]
    for seed in range(seeds):
        try:
            x = sf.sanitize(
                text, draw=patterns, length=k, tau=tau, seed=seed, method="tfs", separator=SEPARATOR
            )
        except sf.CannotBeMet:  # fewer frequent windows than patterns asked for
            return
        secret = x.private["patterns"]
        y = sf.sanitize(text, secret, "pfs", separator=SEPARATOR)
        for method, options in METHODS.items():
            started = time.process_time()
            release = sf.sanitize(text, secret, tau=tau, separator=SEPARATOR, **options)
            seconds = time.process_time() - started
            assert not any(pattern in release.data for pattern in secret)
            yield {
                "data": name,
                "k": k,
                "patterns": patterns,
                "method": method,
                "seed": seed,
                "separators": x.counts["hidden"],
                "|X|": x.counts["released_symbols"],
                "|Y|": y.counts["released_symbols"],
                "|Z|": release.counts["released_symbols"],
                "distortion": release.loss["distortion"],
                "lost": release.loss["lost"],
                "ghosts": release.loss["ghosts"],
                "cpu_seconds": seconds,
            }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=list(SETTINGS))
    parser.add_argument("--runs", type=int)
    chosen = parser.parse_args()
    found: dict[str, list[dict[str, Any]]] = {"patterns": [], "k": []}
    for name in chosen.names:
        text, setting = load(name), SETTINGS[name]
        times = chosen.runs or setting["runs"]
        for patterns in sorted(setting["patterns"]):
            found["patterns"] += runs(name, text, setting["k"][0], patterns, times)
        for k in sorted(setting["k"]):
            found["k"] += runs(name, text, k, setting["patterns"][0], times)
    for varied, rows in found.items():
        means = list(averaged(rows, ["data", "k", "patterns", "method"]))
        print(f"## Varying {varied}\n")
        table(means)
        compare(means)
        save(f"patterns_utility_{varied}", means)
        for measure in ("distortion", "lost", "ghosts"):
            chart(f"patterns_{measure}_by_{varied}", means, varied, measure, log=True)
        lengths = [
            {"data": row["data"], varied: row[varied], "method": what, "length": row[what]}
            for row in means
            if row["method"] == "TPM"
            for what in ("|X|", "|Y|")
        ]
        chart(f"patterns_lengths_by_{varied}", lengths, varied, "length")


def compare(means: list[dict[str, Any]]) -> None:
    """BA's distortion as a multiple of TPM's, and whether TPM lost anything."""
    by = {(r["data"], r["k"], r["patterns"], r["method"]): r for r in means}
    rows = []
    for name in dict.fromkeys(row["data"] for row in means):
        keys = {key[:3] for key in by if key[0] == name}
        ratios = [
            by[*key, "BA"]["distortion"] / max(1.0, by[*key, "TPM"]["distortion"]) for key in keys
        ]
        rows.append(
            {
                "data": name,
                "BA's distortion / TPM's, mean": sum(ratios) / len(ratios),
                "least": min(ratios),
                "most": max(ratios),
                "TPM lost": sum(by[*key, "TPM"]["lost"] for key in keys),
                "BA lost": sum(by[*key, "BA"]["lost"] for key in keys),
                "TPM ghosts": sum(by[*key, "TPM"]["ghosts"] for key in keys),
                "BA ghosts": sum(by[*key, "BA"]["ghosts"] for key in keys),
            }
        )
    table(rows)


if __name__ == "__main__":
    main()
