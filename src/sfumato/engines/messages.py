"""What blocks send each other: questions, cut by where they are answered, and the answers.

Numbers go in columns of the least width that holds them. A message is one record, whatever it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import numpy as np

from .values import Keys, State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.values import Array

    Numbers = NDArray[np.uint64]
    Sums = NDArray[np.int64]
    Columns = tuple[Array, ...]

Work = TypeVar("Work", bound=Callable[..., Any])
How = Literal["sum", "or", "least"]
Question = tuple[Keys, "NDArray[np.int64]"]
"""Keys (rows of numbers, or a list of bytes), and for each a row of numbers to be summed."""
Answer = tuple["Numbers", "Sums"]
Ask = Callable[[State], Question]
Take = Callable[[State, "Numbers", "Sums"], State]
"""What a block makes of the answers: for each of its keys a number (equal for equal keys, in all
blocks, and for no others) and the sums."""
Message = tuple[Keys, "Columns"]
"""A question, or an answer, on its way: keys or numbers, and columns of sums."""

MIXED = np.uint64(0x9E3779B97F4A7C15)
KINDS = (np.uint8, np.uint16, np.uint32)
ONCE, ASKED = "made for a question", "parts that answer"


def narrow(column: Array) -> Array:
    """The same whole numbers in the least bytes.

    >>> narrow(np.array([0, 300])).dtype, narrow(np.array([-1])).dtype
    (dtype('uint16'), dtype('int64'))
    """
    if len(column) and column.min() < 0:
        return column
    most = int(column.max(initial=0))
    for kind in KINDS:
        if most <= np.iinfo(kind).max:
            return column.astype(kind, copy=False)
    return column


def _columns(rows: Array) -> Columns:
    return tuple(narrow(column) for column in rows.T)


def _rows(columns: list[Columns], kind: type[np.generic]) -> Array:
    """The rows of several messages, one after another."""
    size = sum(len(one[0]) for one in columns)
    rows = np.empty((size, len(columns[0])), kind)
    for i in range(rows.shape[1]):
        np.concatenate([one[i] for one in columns], out=rows[:, i], casting="unsafe")
    return rows


def sent(question: Question, parts: int) -> tuple[list[Message], Array]:
    """A question, cut by where its keys are answered, and the part of each key."""
    keys, values = question
    to = _routed(keys, parts)
    borders = np.cumsum(np.concatenate([[0], np.bincount(to, minlength=parts)])).tolist()
    order = _in_parts(to)
    sections = [order[a:b] for a, b in pairwise(borders)]
    messages: list[Message]
    if isinstance(keys, list):
        messages = [([keys[i] for i in one.tolist()], _columns(values[one])) for one in sections]
    else:
        messages = [(_columns(keys[one]), _columns(values[one])) for one in sections]
    return messages, to


def answered(
    asked: Iterable[tuple[int, Message]],
    part: int,
    parts: int,
    how: How = "sum",
    *,
    named: bool = True,
) -> Iterable[tuple[int, Message]]:
    """The answers of one part to every block that asked: its sums, and a number for each key."""
    # In the order of blocks, whatever order they came in: a part that is made again is the same.
    questions = sorted(asked, key=lambda one: one[0])
    if not questions:
        return
    sizes = [len(columns[0]) for _, (_, columns) in questions]
    keys: Keys
    if isinstance(questions[0][1][0], list):
        keys = [key for _, (some, _) in questions for key in some]
    else:
        keys = _rows([some for _, (some, _) in questions], np.uint64)
    values = _rows([some for _, (_, some) in questions], np.int64)
    same, count = grouped(keys)
    start = np.iinfo(np.int64).max if how == "least" else 0
    sums = np.full((count, values.shape[1]), start, np.int64)
    join = {"sum": np.add, "or": np.bitwise_or, "least": np.minimum}[how]
    for column in range(values.shape[1]):
        join.at(sums[:, column], same, values[:, column])
    numbers = narrow(np.arange(count, dtype=np.uint64) * np.uint64(parts) + np.uint64(part + 1))
    columns, at = _columns(sums), 0
    for (block, _), size in zip(questions, sizes, strict=True):
        here = same[at : at + size]
        yield block, (numbers[here] if named else None, tuple(one[here] for one in columns))
        at += size


def received(to: Array, width: int, answers: dict[int, Message], parts: int) -> Answer:
    """The answers in the order of the question. Where no numbers were sent they are all 0."""
    order = _in_parts(to)
    numbers = np.zeros(len(order), np.uint64)
    sums = np.zeros((len(order), width), np.int64)
    got = [answers[part] for part in range(parts) if part in answers]
    if got:
        if got[0][0] is not None:
            numbers[order] = np.concatenate([one for one, _ in got])
        for i in range(width):
            sums[order, i] = np.concatenate([one[i] for _, one in got])
    return numbers, sums


def _routed(keys: Keys, parts: int) -> Array:
    """The part that answers each key."""
    if isinstance(keys, list):
        from zlib import crc32

        to = np.fromiter((crc32(key) % parts for key in keys), np.int64, len(keys))
    else:
        to = ((_mixed(keys) >> np.uint64(32)) % np.uint64(parts)).astype(np.int64)
    return narrow(to)


def _in_parts(to: Array) -> NDArray[np.int64]:
    """Keys part after part, given the part of each."""
    return np.argsort(to, kind="stable")  # by radix, while there are few parts


def grouped(keys: Keys) -> tuple[NDArray[np.int64], int]:
    """A number for each row, alike for equal rows, from 0 on; how many.

    >>> grouped(np.array([[7, 1], [2, 9], [7, 1]], np.uint64))[1]
    2
    >>> grouped([b"b", b"a", b"b"])
    (array([1, 0, 1]), 2)
    """
    if isinstance(keys, list):
        numbers = {key: i for i, key in enumerate(sorted(set(keys)))}
        return np.fromiter((numbers[key] for key in keys), np.int64, len(keys)), len(numbers)
    first, same = alike(_mixed(keys))
    of = first[same]
    if any((column != column[of]).any() for column in keys.T):  # different rows are mixed alike
        return _compared(keys)
    return same, len(first)


def alike(values: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first place of each different number, and which of these each one is.

    >>> alike(np.array([7, 2, 7]))
    (array([0, 1]), array([0, 1, 0]))
    """
    import pyarrow as pa  # whoever has pyspark has it: twice as fast as sorting

    found = pa.array(values).dictionary_encode()
    same = found.indices.to_numpy().astype(np.int64)
    first = np.empty(len(found.dictionary), np.int64)
    first[same[::-1]] = np.arange(len(values) - 1, -1, -1)
    return first, same


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

    It gives a tuple, the question first. It is kept in the state, without the question once that is
    sent, and forgotten with the answer.
    """

    @wraps(work)
    def kept(state: State, *given: Any) -> Any:
        made = state.setdefault(ONCE, {})
        key = (work.__name__, given)
        if key not in made:
            made[key] = work(state, *given)
        return made[key]

    return cast("Work", kept)


def posed(state: State, asks: list[Ask], parts: int) -> tuple[State, list[list[Message]]]:
    """A state that waits for answers, and for each part its messages, one for each question."""
    messages, asked = [], []
    state = dict(state)
    for ask in asks:
        question = ask(state)
        some, to = sent(question, parts)
        messages.append(some)
        asked.append((to, question[1].shape[1]))
    made = {name: (None, *rest) for name, (_, *rest) in state.get(ONCE, {}).items()}
    return {**state, ONCE: made, ASKED: asked}, [list(one) for one in zip(*messages, strict=True)]


def taken(state: State, takes: list[Take], got: dict[int, list[Message]], parts: int) -> State:
    """A state that has its answers, one after another."""
    for i, (take, (to, width)) in enumerate(zip(takes, state[ASKED], strict=True)):
        answers = {part: some[i] for part, some in got.items() if some[i] is not None}
        state = take(state, *received(to, width, answers, parts))
    return {name: value for name, value in state.items() if name not in (ONCE, ASKED)}
