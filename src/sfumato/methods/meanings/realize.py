"""The chosen general word as the text needs it: number, capitals, and the article before it."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from ...ontologies import Ontology, key_of
from ...ontologies.articles import suited
from ...ontologies.inflection import plural as plural_of
from ...ontologies.inflection import takes_an

if TYPE_CHECKING:
    from ...core.spans import Change

ARTICLE = re.compile(r"(?<![^\W_])(an?)(\s+)$", re.IGNORECASE)
SENTENCE_START = re.compile(r"(?:^|[.!?][\"'’”)\]]*\s|\n)[\s\"'‘“(\[]*$")
# Read from a place backwards, so that what stands between is looked at once.
SENTENCE_ENDS = re.compile(r"[\s\"'‘“(\[]*?(?:\n|\s[\"'’”)\]]*[.!?])")
TEXT_OR_SENTENCE_ENDS = re.compile(r"[\s\"'‘“(\[]*?(?:\n|\s[\"'’”)\]]*[.!?]|\Z)")


def general_word(ontology: Ontology, node: int, instead_of: int) -> str:
    """The preferred word of a general node that is no word of the node it stands for.

    >>> from sfumato.ontologies import wordnet
    >>> sacramento = wordnet().senses("sacramento")[0]
    >>> general_word(wordnet(), wordnet().path(sacramento)[1], sacramento)
    'state capital'
    """
    own = set(map(key_of, ontology.words(instead_of)))
    words = ontology.words(node)
    return next((word for word in words if key_of(word) not in own), words[0])


def realize(
    text: str, start: int, stop: int, general: str, *, plural: bool = False, proper: bool = False
) -> str:
    """The general word in the number and with the capitals of the place where it will stand.

    The capitals of a `proper` name or abbreviation are its own: they go, except that a sentence
    still begins with one.

    >>> realize("Two Sacramentos", 4, 15, "state capital", plural=True, proper=True)
    'state capitals'
    >>> realize("HEADACHE since May", 0, 8, "pain")
    'PAIN'
    >>> realize("The Liver Cancer Clinic", 4, 16, "liver disease")
    'Liver Disease'
    """
    word = plural_of(general) if plural else general
    mention = text[start:stop]
    letters = [c for c in mention if c.isalpha()]
    words = [w for w in re.split(r"[\s_-]+", mention) if w]
    if len(letters) > 1 and all(c.isupper() for c in letters) and not proper:
        return word.upper()
    begins = SENTENCE_START.search(text, max(0, start - 40), start)
    if len(words) > 1 and all(w[:1].isupper() for w in words) and not proper:
        return " ".join(w[:1].upper() + w[1:] for w in word.split(" "))
    if mention[:1].isupper() and (begins or not proper):
        return word[:1].upper() + word[1:]
    return word


def article_change(text: str, document: int, start: int, before: str, after: str) -> Change | None:
    """The repaired a or an before a place, when the word that stands there needs the other.

    >>> article_change("an ache", 0, 3, "ache", "pain")
    Change(document=0, start=0, stop=2, replacement='a', reason='article')
    """
    found = ARTICLE.search(text, max(0, start - 20), start)
    if not found or takes_an(before) == takes_an(after):
        return None
    return suited(found.group(1), found.start(1), document, after)


LEAST = 3  # letters that a line in capitals has besides


class Places:
    """The text without its marked places (there it has no letters), and its lines in capitals."""

    def __init__(self, shown: str) -> None:
        self.shown = shown
        self._ends = [found.start() for found in re.finditer("\n", shown)]
        self._capitals: dict[int, bool] = {}

    def write(self, start: int, before: int, general: str, *, plural: bool) -> str:
        """The general word with the number and the capitals of its place, whatever stood there.

        `before` is where the marked place before this one stops. A sentence begins with a capital;
        a line of capitals stays one; elsewhere the word is written as the ontology has it.

        >>> Places("____ came.").write(0, 0, "pain", plural=True)
        'Pains'
        >>> Places("NO ____ TODAY").write(3, 0, "pain", plural=False)
        'PAIN'
        >>> Places("in ____").write(3, 0, "state capital", plural=False)
        'state capital'
        """
        word = plural_of(general) if plural else general
        if self._in_capitals(start):
            return word.upper()
        if self._begins(before, start):
            return word[:1].upper() + word[1:]
        return word

    def _in_capitals(self, start: int) -> bool:
        """Whether the line of a place is in capitals; each line is looked at once."""
        line = bisect_left(self._ends, start)
        if line not in self._capitals:
            first = self._ends[line - 1] + 1 if line else 0
            last = self._ends[line] if line < len(self._ends) else len(self.shown)
            shown = self.shown[first:last]
            letters = [] if _has_small(shown) else [c for c in shown if c.isalpha()]
            self._capitals[line] = len(letters) >= LEAST and all(c.isupper() for c in letters)
        return self._capitals[line]

    def _begins(self, before: int, start: int) -> bool:
        """Whether a sentence begins at a place: blanks and quotation marks may stand between."""
        ends = TEXT_OR_SENTENCE_ENDS if before == 0 else SENTENCE_ENDS
        return ends.match(self.shown[before:start][::-1]) is not None


def _has_small(line: str) -> bool:
    """Whether a line surely has a small letter, or none at all: asked of most lines, and quick."""
    return line.isascii() and not line.isupper()
