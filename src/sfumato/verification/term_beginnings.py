"""Words before a place that may be written otherwise: they would tell how the term there begins."""

from __future__ import annotations

from collections.abc import Iterator

from ..ontologies.elision import ELIDING, eliding_before
from .records_articles import FORMS, article_before

MARKS = 2  # how many hide a word that may be elided
NEAR = 20  # letters before a place in which a word stands that may be written otherwise


def written_before(text: str, low: int, start: int, mask: str) -> Iterator[tuple[int, int, str]]:
    """Words before a place that may have been written otherwise: where, and how.

    >>> [form for _, _, form in written_before("It was an ache.", 0, 10, "*")]
    ['a', 'A', 'An', 'AN']
    """
    article = article_before(text, start, low)
    if article is not None:
        for form in FORMS:
            if form != text[article[0] : article[1]]:
                yield *article, form
    for language in ELIDING:
        at = eliding_before(text[low:start], language)
        if at is not None:
            yield low + at, start, mask * MARKS + " "
