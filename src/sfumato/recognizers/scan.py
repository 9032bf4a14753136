"""Rules over text: RE2 finds candidates in linear time, the rule's own check decides.

All rules are one alternation, so that a text is read once. RE2 gives a candidate's place;
Python's `re`, which is quicker on short pieces, says which rule it was and where the value stands.
Both read the same expression, so rules keep to what the two have in common: ASCII classes, no
lookaround, and bounded repetition, which bounds the work at every candidate.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from operator import attrgetter
from re import _parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

from ..core.spans import Span, quick_span
from .overlaps import resolve
from .weekdays import with_weekdays

if TYPE_CHECKING:
    from ..core.progress import Progress

_START = attrgetter("start")

Check = Callable[[str], bool]
# A rule ready for use: how it matches, its label, check, score and why, and whether its
# expression itself looks for borders of (ASCII) words at both ends.
_Compiled = tuple[
    Callable[[str, int], "re.Match[str] | None"], str, "Check | None", float, str, bool
]


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of thing to find: its label, its expression, and a check of what was found.

    A group, if there is one, marks the value; what stands around it is context. `opening`, if
    given, is what every match begins with: it alone is searched for, and the rest tried there.
    """

    label: str
    expression: str
    check: Check | None = None
    score: float = 0.8
    why: str = ""
    opening: str = ""


@dataclass(frozen=True, slots=True)
class AnchoredRule:
    """A kind of thing with a literal in it that tells where to look; the rest stands around it.

    Where a literal alone would tell too many places, `expression` tells them: its group takes the
    literal's part. With `only_after` what stands before the literal, and it, are context.
    """

    label: str
    literal: str
    before: str
    after: str
    score: float = 0.8
    why: str = ""
    reach: int = 64  # how far to the left it may begin
    expression: str = ""
    only_after: bool = False

    def spans(self, document: int, text: str, name: str) -> Iterator[Span]:
        """The places of one document. Cost: O(n), and at most a window's work at each literal."""
        if self.literal not in text:
            return
        before, after = _compiled(self.before), _compiled(self.after)
        why = f"{name}: {self.why or self.label.lower()}"
        for at, stop in self._places(text):
            left = before.search(text[max(0, at - self.reach) : at])
            right = after.match(text, stop) if left is not None else None
            if left is None or right is None:
                continue
            start, end = stop if self.only_after else at - len(left[0]), right.end()
            if start < end and bordered(text, start, end):
                yield Span(document, start, end, self.label, self.score, why)

    def _places(self, text: str) -> Iterator[tuple[int, int]]:
        if self.expression:
            for one in _compiled(self.expression).finditer(text):
                yield one.span(1)
            return
        at = text.find(self.literal)
        while at >= 0:
            stop = at + len(self.literal)
            yield at, stop
            at = text.find(self.literal, stop)


@dataclass(frozen=True)
class Rules:
    """A recogniser by rules: at every place the first rule whose check agrees is taken.

    Cost: O(n); about 15 MB/s.

    >>> ages = Rules("ages", (Rule("AGE", "([0-9]{1,3}) years old", lambda n: int(n) < 120),))
    >>> [(span.start, span.stop, span.label) for span in ages(["Ann, 44 years old."])]
    [(5, 7, 'AGE')]
    """

    name: str
    rules: tuple[Rule, ...]
    anchored: tuple[AnchoredRule, ...] = ()
    also: tuple[Rules, ...] = ()  # searched apart: together they would need too many states

    def __call__(self, texts: Sequence[str], progress: Progress | None = None) -> list[Span]:
        """The spans of all documents."""
        found: list[Span] = []
        for document, text in enumerate(texts):
            if text:
                found += self._document(document, text)
            if progress is not None and document % 100 == 99:
                progress(self.name, (document + 1) / len(texts))
        return with_weekdays(texts, found)

    def _document(self, document: int, text: str) -> list[Span]:
        found = self._spans(document, text)
        if more := [span for part in self.also for span in part._spans(document, text)]:
            found = resolve([*found, *more])
        for one in self.anchored:
            for span in one.spans(document, text, self.name):
                at = bisect_left(found, span.start, key=_START)
                before_free = at == 0 or found[at - 1].stop <= span.start
                if not before_free or (at < len(found) and found[at].start < span.stop):
                    found = resolve([span, *found])
                else:
                    found.insert(at, span)
        return found

    @cached_property
    def _find(self) -> Callable[[bytes, int], tuple[int, int]]:
        import re2

        options = re2.Options()
        options.max_mem = 256 << 20
        options.never_capture = True
        options.log_errors = False
        expression = "|".join(rule.opening or _uncounted(rule.expression) for rule in self.rules)
        return finder(re2.compile(expression.encode(), options))

    @cached_property
    def _by_symbol(self) -> dict[str, tuple[_Compiled, ...]]:
        """Which rules may begin with a symbol: only these are tried at a candidate."""
        compiled = [
            (
                re.compile(rule.expression, re.ASCII).match,
                rule.label,
                rule.check,
                rule.score,
                f"{self.name}: {rule.why or rule.label.lower()}",
                rule.expression.startswith(r"\b") and rule.expression.endswith(r"\b"),
            )
            for rule in self.rules
        ]
        firsts = [first_symbols(rule.expression) for rule in self.rules]
        chosen: dict[str, tuple[_Compiled, ...]] = _RulesBySymbol()
        for symbol in set().union(*(first for first in firsts if first is not None)):
            chosen[symbol] = tuple(
                one
                for one, first in zip(compiled, firsts, strict=True)
                if first is None or symbol in first
            )
        chosen[""] = tuple(
            one for one, first in zip(compiled, firsts, strict=True) if first is None
        )
        return chosen

    def _spans(self, document: int, text: str) -> list[Span]:
        data = text.encode("utf-8", "surrogatepass")
        ascii_only = len(data) == len(text)
        find, by_symbol = self._find, self._by_symbol
        result: list[Span] = []
        seen, start = 0, 0  # a byte offset and the code point that stands there
        at, end = find(data, 0)
        while at >= 0:
            if ascii_only:
                start = at
            else:
                start += len(data[seen:at].decode("utf-8", "surrogatepass"))
                seen = at
            stop = start
            for match, label, check, score, why, closed in by_symbol[text[start]]:
                one = match(text, start)
                if one is None:
                    continue
                low, high = one.span(one.lastindex or 0)
                if label == "ADDRESS" and text[high - 1] == ".":
                    high -= 1  # it ends a sentence, or tells nothing
                if ((ascii_only and closed) or bordered(text, start, high)) and (
                    check is None or check(text[low:high])
                ):
                    result.append(quick_span(document, low, high, label, score, why))
                    stop = one.end()
                    break
            if not ascii_only or stop != end:
                end = at + _bytes_to(text, start, stop)
            at, end = find(data, end)
        return result


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.ASCII)


