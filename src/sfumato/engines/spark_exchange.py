"""Blocks of documents on Spark: partitions of an RDD, and the exchange between them."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar
from zlib import crc32

import numpy as np

from ..core.printed_form import by_sizes
from .exchange import (
    answered,
    carried_over,
    forgotten,
    neighbours,
    received,
    row_of_all,
    sent,
    summed,
)
from .spark import ID, by_parts, pyspark_there, settled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..core.values import JsonObject
    from .exchange import Ask, How, Measure, Take
    from .spark import SparkEngine
    from .values import Batch, Blocks, Cells, Frame, Records, Session, State

SECOND = "second"
TOGETHER = 4
"""Questions of one job: more would keep more blocks at a time."""
Measured = TypeVar("Measured")


@dataclass(slots=True)
class SparkExchange:
    """Blocks as partitions of an RDD; a question and its answers are two shuffles.

    A few questions after each other are one job: taking the answers to one and asking the next is
    one task. Then the blocks are made and kept, their predecessors dropped. What was lost with a
    worker Spark makes again, from the input if need be, and alike.
    """

    __repr__ = by_sizes

    context: Session
    parts: int
    kept: list[Blocks] = field(default_factory=list)
    pinned: list[Blocks] = field(default_factory=list)
    waiting: int = 0
    """Questions whose answers are not there yet."""

    def each(self, blocks: Blocks, work: Callable[[State], State]) -> Blocks:
        """Every block by itself."""
        return blocks.mapPartitions(
            lambda some: ((b, work(state)) for b, state in some), preservesPartitioning=True
        )

    def both(self, first: Blocks, second: Blocks, work: Callable[[State, State], State]) -> Blocks:
        """Every block of two collections."""
        tagged = second.mapPartitions(
            lambda some: ((b, (SECOND, state)) for b, state in some), preservesPartitioning=True
        )

        def joined(some: Records) -> Records:
            found: dict[int, dict[bool, Any]] = {}
            for b, one in some:
                is_second = isinstance(one, tuple)
                found.setdefault(b, {})[is_second] = one[1] if is_second else one
            for b, pair in found.items():
                yield b, work(pair[False], pair[True])

        return _together(first, tagged).mapPartitions(joined, preservesPartitioning=True)

    def ask(self, blocks: Blocks, question: Ask, take: Take, how: How = "sum") -> Blocks:
        """Questions go to the part of their key, answers back to the block that asked."""
        out = self._asked(blocks, question, take, how)
        self.waiting += 1
        return out if self.waiting < TOGETHER else self._made(out)

    def ask_counting(
        self, blocks: Blocks, question: Ask, take: Take, measure: Callable[[State], dict[str, int]]
    ) -> tuple[Blocks, dict[str, int]]:
        """The same, and the sum of what every block measures then; in one job."""
        out = self._asked(blocks, question, take, "sum")
        return out, self.total(out, measure)

    def _asked(self, blocks: Blocks, question: Ask, take: Take, how: How) -> Blocks:
        parts = self.parts
        self._keep(blocks)

        def asked(some: Records) -> Records:
            settled()
            for b, state in some:
                for part, one in enumerate(sent(*question(state), parts=parts)):
                    if len(one[1]):
                        yield part, (b, one)

        def answers(part: int, some: Records) -> Records:
            settled()
            for b, answer in answered((one for _, one in some), part, parts, how):
                yield b, ((part, answer))

        def taken(some: Records) -> Records:
            states: dict[int, State] = {}
            got: dict[int, dict[int, Any]] = {}
            for b, one in some:
                if isinstance(one, dict):
                    states[b] = one
                else:
                    got.setdefault(b, {})[one[0]] = one[1]
            for b, state in states.items():
                yield b, forgotten(take(state, *received(question(state), got.pop(b, {}), parts)))

        back = (
            blocks.mapPartitions(asked)
            .partitionBy(parts, same_part)
            .mapPartitionsWithIndex(answers)
            .partitionBy(parts, same_part)
        )
        return _together(blocks, back).mapPartitions(taken, preservesPartitioning=True)

    def beside(
        self, blocks: Blocks, measure: Measure, take: Callable[[State, Any], State]
    ) -> Blocks:
        """Documents are sorted by their numbers; of each part of them the driver sees a row."""
        parts = self.parts
        self._keep(blocks)

        def documents(some: Records) -> Records:
            for b, state in some:
                ids, rows = measure(state)
                for i, (number, row) in enumerate(zip(ids.tolist(), rows.tolist(), strict=True)):
                    yield number, (b, i, *row)

        ordered = blocks.mapPartitions(documents).sortByKey(numPartitions=parts)
        self._keep(ordered)

        def rows_of(some: Records) -> Any:
            return np.array([one for _, one in some], np.int64).reshape(-1, 5)

        def ends(part: int, some: Records) -> Records:
            yield part, row_of_all(rows_of(some)[:, 2:])

        carried = carried_over(dict(ordered.mapPartitionsWithIndex(ends).collect()), parts)

        def found(part: int, some: Records) -> Records:
            rows = rows_of(some)
            answers = neighbours(rows[:, 2:], carried[part])
            for b in np.unique(rows[:, 0]).tolist():
                here = rows[:, 0] == b
                yield b, (part, (rows[here, 1], answers[here]))

        def taken(some: Records) -> Records:
            states, got = {}, []
            for b, one in some:
                if isinstance(one, dict):
                    states[b] = one
                else:
                    got.append((b, one[1]))
            for b, state in states.items():
                answer = np.zeros((len(measure(state)[0]), 3), np.int64)
                for of, (at, rows) in got:
                    if of == b:
                        answer[at] = rows
                yield b, take(state, answer)

        back = ordered.mapPartitionsWithIndex(found).partitionBy(parts, same_part)
        out = _together(blocks, back).mapPartitions(taken, preservesPartitioning=True)
        return self._made(out)

    def _made(self, out: Blocks) -> Blocks:
        """Blocks made now and kept; those they were made of are given back."""
        self._keep(out)
        out._jrdd.count()  # by the JVM: pyspark's own count would send every block to Python again
        self._drop(out)
        return out

    def total(self, blocks: Blocks, measure: Callable[[State], dict[str, int]]) -> dict[str, int]:
        """The sum of what every block measures."""
        return summed(self._measured(blocks, measure))

    def least(self, blocks: Blocks, measure: Callable[[State], tuple[int, ...] | None]) -> Blocks:
        """The least of what any block measures, or None."""
        found = self._measured(blocks, measure)
        return min((one for one in found if one is not None), default=None)

    def _measured(self, blocks: Blocks, measure: Callable[[State], Measured]) -> list[Measured]:
        self._keep(blocks)
        found: list[Measured] = blocks.map(lambda one: measure(one[1])).collect()
        self._drop(blocks)
        return found

    def keep(self, blocks: Blocks) -> Blocks:
        """These blocks are needed again, until `close`."""
        self._keep(blocks)
        self.pinned.append(blocks)
        return blocks

    def instead(self, blocks: Blocks, made: Blocks) -> Blocks:
        """The blocks that were kept are given back, once others are made of them."""
        self.pinned = [one for one in self.pinned if one is not blocks]
        return self._made(made)

    def close(self) -> None:
        """Gives back what was kept."""
        self.pinned.clear()
        self._drop(None)

    def _keep(self, blocks: Blocks) -> None:
        if not blocks.is_cached:
            self.kept.append(blocks.persist(pyspark_there().StorageLevel.MEMORY_AND_DISK))

    def _drop(self, but: Blocks) -> None:
        stay = [one for one in self.kept if one is but or any(one is p for p in self.pinned)]
        for one in self.kept:
            if not any(one is other for other in stay):
                one.unpersist()
        self.kept, self.waiting = stay, 0


def _together(blocks: Blocks, others: Blocks) -> Blocks:
    """Two collections in one, block by block, without a way through Python for either.

    Both are pickled lists. pyspark would write one of them anew where it takes their batches to be
    of different sizes, which does not matter to who reads them.
    """
    others._jrdd_deserializer = blocks._jrdd_deserializer
    return blocks.union(others)


def same_part(part: int) -> int:
    """The partition of a block, or of a part, is its number."""
    return part


def blocks_of(
    engine: SparkEngine, frame: Frame, columns: list[str], whose: str | None, parts: int
) -> Frame:
    """The rows of a frame in blocks; all of a person in one. Each is a dictionary of lists.

    `whose` names the column of people, or is None: every row is by itself. In a block rows stand in
    the order of their numbers (`ids`), whatever order they came in.
    """
    wanted = frame.select(ID, *columns, *([whose] if whose is not None else []))

    def cut(batches: Iterable[Batch]) -> Iterator[Batch]:
        import pyarrow as pa

        for batch in batches:
            ids = np.asarray(batch.column(0).to_pylist(), np.int64)
            values = [batch.column(i + 1).to_pylist() for i in range(len(columns))]
            people = None
            if whose is not None:
                people = [_form(one) for one in batch.column(len(columns) + 1).to_pylist()]
                keys = people
            else:
                keys = [str(one) for one in ids.tolist()]
            to = np.fromiter((crc32(one.encode()) % parts for one in keys), np.int64, len(keys))
            rows: dict[str, Cells] = {"part": [], "data": []}
            for part in np.unique(to).tolist():
                at = np.flatnonzero(to == part).tolist()
                of = None if people is None else [people[i] for i in at]
                some = (ids[at], [[one[i] for i in at] for one in values], of)
                rows["part"].append(part)
                rows["data"].append(pickle.dumps(some, protocol=5))
            yield pa.RecordBatch.from_pydict(
                rows, pa.schema([("part", pa.int32()), ("data", pa.binary())])
            )

    def packed(part: int, some: Records) -> Records:
        found = [pickle.loads(bytes(data)) for _, data in some]  # noqa: S301 - of `cut`, above
        ids = np.concatenate([np.zeros(0, np.int64), *(one[0] for one in found)])
        order = np.argsort(ids, kind="stable").tolist()
        state: JsonObject = {"ids": ids[order]}
        for i, name in enumerate(columns):
            every = [value for one in found for value in one[1][i]]
            state[name] = [every[at] for at in order]
        if whose is not None:
            people = [person for one in found for person in one[2]]
            names, labels = np.unique([people[at] for at in order], return_inverse=True)
            state["labels"] = labels.astype(np.int32)
            state["nameless"] = int("" in names)
        else:
            state["labels"] = np.arange(len(ids), dtype=np.int32)
            state["nameless"] = 0
        yield part, state

    return (
        by_parts(wanted, cut, "part int, data binary")
        .rdd.map(tuple)
        .partitionBy(parts, same_part)
        .mapPartitionsWithIndex(packed, preservesPartitioning=True)
    )


def _form(label: Any) -> str:
    from ..core.corpus import is_missing
    from ..core.labels import label_form

    return "" if is_missing(label) else label_form(label)
