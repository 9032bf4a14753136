"""`suppress` on Spark: what it takes, what it refuses, and its release."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..core.corpus import Corpus
from ..core.errors import BadInput, CannotBeMet
from ..core.options import check_k, check_run, may_stand_in_text
from ..core.release import Release, Sides
from ..core.spans import Changes
from ..formats.source import filled
from ..kernels import text
from ..methods.substrings.claims import GUESS, claims_of, not_protected
from ..methods.substrings.options import already_masked, checked
from ..methods.substrings.suppress import suppress
from .marks import marks_of
from .spark import MARKS, with_documents, with_texts
from .spark_exchange import SparkExchange, blocks_of
from .spark_faults import guarded
from .suppress import starred

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..core.method import MethodInput
    from ..core.values import JsonObject, JsonValues
    from .spark import SparkEngine
    from .values import Blocks, Frame, Records, State

OPTIONS = (
    *("count", "unit", "align", "min_run", "run_price", "cover", "keep", "mask", "collapse"),
    *("strict", "guess", "reach", "knows", "common", "copies"),
)
COUNTED = ("documents", "symbols", "separators_blanked", "documents_all_starred")
LOST = ("suppressed", "runs", "rounds")


def run(engine: SparkEngine, given: JsonValues) -> Release | dict[int, Release]:
    """The release of a frame, or one for each k."""
    frame, groups = given["texts"], given["groups"]
    _refuse(frame, groups, given)
    ks = check_k(given["k"])
    parameters = checked(Corpus([], []), groups, **{name: given[name] for name in OPTIONS})
    _refuse_options(parameters, given)
    check_run(None, given["seed"], given["progress"])
    parameters["seed"] = given["seed"]
    column = engine.text_of(frame, *([] if groups is None else [groups]))
    whole = with_documents(engine, frame)
    parts = engine.parts_for(frame, column)
    exchange = SparkExchange(engine.session.sparkContext, parts)
    occurrences = parameters["count"] == "occurrences"
    rows = exchange.each(
        blocks_of(engine, whole, [column], groups, parts),
        lambda state: _row(state, column, occurrences),
    )
    exchange.keep(rows)
    totals = exchange.total(rows, lambda state: _measured(state, parameters))
    _require(totals, ks[-1], parameters)
    releases = {}
    progress, changes = given["progress"], engine.changes
    if parts == 1:
        options = {name: given[name] for name in (*OPTIONS, "seed")}
        options["count"] = parameters["count"]
        made = _in_one_task(exchange, rows, ks, options, changes=changes)
    else:
        made = starred(
            exchange, rows, ks, parameters, progress, changes=changes, most=engine.gathered
        )
    for k, rounds, blocks in made:
        exchange.keep(blocks)
        found = exchange.total(blocks, lambda state: state["measured"])
        data = with_texts(engine, whole, column, blocks)
        releases[k] = _release(
            engine,
            given,
            {"k": k, **parameters},
            data,
            {"rounds": rounds, **totals, **found},
            column,
        )
    engine.kept.extend(exchange.kept)
    if progress is not None:
        progress("suppress", 1.0)
    return releases if isinstance(given["k"], Sequence) else releases[ks[0]]


def _in_one_task(
    exchange: SparkExchange, rows: Blocks, ks: list[int], options: JsonObject, *, changes: bool
) -> Iterator[tuple[int, int, Blocks]]:
    """The same as `starred` where all documents are one block: the verb itself takes them."""

    def worked(some: Records) -> Records:
        for b, state in some:
            with warnings.catch_warnings():  # they are told of the whole
                warnings.simplefilter("ignore")
                found = suppress(state["texts"], k=ks, groups=_groups(state, options), **options)
            for k, made in found.items():
                shown = {"ids": state["ids"].tolist(), "texts": made.data, "k": k}
                if changes:
                    shown["marks"] = marks_of(len(made.data), made.changes)
                yield b, {**shown, "measured": _measures_of(made)}

    every = exchange.keep(rows.mapPartitions(guarded(worked), preservesPartitioning=True))
    for k in ks:
        yield k, 0, every.filter(lambda one, k=k: one[1]["k"] == k)


def _groups(state: State, options: JsonObject) -> list[int] | None:
    return state["labels"].tolist() if options["count"] == "groups" else None


def _measures_of(made: Release) -> dict[str, int]:
    """What `starred` measures of a block."""
    counted = {name: made.counts[name] for name in COUNTED if name in made.counts}
    lost = {name: int(made.loss[name]) for name in LOST if name in made.loss}
    return {**counted, **lost}


def arguments(given: MethodInput[Any]) -> JsonObject:
    """What the command of `suppress` was given."""
    found = given.verb_options()
    if "guess" not in given.stated:
        found["guess"] = GUESS
    return found


def _refuse(frame: Frame, groups: Any, given: JsonValues) -> None:
    if groups is not None and (not isinstance(groups, str) or groups not in frame.columns):
        raise BadInput(
            "expected the name of a column", where="groups", remedy="name a column of the frame"
        )
    for name, what in (
        ("public", "public texts"),
        ("memory", "an amount of memory"),
        ("spans", "spans"),
    ):
        if given[name] is not None:
            raise BadInput(f"on Spark {what} cannot be given", where=name, remedy="drop it")


def _refuse_options(parameters: JsonObject, given: JsonValues) -> None:
    if parameters.get("knows") is not None:
        raise BadInput("sets of words are not counted on Spark", where="knows", remedy="drop it")
    if parameters["copies"] == "once":
        raise BadInput("'once' does not run on Spark", where="copies", remedy="drop it, or engine")
    if parameters["strict"] and parameters["guess"] is None:
        raise BadInput(
            "on Spark it is counted against a reader", where="strict", remedy="give guess"
        )
    if parameters["unit"] == "word" and parameters["guess"] is None:
        raise BadInput(
            "words are counted against a reader on Spark", where="unit", remedy="give guess"
        )
    if parameters["cover"].startswith("word"):
        raise BadInput(
            "this cover does not run on Spark", where="cover", remedy="use cover='fewest'"
        )


def _row(state: State, column: str, occurrences: bool) -> State:
    return {
        "ids": state["ids"],
        "texts": filled(state[column]),
        "labels": None if occurrences else state["labels"],
        "people": int(state["labels"].max(initial=-1)) + 1,
        "nameless": state["nameless"],
    }


def _measured(state: State, parameters: JsonObject) -> dict[str, int]:
    """What is counted of a block before anything is done."""
    texts, mask = state["texts"], parameters["mask"]
    refused = 0
    if may_stand_in_text(mask):
        masked = already_masked(Corpus(texts, texts), mask)
    else:
        masked = 0
        try:
            already_masked(Corpus(texts, texts), mask)
        except BadInput:
            refused = 1
    words = 0
    if parameters["count"] == "occurrences" and "word" in (parameters["unit"], parameters["cover"]):
        words = int(text.token_starts(texts, "word").words.sum())
    return {
        "documents": len(texts),
        "symbols": sum(map(len, texts)),
        "people": state["people"],
        "nameless": state["nameless"],
        "already_masked": masked,
        "refused": refused,
        "words": words,
    }


def _require(totals: dict[str, int], k: int, parameters: JsonObject) -> None:
    if totals["nameless"]:
        raise BadInput(
            "a document has no group", where="groups", remedy="give it a label of its own"
        )
    if totals["refused"]:
        raise BadInput(
            "a text already contains the mask, or a part of one that overlaps itself",
            where="mask",
            remedy="choose another mask",
        )
    if not totals["symbols"]:
        return
    found, what = totals["people"], parameters["count"]
    if what == "groups":
        what = "people"
    elif what == "occurrences":
        by_word = parameters["unit"] == "word"
        found, what = (totals["words"], "words") if by_word else (totals["symbols"], "symbols")
        if by_word and not found:
            return
    if found < k:
        raise CannotBeMet(
            f"{found} {what} cannot be {k}-anonymous",
            where="k",
            remedy=f"give a smaller k or more {what}",
        )


def _release(
    engine: SparkEngine,
    given: JsonValues,
    parameters: JsonObject,
    data: Frame,
    found: dict[str, int],
    column: str,
) -> Release:
    symbols, suppressed = found["symbols"], found["suppressed"]
    counts = {"documents": found["documents"], "symbols": symbols}
    if parameters["guess"] is not None:
        counts |= {name: found[name] for name in ("separators_blanked", "documents_all_starred")}
    if found["already_masked"]:
        counts["already_masked"] = found["already_masked"]
    if parameters["count"] == "groups":
        counts["groups"] = found["people"]
    told: tuple[str, ...] = ()
    if suppressed and suppressed + found["already_masked"] == symbols:
        told = (f"nothing occurs often enough for k={parameters['k']}: every symbol is starred",)
    if found["already_masked"]:
        told += (f"the input already has {found['already_masked']} symbols equal to the mask",)
    for one in told:
        warnings.warn(one, stacklevel=5)
    return Release(
        verb="suppress",
        data=data.drop(MARKS),
        claims=claims_of(parameters, spans=False),
        changes=Changes.of([]),
        loss={
            **({"rounds": found["rounds"]} if parameters["strict"] else {}),
            "suppressed": suppressed,
            "unsuppressed_ratio": 1 - suppressed / symbols if symbols else 1.0,
            "runs": found["runs"],
        },
        parameters=parameters,
        counts=counts,
        not_protected=not_protected(parameters),
        warnings=told,
        sides=Sides(
            input=given["texts"],
            groups=given["groups"],
            marks=data if engine.changes else None,
            engine=replace(engine, text_column=column),
        ),
    )
