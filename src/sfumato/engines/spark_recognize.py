"""What a recogniser finds, on Spark: document by document, the model loaded once by a worker."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from ..core.errors import BadInput
from ..core.spans import Span, quick_span
from ..formats.source import filled
from ..recognizers import recognizer as by_name
from ..recognizers import spans_of, with_role
from ..recognizers.installed_recognizers import DEFAULT
from ..recognizers.review import write
from .spark import ID, by_parts, quoted, with_documents
from .spark_exchange import blocks_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..core.values import JsonObject
    from ..recognizers import Recognizer
    from ..recognizers.roles import Role
    from .spark import SparkEngine
    from .values import Batch, Cells, Frame

SPANS = "_sfumato_spans"


@lru_cache(maxsize=2)
def _loaded(name: str) -> Recognizer:
    """The recogniser of a worker, loaded once."""
    return by_name(name)


def named(recognizer: object) -> str:
    """The recogniser's name, which workers load it by."""
    if recognizer is not None and not isinstance(recognizer, str):
        raise BadInput(
            "on Spark a recogniser is named: every worker loads its own",
            where="recognizer",
            remedy="give a name",
        )
    by_name(recognizer or DEFAULT)  # what cannot be loaded is refused here
    return recognizer or DEFAULT


def with_spans(
    engine: SparkEngine, frame: Frame, column: str, recognizer: str, groups: str | None
) -> Frame:
    """The frame with the numbers of its rows, and what was found in each text (JSON); kept.

    With groups a person's names are looked for in all texts of the person.
    """
    whole = with_documents(engine, frame)
    if groups is None:
        found = by_parts(
            whole.select(ID, engine.functions.col(quoted(column))),
            lambda batches: _in_batches(batches, recognizer),
            f"{ID} long, {SPANS} string",
        )
    else:
        parts = engine.parts_for(whole, column)
        blocks = blocks_of(engine, whole, [column], groups, parts)
        rows = blocks.flatMap(lambda one: _in_block(one[1], column, recognizer))
        found = engine.session.createDataFrame(rows, f"{ID} long, {SPANS} string")
    return engine.keep(whole.join(found, ID).orderBy(ID))


def _in_batches(batches: Iterable[Batch], recognizer: str) -> Iterator[Batch]:
    import pyarrow as pa

    for batch in batches:
        texts = filled(batch.column(1).to_pylist())
        spans = packed(spans_of(_loaded(recognizer), texts), len(texts))
        yield pa.RecordBatch.from_arrays(
            [batch.column(0), pa.array(spans, type=pa.string())], names=[ID, SPANS]
        )


def _in_block(state: JsonObject, column: str, recognizer: str) -> Iterator[tuple[int, str]]:
    texts = filled(state[column])
    if state["nameless"]:
        raise BadInput(
            "a document has no group", where="groups", remedy="give it a label of its own"
        )
    spans = spans_of(_loaded(recognizer), texts, None, state["labels"].tolist())
    return zip(state["ids"].tolist(), packed(spans, len(texts)), strict=True)


def packed(spans: Sequence[Span], documents: int) -> list[str]:
    """The spans of each document, as JSON."""
    by_document: list[Cells] = [[] for _ in range(documents)]
    for one in spans:
        by_document[one.document].append([one.start, one.stop, one.label, one.score, one.why])
    return [json.dumps(one) for one in by_document]


def unpacked(spans: Sequence[str]) -> list[Span]:
    """The spans of documents that are numbered from 0 on.

    >>> unpacked(['[[0, 3, "PERSON", 0.9, "rule"]]'])[0].label
    'PERSON'
    """
    return [quick_span(i, *one) for i, some in enumerate(spans) for one in json.loads(some)]


def reviewed(
    engine: SparkEngine,
    frame: Frame,
    recognizer: str,
    groups: str | None,
    roles: Sequence[str],
    preset: str,
) -> tuple[Frame, int, dict[str, int]]:
    """The lines of a review file, in order; how many documents; how often each label."""
    functions = engine.functions
    column = engine.text_of(frame, *([] if groups is None else [groups]))
    marked = with_spans(engine, frame, column, named(recognizer), groups)

    def lines(batches: Iterable[Batch]) -> Iterator[Batch]:
        import pyarrow as pa

        for batch in batches:
            ids, texts, spans = (batch.column(i).to_pylist() for i in range(3))
            texts = filled(texts)
            chosen = cast("list[Role]", list(roles))
            found: dict[str, list[str]] = {"value": [], "label": []}
            for number, text, some in zip(ids, texts, spans, strict=True):
                kept = with_role(unpacked([some]), [text], chosen, preset)
                written = write(kept, [text], number).decode("utf-8", "surrogatepass")
                found["value"] += written.splitlines()
                found["label"] += [one.label for one in kept]
            yield pa.RecordBatch.from_pydict(
                found, pa.schema([("value", pa.string()), ("label", pa.string())])
            )

    every = by_parts(
        marked.select(ID, functions.col(quoted(column)), SPANS), lines, "value string, label string"
    ).persist()
    labels = {str(row[0]): int(row[1]) for row in every.groupBy("label").count().collect()}
    return every.select("value"), marked.count(), labels
