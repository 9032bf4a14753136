"""What processes put beside their targets while they write: named, locked, removed, put back.

A temporary file or folder is locked while it is written: one that nobody holds is what a killed
process left. A folder that is being replaced waits in a folder of its own.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

try:
    import fcntl
except ImportError:  # Windows has other locks: there, nothing stale is removed
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator

TEMPORARY = re.compile(r"\.sfumato-[0-9a-f]{16}(\.old)?")
OLD = ".old"  # ends the name of a folder that holds one that is being replaced
JOURNAL = ".commit"  # ends the name of the list of what a commit puts in place


def beside(path: Path) -> Path:
    """A new name for something temporary beside a target."""
    return path.with_name(f".sfumato-{secrets.token_hex(8)}")


@contextlib.contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keeps others from making and removing temporary files there meanwhile, where locks work."""
    handle = opened(folder, wait=True)
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def opened(folder: Path, *, wait: bool = False) -> int | None:
    """A locked handle of a folder; None where folders cannot be locked."""
    if fcntl is None:
        return None
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return None
    hold(handle, wait=wait)
    return handle


def lock_now(handle: int) -> bool:
    """Whether a file could be locked at once; True where there are no locks."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # some file systems have no locks
        return True
    return True


def is_free(handle: int) -> bool:
    """Whether nobody holds a file, which is then held; False where locks cannot be had."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def hold(handle: int, *, wait: bool = False) -> None:
    """Locks a file, at once or when it is free, where the file system can."""
    if fcntl is not None:
        with contextlib.suppress(OSError):  # some file systems have no locks
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def has_locks() -> bool:
    """Whether this system can tell what is held: elsewhere nothing stale is removed."""
    return fcntl is not None


def put_back(old: Path) -> None:
    """A folder that was to be replaced stands in its place again, unless its successor does."""
    for inside in old.iterdir():
        if not old.with_name(inside.name).exists():
            os.replace(inside, old.with_name(inside.name))
