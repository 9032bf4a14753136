"""Words before a place that tell how the term there begins: written as all that share it need.

"an" before a string that may stand for "innkeeper" or "goalkeeper" leaves the first alone, and so
does an elided "l'". So "an" stands where every term of the string takes it, and "a" elsewhere. An
elided word, or one that would be, becomes two marks where terms of both kinds share the string.
Before a direct identifier, which is starred whole, nothing is told.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ...core.spans import Change
from ...kernels.terms import DIRECT, REPLACED, SHARED, STARRED
from ...ontologies.articles import OPENING, article_by_place
from ...ontologies.elision import ELIDING, elided_before, eliding_before
from ...ontologies.inflection import takes_an
from ...recognizers.told_language import language_of
from .find import Places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from ...kernels.terms import TermStrings
    from .term_list import TermList

ARTICLE = 6  # a mark beside those of the kernel
ARTICLES_END = "aAnN"  # what the last letter of an article is
MARKS = 2  # how many hide a word that may be elided


@dataclass(frozen=True, slots=True)
class _Sound:
    """How the terms of a string begin: whether all take "an"; whether words before are elided."""

    an: bool
    elided: bool | None

    @property
    def word(self) -> str:
        """A word with the same article."""
        return "an" if self.an else "the"


HIDDEN = _Sound(an=False, elided=None)


@dataclass(slots=True, eq=False)
class Beginnings:
    """How the terms of every string begin, worked out when first asked for."""

    terms: TermList
    strings: TermStrings
    mask: str
    of_terms: bool
    of_direct: bool
    _known: dict[int, _Sound] = field(default_factory=dict)
    _order: NDArray[np.int64] | None = None

    def told(self, document: int, text: str, here: Places) -> list[Change]:
        """The words of a text that would tell how a term begins, as they are written instead."""
        found = list(self._articles(document, text, here))
        if not found and not self._may_elide(text, here):
            return []  # telling languages apart takes longer than all the rest
        language = _language(text, here)
        if language in ("en", None):
            return found
        return list(self._elisions(document, text, here, language))

    def _articles(self, document: int, text: str, here: Places) -> Iterator[Change]:
        for before, start, number in _places(here, self._marks):
            if text[before:start].rstrip(OPENING).rstrip()[-1:] not in ARTICLES_END:
                continue
            one = article_by_place(text, document, start, before, self._sound(number).word)
            if one is not None:
                yield one

    def _may_elide(self, text: str, here: Places) -> bool:
        """Whether a word before a place would be elided in some language."""
        return any(
            eliding_before(text[max(before, start - 20) : start], language) is not None
            for before, start, _ in _places(here, self._marks)
            for language in ELIDING
        )

    def _elisions(
        self, document: int, text: str, here: Places, language: str | None
    ) -> Iterator[Change]:
        for before, start, number in _places(here, self._marks):
            low = max(before, start - 20)
            at = eliding_before(text[low:start], language)
            if at is None or (at == 0 and low > 0) or self._sound(number).elided is not None:
                continue
            yield Change(document, low + at, start, self.mask * MARKS + " ", "article")

    @property
    def _marks(self) -> tuple[int, ...]:
        terms = (REPLACED, STARRED, SHARED) if self.of_terms else ()
        return (*terms, DIRECT) if self.of_direct else terms

    def _sound(self, number: int) -> _Sound:
        """How the terms that share a term's string begin; of what hides more, nothing is told."""
        if number < 0:
            return HIDDEN
        group = int(self.strings.groups[number])
        first, last = self.strings.offsets[number : number + 2].tolist()
        if group == self.strings.pool or self.strings.stars[first:last].all():
            return HIDDEN
        if group not in self._known:
            if self._order is None:
                self._order = np.argsort(self.strings.groups, kind="stable")
            ordered = self.strings.groups[self._order]
            low, high = np.searchsorted(ordered, [group, group + 1]).tolist()
            members = [self.terms[int(one)] for one in self._order[low:high]]
            kinds = {elided_before(term) for term in members}
            self._known[group] = _Sound(
                all(map(takes_an, members)), kinds.pop() if len(kinds) == 1 else None
            )
        return self._known[group]


def with_told(
    here: Places, replacements: list[str], told: list[Change]
) -> tuple[Places, list[str]]:
    """The places of a document with those words, in order, and what is written."""
    if not told:
        return here, replacements
    starts = np.append(here.starts, [one.start for one in told])
    order = np.argsort(starts, kind="stable")
    few = len(told)
    places = Places(
        starts[order],
        np.append(here.stops, [one.stop for one in told])[order],
        np.append(here.terms, np.full(few, -1))[order],
        np.append(here.marks, np.full(few, ARTICLE, np.uint8))[order].astype(np.uint8),
        np.append(here.sizes, [len(one.replacement) for one in told])[order],
    )
    written = [*replacements, *(one.replacement for one in told)]
    return places, [written[i] for i in order.tolist()]


def _places(here: Places, marks: tuple[int, ...]) -> Iterator[tuple[int, int, int]]:
    """Of every place so marked where the one before stops, where it starts, and its term or -1."""
    before = 0
    for start, stop, term, mark in zip(
        here.starts.tolist(), here.stops.tolist(), here.terms.tolist(), here.marks.tolist(),
        strict=True,
    ):  # fmt: skip
        if mark in marks:
            yield before, start, term
        before = stop


def _language(text: str, here: Places) -> str | None:
    """The language of what stays of a text."""
    pieces, at = [], 0
    for start, stop in zip(here.starts.tolist(), here.stops.tolist(), strict=True):
        pieces.append(text[at:start])
        at = stop
    return language_of(" ".join([*pieces, text[at:]]))
