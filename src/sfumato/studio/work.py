"""What jobs do: run a policy, try it on everything, judge it, learn from review, receive."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..pipeline.run import run as run_policy
from . import judging, learning, policies, preview_answers, previews, receiving
from .places import write_private

if TYPE_CHECKING:
    from ..core.progress import Progress
    from ..core.values import JsonObject
    from .reading import InputLimits

RELEASE, ZIP, TRIED = "release", "release.zip", "tried.sqlite"
STEP = 200  # documents in a row of the kept preview
EARLIEST = (1980, 1, 1, 0, 0, 0)  # of files in a zip archive: no time of the run is told


def run(project: Path, results: Path, allowed: InputLimits, progress: Progress) -> JsonObject:
    """Runs the policy on the whole data: the same call, and the same bytes, as `sfumato run`."""
    written, state = policies.read(project), previews.state_of(project)
    policies.require_runnable(written)
    outcome = run_policy(
        written, output=results / RELEASE, overwrite=True, streamed=None, progress=progress
    )
    pack(outcome.folder, results / ZIP)
    stated = outcome.told
    return {
        "claims": stated["claims"],
        "verdicts": stated["verdicts"],
        "demanded": stated["demanded"],
        "warnings": stated["warnings"],
        "loss": outcome.figures["loss"],
        "attacks": outcome.figures.get("attacks", []),
        "files": listed(outcome.folder),
        "resumed": outcome.reused,
        "state": state,
    }


def listed(folder: Path) -> list[JsonObject]:
    """The files of a release folder, by their paths there."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return [
        {"name": path.relative_to(folder).as_posix(), "size": path.stat().st_size} for path in found
    ]


def pack(folder: Path, target: Path) -> None:
    """The release folder as one archive, the same bytes each time."""
    temporary = target.with_name(f".{target.name}")
    with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                name = f"{folder.name}/{path.relative_to(folder).as_posix()}"
                about = zipfile.ZipInfo(name, EARLIEST)
                about.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(about, path.read_bytes())
    temporary.replace(target)


def attempt(
    project: Path, results: Path, allowed: InputLimits, progress: Progress
) -> dict[str, object]:
    """Takes the policy through the whole data, to look at: nothing is released."""
    found = previews.taken_whole(policies.read(project), progress)
    shown = preview_answers.shown(found)
    progress("checking", 0.9)
    judged = preview_answers.verdicts_of(found)
    _keep(results / TRIED, shown)
    return {
        "documents": len(found.documents),
        "people": shown["people"],
        "changed": shown["changed"],
        "verdicts": judged,
    }


def _keep(path: Path, shown: JsonObject) -> None:
    """The preview of everything, in parts that a page can ask for."""
    path.unlink(missing_ok=True)
    write_private(path, b"")
    base = sqlite3.connect(path)
    with base:
        base.execute("create table parts (number integer primary key, content text)")
        order = shown["rows"] or list(range(len(shown["documents"])))
        changes: dict[str, dict[int, list[object]]] = {}
        for column, some in shown["columns"].items():
            by: dict[int, list[object]] = {}
            for one in some:
                by.setdefault(one[0], []).append(one[1:])
            changes[column] = by
        for number, at in enumerate(range(0, len(order), STEP)):
            some = range(at, min(at + STEP, len(order)))
            part = [_document(shown, changes, i, order[i]) for i in some]
            base.execute("insert into parts values (?, ?)", (number, json.dumps(part)))
    base.close()


def _document(shown: JsonObject, changes: Any, at: int, row: int) -> dict[str, object]:
    """One released document: its cells before and after, and the changes of its texts."""
    return {
        "document": shown["documents"][row],
        "before": {name: cells[row] for name, cells in shown["before"].items()},
        "changes": {column: by.get(at, []) for column, by in changes.items()},
        "cells": {name: cells[at] for name, cells in shown.get("cells", {}).items()},
        "class": shown["classes"][at] if "classes" in shown else None,
    }


def parts_of(results: Path, number: int) -> list[JsonObject]:
    """A part of what was tried on everything."""
    base = sqlite3.connect(f"file:{results / TRIED}?mode=ro", uri=True)
    try:
        row = base.execute("select content from parts where number = ?", (number,)).fetchone()
    finally:
        base.close()
    return [] if row is None else json.loads(row[0])


WORK: dict[str, Callable[..., JsonObject]] = {
    "run": run,
    "try": attempt,
    "judge": judging.work,
    "learn": learning.work,
    "receive": receiving.work,
}


def asked_of(kind: str) -> set[str]:
    """The arguments that a kind of job takes of whoever asks for it.

    >>> asked_of("run"), sorted(asked_of("receive"))
    (set(), ['group_column', 'text_column'])
    """
    return set(signature(WORK[kind]).parameters) - {"project", "results", "allowed", "progress"}
