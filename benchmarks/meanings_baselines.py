"""Words made general against words removed: t-plausibility beside k-anonymity and ERASE.

    python benchmarks/meanings_baselines.py [--draws 5]

Documents of 20 sensitive words, random leaves of WordNet (those of `meanings_experiments.py`), and
20 words that are not sensitive. `t-plausibility`: at least t texts could have been the original,
equally spread over the words (the exact search). `k-anonymity`: every sensitive word by itself has
k possible originals. ERASE removes the fewest words so that K entities of a database fit what is
left; here an entity is a leaf, known by its own word and the words above it, so that a leaf's word
fits one entity, and whatever K is, sensitive words are removed, never made general. `texts` is
log2 of how many texts could have been the original (for removed words: any leaf), `fewest for a
word` the smallest number of originals of one word. Cosine with the original document; the paper
divides by the original's norm. Words that stand for more than 1,000 meanings tell next to nothing.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

from meanings_experiments import ALPHA, draw_words
from tables import record

from sfumato.methods.meanings.exact import exact_uniform
from sfumato.metrics.meanings import similarity
from sfumato.ontologies import wordnet

if TYPE_CHECKING:
    from sfumato.methods.meanings.ladders import Ladder

WORDS, OTHERS, GENERAL = 20, 20, 1000


def by_plausibility(ladders: Sequence[Ladder], t: int) -> list[int]:
    levels = exact_uniform(ladders, math.log2(t), ALPHA)
    assert levels is not None
    return [ladder.volumes[level] for ladder, level in zip(ladders, levels, strict=True)]


def by_word(ladders: Sequence[Ladder], k: int) -> list[int]:
    """Every word becomes the nearest one above it with k leaves."""
    return [next(volume for volume in ladder.volumes if volume >= k) for ladder in ladders]


def measured(volumes: Sequence[int], leaves: int) -> dict[str, float]:
    """What is left of a document; a volume of 0 is a word removed."""
    alike = similarity([1] * OTHERS, [(1, volume) for volume in volumes])
    candidates = [volume or leaves for volume in volumes]
    return {
        "cosine": alike.cosine,
        "cosine as the paper has it": alike.paper,
        "texts (log2)": math.fsum(map(math.log2, candidates)),
        "fewest for a word": float(min(candidates)),
        "words left as they are": fmean(volume == 1 for volume in volumes),
        "words removed or too general": fmean(not 0 < volume <= GENERAL for volume in volumes),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=5)
    given = parser.parse_args()
    table = wordnet()
    leaves = sum(not table.children(node) for node in range(len(table)))
    documents = [draw_words(seed)[:WORDS] for seed in range(given.draws)]
    methods: list[tuple[str, Any]] = [
        *(
            (f"t-plausibility, t = {t:,}", (by_plausibility, t))
            for t in (1024, 4096, 16_384, 2**40)
        ),
        *((f"k-anonymity of each word, k = {k}", (by_word, k)) for k in (2, 4, 16, 64)),
        ("ERASE, any K", (lambda ladders, _: [0] * len(ladders), 0)),
    ]
    rows = []
    for name, (method, parameter) in methods:
        found = [measured(method(ladders, parameter), leaves) for ladders in documents]
        rows.append({"method": name} | {key: fmean(one[key] for one in found) for key in found[0]})
    record(
        "meanings_baselines",
        rows,
        part="generalize",
        title="t-plausibility beside k-anonymity of words and ERASE",
        note=f"""Means of {given.draws} documents of {WORDS} sensitive words and {OTHERS} more. The
        paper says that its method does well against both and leaves the figures to a report that
        is not among our sources. t = 2^40 is four originals for each word.""",
    )


if __name__ == "__main__":
    main()
