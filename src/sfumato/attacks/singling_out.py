"""Singling out: words that, in the release, exactly one person uses, and so perhaps in the world.

The attacker looks for predicates ("uses this word", "uses both of these words") that exactly one
person of the release satisfies. Each is judged against all originals: success is to be alone
there. For the control people are halved: predicates are looked for in what the release has of one
half, and judged against the originals of the other. So often a rare combination is one person's by
chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..metrics.masked_symbols import HIDDEN
from ..metrics.words import Index, Words
from .protocol import SAMPLE
from .result import AttackResult
from .scene import people_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.values import Data

    Whole = NDArray[np.int64]

RAREST = 20  # of a person's legible words, so many of the rarest are tried
TRIES = 20  # predicates tried for a person
NAMES = {1: "singling-out-word", 2: "singling-out-pair"}


def singling_out(
    original: Sequence[str],
    released: Sequence[str],
    groups: Data = None,
    *,
    words: int = 1,
    hidden: str = HIDDEN,
    sample: int = SAMPLE,
    seed: int = 0,
) -> AttackResult:
    """How often a person whom `words` words single out in the release is alone in the originals.

    A person for whom no predicate was found counts as a failure; the baseline draws the words by
    how often the release has them. Cost: O(n log n).

    >>> texts = ["ann has flu", "bob has flu", "cy has flu", "di has flu"]
    >>> singling_out(texts, texts).success
    1.0
    >>> singling_out(texts, ["★ has flu"] * 4).success
    0.0
    """
    labels = people_of(groups, len(original))
    rng = np.random.default_rng(seed)
    everyone = rng.permutation(np.unique(labels))
    half = everyone[: (len(everyone) + 1) // 2]
    inside = np.zeros(int(labels.max(initial=0)) + 1, np.bool_)
    inside[half] = True
    read = Words.of([*released, *original], hidden)
    legible = read.codes != 0
    codes, documents = read.codes[legible].astype(np.uint64), read.documents[legible]
    people = labels[documents % max(1, len(labels))]
    shown, own = documents < len(released), inside[people]
    release, world, part, others = (
        Index.of(codes[chosen], people[chosen])
        for chosen in (shown, ~shown, shown & own, ~shown & ~own)
    )
    targets, near = everyone[:sample], half[:sample]
    found = _predicates(release, targets, words, rng)
    by_chance = _predicates(part, near, words, rng)
    guesses = _guesses(release, len(targets), words, rng)
    return AttackResult.of(
        NAMES.get(words, f"singling-out-{words}-words"),
        _alone(world, found),
        len(targets),
        baseline=_alone(world, guesses) / max(1, len(targets)),
        unit="person",
        background="the release alone",
        control_of="the other half of the people",
        control=(_alone(others, by_chance), len(near)),
        detail={"predicates": len(found), "words": words, "people": len(everyone)},
    )


def _alone(world: Index, predicates: Sequence[NDArray[np.uint64]]) -> int:
    """How many of the predicates one person of this world satisfies, and nobody else."""
    return sum(len(_matching(world, one)) == 1 for one in predicates)


def _predicates(
    release: Index, targets: Whole, words: int, rng: np.random.Generator
) -> list[NDArray[np.uint64]]:
    """Words that only this person of the release uses, for each target who has some."""
    order = np.argsort(release.people, kind="stable")
    feature = np.repeat(np.arange(len(release.features)), release.sharers)[order]
    starts = np.searchsorted(release.people[order], targets)
    stops = np.searchsorted(release.people[order], targets, "right")
    found: list[NDArray[np.uint64]] = []
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        mine = feature[start:stop]
        rarest = mine[np.argsort(release.sharers[mine], kind="stable")][:RAREST]
        for attempt in range(TRIES if len(rarest) >= words else 0):
            first = attempt % len(rarest)  # the rarest first, with others drawn beside it
            others = np.delete(rarest, first)
            drawn = rng.choice(others, words - 1, replace=False) if words > 1 else others[:0]
            chosen = release.features[np.append(drawn, rarest[first])]
            if len(_matching(release, chosen)) == 1:
                found.append(chosen)
                break
    return found


def _guesses(
    release: Index, count: int, words: int, rng: np.random.Generator
) -> list[NDArray[np.uint64]]:
    if not len(release.features):
        return []
    uses = np.add.reduceat(release.counts, release.starts[:-1])
    drawn = rng.choice(len(uses), (count, words), p=uses / uses.sum())
    return list(release.features[drawn])


def _matching(index: Index, words: NDArray[np.uint64]) -> Whole:
    """The people who use all of these words."""
    wanted = np.unique(words)
    at = index.find(wanted)
    if len(at) < len(wanted):
        return np.zeros(0, np.int64)
    _, places = index.postings(at)
    people, counts = np.unique(index.people[places], return_counts=True)
    result: Whole = people[counts == len(at)]
    return result
