"""From counted repeats to stars: one k or several, counted in the original or in the release."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from ...core.printed_form import by_sizes
from ...kernels import external
from ...kernels.covers import cover, judge_stars, part_runs, try_stars
from ...kernels.repeats import SuffixIndex
from ...kernels.spill import spilled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

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


# Turns in which equal tokens are tried together, to give stars back: more gained nothing. A text of
# more than LARGE codes has TURNS in all, which give most of them back.
HASHED, TURNS, LARGE = 2, 3, 1 << 18


@dataclass(frozen=True, slots=True)
class StarredCodes:
    """The starred codes of one k, the rounds it took, and how many repeats were cut at the cap."""

    __repr__ = by_sizes

    k: int
    stars: NDArray[np.uint8]
    rounds: int
    capped: int
    blank: NDArray[np.uint8] | None = None
    """Symbols between words that are written as blanks, because fewer than k share them."""
    counts: Mapping[str, int] = field(default_factory=dict)
    in_copies: float | None = None
    """The share of legible letters that stand in copied passages, where these were looked for."""


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
) -> Iterator[StarredCodes]:
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
    count = counting(codes, labels, memory, progress)
    stars, capped = starred, 0
    for k in ks:
        lengths, cut = count(k, k == ks[-1])
        stars, capped = _covered(lengths, codes, rules, stars, memory), max(capped, cut)
        yield StarredCodes(k, stars, 1, capped)


def _strict(
    codes: sequence.Sequence,
    ks: Sequence[int],
    labels: NDArray[np.int32] | None,
    rules: Rules,
    starred: NDArray[np.uint8] | None,
    memory: int | None,
    progress: Callable[[float], None] | None,
) -> Iterator[StarredCodes]:
    """Stars accumulate, each round recounting in the starred text, until none is added.

    Then stars that the release can do without are given back.
    """
    stars = _make(memory)(len(codes.codes), np.uint8) if starred is None else starred
    capped = 0
    for k in ks:
        fixed, rounds = stars, 0

        def counted(stars: NDArray[np.uint8], k: int = k) -> Lengths:
            nonlocal rounds, capped
            rounds += 1
            remaining = codes.without(stars, _make(memory))
            lengths, cut = counting(remaining, labels, memory, progress)(k, True)
            capped = max(capped, cut)
            return lengths

        while True:
            lengths = counted(stars)
            more = _covered(lengths, codes, rules, stars, memory)
            if labels is None:  # one person's text counts once, however often it repeats itself
                left = codes.without(stars, _make(memory))
                part_runs(left.codes, more, k, tokens=codes.tokens, kept=codes.kept)
            if starred is not None:
                more |= starred  # kept symbols too, which the cover leaves legible
            if np.count_nonzero(more) == np.count_nonzero(stars):
                break
            stars = more
        if stars is not fixed and rules.run_price == 0 and codes.kept is None:
            _give_back(codes, stars, fixed, rules.min_run, counted)
        yield StarredCodes(k, stars, rounds, capped)


def _give_back(
    codes: sequence.Sequence,
    stars: NDArray[np.uint8],
    fixed: NDArray[np.uint8],
    min_run: int,
    counted: Callable[[NDArray[np.uint8]], Lengths],
) -> None:
    """Makes starred tokens legible again, in place, where every stretch then still occurs k times.

    Stops when two turns, in which each token was tried, gave nothing back: no star can be undone
    alone. Large texts have TURNS only. Cost: a round of counting for each turn and each time
    something has to be starred again.
    """
    idle = 0
    for turn in range(TURNS) if len(codes.codes) > LARGE else itertools.count():
        dropped = try_stars(
            codes.codes, codes.ends, stars, turn, hashed=HASHED, tokens=codes.tokens, fixed=fixed
        )
        given = 0
        while dropped:
            dropped, given = judge_stars(counted(stars), codes.ends, stars, min_run=min_run)
        idle = 0 if given else idle + 1
        if idle >= 2 and turn > HASHED:
            return


def counting(
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
