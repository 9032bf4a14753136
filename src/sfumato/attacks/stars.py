"""Filling stars in again: an n-gram model trained on the release, and on public text, guesses them.

The model is that of `kernels.text.guess_rate`: what stands most often between the same neighbours
where the release is legible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..kernels import text
from .result import AttackResult
from .scene import people_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.values import Data

    Flags = NDArray[np.bool_]

CONTEXT = 4  # symbols on each side that the model looks at


def reconstruction(
    original: Sequence[str],
    stars: Sequence[Flags],
    groups: Data = None,
    *,
    public: Sequence[str] = (),
    sample: int = 20_000,
    seed: int = 0,
) -> AttackResult:
    """How many starred symbols the model guesses; `stars` flags those of each document.

    The baseline is the most frequent legible symbol. The control guesses the stars of people whose
    legible text the model has not seen: half of the people train it, with the public text, and of
    the others it sees only what stands directly beside a star. Cost: O(n context^2).

    >>> release = ["a cat sat", "a cat ★at", "a cat sat", "a cat sat"]
    >>> result = reconstruction(["a cat sat"] * 4, [np.array(list(one)) == "★" for one in release])
    >>> result.success, result.trials
    (1.0, 1)
    """
    starred = sum(int(one.sum()) for one in stars)
    rate = _rate([*original, *public], [*stars, *_none(public)], sample, seed)
    trials = min(sample, starred)
    held, held_stars, outside = _held_out(original, stars, groups, seed)
    control = _rate([*held, *public], [*held_stars, *_none(public)], sample, seed)
    asked = min(sample, outside)
    frequent, random = _blind(original, stars)
    return AttackResult.of(
        "reconstruction-symbols",
        round(rate * trials),
        trials,
        baseline=frequent,
        unit="star",
        background="the release and public text" if public else "the release alone",
        control_of="people whose text the model has not read",
        control=(round(control * asked), asked),
        detail={"stars": starred, "random_symbol": random},
    )


def _none(texts: Sequence[str]) -> list[Flags]:
    return [np.zeros(len(one), np.bool_) for one in texts]


def _rate(texts: Sequence[str], stars: Sequence[Flags], sample: int, seed: int) -> float:
    apart = np.zeros(1, np.bool_)
    flags = np.concatenate([part for one in stars for part in (one, apart)] or [apart[:0]])
    if not flags.any():
        return 0.0
    codes = text.encode(list(texts)).codes
    return text.guess_rate(codes, flags, context=CONTEXT, sample=sample, seed=seed)


def _held_out(
    original: Sequence[str], stars: Sequence[Flags], groups: Data, seed: int
) -> tuple[list[str], list[Flags], int]:
    """One half legible with its stars as gaps, of the other each run of stars and its neighbours.

    A gap splits a text in two, so that nothing is asked there and nothing learned across it.
    """
    labels = people_of(groups, len(original))
    everyone = np.random.default_rng(seed).permutation(np.unique(labels))
    inside = np.isin(labels, everyone[: (len(everyone) + 1) // 2])
    texts: list[str] = []
    flags: list[Flags] = []
    asked = 0
    for one, starred, trains in zip(original, stars, inside.tolist(), strict=True):
        edges = np.flatnonzero(np.diff(starred.astype(np.int8), prepend=0, append=0))
        starts, stops = edges[::2].tolist(), edges[1::2].tolist()
        if trains:
            pieces = list(zip([0, *stops], [*starts, len(one)], strict=True))
        else:
            asked += int(starred.sum())
            pieces = [
                (max(0, before, start - CONTEXT), min(after, stop + CONTEXT))
                for before, start, stop, after in zip(
                    [0, *stops], starts, stops, [*starts[1:], len(one)], strict=False
                )
            ]
        for start, stop in pieces:
            if stop > start:
                texts.append(one[start:stop])
                flags.append(starred[start:stop] & (not trains))
    return texts, flags, asked


def _blind(original: Sequence[str], stars: Sequence[Flags]) -> tuple[float, float]:
    """How often the most frequent legible symbol is right, and one drawn evenly."""
    legible, hidden = Counter[str](), Counter[str]()
    for one, starred in zip(original, stars, strict=True):
        symbols = np.array(list(one), dtype="U1")
        for counter, chosen in ((legible, ~starred), (hidden, starred)):
            values, counts = np.unique(symbols[chosen], return_counts=True)
            counter.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))
    total = hidden.total()
    if not total or not legible:
        return 0.0, 0.0
    frequent = max(sorted(legible), key=legible.__getitem__)
    known = sum(count for symbol, count in hidden.items() if symbol in legible)
    return hidden[frequent] / total, known / total / len(legible)
