"""What single words lose under the guarantees of `generalize`, side by side.

    python benchmarks/meanings_guarantees.py [--words 150] [-t 32]

Words of WordNet that are base values, drawn at random, each a text of its own. Told are base
values behind the general word (the geometric mean and the median) and the method's own cost.
"""

from __future__ import annotations

import argparse
import random
import warnings

import numpy as np
from tables import Row, record

import sfumato as sf
from sfumato.methods.meanings.partition import tree_of
from sfumato.ontologies import wordnet


def drawn(count: int, seed: int = 0) -> list[str]:
    """Single words in small letters, of nodes that count as base values."""
    table = wordnet()
    nodes = np.flatnonzero(tree_of(table).counted[False]).tolist()
    first = (table.words(node)[0] for node in random.Random(seed).sample(nodes, 4 * count))
    words = dict.fromkeys(word for word in first if word.isalpha() and word.islower())
    return list(words)[:count]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", type=int, default=150)
    parser.add_argument("-t", type=int, default=32)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    words = drawn(asked.words)
    rows: list[Row] = []
    for guarantee in ("published", "plausible"):
        losses = [
            sf.generalize(word, asked.t, words=[word], guarantee=guarantee).loss for word in words
        ]
        bits = np.array([loss["log2_base_texts"] for loss in losses])
        rows.append(
            {
                "guarantee": guarantee,
                "base values, geometric mean": float(2 ** bits.mean()),
                "base values, median": float(2 ** np.median(bits)),
                "cost, mean": float(np.mean([loss["cost"] for loss in losses])),
            }
        )
    record(
        "meanings_guarantees",
        rows,
        part="generalize",
        title="What single words lose under each guarantee",
        note=f"{len(words)} random words of WordNet, each a text of its own, t = {asked.t}.",
        command=f"python benchmarks/meanings_guarantees.py --words {asked.words} -t {asked.t}",
    )


if __name__ == "__main__":
    main()
