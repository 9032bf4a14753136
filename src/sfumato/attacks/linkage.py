"""Linking a known text to a person's records, and telling whether a person is in the data at all.

The attacker compares what he knows of a target with what the release shows of every person, and
claims a match when the best one stands out more than it does for 95% of people who are not in the
data. Half of the people held out set the bar for the other half, so that the control tells how
often such a claim is made about somebody who is not there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from ..metrics.words import Index, runs_of
from .result import AttackResult

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .scene import Scene, Scenes

    Whole = NDArray[np.int64]
    Real = NDArray[np.float64]

FALSE_ALARMS = 0.05
RARE = 5  # a run of words is rare that fewer people share
LONGEST = 3  # words of a run
EQUAL = 1 - 1e-12  # of a score: as much is the same, added in another order
MANY = 200  # people on a list that is added by itself


@dataclass(frozen=True, slots=True)
class Matches:
    """For each target the person matched best, that score, and the score of the next person.

    `right` is how often the best match is the target: one of several that match as well is taken
    by chance, whatever the order of the records.
    """

    nearest: Whole
    best: Real
    second: Real
    right: Real


def matched(scenes: Scenes, matches: Callable[[Scene], Matches]) -> Matches:
    """The matches of all scenes: first of the people attacked, then of those held out."""
    found = [(matches(one), one.members) for one in scenes.folds]
    names = [one.name for one in fields(Matches)]
    return Matches(
        *(
            np.concatenate(
                [getattr(one, name)[:members] for one, members in found]
                + [getattr(one, name)[members:] for one, members in found]
            )
            for name in names
        )
    )


def by_words(scene: Scenes, found: Matches) -> AttackResult:
    """Links by TF-IDF: the person whose words have the largest cosine with the known ones.

    `found` are the `matches_by_words` of all scenes. Cost: O(targets).
    """
    return _linked("linkage-words", scene, found)


def by_rare_runs(scene: Scenes) -> AttackResult:
    """Links by rare substrings: runs of up to 3 words that fewer than 5 people share.

    Each such run that the target's known text has speaks for those who use it, the more the fewer
    they are. Cost: O(n log n).
    """
    return _linked("linkage-rare", scene, matched(scene, matches_by_rare_runs))


def membership(scene: Scenes, found: Matches) -> AttackResult:
    """Claims that a person is in the data when somebody's words there are close enough.

    Success is the share of members claimed, control that of people held out; guessing claims 5%.
    `found` are the `matches_by_words`. Cost: O(targets).
    """
    claimed = _claims(found.best, scene.members)
    return _result("membership", scene, claimed, claimed[: scene.members], FALSE_ALARMS, {})


def matches_by_words(scene: Scene) -> Matches:
    """The nearest person by the cosine of TF-IDF vectors, tf = 1 + ln(count), idf = ln(N / n).

    Cost: O(n log n + targets x postings).

    >>> from .scene import scenes
    >>> texts = ["ann likes red wine", "bob likes old cars"]
    >>> [one] = scenes(texts, texts, background=["red wine", "old cars"]).folds
    >>> matches_by_words(one).best.round(2)
    array([0.82, 0.82])
    """
    legible = scene.codes != 0
    index = Index.of(scene.codes[legible].astype(np.uint64), scene.people[legible])
    idf = np.log(max(1, scene.population) / np.maximum(1, index.sharers))
    weights = (1 + np.log(index.counts)) * np.repeat(idf, index.sharers)
    size = int(scene.people.max(initial=0)) + 1
    norms = np.sqrt(np.bincount(index.people, weights**2, size))
    weights /= np.maximum(norms, 1e-12)[index.people]
    return _best(scene, index, weights, idf, cosine=True, most=1)


def matches_by_rare_runs(scene: Scene) -> Matches:
    """The person for whom the rare runs of the known text speak most, each with 1 / sharers."""
    wanted = np.unique(
        np.concatenate(
            [np.zeros(0, np.uint64)]
            + [run[good] for known in scene.known for run, good in runs_of(known, LONGEST)]
        )
    )
    features, people = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
    for run, good in runs_of(scene.codes, LONGEST):
        good = good & np.isin(run, wanted)
        features.append(run[good])
        people.append(scene.people[: len(run)][good])
    index = Index.of(np.concatenate(features), np.concatenate(people))
    index = index.only(index.sharers < RARE)
    votes = 1 / index.sharers
    return _best(
        scene,
        index,
        np.repeat(votes, index.sharers),
        np.ones(len(votes)),
        cosine=False,
        most=LONGEST,
    )


def _best(
    scene: Scene, index: Index, weights: Real, query_weights: Real, *, cosine: bool, most: int
) -> Matches:
    size = max(2, int(scene.people.max(initial=0)) + 1)
    nearest = np.full(len(scene.known), -1)
    best, second, right = (np.zeros(len(scene.known)) for _ in range(3))
    for i, known in enumerate(scene.known):
        if most == 1:
            features = known[known != 0].astype(np.uint64)
        else:
            features = np.concatenate(
                [np.zeros(0, np.uint64), *(run[good] for run, good in runs_of(known, most))]
            )
        at = index.find(features)
        if not len(at):
            continue
        values = query_weights[at]
        if cosine:
            found, counts = np.unique(features, return_counts=True)
            values = values * (1 + np.log(counts[np.searchsorted(found, index.features[at])]))
            values = values / max(float(np.sqrt((values**2).sum())), 1e-12)
        scores = _scores(index, weights, at, values, size)
        nearest[i] = int(scores.argmax())
        second[i], best[i] = np.partition(scores, -2)[-2:]
        if best[i] <= 0:
            nearest[i] = -1
        elif (target := int(scene.targets[i])) < size and scores[target] >= best[i] * EQUAL:
            right[i] = 1 / np.count_nonzero(scores >= best[i] * EQUAL)
    return Matches(nearest, best, second, right)


def _scores(index: Index, weights: Real, at: Whole, values: Real, size: int) -> Real:
    """For each person the sum of values times weights over these features.

    A feature has a person once, so that a long list can be added in place; short ones together.
    """
    long = index.starts[at + 1] - index.starts[at] > MANY
    which, places = index.postings(at[~long])
    scores = np.zeros(size)  # where no list is short, bincount would count whole numbers
    scores += np.bincount(index.people[places], weights[places] * values[~long][which], size)
    for feature, value in zip(at[long].tolist(), values[long].tolist(), strict=True):
        listed = slice(index.starts[feature], index.starts[feature + 1])
        scores[index.people[listed]] += weights[listed] * value
    return scores


def _linked(name: str, scene: Scenes, found: Matches) -> AttackResult:
    margin = found.best - found.second
    margin[found.second >= found.best * EQUAL] = 0  # two match as well: no one is claimed
    claimed = _claims(margin, scene.members)
    detail = {
        "nearest_right": float(found.right[: scene.members].mean()) if scene.members else 0.0,
        "claimed": float(claimed[: scene.members].mean()) if scene.members else 0.0,
    }
    baseline = 1 / scene.population if scene.population else 0.0
    right = (claimed & (found.right == 1))[: scene.members]
    return _result(name, scene, claimed, right, baseline, detail)


def _claims(scores: Real, members: int) -> NDArray[np.bool_]:
    """Who is claimed: the bar is what 95% of one half of the people held out stay under.

    Each half of the people held out is judged by the other's bar; members by the higher one.
    """
    outside = scores[members:]
    halves = outside[::2], outside[1::2]
    bars = [_bar(half) for half in halves]
    claimed = scores > max(bars)
    claimed[members::2] = halves[0] > bars[1]
    claimed[members + 1 :: 2] = halves[1] > bars[0]
    result: NDArray[np.bool_] = claimed
    return result


def _bar(scores: Real) -> float:
    if not len(scores):
        return 0.0
    return max(0.0, float(np.quantile(scores, 1 - FALSE_ALARMS, method="higher")))


def _result(
    name: str,
    scene: Scenes,
    claimed: NDArray[np.bool_],
    right: NDArray[np.bool_],
    baseline: float,
    detail: dict[str, float],
) -> AttackResult:
    outside = claimed[scene.members :]
    return AttackResult.of(
        name,
        int(right.sum()),
        scene.members,
        baseline=baseline,
        unit="person",
        background=scene.background,
        control=(int(outside.sum()), len(outside)),
        control_of="people held out of the data",
        detail={**detail, "people": scene.population, "words_known": scene.words_known},
    )
