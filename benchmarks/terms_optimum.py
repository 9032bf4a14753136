"""How near the groups of `published` come to the fewest stars: brute force, integer programs.

python benchmarks/terms_optimum.py
"""

from __future__ import annotations

import random
import sys
import time
from itertools import combinations
from pathlib import Path

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array
from tables import Row, record

import sfumato as sf

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from oracles.terms import fewest_stars


def patterns_of(terms: list[str], k: int) -> list[tuple[list[int], int]]:
    """Every closed pattern that k terms match: which they are, and its stars."""
    codes = np.array([[ord(letter) for letter in term] for term in terms])
    found: dict[tuple[int, ...], int] = {}
    for kept in range(codes.shape[1] + 1):
        for places in combinations(range(codes.shape[1]), kept):
            alike: dict[bytes, list[int]] = {}
            for i, row in enumerate(codes[:, list(places)]):
                alike.setdefault(row.tobytes(), []).append(i)
            for some in alike.values():
                if len(some) >= k:
                    same = (codes[some] == codes[some[0]]).all(0)
                    found[tuple(some)] = int((~same).sum())
    return [(list(some), stars) for some, stars in found.items()]


def by_program(terms: list[str], k: int, seconds: float) -> tuple[float, float]:
    """The fewest stars as an integer program finds them, and its bound.

    Every term is covered by one pattern; a pattern that is taken covers at least k.
    """
    patterns = patterns_of(terms, k)
    covers = [(i, p) for p, (some, _) in enumerate(patterns) for i in some]
    size, taken = len(covers), len(patterns)
    entries: list[tuple[int, int, float]] = []
    low, high = [1.0] * len(terms), [1.0] * len(terms)
    for x, (i, p) in enumerate(covers):
        row = len(low)
        entries += [(i, x, 1.0), (row, x, 1.0), (row, size + p, -1.0)]
        low.append(-np.inf)
        high.append(0.0)
    first = len(low)
    entries += [(first + p, x, 1.0) for x, (_, p) in enumerate(covers)]
    entries += [(first + p, size + p, -float(k)) for p in range(taken)]
    low += [0.0] * taken
    high += [np.inf] * taken
    rows, columns, values = zip(*entries, strict=True)
    table = coo_array((values, (rows, columns)), shape=(len(low), size + taken)).tocsr()
    cost = np.array([patterns[p][1] for _, p in covers] + [0] * taken, float)
    found = milp(
        cost,
        constraints=LinearConstraint(table, low, high),
        integrality=np.array([0] * size + [1] * taken),
        bounds=Bounds(0, 1),
        options={"time_limit": seconds},
    )
    return found.fun, found.mip_dual_bound


def larger() -> list[Row]:
    """Lists of up to a few hundred terms beside the integer program."""
    rows: list[Row] = []
    for letters, length, size, k in (
        ("abc", 5, 40, 2),
        ("abcd", 5, 100, 3),
        ("abcdefgh", 6, 200, 2),
        ("abcdefgh", 4, 200, 5),
        ("abcdefghijkl", 6, 300, 3),
    ):
        chance, terms = random.Random(0), set()
        while len(terms) < size:
            terms.add("".join(chance.choices(letters, k=length)))
        words = sf.TermDictionary(terms)
        start = time.process_time()
        stars = sum(words.publish(term, k).count("*") for term in terms)
        seconds = time.process_time() - start
        fewest, bound = by_program(sorted(terms), k, 30)
        rows.append(
            {
                "terms": size,
                "length": length,
                "letters": len(letters),
                "k": k,
                "stars": stars,
                "program": round(fewest),
                "program's bound": round(bound, 1),
                "over the bound": stars / bound,
                "CPU s": round(seconds, 2),
            }
        )
    return rows


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
    record(
        "terms_program",
        larger(),
        part="redact",
        title="Stars of `published` beside an integer program, on lists of up to 300 terms",
        note="HiGHS, 30 seconds at most. No groups have fewer stars than its bound.",
    )


if __name__ == "__main__":
    main()
