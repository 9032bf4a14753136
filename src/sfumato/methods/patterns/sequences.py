"""Sequences of any symbols as codes, and back in the form they were given in.

One sequence is a str, or a list, tuple, array or column of symbols. A collection is a list, tuple
or column of sequences. The codes of a text are positive; 0 is the separator and -1 ends a sequence.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.corpus import Corpus
from ...core.errors import BadInput
from ...core.printed_form import by_sizes
from ...formats.sequences import Event

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...core.values import Array, Data


@dataclass(frozen=True, slots=True, eq=False)
class EncodedSequences:
    """Sequences as one text of codes; `numbers` has the code of every symbol, from 1 on."""

    given: Data
    codes: NDArray[np.int32]
    ends: NDArray[np.int64]
    numbers: dict[Hashable, int]
    is_collection: bool
    is_text: bool

    __repr__ = by_sizes

    @property
    def symbols(self) -> list[Any]:
        """The symbols, in the order of their codes."""
        return list(self.numbers)

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where each sequence begins."""
        return np.concatenate(([0], self.ends[:-1] + 1)).astype(np.int64)[: len(self.ends)]

    def encode(self, sequence: Data, unknown: dict[object, int]) -> list[int]:
        """The codes of another sequence; symbols not seen yet are numbered on in `unknown`."""
        known = self.numbers
        return [
            known[symbol]
            if symbol in known
            else unknown.setdefault(symbol, len(known) + 1 + len(unknown))
            for symbol in sequence
        ]

    @property
    def has_characters(self) -> bool:
        """Whether every symbol is one character, so that a str is a sequence of symbols."""
        return self.is_text or all(isinstance(s, str) and len(s) == 1 for s in self.symbols)

    @property
    def is_timed(self) -> bool:
        """Whether the symbols are events with times."""
        return any(isinstance(symbol, Event) for symbol in self.numbers)

    def symbols_of(self, codes: NDArray[np.int32], separator: Any) -> Any:
        """The symbols of some codes: a str for text, else a list."""
        if self.is_text:
            points = np.array([ord(separator), *map(ord, self.symbols)], np.uint32)
            if points.max() < 256:
                return points.astype(np.uint8)[codes].tobytes().decode("latin-1")
            return points[codes].tobytes().decode("utf-32-le", "surrogatepass")
        table = [separator, *self.symbols]
        return [table[code] for code in codes.tolist()]

    def with_separators(self, separator: object) -> EncodedSequences:
        """The same sequences, in which a symbol is the separator: its code is 0."""
        if separator not in self.numbers:
            return self
        code = self.numbers[separator]
        codes = self.codes - (self.codes > code)
        codes[self.codes == code] = 0
        numbers = _numbered(symbol for symbol in self.numbers if symbol != separator)
        return replace(self, codes=codes.astype(np.int32), numbers=numbers)

    def picked(self, places: NDArray[np.int64], ends: NDArray[np.int64]) -> Data:
        """Some of the symbols, themselves, in the form of what was given; ends are among them."""
        if self.is_text:
            return self.rebuild(self.codes[places], ends, "\0")
        begins = np.concatenate(([0], ends[:-1] + 1)).astype(np.int64)[: len(ends)]
        many = self.given if self.is_collection else [self.given]
        sequences = []
        for one, start, a, b in zip(many, self.starts, begins, ends, strict=True):
            symbols = _elements(one)
            sequences.append(_like(one, [symbols[i] for i in (places[a:b] - start).tolist()]))
        if not self.is_collection:
            return sequences[0]
        return tuple(sequences) if isinstance(self.given, tuple) else sequences

    def rebuild(self, codes: NDArray[np.int32], ends: NDArray[np.int64], separator: object) -> Data:
        """A text of codes in the form of what was given."""
        begins = np.concatenate(([0], ends[:-1] + 1)).astype(np.int64)[: len(ends)]
        if not self.is_collection:
            return _like(self.given, self.symbols_of(codes[: ends[0]], separator))
        if self.is_text:
            text = self.symbols_of(np.maximum(codes, 0), separator)
            return Corpus.of(self.given, "sequence").rebuild(
                [text[a:b] for a, b in zip(begins.tolist(), ends.tolist(), strict=True)]
            )
        sequences = [
            _like(one, self.symbols_of(codes[a:b], separator))
            for one, a, b in zip(self.given, begins.tolist(), ends.tolist(), strict=True)
        ]
        return tuple(sequences) if isinstance(self.given, tuple) else sequences


def encode(sequence: object, patterns: Data, collection: bool | None) -> EncodedSequences:
    """Reads one sequence or a collection; what is not said is told from the patterns.

    A str is one sequence of characters. Elements that are lists, tuples or arrays make a
    collection; so do elements that are str when the patterns are str too. Anything else is one
    sequence of symbols. `collection` settles it where this would guess wrong.

    >>> encode("abab", ["ab"], None).codes
    array([ 1,  2,  1,  2, -1], dtype=int32)
    >>> encode(["home", "clinic"], [["home", "clinic"]], None).is_collection
    False
    """
    if isinstance(sequence, str):
        if collection:
            raise BadInput("a str is one sequence", where="collection", remedy="give a list")
        return _encode_text(sequence, [sequence], is_collection=False)
    elements = _elements(sequence)
    if collection is None:
        collection = _looks_like_a_collection(elements, patterns)
    if not collection:
        return _encode_symbols(sequence, [elements], is_collection=False)
    if all(isinstance(one, str) or _is_missing(one) for one in elements) and _are_texts(patterns):
        texts = Corpus.of(sequence, "sequence").texts
        return _encode_text(sequence, texts, is_collection=True)
    for i, one in enumerate(elements):
        if not _is_sequence(one):
            raise BadInput(
                f"expected a sequence of symbols, found {type(one).__name__}",
                where=f"sequence[{i}]",
                remedy="give a list of sequences, or collection=False for one sequence",
            )
    return _encode_symbols(sequence, [_elements(one) for one in elements], is_collection=True)


