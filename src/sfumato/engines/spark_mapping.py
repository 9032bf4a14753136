"""The mapping of `pseudonymize` on Spark: written part by part, and a release judged by it.

Documents pass the driver some at a time. Of a mapping that is read the driver has what stood at all
places at once, and no text.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ..core.corpus import Corpus
from ..core.release import Release, Sides
from ..formats import file_digests
from ..formats.source import filled
from ..methods.pseudonyms.mapping import MappingWriter, changes_of, mapping_frames
from .marks import changes_in, marks_of
from .spark import MARKS, ROW, by_parts, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import BinaryIO

    from .spark import SparkEngine
    from .values import Batch, Frame

TOGETHER = 1000
"""Documents of one frame of a mapping."""


def write_mapping(
    stream: BinaryIO, key: bytes, original: Frame, made: Release, path: str | Path
) -> None:
    """Writes what stood where, document after document in the order of the input."""
    changed: Frame = made.sides.marks
    writer = MappingWriter(stream, key)
    column = quoted(str(made.sides.engine.text_column))
    before = original.selectExpr(ROW, f"{column} as before")
    marks = changed.selectExpr(ROW, f"{column} as after", MARKS)
    rows = before.join(marks, ROW).orderBy(ROW).select("before", "after", MARKS)
    some: list[tuple[str | None, ...]] = []
    for row in rows.toLocalIterator():
        some.append(tuple(row))
        if len(some) == TOGETHER:
            writer.add(_part(some))
            some = []
    if some:
        writer.add(_part(some))
    writer.close(file_digests(path))


def _part(rows: list[tuple[str | None, ...]]) -> Release:
    """Some documents of a release, with what a mapping has of them."""
    before, after, marks = (list(one) for one in zip(*rows, strict=True))
    return Release(
        verb="pseudonymize",
        data=filled(after),
        claims=(),
        changes=changes_in(marks),
        loss={},
        parameters={},
        sides=Sides(input=Corpus.of(filled(before))),
    )


def marks_by_mapping(
    engine: SparkEngine, before: Frame, after: Frame, column: str, mapping: Path, key: bytes
) -> tuple[Frame, dict[str, str], int]:
    """What a mapping says of each document, the digests of the original's files, and how many.

    A document that is not the mapping's, or is another text when it is undone, is refused
    (`NotVerified`), as on one machine.
    """
    stated: list[tuple[int, str]] = []
    files: dict[str, str] = {}
    for frame in mapping_frames(mapping, key):
        stated += [(len(stated) + i, json.dumps(one)) for i, one in enumerate(frame["documents"])]
        files = frame.get("files", files)
    table = engine.session.createDataFrame(stated, f"{ROW} long, stated string")
    cell = quoted(column)
    both = (
        before.selectExpr(ROW, f"{cell} as before")
        .join(after.selectExpr(ROW, f"{cell} as after"), ROW, "full")
        .join(table, ROW, "full")
    )
    return by_parts(both, _judged, f"{ROW} long, {MARKS} string"), files, len(stated)


def _judged(batches: Iterable[Batch]) -> Iterator[Batch]:
    """The marks of every document, where undoing them gives the original."""
    import pyarrow as pa

    for batch in batches:
        cells = batch.to_pydict()
        places, marks = cells[ROW], []
        for number, old, new, said in zip(
            places, cells["before"], cells["after"], cells["stated"], strict=True
        ):
            documents = [] if said is None else [json.loads(said)]
            found = changes_of({"documents": documents}, [old or ""], [new or ""], number)
            listed = [(0, one.start, one.stop, one.reason) for one in found]
            marks += marks_of(1, found, listed)
        yield pa.RecordBatch.from_pydict(
            {ROW: places, MARKS: marks}, pa.schema([(ROW, pa.int64()), (MARKS, pa.string())])
        )
