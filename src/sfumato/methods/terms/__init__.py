"""Characters of listed quasi-identifiers are redacted: term k-anonymity."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .dictionary import TermDictionary
    from .patterns import Pattern

__all__ = ["Pattern", "TermDictionary"]


def __getattr__(name: str) -> object:
    """Its names are imported when they are first used: the declaration alone stays light."""
    if name == "TermDictionary":
        from .dictionary import TermDictionary

        return TermDictionary
    if name == "Pattern":
        from .patterns import Pattern

        return Pattern
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
