"""In which order people are numbered and rows stand: never that of the table.

The order of the original would say whose a row is to who knows it, a list of patients for
instance. Classes that depend on it differ between two exports, and tell people apart who have both.

People stand in the order of what the method sees of them (`by_values`). Who is alike in all of that
stands in the order of the hashes of the person column, or, without one, in an order drawn under the
steward's key (`drawn_labels`): a public order of what stands beside the columns would tell who has
it. What is drawn depends on the key, on the rows and on the parameters, so that no two releases
number people alike unless they are the same.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import json
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from ...core.figures import public_parameters
from ...core.keyed_draws import permutation
from ...core.printed_form import by_sizes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from .terms import Terms
    from .view import Relational

    Ints = NDArray[np.int64]

SLICE = 1 << 20
"""Rows that are turned into text at a time."""
KEY_BYTES = 16
"""Of what a row has under the key."""


def by_values(columns: Sequence[Relational], terms: Terms | None, count: int) -> tuple[Ints, Ints]:
    """People in the order of all that the method sees of them, and which of them are alike.

    The latter is, for each place of that order, how many different people stand before it. People
    who are alike stay in the order of their numbers. Cost: a sort of the people for every column.
    """
    seen = [np.zeros(count, np.int64)]
    for column in columns:
        seen.append(_ranks(column.codes, column.offsets))
        if column.offsets is not None:
            seen.append(column.missing.astype(np.int64))
    if terms is not None:
        offsets = np.searchsorted(terms.pair_people, np.arange(count + 1)).astype(np.int64)
        seen.append(_ranks(terms.pair_items, offsets))
    order = np.lexsort(seen[::-1])
    differs = np.zeros(count, bool)
    for one in seen:
        differs[1:] |= np.diff(one[order]) != 0
    return order, np.cumsum(differs)


def _ranks(codes: NDArray[np.integer], offsets: Ints | None) -> Ints:
    """A number for what each person has: one code, or several, compared from the first on.

    >>> _ranks(np.array([5, 1, 5, 1]), np.array([0, 1, 3, 3, 4])).tolist()
    [3, 2, 0, 1]
    """
    if offsets is None:
        return codes.astype(np.int64)
    packed = codes.astype(">u4").tobytes()  # bytes in this order compare as the numbers do
    ends = (4 * offsets).tolist()
    held = [packed[first:last] for first, last in pairwise(ends)]
    place = {one: number for number, one in enumerate(sorted(set(held)))}
    return np.fromiter(map(place.__getitem__, held), np.int64, len(held))


@dataclass(frozen=True, slots=True, eq=False)
class RowKeys:
    """The rows of a table in an order that only the key tells, and a digest of them all.

    Neither depends on the order of the table. Rows that are equal in every cell stand together.
    """

    places: Ints
    digest: bytes

    __repr__ = by_sizes


def row_keys(frame: pl.DataFrame, key: bytes) -> RowKeys:
    """What the rows of a table have under the key. Cost: O(cells), and a sort of the rows.

    >>> here = row_keys(pl.DataFrame({"a": [1, 2, 3]}), b"sixteen bytes at").places
    >>> there = row_keys(pl.DataFrame({"a": [3, 1, 2]}), b"sixteen bytes at").places
    >>> here.tolist() == there[[1, 2, 0]].tolist()
    True
    """
    found = b"".join(hashed_rows(one, key) for one in frame.iter_slices(SLICE))
    words = np.frombuffer(found, np.dtype(">u8")).reshape(-1, 2).astype(np.uint64)
    order = np.lexsort((words[:, 1], words[:, 0]))
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    return RowKeys(places, digest_of(frame.columns, frame.height, sum_of(found)))


def hashed_rows(part: pl.DataFrame, key: bytes) -> bytes:
    """`KEY_BYTES` for every row: a keyed hash of its cells."""
    secret = hmac.digest(key, b"sfumato rows", "sha256")
    cells = pl.DataFrame([_text(column).alias(str(i)) for i, column in enumerate(part)])
    texts = cells.select(pl.struct(pl.all()).struct.json_encode()).to_series()
    blake2b = hashlib.blake2b
    return b"".join(
        [blake2b(one.encode(), digest_size=KEY_BYTES, key=secret).digest() for one in texts]
    )


def sum_of(keys: bytes) -> int:
    """The sum of the rows' keys: the same in every order. Cost: O(rows)."""
    halves = np.frombuffer(keys, np.dtype(">u4")).reshape(-1, KEY_BYTES // 4)
    sums: list[int] = halves.sum(axis=0, dtype=np.uint64).tolist()
    return sum(one << (32 * place) for place, one in enumerate(reversed(sums)))


def digest_of(columns: Iterable[str], rows: int, total: int) -> bytes:
    """The digest of a table whose rows' keys have this sum (Clarke et al. 2003, MSet-Add-Hash)."""
    return hashlib.sha256(json.dumps([list(columns), rows, hex(total)]).encode()).digest()


def table_digest(frame: pl.DataFrame) -> bytes:
    """SHA-256 of the names and cells of a table, in their order. Cost: O(cells).

    >>> table_digest(pl.DataFrame({"a": [1]})) == table_digest(pl.DataFrame({"a": [2]}))
    False
    """
    result = hashlib.sha256(json.dumps(frame.columns).encode())
    for part in frame.iter_slices(SLICE):
        stream = io.BytesIO()
        pl.DataFrame([_text(column) for column in part]).write_csv(stream)
        result.update(stream.getbuffer())
    return result.digest()


def _text(column: pl.Series) -> pl.Series:
    if isinstance(column.dtype, (pl.List, pl.Array, pl.Struct, pl.Object, pl.Binary)):
        return pl.Series(column.name, list(map(repr, column.to_list())), dtype=pl.String)
    return column.cast(pl.String)


def drawn_labels(digest: bytes, key: bytes, rows: int) -> Ints:
    """For the place of every row a number in place of the label that its person lacks.

    Drawn: rows that are equal in every cell stand together in their places, and who is alike and
    goes to one class or another would tell by that.
    """
    return permutation(key, b"alike\0" + digest, rows)


def purpose_of(digest: bytes, parameters: Mapping[str, object]) -> bytes:
    """What is drawn for: these rows with these parameters, as the public certificate has them."""
    chosen = public_parameters("anonymize", parameters)
    return digest + json.dumps(chosen, sort_keys=True, default=str).encode()


def numbers_of(classes: NDArray[np.int32], key: bytes, purpose: bytes) -> Ints:
    """A number from 1 on for every released person, 0 for the others.

    >>> sorted(numbers_of(np.array([0, -1, 0], np.int32), b"sixteen bytes at", b"").tolist())
    [0, 1, 2]
    """
    here = classes >= 0
    numbers = np.zeros(len(classes), np.int64)
    numbers[here] = permutation(key, b"people\0" + purpose, int(here.sum())) + 1
    return numbers


def shuffled(rows: Ints, places: Ints, key: bytes, purpose: bytes) -> Ints:
    """The rows in another order: drawn, from that of their places.

    >>> sorted(shuffled(np.array([3, 5]), np.arange(6), b"sixteen bytes at", b"").tolist())
    [3, 5]
    """
    ordered = rows[np.argsort(places[rows])]
    return ordered[permutation(key, b"rows\0" + purpose, len(rows))]


def drawn_again(frame: pl.DataFrame, parameters: Mapping[str, object], key: bytes) -> Ints:
    """Which row of the table each row of its release is, when none was left out."""
    keys = row_keys(frame, key)
    rows = np.arange(frame.height)
    return shuffled(rows, keys.places, key, purpose_of(keys.digest, parameters))
