"""The steps of one text column from the original to the release, through the table's step too.

`anonymize` takes the table whole and may leave rows out. For a text column it is one step of a
chain: the steps before it as far as their documents are released, then what it wrote there, then
the steps after it. All have the released documents, so that places can be followed through.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.corpus import Corpus
from ..core.release import Release
from ..core.spans import Changes
from ..verification.trace import Trace

if TYPE_CHECKING:
    from ..core.spans import Span
    from .run import Done


def table_at(done: Sequence[Done]) -> int | None:
    """Which step took the table; None where all worked on texts."""
    return next((i for i, one in enumerate(done) if one.release.verb == "anonymize"), None)


def columns_of(done: Sequence[Done]) -> list[str | None]:
    """The text columns, in the order of their first steps."""
    return list(dict.fromkeys(one.step.column for one in done if one.release.verb != "anonymize"))


def numbers_of(done: Sequence[Done], column: str | None) -> list[int]:
    """Which steps change a text column: its own, and the table's."""
    return [
        i
        for i, one in enumerate(done)
        if one.release.verb == "anonymize" or one.step.column == column
    ]


def of_column(done: Sequence[Done], column: str | None) -> list[Done]:
    """The steps of a text column, as steps on the released documents."""
    table = table_at(done)
    result = []
    for number in numbers_of(done, column):
        one = done[number]
        if table is not None and number < table:
            one = _released_rows(one, done[table].release.private["rows"])
        elif number == table:
            one = on_column(one, str(column))
        result.append(one)
    return result


def on_column(table: Done, column: str) -> Done:
    """The table's step as a step on one of its text columns, of the released rows."""
    release = table.release
    rows = np.asarray(release.private["rows"])
    frame = release.private["input"]
    texts = frame[column].gather(rows).to_list()
    groups = table.source.groups
    source = replace(
        table.source,
        texts=texts,
        groups=None if groups is None else [groups[row] for row in rows.tolist()],
    )
    after = [text or "" for text in release.data[column].to_list()]
    named = release.private["schema"].texts
    changes = Changes.of()
    if column in named:
        changes = _renumbered(release.changes, rows, len(named), named.index(column))
    counts = {"dropped": frame.height - len(rows)}
    made = Release("anonymize", after, (), changes, {}, {}, counts, private={"input": texts})
    step = replace(table.step, column=column)
    return replace(table, step=step, source=source, release=made)


def _released_rows(one: Done, rows: Any) -> Done:
    """A step before the table's, as far as its documents are released."""
    release, chosen = one.release, np.asarray(rows)
    if len(chosen) == len(one.source.texts):  # rows keep their order
        return one
    numbers = chosen.tolist()
    after = Corpus.of(release.data).texts
    groups = one.source.groups
    few = None if groups is None else [groups[row] for row in numbers]
    source = replace(one.source, texts=[one.source.texts[row] for row in numbers], groups=few)
    private: Mapping[str, Any] = {**release.private, "input": source.data}
    if "groups" in private:
        private = {**private, "groups": few}
    made = replace(
        release,
        data=[after[row] for row in numbers],
        changes=_renumbered(release.changes, chosen, 1, 0),
        private=private,
    )
    return replace(one, source=source, release=made)


def _renumbered(changes: Changes, rows: Any, width: int, index: int) -> Changes:
    """The changes of some rows' documents, by their places among these rows."""
    place = {int(row) * width + index: at for at, row in enumerate(rows)}
    chosen = [i for i, one in enumerate(changes.documents.tolist()) if one in place]
    return Changes(
        np.array([place[int(changes.documents[i])] for i in chosen], np.int64),
        changes.starts[chosen],
        changes.stops[chosen],
        [changes.replacements[i] for i in chosen],
        [changes.reasons[i] for i in chosen],
    )


def released(one: Done) -> list[str | None]:
    """The texts a step gave; what was missing stays missing."""
    after = Corpus.of(one.release.data).texts
    return [None if old is None else new for old, new in zip(one.source.texts, after, strict=True)]


def renumbered_spans(spans: Sequence[Span], rows: Sequence[int]) -> list[Span]:
    """The spans of some documents, by their places among these."""
    place = {int(row): at for at, row in enumerate(rows)}
    return [replace(one, document=place[one.document]) for one in spans if one.document in place]


def traces(done: Sequence[Done]) -> list[Trace]:
    """What the steps of one column wrote over the original, by document."""
    if not done:
        return []
    result = [Trace() for _ in done[0].source.texts]
    for one in done:
        changes = one.release.changes
        for document in set(changes.documents.tolist()):
            result[document] = result[document].then(changes.of_document(document))
    return result


def moved_spans(spans: Sequence[Span], done: Sequence[Done], column: str | None) -> list[Span]:
    """Spans of the original where they stand after the steps so far.

    Those of rows that were left out are gone, and those over which `anonymize` wrote: an entity
    type stands there for all.
    """
    table = table_at(done)
    if table is None:
        return moved(spans, traces([one for one in done if one.step.column == column]))
    rows = done[table].release.private["rows"]
    few = renumbered_spans(spans, rows.tolist())
    mine = of_column(done, column)
    place = next(i for i, one in enumerate(mine) if one.release.verb == "anonymize")
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
