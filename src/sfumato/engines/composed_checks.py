"""Claims of several stages, judged on Spark on the text that is released in the end.

What a claim says of one document at a time is judged document by document, by the code that judges
it on one machine (`verification.composed_claims`). Every stage's own text and changes stand in one
row. What is counted in all texts together can be claimed by the last stage only.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..claims import find
from ..core.claims import Verdict
from ..core.printed_form import by_sizes
from ..core.release import Release, Sides
from ..formats.source import filled
from ..verification.composed_claims import StageVerdict, Step, judge_after
from ..verification.trace import Trace
from .document_checks import LISTS, placed
from .marks import changes_in
from .spark import MARKS, ROW, by_parts, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..core.values import Data, JsonObject, JsonValues
    from .spark import SparkEngine
    from .values import Batch, Frame


@dataclass(frozen=True, slots=True, eq=False)
class TakenStep:
    """A stage on one column as Spark took it: its release, and the verdicts on it by itself."""

    name: str
    release: Release
    """`sides.marks` is the frame with its texts and changes, by row."""
    changed: int
    """In how many places it changed a text."""
    own: Sequence[Verdict]

    __repr__ = by_sizes


@dataclass(slots=True)
class ComposedVerdicts:
    """What was found of the stages of one column together."""

    verdicts: list[StageVerdict] = field(default_factory=list)
    symbols: int = 0
    changed: int = 0
    """How many symbols of the original do not stand in the final text."""

    __repr__ = by_sizes


@dataclass(frozen=True, slots=True)
class _StagesAsked:
    """What every worker is told: the stages without their data, and which claims to judge."""

    names: tuple[str, ...]
    releases: tuple[tuple[str, Any, Any, JsonObject], ...]
    claims: tuple[tuple[int, int], ...]

    __repr__ = by_sizes


def judge_composed(
    engine: SparkEngine, original: Data, column: str, steps: Sequence[TakenStep]
) -> ComposedVerdicts:
    """The claims of the stages of a column on the final text, in the order of stages."""
    found = ComposedVerdicts()
    waiting: dict[tuple[int, int], int] = {}
    for number, step in enumerate(steps):
        for at, verdict in enumerate(step.own):
            judged = _at_once(steps, number, verdict)
            if judged is None:
                waiting[number, at] = len(found.verdicts)
                judged = StageVerdict(number, verdict)
            found.verdicts.append(judged)
    asked = _asked(steps, tuple(waiting))
    sent = engine.session.sparkContext.broadcast(asked)
    rows = by_parts(
        _side_by_side(engine, original, column, steps),
        lambda batches: _judged(batches, sent.value),
        "found string",
    )
    joined: dict[tuple[int, int], StageVerdict] = {}
    for row in rows.toLocalIterator():
        told = json.loads(row[0])
        found.symbols += told["symbols"]
        found.changed += told["changed"]
        for (number, at), one in zip(asked.claims, told["verdicts"], strict=True):
            *values, broken = one
            here = StageVerdict(number, Verdict(steps[number].own[at].claim, *values), broken)
            known = joined.get((number, at))
            joined[number, at] = here if known is None else _joined(known, here)
    for key, place in waiting.items():
        if key in joined:
            own = steps[key[0]].own[key[1]]
            found.verdicts[place] = _of_whole(joined[key], own)
    return found


def _at_once(steps: Sequence[TakenStep], number: int, verdict: Verdict) -> StageVerdict | None:
    """The verdict where no document must be looked at again; None: each must."""
    if not verdict.holds:
        return StageVerdict(number, verdict, number)
    known, later = find(verdict.claim.name), steps[number + 1 :]
    if known is not None and known.survives == "own-stage" and later:
        return StageVerdict(number, replace(verdict, claim=known.after_others(verdict.claim)))
    if not any(one.changed for one in later):
        return StageVerdict(number, verdict)
    if known is not None and known.survives == "recount":
        why = "on Spark it is counted after its own stage only, and a later one changed the text"
        last = next(i for i, one in enumerate(later, number + 1) if one.changed)
        return StageVerdict(number, Verdict(verdict.claim, False, why), last)
    return None


def _asked(steps: Sequence[TakenStep], claims: tuple[tuple[int, int], ...]) -> _StagesAsked:
    releases = []
    for one in steps:
        given = ((name, getattr(one.release.sides, name)) for name in LISTS)
        lists = {name: None if value is None else list(value) for name, value in given}
        masks = {"mask": one.release.parameters.get("mask", "")}
        releases.append((one.release.verb, one.release.claims, masks, lists))
    return _StagesAsked(tuple(one.name for one in steps), tuple(releases), claims)


def _side_by_side(
    engine: SparkEngine, original: Data, column: str, steps: Sequence[TakenStep]
) -> Frame:
    """The original text of every row with the text and the changes of each stage."""
    functions = engine.functions
    both = original.select(ROW, functions.col(quoted(column)).alias("t0"))
    for i, one in enumerate(steps, 1):
        text = functions.col(quoted(column)).alias(f"t{i}")
        marks = functions.col(MARKS).alias(f"m{i}")
        frame: Data = one.release.sides.marks
        both = both.join(frame.select(ROW, text, marks), ROW, "full")
    return both


def _judged(batches: Iterable[Batch], asked: _StagesAsked) -> Iterator[Batch]:
    """The verdicts on every batch of documents."""
    import pyarrow as pa

    for batch in batches:
        if not batch.num_rows:
            continue
        cells = {name: batch.column(i).to_pylist() for i, name in enumerate(batch.schema.names)}
        steps, before = list[Step](), filled(cells["t0"])
        for i, (name, (verb, claims, parameters, lists)) in enumerate(
            zip(asked.names, asked.releases, strict=True), 1
        ):
            release = Release(
                verb=verb,
                data=filled(cells[f"t{i}"]),
                claims=claims,
                changes=changes_in(cells[f"m{i}"]),
                loss={},
                parameters=parameters,
                sides=Sides(**lists),
            )
            steps.append(Step(name, steps[-1].release.data if steps else before, release))
        told: list[tuple[object, ...]] = []
        for number, at in asked.claims:
            known = Verdict(steps[number].release.claims[at], True)
            found = judge_after(steps, number, known)
            one = found.verdict
            where = placed(one.where, cells[ROW])
            told.append((one.holds, one.reason, where, one.measured, found.broken_by))
        lost = {
            "verdicts": told,
            "symbols": sum(map(len, before)),
            "changed": _changed(steps),
        }
        yield pa.RecordBatch.from_pydict({"found": [json.dumps(lost)]})


def _changed(steps: Sequence[Step]) -> int:
    """How many symbols of the original do not stand in the final text."""
    traces = [Trace() for _ in steps[0].texts]
    for step in steps:
        for i in set(step.release.changes.documents.tolist()):
            traces[i] = traces[i].then(step.release.changes.of_document(i))
    return sum(piece.stop - piece.start for one in traces for piece in one.pieces)


def _joined(one: StageVerdict, other: StageVerdict) -> StageVerdict:
    """Two parts as one: it holds if both do; of two that do not, the first stage is told."""
    if one.verdict.holds and other.verdict.holds:
        measured: JsonObject = dict(one.verdict.measured)
        more: JsonValues = other.verdict.measured
        for name, value in more.items():
            measured[name] = measured.get(name, 0) + value
        return replace(one, verdict=replace(one.verdict, measured=measured))
    failed = [part for part in (one, other) if not part.verdict.holds]
    return min(failed, key=lambda part: part.broken_by or 0)


def _of_whole(found: StageVerdict, own: Verdict) -> StageVerdict:
    """What batches found of a claim, as the whole says it."""
    known = find(own.claim.name)
    verdict = found.verdict
    if verdict.holds and known is not None and known.survives == "only-hidden":
        verdict = replace(own, measured={**own.measured, **verdict.measured})
    return replace(found, verdict=verdict)
