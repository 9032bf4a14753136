"""How near the groups of `published` come to the fewest stars, by brute force on small lists.

python benchmarks/terms_optimum.py
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import sfumato as sf

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from oracles.terms import fewest_stars


def main() -> None:
    for letters, length, size, k in (
        ("ab", 5, 10, 2),
        ("abc", 4, 11, 2),
        ("abc", 4, 11, 3),
        ("abcd", 5, 12, 3),
        ("abcdefgh", 3, 12, 4),
    ):
        chance = random.Random(0)
        found = best = bound = everything = optimal = 0
        lists = 60
        for _ in range(lists):
            terms = set()
            while len(terms) < size:
                terms.add("".join(chance.choices(letters, k=length)))
            words = sf.TermDictionary(terms)
            stars = {
                guarantee: sum(words.publish(term, k, guarantee).count("*") for term in terms)
                for guarantee in ("published", "matching")
            }
            fewest = fewest_stars(sorted(terms), k)
            found, best = found + stars["published"], best + fewest
            bound, everything = bound + stars["matching"], everything + size * length
            optimal += stars["published"] == fewest
        print(f"{size} terms of {length} letters of {letters}, k={k}: {found / best:.3f} times the "
              f"optimum, optimal in {optimal} of {lists} lists; bound/optimum {bound / best:.3f}; "
              f"starring everything {everything / best:.2f} times")  # fmt: skip


if __name__ == "__main__":
    main()
