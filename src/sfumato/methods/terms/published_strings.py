"""The guarantee `published`: at least k terms of W are published as that very string.

Each length is clustered into groups of at least k, and a group is published as the one pattern
that covers it. The fewest stars are hard to find (it is k-anonymity by suppression), so the
groups are found greedily, from few stars to many, and of moderate lists improved by exchanging
terms and by exact programs for some groups at a time; up to 16 terms have the fewest. The stars
of `matching` bound them from below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...kernels.terms import group_terms
from .matching import fewest_stars

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from ...core.values import Array


def clustered(
    columns: Array,
    alphabet: int,
    k: int,
    progress: Callable[[float], None] | None = None,
    *,
    exact: bool = True,
) -> NDArray[np.uint8]:
    """Stars of every term of one length, at least k terms to a published string.

    Cost: `matching` and, for each number of stars, a visit of what is not grouped yet.

    >>> columns = np.array([[1, 1, 2, 2], [3, 4, 3, 4]], np.uint16)  # ac, ad, bc, bd
    >>> clustered(columns, 5, 2).tolist()  # a*, a*, b*, b*
    [[0, 1], [0, 1], [0, 1], [0, 1]]
    """
    least = fewest_stars(columns, alphabet, k, progress).sum(1).astype(np.uint32)
    return 1 - group_terms(columns, alphabet, k, least, exact, progress)


def joined(
    columns: Array,
    alphabet: int,
    k: int,
    stars: NDArray[np.uint8],
    shown: NDArray[np.bool_],
    old: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Gives added terms stars, in place, without touching the old; returns who got none.

    An added term takes the `shown` string with the fewest stars that covers it; what is left is
    clustered by itself if there are k of it.
    """
    waiting = ~old
    if 0 < int(shown.sum()) < k:  # a length that was rare: its starred terms need company
        waiting[:] = False
        return waiting
    shapes, which = np.unique(stars[shown], axis=0, return_inverse=True)
    rows_shown = np.flatnonzero(shown)
    length = columns.shape[0]
    for shape in np.argsort(shapes.sum(1), kind="stable"):
        kept = np.ascontiguousarray(columns[shapes[shape] == 0].T)
        strings = {kept[row].tobytes() for row in rows_shown[which.ravel() == shape]}
        rows = np.flatnonzero(waiting)
        if shapes[shape].sum() == length and len(rows) >= k:
            break  # rather groups of their own than stars alone
        for row in rows:
            if kept[row].tobytes() in strings:
                stars[row] = shapes[shape]
                waiting[row] = False
    rows = np.flatnonzero(waiting)
    if len(rows) >= k:
        stars[rows] = clustered(np.ascontiguousarray(columns[:, rows]), alphabet, k)
        waiting[rows] = False
    return waiting
