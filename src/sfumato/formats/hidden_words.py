"""Which words a release hides: those that must stand nowhere else in what is written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_WORD = re.compile(r"\w+")
LONG = 4


def words(text: str | None) -> set[str]:
    """The words of a text whatever their case and width.

    >>> sorted(words("Ann Ho, ANN"))
    ['ann', 'ho']
    """
    if not text:
        return set()
    return set(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def hidden_words(old: Iterable[str | None], new: Iterable[str | None]) -> set[str]:
    """The words of texts that their new texts no longer have; short ones say too little.

    >>> hidden_words(["Marlow is ill", "calm"], ["★★★★★★ is ill", None])
    {'marlow'}
    """
    found: set[str] = set()
    for before, after in zip(old, new, strict=True):
        if after is not None and before != after:
            found |= {one for one in words(before) - words(after) if len(one) >= LONG}
    return found
