"""Names in Spanish, French, Italian, Dutch, Portuguese and German by their capitals and by lists.

But for German these languages write common words in lower case: what has a capital inside a
sentence is a name, and the lists tell of what kind. At the beginning of a sentence, and in German
everywhere, a word must be listed. The lists are those of names-en, which has names and places of
many countries, and the small places of the language's countries (tools/make_places.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from ..core.spans import Span, quick_span
from ..kernels import tagger
from .names import CLASSES, DATA, english, read_lexicon
from .overlaps import cover
from .rules.everywhere import LOWER, UPPER

if TYPE_CHECKING:
    from ..core.progress import Progress

LANGUAGES = ("es", "fr", "it", "nl", "pt", "de")  # in the order of the places' bits
PLACES_FILE = DATA / "places.lexicon"
PARTICLES = {
    "es": "de la|de las|de los|del|de|la|las|los|y",
    "fr": "de la|de l['’]|des|du|de|d['’]|le|la|les|sur|sous|en|lès|et",
    "it": "della|delle|dello|degli|dei|del|dal|dalla|di|da|lo|la",
    "nl": "van der|van den|van de|van|de|den|der|ter|ten|aan den|aan de|op|in 't|'t|te",
    "pt": "de|da|das|do|dos|e",
    "de": "von der|von und zu|von|vom|van|zu|zur|zum|am|an der|im|in der|ob der|der|bei|auf",
}
# Before these words' names stand places.
PLACED = {
    "es": "en|a|desde|hasta|hacia|cerca de|ciudad de|natural de|vecin[oa] de|ir a|viaje a",
    "fr": "à|près de|vers|depuis|ville de|commune de|originaire de|venant de",
    "it": "a|ad|da|presso|vicino a|città di|comune di",
    "nl": "in|te|naar|uit|bij|nabij|vanuit",
    "pt": "em|para|perto de|cidade de|natural de|a|até",
    "de": "in|nach|aus|bei|bis|nahe|ab|zu|Stadt|Raum|Kreis",
}
# Before these words' names stand people or firms.
WITH = {
    "es": "con|por|para|según|entre|don|doña|llamad[oa]",
    "fr": "avec|par|chez|pour|selon|entre|nommée?|de|d['’]",
    "it": "con|per|secondo|tra|fra|dal|dalla|da|di",
    "nl": "met|door|voor|volgens|tussen|bij|aan|van",
    "pt": "com|por|segundo|entre|na|no|pela|pelo|ao|à|de|da|do",
    "de": "",
}
# German towns that no list has: so their names end.
TOWN_END = re.compile(
    r"(?:burg|dorf|heim|hausen|stadt|städt|ingen|furt|bach|berg|kirchen|felden|stetten|walde"
    r"|münde|rode|beck|büttel|itz|ow)$"
)
# Behind a street; a year is none.
HOUSE = re.compile(
    r",? (?:(?:[Nn][°ºo]\.?|[Nn]úm\.|[Nn]um\.|#) ?)?(?!(?:19|20)[0-9]{2}\b)[0-9]{1,4}"
    r"(?:[A-Za-z]\b)?(?:[-/][0-9]{1,4})?(?: (?:(?:Apt\.|Interior) )?[0-9]{1,4})?"
    r"(?![0-9.,:%]*[0-9%])"
    r"(?! ?(?:años|ans|anni|anos|jaar|de|di|mg|ml|kg|cm|mm|h|euros?|€))|, S/N\b"
)
BETWEEN_SENTENCES = frozenset('.!?:;•\n\r\t"«“”(-–—|>¿¡*')
MOST_WORDS = 6


def _bit(*names: str) -> int:
    return sum(1 << CLASSES.index(name) for name in names)


GIVEN, SURNAME = _bit("GIVEN"), _bit("SURNAME")
PLACES = _bit("CITY", "PLACE", "COUNTRY")


@cache
def _run(language: str) -> re.Pattern[str]:
    """Words with capitals one after the other, particles between them."""
    word = rf"(?:[{UPPER}]['’])?[{UPPER}][{LOWER}]+(?:[-'’][{UPPER}]?[{LOWER}]+)*"
    return re.compile(
        rf"(?<![{UPPER}{LOWER}0-9@_/.])(?:[{UPPER}]\. ){{0,2}}{word}"
        rf"(?: (?:[{UPPER}]\. |(?:{PARTICLES[language]}) ?)?{word}){{0,{MOST_WORDS}}}"
        rf"(?![{UPPER}{LOWER}0-9_@])"
    )


@cache
def _before(words: str) -> re.Pattern[str] | None:
    return re.compile(rf"(?:^|[\s(,;])(?:{words}) ?$", re.IGNORECASE) if words else None


@cache
def _small_places() -> tagger.Lexicon:
    return read_lexicon(PLACES_FILE)[0]


@cache
def _beginnings(language: str) -> frozenset[str]:
    _, _, behind = (DATA / "beginnings.txt").read_text("utf-8").partition(f"## {language}\n")
    return frozenset(behind.partition("##")[0].split())


@dataclass(frozen=True, slots=True)
class Capitals:
    """A recogniser of names by capitals and lists for a language of Europe. Cost: O(n).

    >>> texts = ["Mi hermana Lucía trabaja desde 2001 en Torrelavega."]
    >>> [(span.label, texts[0][span.start : span.stop]) for span in Capitals("es")(texts)]
    [('PERSON', 'Lucía'), ('LOCATION', 'Torrelavega')]
    """

    language: str
    score: float = 0.5

    @property
    def name(self) -> str:
        """Under which it is asked for."""
        return f"lists-{self.language}"

    def __call__(self, texts: Sequence[str], progress: Progress | None = None) -> list[Span]:
        """The spans of all documents."""
        runs = [
            (number, run)
            for number, text in enumerate(texts)
            for run in _run(self.language).finditer(text)
        ]
        classes = _classes({word for _, run in runs for word in _words(run)})
        found = []
        for number, run in runs:
            for start, stop, label in self._told(texts[number], run, classes):
                why = f"{self.name}: {label.lower()}"
                found.append(quick_span(number, start, stop, label, self.score, why))
        found += self._places(texts)
        if progress is not None:
            progress(self.name, 1.0)
        return cover(found)

    def _places(self, texts: Sequence[str]) -> Iterator[Span]:
        """Small places of the language's countries."""
        listed = tagger.listed(list(texts), _small_places())
        bit, why = 1 << LANGUAGES.index(self.language), f"{self.name}: a small place"
        chosen = listed.classes & bit > 0
        for number, start, stop in zip(
            *(column[chosen].tolist() for column in listed[:3]), strict=True
        ):
            first, last = texts[number][start], texts[number][start:stop].split()[-1]
            if first.isupper() and last[0].isupper() and not last.isupper():
                yield quick_span(number, start, stop, "LOCATION", self.score, why)

    def _told(
        self, text: str, run: re.Match[str], classes: dict[str, int]
    ) -> Iterator[tuple[int, int, str]]:
        """The name that a run of capitals is, without the words that begin a sentence."""
        places = [one.span() for one in WORD.finditer(text, run.start(), run.end())]
        first = 0
        while first < len(places) and self._begins(text, places, first, classes):
            first += 1
        if first == len(places):
            return
        start, stop = places[first][0], places[-1][1]
        words = [text[a:b] for a, b in places[first:] if text[a].isupper()]
        before = text[max(0, start - 16) : start]
        label = self._label(words, before, text[start:stop], classes)
        if label and self.language == "de":
            start, stop = self._german(text, places[first:], classes, label)
        if label:
            house = HOUSE.match(text, stop) if self.language != "de" else None
            yield (start, stop, label) if house is None else (start, house.end(), "ADDRESS")

    def _begins(
        self, text: str, places: list[tuple[int, int]], at: int, classes: dict[str, int]
    ) -> bool:
        """Whether a word has its capital because a sentence begins, or is no part of a name."""
        start, stop = places[at]
        word = text[start:stop]
        if word[0].islower() or word.lower().rstrip(".") in _beginnings(self.language):
            return True
        listed = classes.get(word, 0) & (GIVEN | SURNAME | PLACES)
        if self.language == "de":
            return not classes.get(word, 0) & (GIVEN | PLACES) and not TOWN_END.search(word)
        return not listed and _begins_sentence(text, start)

    def _label(self, words: list[str], before: str, whole: str, classes: dict[str, int]) -> str:
        """What a name names; nothing if no sign tells."""
        bits = [classes.get(word, 0) for word in words]
        placed, with_ = _before(PLACED[self.language]), _before(WITH[self.language])
        is_placed = placed is not None and placed.search(before) is not None
        if is_placed and (self.language != "de" or bits[0] & PLACES or TOWN_END.search(words[0])):
            return "LOCATION"
        if bits[0] & GIVEN and not (len(words) == 1 and bits[0] & _bit("CITY", "COUNTRY")):
            return "PERSON"
        if bits[0] & PLACES:
            return "LOCATION" if self.language != "de" or bits[0] & _bit("CITY", "COUNTRY") else ""
        if self.language == "de":
            return ""
        if any(one & (GIVEN | SURNAME) for one in bits):
            return "PERSON"
        if len(words) > 1 or (with_ is not None and with_.search(before)):
            return "ORGANIZATION"
        return ""

    def _german(
        self, text: str, places: list[tuple[int, int]], classes: dict[str, int], label: str
    ) -> tuple[int, int]:
        """Of a German run the given names and one more, or the town: nouns have capitals too."""
        last = 0
        if label == "PERSON":
            while last + 1 < len(places) and last < 3:
                a, b = places[last + 1]
                last += 1
                if text[a].isupper() and not classes.get(text[a:b], 0) & GIVEN:
                    break
        else:
            while (
                last + 1 < len(places) and classes.get(text[slice(*places[last + 1])], 0) & PLACES
            ):
                last += 1
        while text[places[last][0]].islower():
            last -= 1
        return places[0][0], places[last][1]


def _begins_sentence(text: str, start: int) -> bool:
    """Whether nothing but blanks stands between a place and the end of a sentence."""
    while start > 0 and text[start - 1] == " ":
        start -= 1
    return start == 0 or text[start - 1] in BETWEEN_SENTENCES


WORD = re.compile(r"[^\s]+")


def _words(run: re.Match[str]) -> list[str]:
    return [one[0] for one in WORD.finditer(run[0])]


def _classes(words: set[str]) -> dict[str, int]:
    """The lists that words are on, with their accents or without."""
    ordered = sorted(words)
    listed = tagger.listed(ordered, english().lexicon)
    found: dict[str, int] = {}
    for number, start, stop, bits in zip(
        listed.documents.tolist(),
        listed.starts.tolist(),
        listed.stops.tolist(),
        listed.classes.tolist(),
        strict=True,
    ):
        word = ordered[number]
        if start == 0 and (stop == len(word) or word[stop] in "-'’"):
            found[word] = found.get(word, 0) | bits
    return found
