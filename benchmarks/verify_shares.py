"""Verification beside the method: the CPU time of `sf.verify` over that of every verb.

    python benchmarks/verify_shares.py [--people 150]

Posts of the first bloggers, UCI Adult, a prefix of E. coli's genome; verb and check each the best
of five, in turns. The check has other code than the method, and should not take longer than it
(of `sanitize`: than twice).
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from typing import Any

import polars as pl
from check import ratio
from gold import blogs
from records_speed import QUASI
from tables import DATA, record, text_of

import sfumato as sf
from sfumato.recognizers import spans_of

WORDS = ["pain", "fever", "cough", "headache", "marijuana", "aspirin", "church", "doctor"]
KEY = "a key of sixteen bytes or more"


def texts(people: int) -> Iterator[tuple[str, Any, Any]]:
    """Every verb of texts: what it is called, what it was given, and how it is called."""
    frame = blogs(people)
    posts, whose = frame["text"].to_list(), frame["id"].to_list()
    listed = sorted(
        {word.casefold() for post in posts[:40] for word in post.split() if word.isalpha()}
    )
    terms = sf.TermDictionary([word for word in listed if len(word) > 5], fold_case=True)
    spans = list(spans_of("en", posts))
    yield "suppress", posts, lambda: sf.suppress(posts, 5, groups=whose)
    yield "suppress, reach 2", posts, lambda: sf.suppress(posts, 5, groups=whose, reach=2)
    yield "suppress, knows 2", posts, lambda: sf.suppress(posts, 5, groups=whose, reach=1, knows=2)
    yield "suppress, guess none", posts, lambda: sf.suppress(posts, 5, groups=whose, guess=None)
    yield "redact", posts, lambda: sf.redact(posts, terms, 5, mask=["▒"])
    yield "generalize", posts, lambda: sf.generalize(posts, 32, words=WORDS)
    yield (
        "pseudonymize (spans given)",
        posts,
        lambda: sf.pseudonymize(posts, spans, KEY, groups=whose),
    )


def others() -> Iterator[tuple[str, Any, Any]]:
    """Tables and sequences."""
    adult = pl.read_csv(DATA / "adult" / "adult.csv", separator=";", infer_schema=False)[:5000]
    columns: dict[str, Any] = {name: {} for name in QUASI} | {"age": {"kind": "number"}}
    schema = {"columns": columns, "others": "insensitive"}
    yield "anonymize", adult, lambda: sf.anonymize(adult, schema, k=5)
    genome = text_of("dna.txt.zst", 1_000_000).strip()
    secret = [genome[i : i + 11] for i in range(0, 5000, 250)]
    yield "sanitize", genome, lambda: sf.sanitize(genome, secret, length=11, tau=20)


def main() -> None:
    warnings.simplefilter("ignore", UserWarning)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=150)
    rows = []
    for title, original, work in (*texts(parser.parse_args().people), *others()):
        release = work()
        sf.verify(original, release)  # what is read once is read
        share = ratio(lambda o=original, r=release: sf.verify(o, r), work)
        rows.append({"verb": title, "verification / verb": f"{share:.2f}"})
        print(rows[-1], flush=True)
    record(
        "verify_shares",
        rows,
        part="Whole commands",
        title="Verification beside the method",
        note="""CPU time of the check over that of the verb, on posts of bloggers, 5,000 rows of
        Adult and a million bases; the best of five each. Lists, ontologies and spans were read
        before.""",
    )


if __name__ == "__main__":
    main()
