"""What finds names in a text by the language that it is in."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .growth import grown
from .legible import legible
from .overlaps import cover
from .story import follow
from .told_language import language_of

if TYPE_CHECKING:
    from ..core.progress import Progress
    from ..core.spans import Span
    from .combine import Recognizer


@dataclass(frozen=True, slots=True)
class Language:
    """A language's rules and lists; mentions grow, and a document is one story. Cost: O(n).

    >>> texts = ["Frau Meier rief an. Meier kommt am 3. März 2021."]
    >>> [texts[0][span.start : span.stop] for span in Language("de")(texts)]
    ['Frau Meier', 'Meier', '3. März 2021']
    """

    name: str
    region: str | None = None
    story: bool = True

    def __call__(
        self,
        texts: Sequence[str],
        progress: Progress | None = None,
        groups: Sequence[Hashable] | None = None,
    ) -> list[Span]:
        """The spans of all documents, none overlapping another."""
        from .capitals import Capitals
        from .rules import rules

        if self.name == "ja":  # has wide letters of its own
            return rules(self.name, self.region)(texts, progress)
        read = legible(texts)
        by_rules = rules(self.name, self.region)(read.texts, progress)
        listed = Capitals(self.name)(read.texts, progress)
        found = grown(read.texts, cover([*by_rules, *listed]))
        if self.story:
            from .names import USUAL, english

            found = follow(read.texts, found, english().lexicon, USUAL, groups)
        return read.back(found)


@dataclass(frozen=True, slots=True)
class Auto:
    """Each document by the recogniser of its language; what is too short goes with most others.

    >>> texts = ["Herr Weber wohnt in Köln.", "Please ask Maria Jensen of Oslo about it."]
    >>> found = Auto()(texts)
    >>> [(span.label, texts[span.document][span.start : span.stop]) for span in found][:2]
    [('PERSON', 'Herr Weber'), ('LOCATION', 'Köln')]
    """

    name: str = "auto"
    region: str | None = None

    def __call__(
        self,
        texts: Sequence[str],
        progress: Progress | None = None,
        groups: Sequence[Hashable] | None = None,
    ) -> list[Span]:
        """The spans of all documents."""
        told = [language_of(text) for text in texts]
        known = [one for one in told if one is not None]
        usual = max(sorted(set(known)), key=known.count) if known else "en"
        by_language: dict[str, list[int]] = {}
        for number, one in enumerate(told):
            by_language.setdefault(one or usual, []).append(number)
        result: list[Span] = []
        for language, numbers in sorted(by_language.items()):
            whose = None if groups is None else [groups[number] for number in numbers]
            find = named(language, self.region)
            found = find([texts[number] for number in numbers], progress, whose)
            result += [replace(span, document=numbers[span.document]) for span in found]
        return sorted(result, key=lambda span: (span.document, span.start))


def named(language: str, region: str | None = None) -> Recognizer:
    """The recogniser of a language.

    >>> named("de", "AT")
    Language(name='de', region='AT', story=True)
    """
    if language == "en":
        from .names import English

        return English(region=region)
    return Language(language, region)
