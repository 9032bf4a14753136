"""Undoing `generalize` by running it on every word: WordNet's leaves as texts of one word.

    python benchmarks/meanings_inversion.py [--t 32]

Every word of WordNet is a text with one marked word. Two texts that are published alike are base
texts of each other; a leaf is exposed when fewer than t meanings are published as it is.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections import defaultdict

import sfumato as sf
from sfumato.core.spans import Span
from sfumato.ontologies import key_of, wordnet


def main() -> None:
    """Runs both guarantees on every word and counts."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--t", type=int, default=32)
    t = parser.parse_args().t
    warnings.simplefilter("ignore")
    table = wordnet()
    leaves = [node for node in range(len(table)) if not table.children(node)]
    words = sorted({word for node in range(len(table)) for word in table.words(node)})
    for guarantee in ("published", "plausible"):
        if guarantee == "plausible":  # which cannot generalise what has nothing above it
            words = [word for word in words if all(map(table.parents, table.senses(key_of(word))))]
        places = [Span(i, 0, len(word)) for i, word in enumerate(words)]
        start = time.process_time()
        release = sf.generalize(words, t=t, words=places, guarantee=guarantee, sense="first")
        spent = time.process_time() - start
        meant = {mark[0]: mark[3] for mark in release.sides.marks}
        sharers: dict[str, set[int]] = defaultdict(set)
        for i, text in enumerate(release.data):
            sharers[text].add(meant[i])
        number = {word: i for i, word in enumerate(words)}
        counts = [len(sharers[release.data[number[table.words(leaf)[0]]]]) for leaf in leaves]
        general = {mark[3]: mark[4] for mark in release.sides.marks if mark[3] >= 0}
        volumes = [table.leaves(above) for above in general.values()]
        few = sum(count < t for count in counts)
        least = min(map(len, sharers.values()))
        print(
            f"{guarantee}: {len(leaves):,} leaves, {len(words):,} words run in {spent:.0f} CPU s; "
            f"fewest meanings behind a text {least}, leaves with fewer than {t}: {few:,} "
            f"({few / len(leaves):.1%}); mean leaves below the general word "
            f"{sum(volumes) / len(volumes):.0f}"
        )


if __name__ == "__main__":
    main()