def _bytes_to(text: str, start: int, stop: int) -> int:
    """The bytes from a candidate's start to where to go on: the match's or the word's end."""
    if stop == start:
        stop += 1
        while stop < len(text) and text[stop - 1].isalnum() and text[stop].isalnum():
            stop += 1
    return len(text[start:stop].encode("utf-8", "surrogatepass"))


def finder(expression: Any) -> Callable[[bytes, int], tuple[int, int]]:
    """How to find an RE2 expression's next match from a place on; (-1, -1) when there is none.

    Asks RE2 itself where the package lets us: its Python face takes longer than the search.

    >>> import re2
    >>> finder(re2.compile(b"b+"))(b"abba", 0), finder(re2.compile(b"b+"))(b"abba", 3)
    ((1, 3), (-1, -1))
    """
    import re2

    try:
        search, anchor = expression._regexp.Match, re2._re2.RE2.Anchor.UNANCHORED
        search(anchor, b"", 0, 0)
    except (AttributeError, TypeError):

        def find(data: bytes, position: int) -> tuple[int, int]:
            match = expression.search(data, position)
            return match.span() if match else (-1, -1)

        return find
    return lambda data, position: search(anchor, data, position, len(data))[0]


def _uncounted(expression: str) -> str:
    """The expression with words of any length, for the search of candidates.

    RE2 then needs half as many states. The work stays linear: a word ends where it ends, and at
    each of its candidates the rule itself, which counts letters, decides.
    """
    return re.sub(r"\{([0-3]),(?:15|20)\}", r"{\1,}", expression)


class _RulesBySymbol(dict[str, "tuple[_Compiled, ...]"]):
    """Rules by symbol; for any other symbol, those that may begin with anything."""

    def __missing__(self, symbol: str) -> tuple[_Compiled, ...]:
        return self[""]


def first_symbols(expression: str) -> set[str] | None:
    """The symbols a match may begin with; None: any.

    >>> sorted(first_symbols(r"\\b(?i:no)|[0-2]x") or ())
    ['0', '1', '2', 'N', 'n']
    """
    symbols, empty = _first(list(_parser.parse(expression, re.ASCII)), ignore_case=False)
    return None if empty else symbols


def _first(items: list[Any], ignore_case: bool) -> tuple[set[str] | None, bool]:
    """The first symbols of a parsed sequence, and whether it may be empty."""
    result: set[str] = set()
    for kind, value in items:
        name = str(kind)
        if name == "AT":
            continue
        symbols, empty = _first_of(name, value, ignore_case)
        if symbols is None:
            return None, empty
        result |= symbols
        if not empty:
            return result, False
    return result, True


def _first_of(name: str, value: Any, ignore_case: bool) -> tuple[set[str] | None, bool]:
    if name == "LITERAL":
        symbol = chr(value)
        return {symbol.lower(), symbol.upper()} if ignore_case else {symbol}, False
    if name == "IN":
        return _class_symbols(value, ignore_case), False
    if name == "SUBPATTERN":
        return _first(list(value[3]), ignore_case or bool(value[1] & re.IGNORECASE))
    if name == "MAX_REPEAT" or name == "MIN_REPEAT":
        symbols, empty = _first(list(value[2]), ignore_case)
        return symbols, empty or value[0] == 0
    if name == "BRANCH":
        branches = [_first(list(branch), ignore_case) for branch in value[1]]
        if any(symbols is None for symbols, _ in branches):
            return None, any(empty for _, empty in branches)
        united: set[str] = set().union(*(symbols or () for symbols, _ in branches))
        return united, any(empty for _, empty in branches)
    return None, False


def _class_symbols(value: list[Any], ignore_case: bool) -> set[str] | None:
    result: set[str] = set()
    for kind, part in value:
        if str(kind) == "LITERAL":
            result.add(chr(part))
        elif str(kind) == "RANGE":
            result.update(map(chr, range(part[0], part[1] + 1)))
        else:
            return None
    return (
        {case for one in result for case in (one.lower(), one.upper())} if ignore_case else result
    )


def bordered(text: str, start: int, stop: int) -> bool:
    """Whether a place begins and ends where a word does, in any script.

    >>> bordered("a1 b", 0, 1), bordered("a1 b", 0, 2)
    (False, True)
    """
    if start and text[start - 1].isalnum() and text[start].isalnum():
        return False
    return not (text[stop : stop + 1].isalnum() and text[stop - 1].isalnum())
