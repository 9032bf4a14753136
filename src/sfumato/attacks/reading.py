"""A release as a reader has it, who fills its stars in: blanks, words, and copies of the passage.

The reader is the one of docs/reader.md. Only what is right is written: a wrong guess would help
nobody. The texts are those that linkage attacks beside the release as it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..core.corpus import Corpus
from ..core.printed_form import by_sizes
from ..kernels import text
from ..methods.substrings.reader_stars import Words, words_of
from .result import AttackResult
from .scene import people_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from ..core.values import Data

    Bools = NDArray[np.bool_]
    Hashes = NDArray[np.uint64]
    Flags = NDArray[np.uint8]
    Whole = NDArray[np.int64]

GUESS = 0.5
BESIDE = 3  # words on each side by which a copy of a passage is found
LONGEST = 6  # words of a gap that a copy fills


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """The words of a corpus, those the release stars, and those that stay so for its reader."""

    __repr__ = by_sizes

    words: Words
    symbols: Flags
    """The starred symbols, in the layout of symbols."""
    starred: Bools
    by_reader: Bools
    by_copies: Bools

    @property
    def left(self) -> Bools:
        """The words that stay starred."""
        return self.starred & ~self.by_reader & ~self.by_copies

    def texts(self, mark: str) -> list[str]:
        """What the reader has: words that stay starred are marks, all else is as it was."""
        hidden = self.words.codes.symbols(self.left.astype(np.uint8))
        return text.mask_texts(self.words.texts, hidden, mark, False)


def read(
    original: Sequence[str],
    stars: Sequence[Bools],
    groups: Data = None,
    *,
    public: Sequence[str] = (),
    mark: str = "★",
) -> Reading:
    """Reads a release of which `stars` flags the starred symbols of each document. Cost: O(n).

    >>> texts = ["He lives in Oak Road"] * 3
    >>> stars = [np.array([c in "O " for c in one]) for one in texts]
    >>> read(texts, stars).texts("★")[0]
    'He lives in Oak Road'
    """
    labels = people_of(groups, len(original)).astype(np.int32)
    options = {"mask": mark, "guess": GUESS, "collapse": False, "reach": None, "copies": "report"}
    words = words_of(
        Corpus.of(list(original)),
        labels,
        {**options, "min_run": 1, "run_price": 0},
        list(public),
        at_least=1,
        memory=None,
        progress=None,
    )
    apart = np.zeros(1, np.uint8)
    symbols = np.concatenate([part for one in stars for part in (one, apart)] or [apart[:0]])
    symbols = symbols.astype(np.uint8)
    starred = (words.codes.touched(symbols) != 0) | (words.breaks != 0)
    left = words.left(starred.astype(np.uint8)) != 0
    by_copies = _from_copies(words, left)
    return Reading(words, symbols, starred, starred & ~left, by_copies)


def _from_copies(words: Words, left: Bools) -> Bools:
    """The words of gaps that the same passage elsewhere tells: most often, and rightly."""
    codes = np.where(left, 0, words.codes.codes.astype(np.int64) + 1).astype(np.uint64)
    codes[words.codes.ends] = 0
    true = words.codes.codes.astype(np.uint64) + np.uint64(1)
    first, last = words.runs(left.astype(np.uint8))
    found = np.zeros(len(left), bool)
    for size in range(1, LONGEST + 1):
        at = first[last - first == size - 1]
        whole = len(codes) - size - 2 * BESIDE + 1
        at = at[(at >= BESIDE) & (at - BESIDE < whole)]
        if not len(at):
            continue
        offsets = [*range(BESIDE), *range(BESIDE + size, 2 * BESIDE + size)]
        inside = range(BESIDE, BESIDE + size)
        beside, known = _hashed(codes, offsets, whole)
        middle, legible = _hashed(codes, inside, whole)
        hidden, _ = _hashed(true, inside, whole)
        asked = at - BESIDE
        asked = asked[known[asked]]
        told = np.flatnonzero(known & legible & np.isin(beside, beside[asked]))
        best = _most_frequent(beside[told], middle[told])
        for place in asked.tolist():
            if best.get(int(beside[place])) == int(hidden[place]):
                found[place + BESIDE : place + BESIDE + size] = True
    return found


def _hashed(codes: Hashes, offsets: Iterable[int], count: int) -> tuple[Hashes, Bools]:
    """A number for the words at these offsets from every place, and whether none is hidden."""
    value = np.zeros(count, np.uint64)
    good = np.ones(count, bool)
    for offset in offsets:
        here = codes[offset : offset + count]
        value = (value ^ here) * np.uint64(0x9E3779B97F4A7C15)
        value ^= value >> np.uint64(29)
        good &= here != 0
    return value, good


def _most_frequent(keys: Hashes, values: Hashes) -> dict[int, int]:
    """For each key its most frequent value."""
    if not len(keys):
        return {}
    pairs, counts = np.unique(np.stack([keys, values]), axis=1, return_counts=True)
    order = np.argsort(counts, kind="stable")
    return dict(zip(pairs[0][order].tolist(), pairs[1][order].tolist(), strict=True))


def reconstruction(reading: Reading, k: int, *, public: bool) -> AttackResult:
    """How many runs of stars are filled in: those that hide no word, and those whose words are.

    `detail` tells how many hide no word, the share of starred words restored, and after that the
    share of legible letters in stretches of words that fewer than `k` people share. The baseline
    writes the most frequent word of the length that the stars show. Cost: O(n log n).
    """
    words = reading.words
    ends = words.codes.symbol_ends
    runs = text.star_runs(reading.symbols, ends)
    begins = ends[runs.documents] - np.diff(ends, prepend=-1)[runs.documents] + 1
    starts, stops = begins + runs.starts, begins + runs.stops
    hides = _symbols_of(words, reading.starred)
    stays = _symbols_of(words, reading.left)
    blind = _symbols_of(words, reading.starred & ~_most_usual(words, reading.starred))
    blank = hides[stops] == hides[starts]
    restored = stays[stops] == stays[starts]
    guessed = ~blank & (blind[stops] == blind[starts])
    own = reading.starred & (words.breaks == 0)
    starred = max(1, int(own.sum()))
    detail = {
        "only_blanks": float(blank.mean()) if len(blank) else 0.0,
        "words_starred": starred / max(1, int((words.breaks == 0).sum()) - len(words.codes.ends)),
        "words_restored": int((own & ~reading.left).sum()) / starred,
        "words_from_copies": int((own & reading.by_copies).sum()) / starred,
        "letters_of_fewer": letters_of_fewer(reading, k),
    }
    return AttackResult.of(
        "reconstruction-public" if public else "reconstruction",
        int(restored.sum()),
        len(restored),
        baseline=float(guessed.mean()) if len(guessed) else 0.0,
        unit="run of stars",
        background="the texts of everybody else" + (", and public ones" if public else ""),
        detail=detail,
    )


def _symbols_of(words: Words, flags: Bools) -> Whole:
    """How many symbols of flagged words stand before each place."""
    symbols = words.codes.symbols(flags.astype(np.uint8))
    return np.concatenate([[0], np.cumsum(symbols, dtype=np.int64)])


def _most_usual(words: Words, starred: Bools) -> Bools:
    """Words that are the most frequent legible one of their length."""
    starts, stops = words.places
    lengths, codes = stops - starts, words.codes.codes.astype(np.int64)
    legible = ~starred & (lengths > 0)
    counts = np.bincount(codes[legible], minlength=int(codes.max(initial=0)) + 1)
    size = np.zeros(len(counts), np.int64)
    size[codes] = lengths
    usual = np.full(int(size.max(initial=0)) + 1, -1)
    for code in np.argsort(counts, kind="stable")[counts[np.argsort(counts, kind="stable")] > 0]:
        usual[size[code]] = code
    found: Bools = usual[lengths] == codes
    return found


def letters_of_fewer(reading: Reading, k: int) -> float:
    """The share of the letters a reader has in stretches that fewer than k people share."""
    words = reading.words
    lengths, _ = words.counting()(k, True)
    shown = ~(reading.left | (words.breaks != 0))
    shown[words.codes.ends] = False
    first, last = words.runs(shown.astype(np.uint8))
    starts, stops = words.places
    letters = np.concatenate([[0], np.cumsum(np.where(shown, stops - starts, 0))])
    size = letters[last + 1] - letters[first]
    rare = lengths[first] < last + 1 - first
    return float(size[rare].sum() / max(1, size.sum()))
