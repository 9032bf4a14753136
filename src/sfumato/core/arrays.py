"""One file that holds named arrays: mapped into memory when read, and checked by its hash."""

from __future__ import annotations

import hashlib
import json
import mmap
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .errors import BadInput

if TYPE_CHECKING:
    from .values import Array, JsonObject

ALIGN = 64


def write_arrays(
    path: Path, magic: bytes, about: Mapping[str, object], arrays: Mapping[str, Array]
) -> None:
    """Writes the arrays, little-endian, in the order of their names; the same bytes every time."""
    path.write_bytes(packed_arrays(magic, about, arrays))


def packed_arrays(magic: bytes, about: Mapping[str, object], arrays: Mapping[str, Array]) -> bytes:
    """The bytes of a file of arrays."""
    entries, body = [], bytearray()
    for key in sorted(arrays):
        array = arrays[key]
        data = array.astype(array.dtype.newbyteorder("<")).tobytes()
        entries.append([key, array.dtype.newbyteorder("<").str, len(body), int(array.size)])
        body += data + bytes(-len(data) % ALIGN)
    header = {**about, "sha256": hashlib.sha256(body).hexdigest(), "sections": entries}
    text = json.dumps(header, sort_keys=True).encode()
    text += b" " * (-(len(magic) + 8 + len(text)) % ALIGN)
    return magic + len(text).to_bytes(8, "little") + text + bytes(body)


def read_arrays(path: Path, magic: bytes, kind: str) -> tuple[JsonObject, dict[str, Array]]:
    """Maps a file of arrays: its header, and the arrays, which stay on disk until they are used.

    Refuses a file of another kind, and one whose bytes are not those that were written.
    Cost: one SHA-256 over the file.
    """
    try:
        with path.open("rb") as stream:
            data = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as problem:
        raise BadInput(f"the {kind} cannot be read", where=path.name) from problem
    start = len(magic) + 8
    stop = start + int.from_bytes(data[len(magic) : start], "little")
    if data[: len(magic)] != magic or stop > len(data):
        raise BadInput(f"this is not a {kind}", where=path.name)
    damaged = BadInput(
        f"the bytes of the {kind} are damaged", where=path.name, remedy="install it again"
    )
    body = memoryview(data)[stop:]
    try:
        header = json.loads(data[start:stop])
        if hashlib.sha256(body).hexdigest() != header["sha256"]:
            raise damaged
        arrays = {
            key: np.frombuffer(body, np.dtype(dtype), count, offset)
            for key, dtype, offset, count in header["sections"]
        }
    except (ValueError, KeyError, TypeError):
        raise damaged from None
    return header, arrays
