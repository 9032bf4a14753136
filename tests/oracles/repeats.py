"""L(p) by the definition: count the places, or the labels, of every substring."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def suffix_array(codes: Sequence[int]) -> list[int]:
    """All suffixes, sorted; a proper prefix comes first."""
    return sorted(range(len(codes)), key=lambda p: list(codes[p:]))


def plcp(codes: Sequence[int]) -> list[int]:
    """The common prefix of each suffix and the one sorted before it; a break (0) equals nothing."""
    order = suffix_array(codes)
    result = [0] * len(codes)
    for before, p in itertools.pairwise(order):
        length = 0
        while p + length < len(codes) and before + length < len(codes):
            if codes[p + length] != codes[before + length] or codes[p + length] == 0:
                break
            length += 1
        result[p] = length
    return result


def places(codes: Sequence[int], start: int, stop: int) -> list[int]:
    """Every position at which codes[start:stop] occurs."""
    length = stop - start
    substring = list(codes[start:stop])
    return [p for p in range(len(codes) - length + 1) if list(codes[p : p + length]) == substring]


def repeat_lengths(
    codes: Sequence[int],
    k: int,
    labels: Sequence[int] | None = None,
    ends: Sequence[int] = (),
) -> list[int]:
    """For each p the longest break-free codes[p : p+L] with k places, or k distinct labels."""
    result = []
    for p in range(len(codes)):
        longest = 0
        for stop in range(p + 1, len(codes) + 1):
            if codes[stop - 1] == 0:
                break
            found = places(codes, p, stop)
            if labels is not None:
                found = [labels[sum(end < q for end in ends)] for q in found]
                found = list(set(found))
            if len(found) >= k:
                longest = stop - p
        result.append(longest)
    return result
