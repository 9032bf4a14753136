"""ETFS: the sequence of least edit distance to the original with C1, P1 and P2."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import BadInput
from ...kernels import patterns as kernels

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from .sensitive import Sensitive
    from .sequences import EncodedSequences

# Steps of one pass, about a second each 500 million; there are three passes.
MOST_CELLS = 4e10


def etfs(
    encoded: EncodedSequences, sensitive: Sensitive, progress: Callable[[float], None] | None = None
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], int]:
    """Codes, ends, the place in the original each code is aligned with (or -1), and the distance.

    Paper: ETFS-ALGO, Theorem 2.4, by the dynamic program over N_1..N_m instead of a regular
    expression. Cost: O(k n^2) time, less when few windows are sensitive; O(n sqrt(n)) memory.
    """
    k = sensitive.k
    flags = kernels.sensitive_windows(encoded.codes, sensitive.codes, k)
    pieces = kernels.tfs(encoded.codes, encoded.ends, flags, k)
    jobs = []
    for d, (start, end) in enumerate(zip(encoded.starts, encoded.ends, strict=True)):
        text = encoded.codes[start:end]
        kept = np.flatnonzero(flags[start : max(start, end - k + 1)] == 0)
        most = _distance_of_tfs(pieces, d, int(start), int(end))
        jobs.append((int(start), text, kept, most))
    cells = sum(kernels.etfs_cells(text, kept, k, most) for _, text, kept, most in jobs)
    if cells > MOST_CELLS:
        raise BadInput(
            f"the least edit distance would take about {3 * cells:.1e} steps "
            f"({3 * cells / 5e8 / 60:.0f} minutes)",
            where="method",
            remedy="use method='tfs', whose distance is near the least, or shorter sequences",
        )
    codes, places, ends, total, size = [], [], [], 0, 0
    for start, text, kept, most in jobs:
        some, at, distance = kernels.etfs(text, kept, k, most, progress)
        codes += [some, np.array([-1], np.int32)]
        places += [np.where(at >= 0, at + start, -1), np.array([-1])]
        size += len(some) + 1
        ends.append(size - 1)
        total += distance
    empty = np.zeros(0, np.int32)
    return (
        np.concatenate([empty, *codes]),
        np.array(ends, np.int64),
        np.concatenate([np.zeros(0, np.int64), *places]),
        total,
    )


def _distance_of_tfs(pieces: kernels.Pieces, document: int, start: int, end: int) -> int:
    """An upper bound: the edits that turn one sequence into its TFS, read off the pieces."""
    low, high = np.searchsorted(pieces.documents, [document, document + 1])
    if low == high:
        return end - start
    starts, stops = pieces.starts[low:high], pieces.stops[low:high]
    gaps = starts[1:] - stops[:-1]
    separated = pieces.joins[low + 1 : high] == kernels.SEPARATED
    inside = np.where(gaps >= 0, np.maximum(gaps, separated), -gaps + separated)
    return int(starts[0] - start + inside.sum() + end - stops[-1])
