"""What a desk can be asked; every task gets the project's folder and what is allowed."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core import memo
from ..core.errors import BadInput
from ..pipeline.policy import as_yaml
from . import columns as column_choices
from . import explain, guessing, policies, preview_answers, previews, reading, reviewing
from .arriving import unfolded
from .places import POLICY, SCHEMA, about, write_about
from .reading import InputLimits, opened

if TYPE_CHECKING:
    from ..core.values import Data, JsonObject

SHOWN = 400  # symbols of a cell in the table


def look(project: Path, allowed: InputLimits) -> dict[str, object]:
    """What the input is: its kind, its size, its columns with what is proposed for each."""
    unfolded(project, allowed)
    given = opened(project, allowed)
    told: JsonObject = {"kind": given.kind, "rows": given.rows, "columns": None}
    if given.frame is not None:
        told["columns"] = about(project).get("columns") or column_choices.described(given.frame)
    else:
        assert given.source is not None
        told["format"] = given.source.format
        told["symbols"] = sum(map(len, given.source.filled))
    if not (project / POLICY).exists():
        _begin(project, given, told["columns"])
    return told


def _begin(project: Path, given: Any, columns: list[JsonObject] | None) -> None:
    """A first policy, and for a table a first schema."""
    if columns is not None:
        _keep_columns(project, columns, given.frame)
    policies.save(project, as_yaml(policies.begun(project, columns)))


def _keep_columns(project: Path, columns: list[JsonObject], frame: Data) -> None:
    column_choices.save_schema(project, columns, frame)
    write_about(project, {**about(project), "columns": columns})


def choose(project: Path, allowed: InputLimits, columns: list[JsonObject]) -> dict[str, object]:
    """Keeps what was chosen for every column, and begins the policy anew from it."""
    given = opened(project, allowed)
    if given.frame is None:
        raise BadInput("the input has no columns", where="columns")
    before = policies.told(project)["stated"] if (project / POLICY).exists() else None
    _keep_columns(project, columns, given.frame)
    stated = policies.begun(project, columns)
    if before is not None:
        stated = _with_earlier(stated, before)
    return policies.save_stated(project, stated)


def _with_earlier(stated: JsonObject, before: JsonObject) -> JsonObject:
    """The new stages with the settings that stages of the same verbs had."""
    earlier = {stage["verb"]: stage for stage in before["stages"]}
    stages = []
    for stage in stated["stages"]:
        old = dict(earlier.get(stage["verb"], {}))
        old.pop("columns", None)
        stages.append({**stage, **old})
    kept: dict[str, object] = {
        name: before[name]
        for name in ("attacks", "sweep", "seed", "publish", "recognizer", "spans")
        if name in before and not (name == "recognizer" and "spans" in before)
    }
    if "spans" in kept:
        stated.pop("recognizer", None)
    return {**stated, **kept, "stages": stages}


def rows(project: Path, allowed: InputLimits, start: int, count: int) -> JsonObject:
    """Some rows of the input, long cells cut."""
    given = opened(project, allowed)
    low, high = max(0, start), max(0, start) + min(count, 500)
    if given.frame is not None:
        part = given.frame[low:high]
        cells = [[_short(cell) for cell in row] for row in part.iter_rows()]
        return {"start": low, "columns": given.frame.columns, "rows": cells}
    assert given.source is not None
    if given.kind == "text":  # one text in lines of a screen's width
        text = given.source.filled[0]
        blocks = [text[at : at + SHOWN] for at in range(low * SHOWN, high * SHOWN, SHOWN)]
        return {"start": low, "columns": ["text"], "rows": [[one] for one in blocks if one]}
    texts = given.source.texts[low:high]
    return {"start": low, "columns": ["text"], "rows": [[_short(text)] for text in texts]}


def _short(value: object) -> str | None:
    from .reading import cell

    text = cell(value)
    return text if text is None or len(text) <= SHOWN else text[:SHOWN] + "…"


def policy(project: Path, allowed: InputLimits) -> JsonObject:
    """The policy as it stands."""
    return {**policies.told(project), "state": previews.state_of(project)}


def save_policy(
    project: Path,
    allowed: InputLimits,
    text: str | None = None,
    stated: JsonObject | None = None,
) -> dict[str, object]:
    """Keeps a policy: its text, or its values."""
    if stated is not None:
        return policies.save_stated(project, stated)
    return policies.save(project, str(text))


def preview(
    project: Path, allowed: InputLimits, known: str | None = None, stated: Any = None
) -> dict[str, object]:
    """What the policy does to a sample; `stated` is a policy that is not kept yet."""
    text = None
    if stated is not None:
        text = as_yaml(policies.with_claims(stated))
    return preview_answers.shown(previews.previewed(project, allowed, text), known)


def verdicts(project: Path, allowed: InputLimits, stated: Any = None) -> list[JsonObject]:
    """The verdicts on the sample."""
    text = None if stated is None else as_yaml(policies.with_claims(stated))
    return preview_answers.verdicts_of(previews.previewed(project, allowed, text))


def guessed(project: Path, allowed: InputLimits, stated: Any = None) -> JsonObject:
    """What a reader could still fill in of the sample's stars."""
    text = None if stated is None else as_yaml(policies.with_claims(stated))
    return guessing.guessed(previews.previewed(project, allowed, text))


def reason(
    project: Path,
    allowed: InputLimits,
    column: str,
    document: int,
    start: int,
    stop: int,
    stated: Any = None,
) -> JsonObject:
    """Why a place of the sample was changed."""
    text = None if stated is None else as_yaml(policies.with_claims(stated))
    found = previews.previewed(project, allowed, text)
    return explain.explained(found, column or None, document, start, stop)


def places(project: Path, allowed: InputLimits) -> JsonObject:
    """What is recognised, the most doubtful first, and what was decided of it."""
    return reviewing.places(project)


def text(project: Path, allowed: InputLimits, document: int) -> str:
    """One document of the reviewed column."""
    return reviewing.text_of(project, document)


def decide(project: Path, allowed: InputLimits, decisions: list[JsonObject]) -> dict[str, object]:
    """Keeps what a person decided."""
    return reviewing.save(project, decisions)


def forget(project: Path, allowed: InputLimits) -> None:
    """Lets go of a wiped project's texts."""
    previews.forget(project)
    reviewing.forget(project)
    reading.forget(project)
    memo.forget()
    gc.collect()


def schema(project: Path, allowed: InputLimits) -> str:
    """The schema's text."""
    return (project / SCHEMA).read_text("utf-8")


_TASKS = (
    *(look, choose, rows, policy, save_policy, preview, verdicts, guessed, reason, schema),
    *(places, text, decide, forget),
)
TASKS: dict[str, Callable[..., Any]] = {one.__name__: one for one in _TASKS}
