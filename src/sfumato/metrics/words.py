"""Texts as an attacker reads them: numbered words, runs of words, and who wrote which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..kernels import text
from .masked_symbols import HIDDEN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Features = NDArray[np.uint64]


_MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of documents as numbers, case folded; 0 where something is hidden or a text ends.

    `documents` is the document of each; those of document d are at `[bounds[d], bounds[d + 1])`.
    """

    codes: Whole
    documents: Whole
    bounds: Whole

    @classmethod
    def of(cls, texts: Sequence[str], hidden: str = HIDDEN) -> Words:
        """Reads documents; a token with a symbol of `hidden` is a gap. Cost: O(n).

        >>> Words.of(["Ann saw ann", "saw ★★★ her"]).codes.tolist()
        [1, 2, 1, 0, 2, 0, 0, 0, 3, 0]
        """
        folded = [one.casefold() for one in texts]
        tokens = text.token_starts(folded, "word")
        numbered = text.number_tokens(folded, tokens, only_words=False, breaks=hidden.casefold())
        codes = numbered.codes.astype(np.int64)
        at_break = numbered.positions < 0
        is_word = np.zeros(len(codes), np.bool_)
        is_word[~at_break] = tokens.words[numbered.positions[~at_break]]
        kept = is_word | (codes == 0)
        ends = np.cumsum(kept)[numbered.ends] if len(texts) else np.zeros(0, np.int64)
        bounds = np.concatenate([[0], ends]).astype(np.int64)
        documents = np.repeat(np.arange(len(texts)), np.diff(bounds))
        return cls(_dense(codes[kept]), documents, bounds)

    def of_document(self, document: int) -> Whole:
        """The codes of one document, its end excluded."""
        return self.codes[self.bounds[document] : self.bounds[document + 1] - 1]


def _dense(codes: Whole) -> Whole:
    """The codes numbered anew in order of first use, 0 as it was: what was dropped leaves gaps."""
    found, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    rank = np.empty(len(found), np.int64)
    order = np.argsort(first)
    order = order[found[order] != 0]
    rank[order] = np.arange(1, len(order) + 1)
    rank[found == 0] = 0
    result: Whole = rank[inverse]
    return result


def runs_of(codes: Whole, most: int) -> list[tuple[Features, NDArray[np.bool_]]]:
    """For each length up to `most`: a number for the run of words at every place, and whether
    no gap is in it. Equal runs have equal numbers.

    >>> [int(good.sum()) for _, good in runs_of(np.array([1, 2, 0, 1, 2]), 2)]
    [4, 2]
    """
    words = codes.astype(np.uint64)
    found = []
    run, good = np.zeros(len(words), np.uint64), np.ones(len(words), np.bool_)
    for length in range(1, most + 1):
        if length > len(words):
            break
        last = words[length - 1 :]
        run = (run[: len(last)] + last) * _MIX  # wraps, which mixes
        run ^= run >> np.uint64(29)
        good = good[: len(last)] & (last != 0)
        found.append((run, good))
    return found


@dataclass(frozen=True, slots=True)
class Index:
    """Which people use which feature, and how often: postings ordered by feature.

    `starts[i]` is where the postings of `features[i]` begin.
    """

    features: Features
    starts: Whole
    people: Whole
    counts: Whole

    @classmethod
    def of(cls, features: Features, people: Whole) -> Index:
        """Counts pairs of feature and person. Cost: O(n log n).

        >>> index = Index.of(np.array([7, 7, 9], np.uint64), np.array([0, 0, 1]))
        >>> index.sharers.tolist(), index.counts.tolist()
        ([1, 1], [2, 1])
        """
        found, inverse = np.unique(features, return_inverse=True)
        width = int(people.max(initial=0)) + 1
        pairs, counts = np.unique(inverse.astype(np.int64) * width + people, return_counts=True)
        starts = np.searchsorted(pairs // width, np.arange(len(found) + 1))
        return cls(found, starts.astype(np.int64), pairs % width, counts.astype(np.int64))

    @property
    def sharers(self) -> Whole:
        """For each feature, how many people use it."""
        return np.diff(self.starts)

    def only(self, chosen: NDArray[np.bool_]) -> Index:
        """The index of some features alone.

        >>> index = Index.of(np.array([7, 7, 9], np.uint64), np.array([0, 1, 1]))
        >>> index.only(index.sharers == 1).people.tolist()
        [1]
        """
        kept = np.repeat(chosen, self.sharers)
        starts = np.concatenate([[0], np.cumsum(self.sharers[chosen])]).astype(np.int64)
        return Index(self.features[chosen], starts, self.people[kept], self.counts[kept])

    def find(self, wanted: Features) -> Whole:
        """The places of features in the index; those that are not there are left out."""
        at = np.searchsorted(self.features, wanted)
        at = at[at < len(self.features)] if len(self.features) else at[:0]
        inside = np.isin(self.features[at], wanted)
        result: Whole = np.unique(at[inside])
        return result

    def postings(self, at: Whole) -> tuple[Whole, Whole]:
        """The postings of these features: for each its place in `at`, and its own place."""
        sizes = self.starts[at + 1] - self.starts[at]
        which = np.repeat(np.arange(len(at)), sizes)
        before = np.repeat(np.cumsum(sizes) - sizes, sizes)
        return which, np.arange(len(which)) - before + np.repeat(self.starts[at], sizes)
