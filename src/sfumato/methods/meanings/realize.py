"""The chosen general word as the text needs it: number, capitals, and the article before it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...ontologies import Ontology, key_of
from ...ontologies.articles import suited
from ...ontologies.inflection import plural as plural_of
from ...ontologies.inflection import takes_an

if TYPE_CHECKING:
    from ...core.spans import Change

ARTICLE = re.compile(r"(?<![^\W_])(an?)(\s+)$", re.IGNORECASE)
SENTENCE_START = re.compile(r"(?:^|[.!?][\"'’”)\]]*\s|\n)[\s\"'‘“(\[]*$")
SENTENCE_BREAK = re.compile(r"(?:[.!?][\"'’”)\]]*\s|\n)[\s\"'‘“(\[]*$")


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


NEAR = 20  # characters that tell at a glance whether a line is in capitals
LEAST = 3  # letters that a line in capitals has besides


def by_place(shown: str, start: int, stop: int, before: int, general: str, *, plural: bool) -> str:
    """The general word with the number and the capitals of its place, whatever stood there.

    `shown` is the text without its marked places (there it has no letters), `before` where the
    marked place before this one stops. A sentence begins with a capital; a line of capitals stays
    one; elsewhere the word is written as the ontology has it.

    >>> by_place("____ came.", 0, 4, 0, "pain", plural=True)
    'Pains'
    >>> by_place("NO ____ TODAY", 3, 7, 0, "pain", plural=False)
    'PAIN'
    >>> by_place("in ____", 3, 7, 0, "state capital", plural=False)
    'state capital'
    """
    word = plural_of(general) if plural else general
    if _in_capitals(shown, start, stop):
        return word.upper()
    gap = shown[before:start]
    if SENTENCE_START.search(gap) if before == 0 else SENTENCE_BREAK.search(gap):
        return word[:1].upper() + word[1:]
    return word


def _in_capitals(shown: str, start: int, stop: int) -> bool:
    first, last = shown.rfind("\n", 0, start) + 1, shown.find("\n", stop)
    last = len(shown) if last < 0 else last
    near = shown[max(first, start - NEAR) : start] + shown[stop : min(last, stop + NEAR)]
    if any(c.islower() for c in near):
        return False
    letters = [c for c in shown[first:last] if c.isalpha()]
    return len(letters) >= LEAST and all(c.isupper() for c in letters)
