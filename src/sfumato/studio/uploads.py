"""Files that arrive: counted while they come, kept under names of the studio's own."""

from __future__ import annotations

import asyncio
import os
import shutil
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from ..core.errors import BadInput
from . import receiving
from .places import ARRIVING, KEY, POLICY, SCHEMA, about, own_name, private, write_about

if TYPE_CHECKING:
    from fastapi import Request

    from ..core.values import JsonObject
    from .settings import Limits

RECEIVED = ("release", "original")
_ROLES = "input folder terms direct patterns ontology rules spans gold key hierarchy public"
ROLES = tuple(_ROLES.split())
DRAINED = 4 << 30  # bytes that are read of what is refused
FREE = 1 << 30  # bytes of the disk that are left alone
EXAMPLES = {"clinic": "clinic.csv"}
FOLDER = "texts"


class TooLarge(BadInput):
    """More was sent than is allowed."""


_arriving: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()


async def take(request: Request, project: Path, name: str, role: str, limits: Limits) -> str:
    """Keeps an uploaded file; returns the studio's name for it. One at a time of a project."""
    async with _arriving.setdefault(str(project), asyncio.Lock()):
        return await _take(request, project, name, role, limits)


async def _take(request: Request, project: Path, name: str, role: str, limits: Limits) -> str:
    told = about(project)
    received = told["kind"] == "received"
    if role not in (RECEIVED if received else ROLES):
        raise BadInput(f"expected one of {', '.join(ROLES)}", where="role")
    have = sum(one["size"] for one in told["files"].values())
    place = receiving.place_of if received else None
    kept, path = place(project, name, role) if place else _place(project, told, name, role, limits)
    temporary = project / f"{ARRIVING}{os.urandom(8).hex()}"
    size, refused = 0, None
    try:
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            async for block in request.stream():
                size += len(block)
                refused = refused or _no_room(have + size, project, limits)
                if refused is None:
                    stream.write(block)
                elif size > DRAINED:
                    break
        if refused is not None:
            raise refused
        if not size and role not in ("folder", "release"):
            raise BadInput("the file is empty", where="file", remedy="give one with content")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    told = about(project)
    told["files"][kept] = {"name": name[:200], "role": role, "size": size}
    if role in ("input", "folder"):
        told["input"] = FOLDER if role == "folder" else kept
        told["name"] = told["name"] or name[:200]
        _begin_anew(project, told)
    write_about(project, told)
    return kept


def _place(
    project: Path, told: JsonObject, name: str, role: str, limits: Limits
) -> tuple[str, Path]:
    """The studio's name for a file, and where it goes; files of a folder get numbers."""
    if role == "key":
        return KEY, project / KEY
    if role != "folder":
        kept = own_name(name, role)
        return kept, project / kept
    several = [one for one in told["files"].values() if one["role"] == "folder"]
    if len(several) >= limits.files:
        raise TooLarge(f"a folder of more than {limits.files:,} files", where="folder")
    suffix = own_name(name, "text").split(".", 1)[1]
    inside = f"{len(several) + 1:06d}.{suffix}"
    return f"{FOLDER}/{inside}", private(project / FOLDER) / inside


def _no_room(size: int, project: Path, limits: Limits) -> TooLarge | None:
    """Why no more is taken; the rest is still read, so that the sender can read the answer."""
    if size > limits.upload:
        return TooLarge(
            f"a project's files may have {limits.upload >> 20:,} MB together",
            where="file",
            remedy="give less, or use the command line, which reads it in parts",
        )
    if shutil.disk_usage(project).free < FREE:
        return TooLarge("the disk is nearly full", where="file", remedy="wipe old projects")
    return None


def _begin_anew(project: Path, told: JsonObject) -> None:
    """Another input has other columns: what was chosen for the last one is gone."""
    told.pop("columns", None)
    told.pop("format", None)
    for name in (POLICY, SCHEMA, "review.jsonl", "decisions.json"):
        (project / name).unlink(missing_ok=True)


def example(project: Path, name: str) -> None:
    """Puts an example of the package into a project."""
    if name not in EXAMPLES:
        raise BadInput(f"expected one of {', '.join(EXAMPLES)}", where="example")
    kept = EXAMPLES[name]
    with as_file(files("sfumato.examples")) as folder:
        shutil.copyfile(folder / kept, project / kept)
    (project / kept).chmod(0o600)
    told = about(project)
    size = (project / kept).stat().st_size
    told["files"][kept] = {"name": kept, "role": "input", "size": size}
    told |= {"input": kept, "name": kept}
    write_about(project, told)
