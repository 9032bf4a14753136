"""Sequences as one text of numbers, and names for its windows: what claims are compared by.

Windows of equal symbols get equal names; a window with a separator is no window.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.printed_form import by_sizes
from ..kernels import window_checks

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

    from ..core.values import Data

    Codes = NDArray[np.int32]
    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]


BREAK = 0  # what ends a sequence, and the separator


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """Several groups of sequences as one text; a break follows every sequence.

    `ends` has the break of every sequence, `groups` the number of the first sequence of each
    group, and the number of all.
    """

    text: Codes
    ends: Ints
    groups: list[int]
    patterns: list[Data]
    listed: list[Data]
    k: int

    __repr__ = by_sizes

    def begins(self, group: int) -> Ints:
        """Where each sequence of a group begins."""
        first, past = self.groups[group], self.groups[group + 1]
        return np.concatenate(([0], self.ends + 1))[first:past]

    def stops(self, group: int) -> Ints:
        """Where each sequence of a group ends."""
        return self.ends[self.groups[group] : self.groups[group + 1]]

    def part(self, group: int) -> slice:
        """The symbols of a group."""
        begins, stops = self.begins(group), self.stops(group)
        return slice(int(begins[0]), int(stops[-1]) + 1) if len(stops) else slice(0, 0)

    def place(self, place: int) -> str:
        """A place for messages."""
        sequence = int(np.searchsorted(self.ends, place))
        begin = int(self.ends[sequence - 1]) + 1 if sequence else 0
        group = int(np.searchsorted(self.groups, sequence, "right")) - 1
        whose = "original's " if group == ORIGINAL else ""
        return f"{whose}sequence {sequence - self.groups[group]}, offset {place - begin}"


ORIGINAL, RELEASE, PATTERNS, LISTED, REFERENCE = range(5)


def numbered(groups: list[list[Data]], separator: object, k: int) -> Numbers:
    """Numbers every symbol from 1 on; the separator and the end of a sequence are breaks."""
    everything = [sequence for group in groups for sequence in group]
    sizes = np.array([len(sequence) for sequence in everything], np.int64)
    ends = np.cumsum(sizes + 1) - 1
    if all(isinstance(sequence, str) for sequence in everything):
        text = _numbers_of_letters(everything, separator)
    else:
        known: dict[Hashable, int] = {} if separator is None else {separator: BREAK}
        text = np.fromiter(
            (
                known.setdefault(symbol, len(known) + (separator is None))
                for sequence in everything
                for symbol in (*sequence, *_END)
            ),
            np.int32,
            int(ends[-1]) + 1 if len(ends) else 0,
        )
    text[ends] = BREAK
    firsts = np.cumsum([0, *map(len, groups)]).tolist()
    return Numbers(text, ends, firsts, groups[PATTERNS], groups[LISTED], k)


_END = (object(),)  # a symbol that no sequence has


def _numbers_of_letters(sequences: list[str], separator: object) -> Codes:
    points: NDArray[Any]
    try:
        raw = b"\0".join([*(one.encode("latin-1") for one in sequences), b""])
        points = np.frombuffer(raw, np.uint8)
    except UnicodeEncodeError:
        joined = "".join(f"{sequence}\0" for sequence in sequences)
        points = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
    numbers = np.arange(1, int(points.max(initial=0)) + 2, dtype=np.int32)
    if isinstance(separator, str) and len(separator) == 1 and ord(separator) < len(numbers):
        numbers[ord(separator)] = BREAK
    result: Codes = numbers[points]
    return result


@dataclass(frozen=True, slots=True, eq=False)
class WindowNames:
    """The name of the window of k symbols at every place, and which names are sensitive."""

    names: Codes
    sensitive: Flags
    before: Ints
    """How often every name occurs in the original."""
    after: Ints
    """How often in the release."""


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """What claims with the same k and separator are judged by."""

    numbers: Numbers
    named: WindowNames


def named_windows(numbers: Numbers) -> WindowNames:
    """Names the windows; of each pattern its rarest window, leftmost on ties, is sensitive."""
    names, size = window_checks.name_windows(numbers.text, numbers.k)
    before = window_checks.count_names(names[numbers.part(ORIGINAL)], size)
    after = window_checks.count_names(names[numbers.part(RELEASE)], size)
    sensitive = np.zeros(size, bool)
    for begin, stop in zip(numbers.begins(PATTERNS), numbers.stops(PATTERNS), strict=True):
        mine = names[begin:stop]
        mine = mine[mine >= 0]
        if len(mine):
            sensitive[mine[np.argmin(before[mine])]] = True
    return WindowNames(names, sensitive, before, after)


def whole_names(numbers: Numbers, names: Codes, group: int, length: int) -> Codes:
    """The names of a group's sequences that have this length, as wholes."""
    begins = numbers.begins(group)
    mine = begins[numbers.stops(group) - begins == length]
    result: Codes = names[mine]
    return result


def names_of_length(numbers: Numbers, named: WindowNames, length: int) -> tuple[Codes, int]:
    """The names of windows of another length, and how many there are."""
    if length == numbers.k:
        return named.names, len(named.sensitive)
    return window_checks.name_windows(numbers.text, length)
