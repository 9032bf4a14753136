"""A weekday beside a date is part of it: "Tuesday, 3 March 2021", "02.03.2021 (Di.)", "（火）"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from ..core.weekday_names import OTHER_SPELLINGS, WEEKDAY_NAMES

if TYPE_CHECKING:
    from ..core.spans import Span

FAR = 40  # symbols that are looked at before and behind a date
ARTICLE = "(?:(?:the|den|dem|der|le|il|el|al|op|o|dia|día) )?"
INDEFINITE = "(?:(?:an?|ein|une?|un|uma?|een) )?"


def with_weekdays(texts: Sequence[str], spans: Iterable[Span]) -> list[Span]:
    """The spans; dates with the weekday beside them, unless another span has it.

    Spans stand in order and do not overlap. Whole names count in every language, short ones in
    English and in the language of the rule that found the date. Cost: O(spans).

    >>> from ..core.spans import Span
    >>> texts = ["Seen Tuesday, 3 March 2021 and on 5 May."]
    >>> found = with_weekdays(texts, [Span(0, 14, 26, "DATE"), Span(0, 34, 39, "DATE")])
    >>> [texts[0][span.start : span.stop] for span in found]
    ['Tuesday, 3 March 2021', '5 May']
    """
    result: list[Span] = []
    for span in spans:
        if span.label == "DATE":
            span = _from_weekday(texts[span.document], span, _free(texts, result, span))
            if result and result[-1].document == span.document and span.start < result[-1].stop:
                del result[-1]  # the weekday had been found by itself
        result.append(span)
    for number, span in enumerate(result):  # a weekday between two dates belongs to the second
        if span.label != "DATE":
            continue
        following = result[number + 1 : number + 2]
        near = following and following[0].document == span.document
        limit = following[0].start if near else len(texts[span.document])
        result[number] = _to_weekday(texts[span.document], span, limit)
    return result


def _free(texts: Sequence[str], earlier: Sequence[Span], span: Span) -> int:
    """From where on nothing is found before a date; a weekday that was found by itself is free."""
    for last in reversed(earlier[-2:]):
        if last.document != span.document:
            return 0
        text = texts[last.document][last.start : last.stop]
        if last.label != "DATE" or not text.replace("-", "").isalpha():
            return last.stop
    return 0 if len(earlier) < 2 else earlier[-2].stop


def _from_weekday(text: str, span: Span, free: int) -> Span:
    """The date from the weekday before it, which may begin where text is free."""
    low = max(free, span.start - FAR)
    found = beside(_language(span.why))[0].search(text[low : span.start])
    if found is None or (not found.start(1) and low > free and text[low - 1].isalpha()):
        return span
    return replace(span, start=low + found.start(1))


def _to_weekday(text: str, span: Span, limit: int) -> Span:
    """The date up to the weekday behind it, which may end at the limit."""
    found = beside(_language(span.why))[1].match(text[span.stop : min(limit, span.stop + FAR)])
    return span if found is None else replace(span, stop=span.stop + found.end())


def _language(why: str) -> str:
    """The language of the rule that found a span; none is told by other recognisers."""
    return why[6:8] if why.startswith("rules-") else ""


@cache
def beside(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What tells a weekday before a date, and behind one.

    >>> [bool(beside("")[0].search(text)) for text in ("on Tue, ", "on tue, ", "am Di. ")]
    [True, False, False]
    >>> beside("de")[0].search("am Di. ")[1]
    'Di. '
    """
    whole = {name for other, forms in WEEKDAY_NAMES.items() if other != "ja" for name in forms[0]}
    whole.update(WEEKDAY_NAMES["pt"][1] if language == "pt" else ())
    short = {name.title() for name in WEEKDAY_NAMES["en"][1]}
    short.update(name.title() for name in OTHER_SPELLINGS if len(name) < 6)
    whole.update(name for name in OTHER_SPELLINGS if len(name) >= 6)
    if language not in ("", "en", "ja"):
        short.update(
            case
            for form in WEEKDAY_NAMES.get(language, ())[1:]
            for name in form
            for case in (name, name.title())
        )
    names = "|".join(sorted(map(re.escape, short), key=len, reverse=True))
    capital = "|".join(sorted(map(re.escape, whole), key=len, reverse=True))
    day, point = rf"(?:(?i:{capital})|{names})", rf"(?:(?i:{capital})|(?:{names})\.?)"
    kanji = "".join(WEEKDAY_NAMES["ja"][0])
    japanese = rf"[{kanji}]曜日?|[(（][{kanji}](?:曜日?)?[)）]"
    before = rf"(?<![^\W\d_])({point}[\s,(:–-]{{1,3}}{ARTICLE}|(?:{japanese})[\s、,]{{0,2}})$"
    behind = (
        rf"(?:[,;:–-]?\s{{0,2}}[(\[]\s?{point}\s?[)\]]|(?:,|\s[–-])?\s{INDEFINITE}{day}(?![^\W\d_])"
        rf"|\s?(?:{japanese}))"
    )
    return re.compile(before), re.compile(behind)
