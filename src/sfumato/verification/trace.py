"""What became of each place of a text under later changes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, starmap
from typing import TYPE_CHECKING

from ..core.printed_form import by_sizes

if TYPE_CHECKING:
    from ..core.spans import Change


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch [start, stop) of the first text that was written over, and what stands there."""

    start: int
    stop: int
    text: str

    __repr__ = by_sizes


@dataclass(frozen=True, slots=True)
class Trace:
    """The changes of several stages as changes of the first text, in order and apart.

    >>> from sfumato.core.spans import Change
    >>> first = Trace().then([Change(0, 4, 7, "Eve", "")])  # Dr. Ann Ho -> Dr. Eve Ho
    >>> both = first.then([Change(0, 5, 10, "*****", "")])  # Dr. Eve Ho -> Dr. E*****
    >>> [(piece.start, piece.stop, piece.text) for piece in both.pieces]
    [(4, 10, 'E*****')]
    >>> both.image(4, 7), both.image(0, 3)
    ((4, 10), (0, 3))
    """

    pieces: tuple[Piece, ...] = ()

    def then(self, changes: Iterable[Change]) -> Trace:
        """The trace after further changes, whose places are those of the text as it stands now."""
        given = [(change.start, change.stop, change.replacement) for change in changes]
        if not self.pieces and all(one[1] <= two[0] for one, two in pairwise(given)):
            return Trace(tuple(starmap(Piece, given)))  # nothing overlaps, as in most texts
        new = [_Piece(*one) for one in given]
        old, shift = [], 0
        for piece in self.pieces:
            start = piece.start + shift
            old.append(_Piece(start, start + len(piece.text), piece.text, piece))
            shift += len(piece.text) - (piece.stop - piece.start)
        result, shift = [], 0
        for group in _overlapping([*old, *new]):
            low, high = group[0].start, max(one.stop for one in group)
            start = low - shift
            shift += sum(len(one.text) - (o.stop - o.start) for one in group if (o := one.old))
            text = group[0].text if len(group) == 1 else _text(group, low, high)
            result.append(Piece(start, high - shift, text))
        return Trace(tuple(result))

    def image(self, start: int, stop: int) -> tuple[int, int]:
        """Where a stretch of the first text stands now; a changed piece belongs to it whole."""
        return self._place(start, first=True), self._place(stop, first=False)

    def _place(self, place: int, *, first: bool) -> int:
        shift = 0
        for piece in self.pieces:
            if piece.stop <= place:
                shift += len(piece.text) - (piece.stop - piece.start)
            elif piece.start < place or (first and piece.start == place):
                return piece.start + shift if first else piece.start + shift + len(piece.text)
            else:
                break
        return place + shift

    def origin(self, start: int, stop: int) -> tuple[int, int]:
        """Where a stretch of the present text comes from; a changed piece belongs to it whole.

        >>> Trace((Piece(4, 7, "Evelyn"),)).origin(5, 10)
        (4, 7)
        """
        shift, low, high = 0, None, None
        for piece in self.pieces:
            first = piece.start + shift
            last = first + len(piece.text)
            if low is None and start < last:
                low = piece.start if start > first else start - shift
            if stop <= first:
                high = stop - shift
                break
            if stop <= last:
                high = piece.stop
                break
            shift += len(piece.text) - (piece.stop - piece.start)
        low = start - shift if low is None else low
        return low, stop - shift if high is None else high

    def over(self, start: int, stop: int) -> Sequence[Piece]:
        """The pieces that overlap a stretch of the first text."""
        low = bisect_right(self.pieces, start, key=lambda piece: piece.stop)
        found = []
        for piece in self.pieces[low:]:
            if piece.start >= stop:
                break
            found.append(piece)
        return found

    def applied(self, text: str) -> str:
        """The first text with everything that was written over it.

        >>> Trace((Piece(0, 1, "AN"),)).applied("a fox")
        'AN fox'
        """
        parts, at = [], 0
        for piece in self.pieces:
            parts += [text[at : piece.start], piece.text]
            at = piece.stop
        return "".join([*parts, text[at:]])


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of the text as it stands now: an old piece, or what is to be written over it."""

    start: int
    stop: int
    text: str
    old: Piece | None = None

    __repr__ = by_sizes


def _overlapping(stretches: list[_Piece]) -> Iterator[list[_Piece]]:
    """The stretches in order, those together that overlap."""
    group: list[_Piece] = []
    high = 0
    for one in sorted(stretches, key=lambda one: (one.start, one.stop)):
        if group and one.start >= high:
            yield group
            group = []
        high = max(high, one.stop) if group else one.stop
        group.append(one)
    if group:
        yield group


def _text(group: list[_Piece], low: int, high: int) -> str:
    """What stands in [low, high) afterwards: what is written, and old pieces where nothing is."""
    parts, at = [], low
    changes = [one for one in group if one.old is None]
    pieces = [one for one in group if one.old is not None]
    for change in [*changes, _Piece(high, high, "")]:
        for piece in pieces:  # what lies between two changes of a group is an old piece's
            first, last = max(at, piece.start), min(change.start, piece.stop)
            if first < last:
                parts.append(piece.text[first - piece.start : last - piece.start])
        parts.append(change.text)
        at = change.stop
    return "".join(parts)
