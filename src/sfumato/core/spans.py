"""Places in documents: what a recogniser found, and what a release changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, overload

from .printed_form import by_sizes

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Span:
    """A place found in a document: code points, half open.

    >>> Span(document=0, start=4, stop=9, label="PERSON").stop
    9
    """

    document: int
    start: int
    stop: int
    label: str = ""
    score: float = 1.0
    why: str = ""


_new = object.__new__
_document, _start, _stop, _label, _score, _why = (
    getattr(Span, name).__set__ for name in ("document", "start", "stop", "label", "score", "why")
)


def quick_span(document: int, start: int, stop: int, label: str, score: float, why: str) -> Span:
    """The same as `Span(...)` in half the time: rules make one for every hundred symbols.

    >>> quick_span(0, 4, 9, "PERSON", 0.9, "title") == Span(0, 4, 9, "PERSON", 0.9, "title")
    True
    """
    span = _new(Span)
    _document(span, document)
    _start(span, start)
    _stop(span, stop)
    _label(span, label)
    _score(span, score)
    _why(span, why)
    return span


@dataclass(frozen=True, slots=True)
class Gold(Span):
    """A place that people marked: what it is, how it identifies, and whose mention it is.

    `role` is direct, quasi or keep; mentions of one document with the same `entity` belong together
    (empty: those with the same text and label).

    >>> Gold(0, 4, 9, "PERSON", role="direct").role
    'direct'
    """

    role: str = "quasi"
    entity: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One changed place of the original, in code points, and what stands there now."""

    document: int
    start: int
    stop: int
    replacement: str
    reason: str


@dataclass(frozen=True, slots=True)
class Same(Sequence[str]):
    """One string several times, without the memory.

    >>> list(Same("rare", 2))
    ['rare', 'rare']
    """

    value: str
    times: int

    def __len__(self) -> int:
        return self.times

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return Same(self.value, len(range(self.times)[index]))
        range(self.times)[index]
        return self.value

    def __iter__(self) -> Iterator[str]:
        return repeat(self.value, self.times)


@dataclass(frozen=True, slots=True, eq=False)
class RepeatedMarks(Sequence[str]):
    """A mark repeated as often as each count says, made on access.

    >>> import numpy as np
    >>> list(RepeatedMarks("★", np.array([1, 3])))
    ['★', '★★★']
    """

    mark: str
    counts: NDArray[np.integer]

    def __len__(self) -> int:
        return len(self.counts)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return RepeatedMarks(self.mark, self.counts[index])
        return self.mark * int(self.counts[index])

    def __iter__(self) -> Iterator[str]:
        return map(self.mark.__mul__, self.counts.tolist())


@dataclass(frozen=True, slots=True, eq=False)
class GatheredStrings(Sequence[str]):
    """Strings told by their numbers in a table.

    >>> import numpy as np
    >>> list(GatheredStrings(["city", "date"], np.array([1, 0, 1])))
    ['date', 'city', 'date']
    """

    table: Sequence[str]
    numbers: NDArray[np.integer]

    __repr__ = by_sizes

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return GatheredStrings(self.table, self.numbers[index])
        return self.table[int(self.numbers[index])]

    def __iter__(self) -> Iterator[str]:
        return map(self.table.__getitem__, self.numbers.tolist())

    def count(self, value: object) -> int:
        """How many of them are the value."""
        return sum(
            int((self.numbers == i).sum()) for i, one in enumerate(self.table) if one == value
        )


@dataclass(frozen=True, slots=True, eq=False)
class Changes(Sequence[Change]):
    """The changes of a release, held as arrays; each Change is made on access.

    >>> import numpy as np
    >>> at = np.array([0, 0]), np.array([2, 9]), np.array([4, 10])
    >>> Changes(*at, replacements=["★★", "★"], reasons=Same("rare", 2))[1]
    Change(document=0, start=9, stop=10, replacement='★', reason='rare')
    """

    documents: NDArray[np.integer]
    starts: NDArray[np.integer]
    stops: NDArray[np.integer]
    replacements: Sequence[str]
    reasons: Sequence[str]

    __repr__ = by_sizes

    @classmethod
    def of(cls, changes: Sequence[Change] = ()) -> Changes:
        """Changes that were made one by one, or none.

        >>> change = Change(0, 9, 10, "★", "rare")
        >>> list(Changes.of([change])) == [change], len(Changes.of())
        (True, 0)
        """
        import numpy as np

        return cls(
            np.array([one.document for one in changes], np.int64),
            np.array([one.start for one in changes], np.int64),
            np.array([one.stop for one in changes], np.int64),
            [one.replacement for one in changes],
            [one.reason for one in changes],
        )

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, index: int) -> Change: ...
    @overload
    def __getitem__(self, index: slice) -> Changes: ...
    def __getitem__(self, index: int | slice) -> Change | Changes:
        if isinstance(index, slice):
            return Changes(
                self.documents[index],
                self.starts[index],
                self.stops[index],
                self.replacements[index],
                self.reasons[index],
            )
        return Change(
            int(self.documents[index]),
            int(self.starts[index]),
            int(self.stops[index]),
            self.replacements[index],
            self.reasons[index],
        )

    def __iter__(self) -> Iterator[Change]:
        places = self.documents.tolist(), self.starts.tolist(), self.stops.tolist()
        return map(Change, *places, self.replacements, self.reasons)

    def of_document(self, document: int) -> Changes:
        """The changes of one document; changes stand in the order of documents and places."""
        low = int(self.documents.searchsorted(document, "left"))
        high = int(self.documents.searchsorted(document, "right"))
        return self[low:high]
