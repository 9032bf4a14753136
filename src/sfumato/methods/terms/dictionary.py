"""The anonymization dictionary of a list of terms."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import BadInput
from ...core.options import check_k, check_mark
from ...formats.atomic import AtomicFiles
from ...kernels.terms import Automaton, TermStrings, layout
from . import dictionary_file, tradeoff
from .folding import Folding
from .patterns import LongPatterns, Patterns, patterns_of
from .publication import Guarantee, Plan, Publication, RareLengths, extended, publication_of
from .term_list import TermList, read_terms

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable

    import polars

    from ...core.values import Data


class TermDictionary:
    """D: for every term of W its patterns, how many terms match each, how much each redacts.

    `terms` is an iterable of strings, a frame's column or the path of a file with one term a
    line; duplicates count once, empty and missing terms are left out. Patterns that fewer than
    `min_matches` terms match are not listed. With `fold_case` or `fold_width`, terms that differ
    so alone are one, and texts are searched the same way. A dictionary does not change: `add`
    returns a new one.

    Paper: Section 3.1, Step 1.

    >>> words = TermDictionary(["crew", "craw", "draw", "drew"])
    >>> for pattern in words.patterns("crew")[:3]:
    ...     print(pattern)
    Pattern(text='cr*w', matches=2, redacted=1)
    Pattern(text='*rew', matches=2, redacted=1)
    Pattern(text='cr**', matches=2, redacted=2)
    >>> words.publish("crew", k=2)
    'cr*w'
    """

    __slots__ = (
        *("_automaton", "_publications", "_strings", "counted", "folding", "min_matches"),
        "terms",
    )

    def __init__(
        self,
        terms: Data,
        min_matches: int = 2,
        *,
        fold_case: bool = False,
        fold_width: bool = False,
    ):
        self.folding = Folding(fold_case, fold_width)
        self.terms: TermList = read_terms(terms, self.folding)
        [self.min_matches] = check_k(min_matches)
        self.counted = True  # False: strings as version 0.1 made them
        self._publications: dict[Plan, Publication] = {}
        self._automaton: Automaton | None = None
        self._strings: dict[Plan, TermStrings] = {}

    @classmethod
    def published(
        cls, terms: TermList, folding: Folding, publication: Publication
    ) -> TermDictionary:
        """A dictionary of terms whose strings are known for one plan."""
        result = object.__new__(cls)
        result.terms, result.folding, result.min_matches = terms, folding, 2
        result._publications = {publication.plan: publication}
        result._automaton, result._strings, result.counted = None, {}, True
        return result

    def as_before(self) -> TermDictionary:
        """The same terms with strings as version 0.1 made them, to judge its releases."""
        result = copy(self)
        result.counted = False
        return result

    def __len__(self) -> int:
        return len(self.terms)

    def __contains__(self, term: object) -> bool:
        return term in self.terms

    def __repr__(self) -> str:
        return f"<TermDictionary of {len(self)} terms>"

    def patterns(self, term: str, mask: str = "*") -> Patterns | LongPatterns:
        """Every pattern of a term that enough terms match, as an immutable sequence.

        Of a term of more than 20 characters the minimal star sets alone, found when asked for.

        Paper: Table 2. Cost: O(M l + l 2^l) for the M terms of its length l.

        >>> len(TermDictionary(["crew", "draw", "crawl"], min_matches=1).patterns("crew"))
        15
        """
        self.check_mask(mask)
        return patterns_of(self.terms, self.terms.number(term), self.min_matches, mask)

    def publish(
        self,
        term: str,
        k: int = 5,
        guarantee: Guarantee = "published",
        rare_lengths: RareLengths = "shared",
        mask: str = "*",
    ) -> str:
        """The string that stands for a term at threshold k. All terms' strings are made at once.

        Paper: Step 3 (`matching`). Cost: that of the whole list the first time, then O(l log M).

        >>> words = TermDictionary(["crew", "craw", "draw", "drew"])
        >>> words.publish("crew", k=2), words.publish("draw", k=3, guarantee="matching")
        ('cr*w', '*r*w')
        """
        self.check_mask(mask)
        publication = self.publication(Plan(guarantee, k, rare_lengths))
        return publication.string(self.terms, self.terms.number(term), mask)

    def publication(
        self, plan: Plan, progress: Callable[[float], None] | None = None
    ) -> Publication:
        """The strings of all terms for one plan, made once and kept."""
        plan.require_valid()
        if plan not in self._publications:
            self._publications[plan] = publication_of(self.terms, plan, progress)
        return self._publications[plan]

    def trial(self, plan: Plan) -> Publication:
        """The strings for a plan that is only weighed: what `add` keeps is not bound by it."""
        return self._publications.get(plan) or publication_of(self.terms, plan)

    def automaton(self, progress: Callable[[float], None] | None = None) -> Automaton:
        """What finds the terms in texts, made once and kept."""
        if self._automaton is None:
            self._automaton = Automaton.of(self._searched(), progress)
        return self._automaton

    def strings(self, plan: Plan) -> TermStrings:
        """How the terms are published for one plan, as the search takes it, made once and kept."""
        if plan not in self._strings:
            publication = self.publication(plan)
            symbols, ends = layout(self._searched())
            stars = [np.zeros(0, np.uint8), *(flags.ravel() for flags in publication.stars)]
            counted = plan.guarantee == "published" and plan.k > 1
            groups, pool = publication.groups(self.terms)
            self._strings[plan] = TermStrings(
                symbols,
                np.concatenate(stars),
                np.concatenate([[0], ends]).astype(np.int64),
                groups,
                pool,
                plan.k if counted else 0,
            )
        return self._strings[plan]

    def _searched(self) -> list[str]:
        """The terms as they are searched."""
        strings = self.terms.strings()
        return (
            [self.folding.without_case(term) for term in strings] if self.folding.case else strings
        )

    def tradeoff(
        self, term: str | None = None, ks: Iterable[int] = (2, 3, 5, 10, 20, 50, 100)
    ) -> polars.DataFrame:
        """What k costs, as a frame.

        Of a term: the numbers of stars that pay and the most terms that match so many stars. Of
        the list: for each guarantee and k the stars, their share, and the mean matches.

        >>> words = TermDictionary(["crew", "craw", "draw", "drew"])
        >>> words.tradeoff("crew").rows()  # stars, matches
        [(0, 1), (1, 2), (2, 4)]
        """
        if term is not None:
            return tradeoff.of_term(self.terms, self.terms.number(term))
        return tradeoff.of_list(self.terms, self.trial, check_k(list(ks)))

    def tradeoff_plot(
        self, term: str | None = None, ks: Iterable[int] = (2, 3, 5, 10, 20, 50, 100)
    ) -> dict[str, object]:
        """The same as a Vega-Lite chart.

        >>> sorted(TermDictionary(["ab", "ac"]).tradeoff_plot("ab"))[:2]
        ['$schema', 'data']
        """
        return tradeoff.plot(self.tradeoff(term, ks), of_term=term is not None)

    def add(self, terms: Data) -> TermDictionary:
        """A dictionary with further terms, in which no published string has changed.

        >>> words = TermDictionary(["crew", "craw", "draw", "drew"])
        >>> before = words.publish("crew", k=2)
        >>> more = words.add(["brew", "slew"])
        >>> more.publish("crew", k=2) == before, more.publish("brew", k=2)
        (True, '**ew')
        """
        added = read_terms(terms, self.folding)
        old = {self.folding.without_case(term) for term in self.terms}
        fresh = [term for term in added if self.folding.without_case(term) not in old]
        result = object.__new__(TermDictionary)
        result.folding, result.min_matches = self.folding, self.min_matches
        result.terms = TermList.of([*self.terms.strings(), *fresh])
        result._automaton, result._strings, result.counted = None, {}, True
        result._publications = {
            plan: extended(publication, self.terms, result.terms)
            for plan, publication in self._publications.items()
        }
        return result

    def save(self, path: str | os.PathLike[str], files: AtomicFiles | None = None) -> None:
        """Writes terms, strings and search automaton to one file, for its owner alone to read.

        A dictionary that stands there is replaced. With `files` it appears when they are committed,
        together with the others of them, and replaces what they may replace.
        """
        content = (
            self.terms, self.folding, self.min_matches, self._publications, self.automaton()
        )  # fmt: skip
        if files is not None:
            dictionary_file.write(files, path, *content)
            return
        with AtomicFiles(overwrite=True) as alone:
            dictionary_file.write(alone, path, *content)
            alone.commit()

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> TermDictionary:
        """Maps a saved dictionary into memory, after its checksum."""
        result = object.__new__(cls)
        content = dictionary_file.read(path)
        result.terms, result.folding, result.min_matches = content[:3]
        result._publications, result._automaton = content[3:]
        result.counted = True
        result._strings = {}
        return result

    def check_mask(self, mask: str) -> None:
        """Refuses a mask that is not one mark, or that stands in a term."""
        if len(mask) != 1:
            raise BadInput(f"expected one character, found {len(mask)}", where="mask")
        check_mark("mask", mask)
        if ord(mask) in self.terms.alphabet:
            raise BadInput(
                "the mask is a character of a term", where="mask", remedy="choose another mask"
            )
