"""`strict` over documents in many blocks: counted in the release as it is read, round by round.

What is given back at the end depends on the numbers of words in the order of the input and on the
runs of stars of neighbouring documents. Both are found here as the local route has them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..kernels import reader as kernel
from ..kernels.covers import judge_stars
from ..methods.substrings import give_back
from ..methods.substrings.legible import HASHED, LARGE, TURNS
from .exchange import Query
from .levels import people
from .repeats import repeat_lengths
from .values import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..methods.substrings.reader_stars import Words
    from .exchange import Exchange
    from .messages import Question
    from .values import Blocks

    Ints = NDArray[np.int64]
    Flags = NDArray[np.uint8]

Given = State
WordsOf = Callable[["State"], "Words"]


def in_order(exchange: Exchange, blocks: Blocks, at_least: int) -> Blocks:
    """The blocks with words numbered by where they first stand, as one place numbers them."""
    first = Query(
        lambda state: _first_documents(state, at_least)[0], _own_first, "least", named=False
    )
    blocks = exchange.ask(blocks, first)
    blocks = exchange.beside(blocks, _new_words, _placed)
    placed = Query(lambda state: _places(state, at_least), _with_codes, named=False)
    return exchange.ask(blocks, placed)


def _often(state: State, at_least: int) -> Ints:
    found: Ints = np.flatnonzero(state["shared"] >= at_least)
    return found[found > 0]


def _first_documents(state: State, at_least: int) -> tuple[Question, Ints]:
    """The first document of each word here."""
    often, codes = _often(state, at_least), state["codes"]
    found, at = np.unique(codes, return_index=True)
    first = np.zeros(len(state["shared"]), np.int64)
    first[found] = state["ids"][np.searchsorted(state["ends"], at)]
    keys = state["numbers"][often][:, None]
    return (keys, first[often][:, None]), often


def _own_first(state: State, _: object, least: Ints) -> State:
    """The words that stand in no earlier document than here, by document and place."""
    at_least = state["at_least"]
    (_keys, here), often = _first_documents(state, at_least)
    own = often[here[:, 0] == least[:, 0]]
    found, at = np.unique(state["codes"], return_index=True)
    place = np.zeros(len(state["shared"]), np.int64)
    place[found] = at
    own = own[np.argsort(place[own], kind="stable")]
    return {**state, "own": own, "own_in": np.searchsorted(state["ends"], place[own])}


def _new_words(state: State) -> tuple[Ints, Ints]:
    """How many words each document has first."""
    count = np.bincount(state["own_in"], minlength=len(state["ids"])).astype(np.int64)
    return state["ids"], np.stack([count, count, count], axis=1)


def _placed(state: State, beside: Ints) -> State:
    _, first = np.unique(state["own_in"], return_index=True)
    sizes = np.diff(np.append(first, len(state["own"])))
    index = np.arange(len(state["own"])) - np.repeat(first, sizes)
    rank = np.zeros(len(state["shared"]), np.int64)
    rank[state["own"]] = beside[state["own_in"], 0] + index + 1
    return {**state, "rank": rank}


def _places(state: State, at_least: int) -> Question:
    often = _often(state, at_least)
    return state["numbers"][often][:, None], state["rank"][often][:, None]


def _with_codes(state: State, _: object, ranks: Ints) -> State:
    known = np.zeros(len(state["shared"]), np.int64)
    known[_often(state, state["at_least"])] = ranks[:, 0]
    sequence = replace(state["sequence"], codes=known[state["codes"]])
    dropped = ("own", "own_in", "rank")
    kept = {name: value for name, value in state.items() if name not in dropped}
    return {**kept, "sequence": sequence}


def strict_stars(
    exchange: Exchange, blocks: Blocks, k: int, given: Given, words_of: WordsOf, most: int
) -> tuple[Blocks, int]:
    """The blocks with the stars of one k beyond those that stand, and the rounds it took."""
    counting = _Counting(exchange, k, given["reach"], most)
    blocks = exchange.each(blocks, lambda state: {**state, "fixed": state["stars"]})
    stood = before = exchange.total(blocks, _starred)["stars"]
    while True:
        blocks = counting(blocks, lambda state: words_of(state).left(state["stars"]))
        blocks = exchange.each(blocks, lambda state: _more(state, words_of))
        after = exchange.total(blocks, _starred)["stars"]
        if after == before:
            break
        before = after
    if after != stood and given["run_price"] == 0 and given["min_run"] == 1:
        blocks = _given_back(exchange, blocks, k, words_of, counting)
    return blocks, counting.rounds


def _starred(state: State) -> dict[str, int]:
    return {"stars": int(np.count_nonzero(state["stars"])), "codes": len(state["codes"])}


def _more(state: State, words_of: WordsOf) -> State:
    more = state["stars"] | words_of(state).cover(state["lengths"], state["stars"])
    return {**state, "stars": more}


class _Counting:
    """How far stretches reach in what is left, counted anew each time."""

    def __init__(self, exchange: Exchange, k: int, reach: int | None, most: int):
        self.exchange, self.k, self.reach, self.most, self.rounds = exchange, k, reach, most, 0

    def __call__(self, blocks: Blocks, left: Callable[[State], Flags]) -> Blocks:
        """The blocks with `lengths`; words that `left` says are starred count for nobody."""
        self.rounds += 1
        reach = self.reach
        blocks = self.exchange.each(blocks, lambda state: _without(state, left(state)))
        blocks = self.exchange.ask(blocks, Query(_symbols_left, _shared_left, named=False))
        blocks = repeat_lengths(self.exchange, blocks, self.k, cap=reach, most=self.most)
        return self.exchange.each(blocks, lambda state: _restored(state, reach))


def _without(state: State, left: Flags) -> State:
    codes = np.where(left == 1, 0, state["codes"])
    return {**state, "whole": (state["codes"], state["shared"]), "codes": codes}


def _symbols_left(state: State) -> Question:
    codes, known = state["codes"], len(state["shared"])
    at = np.flatnonzero(codes)
    shared = people(codes[at], known, state["owner"], at)
    return state["numbers"][1:, None], shared[1:, None]


def _shared_left(state: State, _: object, sums: Ints) -> State:
    return {**state, "shared": np.concatenate([[0], sums[:, 0]])}


def _restored(state: State, reach: int | None) -> State:
    codes, shared = state["whole"]
    lengths = state["lengths"]
    if reach is not None:
        lengths = lengths.copy()
        kernel.within_reach(lengths, state["ends"], reach)
    kept = {name: value for name, value in state.items() if name != "whole"}
    return {**kept, "codes": codes, "shared": shared, "lengths": lengths}


def _given_back(
    exchange: Exchange, blocks: Blocks, k: int, words_of: WordsOf, counting: _Counting
) -> Blocks:
    """The stars without those that can be made legible while every stretch still has k."""
    large = exchange.total(blocks, _starred)["codes"] > LARGE
    ways = len(give_back.WAYS)
    idle = 0
    for turn in range(TURNS * ways) if large else itertools.count():
        blocks = _try(exchange, blocks, turn % ways, turn // ways, k, words_of)
        given = 0
        if exchange.total(blocks, lambda state: {"tried": int(state["tried"].any())})["tried"]:
            blocks = exchange.each(blocks, partial(_trial, words_of=words_of))
            dropped = 1
            while dropped:
                blocks = counting(blocks, lambda state: (state["trial"] == 1).astype(np.uint8))
                blocks = exchange.each(blocks, _judged)
                found = exchange.total(blocks, lambda state: state["found"])
                dropped, given = found["dropped"], found["given"]
                blocks = exchange.each(blocks, partial(_settled, go_on=dropped > 0))
            blocks = exchange.each(blocks, _legible)
        idle = 0 if given else idle + 1
        if idle >= 2 * ways and turn >= HASHED * ways:
            break
    return blocks


def _try(
    exchange: Exchange, blocks: Blocks, way: int, turn: int, k: int, words_of: WordsOf
) -> Blocks:
    """The blocks with what is tried next."""
    if way == 0:
        if turn >= HASHED:
            blocks = exchange.beside(blocks, partial(_runs, words_of=words_of), _with_offset)
        blocks = exchange.each(blocks, partial(_ranked, turn=turn, words_of=words_of))
        return exchange.beside(blocks, _end_ranks, _whole_runs)
    if way == 3:
        blocks = exchange.ask(
            blocks,
            Query(
                _legible_words, lambda state, _, sums: _shared_words(state, sums, k), named=False
            ),
        )
        return exchange.each(blocks, partial(_inner, words_of=words_of))
    return exchange.each(blocks, partial(_at_an_end, way=way, words_of=words_of))


def _documents_of(state: State, at: Ints) -> Ints:
    return np.searchsorted(state["ends"], at)


def _runs(state: State, words_of: WordsOf) -> tuple[Ints, Ints]:
    """How many runs of stars each document has."""
    first, _ = words_of(state).runs(state["stars"])
    count = np.bincount(_documents_of(state, first), minlength=len(state["ids"])).astype(np.int64)
    return state["ids"], np.stack([count, count, count], axis=1)


def _with_offset(state: State, beside: Ints) -> State:
    return {**state, "offset": beside[:, 0]}


def _ranked(state: State, turn: int, words_of: WordsOf) -> State:
    """A rank for every run, 0 where it may not be tried."""
    first, last = words_of(state).runs(state["stars"])
    before = np.concatenate([[0], np.cumsum(state["fixed"] != 0)])
    free = before[last + 1] == before[first]
    document = _documents_of(state, first)
    index = np.zeros(len(first), np.int64)
    if turn >= HASHED and len(first):
        _, begins, sizes = np.unique(document, return_index=True, return_counts=True)
        index = state["offset"][document] + np.arange(len(first)) - np.repeat(begins, sizes)
    rank = give_back.ranks(state["sequence"].codes, first, last, free, turn, index)
    return {**state, "runs": (first, last, free, rank, document)}


def _end_ranks(state: State) -> tuple[Ints, Ints]:
    """Of each document the number of its runs, and the ranks of the first and the last."""
    *_, rank, document = state["runs"]
    rows = np.zeros((len(state["ids"]), 3), np.int64)
    rows[:, 0] = np.bincount(document, minlength=len(rows))
    signed = rank.view(np.int64)
    rows[document[::-1], 1] = signed[::-1]
    rows[document, 2] = signed
    return state["ids"], rows


def _whole_runs(state: State, beside: Ints) -> State:
    """Runs are tried that rank above both their neighbours, in the order of all documents."""
    first, last, free, rank, document = state["runs"]
    after, ahead = np.append(rank[1:], np.uint64(0)), np.append(np.uint64(0), rank[:-1])
    if len(rank):
        new = np.append(True, document[1:] != document[:-1])
        ahead[new] = beside[document[new], 1].view(np.uint64)
        ends = np.append(new[1:], True)
        after[ends] = beside[document[ends], 2].view(np.uint64)
    chosen = free & (rank > ahead) & (rank >= after)
    tried = give_back.flags(len(state["stars"]), first, last, chosen)
    kept = {name: value for name, value in state.items() if name not in ("runs", "offset")}
    return {**kept, "tried": tried}


def _at_an_end(state: State, way: int, words_of: WordsOf) -> State:
    tried = give_back.WAYS[way](words_of(state), state["stars"], state["fixed"], 0, 0)
    return {**state, "tried": tried}


def _legible_words(state: State) -> Question:
    """Who shows each word."""
    codes = state["codes"]
    at = np.flatnonzero((codes != 0) & (state["stars"] == 0))
    shared = people(codes[at], len(state["numbers"]), state["owner"], at)
    return state["numbers"][1:, None], shared[1:, None]


def _shared_words(state: State, sums: Ints, k: int) -> State:
    """Of each word whether k share it, once it is legible."""
    codes, owner = state["codes"], state["owner"]
    counts = np.concatenate([[0], sums[:, 0]])
    shown = (codes != 0) & (state["stars"] == 0)
    own = np.arange(len(codes)) if owner is None else owner
    most = int(own.max(initial=0)) + 1
    mine = np.isin(codes * most + own, (codes * most + own)[shown])
    return {**state, "shared_words": (state["sequence"].codes != 0) & (counts[codes] + ~mine >= k)}


def _inner(state: State, words_of: WordsOf) -> State:
    tried = give_back.inner(
        words_of(state), state["stars"], state["fixed"], lambda at: state["shared_words"][at]
    )
    kept = {name: value for name, value in state.items() if name != "shared_words"}
    return {**kept, "tried": tried}


def _trial(state: State, words_of: WordsOf) -> State:
    """1: stars that are left, 2: on trial."""
    tried = state["tried"]
    trial = words_of(state).left(np.where(tried, 0, state["stars"]).astype(np.uint8))
    trial[tried] = 2
    return {**state, "trial": trial}


def _judged(state: State) -> State:
    trial = state["trial"].copy()
    dropped, given = judge_stars(state["lengths"], state["ends"], trial, min_run=1)
    return {**state, "judged": trial, "found": {"dropped": dropped, "given": given}}


def _settled(state: State, go_on: bool) -> State:
    """Where something was dropped anywhere, what else is on trial stays so, here too."""
    keeps = go_on and state["found"]["dropped"] == 0
    trial = state["trial"] if keeps else state["judged"]
    kept = {name: value for name, value in state.items() if name not in ("judged", "found")}
    return {**kept, "trial": trial}


def _legible(state: State) -> State:
    legible = state["tried"] & (state["trial"] == 0)
    kept = {name: value for name, value in state.items() if name not in ("trial", "tried")}
    return {**kept, "stars": np.where(legible, 0, state["stars"]).astype(np.uint8)}
