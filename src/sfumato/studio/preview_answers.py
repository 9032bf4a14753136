"""A preview as the page draws it: changes, cells, classes, and the verdicts on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..core.errors import BadInput
from ..pipeline import chains
from ..pipeline.inputs import original_table
from ..pipeline.steps import is_table
from ..pipeline.verdicts import verdicts as judged
from ..verification.trace import Trace
from .reading import cell

if TYPE_CHECKING:
    import polars as pl

    from ..core.values import JsonObject
    from ..pipeline.policy import PolicyFile
    from ..pipeline.steps import StageResult
    from .previews import PolicyPreview


def shown(found: PolicyPreview, known: str | None = None) -> JsonObject:
    """A preview as the page draws it; texts that the page has (`known`) are not sent again."""
    told: JsonObject = {
        "sample": found.sample,
        "documents": found.documents,
        "total": found.total,
        "is_all": found.is_all,
        "rows": _row_order(found),
        "columns": {},
        "changed": {},
        "people": _people(found),
        "stages": [stage.verb for stage in found.written.policy.stages],
    }
    for column in text_columns(found):
        mine = chains.of_column(found.done, column)
        changes = changes_of(mine)
        size = sum(map(len, mine[0].source.filled))
        lost = sum(change[2] - change[1] for change in changes)
        name = column or ""
        told["changed"][name or "text"] = lost / size if size else 0.0
        told["columns"][name] = changes
    if is_table(found.written.policy):
        told["cells"] = _cells(found)
        told["classes"] = _classes(found)
    if known != found.sample:
        told["before"] = _before(found)
    return told


def text_columns(found: PolicyPreview) -> list[str | None]:
    """The columns of texts: those with stages of their own, and those of the schema."""
    place = chains.table_at(found.done)
    named = [] if place is None else found.done[place].release.sides.of_table.schema.texts
    return list(dict.fromkeys([*chains.columns_of(found.done), *named]))


def changes_of(mine: Sequence[StageResult]) -> list[list[Any]]:
    """The changes of a column, from the first text to the last: document, start, stop, what
    stands there now, and the number of the last stage that wrote there.
    """
    if len(mine) == 1:  # as most are: nothing is to be followed
        of, number = mine[0].release.changes, mine[0].step.number
        where = of.documents.tolist(), of.starts.tolist(), of.stops.tolist()
        return [[*one, number] for one in zip(*where, of.replacements, strict=True)]
    result = []
    traces = [Trace() for _ in mine[0].source.texts]
    written: list[dict[tuple[int, int], int]] = [{} for _ in traces]
    for one in mine:
        changes = one.release.changes
        for document in dict.fromkeys(changes.documents.tolist()):
            here, trace = list(changes.of_document(document)), traces[document]
            for change in here:
                place = change.start, change.stop
                if trace.pieces:
                    place = trace.origin(*place)
                written[document][place] = one.step.number
            traces[document] = trace.then(here)
    for document, trace in enumerate(traces):
        places = sorted(written[document].items())
        at = 0
        for piece in trace.pieces:
            while at < len(places) and places[at][0][1] <= piece.start:
                at += 1
            stages = [
                number
                for (start, stop), number in places[at:]
                if start < piece.stop and piece.start < stop
            ]
            stage = max(stages, default=mine[-1].step.number)
            result.append([document, piece.start, piece.stop, piece.text, stage])
    return result


def _row_order(found: PolicyPreview) -> list[int] | None:
    """For a table: which of the sampled rows each released one is."""
    place = chains.table_at(found.done)
    return None if place is None else found.done[place].release.sides.of_table.rows.tolist()


def _people(found: PolicyPreview) -> int | None:
    source = found.done[0].source
    return None if source.groups is None else len(set(source.groups))


def _cells(found: PolicyPreview) -> dict[str, list[str | None]]:
    """The released cells of the columns that hold no texts."""
    table = chains.final_table(found.done)
    texts = {*text_columns(found), *(found.written.policy.input.columns or [])}
    return {
        name: [cell(value) for value in table[name].to_list()]
        for name in table.columns
        if name not in texts
    }


def _classes(found: PolicyPreview) -> list[int]:
    place = chains.table_at(found.done)
    assert place is not None
    numbers: list[int] = found.done[place].release.sides.of_table.classes.tolist()
    return numbers


def _before(found: PolicyPreview) -> dict[str, list[str | None]]:
    """The original cells of the chosen documents."""
    policy = found.written.policy
    if policy.input.columns is None and not is_table(policy):
        return {"": list(found.done[0].source.texts)}
    frame = _frame(found.written)
    if frame is None:
        names = policy.input.columns or []
        return {name: list(chains.of_column(found.done, name)[0].source.texts) for name in names}
    few = frame[found.documents]
    return {name: [cell(value) for value in few[name].to_list()] for name in few.columns}


def _frame(written: PolicyFile) -> pl.DataFrame | None:
    try:
        return original_table(written)
    except BadInput:  # a workbook, say: its cells are read column by column
        return None


def verdicts_of(found: PolicyPreview) -> list[dict[str, object]]:
    """The verdicts on the final data, step by step."""
    return [
        {
            "step": found.done[number].step.name,
            "claim": one.verdict.claim.name,
            "statement": one.verdict.claim.statement,
            "holds": one.verdict.holds,
            "reason": one.verdict.reason,
        }
        for number, some in judged(found.done).items()
        for one in some
    ]
