"""How many share each stretch, over documents in many blocks; for verification.

Other than `repeats` this never asks how long a repeat could be. It counts the stretches that there
are: each is known by its length and four sums modulo primes, with factors drawn for this run alone,
so that nobody can prepare two stretches that are taken for one. The chance that two are is about
2^-110 for each pair.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from .exchange import Query
from .messages import grouped, once

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .exchange import Exchange
    from .messages import Question
    from .values import Blocks, State

    Ints = NDArray[np.int64]

PRIMES = (2147483647, 2147483629, 2147483587, 2147483579)
BITS = 32
LONGER = np.int64(1) << np.int64(40)
"""Beside the lengths of a tier: some stretch begins alike and is longer than all of them."""


@dataclass(frozen=True, slots=True)
class Factors:
    """What stretches are told apart by, drawn for one run."""

    bases: tuple[int, ...]
    scales: tuple[int, ...]

    @classmethod
    def drawn(cls) -> Factors:
        """New ones, from the system's source of randomness."""
        chosen = [[2 + secrets.randbelow(prime - 3) for prime in PRIMES] for _ in range(2)]
        return cls(tuple(chosen[0]), tuple(chosen[1]))


def _powers(base: int, count: int, prime: int) -> NDArray[np.uint64]:
    powers = np.ones(max(1, count), np.uint64)
    done = 1
    while done < count:
        step = np.uint64(pow(base, done, prime))
        more = min(done, count - done)
        powers[done : done + more] = powers[:more] * step % np.uint64(prime)
        done += more
    return powers


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Symbols of a block, ready to give the sums of any stretch of them."""

    before: list[NDArray[np.uint64]]
    back: list[NDArray[np.uint64]]

    @classmethod
    def of(cls, symbols: Ints, factors: Factors) -> Sums:
        """Cost: O(n)."""
        before, back = [], []
        for prime, base, scale in zip(PRIMES, factors.bases, factors.scales, strict=True):
            p = np.uint64(prime)
            value = (symbols + 2).astype(np.uint64) % p * np.uint64(scale) % p
            terms = value * _powers(base, len(symbols), prime)[: len(symbols)] % p
            before.append(np.concatenate([np.zeros(1, np.uint64), np.cumsum(terms)]) % p)
            back.append(_powers(pow(base, -1, prime), len(symbols) + 1, prime))
        return cls(before, back)

    def keys(self, starts: Ints, lengths: Ints) -> NDArray[np.uint64]:
        """The length of each stretch, and its sums in two numbers."""
        parts = []
        for prime, before, back in zip(PRIMES, self.before, self.back, strict=True):
            p = np.uint64(prime)
            parts.append((before[starts + lengths] + p - before[starts]) % p * back[starts] % p)
        shift = np.uint64(31)
        return np.stack(
            [
                lengths.astype(np.uint64),
                parts[0] << shift | parts[1],
                parts[2] << shift | parts[3],
            ],
            axis=1,
        )


def counted(exchange: Exchange, blocks: Blocks, factors: Factors) -> Blocks:
    """The blocks with `counts`: how many share each stretch in what is known of all blocks.

    A block has `known` symbols (a negative one ends every stretch) and `owner` of each (or None);
    `asked` symbols, and the stretches of them, from `starts` to `stops`.

    Cost: an exchange for each doubling of the longest stretch, and one more.
    """
    blocks = exchange.each(blocks, _all_places)
    longest = -(exchange.least(blocks, _longest) or (0,))[0]
    tier = 1
    while tier <= longest:
        asked = Query(
            partial(_beginnings_asked, tier=tier, factors=factors),
            partial(_lengths, tier=tier, factors=factors),
            "or",
            named=False,
        )
        blocks = exchange.ask(blocks, asked)
        tier *= 2
    asked = Query(
        lambda state: _all_stretches(state, factors)[0],
        lambda state, _, sums: _with_counts(state, sums, factors),
        named=False,
    )
    return exchange.ask(blocks, asked)


def _all_places(state: State) -> State:
    known = state["known"]
    at = np.arange(len(known))
    stop = np.minimum.accumulate(np.where(known < 0, at, len(known))[::-1])[::-1]
    none = np.zeros(0, np.int64)
    return {**state, "room": stop - at, "alive": np.flatnonzero(known >= 0), "found": (none, none)}


def _longest(state: State) -> tuple[int, ...] | None:
    lengths = state["stops"] - state["starts"]
    return (-int(lengths.max()),) if len(lengths) else None


def _columns(tier: int) -> int:
    return max(1, tier // BITS)


@once
def _beginnings(state: State, tier: int, factors: Factors) -> tuple[Question, Ints, Ints]:
    """The first `tier` symbols of stretches and of places that may have one, and the lengths."""
    starts, lengths = state["starts"], state["stops"] - state["starts"]
    long = np.flatnonzero(lengths >= tier)
    places = state["alive"][state["room"][state["alive"]] >= tier]
    size = np.full(len(long), tier)
    asked = Sums.of(state["asked"], factors).keys(starts[long], size)
    known = Sums.of(state["known"], factors).keys(places, np.full(len(places), tier))
    keys = np.concatenate([asked, known])
    same, count = grouped(keys)
    bits = np.zeros((count, _columns(tier)), np.int64)
    more = lengths[long] - tier
    inside = more < tier
    np.bitwise_or.at(
        bits, (same[: len(long)][inside], more[inside] // BITS), np.int64(1) << more[inside] % BITS
    )
    bits[same[: len(long)][~inside], 0] |= LONGER
    one_of_each = np.zeros((count, 3), np.uint64)
    one_of_each[same] = keys
    return (one_of_each, bits), places, same[len(long) :]


def _beginnings_asked(state: State, tier: int, factors: Factors) -> Question:
    return _beginnings(state, tier, factors)[0]


def _lengths(state: State, _: object, bits: Ints, tier: int, factors: Factors) -> State:
    """Where stretches of which length may stand; where longer ones may, goes on."""
    _asked, places, same = _beginnings(state, tier, factors)
    starts, sizes = [state["found"][0]], [state["found"][1]]
    for more in range(tier):
        has = (bits[:, more // BITS] >> np.int64(more % BITS)) & 1
        at = places[(has[same] != 0) & (state["room"][places] >= tier + more)]
        starts.append(at)
        sizes.append(np.full(len(at), tier + more))
    alive = places[(bits[same, 0] & LONGER) != 0]
    return {
        **state,
        "alive": alive,
        "found": (np.concatenate(starts), np.concatenate(sizes)),
    }


@once
def _all_stretches(state: State, factors: Factors) -> tuple[Question, Ints]:
    """The stretches that are asked for, and all places that may have one of them."""
    starts, lengths = state["starts"], state["stops"] - state["starts"]
    at, sizes = state["found"]
    keys = np.concatenate(
        [
            Sums.of(state["asked"], factors).keys(starts, lengths),
            Sums.of(state["known"], factors).keys(at, sizes),
        ]
    )
    same, count = grouped(keys)
    here = same[len(starts) :]
    if state["owner"] is not None:
        most = int(state["owner"].max(initial=0)) + 1
        here = np.unique(here * most + state["owner"][at]) // most
    shared = np.bincount(here, minlength=count).astype(np.int64)
    one_of_each = np.zeros((count, 3), np.uint64)
    one_of_each[same] = keys
    return (one_of_each, shared[:, None]), same[: len(starts)]


def _with_counts(state: State, sums: Ints, factors: Factors) -> State:
    return {**state, "counts": sums[_all_stretches(state, factors)[1], 0]}
