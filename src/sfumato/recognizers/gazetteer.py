"""Listed terms, found by an automaton: all occurrences, borders filtered, then resolved."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..core.errors import BadInput
from ..core.printed_form import by_sizes
from ..core.spans import Span
from .as_seen import found_as_seen
from .combine import found_by
from .overlaps import resolve
from .scan import bordered

if TYPE_CHECKING:
    from ..core.progress import Progress


@dataclass(frozen=True)
class Gazetteer:
    """Terms with their labels; a term counts where a word begins and ends.

    Overlapping matches are all found first: the leftmost-longest alone would lose "ann" in "ann
    arbor" to a term "ann ar" that ends inside a word. Cost: O(n + matches).

    >>> places = Gazetteer("places", {"Ann Arbor": "LOCATION", "Ann": "PERSON"})
    >>> [(span.start, span.stop, span.label) for span in places(["Ann of Ann Arbor"])]
    [(0, 3, 'PERSON'), (7, 16, 'LOCATION')]
    """

    name: str
    terms: Mapping[str, str]
    ignore_case: bool = False
    score: float = 0.9

    __repr__ = by_sizes

    def __call__(self, texts: Sequence[str], progress: Progress | None = None) -> list[Span]:
        """The spans of all documents."""
        if not self._labels:
            return []
        return found_as_seen(lambda some: self._found(some, progress), texts)

    def _found(self, texts: Sequence[str], progress: Progress | None) -> list[Span]:
        found: list[Span] = []
        for document, text in enumerate(texts):
            found += resolve(self._spans(document, text))
            if progress is not None and document % 100 == 99:
                progress(self.name, (document + 1) / len(texts))
        return found

    @cached_property
    def _labels(self) -> list[tuple[str, str]]:
        pairs = {
            _folded(term) if self.ignore_case else term: label for term, label in self.terms.items()
        }
        if any(not term.strip() for term in pairs):
            raise BadInput("a term is empty", where=self.name, remedy="remove it")
        return sorted(pairs.items())

    @cached_property
    def _automaton(self) -> Any:
        from ahocorasick_rs import AhoCorasick

        return AhoCorasick([term for term, _ in self._labels])

    def _spans(self, document: int, text: str) -> Iterable[Span]:
        searched = _folded(text) if self.ignore_case else text
        searched = searched.encode("utf-8", "replace").decode()  # half pairs match nothing
        why = f"{self.name}: listed"
        for number, start, stop in self._automaton.find_matches_as_indexes(
            searched, overlapping=True
        ):
            if bordered(text, start, stop):
                label = self._labels[number][1]
                yield Span(document, start, stop, label, self.score, why)


def _folded(text: str) -> str:
    """Lower case symbol by symbol, so that every place keeps its number."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(one if len(one.lower()) != 1 else one.lower() for one in text)


def deny(terms: Iterable[str], label: str = "DENIED", *, ignore_case: bool = True) -> Gazetteer:
    """A recogniser of terms that must always be found.

    >>> [span.stop for span in deny(["Project Swan"])(["project swan starts"])]
    [12]
    """
    return Gazetteer("deny list", dict.fromkeys(terms, label), ignore_case, score=1.0)


@dataclass(frozen=True, slots=True)
class Allow:
    """Takes out of another recogniser's spans those whose text is allowed to stay.

    >>> found = Allow(deny(["Swan", "Heron"]), frozenset({"swan"}))(["Swan and Heron"])
    >>> [(span.start, span.stop) for span in found]
    [(9, 14)]
    """

    recognizer: Any
    terms: frozenset[str]

    __repr__ = by_sizes

    def __call__(
        self,
        texts: Sequence[str],
        progress: Progress | None = None,
        groups: Sequence[Hashable] | None = None,
    ) -> list[Span]:
        """The spans of all documents that are not allowed."""
        folded = {term.casefold() for term in self.terms}
        return [
            span
            for span in found_by(self.recognizer, texts, progress, groups)
            if texts[span.document][span.start : span.stop].casefold() not in folded
        ]
