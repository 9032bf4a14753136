"""Tables on the command line: read, and joined on the person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..core.values import Data
    from ..formats import Dataset
    from ..formats.source import Cells
    from ..schema import Schema


def read_tables(inputs: list[str], schema: Schema, format: str | None, encoding: str) -> Dataset:
    """One table as it is, or several joined on the person column."""
    from ..formats.table import read_table, table

    tables = [read_table(one, format=format, encoding=encoding) for one in inputs]
    if len(tables) == 1:
        return tables[0]
    from ..schema import join

    if schema.person is None:
        raise BadInput("several tables are joined on the person column", where="schema.person")
    frame = join({one.place: one.frame for one in tables}, schema.person)
    kind = tables[0].format

    def pieces(changed: Cells, rows: Sequence[int], dropped: set[str]) -> Iterator[bytes]:
        import polars as pl

        kept = frame[list(rows)].with_columns(
            pl.Series(name, cells) for name, cells in changed.items()
        )
        yield as_bytes(kept.drop(dropped), kind)

    return table(frame, pieces, place=" and ".join(inputs), format=kind, path=tables[0].path)


def as_bytes(frame: Data, kind: str) -> bytes:
    """A joined table as a file of the first one's format."""
    import io

    stream = io.BytesIO()
    if kind == "parquet":
        frame.write_parquet(stream)
    elif kind == "arrow":
        frame.write_ipc(stream)
    elif kind == "jsonl":
        frame.write_ndjson(stream)
    else:
        import polars as pl

        # No value and an empty one are one value in CSV, and written in one way.
        plain = frame.with_columns(pl.col(pl.String).fill_null(""))
        plain.write_csv(stream, separator="\t" if kind == "tsv" else ",")
    return stream.getvalue()
