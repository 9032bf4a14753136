"""TPM against BA: distortion, lost and ghost patterns, and lengths (Figures 2 to 6b of the paper).

    python benchmarks/patterns_utility.py [--runs N] [OLD TRU MSN DNA SYN]

Means of N runs (3). Varies the number of sensitive patterns and k; patterns are drawn among the
frequent ones. Every release is also checked for sensitive patterns.

BA is the paper's: where a pattern has all letters it leaves a `#`, which TPM may not. "BA without
#" puts the rarest letter there that makes no sensitive pattern, so that both release letters alone.
"least possible" bounds from below what letters for the separators could reach in any arrangement of
blocks, "least for Y" what they could in the arrangement that TPM took.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from patterns_common import SEPARATOR, SETTINGS, averaged, chart, load
from tables import record

import sfumato as sf
from sfumato.metrics.patterns import utility

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
        secret = x.sides.patterns
        y = sf.sanitize(text, secret, "pfs", separator=SEPARATOR)
        shared = {
            "data": name,
            "k": k,
            "patterns": patterns,
            "seed": seed,
            "separators": x.counts["separators"] + x.counts["replaced"],
            "|X|": x.counts["released_symbols"],
            "|Y|": y.counts["released_symbols"],
            "least possible": least_distortion(y.data, set(secret), k),
            "least for Y": least_distortion_of(y.data, set(secret), k),
        }
        for method, options in METHODS.items():
            started = time.process_time()
            try:
                release = sf.sanitize(text, secret, tau=tau, separator=SEPARATOR, **options)
            except sf.CannotBeMet:
                print(f"{method} has no solution on {name} with k={k}, {patterns} patterns")
                continue
            seconds = time.process_time() - started
            assert not any(pattern in release.data for pattern in secret)
            measured = {
                "|Z|": release.counts["released_symbols"],
                "#": release.counts["separators"],
                "distortion": release.loss["distortion"],
                "lost": release.loss["lost"],
                "ghosts": release.loss["ghosts"],
                "CPU s": seconds,
            }
            yield {**shared, "method": method, **measured}
            if method == "BA":
                if measured["#"]:
                    filled = without_separators(text, release.data, set(secret), k)
                    found = utility(text, filled, secret, k, tau, separator=SEPARATOR)
                    measured["#"] = filled.count(SEPARATOR)
                    measured |= {
                        what: getattr(found, what) for what in ("distortion", "lost", "ghosts")
                    }
                yield {**shared, "method": "BA without #", **measured}


def without_separators(text: str, released: str, secret: set[str], k: int) -> str:
    """BA's output with the rarest letter that makes no sensitive pattern for each separator."""
    letters = [letter for letter, _ in Counter(text).most_common()][::-1]
    result = list(released)
    for place, symbol in enumerate(released):
        if symbol != SEPARATOR:
            continue
        low = max(0, place - k + 1)
        for letter in letters:
            result[place] = letter
            around = "".join(result[low : place + k])
            if not any(around[i : i + k] in secret for i in range(len(around) - k + 1)):
                break
        else:
            result[place] = SEPARATOR
    return "".join(result)


def least_distortion(y: str, secret: set[str], k: int) -> float:
    """What letters for separators distort at least, whatever they and the order of blocks are.

    The n separators after the same k-1 symbols make n windows that start with these, of at most as
    many kinds as there are admissible letters; likewise before the same k-1 symbols. The other
    windows, k-3 or more a separator, add 1 each at least.
    """
    blocks, letters = y.split(SEPARATOR), sorted(set(y) - {SEPARATOR})
    total = 0
    for ends, window in (
        (Counter(block[1 - k :] for block in blocks[:-1]), lambda end, letter: end + letter),
        (Counter(block[: k - 1] for block in blocks[1:]), lambda end, letter: letter + end),
    ):
        for end, count in ends.items():
            free = sum(window(end, letter) not in secret for letter in letters)
            each, rest = divmod(count, max(1, free))
            total += rest * (each + 1) ** 2 + (max(1, free) - rest) * each**2
    return float(total + max(0, k - 3) * (len(blocks) - 1))


