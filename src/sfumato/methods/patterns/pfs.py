"""PFS: a shorter sequence that keeps the order inside blocks only."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...kernels import patterns as kernels

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from .sequences import EncodedSequences


def pfs(
    encoded: EncodedSequences,
    pieces: kernels.Pieces,
    k: int,
    shuffle: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> kernels.Pieces:
    """Arranges the blocks between separators so that most overlap in k-1 symbols.

    Each block is an edge from its (k-1)-prefix to its (k-1)-suffix; the fewest paths that use every
    edge once leave the fewest separators. Optimal over arrangements of the blocks. With `shuffle`
    the ties are broken at random, with that seed. Blocks never leave their sequence.

    Paper: PFS-ALGO, Lemmas 2 and 3, Theorem 2.2. Cost: O(k q) for q blocks, and the output.

    >>> from .sensitive import sensitive_windows
    >>> from .sequences import encode
    >>> from .tfs import text_of, tfs
    >>> encoded = encode("aabaaacbcbbbaabbacaab", ["baaa", "bbaa"], None)
    >>> pieces = tfs(encoded, sensitive_windows(encoded, ["baaa", "bbaa"], None, "#"))
    >>> text_of(encoded, pfs(encoded, pieces, 4), "#")
    'aaacbcbbba#aabaabbacaab'
    """
    if k == 1 or not len(pieces.starts):  # with k = 1 every two blocks overlap already
        return pieces
    return kernels.pfs(encoded.codes, pieces, k, shuffle, progress)


def exchanged(pieces: kernels.Pieces, separators: NDArray[np.int64], seed: int) -> kernels.Pieces:
    """Another arrangement of the same length: paths after some separators change places.

    Each of these paths (what stands between two separators) is swapped with a random other one of
    its sequence. Cost: O(pieces).
    """
    heads = np.flatnonzero(pieces.joins != kernels.OVERLAPPING)
    owners = pieces.documents[heads]
    order = np.arange(len(heads))
    follows = np.flatnonzero(pieces.joins[heads] == kernels.SEPARATED)[separators]
    random = np.random.default_rng(seed)
    for path in follows.tolist():
        low, high = np.searchsorted(owners, [owners[path], owners[path] + 1])
        other = int(random.integers(low, high - 1))
        other += other >= path
        order[[path, other]] = order[[other, path]]
    sizes = np.diff(np.append(heads, len(pieces.starts)))[order]
    past = np.cumsum(sizes)
    chosen = np.repeat(heads[order] - (past - sizes), sizes) + np.arange(len(pieces.starts))
    joins = pieces.joins[chosen]
    joins[past - sizes] = pieces.joins[heads]  # the first path of a sequence has no separator
    return kernels.Pieces(
        pieces.starts[chosen], pieces.stops[chosen], pieces.documents[chosen], joins
    )
