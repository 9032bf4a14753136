"""Work that a moved slider does not change, kept while somebody moves it.

Nothing is kept unless a caller asks for it: a command computes everything once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Value = TypeVar("Value")
_held: ContextVar[dict[str, OrderedDict[Hashable, object]] | None] = ContextVar(
    "_held", default=None
)


@contextmanager
def remembering() -> Iterator[None]:
    """What is computed inside and does not depend on sliders is computed once.

    >>> made = []
    >>> with remembering():
    ...     for _ in range(2):
    ...         _ = remembered("square", 1, lambda: (3,), lambda: made.append(9))
    >>> made
    [9]
    """
    token = _held.set({})
    try:
        yield
    finally:
        _held.reset(token)


def forget() -> None:
    """Lets go of everything that is kept."""
    held = _held.get()
    if held is not None:
        held.clear()


def remembered(
    kind: str, most: int, key: Callable[[], Hashable | None], make: Callable[[], Value]
) -> Value:
    """What `make` gives, or gave for the same key; at most so many of a kind are kept.

    A key is everything that the value depends on; None: it is not kept. Values must not be changed.
    """
    held = _held.get()
    asked = None if held is None else key()
    if held is None or asked is None:
        return make()
    mine = held.setdefault(kind, OrderedDict())
    if asked not in mine:
        mine[asked] = make()
        while len(mine) > most:
            mine.popitem(last=False)
    mine.move_to_end(asked)
    found: Value = mine[asked]  # type: ignore[assignment]
    return found
