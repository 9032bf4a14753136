"""What is being put in place, so that a commit which was begun is finished by whoever comes next.

Before the first of several files gets its name, a list of all stands in each of their folders. It
goes when the last one has its name. Where a process was killed in between, the next one that writes
there finds the list and gives the others their names: all of them were whole, and released.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from ..core.printed_form import by_sizes
from .temporary import (
    JOURNAL,
    OLD,
    TEMPORARY,
    alone_in,
    beside,
    has_locks,
    hold,
    is_free,
    put_back,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

Stood = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Move:
    """Something temporary, the target it becomes, and what stood there when it was begun."""

    temporary: Path
    target: Path
    is_folder: bool
    found: Stood | None

    __repr__ = by_sizes


def stood(path: Path) -> Stood | None:
    """What tells whether another process put something there: None where nothing stands."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


class Journal:
    """The list of a commit in every folder that it writes to, until it is done."""

    def __init__(self, moves: Iterable[Move]) -> None:
        whole = self._moves = list(moves)
        self._places: list[Path] = []
        self._locks: list[int] = []
        if len(whole) < 2:  # one name is given at once
            return
        content = json.dumps(
            [
                [str(one.temporary), str(one.target), one.is_folder, one.found and [*one.found]]
                for one in whole
            ]
        ).encode()
        first = beside(whole[0].target).name + JOURNAL
        try:
            for folder in sorted({one.target.parent for one in whole}):
                self._write(folder / first, content)
        except BaseException:
            self._remove()
            raise

    def _write(self, place: Path, content: bytes) -> None:
        temporary = beside(place)
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        hold(handle)
        self._locks.append(handle)
        self._places.append(temporary)
        os.write(handle, content)
        os.fsync(handle)
        os.replace(temporary, place)
        self._places[-1] = place
        flush(place.parent)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, problem: object, *_: object) -> None:
        """Everything has its name; or a rename failed, and what was new is taken away again."""
        for move in self._moves if problem is not None else ():
            if move.found is None and not move.temporary.exists():
                shutil.rmtree(move.target, ignore_errors=True)
                with contextlib.suppress(OSError):
                    move.target.unlink(missing_ok=True)
        self._remove()

    def _remove(self) -> None:
        for place in self._places:
            place.unlink(missing_ok=True)
        for handle in self._locks:
            os.close(handle)


def remove_stale(folder: Path) -> None:
    """Removes what killed processes of this user left in a folder: temporary, and held by nobody.

    A commit that was begun is finished. A folder that was to be replaced, and whose place is
    empty, is put back there instead.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     left = Path(place, ".sfumato-0123456789abcdef")
    ...     _ = left.write_text("half")
    ...     remove_stale(Path(place))
    ...     left.exists()
    False
    """
    if not has_locks():
        return
    finish(folder)
    try:
        entries = list(os.scandir(folder))
    except OSError:  # not there, or not to be read: then nothing is removed
        return
    for entry in entries:
        if not TEMPORARY.fullmatch(entry.name) or entry.is_symlink():
            continue
        with contextlib.suppress(OSError):  # held, or gone in the meantime
            if entry.stat(follow_symlinks=False).st_uid != os.getuid():
                continue
            handle = os.open(entry.path, os.O_RDONLY | os.O_NOFOLLOW)
            try:
                if not is_free(handle):
                    continue
                if entry.name.endswith(OLD):
                    put_back(Path(entry.path))
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    os.unlink(entry.path)
            finally:
                os.close(handle)


def recover(folder: Path) -> None:
    """Puts a folder back that a process was killed while replacing, and removes what it left."""
    with alone_in(folder):
        remove_stale(folder)


def finish(folder: Path) -> list[Path]:
    """Gives the files of killed commits in a folder their names, and tells which got theirs."""
    named: list[Path] = []
    for place in sorted(folder.glob(f".sfumato-*{JOURNAL}")):
        with contextlib.suppress(OSError):
            if place.is_symlink() or place.stat().st_uid != os.getuid():
                continue
            handle = os.open(place, os.O_RDONLY | os.O_NOFOLLOW)
            try:
                if is_free(handle):
                    named += _finish(place)
            finally:
                os.close(handle)
    return named


def _finish(place: Path) -> list[Path]:
    try:
        moves = [
            Move(Path(temporary), Path(target), is_folder, found and tuple(found))
            for temporary, target, is_folder, found in json.loads(place.read_bytes())
        ]
    except (ValueError, TypeError):  # no list of ours
        return []
    named = []
    for move in moves:
        if not move.temporary.exists():  # it has its name
            continue
        there = stood(move.target)
        if there is None or there == move.found:
            rename(move.temporary, move.target, is_folder=move.is_folder)
            named.append(move.target)
        elif move.is_folder:  # another one came to stand there: it is not touched
            shutil.rmtree(move.temporary, ignore_errors=True)
        else:
            move.temporary.unlink(missing_ok=True)
    for parent in {move.target.parent for move in moves}:
        (parent / place.name).unlink(missing_ok=True)
    return named


def rename(temporary: Path, target: Path, *, is_folder: bool) -> None:
    """The new one takes its place; an old folder waits where `remove_stale` would find it."""
    old = None
    if is_folder and target.exists():
        old = target.with_name(beside(target).name + OLD)
        old.mkdir(0o700)
        os.replace(target, old / target.name)
    try:
        os.replace(temporary, target)
    except BaseException:
        if old is not None:
            put_back(old)
            old.rmdir()
        raise
    if old is not None:
        gone = old.with_name(old.name.removesuffix(OLD))
        os.replace(old, gone)  # half removed it must not be put back
        shutil.rmtree(gone)
    flush(target.parent)


def flush(folder: Path) -> None:
    """Makes the names in a folder lasting, where folders can be flushed."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
