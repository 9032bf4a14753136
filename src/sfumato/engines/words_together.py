"""The words of all blocks in one task: numbers in place of texts, and stars back.

A word is five bytes there or so, and the task takes some 40 of memory for each: texts several times
as large as one task could take are starred as one machine stars them, `strict` too.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..kernels import reader as kernel
from ..methods.substrings.legible import Rules
from ..methods.substrings.reader_share import fraction
from ..methods.substrings.reader_stars import Words, stars_against
from ..methods.substrings.sequence import Sequence
from .long_repeats import in_all
from .messages import narrow

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.values import Array
    from .exchange import Exchange
    from .values import Blocks, Sent, State

    Ints = NDArray[np.int64]


def starred_together(exchange: Exchange, blocks: Blocks, ks: list[int], given: State) -> Blocks:
    """The blocks with the stars of every k, and the rounds they took, as `every`."""
    return exchange.gather(
        blocks,
        partial(_sent, at_least=ks[0]),
        partial(_starred, ks=ks, given=given),
        lambda state, found: {**state, "every": found},
    )


def words_here(state: State) -> dict[str, int]:
    """How many words a block has, and ends of documents."""
    return {"words": len(state["codes"])}


def _sent(state: State, at_least: int) -> State:
    """The words of a block by their numbers, below 0 where fewer than `at_least` share them."""
    codes, sequence = state["codes"], state["sequence"]
    numbers = state["numbers"].astype(np.int64)
    numbers[state["shared"] < at_least] *= -1
    starts, stops = sequence.starts.copy(), sequence.stops.copy()
    ends = sequence.ends
    starts[ends] = stops[ends] = np.append(0, stops)[ends]  # where the word before ends
    gaps = starts - np.append(0, stops[:-1])
    begins = ends - np.diff(ends, prepend=-1) + 1
    gaps[begins[begins < ends]] = 0
    gaps[ends] = 0
    sent = numbers[codes]
    return {
        "ids": state["ids"],
        "words": narrow(np.abs(sent)),
        "rare": np.packbits(sent < 0),
        "sizes": narrow(stops - starts),
        "gaps": narrow(gaps),
        "ends": narrow(ends),
        "labels": state["labels"],
    }


def _joined(sent: list[State], name: str) -> Array:
    return np.concatenate([one[name] for one in sent])


def _starred(sent: list[State], ks: list[int], given: State) -> list[Sent]:
    """For every block and k the stars, in bits, and the rounds."""
    sizes = [len(one["words"]) for one in sent]
    ids = _joined(sent, "ids")
    if not len(ids):
        return [[] for _ in sent]
    firsts = np.cumsum([0, *sizes])[:-1].tolist()
    shifted = zip(sent, firsts, strict=True)
    ends = np.concatenate([one["ends"].astype(np.int64) + first for one, first in shifted])
    documents = np.argsort(ids)
    places, new_ends = _in_order(ends, documents)
    rare = [np.unpackbits(one["rare"])[:n] for one, n in zip(sent, sizes, strict=True)]
    labels = None
    if sent[0]["labels"] is not None:
        labels = in_all([one["labels"] for one in sent])[documents]
    words = _words(
        _joined(sent, "words")[places],
        np.concatenate(rare)[places] != 0,
        (_joined(sent, "gaps")[places], _joined(sent, "sizes")[places]),
        new_ends,
        labels,
        given,
    )
    answers: list[list[tuple[int, Array]]] = [[] for _ in sent]
    for found in stars_against(words, ks, strict=given["strict"]):
        stars = np.empty(len(places), np.uint8)
        stars[places] = found.stars
        for answer, first, size in zip(answers, firsts, sizes, strict=True):
            answer.append((found.rounds, np.packbits(stars[first : first + size] != 0)))
    return answers


def _in_order(ends: Ints, documents: Ints) -> tuple[Ints, Ints]:
    """All words in another order of documents, and where these end then.

    >>> _in_order(np.array([1, 4]), np.array([1, 0]))
    (array([2, 3, 4, 0, 1]), array([2, 4]))
    """
    sizes = np.diff(ends, prepend=-1)
    begins, new_sizes = (ends - sizes + 1)[documents], sizes[documents]
    new_ends = np.cumsum(new_sizes) - 1
    shift = begins - (new_ends - new_sizes + 1)
    return np.arange(int(new_ends[-1]) + 1) + np.repeat(shift, new_sizes), new_ends


def _words(
    numbers: Array,
    rare: NDArray[np.bool_],
    spaced: tuple[Array, Array],
    ends: Ints,
    labels: NDArray[np.int32] | None,
    given: State,
) -> Words:
    """The words of all documents as one machine has them."""
    codes = _by_first_place(numbers)
    gaps, sizes = (one.astype(np.int64) for one in spaced)
    bits = kernel.guessed(
        codes,
        ends,
        fraction(given["guess"]),
        lengths=None if given["collapse"] else sizes.astype(np.uint32),
        labels=labels,
    )
    breaks = (codes == 0).astype(np.uint8)
    breaks[ends] = 0
    stops = np.cumsum(gaps + sizes)
    sequence = Sequence(codes, ends, ends, stops - sizes, stops)
    sequence = replace(sequence, codes=_by_first_place(np.where(rare, 0, codes)))
    rules = Rules("fewest", given["min_run"], given["run_price"])
    return Words([], sequence, breaks, bits, labels, rules, given["reach"], None, None)


def _by_first_place(numbers: Array) -> NDArray[np.uint32]:
    """The same numbers as codes 1, 2, ... in the order in which they first stand; 0 stays.

    >>> _by_first_place(np.array([9, 0, 4, 9]))
    array([1, 0, 2, 1], dtype=uint32)
    """
    first = np.full(int(numbers.max(initial=0)) + 1, -1, np.int64)
    first[numbers[::-1]] = np.arange(len(numbers))[::-1]
    first[0] = -1
    there = np.flatnonzero(first >= 0)
    codes = np.zeros(len(first), np.uint32)
    codes[there[np.argsort(first[there])]] = np.arange(1, len(there) + 1)
    found: NDArray[np.uint32] = codes[numbers]
    return found
