"""Whether a mask can be told from text: by itself, and in the original."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

BLANK_BRAILLE = "\u2800"


def taken_for_text(mark: str) -> str | None:
    """Why a mask hides nothing, or None: it has no symbol but letters, digits, blanks, unseen ones.

    >>> taken_for_text("★"), taken_for_text(" "), taken_for_text("e")[:10]
    (None, 'the mask is read as text', 'the mask i')
    """
    for symbol in unicodedata.normalize("NFKC", mark):
        unseen = unicodedata.category(symbol) in ("Cc", "Cf", "Cn", "Cs") or symbol == BLANK_BRAILLE
        letter = symbol.isalnum() or unicodedata.category(symbol).startswith(("L", "M", "N"))
        if not (unseen or letter or symbol.isspace()):
            return None
    return "the mask is read as text"


def stands_for_itself(mark: str, originals: Iterable[str], *, as_break: bool = False) -> str | None:
    """Why a mask that the originals have cannot be judged, or None.

    `as_break`: one that is a single symbol and no punctuation ends a stretch there.

    >>> stands_for_itself(",", ["a, b"], as_break=True)
    'the original has the mask: it would stand for itself'
    >>> stands_for_itself("★", ["a★b"], as_break=True)
    """
    if as_break and len(mark) == 1 and unicodedata.category(mark) in ("So", "Co"):
        return None
    if any(mark in text for text in originals):
        return "the original has the mask: it would stand for itself"
    return None
