"""Parquet: the text columns replaced; every other column, its type, the order of rows and row
groups stay.

Read and written with Arrow (the extra `parquet`), which keeps all types. The bytes of a Parquet
file depend on the program that wrote it, so that content is kept, not bytes. A part is a row group.
Pages, dictionaries and statistics are made of the released values alone. What is noted beside the
columns may tell of the original: of the file's metadata only what pandas says of its columns stays.
"""

from __future__ import annotations

import functools
import io
import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sfumato.core.errors import BadInput, NotInstalled
from sfumato.formats import parquet_paths
from sfumato.formats.parquet_categories import with_used_values
from sfumato.formats.paths import steps_of
from sfumato.formats.source import (
    Source,
    names_of,
    require_column,
    require_groups,
    require_text_column,
)

if TYPE_CHECKING:
    from typing import BinaryIO

    from sfumato.formats.source import Columns, Piece, Texts


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "parquet",
    text_column: Columns = None,
    group_column: str | None = None,
) -> Source:
    """The documents of a Parquet file: one per row, the text column's values.

    >>> import polars as pl
    >>> stream = io.BytesIO()
    >>> pl.DataFrame({"id": [1, 2], "note": ["calm", None]}).write_parquet(stream)
    >>> source = read(stream.getvalue(), "n.parquet", text_column="note")
    >>> source.texts, source.column("id")
    (['calm', None], ['1', '2'])
    >>> pl.read_parquet(b"".join(source.pieces(["c*lm", None])))["note"].to_list()
    ['c*lm', None]
    """
    file = _opened(io.BytesIO(raw), place)
    wanted = names_of(text_column)
    if parquet_paths.is_nested(file.schema_arrow.names, wanted):
        tops = {steps_of(name)[0] for name in wanted}
        changed = [name for name in file.schema_arrow.names if name in {*wanted, *tops}]
        writer = functools.partial(_writer, file=file, names=changed)
        return parquet_paths.read(file, place, wanted, group_column, writer)
    names = _names(file, place, text_column, group_column)
    return _source(file, range(file.num_row_groups), 0, place, names, group_column)


def parts(
    stream: BinaryIO, place: str, text_column: Columns, group_column: str | None
) -> Iterator[Source]:
    """The documents of a Parquet file, one row group at a time."""
    file = _opened(stream, place)
    names = _names(file, place, text_column, group_column)
    first = 0
    for i in range(file.num_row_groups):
        yield _source(file, [i], first, place, names, group_column)
        first += file.metadata.row_group(i).num_rows
    if not file.num_row_groups:
        yield _source(file, [], 0, place, names, group_column)


class PartWriter:
    """Writes the parts of a file one after another, packed as the source is."""

    def __init__(self, target: BinaryIO, source: BinaryIO, place: str, text_column: Columns):
        file = _opened(source, place)
        self._writer = _writer(target, file, _names(file, place, text_column, None))
        self._place = place

    def write(self, chunk: Source, texts: Texts) -> None:
        """Writes the row groups of one part with these texts."""
        file = _opened(io.BytesIO(b"".join(chunk.pieces(texts))), self._place)
        for i in range(file.num_row_groups):
            self._writer.write_table(file.read_row_group(i).cast(self._writer.schema))

    def close(self) -> None:
        """Ends the file."""
        self._writer.close()


