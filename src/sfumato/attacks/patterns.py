"""Undoing separators: how many sensitive occurrences come back from a sanitized sequence.

Rule R1 writes `#` and the next non-sensitive window. After r skipped windows that window overlaps
what stands before it in k-1-r symbols. So, at each suspected place, for o = k-2 down to 0 with
equal o symbols before and after, the symbol there and o symbols are deleted. Where separators were
replaced, every unlikely symbol is suspected instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..kernels import patterns as kernels
from ..metrics.patterns import coded, windows_at, z_scores

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.release import Release
    from ..core.values import Data

    Codes = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Recovery:
    """What the attack found: places it undid, places where a sensitive pattern came back.

    `confidence` is the share of undone places that gave a sensitive pattern: what the attacker may
    believe of one guess. `recovered_share` is what came back of all sensitive occurrences.
    """

    suspected: int
    restored: int
    recovered: int
    sensitive_occurrences: int
    confidence: float
    recovered_share: float

    def as_dict(self) -> dict[str, float]:
        """Name -> number."""
        return asdict(self)


def undo(original: Data, release: Release, unlikely: float = -0.5) -> Recovery:
    """Undoes R1 at every separator of a release, or at every unlikely symbol when none is left.

    A symbol is suspected where a window that contains it scores below `unlikely` in the release, at
    the middle of each run of such places. The patterns, which the attacker does not know, only
    judge the guesses.

    Paper: Section 5.1. Cost: O(n + k q).

    >>> from ..methods.patterns.sanitize import sanitize
    >>> text = "aabaaacbcbbbaabbacaab"
    >>> undo(text, sanitize(text, ["baaa", "bbaa"], "tfs")).recovered_share
    1.0
    """
    hidden = _HiddenPatterns.of(original, release)
    places = np.flatnonzero(hidden.after == 0)
    if not len(places):
        places = suspects(hidden.after, hidden.k, unlikely)
    found = hidden.restored(places)
    total, recovered, restored = hidden.occurrences(), int(found.sum()), int((found > 0).sum())
    return Recovery(
        len(places),
        restored,
        recovered,
        total,
        restored / len(places) if len(places) else 0.0,
        min(1.0, recovered / total) if total else 0.0,
    )


@dataclass(frozen=True, slots=True)
class Blind:
    """What undoing gives at places where nothing was written; `windows` of the original."""

    tried: int
    restored: int
    windows: int


def undo_anywhere(original: Data, release: Release, places: int, seed: int = 0) -> Blind:
    """Undoes R1 at so many random places that hold no separator.

    >>> from ..methods.patterns.sanitize import sanitize
    >>> text = "aabaaacbcbbbaabbacaab"
    >>> undo_anywhere(text, sanitize(text, ["baaa", "bbaa"], "tfs"), 2).windows
    18
    """
    hidden = _HiddenPatterns.of(original, release)
    open_places = np.flatnonzero(hidden.after > 0)
    count = min(places, len(open_places))
    drawn = np.random.default_rng(seed).choice(open_places, count, replace=False)
    ends = np.flatnonzero(hidden.before == -1)
    sizes = np.diff(ends, prepend=-1) - 1
    return Blind(
        count,
        int((hidden.restored(drawn) > 0).sum()),
        int(np.maximum(0, sizes - hidden.k + 1).sum()),
    )


@dataclass(frozen=True, slots=True)
class _HiddenPatterns:
    """Original and release as codes, and the sensitive patterns by their length."""

    before: Codes
    after: Codes
    sensitive: dict[int, set[tuple[int, ...]]]
    k: int

    @classmethod
    def of(cls, original: Data, release: Release) -> _HiddenPatterns:
        parameters = release.parameters
        many = bool(parameters["collection"])
        groups = [
            list(original) if many else [original],
            list(release.data) if many else [release.data],
            list(release.sides.patterns or ()),
        ]
        before, after, patterns = coded(groups, parameters["separator"])
        ends = np.flatnonzero(patterns == -1)
        sensitive = _by_length(np.split(patterns, ends + 1)[:-1])
        return cls(before, after, sensitive, int(str(parameters["k"])))

    def occurrences(self) -> int:
        """How often sensitive patterns occur in the original."""
        return sum(
            int(
                kernels.count_windows(
                    self.before, np.array(sorted(some), np.int32).ravel(), size
                ).sum()
            )
            for size, some in self.sensitive.items()
        )

    def restored(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many sensitive patterns undoing each place gives; equal surroundings give equally."""
        k = self.k
        padded = np.pad(self.after, (k - 1, 2 * k), constant_values=-1)
        surroundings = windows_at(padded, places, 3 * k - 1)
        distinct, which = np.unique(surroundings, axis=0, return_inverse=True)
        found = np.array([self._patterns_in(undone(row, k - 1, k)) for row in distinct], np.int64)
        result: NDArray[np.int64] = found[which.ravel()]
        return result

    def _patterns_in(self, symbols: Sequence[int]) -> int:
        return sum(
            tuple(symbols[i : i + size]) in some
            for size, some in self.sensitive.items()
            for i in range(len(symbols) - size + 1)
        )


def _by_length(patterns: list[Codes]) -> dict[int, set[tuple[int, ...]]]:
    result: dict[int, set[tuple[int, ...]]] = {}
    for pattern in patterns:
        result.setdefault(len(pattern) - 1, set()).add(tuple(pattern[:-1].tolist()))
    return result


def undone(text: Codes, place: int, k: int) -> Sequence[int]:
    """The symbols round a place after its best undoing: k-1 before and k-1 after the joint."""
    left = _run(text[max(0, place - k + 1) : place][::-1].tolist())[::-1]
    right = _run(text[place + 1 : place + 2 * k].tolist())
    for overlap in range(k - 2, -1, -1):
        if overlap <= min(len(left), len(right)) and (
            left[len(left) - overlap :] == right[:overlap]
        ):
            return left + right[overlap : overlap + k - 1]
    return left


def _run(symbols: list[int]) -> list[int]:
    """The symbols before the first end or separator."""
    return next((symbols[:i] for i, one in enumerate(symbols) if one <= 0), symbols)


def suspects(text: Codes, k: int, unlikely: float) -> NDArray[np.int64]:
    """Symbols in unlikely windows: one place for every run of windows that score too low.

    A replaced separator spoils the k windows that contain it; it stands at the end of the first.
    """
    if k < 3:
        return np.zeros(0, np.int64)
    distinct, _ = kernels.distinct_windows(text, k)
    rows = windows_at(text, distinct, k)
    low = rows[z_scores(rows, text) < unlikely] if len(rows) else rows
    flags = kernels.sensitive_windows(text, np.ascontiguousarray(low).ravel(), k)
    starts = np.flatnonzero(np.diff(flags.astype(np.int8), prepend=0) == 1)
    stops = np.flatnonzero(np.diff(flags.astype(np.int8), append=0) == -1)
    # Windows starting at starts..stops all contain the symbols stops..starts+k-1.
    middle = (stops + starts + k - 1) // 2
    result: NDArray[np.int64] = np.unique(np.minimum(middle, len(text) - 1)).astype(np.int64)
    return result
