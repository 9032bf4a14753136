"""Stars as a reader sees them, who writes back what can be guessed: docs/reader.md, checked.

The release is laid on its original word by word. What the reader guesses is counted anew among the
words of everybody else; guessed words are written back; what is then legible is counted.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ..claims.substrings import COPIED, LegibleParameters, MaskedParameters
from ..core.allowance import allowance
from ..core.claims import Claim, Verdict
from ..core.errors import BadInput
from ..kernels import checks
from .copies import copied_words
from .guessed_words import GuessedWords, Share, beside, guessed_stars

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from ..core.release import Release

    Int64s = NDArray[np.int64]
    Bools = NDArray[np.bool_]
    Elsewhere = Callable[[Int64s, Int64s, NDArray[np.int32] | None], Int64s]

HOLE = "\ue000\uf8ff\U000f0000"  # private symbols, one of which no text has


def check_reader(
    claim: Claim,
    before: list[str],
    after: list[str],
    release: Release,
    labels: NDArray[np.int32] | None,
) -> Verdict:
    """Judges a claim that stars stand against the reader. Cost: O(n log n)."""
    given = LegibleParameters.of(claim)
    laid = laid_on(claim, before, after)
    if laid.first_difference is not None:
        reason = "the release differs from the original other than by words starred whole"
        return Verdict(claim, False, reason, _place(*laid.first_difference))
    k = given.k
    rare = _rare_separator(laid, labels, k)
    if rare is not None:
        reason = f"what stands between two words is shared by fewer than {k}"
        return Verdict(claim, False, reason, f"document {rare}")
    unused = np.zeros(0, np.int64)  # they are as long as the texts
    laid = replace(laid, shown=unused, separators=unused, hidden=unused.astype(np.uint8))
    left = left_of_stars(claim, laid, before, public_of(claim, release), labels)
    counted, place = _counted(given, laid, left, labels)
    read = int(np.count_nonzero(laid.starred)) - int(np.count_nonzero(left))
    measured = {
        "smallest_count": counted.smallest,
        "stretches": counted.checked,
        "read_back": read,
    }
    if counted.failures:
        measured["violations"] = counted.failures
        reason = f"a stretch that a reader has has the count {counted.smallest}, k is {k}"
        return Verdict(claim, False, reason, place(counted.first), measured)
    reason = f"all {counted.checked} stretches hold, {read} starred words written back"
    return Verdict(claim, True, reason, None, measured)


def recount(claim: Claim, texts: list[str], labels: NDArray[np.int32] | None) -> Verdict:
    """Counts, in texts as a reader has them, what stands between their masks. Cost: O(n log n).

    What of the stars can be guessed is not told by a release alone.
    """
    given = LegibleParameters.of(claim)
    texts, mask = one_symbol(texts, given.mask)
    laid = checks.lay_words(texts, texts, mask, keep=given.keep)
    k = given.k
    counted, place = _counted(replace(given, strict=True), laid, laid.starred != 0, labels)
    measured = {"smallest_count": counted.smallest, "stretches": counted.checked}
    if counted.failures:
        measured["violations"] = counted.failures
        reason = f"a legible stretch has the count {counted.smallest}, k is {k}"
        return Verdict(claim, False, reason, place(counted.first), measured)
    return Verdict(claim, True, f"all {counted.checked} legible stretches hold", None, measured)


def filled(
    claim: Claim,
    whole: list[str],
    shown: list[str],
    labels: NDArray[np.int32] | None,
    public: list[str],
) -> list[str]:
    """Texts with holes (the claim's mask, one for a symbol) as a reader has them.

    `whole` are the same without holes. A word with a hole in it counts as starred; what is guessed
    is written back. A hole between words is a blank. Cost: O(n log n).
    """
    hole = MaskedParameters.of(claim).mask
    laid = checks.lay_words(whole, whole, hole)
    begins = np.cumsum([0, *map(len, whole)])
    joined = "".join(shown)
    holes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32) == ord(hole)
    at = np.repeat(begins[:-1], np.diff(laid.ends, prepend=0))
    starts, stops = laid.starts + at, laid.stops + at
    before = np.concatenate([[0], np.cumsum(holes)])
    starred = before[stops] > before[starts]
    laid = replace(laid, starred=starred.astype(np.uint8))
    left = left_of_stars(claim, laid, whole, public, labels)
    symbols, true = list(joined), "".join(whole)
    steps = np.zeros(len(symbols) + 1, np.int64)
    np.add.at(steps, starts, 1)
    np.add.at(steps, stops, -1)
    for place in np.flatnonzero(holes & (np.cumsum(steps[:-1]) == 0)).tolist():
        symbols[place] = " "
    for word in np.flatnonzero(starred & ~left).tolist():
        symbols[starts[word] : stops[word]] = true[starts[word] : stops[word]]
    written = "".join(symbols)
    return [written[a:b] for a, b in pairwise(begins.tolist())]


def one_symbol(texts: list[str], mask: str) -> tuple[list[str], str]:
    """The texts with every mask as one symbol that no text has, where there is one."""
    holes = [one for one in HOLE if not any(one in text for text in texts)]
    if not holes:
        return texts, mask
    return [text.replace(mask, holes[0]) for text in texts], holes[0]


def laid_on(claim: Claim, before: list[str], after: list[str]) -> checks.WordAlignment:
    """The release laid on its original as the claim says."""
    given = MaskedParameters.of(claim)
    return checks.lay_words(
        before,
        after,
        given.mask,
        keep=given.keep,
        collapsed=given.collapse,
        progress=allowance().told(0.0, 0.2),
    )


def _rare_separator(
    laid: checks.WordAlignment, labels: NDArray[np.int32] | None, k: int
) -> int | None:
    """The first document with a separator, other than blanks, that fewer than k share."""
    documents = len(laid.ends)
    sizes = np.diff(laid.ends, prepend=0) + 1
    owner = np.repeat(np.arange(documents), sizes)
    shown = laid.separators > 0
    numbers, owner = laid.separators[shown], owner[shown]
    if labels is None:
        counts = np.bincount(numbers, minlength=1)
    else:
        _, people = np.unique(labels, return_inverse=True)
        pairs = numbers * (len(people) + 1) + people[owner]
        pairs = checks.elsewhere(pairs, None)[1]  # equal ones alike
        of = np.zeros(int(pairs.max(initial=-1)) + 1, np.int64)
        of[pairs] = numbers
        counts = np.bincount(of, minlength=1)
    rare = counts[numbers] < k
    return int(owner[rare][0]) if rare.any() else None


def public_of(claim: Claim, release: Release) -> list[str]:
    """The public texts that the claim's reader knows."""
    if not MaskedParameters.of(claim).public:
        return []
    if release.sides.public is None:
        raise BadInput("the reader knows public texts", where="public", remedy="give them")
    return list(release.sides.public)


def left_of_stars(
    claim: Claim,
    laid: checks.WordAlignment,
    before: list[str],
    public: list[str],
    labels: NDArray[np.int32] | None,
) -> Bools:
    """The starred words that stay so when what can be guessed is written back."""
    given = MaskedParameters.of(claim)
    known = laid
    if public:  # numbered together
        known = checks.lay_words(
            [*before, *public], [*before, *public], given.mask, keep=given.keep
        )
    guessed = guessed_stars(
        known, len(before), given.share, not given.collapse, labels, laid.starred != 0
    )
    return read_through(laid, guessed)


def what_is_guessed(
    laid: checks.WordAlignment,
    judged: int,
    guess: Fraction,
    lengths: bool,
    labels: NDArray[np.int32] | None,
    *,
    elsewhere: Elsewhere,
    largest: int,
) -> GuessedWords:
    """What the reader guesses of each word of the first `judged` documents, a part of all texts.

    Counted among the words of everybody else: of other labels, or without labels at other places.
    `elsewhere` counts in all texts, and `largest` is the largest number of any word.
    """
    x, most = laid.numbers, largest + 1
    base = most + 2
    left, right, size, of = beside(laid, judged, lengths, labels, most)

    def others(known: Bools, a: Int64s, b: Int64s) -> Int64s:
        return elsewhere(np.where(known, a, -1), b, of)

    here, has_left, has_right = x >= 0, left >= 0, right >= 0
    none = np.zeros_like(x)
    word = others(here, x, none)
    all_words = others(here, size, none)
    of_left = others(here & has_left, left, size)
    of_right = others(here & has_right, right, size)
    left_word = others(here & has_left, left, x)
    word_right = others(here & has_right, x, right)
    enclosed = here & has_left & has_right
    between = others(enclosed, left * base + right, size)
    trigram = others(enclosed, left * base + x, right)
    from_left = Share(left_word, of_left, word, all_words)
    from_right = Share(word_right, of_right, word, all_words)
    in_left = here & from_left.reaches(guess)
    in_right = here & from_right.reaches(guess)
    in_both = here & (
        from_left.with_both(trigram, between, guess) | from_right.with_both(trigram, between, guess)
    )
    pair = _pairs(laid, guess, x, left, right, size, base, others, in_left, in_right, in_both)
    count = int(laid.ends[judged - 1]) if judged else 0
    return GuessedWords(in_left[:count], in_right[:count], in_both[:count], pair[:count])


def _pairs(
    laid: checks.WordAlignment,
    guess: Fraction,
    x: Int64s,
    left: Int64s,
    right: Int64s,
    size: Int64s,
    base: int,
    others: Callable[[Bools, Int64s, Int64s], Int64s],
    in_left: Bools,
    in_right: Bools,
    in_both: Bools,
) -> Bools:
    """Two words, neither a break alone, that are guessed together from what stands around them."""
    if len(x) < 2:
        return np.zeros(len(x), bool)
    inside = np.ones(len(x), bool)
    inside[(laid.ends - 1)[np.diff(laid.ends, prepend=0) > 0]] = False
    y, after = np.append(x[1:], -1), np.append(right[1:], -1)
    next_size = np.append(size[1:], 0)
    known = inside & (x >= 0) & (y >= 0) & (left >= 0) & (after >= 0)
    around = others(known, left * base + after, (size << 32) | next_size)
    both = others(known, left * base + x, y * base + after)
    some = in_left | in_right | in_both
    enough = both * guess.denominator >= around * guess.numerator
    found: Bools = known & some & np.append(some[1:], False) & (around > 0) & enough
    return found


def read_through(laid: checks.WordAlignment, guessed: GuessedWords) -> Bools:
    """Each run of stars without what is guessed from its ends, alone, or as a pair."""
    starred: Bools = laid.starred != 0
    size = len(starred)
    left = starred.copy()
    if not size:
        return left
    at = np.arange(size, dtype=np.int32 if size < 2**31 else np.int64)
    sizes = np.diff(laid.ends, prepend=0)
    document = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    legible = np.bincount(document[~starred], minlength=len(sizes)) > 0
    new = np.append(True, document[1:] != document[:-1])
    first = np.flatnonzero(starred & (new | ~np.append(False, starred[:-1])))
    last = np.flatnonzero(starred & (np.append(new[1:], True) | ~np.append(starred[1:], False)))
    read = legible[document[first]]
    first, last = first[read], last[read]
    # The next word that is not guessed from the left, the one before that is not from the right.
    onward = np.minimum.accumulate(np.where(guessed.left, size, at)[::-1])[::-1]
    back = np.maximum.accumulate(np.where(guessed.right, -1, at))
    a, b = onward[first], back[last]
    gone = (a > last) | (b < first) | (a > b)
    inner = np.where(gone, first, a)
    gone |= (a == b) & guessed.both[inner]
    gone |= (a + 1 == b) & guessed.pair[inner]
    steps = np.zeros(size + 1, np.int8)
    steps[first] -= 1  # no two runs begin, or end, at one place
    steps[last + 1] += 1
    steps[a[~gone]] += 1
    steps[b[~gone] + 1] -= 1
    kept: Bools = left & (np.cumsum(steps[:-1], dtype=np.int8) >= 0)
    return kept


def legible_stretches(
    reach: object, laid: checks.WordAlignment, left: Bools
) -> tuple[Int64s, Int64s, NDArray[np.int32]]:
    """What is legible, or its parts of at most `reach` words: starts, stops; words' documents."""
    numbers, ends = laid.numbers, laid.ends
    sizes = np.diff(ends, prepend=0)
    document = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    new = np.append(True, document[1:] != document[:-1]) if len(numbers) else np.zeros(0, bool)
    shown = ~left
    opens = shown & (new | np.append(True, left[:-1])[: len(new)])
    closes = shown & (np.append(new[1:], True) | np.append(left[1:], True))[: len(new)]
    starts, stops = np.flatnonzero(opens), np.flatnonzero(closes) + 1
    if reach is not None:
        windows = np.maximum(stops - starts - int(str(reach)), 0) + 1
        starts_of = np.repeat(starts, windows)
        steps = np.arange(len(starts_of)) - np.repeat(np.cumsum(windows) - windows, windows)
        starts = starts_of + steps
        stops = np.minimum(np.repeat(stops, windows), starts + int(str(reach)))
    return starts, stops, document


def _counted(
    given: LegibleParameters,
    laid: checks.WordAlignment,
    left: Bools,
    labels: NDArray[np.int32] | None,
) -> tuple[checks.StretchCounts, Callable[[int], str]]:
    """Counts what is legible, or its parts of at most `reach` words, as sequences of words."""
    numbers, ends = laid.numbers, laid.ends
    starts, stops, document = legible_stretches(given.reach, laid, left)
    begins = ends - np.diff(ends, prepend=0)
    of = document[starts] if len(starts) else starts
    reference = np.where(left, -1, numbers) if given.strict else numbers
    if given.copies == "once" and labels is not None:
        copied = copied_words(numbers, ends, labels, COPIED)
        reference = np.where(copied, -1, reference)
    counted = checks.count_sequences(
        reference,
        ends,
        of.astype(np.int32),
        starts - begins[of],
        stops - begins[of],
        numbers,
        ends,
        given.k,
        labels=labels,
        memory=allowance().memory,
        progress=allowance().told(0.6, 1.0),
    )
    return counted, lambda i: _place(int(of[i]), int(laid.starts[starts[i]]))


def _place(document: int, offset: int) -> str:
    return f"document {document}, offset {offset}"
