"""From starred words to symbols, and to the list of changes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.spans import Changes, Gathered, Repeated, Same
from ...kernels import text
from ...kernels.reader import rare_separators

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from .against import Words
    from .legible import Starred

    Flags = NDArray[np.uint8]

OPENS = 2  # of a star: it is shown by a mask of its own, even where runs have one


def rarer(k: int) -> str:
    """Why something was starred.

    >>> rarer(5)
    'rarer than k=5'
    """
    return f"rarer than k={k}"


def as_symbols(
    words: Words, found: Starred, hidden: Flags | None, keep: str, collapse: bool
) -> Starred:
    """Starred words as starred symbols; breaks of the input stay, `hidden` symbols are starred.

    Separators that fewer than k share are written as blanks. With `collapse` every word has one
    mask, so that a release can be laid on its original in one way only.
    """
    chosen = np.where(words.breaks != 0, 0, found.stars).astype(np.uint8)
    stars = words.codes.symbols(chosen)
    starts, stops = words.places
    if hidden is not None:
        every = np.ones_like(chosen)
        every[words.codes.ends] = 0
        between = ((hidden != 0) & (words.codes.symbols(every) == 0)).astype(np.uint8)
        stars = stars | (between * np.uint8(OPENS) if collapse else between)
    if collapse:
        stars[starts[chosen != 0]] = OPENS
    ends = words.codes.ends
    blank, separators = rare_separators(
        words.texts,
        ends,
        (starts, stops),
        found.k,
        keep=keep,
        hidden=hidden,
        labels=words.labels,
    )
    sizes = np.diff(np.concatenate([[0], np.cumsum(found.stars == 0)])[np.append(0, ends + 1)]) - 1
    filled = np.diff(ends, prepend=-1) > 1
    counts = {
        "separators_blanked": separators,
        "documents_all_starred": int(np.count_nonzero((sizes == 0) & filled)),
    }
    return replace(found, stars=stars, blank=blank if separators else None, counts=counts)


def changes_of(found: Starred, ends: NDArray[np.int64], mask: str, collapse: bool) -> Changes:
    """Runs of stars, and what was written as blanks, in order."""
    runs = text.star_runs(found.stars, ends)
    why = rarer(found.k)
    if found.blank is None:
        sizes = runs.stops - runs.starts
        replacements: Sequence[str] = Same(mask, len(sizes)) if collapse else Repeated(mask, sizes)
        return Changes(*runs, replacements, Same(why, len(sizes)))
    blanks = text.star_runs(found.blank, ends)
    documents, starts, stops = (np.concatenate([a, b]) for a, b in zip(runs, blanks, strict=True))
    is_blank = np.arange(len(starts)) >= len(runs.starts)
    order = np.lexsort((starts, documents))
    documents, starts, stops = documents[order], starts[order], stops[order]
    is_blank = is_blank[order]
    shown = np.where(is_blank, -(stops - starts), 1 if collapse else stops - starts)
    kinds, numbers = np.unique(shown, return_inverse=True)
    table = [" " * -int(one) if one < 0 else mask * int(one) for one in kinds]
    reasons = Gathered([why, f"between words, shared by fewer than k={found.k}"], is_blank * 1)
    return Changes(documents, starts, stops, Gathered(table, numbers), reasons)
