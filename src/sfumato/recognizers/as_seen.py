"""Lists and expressions find what is written, and what a reader sees where that differs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from .legible import legible
from .overlaps import resolve

if TYPE_CHECKING:
    from ..core.spans import Span

    Find = Callable[[Sequence[str]], list[Span]]


def found_as_seen(find: Find, texts: Sequence[str]) -> list[Span]:
    """The spans of texts as they are given, and of those with unseen or odd symbols as seen.

    Cost: that of `find`, twice for texts with such symbols.

    >>> from .gazetteer import deny
    >>> [(span.start, span.stop) for span in deny(["Smith"])(["by Sm\\u00adith"])]
    [(3, 9)]
    """
    found, seen = find(texts), legible(texts)
    odd = [shown if shown != text else "" for text, shown in zip(texts, seen.texts, strict=True)]
    if not any(odd):
        return found
    return resolve([*found, *seen.back(find(odd))])
