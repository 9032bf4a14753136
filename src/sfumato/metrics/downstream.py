"""What a release is still good for: a classifier trained on it, tested on the original."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..core.labels import group_labels
from .intervals import interval
from .masked_symbols import HIDDEN
from .words import Words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.values import Data

    Whole = NDArray[np.int64]
    Real = NDArray[np.float64]

TESTED = 0.3  # the share of people whose documents test
LEAST = 2  # words that fewer training documents have are left out


@dataclass(frozen=True, slots=True)
class Downstream:
    """Accuracy on originals after training on the release, and on the originals themselves.

    `majority` is what always taking the most frequent label gives; bounds are 95% intervals.
    """

    released: float
    released_low: float
    released_high: float
    original: float
    original_low: float
    original_high: float
    majority: float
    tested: int
    classes: int

    def as_dict(self) -> dict[str, float]:
        """Name -> number."""
        return asdict(self)


def downstream(
    original: Sequence[str],
    released: Sequence[str],
    labels: object,
    groups: Data = None,
    *,
    hidden: str = HIDDEN,
    seed: int = 0,
) -> Downstream:
    """Trains multinomial naive Bayes on the release and on the original of 70% of the people.

    Tested on the original documents of the other 30%: nobody is in both parts.
    Cost: O(n log n).

    >>> texts = ["red wine", "old cars"] * 20
    >>> result = downstream(texts, texts, ["food", "things"] * 20)
    >>> result.released, result.original, result.majority
    (1.0, 1.0, 0.41...)
    """
    classes = group_labels(labels, len(original)).astype(np.int64)
    count = int(classes.max(initial=-1)) + 1
    people = (
        np.arange(len(original))
        if groups is None
        else group_labels(groups, len(original)).astype(np.int64)
    )
    everyone = np.random.default_rng(seed).permutation(np.unique(people))
    tests = np.isin(people, everyone[: round(TESTED * len(everyone))])
    words = Words.of([*original, *released], hidden)
    size = len(original)
    test = np.flatnonzero(tests)
    right = {}
    for name, shift in (("original", 0), ("released", size)):
        train = np.flatnonzero(~tests) + shift
        scores = naive_bayes(words, train, classes[train - shift], test, count)
        guesses = scores.argmax(1) if count else np.zeros(0, np.int64)
        right[name] = int(np.count_nonzero(guesses == classes[test]))
    usual = np.bincount(classes[~tests], minlength=max(1, count)).argmax()
    tested = len(test)
    return Downstream(
        *(right["released"] / max(1, tested), *interval(right["released"], tested)),
        *(right["original"] / max(1, tested), *interval(right["original"], tested)),
        float(np.mean(classes[test] == usual)) if tested else 0.0,
        tested,
        count,
    )


def naive_bayes(words: Words, train: Whole, classes: Whole, test: Whole, count: int) -> Real:
    """Log P(class) + sum of log P(word | class), one added to each count; a row for each test.

    Words that fewer than two training documents have are left out.
    """
    of = np.full(len(words.bounds) - 1, -1)
    of[train] = classes
    seen = (of[words.documents] >= 0) & (words.codes != 0)
    vocabulary = int(words.codes.max(initial=0)) + 1
    pairs = np.unique(words.documents[seen] * vocabulary + words.codes[seen])
    usable = np.bincount(pairs % vocabulary, minlength=vocabulary) >= LEAST
    seen &= usable[words.codes]
    counts = np.zeros((count, vocabulary))
    np.add.at(counts, (of[words.documents[seen]], words.codes[seen]), 1.0)
    counts[:, usable] += 1
    totals = np.maximum(1.0, counts.sum(1, keepdims=True))
    logs = np.where(counts > 0, np.log(np.maximum(counts, 1) / totals), 0.0)
    prior = np.log((np.bincount(classes, minlength=count) + 1) / (len(classes) + count))
    row = np.full(len(words.bounds) - 1, -1)
    row[test] = np.arange(len(test))
    asked = (row[words.documents] >= 0) & usable[words.codes]
    scores = np.tile(prior, (len(test), 1))
    for number in range(count):
        scores[:, number] += np.bincount(
            row[words.documents[asked]], logs[number, words.codes[asked]], len(test)
        )
    return scores
