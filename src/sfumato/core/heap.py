"""How the heap of a command is kept: nothing here changes what is computed."""

from __future__ import annotations

import ctypes
import sys

# Of glibc's mallopt: how much free memory is kept, and from which size on it is mapped apart.
_TRIM, _MAP = -1, -3
_LARGE, _SMALL = 1 << 30, 1 << 20


def keep_freed() -> None:
    """Lets arrays take the memory of those that were dropped, instead of new pages each time.

    The system clears every page that it gives. It took up to a sixth of the time of `suppress`.
    """
    _set(_LARGE)


def give_back_freed() -> None:
    """Maps arrays apart, so that what was dropped is the system's again: for a bounded process.

    By default glibc keeps more and more of it.
    """
    _set(_SMALL)


def _set(size: int) -> None:
    if sys.platform == "linux":
        heap = ctypes.CDLL(None)
        if hasattr(heap, "mallopt"):
            heap.mallopt(_TRIM, size)
            heap.mallopt(_MAP, size)
