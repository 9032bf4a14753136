"""The ratios that matter, measured in one run and compared with the recorded ones.

    python benchmarks/check.py [--record | --add]

A ratio is the CPU time of a piece of work over that of another on the same input, both the best of
five in turns, or a loss over its bound: no figure depends on how fast the machine is. `make
bench-check` fails when one is more than 20% worse than docs/results/ratios.csv has it. --record
writes that file anew, after a change that is worth it; --add only what it does not have yet.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import numpy as np
import polars as pl
from tables import DATA, RESULTS, record, text_of

import sfumato as sf
from sfumato.kernels.covers import cover
from sfumato.kernels.repeats import SuffixIndex
from sfumato.kernels.text import encode
from sfumato.recognizers import spans_of

WORSE = 1.2
WORDS = ["patient", "disease", "cell", "blood", "pain", "drug", "liver", "cancer"]
KEY = "a key of sixteen bytes or more"
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


Ratios = Iterator[tuple[str, float]]


def documents() -> list[str]:
    return re.split(r"<<<DOC [^>]*>>>\n", text_of("medline_en.txt.zst", 3_000_000))[1:]


def kernels(texts: list[str]) -> Ratios:
    """From codes to stars, beside sorting and beside another's suffix array."""
    codes = encode(["".join(texts)], at_least=5).codes
    numbers = np.random.default_rng(0).integers(0, 1 << 60, len(codes))

    def stars() -> None:
        lengths = SuffixIndex(codes).repeat_lengths(5, last=True)
        cover(lengths, np.array([len(codes) - 1], np.int64))

    yield (
        "suppress, codes to stars / sorting as many numbers",
        ratio(stars, lambda: np.sort(numbers)),
    )
    try:
        import pydivsufsort
    except ImportError:
        print("absent: pydivsufsort", flush=True)
    else:
        yield (
            "suppress, codes to stars / divsufsort and Kasai",
            ratio(stars, lambda: pydivsufsort.kasai(codes, pydivsufsort.divsufsort(codes))),
        )
    whose = np.arange(len(texts), dtype=np.int32) // 3
    encoded = encode(texts, at_least=5, labels=whose)
    index = SuffixIndex(encoded.codes)
    yield (
        "counting people / counting occurrences",
        ratio(
            lambda: index.repeat_lengths(5, labels=whose, ends=encoded.ends),
            lambda: index.repeat_lengths(5),
        ),
    )


def verbs_of_texts(texts: list[str]) -> Ratios:
    """Every verb of texts beside finding words, and its verification beside the verb."""
    people = [f"person {i // 3}" for i in range(len(texts))]

    def words() -> list[list[str]]:
        return [re.findall(r"\w+", text) for text in texts]

    listed = sorted({word.casefold() for line in words()[:100] for word in line if len(word) > 5})
    dictionary = sf.TermDictionary(listed, fold_case=True)
    spans = list(spans_of("en", texts))
    yield "recognize (en) / finding words", ratio(lambda: sf.recognizer("en")(texts), words)
    for name, verb in {
        "suppress": lambda: sf.suppress(texts, k=5, groups=people),
        "redact": lambda: sf.redact(texts, dictionary, k=3),
        "generalize": lambda: sf.generalize(texts, 32, words=WORDS),
        "pseudonymize": lambda: sf.pseudonymize(texts, spans, KEY, groups=people),
    }.items():
        release = verb()  # also reads once what is read once
        sf.verify(texts, release)
        yield f"{name} / finding words", ratio(verb, words)
        yield f"verify / {name}", ratio(lambda one=release: sf.verify(texts, one), verb)
        if name == "redact":
            yield (
                "redact: stars of the list / least possible",
                release.loss["list_stars_over_bound"],
            )


def sequences() -> Ratios:
    genome = text_of("dna.txt.zst", 200_000).strip()
    secret = [genome[i : i + 11] for i in range(0, 5000, 250)]
    numbers = np.random.default_rng(0).integers(0, 1 << 60, len(genome))

    def verb() -> sf.Release:
        return sf.sanitize(genome, secret, length=11, method="tpm", tau=20)

    release = verb()
    yield "sanitize / sorting as many numbers", ratio(verb, lambda: np.sort(numbers))
    yield "verify / sanitize", ratio(lambda: sf.verify(genome, release), verb)


def tables() -> Ratios:
    folder = DATA / "adult"
    adult = pl.read_csv(folder / "adult.csv", separator=";", infer_schema=False)
    quasi = ("education", "marital-status", "occupation", "sex", "native-country")
    columns: dict[str, Any] = {
        name: {"hierarchy": str(folder / f"adult_hierarchy_{name}.csv")} for name in quasi
    }
    schema = {"columns": columns | {"age": {"kind": "number"}}}
    made = sf.anonymize(adult, schema, k=5, relational_weight=1.0)
    yield "anonymize: loss / least possible loss", made.loss["NCP"] / made.loss["NCP_least"]
    numbers = np.random.default_rng(0).integers(0, 1 << 60, 1_000_000)

    def quick() -> sf.Release:
        return sf.anonymize(adult, schema, k=5, relational_weight=1.0, effort="quick")

    release = quick()
    yield "anonymize, quick / sorting a million numbers", ratio(quick, lambda: np.sort(numbers))
    yield "verify / anonymize, quick", ratio(lambda: sf.verify(adult, release), quick)


def ratios() -> dict[str, float]:
    """All of them, by name."""
    warnings.simplefilter("ignore", UserWarning)
    texts = documents()
    found: dict[str, float] = {}
    for name, value in chain(kernels(texts), verbs_of_texts(texts[:600]), sequences(), tables()):
        print(f"{name:56} {value:9.3g}", flush=True)
        found[name] = value
    return found


def recorded() -> dict[str, float]:
    """What docs/results/ratios.csv has."""
    with (RESULTS / "ratios.csv").open(encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    return {row["ratio"]: float(row["recorded"]) for row in csv.DictReader(lines)}


def keep(found: dict[str, float]) -> None:
    """Writes the ratios that are watched."""
    record(
        "ratios",
        [{"ratio": name, "recorded": value} for name, value in found.items()],
        part="Ratios that are watched",
        title="What `make bench-check` compares with",
        command="python benchmarks/check.py --record",
        note="""A piece of work over another on the same input, both the best of five in turns; or a
        loss over its bound. MEDLINE abstracts, 200,000 bases of E. coli, UCI Adult. Less is better,
        and no figure depends on how fast the machine is.""",
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--record", action="store_true", help="write the ratios anew")
    parser.add_argument("--add", action="store_true", help="write those that are not recorded yet")
    given = parser.parse_args()
    found = ratios()
    if given.record or given.add:
        keep(found | (recorded() if given.add else {}))
        return 0
    before, bad = recorded(), 0
    for name, value in found.items():
        worse = name in before and value > WORSE * before[name]
        bad += worse
        told = f"recorded {before[name]:.3g}" if name in before else "not recorded"
        print(f"{'WORSE' if worse else 'ok':6}{name:56} {value:9.3g}  ({told})")
    return min(bad, 1)


if __name__ == "__main__":
    sys.exit(main())
