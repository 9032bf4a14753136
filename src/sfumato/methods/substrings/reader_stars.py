"""Stars that a reader cannot undo: the words of a corpus, what can be guessed of them, and covers.

The definition is docs/reader.md. Words are starred whole, what stands between them is neither
starred nor a break.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ...claims.substrings import COPIED
from ...core.printed_form import by_sizes
from ...core.progress import part
from ...kernels import reader, text
from ...kernels.repeats import NOBODY, SharedStretches, SuffixIndex
from .give_back import given_back
from .known_words import Knows, against_known
from .legible import Rules, StarredCodes, counting
from .reader_share import fraction
from .sequence import Sequence, symbol_ends, with_ends_of_sequences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from collections.abc import Sequence as Many

    from numpy.typing import NDArray

    from ...core.corpus import Corpus
    from ...core.values import Array, JsonObject
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
    copied: Flags | None = None
    """What stands in passages that others' texts have before; None where nobody looked."""
    once: bool = False
    """Whether copied passages count for their first author only."""
    knows: Knows | None = None
    """Which sets of words must be shared, if any."""

    @property
    def places(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where each word starts and stops, in the layout of symbols."""
        return np.asarray(self.codes.starts), np.asarray(self.codes.stops)

    def counting(self) -> Callable[[int, bool], tuple[Lengths, int]]:
        """A function of k: how far a stretch from each word may reach."""
        both, labels, twice = self._as_counted()
        count = counting(both, labels, self.memory, self.progress)

        def found(k: int, last: bool) -> tuple[Lengths, int]:
            lengths, capped = count(k, last)
            return self._as_asked(lengths, twice), capped

        return found

    def recounting(self, k: int) -> Callable[[Flags], tuple[Lengths, int]]:
        """A function of stars: the same where these stand."""
        both, labels, twice = self._as_counted()
        if self.memory is not None:

            def in_buckets(stars: Flags) -> tuple[Lengths, int]:
                remaining = both.without(stars)
                lengths, capped = counting(remaining, labels, self.memory, self.progress)(k, True)
                return self._as_asked(lengths, None), capped

            return in_buckets
        kept = SharedStretches(both.codes, k, labels=labels, ends=both.ends, progress=self.progress)

        def found(stars: Flags) -> tuple[Lengths, int]:
            if twice is not None:
                stars = np.concatenate([stars, stars[twice]])
            return self._as_asked(kept.repeat_lengths(stars), twice), 0

        return found

    def _as_counted(self) -> tuple[Sequence, NDArray[np.int32] | None, NDArray[np.bool_] | None]:
        """What is counted, whose it is, and which words stand there twice.

        That is all words, or those that are not copied. Then documents with copies stand there
        twice: without them, to be counted, and as they are but nobody's, to be asked how far their
        stretches reach.
        """
        codes = self.codes
        if not self.once or self.copied is None or self.labels is None or not self.copied.any():
            return codes, self.labels, None
        ends, size = codes.ends, len(codes.codes)
        sizes = np.diff(ends, prepend=-1)
        before = np.concatenate([[0], np.cumsum(self.copied)])
        asked = before[ends + 1] > before[ends + 1 - sizes]
        twice = np.repeat(asked, sizes)
        both = replace(
            codes,
            codes=np.concatenate([codes.codes * (self.copied == 0), codes.codes[twice]]),
            ends=np.concatenate([ends, size + np.cumsum(sizes[asked]) - 1]),
        )
        nobody = np.full(int(asked.sum()), NOBODY, np.int32)
        return both, np.concatenate([self.labels, nobody]), twice

    def _as_asked(self, lengths: Lengths, twice: NDArray[np.bool_] | None) -> Lengths:
        """How far the stretches of the words themselves reach."""
        if twice is not None:
            own = lengths[: len(twice)].copy()
            own[twice] = lengths[len(twice) :]
            lengths = own
        if self.reach is not None:
            reader.within_reach(lengths, self.codes.ends, self.reach)
        return lengths

    def cover(self, lengths: Lengths, starred: Flags, left: Flags | None = None) -> Flags:
        """The fewest stars beyond those that stand already.

        Documents whose stretches, as a reader has them with `left` stars, are shared as they stand
        need none.
        """
        return reader.cover(
            lengths,
            self.codes.ends,
            self.bits,
            self.places,
            starred=starred,
            left=left,
            min_run=self.rules.min_run,
            run_price=self.rules.run_price,
        )

    def left(self, stars: Flags) -> Flags:
        """The stars that are left when the reader has written back what can be guessed."""
        return reader.read_through(self.bits, self.codes.ends, stars)

    def runs(self, stars: Flags) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The first and the last word of each run of stars; runs end with their document."""
        flags = np.zeros(len(stars) + 2, bool)
        np.not_equal(stars, 0, out=flags[1:-1])
        flags[self.codes.ends + 1] = False
        steps = np.flatnonzero(flags[1:] != flags[:-1])
        return steps[::2], steps[1::2] - 1


def words_of(
    corpus: Corpus,
    labels: NDArray[np.int32] | None,
    parameters: JsonObject,
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
        progress=part(progress, 0.3, 0.9),
    )
    ends = numbered.ends[: len(corpus.texts)]
    size = int(ends[-1]) + 1 if len(ends) else 0
    codes = numbered.codes[:size]
    is_break = (codes == 0).astype(np.uint8)
    is_break[ends] = 0
    copied = None
    if labels is not None and memory is None:
        copied = SuffixIndex(codes).copied(COPIED, labels, ends)
    if not public:
        codes = _without_rare(codes, numbered.counts, at_least)
    sequence = Sequence(codes, ends, symbol_ends(corpus.texts), starts[:size], stops[:size])
    rules = Rules("fewest", parameters["min_run"], parameters["run_price"])
    known = None
    if parameters.get("knows") is not None:
        known = Knows(parameters["knows"], fraction(parameters["common"]))
    return Words(
        *(corpus.texts, sequence, is_break, bits, labels, rules, parameters["reach"]),
        *(memory, progress, copied, parameters["copies"] == "once", known),
    )


def _without_rare(codes: Array, counts: NDArray[np.int64], at_least: int) -> Array:
    """Words that fewer than `at_least` share end every repeat: they become code 0."""
    often = counts >= at_least
    often[0] = False
    size = int(often.sum()) + 1
    kind = np.uint8 if size <= 0x100 else np.uint16 if size <= 0x10000 else np.uint32
    new = np.where(often, np.cumsum(often), 0).astype(kind)
    return new[codes]


def stars_against(
    words: Words, ks: Many[int], *, strict: bool, starred: Flags | None = None
) -> Iterator[StarredCodes]:
    """For each k, ascending: the starred words, nested. `starred` words are so from the start.

    Cost: O(n) for one k; strict: O(n) a round.
    """
    fixed = words.breaks if starred is None else words.breaks | starred
    if strict:
        yield from _strict(words, ks, fixed)
        return
    count = words.counting()
    stars, capped = fixed, 0
    for k in ks:
        lengths, cut = count(k, k == ks[-1])
        stars, capped = stars | words.cover(lengths, stars), max(capped, cut)
        yield StarredCodes(k, stars, 1, capped)


def _strict(words: Words, ks: Many[int], fixed: Flags) -> Iterator[StarredCodes]:
    """Stars accumulate, each round recounting what is left of the text as it is read.

    Then stars that the release can do without are given back. Every run of stars that was laid
    here stands against the reader: only stars that stood before (spans) may be written back.
    """
    stars, capped = fixed, 0
    for k in ks:
        before, rounds, recounted = stars, 0, words.recounting(k)

        def counted(
            left: Flags, recounted: Callable[[Flags], tuple[Lengths, int]] = recounted
        ) -> Lengths:
            nonlocal rounds, capped
            rounds += 1
            lengths, cut = recounted(left)
            capped = max(capped, cut)
            return lengths

        def settled(stars: Flags) -> Flags:
            for turn in itertools.count(1):
                if words.progress is not None:  # each round adds fewer stars
                    words.progress(0.5 - 0.3 / turn)
                left = words.left(stars)
                more = stars | words.cover(counted(left), stars, left)
                if np.count_nonzero(more) == np.count_nonzero(stars):
                    break
                stars = more
            return stars

        stars = settled(stars)
        rules = words.rules
        if np.any(stars != before) and rules.run_price == 0 and rules.min_run == 1:
            stars = given_back(words, stars, before, k, counted)
        if words.knows is not None:
            stars = against_known(words, stars, before, k, words.knows, settled, counted)
        yield StarredCodes(k, stars, rounds, capped)
