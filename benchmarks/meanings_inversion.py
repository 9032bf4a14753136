"""Undoing `generalize` by running it on every word: WordNet's leaves as texts of one word.

    python benchmarks/meanings_inversion.py [--t 32 2]

Every word of WordNet is a text with one marked word. Two texts that are published alike are base
texts of each other; a leaf is exposed when fewer than t meanings are published as it is.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections import defaultdict

from tables import Row, record

import sfumato as sf
from sfumato.core.spans import Span
from sfumato.ontologies import key_of, wordnet


def main() -> None:
    """Records what is found for every t."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--t", type=int, nargs="+", default=[32, 2])
    rows = [row for t in parser.parse_args().t for row in inverted(t)]
    record(
        "meanings_inversion",
        rows,
        part="generalize",
        title="Undoing `generalize` by running it on every word of WordNet",
        note="""Every word is a text of its own; texts that are published alike are base texts of
        each other. `plausible` cannot generalise words with nothing above them: they are left
        out.""",
    )


def inverted(t: int) -> list[Row]:
    """Both guarantees on every word, counted."""
    warnings.simplefilter("ignore")
    rows: list[Row] = []
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
        rows.append(
            {
                "guarantee": guarantee,
                "t": t,
                "words": len(words),
                "leaves": len(leaves),
                "fewest meanings behind a text": least,
                "leaves with fewer than t": few,
                "of all leaves %": 100 * few / len(leaves),
                "leaves below the general word, mean": sum(volumes) / len(volumes),
                "CPU s": spent,
            }
        )
    return rows


if __name__ == "__main__":
    main()
