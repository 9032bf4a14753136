"""The article before a place as what is written there needs it: the hidden word's tells of it."""

from __future__ import annotations

from ..core.spans import Change
from .inflection import takes_an

OPENING = "\"'‘“«([{*_"  # what may stand between an article and its word, beside blanks


def article_by_place(text: str, document: int, start: int, before: int, word: str) -> Change | None:
    """The article before a place as what is written there needs it, whatever stood there.

    `before` is where the marked place before this one stops. Quotation marks may stand between.

    >>> article_by_place("an ache", 0, 3, 0, "pain")
    Change(document=0, start=0, stop=2, replacement='a', reason='article')
    >>> article_by_place("an 'ache'", 0, 4, 0, "★")
    Change(document=0, start=0, stop=2, replacement='a', reason='article')
    """
    opened = start
    while opened > before and text[opened - 1] in OPENING:
        opened -= 1
    stop = opened
    while stop > before and text[stop - 1].isspace():
        stop -= 1
    if stop in (opened, before) or text[stop - 1] not in "aAnN":
        return None
    at = stop
    while at > max(before, stop - 3) and text[at - 1].isalnum():
        at -= 1
    adjoins = at == before > 0  # a marked place: it may be the end of a word
    if adjoins or text[at:stop].casefold() not in ("a", "an"):
        return None
    return suited(text[at:stop], at, document, word)


def suited(article: str, start: int, document: int, word: str) -> Change | None:
    """The change of an article into the one that a word needs; None if it is that one.

    >>> suited("An", 0, 0, "pain")
    Change(document=0, start=0, stop=2, replacement='A', reason='article')
    """
    instead = "an" if takes_an(word) else "a"
    if article.lower() == instead:
        return None
    if article.isupper() and (len(article) > 1 or (word.isupper() and len(word) > 1)):
        instead = instead.upper()
    elif article[0].isupper():
        instead = instead.capitalize()
    return Change(document, start, start + len(article), instead, "article")
