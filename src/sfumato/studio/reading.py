"""What was uploaded, read within limits: a table, several texts, or one text."""

from __future__ import annotations

import zipfile
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .. import formats
from ..core.errors import BadInput
from ..core.printed_form import by_sizes
from ..formats.packing import split_name, unpacked
from ..formats.table import SUFFIXES as TABLES
from ..formats.table import read_table
from .places import about

if TYPE_CHECKING:
    import polars as pl

    from ..formats import Source

_BLOCK = 1 << 20
_ZIPPED = ("xlsx", "docx")  # zip archives by another name
KEPT = 3  # inputs at hand


@dataclass(frozen=True, slots=True)
class InputLimits:
    """How many records an input may have, and how many bytes once it is unpacked."""

    rows: int
    unpacked: int


@dataclass(frozen=True, slots=True, eq=False)
class Input:
    """An input as the studio shows it: the rows of a table, or documents."""

    kind: str
    """`table`, `texts` or `text`."""
    frame: pl.DataFrame | None
    source: Source | None

    __repr__ = by_sizes

    @property
    def rows(self) -> int:
        """How many records there are."""
        if self.frame is not None:
            return self.frame.height
        assert self.source is not None
        return len(self.source.texts)


_held: OrderedDict[tuple[str, float, int], Input] = OrderedDict()


def input_path(project: Path) -> Path:
    """Where a project's input lies."""
    name = about(project).get("input")
    if name is None:
        raise BadInput("no file was given yet", where="input", remedy="drop one on the page")
    return project / str(name)


def opened(project: Path, allowed: InputLimits) -> Input:
    """The input of a project; the last ones are kept at hand."""
    path = input_path(project)
    stat = path.stat()
    key = str(path), stat.st_mtime, stat.st_size
    if key not in _held:
        _held[key] = _read(path, allowed, about(project).get("format"))
        while len(_held) > KEPT:
            _held.popitem(last=False)
    _held.move_to_end(key)
    return _held[key]


def forget(project: Path) -> None:
    """Lets go of what is at hand of a project."""
    for key in [key for key in _held if Path(key[0]).is_relative_to(project)]:
        del _held[key]


def _read(path: Path, allowed: InputLimits, format: str | None) -> Input:
    for one in path.rglob("*") if path.is_dir() else [path]:
        if one.is_file():
            require_unpacked(one, allowed.unpacked)
    suffix = "" if path.is_dir() else split_name(path.name)[0]
    if format is not None:
        name, _, rules = format.partition(":")
        format = f"{name}:{path.parent / rules}" if rules else name
    if suffix in TABLES and format is None:
        frame = read_table(str(path)).frame
        _require_rows(frame.height, allowed)
        if not frame.width:
            raise BadInput("has no column", where="input", remedy="give a table with a header")
        return Input("table", frame, None)
    source = formats.read(path, format=format)
    _require_rows(len(source.texts), allowed)
    return Input("text" if source.is_single else "texts", None, source)


def _require_rows(rows: int, allowed: InputLimits) -> None:
    if rows > allowed.rows:
        raise BadInput(
            f"has {rows:,} records, at most {allowed.rows:,} are read here",
            where="input",
            remedy="use the command line, which reads it in parts",
        )


def require_unpacked(path: Path, most: int) -> None:
    """Refuses a file that unpacks to more than is allowed, before anything is kept of it.

    >>> import tempfile, gzip
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.txt.gz").write_bytes(gzip.compress(bytes(5000)))
    ...     require_unpacked(Path(folder, "a.txt.gz"), 100)
    Traceback (most recent call last):
        ...
    sfumato.core.errors.BadInput: file: unpacks to more than 0 MB; give less at a time
    """
    suffix, packing = split_name(path.name)
    if packing == "zip" or suffix in (*_ZIPPED, "zip"):
        try:
            with zipfile.ZipFile(path) as archive:  # no member gives more than it declares
                size = sum(one.file_size for one in archive.infolist())
        except (zipfile.BadZipFile, OSError, ValueError):
            return  # told by what reads it
        _require_size(size, most)
        return
    if packing is None:
        _require_size(path.stat().st_size, most)
        return
    with path.open("rb") as stream:
        size = 0
        for block in unpacked(stream, packing, "file", _BLOCK):
            size += len(block)
            _require_size(size, most)


def _require_size(size: int, most: int) -> None:
    if size > most:
        raise BadInput(
            f"unpacks to more than {most >> 20:,} MB", where="file", remedy="give less at a time"
        )


def cell(value: object) -> str | None:
    """A cell as it is shown."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return "; ".join("" if one is None else str(one) for one in value)
    return str(value)
