"""A policy tried before it runs: its files read, its columns found, its stages on a few records.

What a verb says of a parameter, a list or a record it cannot use is told by its place in the
policy. That a few records have too few people is no problem of the policy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from .. import formats
from ..core.errors import BadInput, CannotBeMet, NotInstalled
from . import tables
from .plan import size_of
from .policy import yaml_path
from .run import read_input
from .stages import Setting, call, found_spans, recogniser_name, steps_of

if TYPE_CHECKING:
    from pathlib import Path

    from ..core.spans import Span
    from ..formats import Source
    from .policy import Policy, Written
    from .stages import Step

WHOLE = 64 << 20  # of larger inputs the first part is looked at
FIRST = 4
KEY = b"the key of a trial, and of no release"

T = TypeVar("T")


def check(written: Written) -> None:
    """Refuses what the run would refuse; the place is that of the policy.

    Cost: the input is read once for each text column.
    """
    policy, setting = written.policy, Setting(written, KEY)
    columns: list[str | None] = [None]
    if policy.input.columns is not None:
        columns = list(policy.input.columns)
    given: dict[str | None, Source] = {}
    if policy.input.columns is not None or any(s.verb != "anonymize" for s in policy.stages):
        given = {column: _read(written, column, number) for number, column in enumerate(columns)}
    if policy.recognizer is not None:
        _at(["recognizer"], lambda: _recogniser(setting))
    _check_reviews(setting, given)
    for step in steps_of(policy):
        if step.stage.verb == "anonymize":
            look = partial(_try_table, step, setting)
        else:
            look = partial(_try, step, given[step.column], setting)
        _at(["stages", step.number], look)


def _at(place: Sequence[Any], look: Callable[[], T]) -> T:
    """Does something; what is wrong with it is told by the place in the policy."""
    try:
        return look()
    except (BadInput, NotInstalled) as problem:
        where, inside = yaml_path(list(place)), problem.where
        if inside is not None and inside != place[-1]:
            where += f".{inside}" if inside.isidentifier() else f", {inside}"
        raise type(problem)(problem.problem, where=where, remedy=problem.remedy) from None


def _read(written: Written, column: str | None, number: int) -> Source:
    """A column of the input, or of its first part where it is large."""
    given = written.policy.input
    place = ["input", "path"] if column is None else ["input", "columns", number]
    path = written.path(given.path)
    if size_of(path) > WHOLE and formats.streams(str(path), given.read_as):
        return _at(place, lambda: _first_part(written.policy, path, column))
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


def _recogniser(setting: Setting) -> None:
    from ..recognizers import spans_of

    spans_of(recogniser_name(setting), ["a text"], None)


def _check_reviews(setting: Setting, given: dict[str | None, Source]) -> None:
    """Spans of people must be those of the input's texts; a large input is not read for that."""
    from ..recognizers import review

    policy, written = setting.written.policy, setting.written
    if not given or size_of(written.path(policy.input.path)) > WHOLE:
        return
    if policy.spans is not None and not tables.is_table(policy):
        for source in given.values():
            _at(["spans"], partial(found_spans, source, setting))
    if policy.evaluation is not None:
        path = policy.evaluation.gold
        texts = [text or "" for text in next(iter(given.values())).texts]
        content = written.path(path).read_bytes()
        _at(["evaluation", "gold"], lambda: review.read(content, texts, path))


def _try(step: Step, source: Source, setting: Setting) -> None:
    """A stage on the first records."""
    groups = None if source.groups is None else source.groups[:FIRST]
    few = replace(source, texts=source.texts[:FIRST], groups=groups)

    def spans() -> list[Span]:
        return [] if setting.written.policy.spans is not None else found_spans(few, setting)

    try:
        call(step, few, spans, setting)
    except CannotBeMet:
        return


def _try_table(step: Step, setting: Setting) -> None:
    """`anonymize` on the first rows, whose terms are none."""
    written = setting.written
    path = written.path(written.policy.input.path)
    frame = tables.read_table(path, written)
    try:
        tables.called(step, frame.head(FIRST), (), setting, lambda texts: [])
    except CannotBeMet:
        return
