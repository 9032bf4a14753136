"""Long repeats of all blocks, found in one task where they are few enough.

L of a position where a stretch of l symbols is shared depends on such positions alone, and on what
stands in the stretches from them: whatever longer is shared stands in those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..kernels.repeats import SuffixIndex
from .levels import names_at, places, where_there
from .messages import narrow

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.values import Array
    from .exchange import Exchange
    from .levels import Level
    from .values import Blocks, State

    Ints = NDArray[np.int64]
    Passages = tuple[Array, Array, Array | None]
    """Numbers of symbols, a 0 after each passage; where these stand; whose each passage is."""


def covered(state: State) -> dict[str, int]:
    """How many symbols stand in the longest stretches that have names."""
    return {"covered": len(_covered(state)[0]) if len(state["names"]) > 2 else 0}


def _covered(state: State) -> tuple[Ints, Ints]:
    """Where the longest stretches begin, and all that stands in them."""
    at = places(state["names"][-1])
    size = 1 << (len(state["names"]) - 1)
    steps = np.zeros(state["size"] + size + 1, np.int32)
    steps[at] += 1
    steps[at + size] -= 1
    return np.flatnonzero(np.cumsum(steps)), at


def passages_alone(state: State) -> State:
    """What stands in the longest stretches that have names, and nothing else of the block.

    Passages follow each other, with a free place between two: nothing goes on from one to the next.
    Whatever is shared and as long lies within one of them.
    """
    at, to = places_alone(state)
    size = int(to.max(initial=-1)) + 1
    kept = [_those(*pair, at, to) for pair in zip(state["names"], state["globals"], strict=True)]
    owner = state["owner"]
    if owner is not None:
        owner = np.zeros(size, owner.dtype)
        owner[to] = state["owner"][at]
    return {
        **state,
        "size": size,
        "owner": owner,
        "names": [names for names, _ in kept],
        "globals": [known for _, known in kept],
        "triples": np.zeros(0, np.int64),
    }


def places_alone(state: State) -> tuple[Ints, Ints]:
    """Where passages stand in the block, and where they stand alone."""
    inside, _ = _covered(state)
    apart = np.diff(inside, prepend=inside[:1]) > 1
    return inside, np.arange(len(inside)) + np.cumsum(apart)


def _those(level: Level, known: Array, at: Ints, to: Ints) -> tuple[Level, Array]:
    """The names of a level at some places, which become others, and what these are in all."""
    found, same = np.unique(np.append(0, names_at(level, at)), return_inverse=True)
    names = np.zeros(int(to.max(initial=-1)) + 1, np.int32)
    names[to] = same[1:]
    return where_there(names), known[found]


def long_repeats(exchange: Exchange, blocks: Blocks, k: int) -> Blocks:
    """The blocks with `long`: where the longest stretches begin, and L there."""
    return exchange.gather(blocks, _passages, lambda sent: _measured(sent, k), _with_lengths)


def _passages(state: State) -> Passages:
    inside, _ = _covered(state)
    symbols = state["globals"][0][names_at(state["names"][0], inside)]
    after = np.flatnonzero(np.diff(inside) > 1) + 1
    stops = np.append(after, len(inside)) if len(inside) else after
    ends = stops + np.arange(len(stops))
    owner = None if state["owner"] is None else narrow(state["owner"][inside[stops - 1]])
    return narrow(np.insert(symbols, stops, 0)), narrow(ends), owner


def _measured(sent: list[Passages], k: int) -> list[Array]:
    """L in all passages, for each block those of its own."""
    symbols = np.concatenate([np.zeros(0, np.uint8), *(one for one, *_ in sent)])
    found, codes = np.unique(symbols, return_inverse=True)
    if not len(found):
        return [np.zeros(0, np.int32) for _ in sent]
    sizes = [len(one) for one, *_ in sent]
    begins = np.cumsum([0, *sizes])[:-1]
    pairs = zip(begins.tolist(), (one for _, one, _ in sent), strict=True)
    ends = np.concatenate([first + one.astype(np.int64) for first, one in pairs])
    labels: NDArray[np.int32] | None = None
    if sent[0][2] is not None:
        labels = in_all([one for *_, one in sent if one is not None])
    index = SuffixIndex(codes.astype(np.uint32))
    known = None if labels is None else ends
    lengths = index.repeat_lengths(k, labels=labels, ends=known, last=True)
    return [
        np.delete(lengths[first : first + size], one.astype(np.int64))
        for first, size, (_, one, _) in zip(begins.tolist(), sizes, sent, strict=True)
    ]


def in_all(labels: list[Array]) -> NDArray[np.int32]:
    """The people of several blocks, which are numbered in each from 0 on, numbered in all.

    >>> in_all([np.array([0, 1]), np.array([0])])
    array([0, 1, 2], dtype=int32)
    """
    firsts = np.cumsum([0, *(int(one.max()) + 1 if len(one) else 0 for one in labels)])
    return np.concatenate(
        [one.astype(np.int32) + np.int32(a) for one, a in zip(labels, firsts, strict=False)]
    )


def _with_lengths(state: State, lengths: Array) -> State:
    inside, at = _covered(state)
    return {**state, "long": (at, lengths[np.searchsorted(inside, at)])}
