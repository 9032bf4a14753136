"""Categories of Parquet columns: no column lists a value that no row has."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


def with_used_values(table: pa.Table) -> pa.Table:
    """The table whose columns list no value that none of their rows has.

    A category that is left of rows taken out long ago may be a person's name.

    >>> import pyarrow as pa
    >>> column = pa.DictionaryArray.from_arrays([0, None], ["calm", "Ann Ho"])
    >>> with_used_values(pa.table({"a": column}))["a"].chunk(0).dictionary.to_pylist()
    ['calm']
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    for i, field in enumerate(table.schema):
        if not pa.types.is_dictionary(field.type):
            continue
        column = table.column(i).unify_dictionaries().combine_chunks()
        column = column.chunk(0) if isinstance(column, pa.ChunkedArray) else column
        used = pc.sort_indices(pc.unique(column.indices.drop_null()))
        used = pc.take(pc.unique(column.indices.drop_null()), used)
        numbers = pc.index_in(column.indices, used).cast(field.type.index_type)
        kept = pa.DictionaryArray.from_arrays(
            numbers, column.dictionary.take(used), ordered=field.type.ordered
        )
        table = table.set_column(i, field, kept)
    return table
