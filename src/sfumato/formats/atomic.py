"""Files that appear complete or not at all, and replace nothing unless they are told to.

Everything is written to temporary files beside the targets, readable by the owner alone, and
renamed at the end, one after another: what is private first, then certificates, the release last,
so that it is never seen without them. If the machine stops between two renames, whoever writes
there next finds the list of what was to be renamed (`journal`), and finishes it. A temporary one is
locked while it is written: one that nobody holds, and no list names, is what a killed process left,
and the next one that writes there removes it.

What stands at a target is looked at twice, when it is opened and again, with the folders locked,
before the first rename: of two processes that write one target at the same time the second is
refused, also where both may overwrite. A folder that is replaced waits in a folder of its own until
its successor is in place; whoever writes there next after a kill between the two renames puts it
back.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from sfumato.core.errors import BadInput
from sfumato.formats.journal import Journal, Move, Stood, remove_stale, rename, stood
from sfumato.formats.temporary import alone_in, beside, hold, opened
from sfumato.formats.text import display, members_of

if TYPE_CHECKING:
    from typing import BinaryIO


@dataclass(frozen=True)
class _Pending:
    temporary: Path
    target: Path
    private: bool
    stream: BinaryIO | None
    lock: int | None = None
    """The handle that holds the lock of what is temporary."""
    found: Stood | None = None
    """What stood at the target when it was opened."""


class _Standard(io.RawIOBase):
    """What goes to standard output: kept on disk when it grows, until the commit."""

    def __init__(self) -> None:
        super().__init__()
        self._kept = tempfile.SpooledTemporaryFile(1 << 20)  # noqa: SIM115

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        return self._kept.write(content)

    def flow(self, target: BinaryIO) -> None:
        """Hand everything on."""
        self._kept.seek(0)
        shutil.copyfileobj(self._kept, target)
        self.drop()

    def again(self) -> BinaryIO:
        """What was written, to be read."""
        self._kept.seek(0)
        return io.BytesIO(self._kept.read())

    def drop(self) -> None:
        """Forget everything."""
        self._kept.close()


class AtomicFiles:
    """Files written together: all renamed to their targets by `commit`, else all removed.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with AtomicFiles() as files:
    ...         with files.open(Path(folder, "certificate.json")) as stream:
    ...             _ = stream.write(b"{}")
    ...         before = os.listdir(folder)[0].startswith(".sfumato-")
    ...         files.commit()
    ...     before, os.listdir(folder)
    (True, ['certificate.json'])
    """

    def __init__(self, *, overwrite: bool = False) -> None:
        self._overwrite = overwrite
        self._pending: list[_Pending] = []
        self._standard: list[_Standard] = []
        self._protected: list[Path] = []
        self._abandoned = False

    def protect(self, path: str | Path) -> None:
        """Refuse every target that is this input, lies in it or contains it."""
        self._protected.append(Path(os.path.realpath(path)))

    def open(
        self, target: str | Path, *, private: bool = False, overwrite: bool | None = None
    ) -> BinaryIO:
        """A stream to a temporary file that becomes `target`; close it before the commit.

        A link is followed. The file gets the permissions of a new file, 0600 if `private`. One that
        exists is refused unless these files, or this one, may `overwrite`.
        """
        path = self._checked(target)
        temporary = beside(path)
        try:
            with alone_in(path.parent):
                remove_stale(path.parent)
                if path.exists() and not path.is_file():
                    remedy = "name a file (or - for standard output)"
                    where = display(path)
                    raise BadInput("exists and is no regular file", where=where, remedy=remedy)
                found = self._free(path, overwrite)
                stream = create(temporary)
                lock = os.dup(stream.fileno())  # closing the stream does not end it
                hold(lock)
        except OSError as error:
            raise _unwritable(path, error) from None
        self._pending.append(_Pending(temporary, path, private, stream, lock, found))
        return stream

    def folder(
        self, target: str | Path, *, overwrite: bool | None = None, private: bool = False
    ) -> Path:
        """A temporary folder that becomes `target`, which must be absent or empty.

        With `overwrite`, what stood there is removed when the new folder is in place. A `private`
        folder and what is in it are for their owner alone: 0700 and 0600.
        """
        path = self._checked(target, folder=True)
        temporary = beside(path)
        try:
            with alone_in(path.parent):
                remove_stale(path.parent)
                if path.exists() and not path.is_dir():
                    where = display(path)
                    raise BadInput("exists and is no folder", where=where, remedy="name a folder")
                found = self._free(path, overwrite)
                temporary.mkdir(0o700)
                lock = opened(temporary)
        except OSError as error:
            raise _unwritable(path, error) from None
        self._pending.append(_Pending(temporary, path, private, None, lock, found))
        return temporary

    def _free(self, path: Path, overwrite: bool | None) -> Stood | None:
        """What stands at a target that may be written; refused where it may not be replaced."""
        if not (self._overwrite if overwrite is None else overwrite):
            require_free(path)
        return stood(path)

    def standard_output(self) -> BinaryIO:
        """A stream whose content goes to standard output at the commit, after the renames."""
        self._standard.append(_Standard())
        return self._standard[-1]  # type: ignore[return-value]

    def again(self, stream: BinaryIO) -> BinaryIO:
        """What was written to a stream of these files, to be read before the commit."""
        if isinstance(stream, _Standard):
            return stream.again()
        item = next(item for item in self._pending if item.stream is stream)
        return open(item.temporary, "rb")

    def digests(self, target: str | Path) -> dict[str, str]:
        """The SHA-256 of what will be `target`, as `file_digests` will find it there."""
        path = Path(os.path.realpath(target))
        item = next(item for item in self._pending if item.target == path)
        if item.stream is None:
            return file_digests(item.temporary)
        if not item.stream.closed:
            raise RuntimeError("a file is still being written")
        return {path.name: _digest(item.temporary)}

    def commit(self) -> None:
        """Give every file its normal permissions and its name."""
        streams = [item.stream for item in self._pending if item.stream]
        streams += self._standard  # type: ignore[arg-type]
        if self._abandoned:
            raise RuntimeError("these files were abandoned and cannot be committed")
        if not all(stream.closed for stream in streams):
            raise RuntimeError("a file of this commit is still being written")
        folders = [item.temporary for item in self._pending if not item.stream]
        if not all(any(folder.iterdir()) for folder in folders):
            raise RuntimeError("a folder of this commit has not been written")
        for item in self._pending:
            _settle(item)
        with contextlib.ExitStack() as alone:
            for parent in sorted({item.target.parent for item in self._pending}):
                alone.enter_context(alone_in(parent))
            for item in self._pending:
                _require_unchanged(item)
            # What belongs to a release is there before it, so that it is never seen without.
            self._pending.sort(key=lambda item: not item.private)
            private = sum(item.private for item in self._pending)
            self._pending[private:] = reversed(self._pending[private:])
            with Journal(_move(item) for item in self._pending):
                while self._pending:
                    item = self._pending[0]
                    rename(item.temporary, item.target, is_folder=item.stream is None)
                    _release(item)
                    del self._pending[0]
        for standard in self._standard:
            standard.flow(sys.stdout.buffer)
            sys.stdout.buffer.flush()
        self._standard.clear()

    def abandon(self) -> None:
        """Remove all that was written and not yet committed; a later commit is an error."""
        self._abandoned = True
        for item in self._pending:
            if item.stream is None:
                shutil.rmtree(item.temporary, ignore_errors=True)
            else:
                item.temporary.unlink(missing_ok=True)
                _close_quietly(item.stream)
            _release(item)
        for standard in self._standard:
            standard.drop()
        self._pending.clear()
        self._standard.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.abandon()

    def _checked(self, target: str | Path, *, folder: bool = False) -> Path:
        path = Path(os.path.realpath(target))
        for kept in self._protected:
            same = path == kept or (path.exists() and kept.exists() and path.samefile(kept))
            if same or kept in path.parents or (folder and path in kept.parents):
                remedy = "write the release to another place"
                raise BadInput(
                    "this would overwrite or mix with the input", where=display(path), remedy=remedy
                )
        if any(path == item.target for item in self._pending):
            remedy = "give each output its own name"
            raise BadInput("two outputs have this name", where=display(path), remedy=remedy)
        inside = any(item.stream is None and item.target in path.parents for item in self._pending)
        if inside or (folder and any(path in item.target.parents for item in self._pending)):
            remedy = "write them side by side: a folder replaces what stands there"
            raise BadInput("an output lies within another", where=display(path), remedy=remedy)
        return path


def require_free(path: str | Path) -> None:
    """Refuses a place where something stands: a file, or a folder that is not empty.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     require_free(Path(folder))
    ...     _ = Path(folder, "a.txt").write_bytes(b"calm")
    ...     try:
    ...         require_free(Path(folder, "a.txt"))
    ...     except BadInput as problem:
    ...         print(problem.problem)
    the file exists
    """
    whole = Path(path)
    if not whole.exists() or (whole.is_dir() and not any(whole.iterdir())):
        return
    raise BadInput(
        "the folder exists and is not empty" if whole.is_dir() else "the file exists",
        where=display(whole),
        remedy="name another one, remove this one, or allow overwriting (--overwrite)",
    )


def _require_unchanged(item: _Pending) -> None:
    """Refuses a target at which, since it was opened, something else came to stand."""
    if stood(item.target) != item.found:
        raise BadInput(
            "another process wrote this meanwhile; nothing was written",
            where=display(item.target),
            remedy="look at what stands there, and run this again",
        )


def file_digests(path: str | Path) -> dict[str, str]:
    """The SHA-256 of a file, or of every file of a folder, by name.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.txt").write_bytes(b"calm")
    ...     file_digests(folder) == file_digests(Path(folder, "a.txt"))
    True
    """
    whole = Path(path)
    if whole.is_dir():
        return {name.as_posix(): _digest(whole / name) for name in members_of(whole)}
    return {whole.name: _digest(whole)}


def bytes_digest(path: Path) -> str:
    """One SHA-256: of a file, or of the names and hashes of every file of a folder.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.txt").write_bytes(b"calm")
    ...     bytes_digest(Path(folder)) == bytes_digest(Path(folder, "a.txt"))
    False
    """
    found = file_digests(path)
    if path.is_file():
        return next(iter(found.values()))
    return hashlib.sha256(json.dumps(sorted(found.items())).encode()).hexdigest()


def create(path: Path) -> BinaryIO:
    """A new file that only its owner can read, open for writing.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, create(Path(folder, "a")) as stream:
    ...     oct(os.fstat(stream.fileno()).st_mode & 0o777)
    '0o600'
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, flags, 0o600), "wb", 1 << 20)


