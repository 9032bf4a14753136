"""PFS: a shorter sequence that keeps the order inside blocks only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...kernels import patterns as kernels

if TYPE_CHECKING:
    from collections.abc import Callable

    from .sequences import Encoded


def pfs(
    encoded: Encoded,
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
