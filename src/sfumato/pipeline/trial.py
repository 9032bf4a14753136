"""A policy tried before it runs: its files read, its columns found, its stages on a few records.

What a verb says of a parameter, a list or a record it cannot use is told by its place in the
policy. That a few records have too few people is no problem of the policy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from .. import formats
from ..core.errors import BadInput, CannotBeMet, NotInstalled
from ..formats.form import form_of
from .begun_texts import can_write
from .inputs import beside, read_input, read_table, require_left
from .plan import size_of
from .stages import call, found_spans, recognizer_name
from .steps import RunContext, is_table, steps_of
from .table_stage import call_on_table
from .verbs import takes_table
from .yaml_places import yaml_path

if TYPE_CHECKING:
    from pathlib import Path

    from ..core.spans import Span
    from ..formats import Source
    from .policy import Policy, PolicyFile
    from .steps import Step

WHOLE = 64 << 20  # of larger inputs the first part is looked at
FIRST = 4
KEY = b"the key of a trial, and of no release"

T = TypeVar("T")


def try_policy(written: PolicyFile) -> None:
    """Refuses what the run would refuse; the place is that of the policy.

    Cost: the input is read once for each text column.
    """
    policy, context = written.policy, RunContext(written, KEY)
    columns: list[str | None] = [None]
    if policy.input.columns is not None:
        columns = list(policy.input.columns)
    given: dict[str | None, Source] = {}
    if policy.input.columns is not None or not all(
        takes_table(stage.verb) for stage in policy.stages
    ):
        given = {column: _read(written, column, number) for number, column in enumerate(columns)}
    if policy.recognizer is not None:
        _at(["recognizer"], lambda: _recognizer(context))
    _check_reviews(context, given)
    if given and not any(takes_table(stage.verb) for stage in policy.stages):
        names = next(iter(given.values())).columns
        require_left(written, beside(names, policy.input.columns or []))
    for step in steps_of(policy):
        _require_mask(step, policy)
        if step.takes_table:
            look = partial(_try_table, step, context)
        else:
            look = partial(_try, step, given[step.column], context)
        _at(["stages", step.number], look)


def _at(place: Sequence[object], look: Callable[[], T]) -> T:
    """Does something; what is wrong with it is told by the place in the policy."""
    try:
        return look()
    except (BadInput, NotInstalled) as problem:
        where, inside = yaml_path(list(place)), problem.where
        if inside is not None and inside != place[-1]:
            where += f".{inside}" if inside.isidentifier() else f", {inside}"
        raise type(problem)(problem.problem, where=where, remedy=problem.remedy) from None


def _read(written: PolicyFile, column: str | None, number: int) -> Source:
    """A column of the input, or of its first part where it is large."""
    given = written.policy.input
    place = ["input", "path"] if column is None else ["input", "columns", number]
    path = written.path(given.path)
    if size_of(path) > WHOLE and formats.streams(str(path), given.read_as):
        return _at(place, lambda: _first_part(written.policy, path, column))
    if given.person is not None and form_of(given.read_as).format in ("events", "xes"):
        return _at(place, lambda: read_input(written, path, column))  # events are people's
    nobody = written.policy.model_copy(update={"input": given.model_copy(update={"person": None})})
    source = _at(place, lambda: read_input(replace(written, policy=nobody), path, column))
    if given.person is None:
        return source
    return _at(["input", "person"], lambda: read_input(written, path, column))


def _first_part(policy: Policy, path: Path, column: str | None) -> Source:
    chunks = formats.read_chunks(
        path,
        text_column=column,
        group_column=policy.input.person,
        format=policy.input.read_as,
        encoding=policy.input.encoding,
    )
    return next(iter(chunks))


def _recognizer(context: RunContext) -> None:
    from ..recognizers import spans_of

    spans_of(recognizer_name(context), ["a text"], None)


def _check_reviews(context: RunContext, given: dict[str | None, Source]) -> None:
    """Spans of people must be those of the input's texts; a large input is not read for that."""
    from ..recognizers.gold import gold_of, read_path

    policy, written = context.written.policy, context.written
    if not given or size_of(written.path(policy.input.path)) > WHOLE:
        return
    if policy.spans is not None and not is_table(policy):
        for source in given.values():
            _at(["spans"], partial(found_spans, source, context))
    if policy.evaluation is not None:
        named, first = policy.evaluation.gold, next(iter(given.values()))
        path, texts = written.path(named), first.filled
        read = partial(read_path, path, texts, first.members, named)
        _at(["evaluation", "gold"], lambda: gold_of(read(), texts))


def _require_mask(step: Step, policy: Policy) -> None:
    """Refuses a mark that the release could not be written with."""
    mask = getattr(policy.stages[step.number], "mask", None) or ""  # several may be listed
    if not all(can_write(one, policy.input.encoding) for one in mask):
        raise BadInput(
            f"{policy.input.encoding}, the input's encoding, lacks this character",
            where=yaml_path(["stages", step.number, "mask"]),
            remedy="choose another mask, for instance '*', or convert the input to UTF-8",
        )


def _try(step: Step, source: Source, context: RunContext) -> None:
    """A stage on the first records."""
    few = source.part(range(min(FIRST, len(source.texts))))

    def spans() -> list[Span]:
        return [] if context.written.policy.spans is not None else found_spans(few, context)

    try:
        call(step, few, spans, context)
    except CannotBeMet:
        return


def _try_table(step: Step, context: RunContext) -> None:
    """`anonymize` on the first rows, whose terms are none."""
    written = context.written
    path = written.path(written.policy.input.path)
    frame = read_table(path, written)
    try:
        call_on_table(step, frame.head(FIRST), (), context, lambda texts, context: [])
    except CannotBeMet:
        return
