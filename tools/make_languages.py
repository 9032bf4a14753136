"""Makes the table by which `recognizer("auto")` tells languages apart.

    pip install wordfreq==3.1.1
    python tools/make_languages.py [--target FILE]

How often three letters follow each other in the 20,000 commonest words of each language (wordfreq;
its data CC BY-SA 4.0). The same version gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from importlib import import_module
from importlib.metadata import version
from math import log
from pathlib import Path

from sfumato.recognizers.told_language import FILE, LANGUAGES

WORDS, TRIGRAMS = 20_000, 700
WORDFREQ = "3.1.1"


def trigrams(language: str) -> Counter[str]:
    """How often three letters stand together in a language; a blank stands at a word's ends."""
    wordfreq = import_module("wordfreq")
    counts: Counter[str] = Counter()
    for word in wordfreq.top_n_list(language, WORDS):
        if not word.isalpha():
            continue
        often = wordfreq.word_frequency(word, language)
        padded = f" {word} "
        for at in range(len(padded) - 2):
            counts[padded[at : at + 3]] += often
    return counts


def table() -> dict[str, list[int]]:
    """For each trigram, a tenth of a nat: how likely it is in each language."""
    counts = {language: trigrams(language) for language in LANGUAGES}
    chosen: set[str] = set()
    for one in counts.values():
        ranked = sorted(one, key=lambda gram: (-one[gram], gram))
        chosen.update(ranked[:TRIGRAMS])
    totals = {language: sum(one.values()) for language, one in counts.items()}
    return {
        gram: [
            round(10 * log(counts[language][gram] / totals[language] + 1e-6))
            for language in LANGUAGES
        ]
        for gram in sorted(chosen)
    }


def main() -> None:
    """Writes the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", type=Path, default=FILE)
    if version("wordfreq") != WORDFREQ:
        raise SystemExit(f"expected wordfreq {WORDFREQ}: pip install wordfreq=={WORDFREQ}")
    content = json.dumps(
        {"languages": LANGUAGES, "trigrams": table()}, ensure_ascii=False, separators=(",", ":")
    )
    parser.parse_args().target.write_text(content + "\n", "utf-8")


if __name__ == "__main__":
    main()
