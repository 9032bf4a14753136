"""Original and redacted text side by side: how every replaced term stands in the release."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ..core.printed_form import by_sizes
from .term_beginnings import NEAR, written_before

if TYPE_CHECKING:
    from .term_places import FoundTerm

TRIED = 20_000  # ends of one mark that are tried


@dataclass(frozen=True, slots=True)
class Misfit(Exception):
    """Why a release does not fit its original, and where in the document."""

    reason: str
    where: str = ""


class ShownTerm(NamedTuple):
    """A term that the original has, or all that a mark stands for (no term), and how it is shown.

    `start` and `stop` are places in the release, `at` and `to` in the original as it is searched.
    """

    term: str | None
    string: str
    start: int
    stop: int
    at: int
    to: int

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: start {self.start}, stop {self.stop}>"


def positions(found: Iterable[FoundTerm]) -> list[int]:
    """The characters of places, in order."""
    return sorted({i for one in found for i in range(one.start, one.stop)})


@dataclass(frozen=True, slots=True)
class _Step:
    """How far the walk has come: terms taken, places in the original and in the release."""

    taken: int
    at: int
    there: int


@dataclass(frozen=True, slots=True)
class WalkResult:
    """How terms stand in a release, and from where on text between them stands there."""

    shown: list[ShownTerm]
    between: list[tuple[int, int, int]]  # from where to where in the original, and where here

    __repr__ = by_sizes

    def there(self, at: int) -> int | None:
        """Where a character between terms stands in the release; None: under a mark."""
        last = bisect_left(self.between, (at + 1,)) - 1
        if last < 0 or self.between[last][1] <= at:
            return None
        first, _, there = self.between[last]
        return there + at - first


@dataclass(frozen=True, slots=True)
class Walk:
    """Walks original and release side by side; `direct` are places that must be starred.

    `shared` is the mark that may stand for a term and what is around it; empty: for terms alone.
    """

    text: str
    new: str
    mask: str
    shared: str
    direct: Sequence[int]
    marks: Mapping[int, int] | None  # where marks are said to stand; None: nobody said it
    retold: bool = False  # whether words before places may be written otherwise
    retold_at: Sequence[int] = ()  # other places before which they may, in order
    fits: Callable[[ShownTerm], bool] | None = None  # which of several readings is wanted

    __repr__ = by_sizes

    def shown(
        self, taken: Sequence[FoundTerm], strings: Mapping[str, str], begins: Sequence[int]
    ) -> WalkResult:
        """How each replaced term stands; what lies between is unchanged or starred.

        Where it does not fit, marks are tried for more than one term and for text around them. If
        nothing fits, terms are taken to stand as whatever is there, so that the check can say what
        is wrong.
        """
        straight = self._straight(taken, strings)
        if straight is not None:
            return straight
        if self.fits is not None:
            try:
                return self._found(taken, strings, begins, strict=True, fits=self.fits)
            except Misfit:
                pass
        try:
            return self._found(taken, strings, begins, strict=True)
        except Misfit:
            return self._found(taken, strings, begins, strict=False)

    def _straight(
        self, taken: Sequence[FoundTerm], strings: Mapping[str, str]
    ) -> WalkResult | None:
        """The first way of all where nothing stands between terms but what stood there.

        It is the first that a search would try; None where it does not lead to the end.
        """
        if self.direct or self.marks:
            return None
        text, new, fits, at, there = self.text, self.new, self.fits, 0, 0
        shown: list[ShownTerm] = []
        between: list[tuple[int, int, int]] = []
        for _, start, stop, term, first, last in taken:
            size = start - at
            if text[at:start] != new[there : there + size]:
                return None
            if size:
                between.append((at, start, there))
            at, there = stop, there + size
            string = strings.get(term)
            if string is None or not new.startswith(string, there):
                return None
            one = ShownTerm(term, string, there, there + len(string), first, last)
            if fits is not None and not fits(one):
                return None
            shown.append(one)
            there += len(string)
        if text[at:] != new[there:]:
            return None
        if at < len(text):
            between.append((at, len(text), there))
        return WalkResult(shown, between)

    def _found(
        self,
        taken: Sequence[FoundTerm],
        strings: Mapping[str, str],
        begins: Sequence[int],
        *,
        strict: bool,
        fits: Callable[[ShownTerm], bool] | None = None,
    ) -> WalkResult:
        goal = _Step(len(taken), len(self.text), len(self.new))
        step, tried = _Step(0, 0, 0), set[_Step]()
        way: list[tuple[Iterator[tuple[_Step, ShownTerm | None]], ShownTerm | None, _Step]] = []
        trouble: Misfit | None = None
        shown: ShownTerm | None = None
        while step != goal:
            if step not in tried:  # no need to come here twice
                tried.add(step)
                ways = self._ways(step, taken, strings, begins, strict=strict)
                way.append((ways, shown, step))
            following = None
            while way and following is None:
                try:
                    following = next(way[-1][0], None)
                except Misfit as misfit:
                    trouble = trouble or misfit
                if following is None:
                    way.pop()
                elif fits is not None and following[1] is not None and not fits(following[1]):
                    following = None
            if following is None:
                raise trouble or Misfit("the lengths of release and original differ")
            step, shown = following
        steps = [one for _, _, one in way]
        past = [*(one for _, one, _ in way[1:]), shown] if way else []
        return WalkResult(
            [one for one in past if one is not None],
            [
                (here.at, to.at, here.there)
                for here, to, one in zip(steps, [*steps, goal][1:], past, strict=True)
                if one is None
            ],
        )

    def _ways(
        self,
        step: _Step,
        taken: Sequence[FoundTerm],
        strings: Mapping[str, str],
        begins: Sequence[int],
        *,
        strict: bool,
    ) -> Iterator[tuple[_Step, ShownTerm | None]]:
        """The ways on from here: up to the next term, or past it, or past a mark."""
        found = taken[step.taken] if step.taken < len(taken) else None
        stop = len(self.text) if found is None else found.start
        searched = bool(self.shared) and strict and self.marks is None
        if self.shared and strict and self.marks:
            yield from self._said(step, stop, taken, begins)
        if step.at < stop:
            trouble = self._differs(step, stop)
            past = _Step(step.taken, stop, step.there + stop - step.at)
            same = self.text[step.at : stop] == self.new[step.there : past.there]
            if same and trouble is None:
                yield past, None
            if self.retold:
                yield from self._retold(step, stop)
            if self.retold_at and not same:
                yield from self._retold_between(step, stop)
            if searched:  # rather than that every letter is starred
                yield from self._marks_in(step, stop, taken, begins)
            if not same and trouble is None:
                yield past, None
            if trouble is not None:
                raise trouble
            return
        if found is None:
            if step.there != len(self.new):
                raise Misfit("the lengths of release and original differ")
            return
        string, size = strings.get(found.term), len(found.term)
        if string is not None and string == self.new[step.there : step.there + len(string)]:
            yield self._past(step, found, len(string))
        if searched:
            yield from self._past_mark(step, step.at, step.there, taken, begins)
        if self.new[step.there : step.there + size] == self.mask * size:
            yield self._past(step, found, size)
        if not strict or string is None:
            yield self._past(step, found, size if string is None else len(string))

    def _retold(self, step: _Step, stop: int) -> Iterator[tuple[_Step, None]]:
        """Text up to a place, whose last word is written otherwise."""
        for start, end, form in written_before(self.text, step.at, stop, self.mask):
            there = step.there + start - step.at
            written = form + self.text[end:stop]
            fits = self.new[there : there + len(written)] == written
            if fits and self._differs(step, start) is None:
                yield _Step(step.taken, stop, there + len(written)), None

    def _retold_between(self, step: _Step, stop: int) -> Iterator[tuple[_Step, None]]:
        """Text up to a direct identifier near where it first fits no more, written otherwise."""
        misfit = self._misfit(step, stop)
        first = bisect_left(self.retold_at, misfit + 1) - 1
        for at in self.retold_at[max(0, first) : first + 3]:
            if step.at < at < min(stop, misfit + NEAR):
                yield from self._retold(step, at)

    def _misfit(self, step: _Step, stop: int) -> int:
        """Where text up to a place is neither unchanged nor starred for the first time."""
        new = self.new[step.there : step.there + stop - step.at]
        for i, letter in enumerate(new, step.at):
            if letter not in (self.text[i], self.mask):
                return i
        return step.at + len(new)

    def _past(self, step: _Step, found: FoundTerm, size: int) -> tuple[_Step, ShownTerm]:
        there = step.there + size
        shown = ShownTerm(
            found.term, self.new[step.there : there], step.there, there, found.at, found.to
        )
        return _Step(step.taken + 1, found.stop, there), shown

    def _marks_in(
        self, step: _Step, stop: int, taken: Sequence[FoundTerm], begins: Sequence[int]
    ) -> Iterator[tuple[_Step, ShownTerm]]:
        """Marks that begin in text between terms, from where it fits no more backwards."""
        last = step.there + stop - step.at + len(self.shared)
        there = self.new.find(self.shared, step.there, last)
        while there >= 0:
            at = step.at + there - step.there
            if at > stop or self._differs(step, at) is not None:
                return
            yield from self._past_mark(step, at, there, taken, begins)
            there = self.new.find(self.shared, there + 1, last)

    def _said(
        self, step: _Step, stop: int, taken: Sequence[FoundTerm], begins: Sequence[int]
    ) -> Iterator[tuple[_Step, ShownTerm]]:
        """The mark that is said to stand next, if it fits."""
        assert self.marks is not None
        at = next((at for at in self.marks if step.at <= at <= stop), None)
        if at is not None and self._differs(step, at) is None:
            there = step.there + at - step.at
            for following, shown in self._past_mark(step, at, there, taken, begins):
                if following.at == self.marks[at]:
                    yield following, shown

    def _past_mark(
        self, step: _Step, at: int, there: int, taken: Sequence[FoundTerm], begins: Sequence[int]
    ) -> Iterator[tuple[_Step, ShownTerm]]:
        """A mark at this place, with every end that it may have."""
        after = there + len(self.shared)
        if self.new[there:after] != self.shared:
            return
        for end in islice(self._ends(at, after, taken), TRIED):
            number = bisect_left(taken, end, key=lambda one: one.start)
            if number and taken[number - 1].stop > end:
                continue
            if number <= step.taken:
                continue  # a mark stands for a term at least
            first, last = bisect_left(begins, at), bisect_left(begins, end)
            yield (
                _Step(number, end, after),
                ShownTerm(None, self.shared, there, after, first, last),
            )

    def _ends(self, at: int, after: int, taken: Sequence[FoundTerm]) -> Iterator[int]:
        """Where the text under a mark may end: before what stands behind the mark."""
        if after == len(self.new):
            yield len(self.text)
            return
        if self.new[after] == self.mask:
            first = bisect_left(taken, at + 1, key=lambda one: one.start)
            yield from (taken[i].start for i in range(first, len(taken)))
            yield from range(at + 1, len(self.text))
            return
        for size in (8, 1):  # what follows may soon be a term, whose blanks are written otherwise
            anchor = self.new[after : after + size]
            end = self.text.find(anchor, at + 1)
            while end >= 0:
                yield end
                end = self.text.find(anchor, end + 1)

    def _differs(self, step: _Step, stop: int) -> Misfit | None:
        """What does not fit in a stretch that must be unchanged or starred."""
        at, there = step.at, step.there
        old, new = self.text[at:stop], self.new[there : there + stop - at]
        if old != new:
            for i, letter in enumerate(old):
                if i >= len(new) or new[i] not in (letter, self.mask):
                    return Misfit(
                        "a character outside replaced terms is neither unchanged nor starred",
                        f", released character {there + i}",
                    )
        for place in self.direct[bisect_left(self.direct, at) : bisect_left(self.direct, stop)]:
            if new[place - at] != self.mask:
                return Misfit(
                    "a direct identifier is not starred whole",
                    f", released character {there + place - at}",
                )
        return None
