"""Why a place was changed: who shares the stretch, a word's ladder, the members of a class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..pipeline import chains
from .reading import cell

if TYPE_CHECKING:
    from ..core.values import JsonObject
    from ..pipeline.steps import StageResult
    from .previews import PolicyPreview

MOST = 8
SHORT = 60  # symbols of a stretch that is shown


def explained(
    found: PolicyPreview, column: str | None, document: int, start: int, stop: int
) -> dict[str, object]:
    """What changed at a place of the original, stage by stage, and why.

    `document` counts the released documents of the sample.
    """
    mine = chains.of_column(found.done, column)
    text = mine[0].source.filled[document]
    told: JsonObject = {"stretch": _cut(text[start:stop]), "reasons": []}
    for one in mine:
        for change in one.release.changes.of_document(document):
            low, high = _origin(mine, one, document, change.start, change.stop)
            if low < stop and start < high:
                told["reasons"].append(_reason(found, mine, one, change, document, low, high))
                break
    return told


def _origin(
    mine: Sequence[StageResult], one: StageResult, document: int, start: int, stop: int
) -> tuple[int, int]:
    """Where a stretch that a stage took stands in the original."""
    from ..verification.trace import Trace

    trace = Trace()
    for before in mine[: mine.index(one)]:
        trace = trace.then(before.release.changes.of_document(document))
    return trace.origin(start, stop)


def _reason(
    found: PolicyPreview,
    mine: Sequence[StageResult],
    one: StageResult,
    change: Any,
    document: int,
    low: int,
    high: int,
) -> dict[str, object]:
    verb = one.release.verb
    text = mine[0].source.filled[document][low:high]
    told: dict[str, object] = {"stage": one.step.number, "verb": verb, "wrote": change.replacement}
    tell: Callable[..., list[str]] = WORDS.get(verb, _said)
    told["words"] = tell(found, mine, one, change, document, text)
    return told


def _said(
    found: object, mine: object, one: Any, change: Any, document: int, text: str
) -> list[str]:
    return [f"{one.release.verb}: {change.reason}"] if change.reason else []


def _suppressed(
    found: PolicyPreview,
    mine: Sequence[StageResult],
    one: StageResult,
    change: Any,
    document: int,
    text: str,
) -> list[str]:
    """How many people share the stretch, alone and with the words beside it."""
    taken, groups = one.source.filled, one.source.groups
    k = getattr(one.step.stage, "k", None)
    here = taken[document]
    what = "people" if groups is not None else "documents"
    stretch = here[change.start : change.stop]
    left = here.rfind(" ", 0, max(0, change.start - 1)) + 1
    right = here.find(" ", change.stop + 1)
    wide = here[left : right if right >= 0 else len(here)]
    said = [
        f"“{_cut(stretch)}” stands in the texts of {_sharers(stretch, taken, groups):,} {what}."
    ]
    if wide != stretch:
        said.append(
            f"With the words beside it, “{_cut(wide)}”, of {_sharers(wide, taken, groups):,}."
        )
    if k is not None:
        said.append(f"Legible stays what {k} or more {what} share.")
    if change.reason:
        said.append(f"Why it was starred: {change.reason}.")
    return said


def _sharers(stretch: str, texts: Sequence[str], groups: Sequence[str] | None) -> int:
    having = [i for i, text in enumerate(texts) if stretch in text]
    return len(having) if groups is None else len({groups[i] for i in having})


def _generalized(
    found: PolicyPreview,
    mine: Sequence[StageResult],
    one: StageResult,
    change: object,
    document: int,
    text: str,
) -> list[str]:
    """The ladder from a word to what is more general."""
    from ..ontologies import read_ontology, wordnet

    stage: object = one.step.stage
    named = getattr(stage, "ontology", None)
    known = wordnet() if named is None else read_ontology(found.written.path(named))
    senses = known.senses(text)
    if not senses:
        return [f"“{_cut(text)}” is no word of the ontology."]
    path = known.path(senses[0])
    ladder = [known.words(node)[0] for node in path if known.words(node)][:MOST]
    return ["more and more general: " + " → ".join(ladder)]


def _anonymized(
    found: PolicyPreview,
    mine: Sequence[StageResult],
    one: StageResult,
    change: Any,
    document: int,
    text: str,
) -> list[str]:
    """The class, and what its members have in this column."""
    place = chains.table_at(found.done)
    assert place is not None
    told = members(found, document)
    wrote = change.replacement
    return [
        f"This record's class has {told['people']:,} people and {len(told['rows']):,} records.",
        f"They do not all have “{_cut(text)}”, so that all show “{_cut(wrote)}”.",
    ]


def members(found: PolicyPreview, document: int) -> JsonObject:
    """The records of a released record's class, as they were."""
    place = chains.table_at(found.done)
    assert place is not None
    sides = found.done[place].release.sides.of_table
    same = [i for i, one in enumerate(sides.classes.tolist()) if one == sides.classes[document]]
    rows = [int(sides.rows[i]) for i in same]
    frame = found.done[place].release.sides.input
    texts = set(sides.schema.texts)
    names = [name for name in frame.columns if name not in texts][:MOST]
    shown = [[cell(frame[name][row]) for name in names] for row in rows[:MOST]]
    people = len({int(sides.person_of_row[i]) for i in same})
    return {"people": people, "rows": rows, "columns": names, "members": shown}


def _cut(text: str) -> str:
    return text if len(text) <= SHORT else text[: SHORT - 1] + "…"


WORDS: dict[str, Callable[..., list[str]]] = {
    "suppress": _suppressed,
    "generalize": _generalized,
    "anonymize": _anonymized,
}
