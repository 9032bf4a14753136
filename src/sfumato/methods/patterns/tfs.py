"""TFS: the shortest sequence with C1, P1 and P2, as intervals of the original."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...kernels import patterns as kernels

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from .sensitive import Sensitive
    from .sequences import EncodedSequences


def tfs(
    encoded: EncodedSequences, sensitive: Sensitive, progress: Callable[[float], None] | None = None
) -> kernels.Pieces:
    """Rule R1 puts a separator before the next non-sensitive window, rule R2 removes it again.

    R2: when the k-1 symbols before the separator equal those after it, they are written once.

    Paper: TFS-ALGO, Theorem 2.1. Cost: O(n + k r) for r runs of sensitive windows.

    >>> from .sensitive import sensitive_windows
    >>> from .sequences import encode
    >>> encoded = encode("aabaaacbcbbbaabbacaab", ["baaa", "bbaa"], None)
    >>> pieces = tfs(encoded, sensitive_windows(encoded, ["baaa", "bbaa"], None, "#"))
    >>> text_of(encoded, pieces, "#")
    'aabaa#aaacbcbbba#baabbacaab'
    """
    k = sensitive.k
    flags = kernels.sensitive_windows(encoded.codes, sensitive.codes, k, progress)
    return kernels.tfs(encoded.codes, encoded.ends, flags, k, progress)


def with_short_sequences(
    encoded: EncodedSequences, pieces: kernels.Pieces, k: int
) -> kernels.Pieces:
    """Adds the sequences shorter than k, which have no window to lose, as they are."""
    sizes = encoded.ends - encoded.starts
    short = np.flatnonzero((sizes < k) & (sizes > 0))
    if not len(short):
        return pieces
    documents = np.concatenate((pieces.documents, short))
    order = np.argsort(documents, kind="stable")

    def merged(old: NDArray[np.int64], new: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.concatenate((old, new))[order]

    joins = np.concatenate((pieces.joins, np.zeros(len(short), np.uint8)))[order]
    return kernels.Pieces(
        merged(pieces.starts, encoded.starts[short]),
        merged(pieces.stops, encoded.ends[short]),
        documents[order],
        joins,
    )


def text_of(encoded: EncodedSequences, pieces: kernels.Pieces, separator: str) -> object:
    """The text form of pieces. Cost: O(output)."""
    codes, ends = kernels.assemble(encoded.codes, pieces, len(encoded.ends))
    return encoded.rebuild(codes, ends, separator)