def least_distortion_of(y: str, secret: set[str], k: int) -> float:
    """What letters for the separators of this Y distort at least, however they are chosen.

    As above for each place of the letter in its window: the n separators with the same symbols
    before and after it there make n windows of as many kinds as there are admissible letters.
    """
    letters = sorted(set(y) - {SEPARATOR})
    places = [place for place, symbol in enumerate(y) if symbol == SEPARATOR]
    total = 0
    for before in range(k):
        surroundings = Counter(
            (y[place - before : place], y[place + 1 : place + k - before]) for place in places
        )
        for (left, right), count in surroundings.items():
            free = max(1, sum(left + letter + right not in secret for letter in letters))
            each, rest = divmod(count, free)
            total += rest * (each + 1) ** 2 + (free - rest) * each**2
    return float(total)


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
    by = ["data", "k", "patterns", "method"]
    both = {varied: list(averaged(rows, by)) for varied, rows in found.items()}
    record(
        "patterns_utility",
        [{"varied": varied, **row} for varied, means in both.items() for row in compared(means)],
        part="sanitize",
        title="Distortion of BA beside TPM, lost patterns and ghosts",
        note="""Means of three runs; ratios of distortion are mean (least to most) over
        four numbers of patterns and three or four k. BA leaves a `#` where a pattern has
        all letters, which TPM may not do; "BA without #" puts the rarest letter there
        that makes no sensitive pattern, so that both release letters alone. "Least
        possible" bounds what letters could reach in any arrangement of blocks, "least for
        Y" what they could in the one that TPM took.""",
    )
    record(
        "patterns_utility_rows",
        [{"varied": varied, **row} for varied, means in both.items() for row in means],
        part="sanitize",
        title="TPM and BA over the number of patterns and k (the paper's Figures 2 to 6b)",
        note="""TPM is the paper's method, BA its baseline. Distortion adds up the squared changes
        of how often each harmless pattern occurs. Lost patterns were frequent and are no more,
        ghosts became frequent. |X| and |Y| are the lengths of the strings with separators by TFS
        and by PFS. Means of three draws of sensitive patterns.""",
        listed=False,
    )
    for varied, means in both.items():
        made = "patterns_utility_rows"
        chart(f"{made}_distortion_by_{varied}", means, varied, "distortion", scale="log")
        for measure in ("lost", "ghosts"):
            chart(f"{made}_{measure}_by_{varied}", means, varied, measure, scale="symlog")
        lengths = [
            {"data": row["data"], varied: row[varied], "method": what, "length": row[what]}
            for row in means
            if row["method"] == "TPM"
            for what in ("|X|", "|Y|")
        ]
        chart(f"{made}_lengths_by_{varied}", lengths, varied, "length", zero=False)


def spread(ratios: list[float]) -> str:
    """Mean (least to most)."""
    return f"{sum(ratios) / len(ratios):.1f} ({min(ratios):.1f} to {max(ratios):.1f})"


def compared(means: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """BA's distortion as a multiple of TPM's (means of runs), and whether TPM lost anything."""
    by = {(r["data"], r["k"], r["patterns"], r["method"]): r for r in means}
    for name in dict.fromkeys(row["data"] for row in means):
        keys = {
            key[:3]
            for key in by
            if key[0] == name and {(*key[:3], "TPM"), (*key[:3], "BA")} <= by.keys()
        }
        filled, ratios, possible, near = (
            [by[*key, method]["distortion"] / max(1.0, by[*key, "TPM"][of]) for key in sorted(keys)]
            for method, of in (
                ("BA without #", "distortion"),
                ("BA", "distortion"),
                ("BA", "least possible"),
                ("TPM", "least for Y"),
            )
        )
        yield {
            "data": name,
            "BA without # / TPM": spread(filled),
            "BA / TPM": spread(ratios),
            "BA / least possible": spread(possible),
            "TPM / least for Y": spread(near),
            "TPM lost": sum(by[*key, "TPM"]["lost"] for key in keys),
            "BA lost": sum(by[*key, "BA"]["lost"] for key in keys),
            "TPM ghosts": sum(by[*key, "TPM"]["ghosts"] for key in keys),
            "BA ghosts": sum(by[*key, "BA"]["ghosts"] for key in keys),
        }


if __name__ == "__main__":
    main()
