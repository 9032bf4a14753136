"""The paper's baselines for comparison: rare words, and words that are rare by both measures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...kernels import text
from .legible import Rules, stars_for
from .sequence import sequence_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...core.corpus import Corpus

PROTECTED = 0.2  # the paper's R: a token with a larger share of stars counts as protected


def rare_words(
    corpus: Corpus, k: int, labels: NDArray[np.int32] | None, mask: str
) -> NDArray[np.uint8]:
    """`Word`: every word that occurs fewer than k times is starred.

    Paper: Section 6 (baseline). Cost: O(n).
    """
    return _spread(corpus, _rare(corpus, k, labels, mask))


def rare_words_in_rare_places(
    corpus: Corpus,
    ks: Sequence[int],
    labels: NDArray[np.int32] | None,
    mask: str,
    min_run: int,
) -> list[NDArray[np.uint8]]:
    """`MR+Word`: a word is starred only if both the word baseline and the repeats say so.

    The repeats say so when more than a fifth of its symbols are starred by the paper's own cover
    (longest first, single characters).

    Paper: Section 7.1 (hybrid). Cost: O(n).
    """
    codes = sequence_of(
        corpus, "character", align="character", keep="", mask=mask, at_least=ks[0], labels=labels
    )
    rules = Rules("longest-first", min_run)
    result, before = [], None
    for found in stars_for(codes, ks, labels, rules, strict=False):
        starts, stops = _rare(corpus, found.k, labels, mask)
        starred = np.concatenate([[0], np.cumsum(found.stars)])
        protected = starred[stops] - starred[starts] > PROTECTED * (stops - starts)
        stars = _spread(corpus, (starts[protected], stops[protected]))
        before = stars if before is None else stars | before
        result.append(before)
    return result


def _rare(
    corpus: Corpus, k: int, labels: NDArray[np.int32] | None, mask: str
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    tokens = text.token_starts(corpus.texts, "word")
    breaks = mask if len(mask) == 1 else ""
    numbered = text.number_tokens(
        corpus.texts, tokens, only_words=True, at_least=k, labels=labels, breaks=breaks
    )
    at = numbered.positions[(numbered.codes == 0) & (numbered.positions >= 0)]
    return tokens.starts[at], tokens.starts[at + 1]


def _spread(
    corpus: Corpus, places: tuple[NDArray[np.int64], NDArray[np.int64]]
) -> NDArray[np.uint8]:
    starts, stops = places
    steps = np.zeros(sum(map(len, corpus.texts)) + len(corpus.texts) + 1, np.int8)
    steps[starts] += 1
    steps[stops] -= 1
    return np.cumsum(steps[:-1], dtype=np.int8).view(np.uint8)
