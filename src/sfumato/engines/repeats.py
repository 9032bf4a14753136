"""How far a repeat reaches, over documents in many blocks: exactly L of the suffix array.

The symbols of a text are numbers, alike in all blocks. Stretches of two, three and four symbols
are counted at once. What lies in stretches of four that k share is then mostly little: one task
has it all, and a suffix array (`long_repeats`).

From there on blocks carry nothing else along. Where it is too much for one task, stretches of 8,
16, ... symbols get numbers too, each by the numbers of its halves, until what is left fits. So
2^t <= L(p) < 2^(t+1) is known for every other position. The rest is found bit by bit, from the
largest: does the stretch of l symbols, known to be shared, still have k with the next 2^j? Asked
are all positions whose stretch begins alike, also those with a longer repeat, for as long as one is
among them that still looks for its length. So copies of long passages, which all go on alike, cost
no more than any other text.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .exchange import GATHERED, Query
from .levels import names_at, people, places, where_there
from .long_repeats import covered, long_repeats, passages_alone, places_alone
from .messages import grouped, once
from .short_repeats import short_queries

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .exchange import Exchange
    from .messages import Numbers, Question
    from .values import Blocks, State

    Ints = NDArray[np.int64]


def repeat_lengths(
    exchange: Exchange, blocks: Blocks, k: int, *, cap: int | None = None, most: int = GATHERED
) -> Blocks:
    """The blocks with L of every position, at most `cap`, as `lengths`.

    A block has `codes` (0 ends every repeat), `numbers` and `shared` of every code (its number in
    all blocks; how many people, or occurrences, have it), and `owner` of every position (or None).
    What the rounds carry along is small: the numbers of stretches where there are any.

    Cost: an exchange of at most three rows for each position; one task for repeats of four symbols
    and more, where they cover at most `most` symbols; else O(log L) exchanges more.
    """
    longest = cap if cap is not None else np.iinfo(np.int32).max
    if k == 1:
        return exchange.each(blocks, lambda state: {**state, "lengths": _to_break(state, longest)})
    exchange.keep(blocks)
    found = exchange.each(blocks, lambda state: _single(state, k))
    if longest > 1:
        found = _searched(exchange, found, k, longest, most)
    else:
        found = exchange.each(found, _found)
    made = exchange.both(
        blocks,
        found,
        lambda state, one: {**state, "lengths": np.minimum(one["lengths"], longest)},
    )
    return exchange.instead(blocks, made)


def _searched(exchange: Exchange, blocks: Blocks, k: int, longest: int, most: int) -> Blocks:
    """The blocks with L: of short repeats everywhere, of longer ones in the passages with such."""
    blocks, found = exchange.ask_counting(blocks, short_queries(k, longest), covered)
    if longest <= 4 or not found["covered"]:
        return exchange.each(blocks, _found)
    exchange.keep(blocks)
    inside = exchange.each(blocks, passages_alone)
    inside = _searched_inside(exchange, inside, k, longest, most, found["covered"])
    return exchange.instead(blocks, exchange.both(blocks, inside, _longer_of))


def _searched_inside(
    exchange: Exchange, blocks: Blocks, k: int, longest: int, most: int, size: int
) -> Blocks:
    """The passages of all blocks, so many symbols, with all that is known of their repeats."""
    found, top = {"covered": size}, 2
    while found["covered"] > most and 2 << top <= longest:
        asked = Query(lambda state: _halves(state)[0], partial(_named, k=k))
        blocks, found = exchange.ask_counting(blocks, [asked], covered)
        top += 1
    if 0 < found["covered"] <= most:
        blocks = long_repeats(exchange, blocks, k)
    if top == 2 and found["covered"] <= most:
        return blocks
    entering = Query(_looking, _entering, named=False)
    blocks = exchange.ask(blocks, entering)
    known = found["covered"] <= most  # of the longest stretches one task has found all
    for j in range(top - 1 - known, -1, -1):
        blocks = exchange.each(blocks, partial(_enter, j=j))
        longer = Query(
            partial(_longer_asked, j=j, most=longest), partial(_stepped, j=j, most=longest, k=k)
        )
        blocks = exchange.ask(blocks, longer)
        if j > 0:
            behind = Query(lambda state: _left_behind(state)[0], _stays, named=False)
            blocks = exchange.ask(blocks, behind)
    return blocks


def _to_break(state: State, most: int) -> NDArray[np.int32]:
    codes = state["codes"]
    at = np.arange(len(codes))
    stop = np.minimum.accumulate(np.where(codes == 0, at, len(codes))[::-1])[::-1]
    return np.minimum(stop - at, most).astype(np.int32)


def _single(state: State, k: int) -> State:
    """Level 0: symbols that k share. With each level's names go those of all blocks."""
    often = state["shared"] >= k
    often[0] = False
    names = np.where(often[state["codes"]], state["codes"], 0)
    owner = state["owner"]
    return {
        "size": len(names),
        "owner": None if owner is None else owner.astype(np.int32),
        "names": [where_there(names)],
        "globals": [state["numbers"]],
        "triples": np.zeros(0, np.int64),
        "long": None,
        "nodes": _nobody(),
    }


