"""Tables with many changed columns: every byte outside the changed columns stays as it was.

    table = read_table("people.csv")
    pieces = table.pieces({"age": ["[24-36]", ..]}, rows, dropped={"name"})

Cells of CSV and TSV are strings; of JSON lines the strings, the JSON of numbers, and lists.

Every cell of a changed column is written in one way, those whose value is the old one too: its
bytes depend on the released value and the column alone. Otherwise quotes, escapes, the kind of a
number or the place of a key would tell apart what the cells make alike.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.core.errors import BadInput
from sfumato.formats.form import form_of
from sfumato.formats.packed import codec_name, require_text, split_name, to_utf8, unpack
from sfumato.formats.table_fields import delimiter_in, fields
from sfumato.formats.table_lines import json_lines

from ..core.printed import by_sizes

if TYPE_CHECKING:
    import polars as pl

Cells = Iterable[Any]
SUFFIXES = {"csv": "csv", "tsv": "tsv", "jsonl": "jsonl", "ndjson": "jsonl", "parquet": "parquet"}


@dataclass(frozen=True, repr=False, eq=False)
class Table:
    """A table of a file: its cells, and its bytes with other cells, fewer rows or columns."""

    place: str
    format: str
    frame: pl.DataFrame
    pieces: Callable[[Mapping[str, Cells], Sequence[int], set[str]], Iterator[bytes]]
    path: Path | None = None
    encoding: str = "utf-8"
    has_header: bool = True
    delimiter: str | None = None
    """Of CSV: without a header nothing else tells it."""

    def released(
        self, data: pl.DataFrame, rows: Sequence[int], alike: Collection[str] = ()
    ) -> tuple[bytes, list[str]]:
        """The file's bytes with the cells of a release, and the columns that are written anew.

        These are the columns that differ from the original's, and those of `alike`, whose cells
        make people alike and must not differ in their bytes.
        """
        before = self.frame[list(rows)]
        changed = {
            name: data[name]
            for name in data.columns
            if name in alike
            or data[name].dtype != before[name].dtype
            or not data[name].equals(before[name])
        }
        dropped = {name for name in before.columns if name not in data.columns}
        if dropped and not self.has_header:
            raise BadInput(
                "a column is dropped, and those behind it would change their numbers",
                where=self.place,
                remedy="give the file a header line",
            )
        return b"".join(self.pieces(changed, list(rows), dropped)), list(changed)

    __repr__ = by_sizes


def read_table(path: str, *, format: str | None = None, encoding: str = "utf-8") -> Table:
    """The table of a CSV, TSV, JSONL or Parquet file, packed or not, or of standard input (`-`).

    Cost: O(bytes); the bytes are kept.
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "people.csv")
    ...     _ = path.write_text('id;age\\n07;"36"\\n')
    ...     table = read_table(str(path))
    >>> b"".join(table.pieces({"age": ["[24-36]"]}, [0], {"id"}))
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
            "expected a table", where=place, remedy="give a csv, tsv, jsonl or parquet file"
        )
    try:
        content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as problem:
        raise BadInput(f"cannot be read ({problem.strerror})", where=place) from None
    raw = unpack(content, packing, place)
    kind = SUFFIXES[suffix]
    codec = codec_name(encoding)
    if kind != "parquet":
        raw = require_text(to_utf8(raw, codec, place), place, lines=True)
    delimiter = None
    if kind in ("csv", "tsv"):
        delimiter = delimiter_in(raw, kind, said.delimiter)
        frame, pieces = fields(raw, place, kind, delimiter, said.header)
    else:
        frame, pieces = (_parquet if kind == "parquet" else json_lines)(raw, place, kind)
    real = None if path == "-" else Path(path)
    return Table(place, kind, frame, pieces, real, codec, said.header, delimiter)


def _parquet(raw: bytes, place: str, kind: str) -> tuple[pl.DataFrame, Any]:
    import polars as pl

    try:
        frame = pl.read_parquet(io.BytesIO(raw))
    except pl.exceptions.PolarsError:
        raise BadInput("is no Parquet file", where=place) from None

    def pieces(
        changed: Mapping[str, Cells], rows: Sequence[int], dropped: set[str]
    ) -> Iterator[bytes]:
        kept = frame[list(rows)].with_columns(
            pl.Series(name, cells) for name, cells in changed.items()
        )
        stream = io.BytesIO()
        kept.drop(dropped).write_parquet(stream)
        yield stream.getvalue()

    return frame, pieces
