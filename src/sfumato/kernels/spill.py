"""Arrays that live in files without a name: they take disk, not memory, and vanish by themselves.

A spill file is readable by its owner alone (mode 0600) and is unlinked as soon as it is open (on
Windows: deleted when closed), so that neither an exception nor a killed process leaves one behind.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from importlib import import_module
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from ..core.errors import BadInput
from . import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import DTypeLike, NDArray
    from typing_extensions import CapsuleType

    from ..core.values import Array

    Folder = str | Path | None
    Make = Callable[[int, DTypeLike], NDArray[Any]]  # an array of so many zeros of this type

BLOCK = 1 << 20


@contextmanager
def arrays_in_files(least: int, folder: Folder = None) -> Iterator[None]:
    """Arrays of `least` bytes or more that are made within lie in spill files, whoever makes them.

    That is NumPy, and the compiled parts that make releases. What is computed stays the same. Only
    on Linux: elsewhere arrays are in memory as always.

    >>> with arrays_in_files(1 << 20):
    ...     some = np.ones(1 << 20, np.int32)
    >>> int(some.sum())
    1048576
    """
    where = os.fspath(tempfile.gettempdir() if folder is None else folder)
    with _file(folder):  # a folder that takes no file is an error before the work
        pass
    interface = _numpy_interface()
    _core.store_from(max(1, least), where)
    before = _core.keep_arrays(interface, None)
    try:
        yield
    finally:
        _core.keep_arrays(interface, before)
        _core.store_from(0, "")


def _numpy_interface() -> CapsuleType:
    """NumPy's table of functions for other compiled modules."""
    core = "numpy.core" if np.__version__.startswith("1.") else "numpy._core"
    interface: CapsuleType = import_module(f"{core}._multiarray_umath")._ARRAY_API
    return interface


def spilled(size: int, dtype: DTypeLike, folder: Folder = None) -> Array:
    """An array of zeros in a spill file of `folder` (by default where temporary files go).

    The room on the disk is taken at once: a full disk is an error here, not a crash later.

    Cost: O(1) where the system can reserve room, else O(size).

    >>> spilled(3, "int32")
    memmap([0, 0, 0], dtype=int32)
    """
    dtype = np.dtype(dtype)
    with _file(folder) as file:
        _take(lambda: _reserve(file, max(1, size * dtype.itemsize)))
        return _mapped(file, size, dtype)


def spilled_parts(
    fill: Callable[[Callable[[Array], None]], None],
    dtype: DTypeLike,
    folder: Folder = None,
) -> Array:
    """What `fill` hands, piece by piece, to the function it is given; as one spilled array.

    >>> import numpy as np
    >>> pieces = np.arange(2), np.arange(3)
    >>> spilled_parts(lambda write: [write(piece) for piece in pieces], np.int64)
    memmap([0, 1, 0, 1, 2])
    """
    dtype = np.dtype(dtype)
    with _file(folder) as file:

        def write(piece: Array) -> None:
            if piece.dtype != dtype:
                raise TypeError(f"expected {dtype}, found {piece.dtype}")
            _take(lambda: file.write(piece.data))

        fill(write)
        _take(file.flush)
        size = file.tell() // dtype.itemsize
        if size == 0:
            return np.zeros(0, dtype)
        return _mapped(file, size, dtype)


def _file(folder: Folder) -> IO[bytes]:
    try:
        return tempfile.TemporaryFile(dir=folder)
    except OSError as error:
        raise BadInput(
            f"no file can be made there ({error.strerror})",
            where="the folder for spill files",
            remedy="give a folder that exists and can be written to",
        ) from None


def _mapped(file: IO[bytes], size: int, dtype: np.dtype[Any]) -> Array:
    return np.memmap(file, dtype, "r+", shape=(size,)) if size else np.zeros(0, dtype)


def _reserve(file: IO[bytes], size: int) -> None:
    if size > BLOCK and hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)
        return
    zeros = bytes(BLOCK)
    for start in range(0, size, BLOCK):
        file.write(zeros[: min(BLOCK, size - start)])
    file.flush()


def _take(work: Callable[[], object]) -> None:
    try:
        work()
    except OSError as error:
        raise BadInput(
            f"the disk has no room for the spill files ({error.strerror})",
            where="the folder for spill files",
            remedy="free some, or give a folder on a larger disk",
        ) from None