@once
def _halves(state: State) -> tuple[Question, Ints, Ints]:
    """Stretches of twice the size: the numbers of their halves, and how many share them here."""
    level, known = state["names"][-1], state["globals"][-1]
    at = places(level)
    after = names_at(level, at + (1 << (len(state["names"]) - 1)))
    at, after = at[after > 0], after[after > 0]
    found, same = np.unique(names_at(level, at) * len(known) + after, return_inverse=True)
    shared = people(same, len(found), state["owner"], at)
    keys = np.stack([known[found // len(known)], known[found % len(known)]], axis=1)
    return (keys, shared[:, None]), at, same


def _named(state: State, numbers: Numbers, sums: Ints, k: int) -> State:
    _, at, same = _halves(state)
    often = sums[:, 0] >= k
    local = np.where(often, np.cumsum(often), 0)
    names = np.zeros(state["size"], np.int32)
    names[at] = local[same]
    known = np.concatenate([np.zeros(1, np.uint64), numbers[often]])
    levels = [*state["names"], where_there(names)]
    return {**state, "names": levels, "globals": [*state["globals"], known]}


def _looking(state: State) -> Question:
    """Of every stretch of 2^t symbols: whether one of its positions has no longer one."""
    keys, values = [np.zeros((0, 2), np.uint64)], [np.zeros((0, 1), np.int64)]
    top = _open(state)
    for t in range(2, len(state["names"])):
        known = state["globals"][t]
        looking = np.zeros(len(known), np.int64)
        looking[names_at(state["names"][t], np.flatnonzero(top == t))] = 1
        keys.append(np.stack([np.full(len(known), t, np.uint64), known], axis=1)[1:])
        values.append(looking[1:, None])
    return np.concatenate(keys), np.concatenate(values)


def _top(state: State) -> Ints:
    """The largest t with a stretch of 2^t symbols at each position; -1 where there is none."""
    top = np.full(state["size"], -1, np.int8)
    for t, level in enumerate(state["names"]):
        top[places(level)] = t
    return top.astype(np.int64)


def _open(state: State) -> Ints:
    """The same where a repeat may be longer than is known, else -1."""
    top = _top(state)
    top[top < 2] = -1
    if state["long"] is not None:
        top[top == len(state["names"]) - 1] = -1
    return top


def _entering(state: State, _: object, sums: Ints) -> State:
    """Which stretches are looked at further, level by level; no position is on its way yet."""
    entering, at = [], 0
    for t in range(2, len(state["names"])):
        size = len(state["globals"][t]) - 1
        entering.append(np.concatenate([[False], sums[at : at + size, 0] > 0]))
        at += size
    return {**state, "entering": entering}


def _nobody() -> tuple[Any, ...]:
    """No position on its way: places, lengths, whether they look, numbers of stretches."""
    return tuple(np.zeros(0, kind) for kind in (np.int64, np.int64, np.bool_, np.uint64))


def _enter(state: State, j: int) -> State:
    """The positions with a stretch of 2^(j+1) symbols set out: place, length, looking, number."""
    t = j + 1
    if not 2 <= t < len(state["names"]):
        return state
    at = places(state["names"][t])
    names = names_at(state["names"][t], at)
    chosen = state["entering"][t - 2][names]
    at, names = at[chosen], names[chosen]
    new = (at, np.full(len(at), 1 << t), _open(state)[at] == t, state["globals"][t][names])
    nodes = tuple(np.concatenate(pair) for pair in zip(state["nodes"], new, strict=True))
    return {**state, "nodes": nodes}


@once
def _longer(state: State, j: int, most: int) -> tuple[Question, Ints, Ints]:
    """Stretches with the next 2^j symbols: who shares them, and whether somebody looks."""
    at, length, looking, number = state["nodes"]
    child = names_at(state["names"][j], at + length)
    asks = np.flatnonzero((child > 0) & (length + (1 << j) <= most))
    keys = np.stack(
        [
            length[asks].astype(np.uint64),
            number[asks],
            state["globals"][j][child[asks]],
        ],
        axis=1,
    )
    same, count = grouped(keys)
    one_of_each = np.zeros((count, 3), np.uint64)
    one_of_each[same] = keys
    shared = people(same, count, state["owner"], at[asks])
    looks = np.bincount(same, weights=looking[asks], minlength=count) > 0
    return (one_of_each, np.stack([shared, looks], axis=1)), asks, same


def _longer_asked(state: State, j: int, most: int) -> Question:
    return _longer(state, j, most)[0]


def _stepped(state: State, numbers: Numbers, sums: Ints, j: int, most: int, k: int) -> State:
    """What is still shared goes on; what is not stays, and so do all with it who would go on."""
    at, length, looking, number = state["nodes"]
    _, asks, same = _longer(state, j, most)
    goes = np.zeros(len(at), bool)
    goes[asks] = sums[same, 0] >= k
    on, of = np.flatnonzero(goes), same[goes[asks]]
    wanted = looking[on] | (sums[of, 1] > 0)
    on, of = on[wanted], of[wanted]
    moved = (at[on], length[on] + (1 << j), looking[on], numbers[of])
    stays = ~goes
    stayed = (at[stays], length[stays], looking[stays], number[stays])
    nodes = tuple(np.concatenate(pair) for pair in zip(stayed, moved, strict=True))
    behind = (at[goes], length[goes], np.zeros(int(goes.sum()), bool), number[goes])
    return {**state, "nodes": nodes, "behind": behind}


@once
def _left_behind(state: State) -> tuple[Question, Ints]:
    """Of the stretches that went on: whether somebody with the shorter one still looks."""
    _, length, looking, number = state["nodes"]
    _, behind, _, of = state["behind"]
    keys = np.stack(
        [
            np.concatenate([behind, length[looking]]).astype(np.uint64),
            np.concatenate([of, number[looking]]),
        ],
        axis=1,
    )
    same, count = grouped(keys)
    looks = np.zeros(count, np.int64)
    looks[same[len(of) :]] = 1
    one_of_each = np.zeros((count, 2), np.uint64)
    one_of_each[same] = keys
    return (one_of_each, looks[:, None]), same[: len(of)]


def _stays(state: State, _: object, sums: Ints) -> State:
    looks = sums[_left_behind(state)[1], 0] > 0
    nodes = tuple(
        np.concatenate([one, more[looks]])
        for one, more in zip(state["nodes"], state["behind"], strict=True)
    )
    return {**state, "nodes": nodes, "behind": None}


def _longer_of(state: State, inside: State) -> State:
    """L of every position: of those in passages the longer one."""
    lengths = _found(state)["lengths"]
    at, there = places_alone(state)
    lengths[at] = np.maximum(lengths[at], _found(inside)["lengths"][there])
    return {"lengths": lengths}


def _found(state: State) -> State:
    top = _top(state)
    lengths = np.where(top >= 0, 1 << np.maximum(top, 0), 0).astype(np.int32)
    triples = state["triples"]
    lengths[triples] = np.maximum(lengths[triples], 3)
    at, length, looking, _ = state["nodes"]
    lengths[at[looking]] = length[looking]
    if state["long"] is not None:
        at, length = state["long"]
        lengths[at] = length
    return {"lengths": lengths}
