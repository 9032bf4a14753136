"""Deletion: events are left out until no sensitive pattern occurs; none is made, moved or changed.

For logs of what happened: a letter in the place of a separator is an event that never was.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from ...kernels import patterns as kernels

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from .sequences import EncodedSequences

    Codes = NDArray[np.int32]
    Ints = NDArray[np.int64]

# How far from an occurrence a symbol may be deleted for its sake, in lengths of the longest
# pattern less one.
REACH = 4


def deleted(
    encoded: EncodedSequences,
    patterns: Sequence[Sequence[int]],
    progress: Callable[[float], None] | None = None,
) -> Ints:
    """The places of the symbols that are deleted: the fewest such that no pattern is left.

    What remains moves together, so that a deletion may make a pattern that was not there; the
    machine of all patterns says after every kept symbol how much of one stands at the end. Among
    the ways to reach a state the cheapest is kept. Symbols further from every occurrence than
    REACH lengths of the longest pattern stay; so the fewest are those of this neighbourhood.

    Cost: O(n) for each length of patterns, and O(m p) for an occurrence of a pattern of m symbols,
    p the symbols of all patterns.

    >>> from .sequences import encode
    >>> deleted(encode("abcab", ["bc"], None), [(2, 3)]).tolist()
    [1]
    """
    machine = Machine(patterns)
    longest = max(map(len, patterns), default=1)
    found = _occurrences(encoded.codes, patterns)
    gone: list[int] = []
    starts, ends = encoded.starts, encoded.ends
    for n, document in enumerate(np.unique(np.searchsorted(ends, found)).tolist()):
        start, stop = int(starts[document]), int(ends[document])
        inside = found[(found >= start) & (found < stop)]
        gone += _in_sequence(encoded.codes, (start, stop), inside.tolist(), machine, longest)
        if progress is not None and n % 1024 == 0:
            progress(stop / len(encoded.codes))
    return np.array(gone, np.int64)


def _occurrences(codes: Codes, patterns: Sequence[Sequence[int]]) -> Ints:
    """Where patterns start."""
    flags = np.zeros(len(codes), bool)
    for size in sorted({len(pattern) for pattern in patterns}):
        flat = np.array([one for one in patterns if len(one) == size], np.int32).ravel()
        flags |= kernels.sensitive_windows(codes, flat, size).astype(bool)
    return np.flatnonzero(flags)


def _in_sequence(
    codes: Codes, bounds: tuple[int, int], found: list[int], machine: Machine, longest: int
) -> list[int]:
    """The places to delete in one sequence, neighbourhood by neighbourhood."""
    start, stop = bounds
    reach = REACH * max(1, longest - 1)
    gone: list[int] = []
    at = 0
    while at < len(found):
        low = max(start, found[at] - reach)
        high = min(stop, found[at] + longest + reach)
        while at < len(found) and found[at] - reach < high:
            high = min(stop, found[at] + longest + reach)
            at += 1
        some = _fewest(codes, (low, high), bounds, machine, longest)
        if some is None:  # what stands round this neighbourhood must go, too
            whole = _fewest(codes, bounds, bounds, machine, longest)
            assert whole is not None  # no symbol at all is always without a pattern
            return whole
        gone += some
    return gone


def _fewest(
    codes: Codes, part: tuple[int, int], bounds: tuple[int, int], machine: Machine, longest: int
) -> list[int] | None:
    """The fewest places of a part such that its sequence has no pattern in it; None: there is none.

    What stands before and after the part stays.
    """
    state = 0
    before = codes[max(bounds[0], part[0] - longest + 1) : part[0]]
    for symbol in before.tolist():
        state = machine.after(state, symbol)
    alive = {state: 0}
    steps: list[dict[int, tuple[int, bool]]] = []
    inside = codes[part[0] : part[1]].tolist()
    outside = codes[part[1] : min(bounds[1], part[1] + longest - 1)].tolist()
    for i, symbol in enumerate([*inside, *outside]):
        reached: dict[int, int] = {}
        came: dict[int, tuple[int, bool]] = {}
        for old, cost in alive.items():
            new = machine.after(old, symbol)
            ways = [(new, cost, True)] if not machine.is_match[new] else []
            if i < len(inside):
                ways.append((old, cost + 1, False))
            for to, price, is_kept in ways:
                if to not in reached or price < reached[to]:
                    reached[to], came[to] = price, (old, is_kept)
        alive = machine.undominated(reached)
        steps.append(came)
    if not alive:
        return None
    state = min(alive, key=lambda one: (alive[one], one))
    gone = []
    for i in range(len(steps) - 1, -1, -1):
        state, is_kept = steps[i][state]
        if not is_kept:
            gone.append(part[0] + i)
    return gone[::-1]


class Machine:
    """Aho and Corasick's machine of the patterns: how much of one stands at the end of a text."""

    def __init__(self, patterns: Sequence[Sequence[int]]):
        self._next: list[dict[int, int]] = [{}]
        self._shorter = [0]
        self.is_match = [False]
        for pattern in patterns:
            state = 0
            for symbol in pattern:
                state = self._next[state].setdefault(symbol, len(self._next))
                if state == len(self._next):
                    self._next.append({})
                    self._shorter.append(0)
                    self.is_match.append(False)
            self.is_match[state] = True
        waiting = deque(self._next[0].values())
        while waiting:
            state = waiting.popleft()
            for symbol, child in self._next[state].items():
                self._shorter[child] = self.after(self._shorter[state], symbol)
                self.is_match[child] |= self.is_match[self._shorter[child]]
                waiting.append(child)

    def after(self, state: int, symbol: int) -> int:
        """The state after one more symbol."""
        while symbol not in self._next[state] and state:
            state = self._shorter[state]
        return self._next[state].get(symbol, 0)

    def undominated(self, costs: dict[int, int]) -> dict[int, int]:
        """Without states at whose end a shorter part stands as cheaply: that one allows more."""
        kept = {}
        for state, cost in costs.items():
            shorter = state
            while shorter:
                shorter = self._shorter[shorter]
                if costs.get(shorter, cost + 1) <= cost:
                    break
            else:
                kept[state] = cost
        return kept
