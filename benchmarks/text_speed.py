"""How fast the text kernels are, beside CPython's own UTF-8 encoder in the same run.

    python benchmarks/text_speed.py [collection.txt.zst]

Prints CPU seconds, million symbols a second, and how often the encoder could have run meanwhile.
Without a collection the text is made up.
"""

from __future__ import annotations

import random
import re
import resource
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import zstandard
from tables import DATA, Row, record

from sfumato.kernels import text

if TYPE_CHECKING:
    from collections.abc import Callable


def collection(name: str) -> list[str]:
    """The documents of a file, or of one of the collections of SFUMATO_DATA."""
    with zstandard.open(
        name if Path(name).exists() else DATA / name, "rt", encoding="utf-8"
    ) as file:
        content = file.read()
    return re.split(r"<<<DOC [^>]*>>>\n", content)[1:]


def made_up(size: int = 20_000_000) -> list[str]:
    chance = random.Random(0)
    letters = "eeettaaoinshrdlu"
    words = ["".join(chance.choices(letters, k=chance.randint(1, 9))) for _ in range(20_000)]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    return [" ".join(chance.choices(words, weights, k=1000)) + "." for _ in range(size // 6000)]


def words_starred(texts: list[str], share: float) -> np.ndarray:
    """Whole words under stars, chosen at random."""
    tokens = text.token_starts(texts, "word")
    chosen = tokens.words & (np.random.default_rng(0).random(len(tokens.words)) < share)
    return np.repeat(chosen, np.diff(tokens.starts)).astype(np.uint8)


def main() -> None:
    texts = collection(sys.argv[1]) if sys.argv[1:] else made_up()
    symbols = sum(map(len, texts))
    labels = np.arange(len(texts), dtype=np.int32)
    encoded = text.encode(texts)
    tokens = text.token_starts(texts, "word")
    stars = words_starred(texts, 0.1)
    single = (np.random.default_rng(0).random(len(encoded.codes)) < 0.05) & (encoded.codes > 0)
    work: dict[str, Callable[[], object]] = {
        "str.encode (the reference)": lambda: [one.encode("utf-8", "replace") for one in texts],
        "encode": lambda: text.encode(texts),
        "encode, labels": lambda: text.encode(texts, at_least=5, labels=labels),
        "token_starts, word": lambda: text.token_starts(texts, "word"),
        "token_starts, grapheme": lambda: text.token_starts(texts, "grapheme"),
        "number_tokens": lambda: text.number_tokens(texts, tokens, only_words=True),
        "number_tokens, labels": lambda: text.number_tokens(
            texts, tokens, only_words=True, at_least=5, labels=labels
        ),
        "mask_texts": lambda: text.mask_texts(texts, stars, "★", False),
        "star_runs": lambda: text.star_runs(stars, encoded.ends),
        "visible_symbols": lambda: text.visible_symbols(texts, " .,;"),
        "guess_rate, words starred": lambda: text.guess_rate(encoded.codes, stars),
        "guess_rate, single stars": lambda: text.guess_rate(encoded.codes, single),
    }
    reference = 0.0
    rows: list[Row] = []
    for name, run in work.items():
        start = time.process_time()
        run()
        seconds = time.process_time() - start
        reference = reference or seconds
        rows.append({
            "what": name,
            "CPU s": seconds,
            "million symbols a second": symbols / seconds / 1e6,
            "times the encoder": seconds / reference,
        })  # fmt: skip
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    record(
        "text_speed",
        rows,
        part="suppress",
        title="Text kernels beside CPython's UTF-8 encoder",
        note=f"""{len(texts):,} documents, {symbols:,} symbols, {encoded.symbols:,} codes;
        {peak:,.0f} MB at most in memory.""",
        command=" ".join(
            ["python benchmarks/text_speed.py", *(Path(one).name for one in sys.argv[1:])]
        ),
    )


if __name__ == "__main__":
    main()
