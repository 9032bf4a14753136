"""Blocks of documents, and what they ask of each other: sums over all blocks of what has one key.

A block holds whole people (or whole documents, where these are counted). So the number of different
people who write something is the sum of the blocks' numbers, and nothing but sums is exchanged.
Every key is sent in full: equal keys are equal symbols, never equal hashes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ..core.printed_form import by_sizes
from .messages import answered, posed, taken
from .values import State

if TYPE_CHECKING:
    from .messages import Ask, How, Message, Sums, Take
    from .values import Blocks, Sent

GATHERED = 1 << 24
"""Words, or other symbols, that one task has of all blocks, in some 60 bytes of memory for each."""
Measure = Callable[[State], tuple["Sums", "Sums"]]


@dataclass(frozen=True, slots=True)
class Query:
    """What blocks ask of each other, and what they make of the answers.

    With `"or"` the numbers are bits, of which those of any block are set; with `"least"` the answer
    is the least. Numbers of keys come back only where they are `named`.
    """

    __repr__ = by_sizes

    ask: Ask
    take: Take
    how: How = "sum"
    named: bool = True


class Exchange(Protocol):
    """How blocks are worked on: here in one process, or by Spark."""

    def each(self, blocks: Blocks, work: Callable[[State], State]) -> Blocks:
        """Every block by itself."""

    def both(self, first: Blocks, second: Blocks, work: Callable[[State, State], State]) -> Blocks:
        """Every block of two collections that have the same blocks."""

    def ask(self, blocks: Blocks, *queries: Query) -> Blocks:
        """Every block asks for the sums of its keys over all blocks, and takes the answers.

        Several questions go together; their answers are taken one after another.
        """

    def ask_counting(
        self, blocks: Blocks, queries: list[Query], measure: Callable[[State], dict[str, int]]
    ) -> tuple[Blocks, dict[str, int]]:
        """The same, and the sum of what every block measures then."""

    def gather(
        self,
        blocks: Blocks,
        send: Callable[[State], Sent],
        work: Callable[[list[Sent]], list[Sent]],
        take: Callable[[State, Sent], State],
    ) -> Blocks:
        """One task has something of all blocks, in their order, and gives each its answer."""

    def beside(
        self, blocks: Blocks, measure: Measure, take: Callable[[State, Sums], State]
    ) -> Blocks:
        """What stands beside each document, in the order of their numbers over all blocks.

        Measured are the numbers of a block's documents and for each a row: how many of something
        it has, and a value of the first and of the last. Taken are, for each document: how many
        those before it have, the last value before it, and the first after it (0: none).
        """

    def least(self, blocks: Blocks, measure: Callable[[State], tuple[int, ...] | None]) -> Blocks:
        """The least of what any block measures, or None."""

    def total(self, blocks: Blocks, measure: Callable[[State], dict[str, int]]) -> dict[str, int]:
        """The sum of what every block measures. The blocks are made now, and kept."""

    def keep(self, blocks: Blocks) -> Blocks:
        """These blocks are needed again."""

    def instead(self, blocks: Blocks, made: Blocks) -> Blocks:
        """Others are made of what was kept, which is needed no more."""


@dataclass(frozen=True, slots=True)
class Here:
    """The exchange in this process: a list of blocks. Tests compare it with the local verbs."""

    parts: int = 3
    """Among how many reducers keys are spread; no result depends on it."""

    def each(self, blocks: list[State], work: Callable[[State], State]) -> list[State]:
        """Every block by itself."""
        return [work(block) for block in blocks]

    def both(
        self, first: list[State], second: list[State], work: Callable[[State, State], State]
    ) -> list[State]:
        """Every block of two lists."""
        return [work(a, b) for a, b in zip(first, second, strict=True)]

    def ask(self, blocks: list[State], *queries: Query) -> list[State]:
        """Questions and answers go by the same functions as on a cluster."""
        asks, takes = [one.ask for one in queries], [one.take for one in queries]
        both = [posed(block, asks, self.parts) for block in blocks]
        answers: list[dict[int, list[Message]]] = [{} for _ in blocks]
        for part in range(self.parts):
            asked = [(i, messages[part]) for i, (_, messages) in enumerate(both)]
            for number, answer in answers_of(queries, asked, part, self.parts):
                answers[number][part] = answer
        return [
            taken(state, takes, one, self.parts)
            for (state, _), one in zip(both, answers, strict=True)
        ]

    def ask_counting(
        self,
        blocks: list[State],
        queries: list[Query],
        measure: Callable[[State], dict[str, int]],
    ) -> tuple[list[State], dict[str, int]]:
        """The same, and a sum."""
        made = self.ask(blocks, *queries)
        return made, self.total(made, measure)

    def gather(
        self,
        blocks: list[State],
        send: Callable[[State], Sent],
        work: Callable[[list[Sent]], list[Sent]],
        take: Callable[[State, Sent], State],
    ) -> list[State]:
        """All at once."""
        found = work([send(block) for block in blocks])
        return [take(block, one) for block, one in zip(blocks, found, strict=True)]

    def beside(
        self, blocks: list[State], measure: Measure, take: Callable[[State, Sums], State]
    ) -> list[State]:
        """In the order of all documents."""
        measured = [measure(block) for block in blocks]
        ids = np.concatenate([one for one, _ in measured])
        order = np.argsort(ids, kind="stable")
        found = np.zeros((len(ids), 3), np.int64)
        found[order] = neighbours(np.concatenate([rows for _, rows in measured])[order], NOTHING)
        borders = np.cumsum([0, *(len(one) for one, _ in measured)])
        return [
            take(block, found[a:b])
            for block, (a, b) in zip(blocks, pairwise(borders.tolist()), strict=True)
        ]

    def total(
        self, blocks: list[State], measure: Callable[[State], dict[str, int]]
    ) -> dict[str, int]:
        """The sum of what every block measures."""
        return summed(map(measure, blocks))

    def least(self, blocks: list[State], measure: Callable[[State], tuple[int, ...] | None]) -> Any:
        """The least of what any block measures, or None."""
        return min((one for one in map(measure, blocks) if one is not None), default=None)

    def keep(self, blocks: list[State]) -> list[State]:
        """Nothing here is ever made twice."""
        return blocks

    def instead(self, blocks: list[State], made: list[State]) -> list[State]:
        """There is nothing to give back."""
        return made


def answers_of(
    queries: Iterable[Query], asked: list[tuple[int, list[Message]]], part: int, parts: int
) -> Iterable[tuple[int, list[Message]]]:
    """The answers of one part to every block, for each query one."""
    found: dict[int, list[Message]] = {b: [] for b, _ in asked}
    for i, query in enumerate(queries):
        some = ((b, messages[i]) for b, messages in asked)
        for b, answer in answered(some, part, parts, query.how, named=query.named):
            found[b].append(answer)
    return found.items()


NOTHING = (0, 0, 0)


def neighbours(rows: Sums, carried: tuple[int, int, int]) -> Sums:
    """What stands beside documents in order, given what stands before and after all of them.

    >>> neighbours(np.array([[2, 5, 6], [0, 0, 0], [1, 7, 7]]), (10, 4, 0)).tolist()
    [[10, 4, 7], [12, 6, 7], [12, 6, 0]]
    """
    count = rows[:, 0]
    has = np.flatnonzero(count)
    at = np.arange(len(rows))
    earlier = np.searchsorted(has, at, "left")
    later = np.searchsorted(has, at, "right")
    lasts = np.append(np.int64(carried[1]), rows[has, 2])
    firsts = np.append(rows[has, 1], np.int64(carried[2]))
    return np.stack([carried[0] + np.cumsum(count) - count, lasts[earlier], firsts[later]], axis=1)


def row_of_all(rows: Sums) -> tuple[int, int, int]:
    """How many some documents have together, and the first and the last value among them.

    >>> row_of_all(np.array([[0, 0, 0], [2, 5, 6], [1, 7, 8]]))
    (3, 5, 8)
    """
    has = np.flatnonzero(rows[:, 0])
    if not len(has):
        return NOTHING
    return int(rows[:, 0].sum()), int(rows[has[0], 1]), int(rows[has[-1], 2])


def carried_over(ends: dict[int, tuple[int, int, int]], parts: int) -> list[tuple[int, int, int]]:
    """For each part of all documents what stands before and after it, from a row of each part.

    >>> carried_over({0: (2, 5, 6), 2: (1, 7, 7)}, 3)
    [(0, 0, 7), (2, 6, 7), (2, 6, 0)]
    """
    rows = np.array([ends.get(part, NOTHING) for part in range(parts)], np.int64)
    return [(int(a), int(b), int(c)) for a, b, c in neighbours(rows, NOTHING).tolist()]


def summed(measured: Iterable[dict[str, int]]) -> dict[str, int]:
    """Numbers by name, summed.

    >>> summed([{"a": 1}, {"a": 2, "b": 5}])
    {'a': 3, 'b': 5}
    """
    totals: dict[str, int] = {}
    for one in measured:
        for name, number in one.items():
            totals[name] = totals.get(name, 0) + int(number)
    return totals
