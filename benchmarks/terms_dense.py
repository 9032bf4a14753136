"""Texts full of listed terms: what is hidden where terms overlap, at what cost, and what is left.

    python benchmarks/terms_dense.py

SFUMATO_DATA has ja_terms.tsv.zst, aozora_ja.txt.zst and notes.jsonl.zst; prints figures, no text.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections import Counter

from tables import Row, record, text_of

import sfumato as sf
from sfumato.attacks.terms import rerun

K, PLACES, MASK = 5, 200, "\u2588"
STRING, STARRED, SHARED, OVER = (
    "quasi-identifier",
    "starred whole: too few terms could stand there as its string",
    "too few terms could stand there as its string",
    "overlaps a replaced term",
)


def japanese(size: int) -> tuple[list[str], list[str]]:
    """The beginnings of literary works, and a sample of the list of terms."""
    listed = [line.split("\t")[0] for line in text_of("ja_terms.tsv.zst").splitlines() if line]
    works = re.split(r"<<<DOC [^>]*>>>\n", text_of("aozora_ja.txt.zst"))[1:]
    return [work[:20_000] for work in works[:20]], random.Random(1).sample(listed, size)


def english() -> tuple[list[str], list[str]]:
    """Clinical notes, and their own quasi-identifiers."""
    notes = [json.loads(line) for line in text_of("notes.jsonl.zst").splitlines()]
    spans = (span for note in notes for span in note["spans"] if span["id_type"] == "QUASI")
    return [note["text"] for note in notes], sorted({span["text"] for span in spans})


def measured(name: str, texts: list[str], listed: list[str]) -> Row:
    words = sf.TermDictionary(listed)
    sf.redact(texts[:1], words, K, mask=MASK)
    start = time.process_time()
    release = sf.redact(texts, words, K, mask=MASK)
    seconds = time.process_time() - start
    why = Counter(change.reason for change in release.changes)
    found = rerun(release, PLACES)
    return {
        "list and text": name,
        "letters": sum(map(len, texts)),
        "CPU s": round(seconds, 2),
        "redacted share": release.loss["redacted_share"],
        "as their string": why[STRING],
        "starred whole": why[STARRED],
        "marks": why[SHARED],
        "overlaps": why[OVER],
        "places run again": found.places,
        "under k": found.exposed,
        "fewest candidates": found.fewest,
    }


def main() -> None:
    rows = [measured("300,000 Japanese terms, literature", *japanese(300_000))]
    rows.append(measured("1,000,000 Japanese terms, literature", *japanese(1_000_000)))
    rows.append(measured("quasi-identifiers of clinical notes", *english()))
    record(
        "terms_dense",
        rows,
        part="redact",
        title="Texts full of listed terms: what is hidden, at what cost, what an attack finds",
        note=f"""k = {K}. An attacker puts every term that may have stood there into {PLACES} places
        and runs the method again; under k are those where fewer than k give the same release.""",
    )


if __name__ == "__main__":
    main()
