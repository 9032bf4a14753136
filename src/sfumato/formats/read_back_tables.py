"""Tables read again by other code than wrote them: the csv module, Polars, openpyxl."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sfumato.formats.paths import steps_of
from sfumato.formats.read_back_records import symbol, walked
from sfumato.formats.source import names_of

if TYPE_CHECKING:
    from typing import BinaryIO, TextIO

    from sfumato.formats.read_options import ReadOptions

_FIELD = 1 << 30
_ROWS = 50_000
_HEADER = 1000


def _rows(stream: TextIO, asked: ReadOptions) -> Iterator[list[str]]:
    """The fields of the text columns, record by record, as the csv module reads them."""
    names, text = names_of(asked.columns), iter(stream)
    limit = csv.field_size_limit(_FIELD)
    try:
        tried = asked.said.delimiter or ("\t" if asked.format == "tsv" else ",;|\t")
        for delimiter in tried:
            seen: list[str] = []
            rows: Iterator[list[str]] = csv.reader(_noted(text, seen), delimiter=delimiter)
            header = next((row for row in rows if row), [])
            if not asked.said.header:
                rows = itertools.chain([header], rows)
                header = [f"column_{i + 1}" for i in range(len(header))]
            if set(names) <= set(header):
                break
            text = itertools.chain(seen, text)
        else:
            raise ValueError
        places = sorted(header.index(name) for name in names)
        for row in rows:
            if row:
                yield [row[at] for at in places]
    except IndexError:
        raise ValueError from None
    finally:
        csv.field_size_limit(limit)


def _noted(lines: Iterable[str], seen: list[str]) -> Iterator[str]:
    """The lines, of which the first are kept: until the header is known."""
    for line in lines:
        if len(seen) < _HEADER:
            seen.append(line)
        yield line


def fields(stream: TextIO, asked: ReadOptions) -> Iterator[str]:
    """The texts of a CSV or TSV file."""
    for row in _rows(stream, asked):
        yield from row


def event_rows(stream: TextIO, asked: ReadOptions) -> Iterator[str]:
    """The events of each person, as they are joined."""
    rows = csv.reader(stream)
    next(rows, None)
    for _, some in itertools.groupby((row for row in rows if row), lambda row: row[0]):
        if asked.said.timed:
            yield "\x1f".join(f"{symbol(row[1:-1])}\x1e{row[-1]}" for row in some)
        else:
            yield "\x1f".join(symbol(row[1:]) for row in some)


def parquet(stream: BinaryIO, asked: ReadOptions) -> Iterator[str | None]:
    """The texts of a Parquet file, by Polars."""
    import polars as pl

    names = names_of(asked.columns)
    path = getattr(stream, "name", None)
    lazy = pl.scan_parquet(path if isinstance(path, str) else io.BytesIO(stream.read()))
    header = lazy.collect_schema().names()
    order = [name for name in header if name in names]
    if len(order) < len(names):
        paths = [(name,) if name in header else steps_of(name) for name in names]
        for record in lazy.collect().iter_rows(named=True):
            yield from walked(record, paths)
        return
    begin = 0
    while (part := lazy.select(order).slice(begin, _ROWS).collect()).height:
        begin += _ROWS
        for row in part.cast(pl.String).iter_rows():
            yield from row


def arrow(stream: BinaryIO, asked: ReadOptions) -> Iterator[str | None]:
    """The texts of an Arrow file, by pyarrow where it is installed."""
    content = stream.read()
    try:
        import pyarrow as pa
    except ImportError:
        import polars as pl

        frame = pl.read_ipc(io.BytesIO(content), use_pyarrow=False)
        order = [name for name in frame.columns if name in names_of(asked.columns)]
        cells = [frame[name].cast(pl.String).to_list() for name in order]
    else:
        table = pa.ipc.open_file(pa.BufferReader(content)).read_all()
        order = [name for name in table.column_names if name in names_of(asked.columns)]
        cells = [table.column(name).to_pylist() for name in order]
    for row in zip(*cells, strict=True):
        yield from row


def sheet(stream: BinaryIO, asked: ReadOptions) -> Iterator[str]:
    """The texts of a workbook, by openpyxl where it is installed."""
    try:
        import openpyxl
    except ImportError:
        return _own_sheet(stream, asked)
    return _opened_sheet(openpyxl.load_workbook(io.BytesIO(stream.read()), read_only=True), asked)


def _opened_sheet(book: Any, asked: ReadOptions) -> Iterator[str]:
    if asked.said.sheet == "*":
        for one in book.worksheets:
            yield from _cells(one, asked, names_of(asked.columns))
        return
    sheet = book[asked.said.sheet] if asked.said.sheet is not None else book.worksheets[0]
    yield from _cells(sheet, asked)


def _cells(sheet: Any, asked: ReadOptions, needed: Sequence[str] = ()) -> Iterator[str]:
    """The texts of a sheet; none if it lacks a column that is needed."""
    from sfumato.formats.sheet import decoded

    rows = (row for row in sheet.iter_rows(values_only=True) if any(c is not None for c in row))
    header = [None if cell is None else decoded([str(cell)]) for cell in next(rows, ())]
    if not set(needed) <= set(header):
        return
    places = [at for at, title in enumerate(header) if title in names_of(asked.columns)]
    for row in rows:
        yield from (decoded([str(row[at])]) for at in places if at < len(row) and row[at])


def _own_sheet(stream: BinaryIO, asked: ReadOptions) -> Iterator[str]:
    from sfumato.formats import xlsx

    read = xlsx.read(stream.read(), "", text_column=asked.columns, sheet=asked.said.sheet)
    yield from read.filled
