"""`generalize` on Spark: every document by itself, the ontology read once by each worker."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..core.errors import BadInput
from ..core.options import check_run
from ..core.release import Release, Sides
from ..core.spans import Changes
from ..methods.meanings.claims import claims_of, not_protected
from ..methods.meanings.generalize import generalize, told
from .spark import MARKS, MEASURED, by_parts, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .spark import SparkEngine

OPTIONS = (
    *("t", "words", "objective", "search", "alpha", "min_volume", "volume", "sense", "unknown"),
    *("segment", "guarantee", "t_words", "frequencies", "mask", "seed"),
)
LEAST = ("log2_base_texts", "log2_without_hyponyms")


def run(engine: SparkEngine, given: Mapping[str, Any]) -> Release:
    """The release of a frame; what was marked where stays beside it, in a private frame."""
    _refuse(given)
    check_run(None, given["seed"], given["progress"])
    frame = given["texts"]
    column = engine.text_of(frame)
    options = {name: given[name] for name in OPTIONS}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        template = generalize([], **options)
    sent = engine.session.sparkContext.broadcast(options)
    names = list(frame.columns)
    schema = ", ".join(f"{quoted(name)} {kind}" for name, kind in frame.dtypes)
    work = by_parts(
        frame,
        lambda batches: _generalized(batches, sent.value, names, column),
        f"{schema}, {MARKS} string, {MEASURED} string",
    ).persist()
    counts, loss, counted, problem = _added(engine, work)
    if problem:
        raise BadInput(problem, where="texts", remedy="choose another mask, or see the options")
    parameters = {**template.parameters, "counted": counted or template.parameters["counted"]}
    # Whether any word is known is claimed; the release of no document says that nothing is told.
    parameters["counted"] = counted or (not counts["marked"] and template.parameters["counted"])
    notes = (*template.warnings, *told(parameters, counts))
    for one in notes:
        warnings.warn(one, stacklevel=5)
    return replace(
        template,
        data=work.drop(MARKS, MEASURED),
        claims=claims_of(parameters),
        changes=Changes.of([]),
        loss=loss,
        parameters=parameters,
        counts=counts,
        not_protected=not_protected(parameters),
        warnings=notes,
        sides=Sides(
            input=frame,
            words=template.sides.words,
            t_words=template.sides.t_words,
            frequencies=template.sides.frequencies,
            marks=work.select(MARKS),
            engine=replace(engine, text_column=column),
        ),
    )


def _refuse(given: Mapping[str, Any]) -> None:
    if not isinstance(given["t"], int):
        raise BadInput("on Spark t is one number", where="t", remedy="give one")
    words = given["words"]
    listed = isinstance(words, (list, tuple)) and all(isinstance(one, str) for one in words)
    if words is not None and not listed:
        raise BadInput("on Spark words are listed", where="words", remedy="give a list, or None")
    for name in ("ontology", "give_back"):
        if given[name] is not None:
            raise BadInput("on Spark it cannot be given", where=name, remedy="drop it")


def _generalized(
    batches: Iterable[Any], options: dict[str, Any], names: list[str], column: str
) -> Iterator[Any]:
    import pyarrow as pa

    for batch in batches:
        if not batch.num_rows:
            continue
        texts = batch.column(names.index(column)).to_pylist()
        data, marks, measured = _released(texts, options)
        arrays = [
            pa.array(data, type=pa.string()) if name == column else batch.column(i)
            for i, name in enumerate(names)
        ]
        first = [json.dumps(measured), *[None] * (batch.num_rows - 1)]
        beside = [pa.array(one, type=pa.string()) for one in (marks, first)]
        yield pa.RecordBatch.from_arrays([*arrays, *beside], names=[*names, MARKS, MEASURED])


def _released(texts: list[str | None], options: dict[str, Any]) -> tuple[Any, list[str], Any]:
    """The texts, what was marked in each and what became of it, and what was measured."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = generalize(texts, **options)
    except BadInput as refused:  # its place is a number within the batch: not told
        return texts, [""] * len(texts), {"problem": refused.problem}
    marks: list[list[Any]] = [[[], []] for _ in texts]
    for document, *mark in made.sides.marks or ():
        marks[document][0].append(list(map(int, mark)))
    for one in made.changes:
        marks[one.document][1].append([one.start, one.stop, one.replacement, one.reason])
    measured = {
        "counts": dict(made.counts),
        "loss": dict(made.loss),
        "counted": made.counts["segments_with_known_words"] > 0,
    }
    return made.data, [json.dumps(one) for one in marks], measured


def _added(engine: SparkEngine, work: Any) -> tuple[dict[str, int], dict[str, float], bool, str]:
    """What was measured, of all batches together."""
    counts: dict[str, int] = dict.fromkeys(
        ("documents", "segments_with_known_words", "marked", "unknown", "unchanged"), 0
    )
    loss: dict[str, float] = dict.fromkeys(("cost", "generalized", "suppressed"), 0)
    counted, problem = False, ""
    rows = work.where(engine.functions.col(MEASURED).isNotNull()).select(MEASURED)
    for row in rows.toLocalIterator():
        one = json.loads(row[0])
        problem = problem or one.get("problem", "")
        for name, number in one.get("counts", {}).items():
            counts[name] = counts.get(name, 0) + number
        for name, number in one.get("loss", {}).items():
            known = loss.get(name)
            least = name in LEAST and known is not None
            loss[name] = (
                min(known, number) if least and known is not None else number + (known or 0)
            )
        counted = counted or one.get("counted", False)
    return counts, loss, counted, problem
