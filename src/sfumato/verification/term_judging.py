"""Whether a place of a release hides which term stood there: its candidates, counted in context."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ..core.letters import is_invisible
from ..core.printed_form import by_sizes
from .term_candidates import Candidates

if TYPE_CHECKING:
    from .term_candidates import ReadText
    from .term_places import Reading
    from .term_walk import ShownTerm

OVER = "a term that several candidates of a place share with the text after it is legible"


@dataclass(frozen=True, eq=False)
class PlaceJudge:
    """Counts the candidates of places; `exempt` are terms of rare lengths that are starred."""

    k: int
    shared: str
    reading: Reading
    strings: Mapping[str, str]
    direct: Sequence[str]
    exempt: bool

    __repr__ = by_sizes

    @cached_property
    def candidates(self) -> Candidates:
        """The terms by their strings, made when the first place is judged."""
        return Candidates.of(self.reading, self.strings, self.direct, self.shared)

    @cached_property
    def lengths(self) -> Counter[int]:
        """How many terms have each length."""
        return Counter(map(len, self.strings))

    def holds(self, read: ReadText, one: ShownTerm) -> bool:
        """Whether what is shown may stand there, and hides enough."""
        if one.term is not None and one.string != self.strings[one.term]:
            starred = self._is_starred(one) and self.lengths[len(one.term)] >= self.k
            return starred and self.problem(read, one) is None
        return self.problem(read, one) is None

    def problem(self, read: ReadText, one: ShownTerm) -> str | None:
        """Why too few terms could stand at a place and be published alike."""
        string = self.shared if one.term is None else self.strings[one.term]
        if self.exempt and one.term is not None and self._is_exempt(one.term, string):
            return None
        found = self._count(read, one, string)
        if found >= self.k:
            return None
        return f"at a place {found} terms could stand and be published alike, k is {self.k}"

    def legible_over(
        self, new: str, shown: Sequence[ShownTerm], read: ReadText
    ) -> ShownTerm | None:
        """A place out of which a term reaches legibly, that two of its candidates would have."""
        by_start = {one.at: one for one in shown if one.term is not None}
        mask = self.reading.mask
        for at, to, size in read.over:
            place = bisect_right(read.starts, at) - 1
            one = by_start.get(read.starts[place])
            meets = place + 1 < len(read.starts) and read.starts[place + 1] < to
            if one is None or meets or one.string != self.strings[str(one.term)]:
                continue
            after = new[one.stop : one.stop + size]
            legible = any(a != mask and not a.isspace() and not is_invisible(a) for a in after)
            end = read.text[at : read.stops[place]]
            hidden = self._is_starred(one)  # perhaps for want of candidates with its string
            if legible and not hidden and self.candidates.ends(one.string, end) > 1:
                return one
        return None

    def _count(self, read: ReadText, one: ShownTerm, string: str) -> int:
        """How many terms could stand at a place, k at most: those of its string, or of its length.

        The length is all that a place tells which is starred whole. In a release that was read from
        a file the mark of as many stars is the same.
        """
        if one.term is None and one.at == 0 and one.to == len(read.text):
            return len(self.candidates.keys.get(string, ()))
        found = self.candidates.count(read, one.at, one.to, string, self.k)
        if found >= self.k:
            return found
        at = bisect_left(read.starts, one.at)
        whole = at < len(read.starts) and (read.starts[at], read.stops[at]) == (one.at, one.to)
        starred = whole and one.to - one.at == len(one.string) and self._is_starred(one)
        if starred:
            found = max(found, self.candidates.count_starred(read, one.at, one.to, self.k))
        return found

    def _is_starred(self, one: ShownTerm) -> bool:
        return one.string == self.reading.mask * len(one.string)

    def _is_exempt(self, term: str, string: str) -> bool:
        starred = string == self.reading.mask * len(term)
        return starred and self.lengths[len(term)] < self.k
