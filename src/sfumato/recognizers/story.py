"""A document is one story: a name that was found once with certainty is found everywhere in it.

Of "Edwin J. Marlow" that is the surname or the given name alone, with a title, in capitals, with
an apostrophe, with initials before or behind it, the initials with points, and user names or the
first part of a mail address that are made of it. With groups (whose text it is) the names are
looked for in all texts of the group.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from ..core.errors import BadInput
from ..core.spans import quick_span
from ..kernels import tagger
from .overlaps import cover

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.spans import Span

PEOPLE = frozenset(("PERSON", "PER"))
CERTAIN = 0.9  # the least score of a name that is looked for elsewhere
SCORE = 0.75
POSSESSIVE = ("'s", "'S", "’s", "’S")  # is no part of a name: "MARLOW'S wife"
WHY = "story: a name that stands elsewhere"

INTRODUCES = (
    "mr mrs ms miss dr drs prof professor doctor nurse sir dame lady lord judge sister brother "
    "father capt captain sgt sergeant lt col colonel rev reverend fr sr mme mlle herr frau sra "
    "senor senora don dona signor signora"
)
NO_PART = (
    "md phd jr sr ii iii iv rn np do esq bsc msc ma ba mba frcp jd dds van von de la der den del "
    "di da dos das du des bin ibn al el le les ten ter zu zur af av y e s t and the of"
)


@cache
def helping() -> tagger.Lexicon:
    """Words that stand before names, or in them without being part of them."""
    words = dict.fromkeys(INTRODUCES.split(), 1 | 2)
    for word in NO_PART.split():
        words[word] = words.get(word, 0) | 2
    return tagger.lexicon(words)


def follow(
    texts: Sequence[str],
    spans: Sequence[Span],
    lexicon: tagger.Lexicon,
    usual: int,
    groups: Sequence[Hashable] | None = None,
) -> list[Span]:
    """The spans, and where their certain names stand again; of overlapping ones all is covered.

    Cost: O(n) beside the spans.

    >>> from ..core.spans import Span
    >>> from .names import USUAL, english
    >>> text = "Edwin Marlow came. Mr. Marlow's wife (MARLOW2@x.org) asked E.M. again."
    >>> found = follow([text], [Span(0, 0, 12, "PERSON")], english().lexicon, USUAL)
    >>> [text[span.start : span.stop] for span in found]
    ['Edwin Marlow', 'Marlow', 'MARLOW2', 'E.M']
    """
    if groups is not None and len(groups) != len(texts):
        raise BadInput(
            f"expected one for each of the {len(texts)} texts, found {len(groups)}", where="groups"
        )
    ordered = sorted(spans, key=attrgetter("document", "start"))
    certain = [span.label in PEOPLE and span.score >= CERTAIN for span in ordered]
    if not any(certain):
        return list(spans)
    places = (
        np.array([span.document for span in ordered], np.int64),
        np.array([span.start for span in ordered], np.int64),
        np.array([span.stop for span in ordered], np.int64),
    )
    found = tagger.follow(
        list(texts),
        lexicon,
        usual,
        helping(),
        _scopes(len(texts), groups),
        places,
        np.array(certain, np.uint8),
    )
    more = [
        quick_span(
            document,
            start,
            stop - 2 * texts[document].endswith(POSSESSIVE, start, stop),
            "PERSON",
            SCORE,
            WHY,
        )
        for document, start, stop in zip(*(column.tolist() for column in found), strict=True)
    ]
    return cover([*ordered, *more]) if more else list(spans)


def _scopes(count: int, groups: Sequence[Hashable] | None) -> NDArray[np.int64]:
    """A number for every text: texts of one group have the same."""
    if groups is None:
        return np.arange(count, dtype=np.int64)
    numbers: dict[Hashable, int] = {}
    return np.fromiter((numbers.setdefault(one, len(numbers)) for one in groups), np.int64, count)
