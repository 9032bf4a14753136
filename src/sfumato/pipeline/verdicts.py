"""The claims of a run, judged on the data that is released in the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..core.errors import NotVerified
from ..formats.source import placed
from ..verification import composed_claims, composed_records, verify
from . import chains
from .stages import shape_of
from .withdraw import marks_of

if TYPE_CHECKING:
    from ..core.claims import Verdict
    from ..core.release import Release
    from ..core.values import Data
    from .steps import StageResult, TakenStage


def judge_results(done: Sequence[StageResult]) -> dict[int, list[composed_claims.StageVerdict]]:
    """The verdicts on the final data, by step; raises where a claim does not hold."""
    found = verdicts(done)
    for judged in (one for some in found.values() for one in some):
        _require(judged, done)
    return found


def verdicts(done: Sequence[StageResult]) -> dict[int, list[composed_claims.StageVerdict]]:
    """The verdicts on the final data, by step."""
    found: dict[int, list[composed_claims.StageVerdict]] = {
        number: [] for number in range(len(done))
    }
    table = chains.table_at(done)
    if table is not None:
        found[table] = _of_table(done, table)
    for column in chains.columns_of(done):
        numbers = chains.numbers_of(done, column)
        for judged in _of_column(done, column, numbers):
            step, broken = numbers[judged.step], judged.broken_by
            broken = None if broken is None else numbers[broken]
            found[step].append(composed_claims.StageVerdict(step, judged.verdict, broken))
    return found


def _of_column(
    done: Sequence[StageResult], column: str | None, numbers: Sequence[int]
) -> list[composed_claims.StageVerdict]:
    """Every stage as it took and gave, then its claims on what is released of its documents."""
    mine = chains.of_column(done, column)
    steps = [judged_step(one) for one in mine]

    def check(number: int, before: object, release: Release) -> list[Verdict]:
        whole = done[numbers[number]]
        if whole.step.takes_table or mine[number] is whole:
            return verify(before, release)
        return verify(*judged_step(whole).taken_and_given())

    return composed_claims.judge_stages(steps, check)


def _of_table(done: Sequence[StageResult], table: int) -> list[composed_claims.StageVerdict]:
    """The claims of `anonymize` on the table as it is released."""
    taken = done[table]
    frame = taken.release.sides.input
    alone = composed_records.judge_table(frame, taken.release, {})
    if len(done) == table + 1 or not all(one.holds for one in alone):
        return [
            composed_claims.StageVerdict(table, one, None if one.holds else table) for one in alone
        ]
    final = _table_after(frame, taken, done[table + 1 :])
    breaker = len(done) - 1
    if not all(one.holds for one in final):
        ends = range(table + 2, len(done))
        broken = (
            end - 1
            for end in ends
            if not all(one.holds for one in _table_after(frame, taken, done[table + 1 : end]))
        )
        breaker = next(broken, breaker)
    return [
        composed_claims.StageVerdict(table, one, None if one.holds else breaker) for one in final
    ]


def _table_after(frame: Data, taken: StageResult, later: Sequence[StageResult]) -> list[Verdict]:
    traced = {
        str(column): chains.traces([one for one in later if one.step.column == column])
        for column in dict.fromkeys(one.step.column for one in later)
    }
    return composed_records.judge_table(frame, taken.release, traced, *marks_of(later))


def judged_step(one: StageResult) -> composed_claims.Step:
    """A step as verification takes it."""
    shape, source = shape_of(one.step), one.source
    taken = None
    if shape is not None:
        taken = lambda texts: shape.sequences(replace(source, texts=list(texts)))  # noqa: E731
    is_table = one.step.takes_table
    dropped = is_table and bool(one.release.counts.get("dropped"))
    return composed_claims.Step(one.step.name, source.data, one.release, taken, is_table, dropped)


def _require(judged: composed_claims.StageVerdict, done: Sequence[StageResult]) -> None:
    with placed(done[judged.step].source):
        require(judged, done)


def require(judged: composed_claims.StageVerdict, done: Sequence[TakenStage]) -> None:
    """Refuses a release of which a claim does not hold, and says which stage broke it."""
    verdict = judged.verdict
    if verdict.holds:
        return
    name = f"{verdict.claim.name} of {done[judged.step].step.name}"
    if judged.broken_by in (None, judged.step):
        raise NotVerified(
            f"{name} does not hold: {verdict.reason}; nothing was written", where=verdict.where
        )
    assert judged.broken_by is not None
    raise NotVerified(
        f"{name} held after its own stage and is broken by {done[judged.broken_by].step.name}: "
        f"{verdict.reason}; nothing was written",
        where=verdict.where,
        remedy="put the stage that breaks it first, or take one of the two out",
    )
