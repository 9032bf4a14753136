"""The input of a policy, or what a stage made of it: the texts of a column, or a table."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from .. import formats
from ..core.certificate import rows_of
from ..core.errors import BadInput
from ..formats.form import form_of
from ..formats.packing import split_name
from ..formats.read_options import ReadOptions
from ..formats.source import Source, require_column, require_groups
from ..formats.table import SUFFIXES, strings
from ..formats.table import read_table as read_file
from .verbs import takes_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import polars as pl

    from ..core.values import Data
    from ..formats import Dataset
    from ..formats.source import Piece, Texts
    from .policy import PolicyFile


def read_input(written: PolicyFile, path: Path, column: str | None) -> Source:
    """The texts of one column of the input, or of what a stage made of it.

    Where a stage takes the whole table, a workbook is read as that table by all stages.
    """
    given = written.policy.input
    if column is not None and _is_table_of_sheet(written):
        return _texts_of_sheet(written, path, column)
    return formats.read(
        path,
        text_column=column,
        group_column=given.person,
        format=written.read_as,
        encoding=given.encoding,
    )


def _is_table_of_sheet(written: PolicyFile) -> bool:
    said = form_of(written.policy.input.read_as).format or written.policy.input.path
    is_sheet = SUFFIXES.get(split_name(Path(said).name)[0]) == "xlsx"
    return is_sheet and any(takes_table(stage.verb) for stage in written.policy.stages)


def _texts_of_sheet(written: PolicyFile, path: Path, column: str) -> Source:
    """A column of the table of a workbook, which is written as a table again."""
    dataset, person = table_at_path(path, written), written.policy.input.person
    for name in (column, *([] if person is None else [person])):
        require_column(dataset.place, dataset.columns, name)
    texts = strings(dataset.frame, column)

    def pieces(new: Texts) -> Iterator[Piece]:
        assert dataset.cells is not None
        kept = [old if one is None else one for old, one in zip(texts, new, strict=True)]
        return iter(dataset.cells({column: kept}, range(len(texts)), set()))

    groups = None if person is None else require_groups(dataset.column(person), dataset.where)
    asked = ReadOptions("xlsx", column, form_of(written.policy.input.read_as))
    return replace(dataset, texts=texts, groups=groups, pieces=pieces, table=None, asked=asked)


def table_at_path(path: Path, written: PolicyFile) -> Dataset:
    """A table with what is needed to write it again in its form."""
    given = written.policy.input
    return read_file(str(path), format=given.read_as, encoding=given.encoding)


def read_table(path: Path, written: PolicyFile) -> pl.DataFrame:
    """A table as it stands: cells of CSV, TSV and JSONL are strings."""
    return table_at_path(path, written).frame


def original_table(written: PolicyFile) -> pl.DataFrame:
    """The table before any stage."""
    return read_table(written.path(written.policy.input.path), written)


def as_source(frame: pl.DataFrame, written: PolicyFile, path: Path) -> Source:
    """A table as the source of a step: its rows are the documents."""
    person = written.policy.input.person
    groups: Data = None
    if person is not None and person in frame.columns:
        groups = strings(frame, person)

    return Source(
        str(path),
        "table",
        list(rows_of(frame)),
        groups,
        tuple(frame.columns),
        partial(strings, frame),
        lambda i: f"record {i + 1}",
        lambda texts: iter(()),
        path=path,
    )


def beside(columns: Sequence[str], texts: Sequence[str]) -> list[str]:
    """The columns that hold none of the texts; none where no text column is named.

    >>> beside(["id", "note", "plan"], ["note[].text"])
    ['id', 'plan']
    """
    changed = {name for one in texts for name in (one, one.partition("[")[0])}
    return [name for name in columns if name not in changed] if changed else []


def require_left(written: PolicyFile, names: Sequence[str]) -> None:
    """Refuses columns of which nobody said that they may leave, where the policy lists those."""
    allowed = written.policy.leave
    left = [name for name in names if name not in allowed] if allowed is not None else []
    if left:
        raise BadInput(
            f"{len(left)} columns would leave as they are, and nobody said they may: "
            f"{', '.join(left)}",
            where="leave",
            remedy="name them there, take them out of the file, or classify all columns by a "
            "schema (sfumato policy new FILE)",
        )
