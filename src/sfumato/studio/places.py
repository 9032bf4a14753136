"""The private folder: projects and their files, under names of the studio's own."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import BadInput
from ..formats.kinds import SUFFIXES as READ
from ..formats.temporary import lock_now

if TYPE_CHECKING:
    from ..core.values import JsonObject

PROJECT, POLICY, SCHEMA, KEY, REVIEW = (
    *("project.json", "release.yaml", "schema.yaml", "key", "review.jsonl"),
)
DAY = 86400.0
_ID = re.compile(r"[a-z0-9]{16}")
_STEM = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,47}")
_KNOWN = "yaml yml model obo ttl rdf seq patterns"  # lists, models and hierarchies
SUFFIXES = frozenset((*_KNOWN.split(), *READ))
PACKED = ("gz", "zst", "zip")
ARRIVING = ".upload-"  # a file that is not whole yet


def private(folder: Path) -> Path:
    """A folder that only its owner may enter."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.chmod(0o700)
    return folder


def own_name(given: str, role: str = "input") -> str:
    """The studio's name for an uploaded file; nothing of the given one is ever a path.

    A stem of plain letters, digits, - and _ is kept, any other becomes the file's role.

    >>> own_name("notes.jsonl"), own_name("../../etc/passwd.csv"), own_name("a b<script>.TXT.gz")
    ('notes.jsonl', 'input.csv', 'input.txt.gz')
    >>> own_name("run.exe")
    Traceback (most recent call last):
        ...
    sfumato.core.errors.BadInput: file: a file of this kind is not read; give one of ...
    """
    parts = [part.lower() for part in given.rsplit("/", 1)[-1].rsplit("\\", 1)[-1].split(".")]
    packing = parts.pop() if len(parts) > 2 and parts[-1] in PACKED else None
    suffix = parts[-1] if len(parts) > 1 else ""
    if suffix not in SUFFIXES and not (suffix in PACKED and packing is None):
        raise BadInput(
            "a file of this kind is not read",
            where="file",
            remedy=f"give one of {', '.join(sorted(SUFFIXES))}, packed or not",
        )
    stem = given.rsplit(".", 2 if packing else 1)[0]
    stem = stem if _STEM.fullmatch(stem) and stem not in _OURS else role
    return ".".join((stem, suffix, *([packing] if packing else [])))


_OURS = {name.partition(".")[0] for name in (PROJECT, POLICY, SCHEMA, KEY, REVIEW)}


@dataclass(frozen=True, slots=True)
class Place:
    """The private folder of a studio."""

    folder: Path

    @property
    def database(self) -> Path:
        """The list of jobs."""
        return self.folder / "jobs.sqlite"

    def project(self, identity: str) -> Path:
        """The folder of a project that exists."""
        folder = self.folder / "projects" / identity
        if not _ID.fullmatch(identity) or not folder.is_dir():
            raise KeyError("project")
        return folder

    def job(self, identity: str) -> Path:
        """The folder of a job's results; it may not exist yet."""
        if not _ID.fullmatch(identity):
            raise KeyError("job")
        return self.folder / "jobs" / identity

    def new_project(self, name: str, kind: str = "release") -> str:
        """A new project with a key of its own."""
        identity = new_id()
        private(self.folder / "projects")
        folder = private(self.folder / "projects" / identity)
        write_private(folder / KEY, secrets.token_hex(32).encode() + b"\n")
        about = {"id": identity, "name": name[:200], "kind": kind, "created": time.time()}
        write_about(folder, {**about, "files": {}})
        return identity

    def projects(self) -> list[JsonObject]:
        """What is known of every project, the newest first."""
        found = []
        for folder in (self.folder / "projects").glob("*"):
            with suppress(OSError, ValueError):
                found.append(about(folder))
        return sorted(found, key=lambda one: -one["created"])

    def used(self, folder: Path) -> None:
        """Keeps that somebody looked at a project just now."""
        with suppress(OSError):
            os.utime(folder / PROJECT)

    def expire(self, days: int, busy: set[str], now: float | None = None) -> list[str]:
        """Wipes projects that nobody used for so many days, but for busy ones; their identities."""
        limit = (time.time() if now is None else now) - days * DAY
        gone = []
        for folder in (self.folder / "projects").glob("*"):
            used = max((one.stat().st_mtime for one in folder.iterdir()), default=0.0)
            if used < limit and folder.name not in busy:
                shutil.rmtree(folder, ignore_errors=True)
                gone.append(folder.name)
        return gone

    def tidy(self) -> None:
        """Removes files that were arriving when a studio was killed; under its lock alone."""
        for path in (self.folder / "projects").glob(f"*/{ARRIVING}*"):
            path.unlink(missing_ok=True)

    def wipe(self) -> None:
        """Removes all projects and all results of jobs."""
        for name in ("projects", "jobs"):
            shutil.rmtree(self.folder / name, ignore_errors=True)

    def lock(self) -> int:
        """A handle that keeps other studios out of this folder."""
        private(self.folder)
        handle = os.open(self.folder / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
        if not lock_now(handle):
            os.close(handle)
            raise BadInput(
                "another studio uses this folder",
                where=str(self.folder),
                remedy="open that one, or name another with --folder",
            )
        return handle


def new_id() -> str:
    """A random name for a project or a job."""
    return secrets.token_hex(8)


def about(folder: Path) -> JsonObject:
    """What is known of a project."""
    told: dict[str, object] = json.loads((folder / PROJECT).read_text("utf-8"))
    return told


def write_about(folder: Path, told: Mapping[str, object]) -> None:
    """Keeps what is known of a project."""
    write_private(folder / PROJECT, json.dumps(told, ensure_ascii=False).encode("utf-8", "replace"))


def write_private(path: Path, content: bytes) -> None:
    """Writes a file for its owner alone, whole or not at all."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)
    temporary.replace(path)
