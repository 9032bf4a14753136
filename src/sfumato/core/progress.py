"""How long work reports itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

# Called with the name of what is being done and the share done, in [0, 1].
Progress = Callable[[str, float], None]

# The same of one piece of work: the share done.
Share = Callable[[float], None]


def part(share: Share | None, begin: float, end: float) -> Share | None:
    """What reports a part of a longer piece of work, from `begin` to `end`; it is there now.

    >>> seen = []
    >>> half = part(seen.append, 0.5, 1.0)
    >>> half(0.5)
    >>> seen
    [0.5, 0.75]
    """
    if share is None:
        return None
    share(begin)
    return lambda done: share(begin + (end - begin) * done)


def share(progress: Progress | None, name: str) -> Share | None:
    """What reports one piece of work under its name.

    >>> seen = []
    >>> share(lambda *told: seen.append(told), "verify")(0.5)
    >>> seen
    [('verify', 0.5)]
    """
    return None if progress is None else lambda done: progress(name, done)


@contextmanager
def stage(progress: Progress | None, name: str) -> Iterator[None]:
    """Tells that something is being done, whose share nobody knows, and that it is done.

    >>> seen = []
    >>> with stage(lambda *told: seen.append(told), "read"):
    ...     seen.append("reading")
    >>> seen
    [('read', 0.0), 'reading', ('read', 1.0)]
    """
    if progress is not None:
        progress(name, 0.0)
    yield
    if progress is not None:
        progress(name, 1.0)
