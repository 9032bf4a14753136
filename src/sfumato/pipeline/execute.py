"""One loop over the steps of a policy, whatever keeps their results: a folder, or memory.

The store also calls the verb: on the whole input, on a sample, or on the part that was read.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from ..formats.source import placed
from . import withdraw
from .chains import moved_spans
from .steps import reporter, table_place
from .table_stage import call_on_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence, Set

    import polars as pl

    from ..core.release import Release
    from ..core.spans import Span
    from ..formats import Source
    from .steps import RunContext, StageResult, Step


class Store(Protocol):
    """Where results of steps stand while a policy is executed."""

    def texts(self, column: str | None, done: Sequence[StageResult]) -> Source:
        """A column as the steps so far left it."""
        ...

    def table(self, done: Sequence[StageResult]) -> pl.DataFrame:
        """The table as the steps so far left it."""
        ...

    def recognized(self, column: str | None, context: RunContext) -> list[Span]:
        """What the policy's recognizer finds in the original texts of a column."""
        ...

    def terms_in(self, documents: list[str], context: RunContext) -> list[Span]:
        """What it finds in the original texts of the table, row by row."""
        ...

    def released(
        self, step: Step, source: Source, spans: Callable[[], list[Span]], context: RunContext
    ) -> tuple[Release, list[str]]:
        """The verb's release of a column, and its texts."""
        ...

    def keep_texts(
        self,
        step: Step,
        source: Source,
        done: Sequence[StageResult],
        make: Callable[[], tuple[Release, list[str]]],
    ) -> StageResult:
        """The result of a step on texts, made unless it is there."""
        ...

    def keep_table(
        self,
        step: Step,
        frame: pl.DataFrame,
        done: Sequence[StageResult],
        make: Callable[[], Release],
        withdrawn: Set[withdraw.Term] = frozenset(),
    ) -> StageResult:
        """The result of the table's step without these terms, made unless it is there."""
        ...


def execute(steps: Sequence[Step], store: Store, context: RunContext) -> list[StageResult]:
    """Takes every step in order; where one takes the table, until its classes show terms alike."""
    place = table_place(steps)
    before = _on_texts(steps[:place], [], store, context)
    return before if place is None else _through_table(steps, place, before, store, context)


def _on_texts(
    steps: Sequence[Step], before: Sequence[StageResult], store: Store, context: RunContext
) -> list[StageResult]:
    """The results so far, and those of further steps on the texts of columns."""
    done = list(before)
    for step in steps:
        here = _reporting(step, context)
        done.append(_on_column(step, done, store, here))
        if here.progress is not None:
            here.progress("done", 1.0)
    return done


def _on_column(
    step: Step, done: Sequence[StageResult], store: Store, context: RunContext
) -> StageResult:
    """The result of a step on the texts of its column."""
    source = store.texts(step.column, done)

    def spans() -> list[Span]:
        return moved_spans(store.recognized(step.column, context), done, step.column)

    def make() -> tuple[Release, list[str]]:
        with placed(source):
            return store.released(step, source, spans, context)

    return store.keep_texts(step, source, done, make)


def _through_table(
    steps: Sequence[Step],
    place: int,
    before: list[StageResult],
    store: Store,
    context: RunContext,
) -> list[StageResult]:
    """Takes the table's step and the rest, until every class shows each of its terms alike.

    A term that the rest starred or wrote otherwise for one person becomes its entity type for the
    whole class, and the rest is taken again. Every turn withdraws a term, so that this ends.
    """
    step, here = steps[place], _reporting(steps[place], context)
    frame = store.table(before)
    gone: frozenset[withdraw.Term] = frozenset()
    first = table = store.keep_table(
        step, frame, before, lambda: call_on_table(step, frame, before, here, store.terms_in)
    )
    while True:
        done = _on_texts(steps[place + 1 :], [*before, table], store, context)
        more = withdraw.parted(table.release, done[place + 1 :])
        if more <= gone:
            return done
        gone |= more
        table = store.keep_table(
            step, frame, before, partial(withdraw.applied, first.release, frame, gone), gone
        )


def _reporting(step: Step, context: RunContext) -> RunContext:
    """The context with the progress of one step."""
    name = f"{step.number + 1}/{len(context.written.policy.stages)} {step.stage.verb}"
    return replace(context, progress=reporter(context.progress, name))
