"""`sanitize` of a collection on Spark: every text is a sequence, each by itself.

Methods that write letters in the place of separators weigh them by frequencies in all sequences;
those do not run here. Which window of a longer pattern is the rarest, and hidden, would have to be
counted in all of them: so patterns have one length, unless symbols are deleted.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..core.errors import BadInput
from ..core.options import check_run
from ..core.release import Release, Sides
from ..core.spans import Changes
from ..formats.source import filled
from ..methods.patterns.claims import claims_of, not_protected, warnings_of
from ..methods.patterns.method import patterns_of
from ..methods.patterns.sanitize import sanitize
from . import spark_documents as documents
from .marks import explained, marks_of
from .spark import MEASURED

if TYPE_CHECKING:
    from ..core.method import MethodInput
    from ..core.values import JsonObject, JsonValues
    from .spark import SparkEngine
    from .values import Cells

METHODS = ("tfs", "pfs", "etfs", "delete")
REFUSED = ("positions", "draw", "implausible", "reference", "rho", "theta", "ghost", "sub")
OPTIONS = ("method", "tau", "separator", "length", "keep_short", "shuffle", "letters", "seed")


def run(engine: SparkEngine, given: JsonValues) -> Release:
    """The release of a frame."""
    patterns = _refused(given)
    frame = given["sequence"]
    check_run(None, given["seed"], given["progress"])
    column = engine.text_of(frame)
    options = {name: given[name] for name in OPTIONS} | {"collection": True}
    if options["keep_short"] is None:
        options["keep_short"] = True
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        template = sanitize([], patterns, **options)
    k = int(template.parameters["k"])  # type: ignore[call-overload]
    sent = engine.session.sparkContext.broadcast(
        (patterns, {**options, "length": k}, engine.changes)
    )
    work = documents.worked(
        engine, frame, column, lambda some: _sanitized(some[column], sent), [column], ()
    )
    measured = documents.measures(engine, work, "sequence")
    present = {one for some in measured for one in some.pop("present")}
    found = documents.summed(measured)
    names = [*template.counts, *(["deleted"] if given["method"] == "delete" else [])]
    counts = {name: int(found.get(name, 0)) for name in names}
    counts["patterns"] = template.counts["patterns"]
    kept = ("length_change", "separators", "edit_distance")
    loss = {name: found.get(f"loss:{name}", 0.0) for name in template.loss if name in kept}
    if given["method"] != "delete":
        loss |= dict.fromkeys(("distortion", "lost", "ghosts"), 0.0)
    sides = Sides(
        input=frame,
        patterns=template.sides.patterns,
        marks=work.drop(MEASURED) if engine.changes else None,
        engine=replace(engine, text_column=column),
    )
    return replace(
        template,
        data=documents.released(work),
        claims=claims_of(template.parameters, sides),
        changes=Changes.of([]),
        loss=loss,
        counts=counts,
        not_protected=not_protected(template.parameters),
        warnings=warnings_of(counts, len(set(patterns) - present)),
        sides=sides,
    )


def arguments(given: MethodInput[Any]) -> JsonObject:
    """What the command of `sanitize` was given."""
    from types import SimpleNamespace

    from ..formats.sequences import Shape

    options = given.options
    if options.unit != "character" or options.per_line:
        raise BadInput(
            "on Spark each text is a sequence of characters", where="unit", remedy="drop it"
        )
    for name in ("positions", "implausible", "reference"):
        if getattr(options, name) is not None:
            raise BadInput("on Spark it cannot be given", where=name, remedy="drop it")
    no_file = SimpleNamespace(format="jsonl", filled=[], place=None, asked=None)
    patterns = patterns_of(replace(given, data=no_file), Shape("character", False))
    found = {name: value for name, value in given.verb_options().items() if name != "reference"}
    return {**found, "patterns": patterns, "implausible": None}


def _refused(given: JsonValues) -> list[str]:
    if given["method"] not in METHODS:
        raise BadInput(
            "on Spark each sequence is sanitized by itself: this method weighs letters by all",
            where="method",
            remedy=f"use {', '.join(METHODS)}",
        )
    for name in REFUSED:
        if given[name] is not None:
            raise BadInput("on Spark it cannot be given", where=name, remedy="drop it")
    if given["shuffle"]:
        raise BadInput("on Spark nothing is shuffled", where="shuffle", remedy="drop it")
    patterns = given["patterns"]
    listed = isinstance(patterns, Sequence) and not isinstance(patterns, str)
    if not listed or not all(isinstance(one, str) for one in patterns):
        raise BadInput("on Spark patterns are listed texts", where="patterns", remedy="give a list")
    if given["collection"] is False:
        raise BadInput("a frame is a collection", where="collection", remedy="drop it")
    if given["method"] != "delete" and len({*map(len, patterns), given["length"]} - {None}) > 1:
        raise BadInput(
            "on Spark patterns have one length", where="patterns", remedy="give them by length"
        )
    return list(patterns)


def _sanitized(texts: Cells, sent: Any) -> tuple[Cells, list[str], JsonObject]:
    """The texts of a batch without the patterns, and what was measured."""
    marked, options, changes = sent.value
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = sanitize(texts, marked, **options)
    loss = {name: made.loss[name] for name in ("length_change", "separators")}
    if options["method"] == "etfs":
        loss["edit_distance"] = made.loss["edit_distance"]
    present = [one for one in set(marked) if any(one in text for text in texts if text)]
    measured = {
        "present": present,
        **made.counts,
        **{f"loss:{name}": value for name, value in loss.items()},
    }
    marks = [""] * len(texts)
    if changes:
        written = explained(filled(texts), filled(made.data), made.changes, "sanitize")
        marks = marks_of(len(texts), written)
    return made.data, marks, measured
