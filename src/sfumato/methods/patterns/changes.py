"""What changed, as places of the original: everything outside the intervals that were kept."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

import numpy as np

from ...core.spans import Changes, Same

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...kernels import patterns as kernels
    from .sequences import EncodedSequences

    Ints = NDArray[np.int64]

REASON = "sensitive pattern"


@dataclass(frozen=True, slots=True, eq=False)
class KeptIntervals:
    """Intervals [start, stop) of the original that stand at `place` of the release, in order.

    All three count over the whole texts of codes, with one end after each sequence.
    """

    documents: Ints
    starts: Ints
    stops: Ints
    places: Ints


@dataclass(frozen=True, slots=True, eq=False)
class WrittenStretches(Sequence[str]):
    """Stretches of the released text, made on access; symbols that are no characters are joined."""

    encoded: EncodedSequences
    codes: NDArray[np.int32]
    starts: Ints
    stops: Ints
    separator: str | int

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return WrittenStretches(
                self.encoded, self.codes, self.starts[index], self.stops[index], self.separator
            )
        some = self.codes[self.starts[index] : self.stops[index]]
        symbols = self.encoded.symbols_of(some, self.separator)
        return symbols if isinstance(symbols, str) else " ".join(map(str, symbols))


def kept_pieces(pieces: kernels.Pieces, written: NDArray[np.bool_] | Ints) -> KeptIntervals:
    """Where pieces stand in the text made of them; `written`: how many symbols precede each.

    Pieces that PFS moved are kept only as far as they still follow each other.
    """
    sizes = pieces.stops - pieces.starts
    # Every piece is preceded by what is written there, and by the ends of earlier sequences.
    places = np.cumsum(sizes + written) - sizes + pieces.documents
    in_order = np.ones(len(sizes), bool)
    same = pieces.documents[1:] == pieces.documents[:-1]
    moved = np.flatnonzero(same & (pieces.stops[1:] < pieces.stops[:-1]))
    for document in np.unique(pieces.documents[moved]):
        low, high = np.searchsorted(pieces.documents, [document, document + 1])
        in_order[low:high] = _longest_rise(pieces.stops[low:high].tolist())
    documents, starts = pieces.documents[in_order], pieces.starts[in_order]
    stops, places = pieces.stops[in_order], places[in_order]
    # What an earlier piece has written already is repeated, not kept.
    before = np.where(np.diff(documents, prepend=-1) == 0, np.roll(stops, 1), 0)
    repeated = np.maximum(before - starts, 0)
    return KeptIntervals(documents, starts + repeated, stops, places + repeated)


def _longest_rise(values: list[int]) -> NDArray[np.bool_]:
    """Flags a longest rising subsequence."""
    tops: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for i, value in enumerate(values):
        at = bisect_left(tops, value)
        before.append(ends[at - 1] if at else -1)
        tops[at : at + 1] = [value]
        ends[at : at + 1] = [i]
    flags = np.zeros(len(values), bool)
    i = ends[-1]
    while i >= 0:
        flags[i] = True
        i = before[i]
    return flags


def kept_symbols(
    encoded: EncodedSequences, codes: NDArray[np.int32], aligned: Ints
) -> KeptIntervals:
    """The symbols that equal the ones of the original they are aligned with (-1: with none)."""
    same = (aligned >= 0) & (codes > 0)
    same &= encoded.codes[np.where(same, aligned, 0)] == codes
    places = np.flatnonzero(same)
    origins = aligned[places]
    follows = (np.diff(places) == 1) & (np.diff(origins) == 1)
    first = np.concatenate(([True], ~follows))[: len(places)]
    last = np.concatenate((~follows, [True]))[: len(places)]
    starts = origins[first]
    return KeptIntervals(
        np.searchsorted(encoded.ends, starts), starts, origins[last] + 1, places[first]
    )


def changes_of(
    encoded: EncodedSequences,
    codes: NDArray[np.int32],
    ends: Ints,
    kept: KeptIntervals,
    separator: str | int,
) -> Changes:
    """The stretches between what was kept, of the original and of the release.

    Writing every replacement in the place of its stretch turns the original into the release.
    """
    every = np.arange(len(ends))
    old, new = encoded.starts, np.concatenate(([0], ends[:-1] + 1)).astype(np.int64)[: len(ends)]
    # Each sequence ends with an empty interval; before each interval there may be a change.
    documents = np.concatenate((kept.documents, every))
    order = np.argsort(documents, kind="stable")
    documents = documents[order]
    starts = np.concatenate((kept.starts, encoded.ends))[order]
    stops = np.concatenate((kept.stops, encoded.ends))[order]
    places = np.concatenate((kept.places, ends))[order]
    is_first = np.diff(documents, prepend=-1) != 0
    from_old = np.where(is_first, old[documents], np.roll(stops, 1))
    from_new = np.where(is_first, new[documents], np.roll(places + stops - starts, 1))
    changed = (from_old < starts) | (from_new < places)
    documents, from_old, from_new = documents[changed], from_old[changed], from_new[changed]
    return Changes(
        documents,
        from_old - old[documents],
        starts[changed] - old[documents],
        WrittenStretches(encoded, codes, from_new, places[changed], separator),
        Same(REASON, len(documents)),
    )
