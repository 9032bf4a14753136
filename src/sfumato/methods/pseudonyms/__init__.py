"""Consistent surrogates for what a recogniser found, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .mapping import save_mapping, undo

__all__ = ["save_mapping", "undo"]


def __getattr__(name: str) -> object:
    """Its names are imported when they are first used: the declaration alone stays light."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import mapping

    return getattr(mapping, name)
