"""What became of each symbol under changes of changes, kept symbol by symbol."""

from __future__ import annotations

from collections.abc import Sequence

# A symbol of the text as it stands now: itself, and the place it has in the first text or None.
Symbol = tuple[str, int | None]


def begun(text: str) -> list[Symbol]:
    """A text before any change."""
    return [(symbol, place) for place, symbol in enumerate(text)]


def changed(now: Sequence[Symbol], changes: Sequence[tuple[int, int, str]]) -> list[Symbol]:
    """The symbols after changes (start, stop, replacement), in order and apart."""
    result: list[Symbol] = []
    at = 0
    for start, stop, new in changes:
        result += now[at:start]
        result += [(symbol, None) for symbol in new]
        at = stop
    return [*result, *now[at:]]


def survivors(now: Sequence[Symbol]) -> dict[int, int]:
    """Where each symbol of the first text that was never written over stands now."""
    return {place: at for at, (_, place) in enumerate(now) if place is not None}
