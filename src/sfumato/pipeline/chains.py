"""The steps of one text column from the original to the release, through the table's step too.

`anonymize` takes the table whole and may leave rows out. For a text column it is one step of a
chain: the steps before it as far as their documents are released, then what it wrote there, then
the steps after it. All have the released documents, so that places can be followed through.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..core.corpus import Corpus
from ..core.release import Release, Sides
from ..core.spans import Changes
from ..formats.source import filled
from ..verification.trace import Trace

if TYPE_CHECKING:
    import polars as pl

    from ..core.spans import Span
    from ..core.values import Data
    from .steps import StageResult, TakenStage


def table_at(done: Sequence[TakenStage]) -> int | None:
    """Which step took the table; None where all worked on texts."""
    return next((i for i, one in enumerate(done) if one.step.takes_table), None)


def columns_of(done: Sequence[TakenStage]) -> list[str | None]:
    """The text columns, in the order of their first steps."""
    return list(dict.fromkeys(one.step.column for one in done if not one.step.takes_table))


def numbers_of(done: Sequence[StageResult], column: str | None) -> list[int]:
    """Which steps change a text column: its own, and the table's."""
    return [i for i, one in enumerate(done) if one.step.takes_table or one.step.column == column]


def of_column(done: Sequence[StageResult], column: str | None) -> list[StageResult]:
    """The steps of a text column, as steps on the released documents."""
    table = table_at(done)
    result = []
    for number in numbers_of(done, column):
        one = done[number]
        if table is not None and number < table:
            one = _released_rows(one, done[table].release.sides.of_table.rows)
        elif number == table:
            one = on_column(one, str(column))
        result.append(one)
    return result


def on_column(table: StageResult, column: str) -> StageResult:
    """The table's step as a step on one of its text columns, of the released rows."""
    release = table.release
    rows = np.asarray(release.sides.of_table.rows)
    frame = release.sides.input
    texts = frame[column].gather(rows).to_list()
    groups = table.source.groups
    source = replace(
        table.source,
        texts=texts,
        groups=None if groups is None else [groups[row] for row in rows.tolist()],
    )
    after = filled(release.data[column].to_list())
    named = release.sides.of_table.schema.texts
    changes = Changes.of()
    if column in named:
        changes = _renumbered(release.changes, rows, len(named), named.index(column))
    counts = {"dropped": frame.height - len(rows)}
    made = Release(
        verb=release.verb,
        data=after,
        claims=(),
        changes=changes,
        loss={},
        parameters={},
        counts=counts,
        sides=Sides(input=texts),
    )
    step = replace(table.step, column=column)
    return replace(table, step=step, source=source, release=made)


def _released_rows(one: StageResult, rows: Data) -> StageResult:
    """A step before the table's, as far as its documents are released."""
    release, chosen = one.release, np.asarray(rows)
    if np.array_equal(chosen, np.arange(len(one.source.texts))):
        return one
    numbers = chosen.tolist()
    after = Corpus.of(release.data).texts
    source = one.source.part(numbers)
    sides = replace(release.sides, input=source.data)
    if sides.groups is not None:
        sides = replace(sides, groups=source.groups)
    made = replace(
        release,
        data=[after[row] for row in numbers],
        changes=_renumbered(release.changes, chosen, 1, 0),
        sides=sides,
    )
    return replace(one, source=source, release=made)


def _renumbered(changes: Changes, rows: Data, width: int, index: int) -> Changes:
    """The changes of some rows' documents, by their places among these rows."""
    place = {int(row) * width + index: at for at, row in enumerate(rows)}
    chosen = [i for i, one in enumerate(changes.documents.tolist()) if one in place]
    chosen.sort(key=lambda i: place[int(changes.documents[i])])  # rows may be shuffled
    return Changes(
        np.array([place[int(changes.documents[i])] for i in chosen], np.int64),
        changes.starts[chosen],
        changes.stops[chosen],
        [changes.replacements[i] for i in chosen],
        [changes.reasons[i] for i in chosen],
    )


def released(one: StageResult) -> list[str | None]:
    """The texts a step gave; what was missing stays missing."""
    return one.source.with_texts(Corpus.of(one.release.data).texts)


def final_table(done: Sequence[StageResult]) -> pl.DataFrame:
    """The table as it is released: with the texts of the later stages."""
    import polars as pl

    table = table_at(done)
    assert table is not None
    frame: pl.DataFrame = done[table].release.data
    for one in done[table + 1 :]:
        column = one.step.column
        frame = frame.with_columns(pl.Series(column, released(one), dtype=pl.String))
    return frame


def renumbered_spans(spans: Sequence[Span], rows: Sequence[int]) -> list[Span]:
    """The spans of some documents, by their places among these."""
    place = {int(row): at for at, row in enumerate(rows)}
    return [replace(one, document=place[one.document]) for one in spans if one.document in place]


def traces(done: Sequence[StageResult]) -> list[Trace]:
    """What the steps of one column wrote over the original, by document."""
    if not done:
        return []
    result = [Trace() for _ in done[0].source.texts]
    for one in done:
        changes = one.release.changes
        for document in set(changes.documents.tolist()):
            result[document] = result[document].then(changes.of_document(document))
    return result


def moved_spans(
    spans: Sequence[Span], done: Sequence[StageResult], column: str | None
) -> list[Span]:
    """Spans of the original where they stand after the steps so far.

    Those of rows that were left out are gone, and those over which `anonymize` wrote: an entity
    type stands there for all.
    """
    table = table_at(done)
    if table is None:
        return moved(spans, traces([one for one in done if one.step.column == column]))
    rows = done[table].release.sides.of_table.rows
    few = renumbered_spans(spans, rows.tolist())
    mine = of_column(done, column)
    place = next(i for i, one in enumerate(mine) if one.step.takes_table)
    few = moved(few, traces(mine[:place]))
    typed = traces(mine[place : place + 1])
    few = [one for one in few if not typed[one.document].over(one.start, one.stop)]
    return moved(moved(few, typed), traces(mine[place + 1 :]))


def moved(spans: Sequence[Span], traced: Sequence[Trace]) -> list[Span]:
    """Spans of the original where they stand now; what was taken away has none."""
    if not traced:
        return list(spans)
    result = []
    for span in spans:
        start, stop = traced[span.document].image(span.start, span.stop)
        if start < stop:
            result.append(replace(span, start=start, stop=stop))
    return result
