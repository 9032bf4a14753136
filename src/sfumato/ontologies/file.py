"""One file that holds a table's arrays: mapped into memory when read, and checked by its hash."""

from __future__ import annotations

import hashlib
import json
import mmap
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..core.errors import BadInput
from .table import Table

if TYPE_CHECKING:
    from .build import Sections

MAGIC = b"SFTABLE1"
ALIGN = 64


def write_table(path: Path, name: str, sections: Sections) -> None:
    """Writes the arrays, little-endian, in the order of their names; the same bytes every time."""
    entries, body = [], bytearray()
    for key in sorted(sections):
        array = sections[key]
        data = array.astype(array.dtype.newbyteorder("<")).tobytes()
        entries.append([key, array.dtype.newbyteorder("<").str, len(body), int(array.size)])
        body += data + bytes(-len(data) % ALIGN)
    header = {"name": name, "sha256": hashlib.sha256(body).hexdigest(), "sections": entries}
    text = json.dumps(header, sort_keys=True).encode()
    text += b" " * (-(len(MAGIC) + 8 + len(text)) % ALIGN)
    path.write_bytes(MAGIC + len(text).to_bytes(8, "little") + text + body)


def read_table(path: Path) -> Table:
    """Maps a table's file; refuses one whose bytes are not those that were written.

    Cost: one SHA-256 over the file; the arrays stay on disk until they are used.
    """
    try:
        with path.open("rb") as stream:
            data = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as problem:
        raise BadInput("the table cannot be read", where=path.name) from problem
    start = len(MAGIC) + 8
    stop = start + int.from_bytes(data[len(MAGIC) : start], "little")
    if data[: len(MAGIC)] != MAGIC or stop > len(data):
        raise BadInput("this is not a table of an ontology", where=path.name)
    header = json.loads(data[start:stop])
    body = memoryview(data)[stop:]
    if hashlib.sha256(body).hexdigest() != header["sha256"]:
        raise BadInput("the table's bytes are damaged", where=path.name, remedy="install it again")
    sections = {
        key: np.frombuffer(body, np.dtype(dtype), count, offset)
        for key, dtype, offset, count in header["sections"]
    }
    return Table(header["name"], sections, header["sha256"])
