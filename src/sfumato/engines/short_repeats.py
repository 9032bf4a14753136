"""Stretches of two, three and four symbols: which of them k share, over all blocks, at once."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from .exchange import Query
from .levels import names_at, people, places, where_there
from .messages import once

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .messages import Numbers, Question
    from .values import State

    Ints = NDArray[np.int64]


def short_queries(k: int, longest: int) -> list[Query]:
    """What is asked of stretches of up to four symbols.

    A state has the `names` of symbols that k share, and gets those of stretches of two and four,
    and where the first of three stands (`triples`).
    """
    found = [Query(lambda state: _pairs(state)[0], partial(_level, size=2, k=k))]
    if longest > 2:
        threes = partial(_triples, k=k)
        found.append(Query(lambda state: _gram(state, 3)[0], threes, named=False))
    if longest > 3:
        found.append(Query(lambda state: _gram(state, 4)[0], partial(_level, size=4, k=k)))
    return found


@once
def _pairs(state: State) -> tuple[Question, Ints, Ints]:
    """Two symbols side by side: where they stand, and which they are."""
    level, known = state["names"][0], state["globals"][0]
    at = places(level)
    after = names_at(level, at + 1)
    at, after = at[after > 0], after[after > 0]
    found, same = np.unique(names_at(level, at) * len(known) + after, return_inverse=True)
    shared = people(same, len(found), state["owner"], at)
    keys = np.stack([known[found // len(known)], known[found % len(known)]], axis=1)
    return (keys, shared[:, None]), at, same.astype(np.int32)


@once
def _gram(state: State, size: int) -> tuple[Question, Ints, Ints]:
    """The same of three or four: a pair, and the one that begins one or two symbols later."""
    _, at, pair = _pairs(state)
    level, known = state["names"][0], state["globals"][0]
    behind = np.searchsorted(at, at + size - 2)
    inside = np.minimum(behind, max(len(at) - 1, 0))
    both = np.flatnonzero(at[inside] == at + size - 2) if len(at) else behind
    first, second = pair[both].astype(np.int64), pair[inside[both]].astype(np.int64)
    base = int(pair.max(initial=0)) + 1
    _, one, same = np.unique(first * base + second, return_index=True, return_inverse=True)
    begins = at[both]
    shared = people(same, len(one), state["owner"], begins)
    keys = np.stack([known[names_at(level, begins[one] + i)] for i in range(size)], axis=1)
    return (keys, shared[:, None]), begins, same.astype(np.int32)


def _level(state: State, numbers: Numbers, sums: Ints, size: int, k: int) -> State:
    """The names of stretches that k share, and their numbers in all blocks."""
    _, at, same = _pairs(state) if size == 2 else _gram(state, size)
    often = sums[:, 0] >= k
    local = np.where(often, np.cumsum(often), 0)
    names = np.zeros(state["size"], np.int32)
    names[at] = local[same]
    known = np.concatenate([np.zeros(1, np.uint64), numbers[often]])
    return {
        **state,
        "names": [*state["names"], where_there(names)],
        "globals": [*state["globals"], known],
    }


def _triples(state: State, _: object, sums: Ints, k: int) -> State:
    _, at, same = _gram(state, 3)
    return {**state, "triples": at[(sums[:, 0] >= k)[same]]}
