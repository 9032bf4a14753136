"""Documents of a block as codes, and the codes of all blocks as the same numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..core.corpus import Corpus
from ..kernels import text
from ..methods.substrings.sequence import (
    Sequence,
    sequence_of,
    symbol_ends,
    with_ends_of_sequences,
)
from .exchange import Query
from .levels import people

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from ..core.values import JsonObject
    from .exchange import Exchange
    from .messages import Numbers, Question
    from .values import Blocks, State


def encoded(state: State, parameters: JsonObject) -> State:
    """The codes of a block's `texts`, with the string that each stands for (`strings`).

    The state keeps what stars are laid by; the texts stay where they are.
    """
    texts, labels = state["texts"], state["labels"]
    if parameters["guess"] is not None:
        sequence, breaks = _words(texts, parameters["mask"])
    else:
        sequence = sequence_of(
            Corpus(texts, texts),
            parameters["unit"],
            align=parameters["align"],
            keep=parameters["keep"],
            mask=parameters["mask"],
            at_least=1,
            labels=None,
        )
        breaks = None
    sizes = np.diff(sequence.ends, prepend=-1)
    return {
        "sequence": sequence,
        "codes": sequence.codes.astype(np.int64),
        "ends": sequence.ends,
        "breaks": breaks,
        "labels": labels,
        "owner": None if labels is None else np.repeat(labels.astype(np.int64), sizes),
        "strings": _strings(texts, sequence),
    }


def _words(texts: list[str], mask: str) -> tuple[Sequence, NDArray[np.uint8]]:
    """Words, and the breaks among them, as `methods.substrings.reader_stars` has them."""
    breaks = mask if len(mask) == 1 else ""
    pieces = with_ends_of_sequences(texts, text.token_starts(texts, "token"), breaks, None)
    numbered = text.number_tokens(texts, pieces, only_words=True, breaks=breaks)
    at = numbered.positions
    starts = np.where(at < 0, 0, pieces.starts[at])
    stops = np.where(at < 0, 0, pieces.starts[at + 1])
    is_break = (numbered.codes == 0).astype(np.uint8)
    is_break[numbered.ends] = 0
    sequence = Sequence(numbered.codes, numbered.ends, symbol_ends(texts), starts, stops)
    return sequence, is_break


def _strings(texts: list[str], sequence: Sequence) -> list[bytes]:
    """What the codes 1, 2, ... stand for."""
    codes = sequence.codes
    found, at = np.unique(codes, return_index=True)
    at = at[found > 0]
    starts = at if sequence.starts is None else sequence.starts[at]
    stops = at + 1 if sequence.stops is None else sequence.stops[at]
    ends = sequence.symbol_ends
    document = np.searchsorted(ends, starts)
    begins = np.concatenate([[0], ends + 1])[document]
    return [
        texts[d][a:b].encode("utf-8", "surrogatepass")
        for d, a, b in zip(
            document.tolist(), (starts - begins).tolist(), (stops - begins).tolist(), strict=True
        )
    ]


def numbered(
    exchange: Exchange, blocks: Blocks, measure: Callable[[State], dict[str, int]]
) -> tuple[Blocks, dict[str, int]]:
    """The blocks with the number of each code in all blocks, and how many share it; a sum of them.

    Cost: one exchange, of a row for each different symbol of a block.
    """
    return exchange.ask_counting(blocks, [Query(_symbols, _numbered)], measure)


def _symbols(state: State) -> Question:
    codes = state["codes"]
    at = np.flatnonzero(codes)
    count = len(state["strings"])
    shared = people(codes[at] - 1, count, state["owner"], at)
    return state["strings"], shared[:, None]


def _numbered(state: State, numbers: Numbers, sums: NDArray[np.int64]) -> State:
    known = np.concatenate([np.zeros(1, np.uint64), numbers])
    shared = np.concatenate([[0], sums[:, 0]])
    kept = {name: value for name, value in state.items() if name != "strings"}
    return {**kept, "numbers": known, "shared": shared}