def _looks_like_a_collection(elements: Sequence[object], patterns: Data) -> bool:
    if not elements:
        return _are_texts(patterns)
    if all(isinstance(one, (list, tuple, np.ndarray)) for one in elements):
        return True
    if all(isinstance(one, str) or _is_missing(one) for one in elements):
        if patterns is None and any(not isinstance(one, str) or len(one) != 1 for one in elements):
            raise BadInput(
                "a list of strings may be one sequence of words or a collection of strings",
                where="sequence",
                remedy="say collection=True or collection=False",
            )
        return patterns is not None and _are_texts(patterns)
    return False


def _are_texts(patterns: Data) -> bool:
    return patterns is None or all(isinstance(one, str) for one in patterns)


def _is_missing(value: object) -> bool:
    # None, NaN (which differs from itself) and pandas.NA (whose comparison has no truth value).
    return value is None or type(value).__name__ == "NAType" or value != value


def _is_sequence(value: object) -> bool:
    return isinstance(value, (Sequence, np.ndarray)) or hasattr(value, "to_list")


def _elements(sequence: object) -> list[object]:
    if isinstance(sequence, (str, list, tuple)):
        return list(sequence)
    if isinstance(sequence, np.ndarray):
        if sequence.ndim == 1:
            return list(sequence.tolist())
    else:
        for name in ("to_list", "to_pylist"):
            if hasattr(sequence, name):
                return list(getattr(sequence, name)())
        if isinstance(sequence, Sequence) and not isinstance(sequence, (bytes, bytearray)):
            return list(sequence)
    raise BadInput(
        f"expected a str or a sequence of symbols, found {type(sequence).__name__}",
        where="sequence",
        remedy="of an iterator make a list, of a frame give one column",
    )


def _encode_text(given: object, texts: list[str], *, is_collection: bool) -> EncodedSequences:
    joined = "\0".join(texts) + "\0" if texts else ""
    points: Array
    try:  # most sequences need one byte a symbol
        points = np.frombuffer(joined.encode("latin-1"), np.uint8)
    except UnicodeEncodeError:
        points = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
    sizes = np.fromiter(map(len, texts), np.int64, len(texts))
    ends = np.cumsum(sizes + 1) - 1
    table = np.zeros(int(points.max(initial=0)) + 1, np.int32)
    table[points] = 1
    if not any("\0" in text for text in texts):
        table[:1] = 0
    alphabet = np.flatnonzero(table)
    table[alphabet] = np.arange(1, len(alphabet) + 1, dtype=np.int32)
    codes = table[points]
    codes[ends] = -1
    letters = map(chr, alphabet.tolist())
    return EncodedSequences(given, codes, ends, _numbered(letters), is_collection, True)


def _encode_symbols(
    given: object, sequences: list[list[Data]], *, is_collection: bool
) -> EncodedSequences:
    numbers: dict[Hashable, int] = {}
    codes: list[int] = []
    ends: list[int] = []
    for d, sequence in enumerate(sequences):
        for i, symbol in enumerate(sequence):
            try:
                codes.append(numbers.setdefault(symbol, len(numbers)))
            except TypeError:
                raise BadInput(
                    f"expected a hashable symbol, found {type(symbol).__name__}",
                    where=f"sequence[{d}][{i}]" if is_collection else f"sequence[{i}]",
                    remedy="use numbers, strings or tuples as symbols",
                ) from None
        ends.append(len(codes))
        codes.append(-1)
    symbols: list[Any] = list(numbers)
    try:
        order = sorted(range(len(symbols)), key=symbols.__getitem__)
    except TypeError:  # symbols of several kinds stay in the order of their first appearance
        order = list(range(len(symbols)))
    table = np.empty(len(symbols) + 1, np.int32)
    table[order] = np.arange(1, len(symbols) + 1, dtype=np.int32)
    table[-1] = -1
    return EncodedSequences(
        given,
        table[np.array(codes, np.int64)],
        np.array(ends, np.int64),
        _numbered(symbols[i] for i in order),
        is_collection,
        False,
    )


def _numbered(symbols: Iterable[object]) -> dict[object, int]:
    return {symbol: i for i, symbol in enumerate(symbols, 1)}


def _like(given: Data, symbols: Data) -> Data:
    """Symbols in the form of the sequence they came from."""
    if isinstance(given, (str, list)):
        return symbols
    if isinstance(given, np.ndarray):
        try:
            result = np.array(symbols, dtype=given.dtype)
        except (TypeError, ValueError):
            raise BadInput(
                f"an array of {given.dtype} cannot hold the separator",
                where="separator",
                remedy="give a separator of the array's kind, for instance -1",
            ) from None
        return result
    if type(given).__module__.startswith("pandas"):
        return type(given)(symbols, name=given.name)
    if type(given).__module__.startswith("polars"):
        return type(given)(given.name, symbols)
    if type(given).__module__.startswith("pyarrow"):
        import pyarrow

        return pyarrow.array(symbols)
    return tuple(symbols)
