"""The columns that leave as they are: refused where they give back what was hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from ..formats.source import cells_beside
from ..schema.derived_columns import derived_of
from ..verification.untouched_columns import Publishing
from . import chains
from .inputs import beside, original_table, require_left

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..formats import Source
    from ..schema import Schema
    from .policy import PolicyFile
    from .steps import StageResult


def leaving(written: PolicyFile, done: Sequence[StageResult]) -> Publishing:
    """The columns that leave as they are; refused where they give back what was hidden."""
    table = chains.table_at(done)
    if table is None:
        publishing = _beside_texts(written, done)
    else:
        publishing = _beside_schema(written, done, table)
    publishing.require()
    return publishing


def _beside_texts(written: PolicyFile, done: Sequence[StageResult]) -> Publishing:
    """The columns that no stage on texts works on."""
    publishing = publishing_of(written, done[0].source.columns)
    for column in dict.fromkeys(one.step.column for one in done):
        mine = [one for one in done if one.step.column == column]
        add_texts(publishing, mine[0].source, chains.released(mine[-1]))
    return publishing


def _beside_schema(written: PolicyFile, done: Sequence[StageResult], place: int) -> Publishing:
    """The columns that neither the schema names nor a stage works on."""
    release, policy = done[place].release, written.policy
    known = release.sides.of_table
    schema, frame = known.schema, original_table(written)[known.rows]
    named = {*schema.columns, schema.person, *(policy.input.columns or [])}
    names = [name for name in frame.columns if name not in named and schema.others != "drop"]
    require_left(written, names)
    publishing = publishing_of_table(frame, schema, names, policy.publish)
    cells = {name: frame[name].cast(pl.String).to_list() for name in names}
    after = chains.final_table(done)
    for name in {*schema.texts, *(policy.input.columns or [])} & set(after.columns):
        old, new = (one[name].cast(pl.String).to_list() for one in (frame, after))
        publishing.repeats.add(cells, old, new)
    return publishing


def publishing_of_table(
    frame: pl.DataFrame, schema: Schema, names: Sequence[str], allowed: Sequence[str] | str
) -> Publishing:
    """The columns of a table that leave as they are, and those of them that tell hidden ones."""
    described = [*schema.named("insensitive"), *schema.named("sensitive")]
    leaving = [*names, *(name for name in described if name in frame.columns)]
    found = {one.column: str(one) for one in derived_of(frame, schema, leaving)}
    return Publishing.of(names, allowed, described, found)


def publishing_of(written: PolicyFile, columns: Sequence[str]) -> Publishing:
    """The columns of a file that hold none of the texts; none where the file has no columns."""
    left = beside(columns, written.policy.input.columns or [])
    require_left(written, left)
    return Publishing.of(left, written.policy.publish)


def add_texts(publishing: Publishing, source: Source, texts: Sequence[str | None]) -> None:
    """Counts what the other cells of a source say of its texts."""
    cells = cells_beside(source, publishing.columns)
    publishing.repeats.add(cells, source.texts, texts)
