"""Between strings and arrays: codes, tokens, stars and masked texts.

The encoded layout of a list of documents: their code points in order, and one break after each
document. Document d is `[ends[d - 1] + 1, ends[d])`, the first one starts at 0, and its break is at
`ends[d]`. Every array over symbols has this layout.

Strings are read in place, whatever their width; lone surrogates are symbols like any other. What is
not a str raises TypeError, arrays of the wrong length ValueError; no message contains text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

import numpy as np

from ..core.errors import BadInput
from . import _core
from .spill import spilled_parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from ..core.values import Array
    from .spill import Folder, Make

    Codes = NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.uint32]
    Flags = NDArray[np.uint8] | NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class EncodedDocuments:
    """Documents as dense codes; every code is below `symbols`, and 0 ends every repeat."""

    codes: Codes
    ends: NDArray[np.int64]
    symbols: int


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens that tile the encoded layout; each break is a token of its own.

    `starts` ends with the layout's length; `words` tells which tokens hold a letter or a number.
    """

    starts: NDArray[np.int64]
    words: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class NumberedTokens:
    """Tokens as dense codes, one break 0 after each document at `ends`.

    `positions` is the index of each code's token, -1 at breaks. `counts[c]` says how often code c
    occurs (with labels: in documents of how many labels); code 0 has none.
    """

    codes: Codes
    positions: NDArray[np.int64]
    ends: NDArray[np.int64]
    symbols: int
    counts: NDArray[np.int64]


class StarRuns(NamedTuple):
    """Runs of stars: the document of each, and its half-open span in the document's code points."""

    documents: NDArray[np.int32]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]


def encode(
    texts: list[str],
    *,
    at_least: int = 1,
    labels: NDArray[np.int32] | None = None,
    breaks: str = "",
    make: Make | None = None,
    progress: Callable[[float], object] | None = None,
) -> EncodedDocuments:
    """All symbols as codes in the order of code points, in the narrowest type that holds them.

    Symbols of `breaks` and symbols that occur fewer than `at_least` times share code 0, because
    they end every repeat. With `labels` (one for each document) a symbol counts once for each
    label whose documents contain it. `make(size, dtype)` gives the array for the codes, for
    instance one in a file; by default it is in memory.

    Cost: O(n + code points).

    >>> encoded = encode(["abba", "cab"], at_least=2)
    >>> encoded.codes
    array([1, 2, 2, 1, 0, 0, 1, 2, 0], dtype=uint8)
    >>> encoded.ends.tolist(), encoded.symbols
    ([4, 8], 3)
    """
    return EncodedDocuments(
        *_core.encode(texts, at_least, labels, breaks, progress, _by_bytes(make))
    )


def token_starts(texts: list[str], unit: Literal["word", "grapheme", "token"]) -> Tokens:
    """The tokens of every document: words, or what readers see as one character.

    Words are the segments of Unicode's default word segmentation, and what is between them; a Han
    or hiragana symbol is a word of its own. Unlike there, white space is cut into single symbols.
    Of "token" pictographs (emoji, flags) count as words too.

    Paper: Unicode Standard Annex #29, version 15.0: Sections 4.1 (words) and 3.1 (extended
    grapheme clusters). Cost: O(n).

    >>> tokens = token_starts(["Ann's  cat."], "word")
    >>> tokens.starts.tolist()
    [0, 5, 6, 7, 10, 11, 12]
    >>> tokens.words.tolist()
    [True, False, False, True, False, False]
    """
    if unit not in ("word", "grapheme", "token"):
        raise BadInput("expected 'word', 'grapheme' or 'token'", where="unit")
    starts, words = _core.tokens(texts, _core.Unit[unit])
    return Tokens(starts, words.view(np.bool_))


def spilled_token_starts(
    texts: list[str], unit: Literal["word", "grapheme"], folder: Folder = None
) -> NDArray[np.int64]:
    """The starts of `token_starts` in a spill file, written piece by piece.

    Cost: O(n) time, a fixed number of bytes in memory.

    >>> spilled_token_starts(["Ann's  cat."], "word").tolist()
    [0, 5, 6, 7, 10, 11, 12]
    """
    return spilled_parts(
        lambda write: _core.write_tokens(texts, _core.Unit[unit], write), np.int64, folder
    )


def boundaries(text: str, unit: Literal["word", "grapheme"]) -> NDArray[np.int64]:
    """Where the standard has boundaries in one text, both ends included, white space whole.

    Paper: Unicode Standard Annex #29, version 15.0. Cost: O(n).

    >>> boundaries("Ann's  cat.", "word").tolist()
    [0, 5, 7, 10, 11]
    """
    units = {"word": _core.Unit.word_with_spaces, "grapheme": _core.Unit.grapheme}
    starts: NDArray[np.int64] = _core.tokens([text], units[unit])[0][:-1]
    return starts if text else starts[:0]