def _source(
    file: Any,
    groups: Sequence[int],
    first: int,
    place: str,
    names: tuple[str, ...],
    group_column: str | None,
) -> Source:
    """The documents of some row groups, record by record."""

    def values(name: str) -> list[Any]:
        require_column(place, file.schema_arrow.names, name)
        with _readable(place):
            return list(file.read_row_groups(list(groups), [name]).column(name).to_pylist())

    def where(i: int) -> str:
        return f"{place}, record {first + i // len(names) + 1}"

    columns = [values(name) for name in names]
    texts: list[str | None] = [text for row in zip(*columns, strict=True) for text in row]

    def column(name: str) -> list[str | None]:
        each = [None if value is None else str(value) for value in values(name)]
        return [value for value in each for _ in names]

    def pieces(new: Texts) -> Iterator[Piece]:
        out, at = io.BytesIO(), 0
        writer = _writer(out, file, names)
        for group in groups:
            with _readable(place):
                table = file.read_row_group(group)
            size = len(table) * len(names)
            replaced = with_used_values(_replaced(table, new[at : at + size], names))
            writer.write_table(replaced.cast(writer.schema))
            at += size
        writer.close()
        yield out.getvalue()

    labels: list[str] | None = None
    if group_column is not None:
        labels = require_groups(column(group_column), where)
    elif len(names) > 1:
        labels = [str(first + i // len(names) + 1) for i in range(len(texts))]
    header = tuple(file.schema_arrow.names)
    return Source(place, "parquet", texts, labels, header, column, where, pieces)


def _replaced(table: Any, new: Texts, names: tuple[str, ...]) -> Any:
    """The table with other texts, in columns of the same types."""
    import pyarrow as pa

    for j, name in enumerate(names):
        i, field = table.schema.get_field_index(name), table.schema.field(name)
        old = table.column(i).to_pylist()
        pairs = zip(old, new[j :: len(names)], strict=True)
        texts = [before if after is None else after for before, after in pairs]
        column = pa.array(texts, pa.large_string())
        if pa.types.is_dictionary(field.type):
            column = column.cast(field.type.value_type).dictionary_encode()
        table = table.set_column(i, field, column.cast(field.type))
    return table


def released_schema(schema: Any, changed: Collection[str]) -> Any:
    """The schema with what pandas says of unchanged columns, and no other note about columns.

    >>> import pyarrow as pa
    >>> field = pa.field("t", pa.string(), metadata={"longest": "Ann Ho"})
    >>> released_schema(pa.schema([field], {"seen": "Ann"}), ["t"]).metadata is None
    True
    """
    import pyarrow as pa

    lists = {one.name for one in schema if pa.types.is_dictionary(one.type)}
    fields, changed = [_plain(one) for one in schema], {*changed, *lists}
    said = (schema.metadata or {}).get(b"pandas")
    about = None if said is None else _of_pandas(said, set(schema.names), changed)
    return pa.schema(fields, None if about is None else {b"pandas": about})


def _plain(field: Any) -> Any:
    """A field without notes, and without those of the fields inside it."""
    import pyarrow as pa

    kind = field.type
    if pa.types.is_struct(kind):
        kind = pa.struct([_plain(kind.field(i)) for i in range(kind.num_fields)])
    elif pa.types.is_map(kind):
        kind = pa.map_(_plain(kind.key_field), _plain(kind.item_field))
    elif pa.types.is_large_list(kind):
        kind = pa.large_list(_plain(kind.value_field))
    elif pa.types.is_fixed_size_list(kind):
        kind = pa.list_(_plain(kind.value_field), kind.list_size)
    elif pa.types.is_list(kind):
        kind = pa.list_(_plain(kind.value_field))
    return field.with_type(kind).with_metadata(None)


def _of_pandas(said: bytes, names: Collection[str], changed: Collection[str]) -> bytes | None:
    """What pandas says of its columns and index, without counts of values and attributes."""
    try:
        told = json.loads(said)
        columns = [
            {**one, "metadata": None} if one["field_name"] in changed else one
            for one in told["columns"]
            if one["field_name"] in names
        ]
        index = [one for one in told["index_columns"] if isinstance(one, dict) or one in names]
        kept = {"index_columns": index, "column_indexes": told["column_indexes"]}
    except (ValueError, KeyError, TypeError):
        return None
    return json.dumps({**kept, "columns": columns}).encode()


def _writer(target: BinaryIO, file: Any, names: Collection[str]) -> Any:
    """A writer of files like this one: types and packing column by column."""
    import pyarrow.parquet as pq

    meta = file.metadata
    first = meta.row_group(0) if meta.num_row_groups else None
    columns = [first.column(i) for i in range(meta.num_columns)] if first is not None else []
    packed = {one.path_in_schema: one.compression for one in columns}
    return pq.ParquetWriter(
        target,
        released_schema(file.schema_arrow, names),
        compression={
            name: "NONE" if kind == "UNCOMPRESSED" else kind for name, kind in packed.items()
        }
        or "snappy",
        version=meta.format_version,
        use_deprecated_int96_timestamps=any(one.physical_type == "INT96" for one in columns),
        store_schema=b"ARROW:schema" in (meta.metadata or {}),
    )


def _opened(stream: BinaryIO, place: str) -> Any:
    try:
        import pyarrow.parquet as pq
    except ImportError:
        remedy = "pip install 'sfumato[parquet]'"
        raise NotInstalled("Parquet needs pyarrow", where=place, remedy=remedy) from None
    with _readable(place):
        return pq.ParquetFile(stream)


@contextmanager
def _readable(place: str) -> Iterator[None]:
    """Says that a file is damaged where reading a part of it fails."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError):
        remedy = "make or fetch it again"
        raise BadInput("is no Parquet file, or damaged", where=place, remedy=remedy) from None


def _names(
    file: Any, place: str, text_column: Columns, group_column: str | None
) -> tuple[str, ...]:
    """The text columns in the order of the file, checked to be texts."""
    import pyarrow as pa

    header = list(file.schema_arrow.names)
    names = names_of(text_column) or (require_text_column(place, header, None),)
    for name in (*names, *([] if group_column is None else [group_column])):
        require_column(place, header, name)
    for name in names:
        kind = file.schema_arrow.field(name).type
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind
        if kind not in (pa.string(), pa.large_string()) and not str(kind) == "string_view":
            raise BadInput(
                f"the column {name!r} is of the type {kind}, not text",
                where=place,
                remedy="name a column of texts",
            )
    return tuple(sorted(names, key=header.index))
