"""Arrow IPC (Feather): the text columns replaced; every other column, type and row stays."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from sfumato.core.errors import BadInput
from sfumato.formats.source import (
    Source,
    names_of,
    require_column,
    require_groups,
    require_text_column,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl

    from sfumato.formats.source import Columns, Piece, Texts


def frame_of(raw: bytes, place: str) -> pl.DataFrame:
    """The table of a file, or of a stream of Arrow."""
    import polars as pl

    for read in (pl.read_ipc, pl.read_ipc_stream):
        try:
            return read(io.BytesIO(raw), use_pyarrow=False)
        except (pl.exceptions.PolarsError, OSError):
            continue
    raise BadInput("is no Arrow file, or damaged", where=place, remedy="make or fetch it again")


def bytes_of(frame: pl.DataFrame) -> bytes:
    """A table as a file of Arrow: nothing beside its values, none that no row has.

    Columns are built anew: the buffers of the old ones may hold what is null, or was cut off.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"a": pl.Series(["calm"], dtype=pl.Enum(["calm", "Ann Ho"]))})
    >>> b"Ann Ho" in bytes_of(frame)
    False
    """
    import polars as pl

    out = io.BytesIO()
    pl.DataFrame([fresh(one) for one in frame.get_columns()]).write_ipc(out)
    return out.getvalue()


def fresh(old: pl.Series) -> pl.Series:
    """A column with the same values in buffers of its own."""
    import polars as pl

    if old.dtype.is_numeric() and not old.null_count():
        return old
    if not isinstance(old.dtype, (pl.Enum, pl.Categorical)):
        return pl.Series(old.name, old.to_list(), dtype=old.dtype)
    made = pl.Series(old.name, old.cast(pl.String).to_list(), dtype=pl.String)
    if not isinstance(old.dtype, pl.Enum):
        return made.cast(pl.Categorical)
    used = set(made.drop_nulls())
    return made.cast(pl.Enum([one for one in old.dtype.categories if one in used]))


def read(
    raw: bytes,
    place: str,
    *,
    format: str = "arrow",
    text_column: Columns = None,
    group_column: str | None = None,
) -> Source:
    """The documents of an Arrow file: one per row, the text column's values.

    >>> import polars as pl
    >>> raw = bytes_of(pl.DataFrame({"id": [1, 2], "note": ["calm", None]}))
    >>> source = read(raw, "n.arrow", text_column="note")
    >>> source.texts, frame_of(b"".join(source.pieces(["c*lm", None])), "o")["note"].to_list()
    (['calm', None], ['c*lm', None])
    """
    import polars as pl

    frame = frame_of(raw, place)
    wanted = names_of(text_column) or (require_text_column(place, frame.columns, None),)
    for name in (*wanted, *([] if group_column is None else [group_column])):
        require_column(place, frame.columns, name)
    names = sorted(wanted, key=frame.columns.index)
    for name in names:
        if frame[name].dtype not in (pl.String, pl.Categorical, pl.Enum):
            problem = f"the column {name!r} is of the type {frame[name].dtype}, not text"
            raise BadInput(problem, where=place, remedy="name a column of texts")
    texts: list[str | None] = [
        text for row in frame.select(names).cast(pl.String).iter_rows() for text in row
    ]

    def where(i: int) -> str:
        return f"{place}, record {i // len(names) + 1}"

    def column(name: str) -> list[str | None]:
        require_column(place, frame.columns, name)
        values = [None if one is None else str(one) for one in frame[name].to_list()]
        return [value for value in values for _ in names]

    def pieces(new: Texts) -> Iterator[Piece]:
        kept = [
            before if after is None else after for before, after in zip(texts, new, strict=True)
        ]
        made = [_column(frame[name], kept[i :: len(names)]) for i, name in enumerate(names)]
        yield bytes_of(frame.with_columns(made))

    groups: list[str] | None = None
    if group_column is not None:
        groups = require_groups(column(group_column), where)
    elif len(names) > 1:
        groups = [str(i // len(names) + 1) for i in range(len(texts))]
    return Source(place, format, texts, groups, tuple(frame.columns), column, where, pieces)


def _column(old: pl.Series, texts: list[str | None]) -> Any:
    """Other texts in a column like the old one, which lists no value that it does not have."""
    import polars as pl

    made = pl.Series(old.name, texts, dtype=pl.String)
    if old.dtype == pl.String:
        return made
    if isinstance(old.dtype, pl.Enum):
        return made.cast(pl.Enum(made.drop_nulls().unique(maintain_order=True)))
    return made.cast(pl.Categorical)
