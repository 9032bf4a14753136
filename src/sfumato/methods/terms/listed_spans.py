"""Spans among terms and direct identifiers: which are terms, and which places are starred whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...core.letters import is_invisible, is_wordlike
from ...core.spans import Span
from ...recognizers import spans_of


def split_spans(given: object, texts: list[str]) -> tuple[object, list[Span]]:
    """What was given without its spans (None if nothing else was), and the spans, resolved.

    >>> split_spans(["Ann", Span(0, 0, 3)], ["Bob"])[0]
    ['Ann']
    """
    if not isinstance(given, (list, tuple)) or not any(isinstance(one, Span) for one in given):
        return given, []
    others = [one for one in given if not isinstance(one, Span)]
    return others or None, spans_of([one for one in given if isinstance(one, Span)], texts)


def _is_blank(letter: str) -> bool:
    return letter.isspace() or is_invisible(letter)


def spelt(
    spans: Iterable[Span], texts: Sequence[str], whole_words: bool
) -> tuple[list[str], list[Span]]:
    """The texts of spans as terms, and the spans that a search for whole words would not find."""
    terms: dict[str, None] = {}
    inside: list[Span] = []
    for span in spans:
        text = texts[span.document]
        if whole_words and not (_is_border(text, span.start) and _is_border(text, span.stop)):
            inside.append(span)
        else:
            terms[text[span.start : span.stop]] = None
    return list(terms), inside


def whole_places(
    spans: Iterable[Span], texts: Sequence[str], whole_words: bool
) -> Mapping[int, list[tuple[int, int]]]:
    """The places to star by document; where terms are whole words, so are they.

    Blanks at their ends, and what shows nothing there, stay.

    >>> whole_places([Span(0, 4, 6)], ["Dr. Ho's"], True), whole_places([Span(0, 4, 5)], ["Dr. Ho"],
    ...     True)
    ({0: [(4, 6)]}, {0: [(4, 6)]})
    """
    result: dict[int, list[tuple[int, int]]] = {}
    for span in spans:
        text, start, stop = texts[span.document], span.start, span.stop
        while start < stop and _is_blank(text[start]):
            start += 1
        while start < stop and _is_blank(text[stop - 1]):
            stop -= 1
        if start == stop:
            continue
        while whole_words and not _is_border(text, start):
            start -= 1
        while whole_words and not _is_border(text, stop):
            stop += 1
        result.setdefault(span.document, []).append((start, stop))
    return result


def _is_border(text: str, at: int) -> bool:
    if at in (0, len(text)):
        return True
    return not (is_wordlike(text[at - 1]) and is_wordlike(text[at]))
