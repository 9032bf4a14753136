"""Repeats of a text that is larger than the memory allowed, by buckets of suffixes on disk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..core.errors import BadInput
from . import _core
from .spill import spilled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .repeats import Codes, Progress
    from .spill import Folder

CAP = 4096
WIDE = 2**32 - 1


@dataclass(frozen=True, slots=True)
class ExternalLengths:
    """L, cut at the cap, in a spill file; `capped` positions reach the cap.

    Without any the lengths are those of `SuffixIndex.repeat_lengths`.
    """

    lengths: NDArray[np.int32]
    capped: int


def repeat_lengths(
    codes: Codes,
    k: int,
    *,
    labels: NDArray[np.int32] | None = None,
    ends: NDArray[np.int64] | None = None,
    memory: int,
    cap: int = CAP,
    folder: Folder = None,
    progress: Progress | None = None,
    wide_beyond: int = WIDE,
) -> ExternalLengths:
    """For each position p the longest L <= cap such that T[p .. p+L) occurs at least k times.

    `codes`, `labels` and `ends` are those of `SuffixIndex.repeat_lengths`; the codes may be mapped
    to a file. At most about `memory` bytes are taken for suffixes that are sorted; all else lies in
    spill files of `folder`: 12 bytes per symbol (20 beyond `wide_beyond` symbols). A repeat of
    `cap` symbols or more counts as one of `cap`, so it costs stars and never a claim.

    Suffixes are distributed by their first symbols until a class with one prefix fits the memory;
    then they are sorted by eight bytes at a time, no deeper than k of them agree.

    Paper: Matsubara and Hasida, Algorithm 1. Cost: O(n log n + sum of L / 8), with sequential
    access to the spill files; at worst O(n cap / 8).

    >>> import numpy as np
    >>> codes = np.frombuffer(b"abracadabra", np.uint8) - 96
    >>> found = repeat_lengths(codes, 2, memory=1000)
    >>> found.lengths.tolist(), found.capped
    ([4, 3, 2, 1, 0, 1, 0, 4, 3, 2, 1], 0)
    >>> repeat_lengths(codes, 2, memory=1000, cap=2).lengths.tolist()
    [2, 2, 2, 1, 0, 1, 0, 2, 2, 2, 1]
    """
    if k < 1:
        raise BadInput(f"k must be at least 1, found {k}", remedy="give k >= 1")
    size = len(codes)
    positions = np.uint32 if size <= min(wide_beyond, WIDE) else np.uint64
    lengths = spilled(size, np.int32, folder)
    first, second = (spilled(size, positions, folder) for _ in range(2))
    try:
        capped = _core.external_repeat_lengths(
            codes, lengths, first, second, k, cap, memory, labels, ends, progress
        )
    except ValueError as error:
        raise BadInput(str(error)) from None
    return ExternalLengths(lengths, capped)
