"""`pseudonymize` on Spark: spans are found, entities collected once, surrogates put in."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..core.corpus import Corpus
from ..core.errors import BadInput
from ..core.method import check_options
from ..core.options import check_run
from ..core.release import Release, Sides
from ..core.spans import Changes
from ..methods.pseudonyms.entities import Entities, Surrogates
from ..methods.pseudonyms.method_options import Options
from ..methods.pseudonyms.operators import checked
from ..methods.pseudonyms.pseudonymize import owners_of, released, shown
from ..methods.pseudonyms.secret import secret_of
from . import spark_documents as documents
from .marks import marks_of
from .spark import ID, MEASURED, by_parts, quoted
from .spark_recognize import SPANS, named, unpacked, with_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..core.method import MethodInput
    from ..core.values import JsonObject, JsonValues
    from .spark import SparkEngine
    from .values import Batch, Cells, Frame

FIELDS = "label string, entity string, number long, spanish boolean, people int, votes long"


def run(engine: SparkEngine, given: JsonValues) -> Release:
    """The release of a frame, with the surrogates that one machine gives."""
    frame, groups = given["texts"], given["groups"]
    if given["give_back"] is not None:
        raise BadInput("on Spark it cannot be given", where="give_back", remedy="drop it")
    if groups is not None and (not isinstance(groups, str) or groups not in frame.columns):
        raise BadInput("expected the name of a column", where="groups", remedy="name one")
    check_options(Options, {"dates": given["dates"]})
    check_run(None, given["seed"], given["progress"])
    recognizer, told = named(given["recognizer"]), checked(given["operators"])
    secret = secret_of(given["key"], given["seed"])
    column = engine.text_of(frame, *([] if groups is None else [groups]))
    marked = with_spans(engine, frame, column, recognizer, groups)
    entities = _entities(engine, marked, column, told)
    parameters: JsonObject = {
        "recognizer": shown(given["recognizer"]),
        "dates": given["dates"],
        "seed": given["seed"],
    }
    if told:
        parameters["operators"] = told
    sent = engine.session.sparkContext.broadcast(
        (Surrogates.of(entities, secret, told), parameters)
    )
    reads = [ID, column, SPANS, *([] if groups is None else [groups])]
    work = documents.worked(
        engine,
        marked,
        column,
        lambda some: _replaced(some, column, groups, sent),
        reads,
        (ID, SPANS),
    )
    found = documents.summed(documents.measures(engine, work))
    template = released(Corpus.of([]), groups and [], [], sent.value[0], [], parameters)
    return replace(
        template,
        data=documents.released(work),
        changes=Changes.of([]),
        loss={name: found.get(name, 0) for name in template.loss},
        counts={name: int(found.get(name, 0)) for name in template.counts},
        sides=Sides(
            input=frame,
            groups=groups,
            marks=work.drop(MEASURED),
            engine=replace(engine, text_column=column),
        ),
    )


def arguments(given: MethodInput[Options]) -> JsonObject:
    """What the command of `pseudonymize` was given."""
    if given.options.mapping is not None and given.key is None:
        raise BadInput("a mapping needs the key", where="key_file", remedy="name its file")
    found = given.verb_options()
    return {**found, "recognizer": given.recognizer_name, "key": given.key}


def _entities(
    engine: SparkEngine, marked: Frame, column: str, operators: Mapping[str, str]
) -> Entities:
    """The different entities of all documents, as each was first seen."""
    functions = engine.functions
    rows = by_parts(
        marked.select(ID, functions.col(quoted(column)), SPANS),
        lambda batches: _learned(batches, operators),
        FIELDS,
    )
    first = functions.min(functions.struct("number", "spanish")).alias("first")
    people = functions.bit_or("people").alias("people")
    votes = functions.sum("votes").alias("votes")
    entities = Entities()
    for row in rows.groupBy("label", "entity").agg(first, people, votes).toLocalIterator():
        if row.label is None:
            entities.day_first = int(row.votes)
            continue
        entities.spanish[row.label, row.entity] = row.first.spanish
        for is_spanish in (False, True):
            if row.people & 1 << is_spanish:
                entities.people.add((row.entity, is_spanish))
    return entities


def _learned(batches: Iterable[Batch], operators: Mapping[str, str]) -> Iterator[Batch]:
    """The different entities of every batch; a row without a label has the votes of its dates."""
    import pyarrow as pa

    for batch in batches:
        numbers, texts, spans = (batch.column(i).to_pylist() for i in range(3))
        here, found = Entities(), []
        for number, text, some in zip(numbers, texts, spans, strict=True):
            before = len(here.spanish)
            here.learn([text or ""], unpacked([some]), operators)
            new = len(here.spanish) - before
            for label, entity in islice(reversed(here.spanish), new):
                found.append((label, entity, number, here.spanish[label, entity]))
        rows = [
            (*one, sum(1 << flag for flag in (False, True) if _is_person(one, flag, here)), 0)
            for one in found
        ]
        rows.append((None, None, 0, False, 0, here.day_first))  # type: ignore[arg-type]
        yield pa.RecordBatch.from_pydict(
            dict(
                zip(
                    ("label", "entity", "number", "spanish", "people", "votes"),
                    map(list, zip(*rows, strict=True)),
                    strict=True,
                )
            ),
            pa.schema(
                [
                    *(("label", pa.string()), ("entity", pa.string()), ("number", pa.int64())),
                    *(("spanish", pa.bool_()), ("people", pa.int32()), ("votes", pa.int64())),
                ]
            ),
        )


def _is_person(one: tuple[str, str, int, bool], flag: bool, here: Entities) -> bool:
    return one[0] == "PERSON" and (one[1], flag) in here.people


def _replaced(
    given: dict[str, Cells], column: str, groups: str | None, sent: Any
) -> tuple[Cells, list[str], dict[str, float]]:
    """The texts of a batch with their surrogates, where they stand, and what was measured."""
    surrogates, parameters = sent.value
    texts, labels = given[column], None if groups is None else given[groups]
    owners = owners_of(labels, given[ID])
    spans = unpacked(given[SPANS])
    made = released(Corpus.of(texts), labels, spans, surrogates, owners, parameters)
    marks = marks_of(len(texts), made.changes, made.sides.spans or ())
    return made.data, marks, {**made.counts, **made.loss}
