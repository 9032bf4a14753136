"""Short strings in the place of separators where no single letter will do.

Separators that stand so near to each other that a window holds two, separators at which every
letter and deletion make a forbidden pattern, and patterns of other lengths than k.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ...core.printed_form import by_sizes
from ...kernels import patterns as kernels
from .implausible import implausible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from .sensitive import Sensitive
    from .separators import Rules
    from .sequences import EncodedSequences

    Codes = NDArray[np.int32]
    Ints = NDArray[np.int64]
    Text = tuple[int, ...]

MOST_STATES = 2_000  # beginnings of strings that are gone on with, the cheapest ones


@dataclass(eq=False, repr=False)
class Judge:
    """Which stretches may not appear, and what a window costs; asked for many at once."""

    __repr__ = by_sizes

    encoded: EncodedSequences
    sensitive: Sensitive
    rules: Rules
    text: Codes
    tau: int
    _barred: dict[Text, bool] = field(default_factory=dict)
    _costs: dict[Text, float] = field(default_factory=dict)
    _never: dict[int, set[Text]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        k = self.sensitive.k
        never = self._never.setdefault(k, set())
        never.update(map(tuple, self.sensitive.codes.reshape(-1, k).tolist()))
        for pattern in self.rules.others:
            self._never.setdefault(len(pattern), set()).add(tuple(pattern))
        if self.rules.listed is not None:
            never.update(map(tuple, self.rules.listed.reshape(-1, k).tolist()))

    @property
    def longest(self) -> int:
        """The most symbols of a stretch that may be forbidden."""
        return max(self._never)

    def stretches(self, text: Text, stop: int, from_least: int = 0) -> list[Text]:
        """Those of a forbidden length that end before `stop`, from some place on."""
        return [
            text[stop - size : stop] for size in self._never if from_least <= stop - size < stop
        ]

    def learn(self, stretches: Iterable[Text]) -> None:
        """Judges stretches; windows of k symbols are counted in one pass over the text."""
        new = [one for one in dict.fromkeys(stretches) if one not in self._barred]
        k = self.sensitive.k
        for one in new:
            self._barred[one] = one in self._never[len(one)]
        windows = [one for one in new if len(one) == k]
        if not windows:
            return
        flat = np.array(windows, np.int32).ravel()
        for one, count in zip(
            windows, kernels.count_windows(self.text, flat, k).tolist(), strict=True
        ):
            self._costs[one] = 1.0 / (self.tau - count) if count < self.tau else 0.0
        if self.rules.rho is not None:
            by = self.encoded.codes if self.rules.reference is None else self.rules.reference
            odd = implausible(flat, k, by, self.rules.rho).tolist()
            pairs = zip(windows, odd, strict=True)
            self._barred.update((one, True) for one, is_odd in pairs if is_odd)

    def cost(self, stretches: Sequence[Text]) -> float | None:
        """What they cost together; None where one is forbidden. All are judged already."""
        if any(self._barred[one] for one in stretches):
            return None
        return sum(self._costs.get(one, 0.0) for one in stretches)


def short_string(left: Text, right: Text, letters: Sequence[int], judge: Judge) -> Text | None:
    """The string to write between what stands on both sides, such that nothing forbidden appears.

    One letter, else none, else the fewest letters; among as many the least sum of 1/(tau - f) over
    infrequent windows, then the first. Only the cheapest MOST_STATES beginnings are gone on with.
    None: no string of twice the longest stretch will do.

    Paper: MCSR's choice, with strings instead of letters. Cost: O(n + m l) for each further letter.
    """
    most = judge.longest - 1
    left, right = left[max(0, len(left) - most) :], right[:most]
    begun: dict[Text, tuple[float, Text]] = {left: (0.0, ())}
    nothing: tuple[float, Text] | None = None
    for size in range(2 * judge.longest + 1):
        best = _finished(begun, right, judge)
        if best is not None and size:
            return best[1]
        if size == 0:
            nothing = best
        elif size == 1 and nothing is not None:
            return nothing[1]
        begun = _longer(begun, letters, judge)
    return None


def _finished(
    begun: dict[Text, tuple[float, Text]], right: Text, judge: Judge
) -> tuple[float, Text] | None:
    """The cheapest of these strings that what follows may follow."""
    ends = {
        state: [
            one
            for stop in range(len(state) + 1, len(state) + len(right) + 1)
            for one in judge.stretches(state + right, stop)
            if stop - len(one) < len(state)
        ]
        for state in begun
    }
    judge.learn(one for some in ends.values() for one in some)
    found = [
        (cost + more, string)
        for state, (cost, string) in begun.items()
        if (more := judge.cost(ends[state])) is not None
    ]
    return min(found, default=None)


def _longer(
    begun: dict[Text, tuple[float, Text]], letters: Sequence[int], judge: Judge
) -> dict[Text, tuple[float, Text]]:
    """Every string with one more letter; of those that end alike the cheapest."""
    made = {
        (state, letter): judge.stretches((*state, letter), len(state) + 1)
        for state in begun
        for letter in letters
    }
    judge.learn(one for some in made.values() for one in some)
    most = judge.longest - 1
    found: dict[Text, tuple[float, Text]] = {}
    for (state, letter), some in made.items():
        more = judge.cost(some)
        if more is None:
            continue
        cost, string = begun[state]
        longer = (*state, letter)
        end = longer[max(0, len(longer) - most) :]
        one = cost + more, (*string, letter)
        if end not in found or one < found[end]:
            found[end] = one
    cheapest = sorted(found.items(), key=lambda pair: pair[1])[:MOST_STATES]
    return dict(cheapest)


@dataclass(eq=False, repr=False)
class FilledText:
    """A text with separators, and the strings that are written in their places so far."""

    __repr__ = by_sizes

    text: Codes
    places: Ints
    strings: dict[int, Text] = field(default_factory=dict)

    def sides(self, i: int, most: int) -> tuple[Text, Text]:
        """What stands on both sides of a separator, up to the next one that is not filled."""
        return self._side(i, -1, most)[::-1], self._side(i, 1, most)

    def _side(self, i: int, step: int, most: int) -> Text:
        found: list[int] = []
        place, other = int(self.places[i]) + step, i + step
        while 0 <= place < len(self.text) and len(found) < most:
            symbol = int(self.text[place])
            if symbol > 0:
                found.append(symbol)
            elif symbol == 0 and other in self.strings:
                found.extend(self.strings[other][::step])
                other += step
            else:
                break
            place += step
        return tuple(found[:most])

    def written(self) -> Codes:
        """The text with these strings; other separators stay."""
        parts, last = [], 0
        for i in sorted(self.strings):
            place = int(self.places[i])
            parts += [self.text[last:place], np.array(self.strings[i], np.int32)]
            last = place + 1
        return np.concatenate([*parts, self.text[last:]]).astype(np.int32)


def crowded(places: Ints, k: int) -> NDArray[np.bool_]:
    """Which separators have another so near that one window holds both."""
    near = np.diff(places) < k
    return np.concatenate((near, [False])) | np.concatenate(([False], near))


def misplaced(filled: FilledText, patterns: Sequence[Sequence[int]]) -> list[int]:
    """The separators whose strings are part of a listed pattern: of each occurrence the last."""
    text = filled.written()
    sizes = np.array([len(filled.strings[i]) for i in range(len(filled.places))], np.int64)
    begins = filled.places + np.cumsum(sizes - 1) - (sizes - 1)
    found: set[int] = set()
    for size in sorted({len(pattern) for pattern in patterns}):
        flat = np.array([one for one in patterns if len(one) == size], np.int32).ravel()
        stands = np.flatnonzero(kernels.sensitive_windows(text, flat, size))
        # The last string that begins before the end; of a deleted one, the junction lies inside.
        last = np.searchsorted(begins, stands + size) - 1
        inside = (last >= 0) & (begins[last] + sizes[last] > stands)
        found.update(last[inside].tolist())
    return sorted(found)
