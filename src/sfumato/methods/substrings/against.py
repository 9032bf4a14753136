"""Stars that a reader cannot undo: the words of a corpus, what can be guessed of them, and covers.

The definition is docs/reader.md. Words are starred whole, what stands between them is neither
starred nor a break.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.printed import by_sizes
from ...kernels import reader, text
from ...kernels.covers import judge_stars
from .legible import HASHED, LARGE, TURNS, Rules, Starred, counting
from .reader_share import fraction
from .sequence import Sequence, symbol_ends, with_ends_of_sequences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from collections.abc import Sequence as Many

    from numpy.typing import NDArray

    from ...core.corpus import Corpus
    from ...kernels.repeats import Lengths

    Flags = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a corpus as codes, the breaks among them, and what the reader guesses."""

    __repr__ = by_sizes

    texts: list[str]
    codes: Sequence
    breaks: Flags
    bits: Flags
    labels: NDArray[np.int32] | None
    rules: Rules
    reach: int | None
    memory: int | None
    progress: Callable[[float], None] | None

    @property
    def places(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where each word starts and stops, in the layout of symbols."""
        return np.asarray(self.codes.starts), np.asarray(self.codes.stops)

    def counting(self, codes: Sequence) -> Callable[[int, bool], tuple[Lengths, int]]:
        """A function of k: how far a stretch from each word may reach."""
        count = counting(codes, self.labels, self.memory, self.progress)

        def found(k: int, last: bool) -> tuple[Lengths, int]:
            lengths, capped = count(k, last)
            if self.reach is not None:
                reader.within_reach(lengths, codes.ends, self.reach)
            return lengths, capped

        return found

    def cover(self, lengths: Lengths, starred: Flags) -> Flags:
        """The fewest stars beyond those that stand already."""
        return reader.cover(
            lengths,
            self.codes.ends,
            self.bits,
            self.places,
            starred=starred,
            min_run=self.rules.min_run,
            run_price=self.rules.run_price,
        )

    def left(self, stars: Flags) -> Flags:
        """The stars that are left when the reader has written back what can be guessed."""
        return reader.read_through(self.bits, self.codes.ends, stars)


def words_of(
    corpus: Corpus,
    labels: NDArray[np.int32] | None,
    parameters: dict[str, Any],
    public: list[str],
    *,
    at_least: int,
    memory: int | None,
    progress: Callable[[float], None] | None,
) -> Words:
    """Numbers the words, and finds what can be guessed of each. Cost: O(n) expected."""
    mask = parameters["mask"]
    texts = [*corpus.texts, *public]
    pieces = text.token_starts(texts, "token")
    breaks = mask if len(mask) == 1 else ""
    pieces = with_ends_of_sequences(texts, pieces, breaks, None)
    apart = None
    if labels is not None:  # public texts are nobody's
        apart = np.concatenate([labels, np.arange(len(public)) + labels.max(initial=0) + 1])
        apart = apart.astype(np.int32)
    numbered = text.number_tokens(texts, pieces, only_words=True, labels=apart, breaks=breaks)
    at = numbered.positions
    starts = np.where(at < 0, 0, pieces.starts[at])
    stops = np.where(at < 0, 0, pieces.starts[at + 1])
    bits = reader.guessed(
        numbered.codes,
        numbered.ends,
        fraction(parameters["guess"]),
        lengths=None if parameters["collapse"] else (stops - starts).astype(np.uint32),
        labels=labels,
        judged=len(corpus.texts),
        progress=progress,
    )
    ends = numbered.ends[: len(corpus.texts)]
    size = int(ends[-1]) + 1 if len(ends) else 0
    codes = numbered.codes[:size]
    is_break = (codes == 0).astype(np.uint8)
    is_break[ends] = 0
    if not public:
        codes = _without_rare(codes, numbered.counts, at_least)
    sequence = Sequence(codes, ends, symbol_ends(corpus.texts), starts[:size], stops[:size])
    rules = Rules("fewest", parameters["min_run"], parameters["run_price"])
    reach = parameters["reach"]
    return Words(corpus.texts, sequence, is_break, bits, labels, rules, reach, memory, progress)


def _without_rare(codes: Any, counts: NDArray[np.int64], at_least: int) -> Any:
    """Words that fewer than `at_least` share end every repeat: they become code 0."""
    often = counts >= at_least
    often[0] = False
    size = int(often.sum()) + 1
    kind = np.uint8 if size <= 0x100 else np.uint16 if size <= 0x10000 else np.uint32
    new = np.where(often, np.cumsum(often), 0).astype(kind)
    return new[codes]


def stars_against(
    words: Words, ks: Many[int], *, strict: bool, starred: Flags | None = None
) -> Iterator[Starred]:
    """For each k, ascending: the starred words, nested. `starred` words are so from the start.

    Cost: O(n) for one k; strict: O(n) a round.
    """
    fixed = words.breaks if starred is None else words.breaks | starred
    if strict:
        yield from _strict(words, ks, fixed)
        return
    count = words.counting(words.codes)
    stars, capped = fixed, 0
    for k in ks:
        lengths, cut = count(k, k == ks[-1])
        stars, capped = stars | words.cover(lengths, stars), max(capped, cut)
        yield Starred(k, stars, 1, capped)


def _strict(words: Words, ks: Many[int], fixed: Flags) -> Iterator[Starred]:
    """Stars accumulate, each round recounting what is left of the text as it is read.

    Then stars that the release can do without are given back.
    """
    stars, capped = fixed, 0
    for k in ks:
        before, rounds = stars, 0

        def counted(left: Flags, k: int = k) -> Lengths:
            nonlocal rounds, capped
            rounds += 1
            lengths, cut = words.counting(words.codes.without(left))(k, True)
            capped = max(capped, cut)
            return lengths

        while True:
            more = stars | words.cover(counted(words.left(stars)), stars)
            if np.count_nonzero(more) == np.count_nonzero(stars):
                break
            stars = more
        rules = words.rules
        if stars is not before and rules.run_price == 0 and rules.min_run == 1:
            stars = _given_back(words, stars, before, counted)
        yield Starred(k, stars, rounds, capped)


def _given_back(
    words: Words, stars: Flags, fixed: Flags, counted: Callable[[Flags], Lengths]
) -> Flags:
    """The stars without those that can be made legible while every stretch still has k.

    Runs of stars are tried whole, then without their first and their last word, never two beside
    one stretch. Stops when every way was tried in vain, in large texts after a few turns.
    """
    idle, large = 0, len(stars) > LARGE
    for turn in range(TURNS * len(WAYS)) if large else itertools.count():
        way = WAYS[turn % len(WAYS)]
        tried = way(words, stars, fixed, turn // len(WAYS))
        given = 0
        if tried.any():
            # 1: stars that are left, 2: on trial. What is starred again was a run's before.
            trial = words.left(np.where(tried, 0, stars).astype(np.uint8))
            trial[tried] = 2
            dropped = 1
            while dropped:
                lengths = counted((trial == 1).astype(np.uint8))
                dropped, given = judge_stars(lengths, words.codes.ends, trial, min_run=1)
            stars = np.where(tried & (trial == 0), 0, stars).astype(np.uint8)
        idle = 0 if given else idle + 1
        if idle >= 2 * len(WAYS) and turn >= HASHED * len(WAYS):
            break
    return stars


def _runs(words: Words, stars: Flags) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first and the last word of each run of stars; runs end with their document."""
    flags = stars != 0
    flags[words.codes.ends] = False
    steps = np.diff(np.concatenate([[0], flags.astype(np.int8), [0]]))
    return np.flatnonzero(steps == 1), np.flatnonzero(steps == -1) - 1


def _whole(words: Words, stars: Flags, fixed: Flags, turn: int) -> NDArray[np.bool_]:
    """Runs of stars, no two in a row; in the first turns equal runs alike."""
    first, last = _runs(words, stars)
    before = np.concatenate([[0], np.cumsum(fixed != 0)])
    free = before[last + 1] == before[first]
    if turn < HASHED:
        codes = words.codes.codes
        rank = codes[first].astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        rank ^= codes[last].astype(np.uint64) + (last - first).astype(np.uint64) + np.uint64(turn)
        rank = (rank ^ (rank >> np.uint64(29))) * np.uint64(0xD6E8FEB86659FD93)
    else:
        rank = (np.arange(len(first)) + turn).astype(np.uint64) % np.uint64(2) + np.uint64(1)
    rank = np.where(free, rank | np.uint64(1), np.uint64(0))
    after = np.append(rank[1:], np.uint64(0))
    ahead = np.concatenate([[np.uint64(0)], rank[:-1]]).astype(np.uint64)
    return _flags(len(stars), first, last, free & (rank > ahead) & (rank >= after))


def _first(words: Words, stars: Flags, fixed: Flags, turn: int) -> NDArray[np.bool_]:
    """The first word of every run whose rest still is a break."""
    first, last = _runs(words, stars)
    return _one(words, stars, fixed, first, first, first + 1, last)


def _last(words: Words, stars: Flags, fixed: Flags, turn: int) -> NDArray[np.bool_]:
    """The last word of every run whose rest still is a break."""
    first, last = _runs(words, stars)
    return _one(words, stars, fixed, last, last, first, last - 1)


WAYS = (_whole, _first, _last)


def _one(
    words: Words,
    stars: Flags,
    fixed: Flags,
    at: NDArray[np.int64],
    upto: NDArray[np.int64],
    rest_first: NDArray[np.int64],
    rest_last: NDArray[np.int64],
) -> NDArray[np.bool_]:
    before = np.concatenate([[0], np.cumsum(fixed != 0)])
    low, high = np.minimum(at, rest_first), np.maximum(upto, rest_last)
    chosen = (rest_last >= rest_first) & (before[high + 1] == before[low])
    tried = _flags(len(stars), at, upto, chosen)
    left = words.left(np.where(tried, 0, stars).astype(np.uint8))
    kept = np.concatenate([[0], np.cumsum(left)])
    chosen[chosen] &= (
        kept[rest_last[chosen] + 1] - kept[rest_first[chosen]]
        == rest_last[chosen] + 1 - rest_first[chosen]
    )
    return _flags(len(stars), at, upto, chosen)


def _flags(
    size: int, first: NDArray[np.int64], last: NDArray[np.int64], chosen: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    steps = np.zeros(size + 1, np.int8)
    steps[first[chosen]] += 1
    steps[last[chosen] + 1] -= 1
    return np.cumsum(steps[:-1], dtype=np.int8) > 0
