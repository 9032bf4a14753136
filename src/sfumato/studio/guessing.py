"""What a reader could still fill in: the stars of a preview that the words beside them give away.

The reader is verification's (docs/reader.md). Where a stage names none, the usual one reads.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.claims import Claim
from ..pipeline import chains
from ..verification.labels import group_labels
from ..verification.reader import HOLE, filled
from ..verification.trace import Trace
from .preview_answers import changes_of, text_columns

if TYPE_CHECKING:
    from ..core.values import JsonObject
    from ..pipeline.steps import StageResult
    from .previews import PolicyPreview

    Place = tuple[int, int, int, str]

STARS = ("★", "*")
GUESS = 0.5  # of the usual reader


def guessed(found: PolicyPreview) -> JsonObject:
    """For each text column what is filled in: document, start, stop, and what is read there.

    Places are those of the preview's changes; `guess` is the reader's.
    """
    told: JsonObject = {"columns": {}, "guess": GUESS}
    for column in text_columns(found):
        mine = chains.of_column(found.done, column)
        starring = [i for i, one in enumerate(mine) if _hidden(one)]
        told["columns"][column or ""] = []
        if starring:
            told["guess"] = _guess(mine[starring[-1]])
            read = _read(mine[starring[-1]])
            told["columns"][column or ""] = _followed(mine, starring[-1], read)
    return told


def _guess(one: StageResult) -> float:
    named = getattr(one.step.stage, "guess", None)
    return GUESS if named is None else float(named)


def _masks(one: StageResult) -> set[str]:
    return {*STARS, str(one.release.parameters.get("mask") or "★")}


def _hidden(one: StageResult) -> list[Any]:
    """The changes of a stage that put masks and nothing else."""
    masks = _masks(one)
    return [change for change in one.release.changes if set(change.replacement or " ") <= masks]


def _read(one: StageResult) -> list[Place]:
    """What is filled in of a stage's stars: places of its input. Cost: O(n log n)."""
    texts = one.source.filled
    hole = next((symbol for symbol in HOLE if not any(symbol in text for text in texts)), None)
    if hole is None:
        return []
    breaks = {ord(mask): hole for mask in _masks(one) if len(mask) == 1}
    whole = [text.translate(breaks) for text in texts]
    shown = [list(text) for text in whole]
    hidden = _hidden(one)
    for change in hidden:
        shown[change.document][change.start : change.stop] = hole * (change.stop - change.start)
    public = list(one.release.sides.public or [])
    parameters = {
        "guess": _guess(one),
        "mask": hole,
        "keep": "",
        "collapse": any(len(change.replacement) != change.stop - change.start for change in hidden),
        "public": bool(public),
    }
    claim = Claim("substring-k-anonymity", "", parameters)
    read = filled(claim, whole, ["".join(text) for text in shown], _labels(one), public)
    found = []
    for change in hidden:
        now = read[change.document][change.start : change.stop]
        if now.replace(hole, ""):  # a blank too: what stands between two words hides nothing
            found.append((change.document, change.start, change.stop, now.replace(hole, "★")))
    return found


def _labels(one: StageResult) -> Any:
    source = one.source
    if source.is_single:
        return None
    if source.groups is None:
        return np.arange(len(source.texts), dtype=np.int32)
    return group_labels(source.groups, len(source.texts))


def _followed(mine: Sequence[StageResult], at: int, read: Sequence[Place]) -> list[list[object]]:
    """What is read, at the places of the column's changes from the first text to the last."""
    pieces: dict[int, list[list[Any]]] = {}
    for one in changes_of(mine):
        pieces.setdefault(one[0], []).append(one)
    traces: dict[int, Trace] = {}
    found: dict[tuple[int, int, int], list[str]] = {}
    for document, start, stop, text in read:
        if document not in traces:
            traces[document] = Trace()
            for before in mine[:at]:
                trace = traces[document].then(before.release.changes.of_document(document))
                traces[document] = trace
        low, high = traces[document].origin(start, stop)
        here = pieces.get(document, [])
        place = bisect_right(here, low, key=lambda one: one[1]) - 1
        for one in here[max(0, place) : place + 2]:
            if one[1] < high and low < one[2]:
                found.setdefault((document, one[1], one[2]), []).append(text)
                break
    return [[*place, " … ".join(texts)] for place, texts in found.items()]
