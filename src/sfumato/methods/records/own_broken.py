"""Own values that are taken apart or disguised: `harrow-field`, `U l r i c`, look-alike letters."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING

from ...core.letters import LOOK_ALIKE, SINGLE, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...core.letters import Word

_AS_LATIN = str.maketrans(LOOK_ALIKE)
_UMLAUTS = dict(zip("äöüåøæœ", ("ae", "oe", "ue", "aa", "oe", "ae", "oe"), strict=True))
_APART = str.maketrans(_UMLAUTS | {one.upper(): two.capitalize() for one, two in _UMLAUTS.items()})
_LETTERS = {code: None for code in range(128) if not chr(code).isalnum()}
LEAST, LONG = 4, 8  # letters of a value: in pieces at all, and in pieces with blanks between them
GAP = 3  # symbols between two pieces


def as_latin(text: str) -> str:
    """A text with the Latin letters that others look like, each in its place.

    >>> as_latin("Нarrоwfield")
    'Harrowfield'
    """
    return text if text.isascii() else text.translate(_AS_LATIN)


def forms_of(value: str) -> tuple[str, ...]:
    """A value, and as it is written without umlauts, or with them.

    >>> forms_of("Müller"), forms_of("Mueller"), forms_of("Ann")
    (('Müller', 'Mueller'), ('Mueller', 'Muller'), ('Ann',))
    """
    apart = value.translate(_APART)
    together = re.sub("(?i)(a)[ea]|([ou])e", r"\1\2", value) if apart == value else value
    return tuple(dict.fromkeys((as_latin(value), as_latin(apart), as_latin(together))))


def takes_s(value: str) -> bool:
    """Whether a value may have an s behind it without an apostrophe: `Schmidts`, `the Lees`.

    >>> takes_s("Schmidt"), takes_s("Jones"), takes_s("A-17"), takes_s("Bo")
    (True, False, False, False)
    """
    last = value.split()[-1:]
    return bool(last) and last[0].isalpha() and len(last[0]) > 2 and last[0][-1] not in "sS"


def pieces_of(rows: tuple[tuple[str, ...], ...], parts: frozenset[str]) -> frozenset[str]:
    """What is looked for in pieces: a value without its blanks, and the parts of a name.

    >>> sorted(pieces_of((("ann", "lee"),), frozenset(["ann", "lee"])))
    ['ann', 'annlee', 'lee']
    """
    return frozenset("".join(row) for row in rows) | parts


def squeezed(text: str) -> str:
    """The letters and digits of a text, in one row: where a value is not among them, it is nowhere.

    >>> squeezed("Har-row FIELD")
    'harrowfield'
    """
    if text.isascii():
        return text.translate(_LETTERS).lower()
    return "".join(one.read for one in words(text))


def broken_places(text: str, sought: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Where two or more words make one that is sought, with other symbols between them than blanks.

    Blanks may stand there if every word is a letter, or the value is long and has a capital.
    Cost: O(text) where one of those sought stands in its letters, else a search.

    >>> list(broken_places("seen Harrow-field, U l r i c", frozenset(["harrowfield", "ulric"])))
    [(5, 17), (19, 28)]
    """
    found = words(text)
    line = "".join(one.read for one in found)
    if not any(one in line for one in sought):
        return
    starts, at = [], 0
    for word in found:
        starts.append(at)
        at += len(word.read)
    for one in sorted(sought):  # in the same order in every run
        place = line.find(one)
        while place >= 0:
            first, behind = bisect_left(starts, place), place + len(one)
            last = (bisect_left(starts, behind) if behind < len(line) else len(found)) - 1
            whole = starts[first : first + 1] == [place]
            whole = whole and starts[last] + len(found[last].read) == behind
            if whole and last > first and _is_one(text, found[first : last + 1], len(one)):
                before = first > 0 and _touch(found[first - 1], found[first])
                after = last + 1 < len(found) and _touch(found[last], found[last + 1])
                if not before and not after:
                    yield found[first].start, found[last].stop
            place = line.find(one, place + 1)


def _touch(one: Word, other: Word) -> bool:
    return one.stop == other.start and SINGLE not in (one.kind, other.kind)


def _is_one(text: str, run: list[Word], size: int) -> bool:
    """Whether words may be the pieces of one, by what stands between them."""
    if any(one.kind == SINGLE or not one.read for one in run):
        return False
    gaps = [text[one.stop : other.start] for one, other in pairwise(run)]
    if any(len(gap) > GAP for gap in gaps):
        return False
    if all(len(one.read) == 1 for one in run):
        return size > 2
    if any(symbol.isspace() for gap in gaps for symbol in gap):
        return size >= LONG and text[run[0].start].isupper()
    return size >= LEAST
