"""Which terms share one mark: those of rare lengths, and as many others as the mark lacks."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ...core.letters import is_wordlike

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from ...core.values import Array
    from .term_list import TermList

_is_wordlike = lru_cache(maxsize=None)(is_wordlike)


def can_overlap(terms: TermList, whole_words: bool = True) -> bool:
    """Whether in some text a term may begin inside another one, or be the beginning of a longer.

    Terms begin and end at the borders of words, where their scripts have words. A unit of a term
    with which another begins is taken for an overlap, whatever follows it.

    >>> from sfumato.methods.terms.term_list import TermList
    >>> lists = ["New York", "Oak Road"], ["東京", "京都"], ["a b", "b c"], ["ab", "abc"]
    >>> [can_overlap(TermList.of(some)) for some in lists]
    [False, True, True, False]
    """
    words = np.array(
        [whole_words and _is_wordlike(chr(point)) for point in terms.alphabet], np.bool_
    )
    parted: list[str] = []
    alone = np.zeros(len(words), np.bool_)  # letters that are units and begin a term
    for codes in terms.classes:
        alone[codes[0]] = True
    alone &= ~words
    for codes in terms.classes:
        if alone[codes[1:]].any():
            return True
        inner = ~(words[codes[:-1]] & words[codes[1:]])
        for row in np.flatnonzero(inner.any(0)):
            parted.append(terms.decoded(codes[:, row]))
    if not parted:
        return False
    if not whole_words:
        return True  # which a letter alone decides, but for terms of one letter
    firsts = {next(iter(_units(term))) for term in terms}
    return any(
        at > 0 and (unit in firsts or term[:at] in terms)
        for term in parted
        for at, unit in _placed(term)
    )


def _units(term: str) -> Iterator[str]:
    return (unit for _, unit in _placed(term))


def _placed(term: str) -> Iterator[tuple[int, str]]:
    """The words of a term and what stands between them, letter by letter, with their places."""
    at = 0
    for run in re.finditer("(?s).", term):
        letter, place = run.group(), run.start()
        if place and _is_wordlike(letter) and _is_wordlike(term[place - 1]):
            continue
        if place:
            yield at, term[at:place]
        at = place
    yield at, term[at:]


def least_loss(
    stars: Sequence[NDArray[np.uint8]],
    groups: NDArray[np.uint32],
    open_: NDArray[np.bool_],
    k: int,
    need: int,
) -> NDArray[np.int64]:
    """The terms that join the pool: `need` of them or one whole group, whichever loses less.

    Single terms come from groups that keep at least k. `open_` says which terms may be taken.

    Cost: O(M log M).
    """
    kept = np.concatenate(
        [np.zeros(0, np.int64), *(rows.shape[1] - rows.sum(1, dtype=np.int64) for rows in stars)]
    )
    numbers = np.flatnonzero(open_)
    sizes = np.bincount(groups[numbers], minlength=int(groups.max()) + 1)
    spare = np.maximum(sizes - k, 0)
    single: list[int] = []
    for number in numbers[np.argsort(kept[numbers], kind="stable")]:
        if len(single) == need:
            break
        if spare[groups[number]] > 0:
            spare[groups[number]] -= 1
            single.append(int(number))
    losses = np.bincount(groups[numbers], weights=kept[numbers], minlength=len(sizes))
    losses[sizes == 0] = np.inf
    whole = int(np.argmin(losses))
    if len(single) == need and kept[single].sum() <= losses[whole]:
        return np.sort(np.array(single, np.int64))
    return np.asarray(numbers[groups[numbers] == whole])


def closed_again(codes: Array, rows: NDArray[np.int64]) -> NDArray[np.uint8]:
    """The stars of a group's terms that are left: where they agree, none is needed."""
    same = (codes[:, rows] == codes[:, rows[:1]]).all(1)
    return np.repeat((~same).astype(np.uint8)[None, :], len(rows), 0)
