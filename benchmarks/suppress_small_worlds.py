"""Who can rerun the method on every possible input: how many stars are then told for certain.

    python benchmarks/suppress_small_worlds.py

Every collection of three documents of a few words is released. Whoever knows the words of that
world, how many documents there are, and this program, keeps the collections that give the release
at hand. A starred word is told when all of them have the same word there. Prints, for each setting,
the share of stars that are told, over all collections, and the share of words starred.
"""

from __future__ import annotations

import itertools
import warnings
from collections import defaultdict

from tables import Row, record

import sfumato as sf

WORLDS = {"2 words, 3 a document": ("ab", 3), "3 words, 2 a document": ("abc", 2)}
SETTINGS: dict[str, dict[str, object]] = {
    "guess=None": {"guess": None, "strict": False},
    "guess=None, strict=True": {"guess": None, "strict": True},
    "strict=False": {"strict": False},
    "the default": {},
}
DOCUMENTS, K = 3, 2


def told(words: str, size: int, options: dict[str, object]) -> tuple[float, float]:
    """The share of stars that are told, and of words starred."""
    every = [" ".join(some) for some in itertools.product(words, repeat=size)]
    sources: dict[tuple[str, ...], list[tuple[str, ...]]] = defaultdict(list)
    for texts in itertools.product(every, repeat=DOCUMENTS):
        release = sf.suppress(list(texts), K, **options)  # type: ignore[call-overload]
        sources[tuple(release.data)].append(texts)
    stars = certain = shown = 0
    for release_texts, found in sources.items():
        for d, text in enumerate(release_texts):
            # The paper's stars may stand on blanks: places are those of the symbols.
            for i, symbol in enumerate(text):
                if found[0][d][i] == " ":
                    continue
                shown += len(found)
                if symbol == "★":
                    stars += len(found)
                    certain += len(found) * (len({texts[d][i] for texts in found}) == 1)
    return certain / stars, stars / shown


def main() -> None:
    warnings.simplefilter("ignore", UserWarning)
    rows: list[Row] = []
    for title, options in SETTINGS.items():
        row: Row = {"setting": title}
        for name, (words, size) in WORLDS.items():
            certain, starred = told(words, size, options)
            row |= {f"{name}: told": f"{certain:.1%}", f"{name}: starred": f"{starred:.1%}"}
        rows.append(row)
    record(
        "small_worlds",
        rows,
        part="Attacks",
        title="Rerunning suppress on every possible input",
        note="""All collections of three documents of 2 or 3 different words, k = 2. A star is told
        when all inputs that give the same release have the same word there.""",
    )


if __name__ == "__main__":
    main()
