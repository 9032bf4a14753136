"""From counted repeats to stars: one k or several, counted in the original or in the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from ...kernels import external
from ...kernels.covers import cover
from ...kernels.repeats import SuffixIndex
from ...kernels.spill import spilled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from ...kernels.repeats import Lengths
    from ...kernels.spill import Make
    from . import sequence


@dataclass(frozen=True, slots=True)
class Rules:
    """How stars are laid: which cover, the shortest legible run, the price of a run of stars."""

    how: Literal["fewest", "longest-first"] = "fewest"
    min_run: int = 1
    run_price: int = 0


@dataclass(frozen=True, slots=True)
class Starred:
    """The starred codes of one k, the rounds it took, and how many repeats were cut at the cap."""

    k: int
    stars: NDArray[np.uint8]
    rounds: int
    capped: int


def stars_for(
    codes: sequence.Sequence,
    ks: Sequence[int],
    labels: NDArray[np.int32] | None,
    rules: Rules,
    *,
    strict: bool,
    starred: NDArray[np.uint8] | None = None,
    memory: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Iterator[Starred]:
    """For each k, ascending: the starred codes.

    A code starred for a smaller k stays starred: the releases are nested, so that together they
    show no more than the one with the smallest k. `starred` codes are starred from
    the start. With `memory` (bytes) repeats are counted bucket
    by bucket, and what is as long as the text lies in spill files.

    Paper: Algorithm 3. Cost: O(n) for one k; strict: O(n) a round.
    """
    if strict:
        yield from _strict(codes, ks, labels, rules, starred, memory, progress)
        return
    count = _counting(codes, labels, memory, progress)
    stars, capped = starred, 0
    for k in ks:
        lengths, cut = count(k, k == ks[-1])
        stars, capped = _covered(lengths, codes, rules, stars, memory), max(capped, cut)
        yield Starred(k, stars, 1, capped)


def _strict(
    codes: sequence.Sequence,
    ks: Sequence[int],
    labels: NDArray[np.int32] | None,
    rules: Rules,
    starred: NDArray[np.uint8] | None,
    memory: int | None,
    progress: Callable[[float], None] | None,
) -> Iterator[Starred]:
    """Stars accumulate, each round recounting in the starred text, until none is added."""
    stars = _make(memory)(len(codes.codes), np.uint8) if starred is None else starred
    capped = 0
    for k in ks:
        rounds = 0
        while True:
            rounds += 1
            remaining = codes.without(stars, _make(memory))
            lengths, cut = _counting(remaining, labels, memory, progress)(k, True)
            capped = max(capped, cut)
            more = _covered(lengths, codes, rules, stars, memory)
            if starred is not None:
                more |= starred  # kept symbols too, which the cover leaves legible
            if np.count_nonzero(more) == np.count_nonzero(stars):
                break
            stars = more
        yield Starred(k, stars, rounds, capped)


def _counting(
    codes: sequence.Sequence,
    labels: NDArray[np.int32] | None,
    memory: int | None,
    progress: Callable[[float], None] | None,
) -> Callable[[int, bool], tuple[Lengths, int]]:
    """A function of k, and whether it is the last one: L, and at how many positions it was cut."""
    ends = None if labels is None else codes.ends
    if memory is not None:

        def in_buckets(k: int, _: bool) -> tuple[Lengths, int]:
            found = external.repeat_lengths(
                codes.codes, k, labels=labels, ends=ends, memory=memory, progress=progress
            )
            return found.lengths, found.capped

        return in_buckets
    index = SuffixIndex(codes.codes, progress=progress)

    def in_memory(k: int, last: bool) -> tuple[Lengths, int]:
        return index.repeat_lengths(k, labels=labels, ends=ends, last=last, progress=progress), 0

    return in_memory


def _make(memory: int | None) -> Make:
    return np.zeros if memory is None else spilled


def _covered(
    lengths: Lengths,
    codes: sequence.Sequence,
    rules: Rules,
    blocked: NDArray[np.uint8] | None,
    memory: int | None,
) -> NDArray[np.uint8]:
    return cover(
        lengths,
        codes.ends,
        how=rules.how,
        tokens=codes.tokens,
        kept=codes.kept,
        blocked=blocked,
        min_run=rules.min_run,
        run_price=rules.run_price,
        make=None if memory is None else spilled,
    )
