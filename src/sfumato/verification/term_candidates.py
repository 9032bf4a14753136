"""How many terms could stand at a place of a text and be published alike, by trying them.

Each term with the same string is put into the place. It counts if a search from the left, the
longest first, then still takes it, and what it took before; what follows is searched as it was.
Most places need no search: where no term has the two letters that meet at a border, none crosses
it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..core.letters import fold_case
from ..core.printed_form import by_sizes

if TYPE_CHECKING:
    from .term_places import Reading


@dataclass(frozen=True, slots=True)
class ReadText:
    """A document as it is searched: taken places in order, and characters that are starred.

    `over` are terms that begin inside a taken place and reach out of it: where they begin and end,
    and where they end in the text as it is given.
    """

    text: str
    starts: Sequence[int]
    stops: Sequence[int]
    starred: frozenset[int]
    over: Sequence[tuple[int, int, int]] = ()

    __repr__ = by_sizes


@dataclass(frozen=True, slots=True)
class Candidates:
    """The terms by their strings, and what is needed to try them."""

    reading: Reading
    keys: Mapping[str, Sequence[str]]  # of every string its terms as they are searched
    alike: Mapping[int, Sequence[str]]  # by length, those that do not share the mark
    listed: frozenset[str]
    direct: frozenset[str]
    pairs: frozenset[str]  # any two letters that follow each other in a term or direct identifier
    lengths: Mapping[str, Sequence[int]]  # of terms, by their first two letters, longest first
    reach: int
    known: dict[tuple[str, str, str], int] = field(default_factory=dict)

    __repr__ = by_sizes

    @classmethod
    def of(
        cls, reading: Reading, strings: Mapping[str, str], direct: Iterable[str], shared: str
    ) -> Candidates:
        """The candidates of a list with its strings; `shared` is the mark."""
        keys: dict[str, list[str]] = {}
        lengths: dict[str, set[int]] = {}
        pairs: set[str] = set()
        for term, string in strings.items():
            key = _key(term, reading)
            keys.setdefault(string, []).append(key)
            lengths.setdefault(key[:2], set()).add(len(key))
            pairs.update(key[i : i + 2] for i in range(len(key) - 1))
        hidden = frozenset(_key(one, reading) for one in direct)
        pairs.update(one[i : i + 2] for one in hidden for i in range(len(one) - 1))
        listed = frozenset(key for some in keys.values() for key in some)
        descending = {pair: sorted(some, reverse=True) for pair, some in lengths.items()}
        reach = max(map(len, [*listed, *hidden]), default=1)
        alike: dict[int, list[str]] = {}
        for string, some in keys.items():
            if string != shared:
                for key in some:
                    alike.setdefault(len(key), []).append(key)
        return cls(reading, keys, alike, listed, hidden, frozenset(pairs), descending, reach)

    def count(self, document: ReadText, start: int, stop: int, string: str, enough: int) -> int:
        """How many terms with this string could stand here, `enough` at most."""
        text = document.text
        before = text[start - 1] if start else ""
        after = text[stop] if stop < len(text) else ""
        near = (string, before, after)
        if near not in self.known:
            self.known[near] = sum(
                self._meets_nothing(key, before, after) for key in self.keys.get(string, ())
            )
        if self.known[near] >= enough:
            return enough
        found = 0
        for key in self.keys.get(string, ()):
            found += self._meets_nothing(key, before, after) or self._stands(
                document, start, stop, key
            )
            if found >= enough:
                break
        return found

    def count_starred(self, document: ReadText, start: int, stop: int, enough: int) -> int:
        """How many terms as long as a place could stand here, `enough` at most."""
        found = 0
        for key in self.alike.get(stop - start, ()):
            found += self._stands(document, start, stop, key)
            if found >= enough:
                break
        return found

    def ends(self, string: str, end: str) -> int:
        """How many terms with this string have an end with which another term may begin."""
        return sum(
            key.endswith(end) and self.reading.is_border(key, len(key) - len(end))
            for key in self.keys.get(string, ())
        )

    def _meets_nothing(self, key: str, before: str, after: str) -> bool:
        """Whether no term and no direct identifier crosses the borders of a place."""
        if before + key[0] in self.pairs or key[-1] + after in self.pairs:
            return False
        tried = before + key + after
        at = len(before)
        if not (self.reading.is_border(tried, at) and self.reading.is_border(tried, at + len(key))):
            return False
        return not any(one in key for one in self.direct)

    def _stands(self, document: ReadText, start: int, stop: int, key: str) -> bool:
        """Whether the search takes the key, and before it what it took."""
        first = max(0, start - self.reach)
        at = bisect_right(document.starts, first) - 1
        if at >= 0 and document.stops[at] > first:
            first = document.starts[at]
        low = max(0, first - 1)  # one letter more, for the border
        tried = document.text[low:start] + key + document.text[stop : stop + self.reach + 1]
        end, shift = start - low + len(key), start + len(key) - stop - low
        hidden = {i - low for i in document.starred if low <= i < start}
        hidden |= {i + shift for i in document.starred if stop <= i <= stop + self.reach}
        at = first - low
        for place in range(bisect_left(document.starts, first), len(document.starts)):
            if document.starts[place] >= start:
                break
            wanted = document.starts[place] - low, document.stops[place] - low
            if self._next(tried, at, hidden) != wanted:
                return False
            at = wanted[1]
        if self._next(tried, at, hidden) != (start - low, end):
            return False
        return not self._is_direct(tried, start - low, end)

    def _next(self, text: str, at: int, hidden: set[int]) -> tuple[int, int] | None:
        """The first and longest term from a place on."""
        is_border = self.reading.is_border
        for start in range(at, len(text)):
            if start in hidden or not is_border(text, start):
                continue
            for length in (*self.lengths.get(text[start : start + 2], ()), 1):
                stop = start + length
                if (
                    text[start:stop] in self.listed
                    and stop <= len(text)
                    and is_border(text, stop)
                    and hidden.isdisjoint(range(start, stop))
                ):
                    return start, stop
        return None

    def _is_direct(self, text: str, start: int, stop: int) -> bool:
        """Whether a direct identifier overlaps a place."""
        for one in self.direct:
            at = text.find(one, max(0, start - len(one) + 1))
            while 0 <= at < stop:
                if self.reading.is_border(text, at) and self.reading.is_border(text, at + len(one)):
                    return True
                at = text.find(one, at + 1)
        return False


def _key(term: str, reading: Reading) -> str:
    return "".join(map(fold_case, term)) if reading.case else term
