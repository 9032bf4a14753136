"""From starred words to symbols, and to the list of changes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.spans import Changes, GatheredStrings, RepeatedMarks, Same
from ...kernels import reader, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from .legible import StarredCodes
    from .reader_stars import Words

    Flags = NDArray[np.uint8]

OPENS = 2  # of a star: it is shown by a mask of its own, even where runs have one


def rarer(k: int) -> str:
    """Why something was starred.

    >>> rarer(5)
    'rarer than k=5'
    """
    return f"rarer than k={k}"


def as_symbols(
    words: Words, found: StarredCodes, hidden: Flags | None, keep: str, collapse: bool
) -> StarredCodes:
    """Starred words as starred symbols; breaks of the input stay, `hidden` symbols are starred.

    Separators that fewer than k share are written as blanks. With `collapse` a run of stars has
    one mask, and in documents that could then be laid on their original in two ways every word.
    """
    stars = starred_symbols(words, found.stars, hidden, collapse)
    starts, stops = words.places
    ends = words.codes.ends
    blank, separators = reader.rare_separators(
        words.texts,
        ends,
        (starts, stops),
        found.k,
        keep=keep,
        hidden=(stars != 0).astype(np.uint8),
        labels=words.labels,
    )
    counts = {
        "separators_blanked": separators,
        "documents_all_starred": documents_all_starred(words, found.stars),
    }
    in_copies = None
    if words.copied is not None:
        letters = np.where(found.stars == 0, stops - starts, 0)
        in_copies = float(letters[words.copied != 0].sum() / max(1, letters.sum()))
        counts["copied_words"] = int(np.count_nonzero(words.copied))
    return replace(
        found,
        stars=stars,
        blank=blank if separators else None,
        counts=counts,
        in_copies=in_copies,
    )


def starred_symbols(words: Words, starred: Flags, hidden: Flags | None, collapse: bool) -> Flags:
    """The symbols of starred words, and `hidden` ones between words, as masks are written."""
    chosen = np.where(words.breaks != 0, 0, starred).astype(np.uint8)
    stars = words.codes.symbols(chosen)
    if hidden is not None:
        every = np.ones_like(chosen)
        every[words.codes.ends] = 0
        between = ((hidden != 0) & (words.codes.symbols(every) == 0)).astype(np.uint8)
        stars = stars | (between * np.uint8(OPENS) if collapse else between)
    if collapse:
        _one_mask_a_run(words, starred, chosen, stars)
    return stars


def documents_all_starred(words: Words, starred: Flags) -> int:
    """How many documents have words and show none."""
    ends = words.codes.ends
    sizes = np.diff(np.concatenate([[0], np.cumsum(starred == 0)])[np.append(0, ends + 1)]) - 1
    filled = np.diff(ends, prepend=-1) > 1
    return int(np.count_nonzero((sizes == 0) & filled))


def _one_mask_a_run(words: Words, starred: Flags, chosen: Flags, stars: Flags) -> None:
    """Opens a mask at each run of starred words, what stands between them included, in place.

    Not where a symbol between words has a mask of its own: there, too, each word has one.
    """
    starts, stops = words.places
    ends = words.codes.ends
    first, last = words.runs(starred)
    before = np.concatenate([[0], np.cumsum(chosen != 0)])
    own = before[last + 1] > before[first]  # a mask of the input by itself stays
    first, last = first[own], last[own]
    steps = np.zeros(len(stars) + 1, np.int8)
    steps[starts[first]] += 1
    steps[stops[last]] -= 1
    runs = np.cumsum(steps[:-1], dtype=np.int8).view(np.uint8)
    apart = np.concatenate([[0], np.cumsum((stars != 0) & (runs == 0))])
    symbols = words.codes.symbol_ends
    alone = apart[symbols] == apart[np.append(0, symbols[:-1] + 1)]
    document = np.searchsorted(ends, np.arange(len(chosen)))
    whole = reader.one_way(words.codes.codes, ends, starred).astype(bool) & alone
    inside = np.repeat(whole, np.diff(symbols, prepend=-1))
    stars[(runs != 0) & inside] = 1
    stars[starts[first[whole[document[first]]]]] = OPENS
    each = (chosen != 0) & ~whole[document]
    stars[starts[each]] = OPENS


def changes_of(found: StarredCodes, ends: NDArray[np.int64], mask: str, collapse: bool) -> Changes:
    """Runs of stars, and what was written as blanks, in order."""
    runs = text.star_runs(found.stars, ends)
    why = rarer(found.k)
    if found.blank is None:
        sizes = runs.stops - runs.starts
        replacements: Sequence[str] = (
            Same(mask, len(sizes)) if collapse else RepeatedMarks(mask, sizes)
        )
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
    reasons = GatheredStrings(
        [why, f"between words, shared by fewer than k={found.k}"], is_blank * 1
    )
    return Changes(documents, starts, stops, GatheredStrings(table, numbers), reasons)
