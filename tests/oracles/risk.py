"""Minimal sample uniques and SUDA scores by their definition."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import prod


def scores(rows: Sequence[tuple[int, ...]], most: int) -> list[float]:
    """Of every row the sum over its minimal unique sets of columns of up to `most` columns."""
    width = len(rows[0]) if rows else 0
    most = min(most, width)
    result = []
    for row in rows:
        score = 0.0
        for size in range(1, most + 1):
            for chosen in combinations(range(width), size):
                if is_alone(rows, row, chosen) and not any(
                    is_alone(rows, row, part)
                    for less in range(1, size)
                    for part in combinations(chosen, less)
                ):
                    score += prod(max(width - i, 1) for i in range(size, most))
        result.append(score)
    return result


def is_alone(
    rows: Sequence[tuple[int, ...]], row: tuple[int, ...], chosen: tuple[int, ...]
) -> bool:
    """Whether nobody else has the row's values in these columns."""
    return sum(all(other[i] == row[i] for i in chosen) for other in rows) == 1
