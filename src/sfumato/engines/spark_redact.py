"""`redact` on Spark: every document by itself, the dictionary read once by each worker."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import BadInput
from ..core.method import options_of
from ..core.options import check_run
from ..core.release import Release, Sides
from ..core.spans import Changes, Span
from ..methods.terms.dictionary import TermDictionary
from ..methods.terms.method import METHOD, lists_of
from ..methods.terms.redact import redact
from .marks import marks_of
from .spark import MEASURED, quoted
from .spark_documents import measures, released, summed, worked

if TYPE_CHECKING:
    from ..core.method import MethodInput
    from ..core.values import JsonObject, JsonValues
    from .spark import SparkEngine
    from .values import Cells, Frame

SUMMED = ("documents", "symbols", "replaced", "overlapping", "direct")


def run(engine: SparkEngine, given: JsonValues) -> Release:
    """The release of a frame."""
    frame = given["texts"]
    for name in ("terms", "direct"):
        listed = given[name]
        if isinstance(listed, (list, tuple)) and any(isinstance(one, Span) for one in listed):
            raise BadInput("on Spark terms are listed", where=name, remedy="give a list")
    check_run(None, given["seed"], given["progress"])
    column = engine.text_of(frame)
    terms = given["terms"]
    if not isinstance(terms, TermDictionary):
        terms = TermDictionary(
            terms,
            fold_case=bool(given["fold_case"]),
            fold_width=bool(given["fold_width"]),
        )
    options = {
        name: given[name]
        for name in ("k", "guarantee", "rare_lengths", "direct", "whole_words", "seed")
    }
    options["mask"] = _mask(engine, frame, column, given["mask"], terms)
    template = redact([], terms, **options)
    prepared = engine.session.sparkContext.broadcast((_saved(terms), options, engine.changes))
    work = worked(
        engine, frame, column, lambda given: _redacted(given[column], prepared), [column], ()
    )
    found = summed(measures(engine, work))
    symbols, redacted = int(found.get("symbols", 0)), found.get("redacted", 0)
    loss = {
        **template.loss,
        "redacted": redacted,
        "redacted_share": redacted / symbols if symbols else 0.0,
    }
    counts = {**template.counts, **{name: int(found.get(name, 0)) for name in SUMMED}}
    return replace(
        template,
        data=released(work),
        changes=Changes.of([]),
        loss=loss,
        counts=counts,
        sides=Sides(
            input=frame,
            terms=template.sides.terms,
            published=template.sides.published,
            direct=template.sides.direct,
            marks=work.drop(MEASURED) if engine.changes else None,
            engine=replace(engine, text_column=column),
        ),
    )


def arguments(given: MethodInput[Any]) -> JsonObject:
    """What the command of `redact` was given."""
    lists = lists_of(given)
    files = {one.name for one in options_of(METHOD.options) if one.about.is_file}
    found = {name: value for name, value in given.verb_options().items() if name not in files}
    return {**found, "terms": lists.dictionary, "direct": lists.direct}


def _mask(engine: SparkEngine, frame: Frame, column: str, mask: Any, terms: TermDictionary) -> str:
    """The first allowed mask that no text and no term contains."""
    allowed = [mask] if isinstance(mask, str) or not isinstance(mask, Sequence) else list(mask)
    problem: BadInput | None = None
    for one in allowed:
        try:
            terms.check_mask(one)
        except BadInput as refused:
            problem = problem or refused
            continue
        cell = engine.functions.col(quoted(column))
        if frame.where(cell.contains(one)).limit(1).count() == 0:
            return str(one)
        problem = problem or BadInput(
            "a text already contains the mask", where="mask", remedy="choose another mask"
        )
    raise problem or BadInput("no mask given", where="mask", remedy="give at least one character")


def _saved(terms: TermDictionary) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "terms.dictionary")
        terms.save(path)
        return path.read_bytes()


@lru_cache(maxsize=2)
def _loaded(saved: bytes) -> TermDictionary:
    """The dictionary of a worker, read once."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "terms.dictionary")
        path.write_bytes(saved)
        return TermDictionary.load(path)


def _redacted(texts: Cells, prepared: Any) -> tuple[Cells, list[str], dict[str, float]]:
    """The texts of a batch, redacted, and what was measured."""
    saved, options, changes = prepared.value
    made = redact(texts, _loaded(saved), **options)
    measured = {name: made.counts[name] for name in SUMMED}
    marks = marks_of(len(texts), made.changes) if changes else [""] * len(texts)
    return made.data, marks, {**measured, "redacted": made.loss["redacted"]}
