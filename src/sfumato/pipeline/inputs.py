"""The input of a policy, or what a stage made of it: the texts of a column, or a table."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from .. import formats
from ..core.certificate import rows_of
from ..formats.source import Source
from ..formats.table import read_table as read_file
from ..formats.table import strings

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from ..core.values import Data
    from ..formats import Dataset
    from .policy import PolicyFile


def read_input(written: PolicyFile, path: Path, column: str | None) -> Source:
    """The texts of one column of the input, or of what a stage made of it."""
    given = written.policy.input
    return formats.read(
        path,
        text_column=column,
        group_column=given.person,
        format=written.read_as,
        encoding=given.encoding,
    )


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
