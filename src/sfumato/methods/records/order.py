"""In which order people are numbered and rows stand: drawn under the steward's key.

The order of the original would say whose a row is to who knows it, a list of patients for
instance. What is drawn depends on the key, the table and the parameters, so that no two releases
number people alike unless they are the same.
"""

from __future__ import annotations

import hashlib
import io
import json
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ...core.figures import public_parameters
from ...core.keyed_draws import permutation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

SLICE = 1 << 20
"""Rows that are turned into text at a time; what is longer has the hash of the slices' hashes."""


def table_digest(frame: pl.DataFrame) -> bytes:
    """SHA-256 of the names and cells of a table. Cost: O(cells).

    >>> table_digest(pl.DataFrame({"a": [1]})) == table_digest(pl.DataFrame({"a": [2]}))
    False
    """
    return joined_digest(frame.columns, [slice_digest(one) for one in frame.iter_slices(SLICE)])


def slice_digest(part: pl.DataFrame) -> bytes:
    """SHA-256 of the names and cells of some rows."""
    stream = io.BytesIO()
    pl.DataFrame([_text(column) for column in part]).write_csv(stream)
    result = hashlib.sha256(json.dumps(part.columns).encode())
    result.update(stream.getbuffer())
    return result.digest()


def joined_digest(columns: list[str], slices: list[bytes]) -> bytes:
    """The digest of a table from those of its slices, in order.

    >>> joined_digest(["a"], [bytes(32)]) == bytes(32)
    True
    """
    if len(slices) == 1:
        return slices[0]
    return hashlib.sha256(json.dumps(columns).encode() + b"".join(slices)).digest()


def _text(column: pl.Series) -> pl.Series:
    if isinstance(column.dtype, (pl.List, pl.Array, pl.Struct, pl.Object, pl.Binary)):
        return pl.Series(column.name, list(map(repr, column.to_list())), dtype=pl.String)
    return column.cast(pl.String)


def purpose_of(digest: bytes, parameters: Mapping[str, object]) -> bytes:
    """What is drawn for: this table with these parameters, as the public certificate has them."""
    chosen = public_parameters("anonymize", parameters)
    return digest + json.dumps(chosen, sort_keys=True, default=str).encode()


def numbers_of(classes: NDArray[np.int32], key: bytes, purpose: bytes) -> NDArray[np.int64]:
    """A number from 1 on for every released person, 0 for the others.

    >>> sorted(numbers_of(np.array([0, -1, 0], np.int32), b"sixteen bytes at", b"").tolist())
    [0, 1, 2]
    """
    here = classes >= 0
    numbers = np.zeros(len(classes), np.int64)
    numbers[here] = permutation(key, b"people\0" + purpose, int(here.sum())) + 1
    return numbers


def shuffled(rows: NDArray[np.int64], key: bytes, purpose: bytes) -> NDArray[np.int64]:
    """The rows in another order.

    >>> sorted(shuffled(np.array([3, 5]), b"sixteen bytes at", b"").tolist())
    [3, 5]
    """
    return rows[permutation(key, b"rows\0" + purpose, len(rows))]


def drawn_again(
    frame: pl.DataFrame, parameters: Mapping[str, object], key: bytes
) -> NDArray[np.int64]:
    """Which row of the table each row of its release is, when none was left out."""
    return shuffled(np.arange(frame.height), key, purpose_of(table_digest(frame), parameters))
