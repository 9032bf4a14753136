"""Texts inside nested columns of Parquet, by path (`notes[].text`); all else stays as it is."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from sfumato.core.errors import BadInput
from sfumato.formats.paths import steps_of
from sfumato.formats.source import Source, filled, require_column, require_groups

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sfumato.formats.source import Piece, Texts

Paths = list[tuple[str | None, ...]]


def is_nested(columns: Sequence[str], names: Sequence[str]) -> bool:
    """Whether a name is no column but a path into one.

    >>> is_nested(["id", "notes"], ["notes[].text"]), is_nested(["a.b"], ["a.b"])
    (True, False)
    """
    return any(name not in columns and steps_of(name)[0] in columns for name in names)


def read(
    file: Any,
    place: str,
    names: Sequence[str],
    group_column: str | None,
    writer: Callable[[io.BytesIO], Any],
) -> Source:
    """The texts at paths, row by row; the row is their group unless a column says it."""
    header = list(file.schema_arrow.names)
    paths: dict[str, Paths] = {}
    for name in names:
        steps = (name,) if name in header else steps_of(name)
        require_column(place, header, str(steps[0]))
        paths.setdefault(str(steps[0]), []).append(steps[1:])
    order = [name for name in header if name in paths]
    table = file.read()
    columns = {name: table.column(name).to_pylist() for name in order}
    texts: list[str | None] = []
    rows: list[int] = []
    for row in range(len(table)):
        for name in order:
            found = list(_found(columns[name][row], paths[name], place, row))
            texts += found
            rows += [row] * len(found)
    if not texts:
        raise BadInput("no text stands at this path", where=place, remedy="check its spelling")

    def where(i: int) -> str:
        return f"{place}, record {rows[i] + 1}"

    def column(name: str) -> list[str | None]:
        require_column(place, header, name)
        cells = [None if one is None else str(one) for one in table.column(name).to_pylist()]
        return [cells[row] for row in rows]

    def pieces(new: Texts) -> Iterator[Piece]:
        import pyarrow as pa

        from sfumato.formats.parquet_categories import with_used_values

        kept = [old if one is None else one for old, one in zip(texts, new, strict=True)]
        given = iter(kept)
        made: dict[str, list[Any]] = {name: [] for name in order}
        for row in range(len(table)):
            for name in order:
                made[name].append(_replaced(columns[name][row], paths[name], given))
        changed = table
        for name, values in made.items():
            at, field = changed.schema.get_field_index(name), changed.schema.field(name)
            changed = changed.set_column(at, field, pa.array(values, field.type))
        out = io.BytesIO()
        with writer(out) as writing:
            writing.write_table(with_used_values(changed).cast(writing.schema))
        yield out.getvalue()

    labels = [str(row + 1) for row in rows]
    if group_column is not None:
        labels = require_groups(filled(column(group_column)), where)
    return Source(place, "parquet", texts, labels, tuple(header), column, where, pieces)


def _below(paths: Paths, step: str | None) -> Paths:
    return [path[1:] for path in paths if path[:1] == (step,)]


def _found(value: object, paths: Paths, place: str, row: int) -> Iterator[str]:
    """The texts at the ends of paths, in the order of the value."""
    if () in paths and value is not None:
        if not isinstance(value, str):
            where = f"{place}, record {row + 1}"
            raise BadInput("what stands at the path is no text", where=where, remedy="go further")
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _found(one, _below(paths, None), place, row)
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _found(one, _below(paths, key), place, row)


def _replaced(value: object, paths: Paths, new: Iterator[str | None]) -> Any:
    if not paths or value is None:
        return value
    if () in paths:
        return next(new)
    if isinstance(value, list):
        return [_replaced(one, _below(paths, None), new) for one in value]
    if isinstance(value, dict):
        return {key: _replaced(one, _below(paths, key), new) for key, one in value.items()}
    return value
