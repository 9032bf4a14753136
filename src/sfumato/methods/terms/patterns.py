"""The anonymization dictionary D: the patterns of a term with both their numbers."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

import numpy as np

from ...core.printed_form import by_sizes
from ...kernels.terms import best_patterns, pattern_matches

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...core.values import Array
    from .term_list import TermList

LONGEST = 20  # of longer terms only the minimal star sets are listed


@dataclass(frozen=True, slots=True)
class Pattern:
    """A term with some characters starred: how many terms match it, how many are starred.

    Paper: a_string, k̂ and r of Table 2.

    >>> Pattern("cr*w", matches=2, redacted=1).text
    'cr*w'
    """

    text: str
    matches: int
    redacted: int


@dataclass(frozen=True, slots=True, eq=False)
class Patterns(Sequence[Pattern]):
    """The patterns of a term of up to 20 characters, over arrays; each is made on access.

    Ordered as in the paper's Table 2: by stars, then matches, then the leftmost kept characters.
    """

    term: str
    kept: NDArray[np.uint32]
    matches: NDArray[np.uint32]
    mask: str = "*"

    __repr__ = by_sizes

    def __len__(self) -> int:
        return len(self.kept)

    @overload
    def __getitem__(self, index: int) -> Pattern: ...
    @overload
    def __getitem__(self, index: slice) -> Patterns: ...
    def __getitem__(self, index: int | slice) -> Pattern | Patterns:
        if isinstance(index, slice):
            return Patterns(self.term, self.kept[index], self.matches[index], self.mask)
        kept, length = int(self.kept[index]), len(self.term)
        text = "".join(
            letter if kept >> (length - 1 - i) & 1 else self.mask
            for i, letter in enumerate(self.term)
        )
        return Pattern(text, int(self.matches[index]), length - kept.bit_count())


@dataclass(frozen=True, slots=True, eq=False)
class LongPatterns(Sequence[Pattern]):
    """The minimal star sets of a long term, found one after another as they are asked for.

    A star set qualifies when enough terms differ from this one inside it alone; a minimal one is
    a union of such differences. Unions are visited from small to large.
    """

    term: str
    differences: tuple[int, ...]  # of every other term of this length: bit i, differs at i
    least: int
    mask: str = "*"

    __repr__ = by_sizes

    def __iter__(self) -> Iterator[Pattern]:
        nearest = sorted(set(self.differences), key=lambda one: (one.bit_count(), one))
        found: list[int] = []
        waiting, seen = [(0, 0)], {0}
        while waiting:
            size, stars = heapq.heappop(waiting)
            if size == len(self.term):
                return  # everything starred is no pattern, nor is anything after it
            if any(stars & one == one for one in found):
                continue
            matches = 1 + sum(one | stars == stars for one in self.differences)
            if matches >= self.least:
                found.append(stars)
                yield self._pattern(stars, matches)
                continue
            for difference in nearest:
                union = stars | difference
                if union not in seen:
                    seen.add(union)
                    heapq.heappush(waiting, (union.bit_count(), union))

    def _pattern(self, stars: int, matches: int) -> Pattern:
        text = "".join(
            self.mask if stars >> i & 1 else letter for i, letter in enumerate(self.term)
        )
        return Pattern(text, matches, stars.bit_count())

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @overload
    def __getitem__(self, index: int) -> Pattern: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Pattern]: ...
    def __getitem__(self, index: int | slice) -> Pattern | Sequence[Pattern]:
        if isinstance(index, int) and index >= 0:
            for i, pattern in enumerate(self):
                if i == index:
                    return pattern
            raise IndexError("no pattern has this number")
        return list(self)[index]


def patterns_of(terms: TermList, number: int, least: int, mask: str) -> Patterns | LongPatterns:
    """Every pattern of a term that at least `least` terms match, with its two numbers.

    Paper: Step 1, S_id and D. Cost: O(M l + l 2^l) up to 20 characters, lazy beyond.
    """
    place, row = terms.place(number)
    columns = terms.classes[place]
    length = columns.shape[0]
    codes = np.ascontiguousarray(columns[:, row])
    term = terms.decoded(codes)
    if length > LONGEST:
        return LongPatterns(term, _differences(columns, codes, row), least, mask)
    counts = pattern_matches(columns, codes)
    kept = np.flatnonzero(counts >= least).astype(np.uint32)
    kept = kept[kept > 0]
    matches = counts[kept]
    order = np.lexsort((-kept.astype(np.int64), matches, -_sizes(length)[kept]))
    return Patterns(term, kept[order], matches[order], mask)


def trade_off(terms: TermList, number: int) -> list[tuple[int, int]]:
    """The numbers of stars that pay, each with the most terms that match so many stars.

    Paper: the trade-off between r and k̂. The last entry has every character starred.
    Cost: as `patterns_of` up to 20 characters; beyond, `best_patterns` for every entry.
    """
    place, row = terms.place(number)
    columns = terms.classes[place]
    length, size = columns.shape
    if length <= LONGEST:
        best = np.zeros(length + 1, np.int64)
        counts = pattern_matches(columns, np.ascontiguousarray(columns[:, row]))
        np.maximum.at(best, length - _sizes(length), counts)
        return [(r, int(best[r])) for r in range(length + 1) if r == 0 or best[r] > best[r - 1]]
    result = [(0, 1)]
    while result[-1][1] < size:  # the next k that the pattern before does not have
        kept, matches = best_patterns(columns, len(terms.alphabet), result[-1][1] + 1)
        result.append((length - int(kept[row].sum()), int(matches[row])))
    return result


def _differences(columns: Array, codes: Array, row: int) -> tuple[int, ...]:
    differs = np.packbits(columns != codes[:, None], axis=0, bitorder="little")
    return tuple(
        int.from_bytes(differs[:, other].tobytes(), "little")
        for other in range(columns.shape[1])
        if other != row
    )


def _sizes(length: int) -> NDArray[np.int64]:
    """How many bits each number below 2^length has."""
    sizes = np.zeros(1 << length, np.int8)
    for bit in range(length):
        sizes[1 << bit : 2 << bit] = sizes[: 1 << bit] + 1
    return sizes.astype(np.int64)