def _digest(path: Path) -> str:
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _move(item: _Pending) -> Move:
    return Move(item.temporary, item.target, item.stream is None, item.found)


def _release(item: _Pending) -> None:
    if item.lock is not None:
        os.close(item.lock)


def _unwritable(path: Path, error: OSError) -> BadInput:
    where = display(path.parent)
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return BadInput("the folder does not exist", where=where, remedy="create it first")
    problem = f"cannot write to this folder ({error.strerror})"
    return BadInput(problem, where=where, remedy="allow writing there, or name another folder")


def _close_quietly(stream: BinaryIO) -> None:
    # What is still buffered belongs to a removed file; failing to write it loses nothing.
    with contextlib.suppress(OSError, ValueError):
        stream.close()


def _settle(item: _Pending) -> None:
    """Put the bytes on the disk and set the permissions the target shall have."""
    mask = os.umask(0o077)
    os.umask(mask)
    if item.private:
        mask |= 0o077
    if item.stream is not None:
        _flush_to_disk(item.temporary)
        item.temporary.chmod(0o666 & ~mask)
        return
    for parent, _, names in os.walk(item.temporary):
        for name in names:
            _flush_to_disk(Path(parent, name))
            Path(parent, name).chmod(0o666 & ~mask)
        if Path(parent) != item.temporary:
            Path(parent).chmod(0o777 & ~mask)
    item.temporary.chmod(0o777 & ~mask)


def _flush_to_disk(path: Path) -> None:
    with open(path, "r+b") as stream:
        os.fsync(stream.fileno())
