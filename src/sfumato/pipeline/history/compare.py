"""A release and earlier ones: more is hidden where they need it, and all are judged together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...core.corpus import Corpus
from ...received.folder import SUMS
from .. import chains
from ..inputs import read_input
from ..stages import file_digest
from ..store import texts_result
from . import adapt, classes, joint_disclosure, read_earlier

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...core.values import JsonObject
    from ..result_folder import ResultFolder
    from ..steps import RunContext, StageResult


def with_earlier(
    previous: Sequence[str | Path],
    done: list[StageResult],
    context: RunContext,
    results: ResultFolder,
) -> tuple[list[StageResult], list[JsonObject]]:
    """Takes earlier releases into account: hides more where they need it, judges all together."""
    if not previous:
        return done, []
    if chains.table_at(done) is not None:
        return done, classes.together(previous, done)
    sources = {one.step.column: one.source for one in reversed(done)}
    found = [read_earlier.read(path, sources, context.key) for path in previous]
    sums = [file_digest(Path(path) / SUMS) for path in previous]
    sums += [one.name for some in found for one in some.values() if one.aligned is not None]
    result, told, changed = list(done), [], set()
    for column in dict.fromkeys(one.step.column for one in done):
        mine = [number for number, one in enumerate(done) if one.step.column == column]
        before = [one[column] for one in found if column in one]
        if not before:
            continue
        first = joint_disclosure.Column.of([done[number] for number in mine], before)
        after = adapt.adapted(first)
        if after.done[-1] is not first.done[-1]:
            result[mine[-1]] = after.done[-1]
            changed.add(mine[-1])
        told.append(joint_disclosure.told(after))
    return _filed_again(result, changed, sums, context, results), told


def _filed_again(
    done: list[StageResult],
    changed: set[int],
    previous: Sequence[str],
    context: RunContext,
    results: ResultFolder,
) -> list[StageResult]:
    """The steps with releases that were changed after they were taken, as the shelf has them.

    A step's file holds the columns of all steps before it: those after a changed one are written
    again, or the last file would still show what the change hid.
    """
    written, name = context.written, context.written.input_name
    result = list(done)
    for number in range(min(changed, default=len(done)), len(done)):
        one = done[number]
        path = written.path(written.policy.input.path)
        if number:
            path = results.data(result[number - 1].key, name)
        source = read_input(written, path, one.step.column)
        key, texts = adapt.key_of(one, previous), Corpus.of(one.release.data).texts
        if number in changed and not results.has(key):
            results.keep_texts(key, name, source, one.release, texts)
        elif not results.has(key):
            results.keep_as(one.key, key, name, source, texts)
        result[number] = texts_result(one.step, source, results, key, context, fresh=True)
    return result
