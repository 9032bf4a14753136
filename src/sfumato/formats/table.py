"""Tables with many changed columns: every byte outside the changed columns stays as it was.

    table = read_table("people.csv")
    pieces = table.cells({"age": ["[24-36]", ..]}, rows, dropped={"name"})

Cells of CSV and TSV are strings; of JSON lines the strings, the JSON of numbers, and lists.

Every cell of a changed column is written in one way, those whose value is the old one too: its
bytes depend on the released value and the column alone. Otherwise quotes, escapes, the kind of a
number or the place of a key would tell apart what the cells make alike.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.core.errors import BadInput
from sfumato.formats.arrow import bytes_of, frame_of, fresh
from sfumato.formats.form import form_of
from sfumato.formats.office_suffixes import KINDS
from sfumato.formats.packing import codec_name, require_text, split_name, to_utf8, unpack
from sfumato.formats.source import Dataset
from sfumato.formats.table_fields import delimiter_in, fields
from sfumato.formats.table_lines import json_lines

if TYPE_CHECKING:
    import polars as pl

    from sfumato.formats.source import Rewrite

SUFFIXES = {
    "csv": "csv",
    "tsv": "tsv",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
    "parquet": "parquet",
    **dict.fromkeys(("arrow", "feather", "ipc"), "arrow"),
    **dict.fromkeys(("xlsx", *(one for one, to in KINDS.items() if to == "xlsx")), "xlsx"),
}
_BINARY = ("parquet", "arrow", "xlsx")


def table(
    frame: pl.DataFrame,
    cells: Rewrite | None = None,
    *,
    place: str = "the table",
    format: str = "table",
    path: Path | None = None,
    encoding: str = "utf-8",
    has_header: bool = True,
    delimiter: str | None = None,
) -> Dataset:
    """A frame as a dataset; `cells` gives the bytes of its file with other cells."""

    def column(name: str) -> list[str | None]:
        return strings(frame, name)

    return Dataset(
        place,
        format,
        [],
        None,
        tuple(frame.columns),
        column,
        lambda i: f"{place}, record {i + 1}",
        lambda texts: iter(()),
        path,
        encoding,
        table=frame,
        cells=cells,
        has_header=has_header,
        delimiter=delimiter,
    )


def strings(frame: pl.DataFrame, name: str) -> list[str | None]:
    """The cells of a column as strings; what is missing is None."""
    import polars as pl

    cells: list[str | None] = frame[name].cast(pl.String).to_list()
    return cells


def read_table(path: str, *, format: str | None = None, encoding: str = "utf-8") -> Dataset:
    """The table of a CSV, TSV, JSONL, Parquet, Arrow or Excel file, packed or not, or of `-`.

    `xlsx:NAME` names the sheet of a workbook that has several.

    Cost: O(bytes); the bytes are kept.
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "people.csv")
    ...     _ = path.write_text('id;age\\n07;"36"\\n')
    ...     table = read_table(str(path))
    >>> b"".join(table.cells({"age": ["[24-36]"]}, [0], {"id"}))
    b'age\\n[24-36]\\n'
    """
    place = "standard input" if path == "-" else path
    suffix, packing = split_name(Path(path).name)
    said = form_of(format)
    if said.format is not None:
        suffix, outer = split_name(said.format)
        packing = outer or packing
    if suffix not in SUFFIXES:
        raise BadInput(
            "expected a table", where=place, remedy="give a csv, tsv, jsonl, parquet or xlsx file"
        )
    try:
        content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as problem:
        raise BadInput(f"cannot be read ({problem.strerror})", where=place) from None
    raw = unpack(content, packing, place)
    kind = SUFFIXES[suffix]
    codec = "utf-8" if kind in _BINARY else codec_name(encoding)
    if kind not in _BINARY:
        raw = require_text(to_utf8(raw, codec, place), place, lines=True)
    delimiter = None
    if kind in ("csv", "tsv"):
        delimiter = delimiter_in(raw, kind, said.delimiter, said.header)
        frame, pieces = fields(raw, place, kind, delimiter, said.header)
    elif kind == "xlsx":
        from sfumato.formats.sheet_table import cells as sheet_cells

        raw = raw if suffix == "xlsx" else _as_workbook(raw, suffix, place)
        frame, pieces = sheet_cells(raw, place, said.sheet)
    else:
        frame, pieces = (_columns if kind in _BINARY else json_lines)(raw, place, kind)
    real = None if path == "-" else Path(path)
    return table(
        frame,
        pieces,
        place=place,
        format=kind,
        path=real,
        encoding=codec,
        has_header=said.header,
        delimiter=delimiter,
    )


def _columns(raw: bytes, place: str, kind: str) -> tuple[pl.DataFrame, Rewrite]:
    """The table of a Parquet or an Arrow file."""
    import polars as pl

    frame = _parquet(raw, place) if kind == "parquet" else frame_of(raw, place)

    def pieces(
        changed: Mapping[str, Iterable[object]], rows: Sequence[int], dropped: set[str]
    ) -> Iterator[bytes]:
        kept = frame[list(rows)].with_columns(
            pl.Series(name, cells) for name, cells in changed.items()
        )
        kept = kept.drop(dropped)
        if kind == "arrow":
            yield bytes_of(kept)
            return
        stream = io.BytesIO()
        pl.DataFrame([fresh(one) for one in kept.get_columns()]).write_parquet(stream)
        yield stream.getvalue()

    return frame, pieces


def _parquet(raw: bytes, place: str) -> pl.DataFrame:
    import polars as pl

    try:
        return pl.read_parquet(io.BytesIO(raw))
    except pl.exceptions.PolarsError:
        raise BadInput("is no Parquet file", where=place) from None


def _as_workbook(raw: bytes, suffix: str, place: str) -> bytes:
    """A table that LibreOffice reads, as the workbook that it makes of it."""
    from sfumato.formats.office_conversion import as_office

    return as_office(raw, suffix, place)
