"""Implausible patterns: rarer than their parts let expect, so that they betray a replacement."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...kernels import patterns as kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray


def scores(windows: NDArray[np.int32], k: int, reference: NDArray[np.int32]) -> NDArray[np.float64]:
    """z(U) = (f(U) - E) / max(sqrt(E), 1), with E = f(U[:-1]) f(U[1:]) / f(U[1:-1]) or 0.

    f counts occurrences in the reference. Needs k >= 3.

    Paper: Section 5.3. Cost: O(n + windows).
    """
    rows = windows.reshape(-1, k)

    def f(start: int, stop: int) -> NDArray[np.float64]:
        part = np.ascontiguousarray(rows[:, start:stop]).ravel()
        return kernels.count_windows(reference, part, stop - start).astype(np.float64)

    inner = f(1, k - 1)
    expected = np.where(inner > 0, f(0, k - 1) * f(1, k) / np.maximum(inner, 1), 0.0)
    result: NDArray[np.float64] = (f(0, k) - expected) / np.maximum(np.sqrt(expected), 1.0)
    return result


def implausible(
    windows: NDArray[np.int32], k: int, reference: NDArray[np.int32], rho: float
) -> NDArray[np.bool_]:
    """Which windows are rho-implausible: z(U) < rho < 0.

    >>> codes = np.array([1, 2, 3, 1, 2, 3, 1, 2, 3, 4, 2, 5, -1], np.int32)
    >>> implausible(np.array([1, 2, 5, 1, 2, 3], np.int32), 3, codes, -0.5)
    array([ True, False])
    """
    result: NDArray[np.bool_] = scores(windows, k, reference) < rho
    return result
