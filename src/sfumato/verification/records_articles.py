"""English articles before placeholders: they suit what is written, so they tell no first sound."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..ontologies.inflection import takes_an
from ..recognizers.told_language import language_of

# An article, then blanks, then marks that may stand before a word.
MARKS = "\"'‘“«([{*_"
BEFORE = re.compile(rf"(^|[\W_])(an?)\s+[{re.escape(MARKS)}]*\Z", re.IGNORECASE)
FORMS = ("a", "an", "A", "An", "AN")

Edit = tuple[int, int, str]  # start, stop, new text


def article_before(text: str, start: int, after: int) -> tuple[int, int] | None:
    """Where the article before a place stands, not before `after`, where another place stops.

    >>> article_before("It was an ache.", 10, 0)
    (7, 9)
    """
    gap = text[after:start]
    if gap.rstrip(MARKS).rstrip()[-1:] not in "aAnN":  # most places: no need to search
        return None
    found = BEFORE.search(gap)
    if found is None or (found.start(2) == 0 and after > 0):
        return None
    return after + found.start(2), after + found.end(2)


def apart(text: str, changes: Sequence[Edit]) -> tuple[dict[int, Edit], list[Edit]]:
    """Changes of articles before other changes, by where they start; and the other changes.

    >>> apart("an ache", [(0, 2, "a"), (3, 7, "[PAIN]")])
    ({0: (0, 2, 'a')}, [(3, 7, '[PAIN]')])
    >>> apart("an ache", [(0, 2, "a")])
    ({}, [(0, 2, 'a')])
    """
    articles: dict[int, Edit] = {}
    others: list[Edit] = []
    ordered = sorted(changes)
    for at, change in enumerate(ordered):
        start, stop, new = change
        is_one = new in FORMS and text[start:stop] in FORMS and at + 1 < len(ordered)
        if is_one and article_before(text, ordered[at + 1][0], 0) == (start, stop):
            articles[start] = change
        else:
            others.append(change)
    return articles, others


def tells(text: str, start: int, after: int, label: str, articles: dict[int, Edit]) -> bool:
    """Whether the article before a placeholder is not that of its entity type."""
    found = article_before(text, start, after)
    if found is None:
        return False
    _, _, shown = articles.get(found[0], (*found, text[found[0] : found[1]]))
    return shown.casefold() != ("an" if takes_an(label) else "a")


def is_english(text: str, changes: Iterable[Edit]) -> bool:
    """Whether a text is English but for what changed, or too short to be anything else.

    >>> is_english("Das ist ein Brief an Irene Weber.", [(21, 32, "[PERSON]")])
    False
    """
    left, at = [], 0
    for start, stop, _ in changes:
        left.append(text[at:start])
        at = stop
    return language_of(" ".join([*left, text[at:]])) in ("en", None)
