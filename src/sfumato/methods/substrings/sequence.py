"""A corpus as one sequence of codes, whatever its unit, and the way back to its symbols."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from ...kernels import text
from ...kernels.spill import spilled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...core.corpus import Corpus
    from ...core.values import Array
    from ...kernels.spill import Make

BLOCK = 1 << 16  # codes handled at once where an array must not be copied whole

Unit = Literal["character", "grapheme", "word"]


@dataclass(frozen=True, slots=True)
class Sequence:
    """The codes that are judged (0 ends every repeat) and where each stands in the texts.

    `starts` and `stops` give the place of every code in the layout of symbols (documents in
    order, one break after each); both are None when a code is a symbol. `tokens` groups codes that
    are starred whole; `kept` marks codes that are never starred.
    """

    codes: Array
    ends: NDArray[np.int64]
    symbol_ends: NDArray[np.int64]
    starts: NDArray[np.int64] | None = None
    stops: NDArray[np.int64] | None = None
    tokens: NDArray[np.int64] | None = None
    kept: NDArray[np.uint8] | None = None

    def symbols(self, flags: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Flags of codes, spread over the symbols that each code stands for."""
        if self.starts is None or self.stops is None:
            return flags
        chosen = flags != 0
        steps = np.zeros(_size(self.symbol_ends) + 1, np.int8)
        steps[self.starts[chosen]] += 1
        steps[self.stops[chosen]] -= 1
        return np.cumsum(steps[:-1], dtype=np.int8).view(np.uint8)

    def touched(self, flags: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Flags of symbols as flags of codes: of every code that has a flagged symbol."""
        if self.starts is None or self.stops is None:
            return flags
        before = np.concatenate([[0], np.cumsum(flags, dtype=np.int64)])
        return (before[self.stops] > before[self.starts]).astype(np.uint8)

    def without(self, stars: NDArray[np.uint8], make: Make = np.zeros) -> Sequence:
        """The same sequence with every starred code (1) a break, in an array of `make`."""
        codes = make(len(self.codes), self.codes.dtype)
        for start in range(0, len(codes), BLOCK):
            here = slice(start, start + BLOCK)
            np.multiply(self.codes[here], stars[here] != 1, out=codes[here])
        return replace(self, codes=codes)


def sequence_of(
    corpus: Corpus,
    unit: Unit,
    *,
    align: Literal["word", "character"],
    keep: str,
    mask: str,
    at_least: int,
    labels: NDArray[np.int32] | None,
    cut: NDArray[np.uint8] | None = None,
    spill: bool = False,
) -> Sequence:
    """Encodes a corpus: characters, graphemes or words, with the tokens and kept symbols.

    Between words only what ends a sequence of words has a code: the mask, and symbols of `cut`.
    With `spill`, what is made of characters goes straight to spill files.

    Cost: O(n).
    """
    breaks = mask if len(mask) == 1 else ""
    if unit == "character":
        make = spilled if spill else None
        encoded = text.encode(
            corpus.texts, at_least=at_least, labels=labels, breaks=breaks, make=make
        )
        tokens = _word_starts(corpus.texts, spill) if align == "word" else None
        kept = text.visible_symbols(corpus.texts, keep, make=make) if keep else None
        return Sequence(encoded.codes, encoded.ends, encoded.ends, tokens=tokens, kept=kept)

    pieces = text.token_starts(corpus.texts, unit)
    if unit == "word":
        pieces = with_ends_of_sequences(corpus.texts, pieces, breaks, cut)
    numbered = text.number_tokens(
        corpus.texts,
        pieces,
        only_words=unit == "word",
        at_least=at_least,
        labels=labels,
        breaks=breaks,
    )
    at = numbered.positions
    starts = np.where(at < 0, 0, pieces.starts[at])
    stops = np.where(at < 0, 0, pieces.starts[at + 1])
    tokens = kept = None
    if unit == "grapheme":
        if align == "word":
            # A word's border inside a grapheme is no border: the grapheme is starred whole.
            words = text.token_starts(corpus.texts, "word").starts
            tokens = np.flatnonzero(np.isin(pieces.starts, words)).astype(np.int64)
        if keep:
            symbols = np.append(np.cumsum(text.visible_symbols(corpus.texts, keep)), 0)
            inside = symbols[stops - 1] - symbols[starts - 1]
            kept = ((at >= 0) & (inside == stops - starts)).astype(np.uint8)
    return Sequence(
        numbered.codes,
        numbered.ends,
        symbol_ends(corpus.texts),
        starts,
        stops,
        tokens=tokens,
        kept=kept,
    )


def with_ends_of_sequences(
    texts: list[str], pieces: text.Tokens, breaks: str, cut: NDArray[np.uint8] | None
) -> text.Tokens:
    """Tokens between words count as words where no sequence of legible words can go on."""
    if not any(one in document for document in texts for one in breaks):
        breaks = ""
    if not breaks and cut is None:
        return pieces
    ends = np.zeros(int(pieces.starts[-1]), np.uint8)
    if breaks:
        ends |= text.visible_symbols(texts, breaks)
    if cut is not None:
        ends |= cut
    before = np.concatenate([[0], np.cumsum(ends, dtype=np.int64)])
    return replace(pieces, words=pieces.words | (np.diff(before[pieces.starts]) > 0))


def _word_starts(texts: list[str], spill: bool) -> NDArray[np.int64]:
    if spill:
        return text.spilled_token_starts(texts, "word")
    return text.token_starts(texts, "word").starts


def symbol_ends(texts: list[str]) -> NDArray[np.int64]:
    """Where each document ends in the layout of symbols."""
    sizes = np.fromiter(map(len, texts), np.int64, len(texts))
    return np.cumsum(sizes + 1) - 1


def _size(ends: NDArray[np.int64]) -> int:
    return int(ends[-1]) + 1 if len(ends) else 0
