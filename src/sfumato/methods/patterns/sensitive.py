"""Which windows of k symbols are sensitive: by patterns, a file, positions, or at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.corpus import Corpus
from ...core.errors import BadInput, CannotBeMet
from ...core.options import read_text
from ...core.printed_form import by_sizes
from ...core.spans import Span
from ...formats.sequences import symbol_patterns
from ...kernels import patterns as kernels
from ...recognizers import spans_of
from .options import check_sequence

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...core.values import Data
    from .sequences import EncodedSequences


@dataclass(frozen=True, slots=True, eq=False)
class Sensitive:
    """The patterns, k, the sensitive windows as codes, k each, and how often each pattern occurs.

    A pattern that is listed twice is one.
    """

    patterns: list[Data]
    k: int
    codes: NDArray[np.int32]
    occurrences: NDArray[np.int64]

    __repr__ = by_sizes


def read_patterns(patterns: Data) -> list[Any] | None:
    """The patterns as a list; of a file one pattern a line.

    >>> read_patterns(["ab", "ba"])
    ['ab', 'ba']
    """
    if patterns is None:
        return None
    if isinstance(patterns, Path):
        text = read_text(patterns, "patterns", "give a UTF-8 file with one pattern a line")
        lines = text.split("\n")
        for number, line in enumerate(lines, 1):
            if line and not line.strip():
                raise BadInput(
                    "a line of blanks alone",
                    where=f"patterns, line {number}",
                    remedy="delete it, or give the patterns as a list",
                )
        return [line for line in lines if line]
    if isinstance(patterns, str) or not isinstance(patterns, (Sequence, set, frozenset)):
        raise BadInput(
            f"expected a list of patterns, found {type(patterns).__name__}",
            where="patterns",
            remedy="give [pattern], or a pathlib.Path to a file with one pattern a line",
        )
    if not isinstance(patterns, (set, frozenset)):
        return list(patterns)
    try:
        return sorted(patterns)
    except TypeError:  # symbols of several kinds
        return sorted(patterns, key=repr)


def texts_of_spans(patterns: Data, sequence: object) -> Any:
    """Patterns that were given as spans of texts, as the texts they have; others as they are.

    >>> texts_of_spans([Span(0, 4, 6), Span(0, 0, 2)], "ab, cd")
    ['ab', 'cd']
    """
    if not isinstance(patterns, Sequence) or not any(isinstance(one, Span) for one in patterns):
        return patterns
    texts = Corpus.of(sequence, "sequence").texts
    spans = spans_of(patterns, texts)
    return sorted({texts[span.document][span.start : span.stop] for span in spans})


def symbols_in_file(encoded: EncodedSequences, path: Path) -> list[Any]:
    """Patterns of symbols that are no characters, read from a file by their printed form."""
    by_name = {str(symbol): symbol for symbol in encoded.numbers}
    read = symbol_patterns(path, "patterns", by_name)
    return [[by_name.get(name, name) for name in pattern] for pattern in read]


def require_hidden(sensitive: Sensitive) -> None:
    """Refuses sequences with separators in which a sensitive pattern still occurs."""
    if sensitive.occurrences.any():
        raise BadInput(
            f"{int((sensitive.occurrences > 0).sum())} of the sensitive patterns occur in it",
            where="sequence",
            remedy="give a sequence in which separators hide them all, or the original with tpm",
        )


def sensitive_windows(
    encoded: EncodedSequences, patterns: list[Any], length: int | None, *separators: object
) -> Sensitive:
    """K is the shortest pattern's length; of longer ones the rarest window of k symbols is marked.

    Ties are broken leftmost. A pattern that does not occur is marked too, so that it does not
    appear in the release.

    Paper: Section 1.1, MSL setting (any window of a longer pattern may be marked).
    """
    for i, pattern in enumerate(patterns):
        if not isinstance(pattern, (Sequence, np.ndarray)) or not len(pattern):
            raise BadInput("expected a sequence of at least one symbol", where=f"patterns[{i}]")
        if encoded.is_text and not isinstance(pattern, str):
            raise BadInput("expected a str, as the sequence is", where=f"patterns[{i}]")
        if isinstance(pattern, str) and not encoded.has_characters:
            raise BadInput(
                "a str is a sequence of characters, which the symbols are not",
                where=f"patterns[{i}]",
                remedy="give a list of symbols",
            )
        if any(symbol == separator for symbol in pattern for separator in separators):
            raise BadInput(
                "a pattern contains the separator",
                where=f"patterns[{i}]",
                remedy="choose another separator",
            )
    shortest = min(map(len, patterns), default=length or 1)
    k = length or shortest
    if not 1 <= k <= shortest:
        short = next((i for i, pattern in enumerate(patterns) if len(pattern) < k), 0)
        raise BadInput(
            f"expected patterns of at least length={k} symbols, found one of {shortest}",
            where=f"patterns[{short}]",
            remedy="lower length, or drop it to use the shortest pattern's",
        )
    unknown: dict[object, int] = {}
    coded: dict[tuple[int, ...], object] = {}
    for i, pattern in enumerate(patterns):
        try:
            coded.setdefault(tuple(encoded.encode(pattern, unknown)), pattern)
        except TypeError:
            raise BadInput("expected hashable symbols", where=f"patterns[{i}]") from None
    arrays = [np.array(codes, np.int32) for codes in coded]
    found = _occurrences(encoded, arrays)
    return Sensitive(list(coded.values()), k, _marked(encoded, arrays, k), found)


def _occurrences(encoded: EncodedSequences, coded: list[NDArray[np.int32]]) -> NDArray[np.int64]:
    """How often each pattern occurs in the sequences. Cost: O(n) for every distinct length."""
    found = np.zeros(len(coded), np.int64)
    sizes = np.array([len(pattern) for pattern in coded], np.int64)
    for size in np.unique(sizes).tolist():
        alike = np.flatnonzero(sizes == size)
        flat = np.concatenate([coded[i] for i in alike])
        found[alike] = kernels.count_windows(encoded.codes, flat, size)
    return found


def _marked(encoded: EncodedSequences, coded: list[NDArray[np.int32]], k: int) -> NDArray[np.int32]:
    windows = [np.lib.stride_tricks.sliding_window_view(pattern, k) for pattern in coded]
    if not windows:
        return np.zeros(0, np.int32)
    if all(len(one) == 1 for one in windows):
        return np.unique(np.concatenate(windows), axis=0).ravel()
    counts = kernels.count_windows(encoded.codes, np.concatenate(windows).ravel(), k)
    chosen, at = [], 0
    for one in windows:
        chosen.append(one[int(np.argmin(counts[at : at + len(one)]))])
        at += len(one)
    return np.unique(np.array(chosen, np.int32), axis=0).ravel()


def patterns_at(
    encoded: EncodedSequences, positions: Sequence[object], length: int | None
) -> list[Any]:
    """The windows at some positions (pairs of sequence and position in a collection)."""
    if length is None or length < 1:
        raise BadInput("positions need the windows' length", where="length", remedy="give length=k")
    found: dict[tuple[int, ...], object] = {}
    starts = encoded.starts
    for i, position in enumerate(check_sequence("positions", positions)):
        document, place = _place(position, encoded.is_collection, f"positions[{i}]")
        if not 0 <= document < len(starts) or not 0 <= place <= (
            int(encoded.ends[document] - starts[document]) - length
        ):
            raise BadInput(
                "no window of this length stands there",
                where=f"positions[{i}]",
                remedy="positions count from 0 and need length symbols after them",
            )
        codes = encoded.codes[starts[document] + place :][:length]
        found.setdefault(tuple(codes.tolist()), encoded.symbols_of(codes, "\0"))
    return list(found.values())


def _place(position: Any, collection: bool, where: str) -> tuple[int, int]:
    """Sequence and place of a position."""
    pair = position if collection else (0, position)
    try:
        document, place = map(index, pair)
    except (TypeError, ValueError):
        expected = "a pair of sequence and place" if collection else "a whole number"
        raise BadInput(f"expected {expected}", where=where) from None
    return document, place


def drawn_patterns(
    encoded: EncodedSequences, count: int, length: int | None, least: int, seed: int
) -> list[object]:
    """Distinct windows that occur at least `least` times, drawn at random.

    Paper: Section 7, experimental setup.
    """
    if length is None or length < 1:
        raise BadInput("drawn patterns need a length", where="length", remedy="give length=k")
    places, counts = kernels.distinct_windows(encoded.codes, length)
    frequent = places[counts >= least]
    if count > len(frequent):
        raise CannotBeMet(
            f"asked for {count} patterns, found {len(frequent)} windows of {length} symbols that "
            f"occur at least {least} times",
            where="draw",
            remedy="draw fewer, or lower tau",
        )
    chosen = np.random.default_rng(seed).choice(len(frequent), count, replace=False)
    return [
        encoded.symbols_of(encoded.codes[place : place + length], "\0")
        for place in frequent[np.sort(chosen)].tolist()
    ]
