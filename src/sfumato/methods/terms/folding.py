"""Texts without differences of case or width, and the way back to their own places."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ...core.letters import fold_case, fold_width, join_sound_mark

if TYPE_CHECKING:
    from numpy.typing import NDArray

SOUND_MARKS = ("\uff9e", "\uff9f")
_case = lru_cache(maxsize=None)(fold_case)
_width = lru_cache(maxsize=None)(fold_width)


@dataclass(frozen=True, slots=True)
class Folding:
    """Which differences between a text and a term are overlooked.

    >>> Folding(case=True, width=True).text("ＡＢｶﾞ")
    'abガ'
    """

    case: bool = False
    width: bool = False

    def text(self, text: str) -> str:
        """The folded text; only half-width sound marks make it shorter."""
        return self.without_case(self.without_width(text)[0])

    def without_width(self, text: str) -> tuple[str, NDArray[np.int64] | None]:
        """The text in usual widths, and where each character began (None: where it stands)."""
        if not self.width or text.isascii():
            return text, None
        if not any(mark in text for mark in SOUND_MARKS):
            return "".join(map(_width, text)), None
        letters: list[str] = []
        starts: list[int] = []
        for at, letter in enumerate(text):
            joined = join_sound_mark(letters[-1], letter) if letters else None
            if joined is not None and at == starts[-1] + 1:
                letters[-1] = joined
                continue
            letters.append(_width(letter))
            starts.append(at)
        return "".join(letters), np.array([*starts, len(text)], np.int64)

    def without_case(self, text: str) -> str:
        """The text without case, one character for each."""
        if not self.case:
            return text
        folded = text.casefold()  # which never shortens: equal length means one for one
        return folded if len(folded) == len(text) else "".join(map(_case, text))
