"""`generalize` on Spark: every document by itself, the ontology read once by each worker."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..core.errors import BadInput
from ..core.options import check_run
from ..core.release import Release, Sides
from ..core.spans import Changes
from ..methods.meanings.claims import claims_of, not_protected, notes_of
from ..methods.meanings.generalize import generalize
from ..methods.meanings.method import read_frequencies, words_of
from .marks import marks_of
from .spark import MEASURED
from .spark_documents import measures, released, worked

if TYPE_CHECKING:
    from ..core.method import MethodInput
    from ..core.values import JsonObject, JsonValues
    from .spark import SparkEngine
    from .values import Cells

OPTIONS = (
    *("t", "words", "objective", "search", "alpha", "min_volume", "volume", "sense", "unknown"),
    *("segment", "guarantee", "t_words", "frequencies", "mask", "seed"),
)
LEAST = ("log2_base_texts", "log2_without_hyponyms")


def run(engine: SparkEngine, given: JsonValues) -> Release:
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
    work = worked(
        engine, frame, column, lambda given: _generalized(given[column], sent), [column], ()
    )
    counts, loss, counted = _added(measures(engine, work))
    parameters = dict(template.parameters)
    # Whether any word is known is claimed; the release of no document says that nothing is told.
    parameters["counted"] = counted or (not counts["marked"] and template.parameters["counted"])
    notes = (*template.warnings, *notes_of(parameters, counts))
    for one in notes:
        warnings.warn(one, stacklevel=5)
    return replace(
        template,
        data=released(work),
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
            marks=work.drop(MEASURED),
            engine=replace(engine, text_column=column),
        ),
    )


def arguments(given: MethodInput[Any]) -> JsonObject:
    """What the command of `generalize` was given."""
    if given.file(given.options.ontology) is not None:
        raise BadInput("on Spark it cannot be given", where="ontology", remedy="drop it")
    frequencies = given.file(given.options.frequencies)
    more = {
        "words": words_of(given),
        "ontology": None,
        "frequencies": None if frequencies is None else read_frequencies(frequencies),
    }
    return {**given.verb_options(), **more}


def _refuse(given: JsonValues) -> None:
    if not isinstance(given["t"], int):
        raise BadInput("on Spark t is one number", where="t", remedy="give one")
    words = given["words"]
    listed = isinstance(words, (list, tuple)) and all(isinstance(one, str) for one in words)
    if words is not None and not listed:
        raise BadInput("on Spark words are listed", where="words", remedy="give a list, or None")
    for name in ("ontology", "give_back"):
        if given[name] is not None:
            raise BadInput("on Spark it cannot be given", where=name, remedy="drop it")


def _generalized(texts: Cells, sent: Any) -> tuple[Cells, list[str], JsonObject]:
    """The texts, what was marked in each and what became of it, and what was measured."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = generalize(texts, **sent.value)
    places = (list(map(int, one)) for one in made.sides.marks or ())
    marks = marks_of(len(texts), made.changes, places)
    measured = {
        "counts": dict(made.counts),
        "loss": dict(made.loss),
        "counted": made.counts["segments_with_known_words"] > 0,
    }
    return made.data, marks, measured


def _added(found: list[JsonObject]) -> tuple[dict[str, int], dict[str, float], bool]:
    """What was measured, of all batches together."""
    counts: dict[str, int] = dict.fromkeys(
        ("documents", "segments_with_known_words", "marked", "unknown", "unchanged"), 0
    )
    loss: dict[str, float] = dict.fromkeys(("cost", "generalized", "suppressed"), 0)
    for one in found:
        for name, number in one["counts"].items():
            counts[name] = counts.get(name, 0) + number
        for name, number in one["loss"].items():
            known = loss.get(name)
            if name in LEAST and known is not None:
                loss[name] = min(known, number)
            else:
                loss[name] = number + (known or 0)
    return counts, loss, any(one["counted"] for one in found)
