"""Files that appear complete or not at all.

Everything is written to temporary files beside the targets, readable by the owner alone, and
renamed at the end, one after another: if the machine stops between two renames, the earlier
targets are new and the later ones as before; each single one is always whole. A temporary file is
locked while it is written: one that nobody holds is what a killed process left, and the next one
that writes there removes it.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import re
import secrets
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from sfumato.core.errors import BadInput
from sfumato.formats.text import display, members_of

try:
    import fcntl
except ImportError:  # Windows has other locks: there, nothing stale is removed
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO


@dataclass(frozen=True)
class _Pending:
    temporary: Path
    target: Path
    private: bool
    stream: BinaryIO | None
    lock: int | None = None
    """The handle that holds the lock of what is temporary."""


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

    def __init__(self) -> None:
        self._pending: list[_Pending] = []
        self._standard: list[_Standard] = []
        self._protected: list[Path] = []
        self._abandoned = False

    def protect(self, path: str | Path) -> None:
        """Refuse every target that is this input, lies in it or contains it."""
        self._protected.append(Path(os.path.realpath(path)))

    def open(self, target: str | Path, *, private: bool = False) -> BinaryIO:
        """A stream to a temporary file that becomes `target`; close it before the commit.

        A link is followed. The file gets the permissions of a new file, 0600 if `private`.
        """
        path = self._checked(target)
        if path.exists() and not path.is_file():
            remedy = "name a file (or - for standard output)"
            raise BadInput("exists and is no regular file", where=display(path), remedy=remedy)
        temporary = _beside(path)
        try:
            with _alone_in(path.parent):
                remove_stale(path.parent)
                stream = create(temporary)
                lock = os.dup(stream.fileno())  # closing the stream does not end it
                _lock(lock)
        except OSError as error:
            raise _unwritable(path, error) from None
        self._pending.append(_Pending(temporary, path, private, stream, lock))
        return stream

    def folder(self, target: str | Path, *, overwrite: bool = False, private: bool = False) -> Path:
        """A temporary folder that becomes `target`, which must be absent or empty.

        With `overwrite`, what stood there is removed when the new folder is in place. A `private`
        folder and what is in it are for their owner alone: 0700 and 0600.
        """
        path = self._checked(target, folder=True)
        if path.exists() and not path.is_dir():
            raise BadInput("exists and is no folder", where=display(path), remedy="name a folder")
        if path.exists() and any(path.iterdir()) and not overwrite:
            raise BadInput(
                "the folder exists and is not empty",
                where=display(path),
                remedy="name another folder, empty this one, or allow overwriting",
            )
        temporary = _beside(path)
        try:
            with _alone_in(path.parent):
                remove_stale(path.parent)
                temporary.mkdir(0o700)
                lock = _opened(temporary)
        except OSError as error:
            raise _unwritable(path, error) from None
        self._pending.append(_Pending(temporary, path, private, None, lock))
        return temporary

    def standard_output(self) -> BinaryIO:
        """A stream whose content goes to standard output at the commit, after the renames."""
        self._standard.append(_Standard())
        return self._standard[-1]  # type: ignore[return-value]

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
        while self._pending:
            with _alone_in(self._pending[0].target.parent):
                _rename(self._pending[0])
            _release(self._pending[0])
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


def _beside(path: Path) -> Path:
    return path.with_name(f".sfumato-{secrets.token_hex(8)}")


_TEMPORARY = re.compile(r"\.sfumato-[0-9a-f]{16}")


def remove_stale(folder: Path) -> None:
    """Removes what killed processes of this user left in a folder: temporary, and held by nobody.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     left = Path(place, ".sfumato-0123456789abcdef")
    ...     _ = left.write_text("half")
    ...     remove_stale(Path(place))
    ...     left.exists()
    False
    """
    if fcntl is None:
        return
    try:
        entries = list(os.scandir(folder))
    except OSError:  # not there, or not to be read: then nothing is removed
        return
    for entry in entries:
        if not _TEMPORARY.fullmatch(entry.name) or entry.is_symlink():
            continue
        with contextlib.suppress(OSError):  # held, or gone in the meantime
            if entry.stat(follow_symlinks=False).st_uid != os.getuid():
                continue
            handle = os.open(entry.path, os.O_RDONLY | os.O_NOFOLLOW)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    os.unlink(entry.path)
            finally:
                os.close(handle)


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keeps others from making and removing temporary files there meanwhile, where locks work."""
    handle = _opened(folder, wait=True)
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _opened(folder: Path, *, wait: bool = False) -> int | None:
    """A locked handle of a folder; None where folders cannot be locked."""
    if fcntl is None:
        return None
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return None
    _lock(handle, wait=wait)
    return handle


def _lock(handle: int, *, wait: bool = False) -> None:
    if fcntl is not None:
        with contextlib.suppress(OSError):  # some file systems have no locks
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


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


def _rename(item: _Pending) -> None:
    old = None
    if item.stream is None and item.target.exists():
        old = _beside(item.target)
        os.replace(item.target, old)
    try:
        os.replace(item.temporary, item.target)
    except BaseException:
        if old is not None:
            os.replace(old, item.target)
        raise
    if old is not None:
        shutil.rmtree(old)
    if hasattr(os, "O_DIRECTORY"):  # where folders can be flushed, the new name is lasting too
        handle = os.open(item.target.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
