"""What a piece of work may take, and whom it tells how far it is: for work that is called by name.

Checks are found by the name of a claim and called with the claim, the original and the release. How
much memory the caller allows is no part of what is judged, so it is not among these.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .printed_form import by_sizes
from .progress import part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .progress import Share


@dataclass(frozen=True, slots=True)
class Allowance:
    """Bytes that may be taken beside what is held already (None: any), and who is told."""

    memory: int | None = None
    progress: Share | None = None

    def told(self, begin: float, end: float) -> Share | None:
        """Whom a part of the work tells, from `begin` to `end` of the whole."""
        return part(self.progress, begin, end)


@dataclass(frozen=True, slots=True)
class Room:
    """How a command stays within its allowance."""

    __repr__ = by_sizes

    counting: str | None
    """What is left for counting, as the option says it; None: it counts in memory."""
    verification: int | None = None
    """What is left for the machine that counts stretches; None: as much as it takes."""
    in_files: int | None = None
    """From how many bytes on arrays lie in files; None: never."""


_ANY = Allowance()
_ALLOWED: ContextVar[Allowance] = ContextVar("allowance", default=_ANY)


def allowance() -> Allowance:
    """What the work that is being done may take.

    >>> allowance()
    Allowance(memory=None, progress=None)
    """
    return _ALLOWED.get()


@contextmanager
def allowed(memory: int | None, progress: Share | None = None) -> Iterator[None]:
    """Bounds the work that is done within.

    >>> with allowed(1000):
    ...     allowance().memory
    1000
    """
    before = _ALLOWED.set(Allowance(memory, progress))
    try:
        yield
    finally:
        _ALLOWED.reset(before)
