"""`suppress` over documents in many blocks: the same stars as in one place."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..kernels import reader as kernel
from ..kernels import text
from ..kernels.covers import cover
from ..methods.substrings.legible import Rules, StarredCodes
from ..methods.substrings.reader_share import fraction
from ..methods.substrings.reader_stars import Words
from ..methods.substrings.sequence import symbol_ends
from ..methods.substrings.starred_text import changes_of, documents_all_starred, starred_symbols
from .exchange import GATHERED, Query
from .levels import people
from .marks import marks_of
from .reader import guessed
from .repeats import repeat_lengths
from .strict import in_order, strict_stars
from .values import State
from .words import encoded, numbered
from .words_together import starred_together, words_here

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..core.progress import Progress
    from .exchange import Exchange
    from .messages import Question
    from .values import Blocks

Given = State


def starred(
    exchange: Exchange,
    rows: Blocks,
    ks: list[int],
    given: Given,
    progress: Progress | None = None,
    *,
    changes: bool = False,
    most: int = GATHERED,
) -> Iterator[tuple[int, int, Blocks]]:
    """For each k, ascending: the rounds, the blocks with released `texts` and what was `measured`.

    Up to `most` words go to one task together. With `changes` also what was changed in each text
    (`marks`).

    A row block has `ids`, `texts` and `labels` (whose each text is, numbered within the block; None
    where occurrences are counted). Releases are nested.
    """
    blocks = exchange.each(rows, lambda state: _ready(state, given))
    blocks, found = numbered(exchange, blocks, words_here)
    _report(progress, 0.3)
    if given["guess"] is not None and found["words"] <= most:
        made = _together(exchange, blocks, ks, given)
    else:
        made = _apart(exchange, blocks, ks, given, most)
    for done, (k, rounds, blocks) in enumerate(made):
        _report(progress, 0.3 + 0.7 * (done + 1) / len(ks))
        yield k, rounds, _shown(exchange, rows, blocks, k, given, changes)


def _together(
    exchange: Exchange, blocks: Blocks, ks: list[int], given: Given
) -> Iterator[tuple[int, int, Blocks]]:
    """The blocks with the stars of each k, which one task laid."""
    blocks = exchange.keep(starred_together(exchange, blocks, ks, given))
    for i, k in enumerate(ks):
        rounds = -(exchange.least(blocks, partial(_rounds, i=i)) or (0,))[0]
        yield k, rounds, exchange.each(blocks, partial(_with_stars, i=i))


def _rounds(state: State, i: int) -> tuple[int, ...] | None:
    return (-state["every"][i][0],) if len(state["ids"]) else None


def _with_stars(state: State, i: int) -> State:
    """The stars of one k; only of a block without documents there are none."""
    size = len(state["codes"])
    stars = np.unpackbits(state["every"][i][1])[:size] if len(state["every"]) else state["stars"]
    return {**state, "stars": stars}


def _apart(
    exchange: Exchange, blocks: Blocks, ks: list[int], given: Given, most: int
) -> Iterator[tuple[int, int, Blocks]]:
    """The same, found by what blocks ask of each other."""
    blocks = exchange.each(blocks, lambda state: _without_rare(state, ks[0]))
    if given["guess"] is not None:
        blocks = exchange.each(blocks, lambda state: _readable(state, given))
        blocks = guessed(exchange, blocks, fraction(given["guess"]))
    if given["strict"]:
        blocks = exchange.each(blocks, lambda state: {**state, "at_least": ks[0]})
        blocks = in_order(exchange, blocks, ks[0])
    for k in ks:
        rounds = 1
        if given["strict"]:
            blocks, rounds = strict_stars(
                exchange, blocks, k, given, lambda state: words_in(state, [], given), most
            )
        else:
            blocks = repeat_lengths(exchange, blocks, k, cap=given["reach"], most=most)
            blocks = exchange.each(blocks, lambda state: _covered(state, given))
        if k != ks[-1]:
            exchange.keep(blocks)
        yield k, rounds, blocks


def _report(progress: Progress | None, share: float) -> None:
    if progress is not None:
        progress("suppress", share)


def _ready(state: State, given: Given) -> State:
    """The codes of a block; masks of the input are starred from the start."""
    ready = encoded(state, given)
    return {**ready, "ids": state["ids"], "stars": ready["breaks"]}


def _without_rare(state: State, at_least: int) -> State:
    """Symbols that fewer share than any k asks for end every repeat; the reader knows them."""
    sequence = state["sequence"]
    often = state["shared"] >= at_least
    often[0] = False
    codes = np.where(often[sequence.codes], sequence.codes, 0)
    return {**state, "sequence": replace(sequence, codes=codes)}


def _readable(state: State, given: Given) -> State:
    sequence = state["sequence"]
    sizes = None if given["collapse"] else sequence.stops - sequence.starts
    return {**state, "sizes": sizes}


def words_in(state: State, texts: list[str], given: Given) -> Words:
    """The words of a block as the local route has them."""
    rules = Rules("fewest", given["min_run"], given["run_price"])
    sequence, labels = state["sequence"], state["labels"]
    return Words(
        *(texts, sequence, state["breaks"], state["bits"], labels, rules, given["reach"]),
        *(None, None),
    )


def _covered(state: State, given: Given) -> State:
    """The fewest stars beyond those that stand already."""
    lengths, sequence = state["lengths"], state["sequence"]
    if given["guess"] is not None:
        if given["reach"] is not None:
            lengths = lengths.copy()
            kernel.within_reach(lengths, sequence.ends, given["reach"])
        stars = state["stars"] | words_in(state, [], given).cover(lengths, state["stars"])
    else:
        stars = cover(
            lengths.copy(),
            sequence.ends,
            how=given["cover"],
            tokens=sequence.tokens,
            kept=sequence.kept,
            blocked=state["stars"],
            min_run=given["min_run"],
            run_price=given["run_price"],
        )
    return {**state, "stars": stars}


def _shown(
    exchange: Exchange, rows: Blocks, blocks: Blocks, k: int, given: Given, changes: bool
) -> Blocks:
    """The released texts of every block."""
    shown = exchange.both(rows, blocks, lambda row, state: _masks(row, state, given))
    if given["guess"] is not None:
        rare = Query(
            _between,
            lambda state, _, sums: {**state, "rare": (sums[:, 0] < k).astype(np.uint8)},
            named=False,
        )
        shown = exchange.ask(shown, rare)
    return exchange.each(shown, lambda state: _written(state, given, k, changes))


def _masks(row: State, state: State, given: Given) -> State:
    """The texts of a block with the symbols that become masks, and what stands between words."""
    sequence = state["sequence"]
    shown: State = {**row, "measured": {}}
    if given["guess"] is None:
        return {**shown, "masks": sequence.symbols(state["stars"])}
    words = words_in({"bits": None, **state}, row["texts"], given)
    stars = starred_symbols(words, state["stars"], None, given["collapse"])
    seen = (stars != 0).astype(np.uint8)
    keys, documents, numbers = kernel.separators(
        row["texts"], sequence.ends, words.places, keep=given["keep"], hidden=seen
    )
    shared = people(numbers, len(keys), state["labels"], documents)
    shown["measured"]["documents_all_starred"] = documents_all_starred(words, state["stars"])
    between = ([one.encode("utf-8", "surrogatepass") for one in keys], shared[:, None])
    return {
        **shown,
        "masks": stars,
        "between": between,
        "places": (sequence.ends, *words.places),
    }


def _between(state: State) -> Question:
    question: Question = state["between"]
    return question


def _written(state: State, given: Given, k: int, changes: bool) -> State:
    """The texts as they are released, and how much of them is hidden."""
    texts, stars, mask = state["texts"], state["masks"], given["mask"]
    measured = dict(state["measured"])
    blanked, found = texts, StarredCodes(k, stars, 0, 0)
    if given["guess"] is not None:
        ends, *places = state["places"]
        blank, count = kernel.blank_separators(
            texts,
            ends,
            (places[0], places[1]),
            state["rare"],
            keep=given["keep"],
            hidden=(stars != 0).astype(np.uint8),
        )
        measured["separators_blanked"] = count
        if count:
            blanked = text.mask_texts(texts, blank, " ", False)
            found = replace(found, blank=blank)
    released = text.mask_texts(blanked, stars, mask, given["collapse"])
    suppressed = int(np.count_nonzero(stars))
    if mask and len(mask) == 1:  # a star over a mask of the input hides nothing
        suppressed -= int(np.count_nonzero(stars & text.visible_symbols(texts, mask)))
    measured |= {
        "documents": len(texts),
        "symbols": sum(map(len, texts)),
        "suppressed": suppressed,
        "runs": len(text.star_runs(stars, symbol_ends(texts)).starts),
    }
    shown: State = {"ids": state["ids"].tolist(), "texts": released, "measured": measured}
    if changes:
        made = changes_of(found, symbol_ends(texts), mask, given["collapse"])
        shown["marks"] = marks_of(len(texts), made)
    return shown
