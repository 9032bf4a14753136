"""How near the groups of `published` come to the fewest stars, by brute force on small lists.

python benchmarks/terms_optimum.py
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from tables import record

import sfumato as sf

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from oracles.terms import fewest_stars


def main() -> None:
    rows = []
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
        rows.append(
            {
                "terms": size,
                "length": length,
                "letters": len(letters),
                "k": k,
                "stars over the fewest": found / best,
                "optimal lists": f"{optimal} of {lists}",
                "bound over the fewest": bound / best,
                "everything starred over the fewest": everything / best,
            }
        )
    record(
        "terms_optimum",
        rows,
        part="redact",
        title="Stars of `published` beside the fewest there are, by brute force on small lists",
        note="The bound is the stars of `matching`, as `list_stars_over_bound` reports it.",
    )


if __name__ == "__main__":
    main()
