"""Makes the package's WordNet table, irregular nouns and licence from Debian's wordnet-base.

    apt-get install wordnet-base
    python tools/make_wordnet_table.py [--source /usr/share/wordnet] [--target DIRECTORY]

The same source gives the same bytes.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from sfumato.ontologies.build import build_sections
from sfumato.ontologies.file import read_table, write_table
from sfumato.ontologies.protocol import key_of
from sfumato.ontologies.readings import write_sure
from sfumato.ontologies.wordnet import DATA

NAME = "WordNet 3.0 nouns"


def lines(path: Path) -> Iterator[str]:
    """The lines of a WordNet file without the licence at its head."""
    with path.open(encoding="ascii") as stream:
        yield from (line for line in stream if not line.startswith("  "))


def synsets(source: Path) -> tuple[list[list[str]], list[list[int]], dict[str, int]]:
    """The words and the hypernyms (instances' too) of every noun synset; offset -> number."""
    rows = [line.partition(" | ")[0].split() for line in lines(source / "data.noun")]
    numbers = {row[0]: number for number, row in enumerate(rows)}
    words, parents = [], []
    for row in rows:
        count = int(row[3], 16)
        words.append([row[4 + 2 * i].replace("_", " ") for i in range(count)])
        pointers = row[5 + 2 * count :]
        above = [
            numbers[pointers[i + 1]]
            for i in range(0, len(pointers), 4)
            if pointers[i] in ("@", "@i") and pointers[i + 2] == "n"
        ]
        parents.append(list(dict.fromkeys(above)))
    return words, parents, numbers


def senses(source: Path, numbers: dict[str, int]) -> dict[str, list[int]]:
    """The synsets of every key in WordNet's order; lemmas that share a key take turns."""
    ranked: dict[str, list[tuple[int, str, int]]] = defaultdict(list)
    for line in lines(source / "index.noun"):
        fields = line.split()
        for rank, offset in enumerate(fields[-int(fields[2]) :]):
            ranked[key_of(fields[0])].append((rank, fields[0], numbers[offset]))
    return {
        key: list(dict.fromkeys(node for _, _, node in sorted(some)))
        for key, some in ranked.items()
    }


def rarely_nouns(source: Path) -> set[str]:
    """Keys that WordNet's own counts show as verb, adjective or adverb more often than as noun."""
    counts: Counter[tuple[str, bool]] = Counter()
    for line in lines(source / "cntlist.rev"):
        sense, _, count = line.split()
        lemma, _, rest = sense.partition("%")
        counts[key_of(lemma), rest.startswith("1")] += int(count)
    others = {
        key_of(line.split(" ", 1)[0])
        for part in ("verb", "adj", "adv")
        for line in lines(source / f"index.{part}")
    }
    return {key for key in others if counts[key, False] >= counts[key, True]}


def licence(source: Path) -> str:
    """The licence at the head of the data file, without its line numbers."""
    with (source / "data.noun").open(encoding="ascii") as stream:
        head = [line.rstrip() for line in stream if line.startswith("  ")]
    return "\n".join(line.lstrip().partition(" ")[2].rstrip() for line in head) + "\n"


def make(source: Path, target: Path) -> None:
    """Writes wordnet.table, irregular_nouns.txt, LICENSE-wordnet.txt and wordnet.sure."""
    words, parents, numbers = synsets(source)
    sections = build_sections(
        words,
        parents,
        senses=senses(source, numbers),
        not_nouns=rarely_nouns(source),
        levels=True,
    )
    target.mkdir(parents=True, exist_ok=True)
    write_table(target / "wordnet.table", NAME, sections)
    irregular = "".join(line for line in lines(source / "noun.exc") if "_" not in line)
    (target / "irregular_nouns.txt").write_text(irregular, "ascii")
    (target / "LICENSE-wordnet.txt").write_text(licence(source), "ascii")
    write_sure(target / "wordnet.sure", read_table(target / "wordnet.table"))


def main() -> None:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--target", type=Path, default=DATA)
    arguments = parser.parse_args()
    make(arguments.source, arguments.target)


if __name__ == "__main__":
    main()
