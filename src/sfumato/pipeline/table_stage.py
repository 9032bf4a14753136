"""`anonymize` as a stage: a table in, a table out, its texts open to stages before and after."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..core.method import released as verb_released
from ..formats.source import filled
from ..formats.table import table
from ..methods import method
from ..schema.frames import column_texts
from . import withdraw
from .chains import traces
from .stages import given_to, recognized, recognizer_name
from .verbs import options_in, takes_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import polars as pl

    from ..core.release import Release
    from ..core.spans import Span
    from ..schema import Schema
    from .steps import RunContext, StageResult, Step

    Find = Callable[[list[str], RunContext], list[Span]]


def schema_of(context: RunContext) -> Schema:
    """The policy's schema, with what its stage says of own values."""
    from ..schema import as_schema

    policy = context.written.policy
    assert policy.schema_file is not None
    schema = as_schema(context.written.path(policy.schema_file))
    stages = [stage for stage in policy.stages if takes_table(stage.verb)]
    asked = next((options_in(stage).own_values for stage in stages), None) or schema.own_values
    asked = asked or ("words" if policy.spans is None else "dropped")
    return schema.model_copy(update={"own_values": asked})


def call_on_table(
    step: Step,
    frame: pl.DataFrame,
    before: Sequence[StageResult],
    context: RunContext,
    find: Find,
) -> Release:
    """The verb's release of a table, whose texts earlier steps may have changed.

    `find` finds terms in the original texts of the table, row by row.
    """
    given = given_to(
        step,
        table(frame),
        context,
        schema=schema_of(context),
        recognizer=_spans(frame, before, context, find),
    )
    _, releases = verb_released(method(step.stage.verb), given)
    (release,) = releases.values()
    return release


def _spans(
    frame: pl.DataFrame,
    before: Sequence[StageResult],
    context: RunContext,
    find: Find,
) -> str | list[Span] | None:
    """The recogniser's name, or places of the texts (document = row x columns + column).

    What earlier steps changed is looked for in the original, where a recogniser can read it, and
    taken where it stands now; a term of which nothing is legible any more is none.
    """
    policy, texts = context.written.policy, schema_of(context).texts
    if policy.spans is None and not before:
        return recognizer_name(context) if policy.recognizer is not None else None
    now = [column_texts(frame, name) for name in texts]
    first = {one.step.column: one.source.texts for one in reversed(before)}
    columns = [first.get(name, now[index]) for index, name in enumerate(texts)]
    documents = filled(text for row in zip(*columns, strict=True) for text in row)
    traced = [traces([one for one in before if one.step.column == name]) for name in texts]
    masks = "".join(withdraw.marks_of(before))
    result = []
    for span in find(documents, context):
        row, index = divmod(span.document, len(texts))
        start, stop = span.start, span.stop
        if traced[index]:
            start, stop = traced[index][row].image(start, stop)
        if any(symbol not in masks for symbol in now[index][row][start:stop]):
            result.append(replace(span, start=start, stop=stop))
    return result


def terms_in(documents: list[str], context: RunContext) -> list[Span]:
    """What the policy's recogniser finds, else the schema's."""
    policy = context.written.policy
    if policy.spans is not None or policy.recognizer is not None:
        return recognized(documents, context)
    from ..methods.records.places import schema_recognizer
    from ..recognizers import spans_of

    return spans_of(schema_recognizer(schema_of(context)), documents, context.progress)
