"""Texts as a reader sees them: what shows nothing is left out, what looks alike is one letter.

Soft hyphens, zero-width characters, blanks that do not break, letters of other alphabets inside a
Latin word, wide and mathematical letters, and parts that are turned from right to left would hide
a name or a number from rules and lists. Recognisers read the text that is seen; places are those
of the text that was given.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..core.letters import is_invisible
from ..core.printed_form import by_sizes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..core.spans import Span

    Places = NDArray[np.int64]

# All but what nearly every text consists of: the others are looked at once each.
_UNUSUAL = re.compile("[^\t-\r -~]")
# What a text must have to be read otherwise than it is written.
_ODD = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\xa0\xad\u0300-\u036f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f"
    "\u2000-\u2011\u2028-\u202f\u205f-\u206f\u2212\u3164\ufe00-\ufe0f\ufe63\ufeff\uff01-\uff5e"
    "\uffa0\U0001d400-\U0001d7ff\U000e0000-\U000e01ef]"
)
_OTHER = "\u0370-\u03ff\u0400-\u052f"  # Greek and Cyrillic
_MIXED = re.compile(f"[A-Za-z][{_OTHER}]|[{_OTHER}][A-Za-z]")
_DASH = re.compile("(?<=[0-9])\u2013(?=[0-9])")
_OTHERS = re.compile(f"[{_OTHER}]")
_WORD = re.compile(f"[A-Za-z{_OTHER}]+")
_HYPHENS = frozenset("\u2010\u2011\u2212\ufe63")
_WIDE = re.compile("[\uff01-\uff5e\U0001d400-\U0001d7ff]")
_TURNED, _TURNED_END = "\u202e", frozenset("\u202c\u202d\n")
_ALIKE = str.maketrans(
    "аеорсхуіјѕԁһԛԝАВЕКМНОРСТХУІЈЅοαινρυκΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcxyijsdhqwABEKMHOPCTXYIJSoaivpukABEZHIKMNOPTYX",
)


@dataclass(frozen=True, slots=True)
class Legible:
    """Texts as they are seen, and where the symbols of those stand that differ."""

    texts: list[str]
    places: dict[int, tuple[Places, Places]]

    __repr__ = by_sizes

    def back(self, spans: list[Span]) -> list[Span]:
        """The spans of the texts as they are seen, at their places in the texts as given."""
        return [self._back(span) for span in spans] if self.places else spans

    def _back(self, span: Span) -> Span:
        if span.document not in self.places or span.start == span.stop:
            return span
        starts, stops = self.places[span.document]
        here = slice(span.start, span.stop)
        return replace(span, start=int(starts[here].min()), stop=int(stops[here].max()))


def legible(texts: Sequence[str]) -> Legible:
    """The texts as they are seen; one without anything odd is itself.

    Cost: O(n), about 100 MB/s where nothing is odd.

    >>> legible(["Ma\\u00adria, 4111\\u00a01111"]).texts
    ['Maria, 4111 1111']
    """
    seen: list[str] = list(texts)
    places: dict[int, tuple[Places, Places]] = {}
    for number, text in enumerate(seen):
        unusual = "".join(set(_UNUSUAL.findall(text)))
        if (
            _ODD.search(unusual)
            or (_OTHERS.search(unusual) and _MIXED.search(text))
            or ("\u2013" in unusual and _DASH.search(text))
        ):
            symbols = _symbols(text)
            if None not in symbols.values():  # every symbol stays at its place
                for symbol, shown in symbols.items():
                    if shown is not None and shown != symbol:
                        text = text.replace(symbol, shown)
                seen[number] = _alike(text)
            else:
                seen[number], starts, stops = _seen(text, symbols)
                places[number] = starts, stops
    return Legible(seen, places)


def _symbols(text: str) -> dict[str, str | None]:
    """What every symbol of a text is read as; None for those that move others."""
    return {
        symbol: None if is_invisible(symbol) or unicodedata.combining(symbol) else _plain(symbol)
        for symbol in sorted({*text, "\n"})
    }


def _seen(text: str, symbols: dict[str, str | None]) -> tuple[str, Places, Places]:
    """The text that is seen, and where each of its symbols begins and ends."""
    if _TURNED in text:
        return _turned(text, symbols)
    moving = _TURNED + "".join(symbol for symbol, shown in symbols.items() if shown is None)
    changed = {ord(one): shown for one, shown in symbols.items() if shown and shown != one}
    parts: list[str] = []
    gone: list[int] = []
    joined: list[tuple[int, int]] = []  # a symbol that is seen, and where its last mark ends
    length, begin = 0, 0
    for found in re.finditer(f"[{re.escape(moving)}]", text):
        at = found.start()
        if begin < at:
            parts.append(text[begin:at].translate(changed))
            length += at - begin
        begin = at + 1
        joint = "" if is_invisible(text[at]) else _joint(parts[-1][-1] if parts else "", text[at])
        if len(joint) < 2:
            gone.append(at)
        if len(joint) == 1:
            parts[-1] = parts[-1][:-1] + joint
            joined.append((length - 1, begin))
        elif joint:
            parts.append(_plain(text[at]))
            length += 1
    parts.append(text[begin:].translate(changed))
    import numpy as np  # the command line's help needs none

    starts = np.delete(np.arange(len(text)), gone)
    stops = starts + 1
    for number, stop in joined:
        stops[number] = stop
    return _alike("".join(parts)), starts, stops


def _joint(letter: str, mark: str) -> str:
    """A letter and a mark upon it: one symbol, where Unicode has it; two where not."""
    return unicodedata.normalize("NFC", letter + mark) if letter else "  "


def _turned(text: str, symbols: dict[str, str | None]) -> tuple[str, Places, Places]:
    """The same, symbol by symbol, where parts are written from right to left."""
    letters: list[str] = []
    starts, stops = array("q"), array("q")
    turned: int | None = None
    for at, symbol in enumerate(text + "\n"):
        if turned is not None and symbol in _TURNED_END:
            letters[turned:] = letters[turned:][::-1]
            starts[turned:] = starts[turned:][::-1]
            stops[turned:] = stops[turned:][::-1]
            turned = None
        if symbol == _TURNED:
            turned = len(letters)
        shown = symbols[symbol]
        if shown is None:
            if is_invisible(symbol):
                continue
            joint = _joint(letters[-1] if letters else "", symbol)
            if len(joint) == 1:
                letters[-1], stops[-1] = joint, at + 1
                continue
            shown = _plain(symbol)
        letters.append(shown)
        starts.append(at)
        stops.append(at + 1)
    import numpy as np

    return _alike("".join(letters[:-1])), np.array(starts[:-1]), np.array(stops[:-1])


def _alike(text: str) -> str:
    """The text with one kind of hyphen between digits and one alphabet in a word."""
    if "\u2013" in text:
        text = _DASH.sub("-", text)
    if _OTHERS.search(text) is None or _MIXED.search(text) is None:
        return text
    return _WORD.sub(_one_alphabet, text)


def _plain(symbol: str) -> str:
    if symbol in _HYPHENS:
        return "-"
    if symbol in "\u2028\u2029":
        return "\n"
    if unicodedata.category(symbol) == "Zs":
        return " "
    if _WIDE.match(symbol):
        folded = unicodedata.normalize("NFKC", symbol)
        return folded if len(folded) == 1 else symbol
    return symbol


def _one_alphabet(word: re.Match[str]) -> str:
    """A word of two alphabets in Latin letters, as far as they look alike."""
    text = word[0]
    latin = any(symbol < "\x80" for symbol in text)
    return text if not latin or text.isascii() else text.translate(_ALIKE)
