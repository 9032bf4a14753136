"""Covers by their definitions: all masks are tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product


def stretches(stars: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The maximal legible stretches, half open."""
    start = 0
    for stop in range(len(stars) + 1):
        if stop == len(stars) or stars[stop]:
            if start < stop:
                yield start, stop
            start = stop + 1


def stripped(start: int, stop: int, kept: Sequence[int]) -> tuple[int, int]:
    """The stretch without kept symbols at its ends."""
    while start < stop and kept[start]:
        start += 1
    while stop > start and kept[stop - 1]:
        stop -= 1
    return start, stop


def is_valid(
    stars: Sequence[int], lengths: Sequence[int], kept: Sequence[int], min_run: int
) -> bool:
    """Every stretch, stripped of kept symbols, is a k-repeat of at least min_run symbols."""
    if any(star and keep for star, keep in zip(stars, kept, strict=True)):
        return False
    for start, stop in stretches(stars):
        start, stop = stripped(start, stop, kept)
        if start < stop and not (stop - start <= lengths[start] and stop - start >= min_run):
            return False
    return True


def runs_of_stars(stars: Sequence[int], kept: Sequence[int]) -> int:
    """How many runs the stars form when kept symbols are passed over."""
    marks = [star for star, keep in zip(stars, kept, strict=True) if not keep]
    return sum(1 for i, mark in enumerate(marks) if mark and (i == 0 or not marks[i - 1]))


def masks(tokens: Sequence[int], kept: Sequence[int]) -> Iterator[list[int]]:
    """Every way of starring whole tokens, kept symbols excepted."""
    pieces = list(pairwise(tokens))
    for choice in product((0, 1), repeat=len(pieces)):
        stars = [0] * tokens[-1]
        for starred, (start, stop) in zip(choice, pieces, strict=True):
            for p in range(start, stop):
                stars[p] = int(starred and not kept[p])
        yield stars


def fewest(
    lengths: Sequence[int],
    tokens: Sequence[int],
    kept: Sequence[int],
    min_run: int = 1,
    run_price: int = 0,
) -> int:
    """The least cost (stars, and a price for each run of them) of any valid mask."""
    return min(
        sum(stars) + run_price * runs_of_stars(stars, kept)
        for stars in masks(tokens, kept)
        if is_valid(stars, lengths, kept, min_run)
    )


def longest_first(lengths: Sequence[int], min_run: int = 1) -> list[int]:
    """Algorithm 2 of the paper over single symbols."""
    n = len(lengths)
    regions = [
        (p, p + lengths[p])
        for p in range(n)
        if lengths[p] > 0 and (p == 0 or p + lengths[p] > p - 1 + lengths[p - 1])
    ]
    kept = [False] * n
    for start, stop in sorted(regions, key=lambda region: (region[0] - region[1], region[0])):
        if stop - start < min_run:
            continue
        if (start == 0 or not kept[start - 1]) and (stop == n or not kept[stop]):
            kept[start:stop] = [True] * (stop - start)
    return [int(not flag) for flag in kept]
