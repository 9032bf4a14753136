"""From counted repeats to stars: one k or several, counted in the original or in the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from ...kernels.covers import cover
from ...kernels.repeats import SuffixIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from ...kernels.repeats import Lengths
    from . import sequence


@dataclass(frozen=True, slots=True)
class Rules:
    """How stars are laid: which cover, the shortest legible run, the price of a run of stars."""

    how: Literal["fewest", "longest-first"] = "fewest"
    min_run: int = 1
    run_price: int = 0


def stars_for(
    codes: sequence.Sequence,
    ks: Sequence[int],
    labels: NDArray[np.int32] | None,
    rules: Rules,
    *,
    strict: bool,
    progress: Callable[[float], None] | None = None,
) -> Iterator[tuple[int, NDArray[np.uint8], int]]:
    """For each k, ascending: the starred codes and the rounds it took.

    A code starred for a smaller k stays starred: the releases are nested, so that together they
    show no more than the one with the smallest k.

    Paper: Algorithm 3. Cost: O(n) for one k; strict: O(n) a round.
    """
    if strict:
        yield from _strict(codes, ks, labels, rules, progress)
        return
    index = SuffixIndex(codes.codes, progress=progress)
    stars = None
    for k in ks:
        lengths = index.repeat_lengths(
            k, labels=labels, ends=_ends(codes, labels), last=k == ks[-1], progress=progress
        )
        stars = _covered(lengths, codes, rules, stars)
        yield k, stars, 1


def _strict(
    codes: sequence.Sequence,
    ks: Sequence[int],
    labels: NDArray[np.int32] | None,
    rules: Rules,
    progress: Callable[[float], None] | None,
) -> Iterator[tuple[int, NDArray[np.uint8], int]]:
    """Stars accumulate, each round recounting in the starred text, until none is added."""
    stars: NDArray[np.uint8] = np.zeros(len(codes.codes), np.uint8)
    for k in ks:
        rounds = 0
        while True:
            rounds += 1
            index = SuffixIndex(codes.without(stars).codes, progress=progress)
            lengths = index.repeat_lengths(
                k, labels=labels, ends=_ends(codes, labels), last=True, progress=progress
            )
            more = _covered(lengths, codes, rules, stars)
            if np.array_equal(more, stars):
                break
            stars = more
        yield k, stars, rounds


def _covered(
    lengths: Lengths,
    codes: sequence.Sequence,
    rules: Rules,
    blocked: NDArray[np.uint8] | None,
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
    )


def _ends(codes: sequence.Sequence, labels: NDArray[np.int32] | None) -> NDArray[np.int64] | None:
    return None if labels is None else codes.ends
