"""Who has 20 words of somebody's text lays them on the release: lengths of stars tell the place.

    python benchmarks/suppress_lengths.py [notes|meddocan|medline ...] [--people 300]

An attacker knows 20 words in a row of a person's text and looks for the places of the release where
every legible word is the same, and every starred one as long. Prints how many of 100 people are
found: one person alone has such a place, and it is the right one. Figures only, no text.
"""

from __future__ import annotations

import argparse
import random
import re
import warnings
from collections import defaultdict

from judging_stars import texts_of
from tables import Row, record

import sfumato as sf

WORD = re.compile(r"\w+|★+")
KNOWN, FIRST = 20, 5


def found(texts: list[str], shown: list[str], people: list[object], draws: random.Random) -> float:
    words = [WORD.findall(text) for text in texts]
    released = [WORD.findall(text) for text in shown]
    places = defaultdict(list)  # by the lengths of the first words, which stars show too
    for d, some in enumerate(released):
        sizes = [len(word) for word in some]
        for at in range(len(some) - KNOWN + 1):
            places[tuple(sizes[at : at + FIRST])].append((d, at))
    asked = [d for d in range(len(texts)) if len(words[d]) >= KNOWN]
    draws.shuffle(asked)
    asked, right = asked[:100], 0
    for d in asked:
        start = draws.randrange(len(words[d]) - KNOWN + 1)
        known = words[d][start : start + KNOWN]
        owners = {
            people[e]
            for e, at in places[tuple(len(word) for word in known[:FIRST])]
            if all(
                b == a or (b[0] == "★" and len(a) == len(b))
                for a, b in zip(known, released[e][at : at + KNOWN], strict=True)
            )
        }
        right += owners == {people[d]}
    return right / len(asked)


def main() -> None:
    warnings.simplefilter("ignore", UserWarning)
    parser = argparse.ArgumentParser()
    parser.add_argument("data", nargs="*", default=["notes", "meddocan", "medline"])
    parser.add_argument("--people", type=int, default=300)
    asked = parser.parse_args()
    rows: list[Row] = []
    for name in asked.data:
        texts, groups = texts_of(name, asked.people)
        texts, groups = texts[: asked.people], groups and groups[: asked.people]
        people: list[object] = list(groups or range(len(texts)))
        for title, options in (
            ("raw", None),
            ("strict=False", {"strict": False}),
            ("default", {}),
        ):
            shown = texts
            if options is not None:
                shown = sf.suppress(texts, 5, groups=groups, **options).data  # type: ignore[call-overload]
            share = found(texts, shown, people, random.Random(1))
            rows.append({"texts": name, "release": title, "people found": f"{share:.2f}"})
            print(rows[-1], flush=True)
    record(
        "suppress_lengths",
        rows,
        part="Attacks",
        title="Laying 20 known words on the release",
        note=f"""The attacker looks for the places where every legible word is the same and every
        starred one as long. The first {asked.people} texts, k = 5; 100 people are looked for.""",
    )


if __name__ == "__main__":
    main()
