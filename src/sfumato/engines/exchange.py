"""Blocks of documents, and what they ask of each other: sums over all blocks of what has one key.

A block holds whole people (or whole documents, where these are counted). So the number of different
people who write something is the sum of the blocks' numbers, and nothing but sums is exchanged.
Every key is sent in full: equal keys are equal symbols, never equal hashes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, cast

import numpy as np

from .values import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .values import Blocks

    Numbers = NDArray[np.uint64]
    Sums = NDArray[np.int64]

Work = TypeVar("Work", bound=Callable[..., Any])
How = Literal["sum", "or", "least"]
Question = tuple[Any, "NDArray[np.int64]"]
"""Keys (rows of numbers, or a list of bytes), and for each a row of numbers to be summed."""
Ask = Callable[[State], Question]
Take = Callable[[State, "Numbers", "Sums"], State]
"""What a block makes of the answers: for each of its keys a number (equal for equal keys, in all
blocks, and for no others) and the sums."""

Measure = Callable[[State], tuple["Sums", "Sums"]]
MIXED = np.uint64(0x9E3779B97F4A7C15)
ONCE = "made for a question"


class Exchange(Protocol):
    """How blocks are worked on: here in one process, or by Spark."""

    def each(self, blocks: Blocks, work: Callable[[State], State]) -> Blocks:
        """Every block by itself."""

    def both(self, first: Blocks, second: Blocks, work: Callable[[State, State], State]) -> Blocks:
        """Every block of two collections that have the same blocks."""

    def ask(self, blocks: Blocks, question: Ask, take: Take, how: How = "sum") -> Blocks:
        """Every block asks for the sums of its keys over all blocks, and takes the answers.

        With `"or"` the numbers are bits, of which those of any block are set; with `"least"` the
        answer is the least.
        """

    def ask_counting(
        self, blocks: Blocks, question: Ask, take: Take, measure: Callable[[State], dict[str, int]]
    ) -> tuple[Blocks, dict[str, int]]:
        """The same, and the sum of what every block measures then."""

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

    def ask(self, blocks: list[State], question: Ask, take: Take, how: How = "sum") -> list[State]:
        """Questions and answers go by the same functions as on a cluster."""
        asked = [sent(*question(block), parts=self.parts) for block in blocks]
        answers: list[dict[int, Answer]] = [{} for _ in blocks]
        for part in range(self.parts):
            for number, answer in answered(
                ((i, one[part]) for i, one in enumerate(asked)), part, self.parts, how
            ):
                answers[number][part] = answer
        return [
            forgotten(take(block, *received(question(block), one, self.parts)))
            for block, one in zip(blocks, answers, strict=True)
        ]

    def ask_counting(
        self,
        blocks: list[State],
        question: Ask,
        take: Take,
        measure: Callable[[State], dict[str, int]],
    ) -> tuple[list[State], dict[str, int]]:
        """The same, and a sum."""
        made = self.ask(blocks, question, take)
        return made, self.total(made, measure)

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


Answer = tuple["Numbers", "Sums"]


def sent(keys: Any, values: NDArray[np.int64], parts: int) -> list[Question]:
    """A question, cut by where its keys are answered."""
    order, borders = _routed(keys, parts)
    sections = [order[a:b] for a, b in pairwise(borders)]
    if isinstance(keys, list):
        return [([keys[i] for i in one.tolist()], values[one]) for one in sections]
    return [(keys[one], values[one]) for one in sections]


def answered(
    asked: Iterable[tuple[int, Question]], part: int, parts: int, how: How = "sum"
) -> Iterable[tuple[int, Answer]]:
    """The answers of one part to every block that asked: a number for each key, and its sums."""
    # In the order of blocks, whatever order they came in: a part that is made again is the same.
    questions = sorted(asked, key=lambda one: one[0])
    if not questions:
        return
    sizes = [len(values) for _, (_, values) in questions]
    keys: Any
    if isinstance(questions[0][1][0], list):
        keys = [key for _, (some, _) in questions for key in some]
    else:
        keys = np.concatenate([some for _, (some, _) in questions])
    values = np.concatenate([some for _, (_, some) in questions])
    same, count = grouped(keys)
    start = np.iinfo(np.int64).max if how == "least" else 0
    sums = np.full((count, values.shape[1]), start, np.int64)
    join = {"sum": np.add, "or": np.bitwise_or, "least": np.minimum}[how]
    for column in range(values.shape[1]):
        join.at(sums[:, column], same, values[:, column])
    numbers = (np.arange(count, dtype=np.uint64) * np.uint64(parts)) + np.uint64(part + 1)
    at = 0
    for (block, _), size in zip(questions, sizes, strict=True):
        here = same[at : at + size]
        yield block, (numbers[here], sums[here])
        at += size


def received(question: Question, answers: dict[int, Answer], parts: int) -> Answer:
    """The answers in the order of the question."""
    keys, values = question
    order, _ = _routed(keys, parts)
    numbers = np.zeros(len(order), np.uint64)
    sums = np.zeros(values.shape, np.int64)
    got = [answers[part] for part in range(parts) if part in answers]
    if got:
        numbers[order] = np.concatenate([one for one, _ in got])
        sums[order] = np.concatenate([one for _, one in got])
    return numbers, sums


def _routed(keys: Any, parts: int) -> tuple[NDArray[np.int64], list[int]]:
    """The keys in the order of the parts that answer them, and where each part begins."""
    if isinstance(keys, list):
        from zlib import crc32

        to = np.fromiter((crc32(key) % parts for key in keys), np.int64, len(keys))
    else:
        to = (_mixed(keys) % np.uint64(parts)).astype(np.int64)
    order = np.argsort(to, kind="stable")
    return order, np.searchsorted(to[order], np.arange(parts + 1)).tolist()


def grouped(keys: Any) -> tuple[NDArray[np.int64], int]:
    """A number for each row, alike for equal rows, from 0 on; how many. It depends on no order.

    >>> grouped(np.array([[7, 1], [2, 9], [7, 1]], np.uint64))[1]
    2
    >>> grouped([b"b", b"a", b"b"])
    (array([1, 0, 1]), 2)
    """
    if isinstance(keys, list):
        numbers = {key: i for i, key in enumerate(sorted(set(keys)))}
        return np.fromiter((numbers[key] for key in keys), np.int64, len(keys)), len(numbers)
    mixed = _mixed(keys)
    order = np.argsort(mixed, kind="stable")
    ranked = keys[order]
    new = np.append(True, (ranked[1:] != ranked[:-1]).any(axis=1))[: len(keys)]
    again = np.append(False, mixed[order][1:] == mixed[order][:-1])[: len(keys)]
    if (new & again).any():  # different rows are mixed alike, perhaps in turns
        return _compared(keys)
    same = np.empty(len(keys), np.int64)
    same[order] = np.cumsum(new) - 1
    return same, int(new.sum())


def _compared(keys: NDArray[np.uint64]) -> tuple[NDArray[np.int64], int]:
    """The same, column by column."""
    same, count = np.zeros(len(keys), np.int64), min(1, len(keys))
    for column in keys.T:
        found, inverse = np.unique(column, return_inverse=True)
        joined, same = np.unique(same * len(found) + inverse, return_inverse=True)
        count = len(joined)
    return same.astype(np.int64, copy=False), count


def _mixed(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    mixed = np.zeros(len(keys), np.uint64)
    for column in keys.T:
        mixed = (mixed ^ column) * MIXED
        mixed ^= mixed >> np.uint64(29)
    return mixed


def once(work: Work) -> Work:
    """What is made of a state both to ask and to take the answer is made once.

    It is kept in the state, and forgotten with the answer.
    """

    @wraps(work)
    def kept(state: State, *given: Any) -> Any:
        made = state.setdefault(ONCE, {})
        key = (work.__name__, given)
        if key not in made:
            made[key] = work(state, *given)
        return made[key]

    return cast("Work", kept)


def forgotten(state: State) -> State:
    """A state without what was made for a question."""
    return {name: value for name, value in state.items() if name != ONCE}
