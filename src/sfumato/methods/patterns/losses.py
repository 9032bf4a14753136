"""What replacing symbols costs: distortion, lost and ghost patterns, from the touched windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...kernels import patterns as kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .sensitive import Sensitive
    from .sequences import EncodedSequences

    Codes = NDArray[np.int32]
    Ints = NDArray[np.int64]


def created_loss(
    encoded: EncodedSequences,
    sensitive: Sensitive,
    codes: Codes,
    places: Ints,
    sizes: Ints,
    tau: int,
) -> dict[str, float]:
    """The loss of replaced separators: only windows that contain one have become more frequent.

    `places` is where each string is written, `sizes` how many symbols it has.
    """
    k = sensitive.k
    many = k - 1 + sizes  # the windows that hold a symbol of it, or stand across a deleted one
    first = np.repeat(places - (k - 1), many)
    starts = first + np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
    return _loss(encoded, sensitive, codes, _windows(codes, np.unique(starts), k), tau)


def deletion_loss(
    encoded: EncodedSequences, sensitive: Sensitive, codes: Codes, gone: Ints, tau: int
) -> dict[str, float]:
    """The loss of deleted symbols: windows that held one, and windows that stand across one."""
    k = sensitive.k
    old = np.unique((gone[:, None] - np.arange(k)).ravel())
    joints = gone - np.arange(len(gone))  # where what follows each now begins
    new = np.unique((joints[:, None] - np.arange(1, k)).ravel())
    windows = [_windows(encoded.codes, old, k), _windows(codes, new, k)]
    return _loss(encoded, sensitive, codes, np.concatenate(windows), tau)


def difference_loss(
    encoded: EncodedSequences, sensitive: Sensitive, codes: Codes, touched: Ints, tau: int
) -> dict[str, float]:
    """The loss of symbols replaced in place: windows that contain one, before and after."""
    k = sensitive.k
    starts = np.unique((touched[:, None] - np.arange(k)).ravel())
    windows = [_windows(text, starts, k) for text in (encoded.codes, codes)]
    return _loss(encoded, sensitive, codes, np.concatenate(windows), tau)


def _windows(codes: Codes, starts: Ints, k: int) -> Codes:
    """The windows at some places, as rows; places without a window are left out."""
    starts = starts[(starts >= 0) & (starts + k <= len(codes))]
    rows = codes[starts[:, None] + np.arange(k)]
    result: Codes = rows[(rows > 0).all(axis=1)]
    return result


def _loss(
    encoded: EncodedSequences, sensitive: Sensitive, codes: Codes, rows: Codes, tau: int
) -> dict[str, float]:
    k = sensitive.k
    apart = np.column_stack((rows, np.full(len(rows), -1, np.int32))).ravel()
    places, _ = kernels.distinct_windows(apart, k)
    distinct = apart[places[:, None] + np.arange(k)].astype(np.int32)
    flat = np.ascontiguousarray(distinct).ravel()
    ends = np.full((len(sensitive.codes) // k, 1), -1, np.int32)
    secret_text = np.concatenate((sensitive.codes.reshape(-1, k), ends), axis=1).ravel()
    secret = kernels.count_windows(secret_text, flat, k) > 0
    before = kernels.count_windows(encoded.codes, flat, k)[~secret]
    after = kernels.count_windows(codes, flat, k)[~secret]
    return {
        "distortion": float(((after - before) ** 2).sum()),
        "lost": float(((before >= tau) & (after < tau)).sum()),
        "ghosts": float(((before < tau) & (after >= tau)).sum()),
    }
