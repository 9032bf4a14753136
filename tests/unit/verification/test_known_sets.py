"""Sets of items that people of a class show, counted by the definition."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import polars as pl
import pytest

from sfumato.verification import known_sets


def counted(shown, size):
    """How many people of a class show each set."""
    return Counter(
        (group, some)
        for group, items in shown
        for some in itertools.combinations(sorted(items), size)
    )


@pytest.mark.parametrize("most", [1, 5, 4_000_000])
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_every_set_that_somebody_shows_is_counted_once(size, most, monkeypatch):
    monkeypatch.setattr(known_sets, "MOST_ROWS", most)  # listed in many parts, or in one
    chance, tried = random.Random(size), 0
    for _ in range(25):
        shown = [
            (chance.randrange(2), set(chance.sample(range(7), chance.randint(0, 5))))
            for _ in range(chance.randint(1, 6))
        ]
        rows = [
            (group, owner, item)
            for owner, (group, items) in enumerate(shown)
            for item in sorted(items)
        ]
        kinds = {"class": pl.Int64, "owner": pl.Int64, "item": pl.Int64}
        table = pl.DataFrame(rows, schema=kinds, orient="row")
        found = Counter()
        for part in known_sets.set_counts(table, size):
            names = [name for name in part.columns if name.startswith("item")]
            assert len(names) == size
            for row in part.iter_rows(named=True):
                some = tuple(row[name] for name in names)
                assert (row["class"], some) not in found  # no set in two parts
                found[row["class"], some] = row["people"]
                group, items = shown[row["owner"]]
                assert group == row["class"]
                assert set(some) <= items
        assert found == counted(shown, size)
        tried += len(found)
    assert tried > 20
