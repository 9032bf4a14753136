"""Receive: a release that somebody gave us, its files as they were listed, every claim judged."""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import BadInput, NotVerified
from ..pipeline.verify import judged
from ..received.folder import SUMS
from ..received.inputs import Inputs
from .places import about, own_name, private
from .reading import require_unpacked

if TYPE_CHECKING:
    from ..core.progress import Progress
    from ..core.values import JsonObject
    from .reading import InputLimits

FOLDER, PRIVATE = "release", "release.private"
_SEGMENT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9 _.,()+@★-]{0,120}")
DEEPEST, MOST = 8, 5_000


def inside(name: str) -> list[str]:
    """The path that a file of a release folder has there: plain segments, nothing else.

    The folder's own name, which comes first where a folder was dropped, is left out.

    >>> inside("release/data/notes.jsonl"), inside("SHA256SUMS")
    (['data', 'notes.jsonl'], ['SHA256SUMS'])
    >>> inside("release/../../etc/passwd")
    Traceback (most recent call last):
        ...
    sfumato.core.errors.BadInput: release: a file of it has a name that is not taken here; ...
    """
    parts = [part for part in name.split("/") if part]
    if not parts or len(parts) > DEEPEST or not all(map(_SEGMENT.fullmatch, parts)):
        raise BadInput(
            "a file of it has a name that is not taken here",
            where="release",
            remedy="use sfumato verify",
        )
    known = ("certificate.json", "policy.yaml", "report.html", "schema.yaml", SUMS, "data")
    return parts if len(parts) == 1 or parts[0] in known else parts[1:]


def place_of(project: Path, name: str, role: str) -> tuple[str, Path]:
    """Where a file of a received release goes."""
    if role == "original":
        kept = own_name(name, "original")
        private(project / "original")
        return f"original/{kept}", project / "original" / kept
    parts = inside(name)
    folder = private(project / FOLDER)
    for part in parts[:-1]:
        folder = private(folder / part)
    return "/".join((FOLDER, *parts)), folder / parts[-1]


def work(
    project: Path,
    results: Path,
    allowed: InputLimits,
    progress: Progress,
    text_column: str | None = None,
    group_column: str | None = None,
) -> JsonObject:
    """Judges a received release with what was given."""
    release = _unpacked(project, allowed)
    names = [name for name in about(project)["files"] if name.startswith("original/")]
    original = str(project / names[-1]) if names else None
    certificate = None
    if not (release / SUMS).is_file() and not (release / "certificate.json").is_file():
        release, certificate = _single(release)
    given = Inputs(
        release=str(release),
        original=original,
        certificate=certificate,
        text_column=text_column or None,
        group_column=group_column or None,
    )
    progress("judging", 0.2)
    try:
        found = judged(given)
    except NotVerified as problem:
        where = None if problem.where is None else Path(problem.where).name
        return {"holds": False, "problem": problem.problem, "where": where, "verdicts": []}
    return {
        "holds": found.holds and bool(found.verdicts),
        "verdicts": [
            {
                "claim": one.claim.name,
                "statement": one.claim.statement,
                "holds": one.holds,
                "reason": one.reason,
            }
            for one in found.verdicts
        ],
        "not_judged": [{"claim": name, "reason": why} for name, why in found.not_judged],
        "with_original": original is not None,
        "is_folder": certificate is None,
    }


def _single(folder: Path) -> tuple[Path, Path]:
    """A released file and its certificate."""
    listed = [path for path in folder.rglob("*") if path.is_file()]
    certificates = [path for path in listed if path.name.endswith("certificate.json")]
    others = [path for path in listed if path not in certificates]
    if len(certificates) != 1 or len(others) != 1:
        raise BadInput(
            "is no release",
            where="release",
            remedy="drop the whole folder, its zip, or one file with its certificate",
        )
    return others[0], certificates[0]


def _unpacked(project: Path, allowed: InputLimits) -> Path:
    """The release folder; an archive of it is unpacked first."""
    folder = project / FOLDER
    if not folder.is_dir():
        raise BadInput("no release was given", where="release", remedy="drop its folder")
    listed = [path for path in folder.rglob("*") if path.is_file()]
    if len(listed) != 1 or listed[0].suffix != ".zip":
        return folder
    require_unpacked(listed[0], allowed.unpacked)
    target = project / "unpacked"
    shutil.rmtree(target, ignore_errors=True)
    private(target)
    try:
        with zipfile.ZipFile(listed[0]) as archive:
            members = [one for one in archive.infolist() if not one.is_dir()]
            if len(members) > MOST:
                raise BadInput(f"has more than {MOST:,} files", where="release")
            for one in members:
                parts = inside(one.filename)
                path = target.joinpath(*parts)
                private(path.parent)
                with archive.open(one) as stream, path.open("wb") as out:
                    shutil.copyfileobj(stream, out)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, OSError):
        raise BadInput(
            "the archive is damaged or protected", where="release", remedy="drop the folder"
        ) from None
    return target
