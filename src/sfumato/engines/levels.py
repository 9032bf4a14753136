"""Names of stretches in a block: where some stand, and how many share each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.values import Array

    Ints = NDArray[np.int64]
    Level = tuple[NDArray[np.int32] | None, NDArray[np.int32]]
    """The places that have a name (None: all places have an entry), and the names, 0 for none."""


def people(same: Ints, count: int, owner: Array | None, at: Ints) -> Ints:
    """How many different owners the positions of each number have; without owners, positions."""
    if owner is None:
        return np.bincount(same, minlength=count).astype(np.int64)
    most = int(owner.max(initial=0)) + 1
    pairs = np.sort(same.astype(np.int64) * most + owner[at])
    new = np.append(True, pairs[1:] != pairs[:-1])[: len(pairs)]
    return np.bincount(pairs[new] // most, minlength=count).astype(np.int64)


def where_there(names: Array) -> Level:
    """The names of a level: of all places, or where few have one, of those."""
    at = np.flatnonzero(names)
    if 2 * len(at) > len(names):
        return None, names.astype(np.int32)
    return at.astype(np.int32), names[at].astype(np.int32)


def names_at(level: Level, at: Array) -> Ints:
    """The names at some places, 0 where there is none; a place may lie beyond the last."""
    there, names = level
    if there is None:
        inside = np.minimum(at, len(names) - 1)
        return np.where(at < len(names), names[inside], 0).astype(np.int64)
    found = np.minimum(np.searchsorted(there, at), max(len(there) - 1, 0))
    if not len(there):
        return np.zeros(len(at), np.int64)
    return np.where(there[found] == at, names[found], 0).astype(np.int64)


def places(level: Level) -> Ints:
    """Where a level has names."""
    there, names = level
    return np.flatnonzero(names) if there is None else there.astype(np.int64)
