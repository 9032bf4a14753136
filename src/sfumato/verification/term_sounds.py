"""Whether what stands before a place of a release tells how the term there begins.

What is written before a string must be the same for all terms that share it. "an" may stand where
every one of them takes it; a word that is elided before some of them only is hidden by two marks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..core.letters import is_wordlike
from ..core.printed_form import by_sizes
from ..ontologies.elision import ELIDING, elided_before, eliding_before, may_be_elided
from ..ontologies.inflection import takes_an
from ..recognizers.told_language import language_of
from .records_articles import article_before
from .term_beginnings import NEAR
from .term_walk import ShownTerm

if TYPE_CHECKING:
    from .term_walk import WalkResult


@dataclass(frozen=True, slots=True)
class FirstSounds:
    """Whether what stands before a place tells how its term begins."""

    strings: Mapping[str, str]
    mask: str
    terms: bool = True  # whether words before terms are asked about, or before others alone
    known: dict[str, tuple[bool, bool | None]] = field(default_factory=dict)
    members: dict[str, list[str]] = field(default_factory=dict)

    __repr__ = by_sizes

    def first_told(
        self, new: str, shown: Sequence[ShownTerm], direct: Sequence[ShownTerm], read: str
    ) -> ShownTerm | None:
        """The first place of a release before which too much is told.

        Languages are told apart where the original without its places and the release agree; this
        takes long, and is asked only where the word before a place would tell in some language.
        """
        places = sorted([*shown, *direct], key=lambda one: one.start) if direct else shown
        released: tuple[str | None] | None = None  # the language, once it was asked for
        original: tuple[str | None] | None = None
        after, others = 0, {one.start for one in direct}
        for one in places:
            low, after = after, one.stop
            if not self.terms and one.start not in others:
                continue
            article = article_before(new, one.start, low)
            low = max(low, one.start - NEAR)
            near = new[low : one.start]
            if article is None and not may_be_elided(near):
                continue  # most places
            an, elided = self._sound(one)
            if article is not None and new[article[0] - 1 : article[0]] == self.mask:
                article = None  # the end of a word that is starred
            other = article is not None and new[slice(*article)].casefold() != ("an" if an else "a")
            eliding: dict[str, int] = {}
            if elided is None:
                places_of = {name: eliding_before(near, name) for name in ELIDING}
                eliding = {name: at for name, at in places_of.items() if at is not None}
            if not other and not eliding:
                continue
            if released is None:
                released = (_left(new, [(one.start, one.stop) for one in places]),)
            if not other and released[0] not in eliding:
                continue  # whatever the original is in
            if original is None:
                original = (_left(read, [(one.at, one.to) for one in places]),)
            if other and {*released, *original} <= {"en", None}:
                return one
            at = eliding.get(released[0] or "") if released == original else None
            if elided is None and at is not None and not at == 0 < low:
                return one
        return None

    def _sound(self, one: ShownTerm) -> tuple[bool, bool | None]:
        """Whether all terms of a string take "an", and whether words before them are elided."""
        if one.term is None or one.string == self.mask * len(one.string):
            return False, None
        if not self.members:
            for term, string in self.strings.items():
                self.members.setdefault(string, []).append(term)
        if one.string not in self.known:
            terms = self.members.get(one.string, [])
            kinds = {elided_before(term) for term in terms}
            found = kinds.pop() if len(kinds) == 1 else None
            self.known[one.string] = all(map(takes_an, terms)), found
        return self.known[one.string]


def _left(text: str, places: Sequence[tuple[int, int]]) -> str | None:
    """The language of a text without these places."""
    pieces, at = [], 0
    for start, stop in places:
        pieces.append(text[at:start])
        at = stop
    return language_of(" ".join([*pieces, text[at:]]))


def starts_of(text: str, hidden: Sequence[int]) -> list[int]:
    """Where direct identifiers begin, in order: those inside a word with the word.

    >>> starts_of("an Ann Lee", [3, 4, 5, 8, 9])
    [3, 7]
    """
    found = []
    for before, at in zip([-2, *hidden], hidden, strict=False):
        if at != before + 1:
            while at > 0 and is_wordlike(text[at]) and is_wordlike(text[at - 1]):
                at -= 1
            found.append(at)
    return sorted(set(found))


def direct_places(
    starts: Sequence[int], walked: WalkResult, begins: Sequence[int], new: str, mask: str
) -> list[ShownTerm]:
    """Direct identifiers as they stand in a release, which has nothing but marks of them."""
    found = []
    for at in starts:
        start = walked.there(at)
        if start is None or new[start : start + 1] != mask:
            continue  # under a mark, or a word of which only the end is starred
        stop = start
        while new[stop : stop + 1] == mask:
            stop += 1
        first = bisect_left(begins, at)
        string = new[start:stop]
        found.append(ShownTerm(None, string, start, stop, first, first + len(string)))
    return found
