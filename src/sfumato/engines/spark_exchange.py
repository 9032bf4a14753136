"""Blocks of documents on Spark: partitions of an RDD, and the exchange between them."""

from __future__ import annotations

import io
import pickle
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar
from zlib import crc32

import numpy as np

from ..core.printed_form import by_sizes
from .exchange import answers_of, carried_over, neighbours, row_of_all, summed
from .messages import narrow, posed, taken
from .spark import ID, by_parts, pyspark_there, settled
from .spark_faults import guarded, guarded_one

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..core.values import Array, JsonObject
    from .exchange import Measure, Query
    from .spark import SparkEngine
    from .values import Batch, Blocks, Cells, Frame, Records, Sent, Session, State

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
    documents: int = 0
    """How many there are, once somebody asked."""

    def each(self, blocks: Blocks, work: Callable[[State], State]) -> Blocks:
        """Every block by itself."""
        return blocks.mapPartitions(
            guarded(lambda some: ((b, PackedState(work(state))) for b, state in some)),
            preservesPartitioning=True,
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
                yield b, PackedState(work(pair[False], pair[True]))

        return _together(first, tagged).mapPartitions(guarded(joined), preservesPartitioning=True)

    def ask(self, blocks: Blocks, *queries: Query) -> Blocks:
        """Questions go to the part of their key, answers back to the block that asked."""
        out = self._asked(blocks, list(queries))
        self.waiting += 1
        return out if self.waiting < TOGETHER else self._made(out)

    def ask_counting(
        self, blocks: Blocks, queries: list[Query], measure: Callable[[State], dict[str, int]]
    ) -> tuple[Blocks, dict[str, int]]:
        """The same, and the sum of what every block measures then; in one job."""
        out = self._asked(blocks, queries)
        return out, self.total(out, measure)

    def _asked(self, blocks: Blocks, queries: list[Query]) -> Blocks:
        parts = self.parts
        asks, takes = [one.ask for one in queries], [one.take for one in queries]

        def waiting(some: Records) -> Records:
            settled()
            for b, one in some:
                state, messages = posed(one, asks, parts)
                yield b, (_packed(state), list(map(_packed, messages)))

        def asked(some: Records) -> Records:
            for b, (_, messages) in some:
                for part, one in enumerate(messages):
                    yield part, (b, one)

        def answers(part: int, some: Records) -> Records:
            settled()
            got = [(b, pickle.loads(one)) for _, (b, one) in some]  # noqa: S301 - of `waiting`
            for b, answer in answers_of(queries, got, part, parts):
                yield b, [part, answer]

        def received(pair: tuple[bytes, object], got: Cells) -> State:
            return taken(pickle.loads(pair[0]), takes, dict(got), parts)  # noqa: S301 - as above

        # What a block asks is made once, and lies beside the block until the answers are there.
        posing = self._keep(blocks.mapPartitions(guarded(waiting), preservesPartitioning=True))
        back = (
            posing.mapPartitions(asked)
            .partitionBy(parts, same_part)
            .mapPartitionsWithIndex(guarded(answers))
            .partitionBy(parts, same_part)
        )
        return _with_answers(posing, back, received)

    def gather(
        self,
        blocks: Blocks,
        send: Callable[[State], Sent],
        work: Callable[[list[Sent]], list[Sent]],
        take: Callable[[State, Sent], State],
    ) -> Blocks:
        """One task has what all blocks send."""
        self._keep(blocks)

        def worked(some: Records) -> Records:
            settled()
            sent = sorted((one for _, one in some), key=lambda one: one[0])
            found = work([one for _, one in sent])
            for (b, _), one in zip(sent, found, strict=True):
                yield b, [one]

        back = (
            blocks.map(guarded_one(lambda one: (0, (one[0], send(one[1])))))
            .partitionBy(1, same_part)
            .mapPartitions(guarded(worked))
            .partitionBy(self.parts, same_part)
        )
        return _with_answers(blocks, back, lambda state, got: take(state, got[0][0]))

    def beside(
        self, blocks: Blocks, measure: Measure, take: Callable[[State, Any], State]
    ) -> Blocks:
        """Documents go to the part of their numbers; of each part the driver sees a row."""
        parts = self.parts
        self._keep(blocks)
        if not self.documents:
            self.documents = 1 - (self.least(blocks, _last_document) or (0,))[0]
        each = -(-self.documents // parts)

        def documents(some: Records) -> Records:
            for b, state in some:
                ids, rows = measure(state)
                for part in np.unique(ids // each).tolist():
                    here = np.flatnonzero(ids // each == part)
                    yield part, (b, ids[here], here, rows[here])

        def in_order(some: Records) -> Records:
            got = sorted((one for _, one in some), key=lambda one: one[0])
            if got:
                of = np.repeat([one[0] for one in got], [len(one[1]) for one in got])
                ids, at, rows = (np.concatenate([one[i] for one in got]) for i in (1, 2, 3))
                order = np.argsort(ids)
                yield of[order], at[order], rows[order]

        ordered = self._keep(
            blocks.mapPartitions(documents).partitionBy(parts, same_part).mapPartitions(in_order)
        )

        def ends(part: int, some: Records) -> Records:
            for *_, rows in some:
                yield part, row_of_all(rows)

        carried = carried_over(dict(ordered.mapPartitionsWithIndex(ends).collect()), parts)

        def found(part: int, some: Records) -> Records:
            for of, at, rows in some:
                answers = neighbours(rows, carried[part])
                for b in np.unique(of).tolist():
                    yield b, [at[of == b], answers[of == b]]

        def received(state: State, got: Cells) -> State:
            answer = np.zeros((len(state["ids"]), 3), np.int64)
            for at, rows in got:
                answer[at] = rows
            return take(state, answer)

        back = ordered.mapPartitionsWithIndex(found).partitionBy(parts, same_part)
        return self._made(_with_answers(blocks, back, received))

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
        found: list[Measured] = blocks.map(guarded_one(lambda one: measure(one[1]))).collect()
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

    def _keep(self, blocks: Blocks) -> Blocks:
        if not blocks.is_cached:
            self.kept.append(blocks.persist(pyspark_there().StorageLevel.MEMORY_AND_DISK))
        return blocks

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


def _with_answers(blocks: Blocks, answers: Blocks, work: Callable[[Sent, Cells], State]) -> Blocks:
    """Every block with its answers, which are lists, as blocks are not."""

    def taken(some: Records) -> Records:
        settled()
        found: dict[int, tuple[Cells, Cells]] = {}
        for b, one in some:
            found.setdefault(b, ([], []))[isinstance(one, list)].append(one)
        for b in list(found):
            (block,), got = found.pop(b)
            yield b, PackedState(work(block, got))

    return _together(blocks, answers).mapPartitions(guarded(taken), preservesPartitioning=True)


class _Packing(pickle.Pickler):
    """Whole numbers in the least bytes, wherever they stand; they come back as what they were.

    Blocks go to Java and back, and most of what that costs is by the byte.
    """

    def reducer_override(self, value: Any) -> Any:
        if not isinstance(value, np.ndarray) or value.dtype.kind not in "iu":
            return NotImplemented
        small = narrow(value)
        if small.itemsize == value.itemsize:
            return NotImplemented
        return _widened, (small, value.dtype)


def _widened(small: Array, kind: Any) -> Array:
    return small.astype(kind)


def _packed(some: object) -> bytes:
    """Pickled, in few bytes.

    >>> pickle.loads(_packed({"a": (np.array([1, 2]),)}))
    {'a': (array([1, 2]),)}
    """
    into = io.BytesIO()
    _Packing(into, protocol=5).dump(some)
    return into.getvalue()


class PackedState(dict[str, Any]):
    """A state that is packed when Spark takes it; whoever gets it from there has a dictionary."""

    def __reduce__(self) -> tuple[Any, ...]:
        return pickle.loads, (_packed(dict(self)),)


def _last_document(state: State) -> tuple[int, ...] | None:
    return (-int(state["ids"].max()),) if len(state["ids"]) else None


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
                rows["data"].append(_packed(some))
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
        .mapPartitionsWithIndex(guarded(packed), preservesPartitioning=True)
    )


def _form(label: Any) -> str:
    from ..core.corpus import is_missing
    from ..core.labels import label_form

    return "" if is_missing(label) else label_form(label)
