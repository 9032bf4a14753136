"""The documents of an attack in an order of their own, which that of the records does not change.

Who is attacked, who is held out and which text is known of a person is drawn. Drawn by the place of
a record, a figure would depend on how a file happens to be sorted; so people and documents
are first put in the order of the hashes of what they say.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from ..core.corpus import Corpus
from ..core.errors import BadInput
from ..core.printed_form import by_sizes
from .scene import people_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.values import Data

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Crowd:
    """Documents before and after, whose they are, and what is known, in the order of content."""

    original: list[str]
    released: list[str]
    people: NDArray[np.int64]
    background: Data
    order: list[int]

    __repr__ = by_sizes

    @classmethod
    def of(
        cls, original: Sequence[str], released: Sequence[str], groups: Data, background: Data
    ) -> Crowd:
        """Sorts people by what all their documents say, and the documents of each.

        Cost: O(n + documents log documents).

        >>> one = Crowd.of(["a", "b", "c"], ["★", "b", "c"], ["x", "y", "x"], "part")
        >>> two = Crowd.of(["c", "b", "a"], ["c", "b", "★"], ["x", "y", "x"], "part")
        >>> one.released == two.released, (one.people == two.people).all()
        (True, np.True_)
        """
        labels = people_of(groups, len(original))
        known: str | list[str]
        if isinstance(background, str):
            known = background
        else:
            known = Corpus.of(background, "background").texts
            if len(known) != len(original):
                raise BadInput(
                    f"expected {len(original)} texts, one for each document, found {len(known)}",
                    where="background",
                )
        given = [original, released] if isinstance(known, str) else [original, released, known]
        people = by_content(zip(*given, strict=True), labels)
        order = [document for mine in people for document in mine]
        numbers = np.repeat(np.arange(len(people)), [len(mine) for mine in people])
        return cls(
            [original[one] for one in order],
            [released[one] for one in order],
            numbers.astype(np.int64),
            known if isinstance(known, str) else [known[one] for one in order],
            order,
        )

    def ordered(self, values: Sequence[T]) -> list[T]:
        """What belongs to each document, in this order."""
        return [values[one] for one in self.order]


def by_content(records: Iterable[Sequence[str]], labels: NDArray[np.int64]) -> list[list[int]]:
    """The records of every person, people and records in the order of what they say.

    >>> by_content([("b",), ("a",), ("b",)], np.array([0, 0, 1]))
    [[2], [0, 1]]
    >>> by_content([("b",), ("b",), ("a",)], np.array([0, 1, 1]))
    [[0], [1, 2]]
    """
    said = list(map(_digest, records))
    of_person: dict[int, list[int]] = {}
    for record in sorted(range(len(said)), key=said.__getitem__):
        of_person.setdefault(int(labels[record]), []).append(record)
    return sorted(of_person.values(), key=lambda mine: [said[one] for one in mine])


def _digest(texts: Sequence[str]) -> bytes:
    """What a document says before and after, as a number nobody chose."""
    whole = hashlib.sha256()
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        whole.update(len(content).to_bytes(8, "little") + content)
    return whole.digest()