def number_tokens(
    texts: list[str],
    tokens: Tokens,
    *,
    only_words: bool,
    at_least: int = 1,
    labels: NDArray[np.int32] | None = None,
    breaks: str = "",
) -> NumberedTokens:
    """Tokens as codes, equal tokens alike, numbered in order of first occurrence.

    Tokens that contain a symbol of `breaks` and tokens that occur fewer than `at_least` times get
    code 0; counted are occurrences or labels, as in `encode`. With `only_words` the tokens between
    words have no code at all.

    Cost: O(n) expected.

    >>> texts = ["to be or not to be"]
    >>> numbered = number_tokens(texts, token_starts(texts, "word"), only_words=True, at_least=2)
    >>> numbered.codes
    array([1, 2, 0, 0, 1, 2, 0], dtype=uint8)
    >>> numbered.positions.tolist(), numbered.counts.tolist()
    ([0, 2, 4, 6, 8, 10, -1], [0, 2, 2])
    """
    words = _bytes(tokens.words)
    return NumberedTokens(
        *_core.number_tokens(texts, tokens.starts, words, only_words, at_least, labels, breaks)
    )


def mask_texts(texts: list[str], stars: Flags, mask: str, collapse: bool) -> list[str]:
    """The texts with `mask` in place of each starred symbol, or of each run of them (`collapse`).

    Documents without a star come back as the same object.

    Cost: O(n).

    >>> import numpy as np
    >>> mask_texts(["cab", "a"], np.array([1, 1, 0, 0, 0, 0], np.uint8), "★", False)
    ['★★b', 'a']
    """
    if not mask:
        raise BadInput("an empty mask would join what stands around it", where="mask")
    masked: list[str] = _core.mask_texts(texts, _bytes(stars), mask, collapse)
    return masked


def star_runs(stars: Flags, ends: NDArray[np.int64]) -> StarRuns:
    """The runs of stars, none across the end of a document; stars at breaks are none.

    Cost: O(n).

    >>> import numpy as np
    >>> stars = np.array([0, 1, 1, 0, 1, 0], np.uint8)
    >>> [column.tolist() for column in star_runs(stars, np.array([3, 5], np.int64))]
    [[0, 1], [1, 0], [3, 1]]
    """
    return StarRuns(*_core.star_runs(_bytes(stars), ends))


def visible_symbols(texts: list[str], keep: str, *, make: Make | None = None) -> NDArray[np.uint8]:
    """1 where the symbol is one of `keep`, 0 elsewhere and at breaks; `make` as for `encode`.

    Cost: O(n).

    >>> visible_symbols(["a b.", ""], " .")
    array([0, 1, 0, 1, 0, 0], dtype=uint8)
    """
    return np.asarray(_core.mark_symbols(texts, keep, _by_bytes(make)), np.uint8)


def guess_rate(
    codes: Codes, stars: Flags, *, context: int = 4, sample: int = 20_000, seed: int = 0
) -> float:
    """How often an n-gram model trained on the release guesses what is under a star.

    The attacker knows the visible symbols directly left and right of a star, at most `context` on
    each side and none beyond another star or a break (code 0), and which symbols stand between the
    same neighbours where the release is legible: he guesses the most frequent one (on ties the
    smallest code). While his context was never seen, he drops the outermost symbol of the longer
    side, the left one on ties. In a run of stars he goes left to right, and takes what he has
    guessed as the left context.

    At most `sample` stars are tried, one from each of as many equal parts. A star over code 0 is
    never guessed; so breaks between documents must not be starred. Without stars the rate is 0.

    Cost: O(n context^2).

    >>> encoded = encode(["cat hat bat"])
    >>> stars = np.zeros(len(encoded.codes), np.uint8)
    >>> stars[[4, 5]] = 1  # cat ★★t bat
    >>> guess_rate(encoded.codes, stars)
    0.5
    """
    return float(_core.guess_rate(codes, _bytes(stars), context, sample, seed % 2**64))


def _by_bytes(make: Make | None) -> Callable[[int, int], Array] | None:
    return None if make is None else lambda size, width: make(size, f"u{width}")


def _bytes(flags: NDArray[np.bool_] | NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Flags as the kernels take them, read in place; what is no flag the kernel refuses."""
    if getattr(flags, "dtype", None) == np.bool_:
        return flags.view(np.uint8)
    return cast("NDArray[np.uint8]", flags)
