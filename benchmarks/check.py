"""The ratios that matter, measured in one run and compared with the recorded ones.

    python benchmarks/check.py [--record]

A ratio is the CPU time of a piece of work over that of another on the same input, both the best of
five in turns, or a loss over its bound: no figure depends on how fast the machine is. `make
bench-check` fails when one is more than 20% worse than docs/results/ratios.csv has it. --record
writes that file anew, after a change that is worth it.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
from tables import DATA, RESULTS, record, text_of

import sfumato as sf
from sfumato.kernels.covers import cover
from sfumato.kernels.repeats import SuffixIndex
from sfumato.kernels.text import encode

WORSE = 1.2
TIMES = 5
Work = Callable[[], Any]


def ratio(work: Work, other: Work) -> float:
    """Best CPU time over best CPU time, the two in turns."""
    best = [float("inf")] * 2
    for _ in range(TIMES):
        for i, one in enumerate((work, other)):
            begun = time.process_time()
            one()
            best[i] = min(best[i], time.process_time() - begun)
    return best[0] / best[1]


def ratios() -> dict[str, float]:
    texts = re.split(r"<<<DOC [^>]*>>>\n", text_of("medline_en.txt.zst", 3_000_000))[1:]
    people = [f"person {i // 3}" for i in range(len(texts))]
    found: dict[str, float] = {}
    codes = encode(["".join(texts)], at_least=5).codes
    numbers = np.random.default_rng(0).integers(0, 1 << 60, len(codes))
    index = SuffixIndex(codes)

    def stars() -> None:
        lengths = SuffixIndex(codes).repeat_lengths(5, last=True)
        cover(lengths, np.array([len(codes) - 1], np.int64))

    found["suppress, codes to stars / sorting as many numbers"] = ratio(
        stars, lambda: np.sort(numbers)
    )
    encoded = encode(texts, at_least=5, labels=np.arange(len(texts), dtype=np.int32) // 3)
    whose, index = np.arange(len(texts), dtype=np.int32) // 3, SuffixIndex(encoded.codes)
    found["counting people / counting occurrences"] = ratio(
        lambda: index.repeat_lengths(5, labels=whose, ends=encoded.ends),
        lambda: index.repeat_lengths(5),
    )
    some, theirs = texts[:600], people[:600]
    release = sf.suppress(some, k=5, groups=theirs)
    found["verify / suppress"] = ratio(
        lambda: sf.verify(some, release), lambda: sf.suppress(some, k=5, groups=theirs)
    )

    def words() -> list[list[str]]:
        return [re.findall(r"\w+", text) for text in some]

    found["recognize (en) / finding words"] = ratio(lambda: sf.recognizer("en")(some), words)
    listed = sorted({word.casefold() for line in words()[:100] for word in line if len(word) > 5})
    dictionary = sf.TermDictionary(listed, fold_case=True)
    sf.redact(some, dictionary, k=3)  # assigns the strings once
    found["redact / finding words"] = ratio(lambda: sf.redact(some, dictionary, k=3), words)
    genome = text_of("dna.txt.zst", 200_000).strip()
    secret = [genome[i : i + 11] for i in range(0, 5000, 250)]
    clean = sf.sanitize(genome, secret, length=11, method="tpm", tau=20)
    found["verify / sanitize"] = ratio(
        lambda: sf.verify(genome, clean),
        lambda: sf.sanitize(genome, secret, length=11, method="tpm", tau=20),
    )
    folder = DATA / "adult"
    adult = pl.read_csv(folder / "adult.csv", separator=";", infer_schema=False)
    quasi = ("education", "marital-status", "occupation", "sex", "native-country")
    columns: dict[str, Any] = {
        name: {"hierarchy": str(folder / f"adult_hierarchy_{name}.csv")} for name in quasi
    }
    schema = {"columns": columns | {"age": {"kind": "number"}}}
    made = sf.anonymize(adult, schema, k=5, relational_weight=1.0)
    found["anonymize: loss / least possible loss"] = made.loss["NCP"] / made.loss["NCP_least"]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--record", action="store_true", help="write the ratios anew")
    given = parser.parse_args()
    found = ratios()
    if given.record:
        record(
            "ratios",
            [{"ratio": name, "recorded": value} for name, value in found.items()],
            part="Ratios that are watched",
            title="What `make bench-check` compares with",
            command="python benchmarks/check.py --record",
        )
        return 0
    with (RESULTS / "ratios.csv").open(encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    recorded = {row["ratio"]: float(row["recorded"]) for row in csv.DictReader(lines)}
    bad = 0
    for name, value in found.items():
        before = recorded.get(name)
        worse = before is not None and value > WORSE * before
        bad += worse
        told = "not recorded" if before is None else f"recorded {before:.3g}"
        print(f"{'WORSE' if worse else 'ok':6}{name:56} {value:9.3g}  ({told})")
    return min(bad, 1)


if __name__ == "__main__":
    sys.exit(main())
