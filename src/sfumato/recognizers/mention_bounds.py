"""Where the mentions that the tagger found begin and end: without web addresses, durations, full
stops of a sentence, and what hangs on a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .story import POSSESSIVE

if TYPE_CHECKING:
    from ..core.spans import Span

SITE = re.compile(r"(?:[a-z]{3,5}://|www\.)[^\s]*", re.IGNORECASE)
LASTING = re.compile(
    r"(?:(?:a|an|the|about|over|some|two|three|four|five|six|ten|several|few|many|couple|of|half"
    r"|[0-9]+(?:[.,][0-9]+)?)[ -]){1,3}(?:second|minute|hour|day|week|month|year)s?",
    re.IGNORECASE,
)
# A full stop behind a number or a word that is no abbreviation ends a sentence, and an address.
SENTENCE = re.compile(r"(?:(?<=[0-9])|(?<=[a-z]{5}))\.\s+(?=[A-Z])")


def kept(texts: Sequence[str], spans: Sequence[Span]) -> list[Span]:
    """The spans without web addresses, names without a letter, and durations, which tell no day."""
    result: list[Span] = []
    for span in spans:
        text = texts[span.document][span.start : span.stop]
        site = SITE.search(text) if "://" in text or "www." in text.lower() else None
        if site is not None:
            for start, stop in ((0, site.start()), (site.end(), len(text))):
                result += stripped(
                    texts[span.document], span, span.start + start, span.start + stop
                )
        elif span.label == "PERSON" and len(text) > 3 and text.endswith(POSSESSIVE):
            result.append(replace(span, stop=span.stop - 2))
        elif span.label == "ADDRESS":
            result += _sentences(texts[span.document], span)
        elif span.label == "DATE":
            result += [] if LASTING.fullmatch(text) else [span]
        elif any(map(str.isalpha, text)):
            result.append(span)
    return result


def _sentences(text: str, span: Span) -> list[Span]:
    """An address in the parts that sentences make of it, without a full stop at the end."""
    found, start = [], span.start
    for one in SENTENCE.finditer(text, span.start, span.stop):
        found.append(replace(span, start=start, stop=one.start()))
        start = one.end()
    stop = span.stop - (text[span.stop - 1] == ".")
    if not found and stop == span.stop:
        return [span]
    return [*found, *([replace(span, start=start, stop=stop)] if start < stop else ())]


def stripped(text: str, span: Span, start: int, stop: int) -> Iterator[Span]:
    """A part of a span without the marks and blanks at its ends; none if nothing is left."""
    while start < stop and not text[start].isalnum():
        start += 1
    while start < stop and not text[stop - 1].isalnum():
        stop -= 1
    is_date = span.label != "DATE" or any(map(str.isdigit, text[start:stop]))
    if start < stop and is_date:
        yield replace(span, start=start, stop=stop)
