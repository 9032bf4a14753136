"""A table as a file of arrays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..core.arrays import read_arrays, write_arrays
from .table import Table

if TYPE_CHECKING:
    from .build import Sections

MAGIC = b"SFTABLE1"


def write_table(path: Path, name: str, sections: Sections) -> None:
    """Writes the arrays of a table; the same bytes every time."""
    write_arrays(path, MAGIC, {"name": name}, sections)


def read_table(path: Path) -> Table:
    """Maps a table's file; refuses one whose bytes are not those that were written."""
    header, sections = read_arrays(path, MAGIC, "table of an ontology")
    return Table(header["name"], sections, header["sha256"])
