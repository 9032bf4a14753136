"""Where listed words and phrases stand in a text, found by other code than the method's.

Words are runs of letters and digits, composed (NFC) and without case; in scripts without blanks
every letter is one. Between the words of a phrase may stand blanks of any number and kind.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from ..core.letters import is_wordlike
from ..ontologies import key_of
from ..ontologies.protocol import WORD

# A letter with what composes with it.
LETTER = re.compile(
    ".[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0903\u093a-\u094f\u1160-\u11ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a"
    "\ufe20-\ufe2f]*",
    re.DOTALL,
)
ASCII_RUN = re.compile("[a-z0-9]+")  # a word of ASCII text without case
JOINS = "-‐‑–_'’"
Listed = Mapping[str, Sequence[Sequence[str]]]  # first word -> the phrases that begin with it
Placed = tuple[int, int, str]


def listed(words: Sequence[str] | None) -> Listed | None:
    """The phrases of a list, by their first word; None where there is no list."""
    if not words:
        return None
    phrases: dict[str, list[list[str]]] = {}
    for phrase in sorted({key_of(word) for word in words}):
        parts = [text for _, _, text in words_of(phrase)]
        phrases.setdefault(parts[0], []).append(parts)
    return phrases


def words_of(text: str) -> list[Placed]:
    """The words of a text with their places.

    >>> words_of("the cafe\\u0301 東京")
    [(0, 3, 'the'), (4, 9, 'café'), (10, 11, '東'), (11, 12, '京')]
    """
    if text.isascii():
        return [(m.start(), m.end(), m[0]) for m in ASCII_RUN.finditer(text.casefold())]
    places: Sequence[int] = range(len(text) + 1)
    if not unicodedata.is_normalized("NFC", text):
        clusters = [
            (m.start(), unicodedata.normalize("NFC", m.group())) for m in LETTER.finditer(text)
        ]
        places = [start for start, letters in clusters for _ in letters] + [len(text)]
        text = "".join(letters for _, letters in clusters)
    found: list[Placed] = []
    for match in WORD.finditer(text):
        for start, stop in _parts(match.group(), match.start()):
            found.append((places[start], places[stop], text[start:stop].casefold()))
    return found


def _parts(word: str, at: int) -> Iterator[tuple[int, int]]:
    """A word where it has letters of scripts with words, and single letters elsewhere."""
    if word.isascii() and word.isalnum():  # most words: nothing to look at letter by letter
        yield at, at + len(word)
        return
    cuts = [0]
    for i, (one, other) in enumerate(pairwise(word), 1):
        if not (is_wordlike(one) and is_wordlike(other)):
            cuts.append(i)
    for start, stop in pairwise([*cuts, len(word)]):
        yield at + start, at + stop


def occurrences(text: str, phrases: Listed) -> Iterator[tuple[int, int]]:
    """Every place where the words of a listed phrase follow each other.

    >>> list(occurrences("Phantom  limb\\npain", listed(["phantom limb pain"])))
    [(0, 18)]
    """
    if text.isascii() and phrases.keys().isdisjoint(ASCII_RUN.findall(text.casefold())):
        return  # most texts have none of the words: their places are not asked for
    words = words_of(text)
    for at, (start, _, word) in enumerate(words):
        for phrase in phrases.get(word, ()):
            here = words[at : at + len(phrase)]
            if [one for _, _, one in here] != phrase:
                continue
            if all(_is_gap(text[a[1] : b[0]]) for a, b in pairwise(here)):
                yield start, here[-1][1]


def _is_gap(between: str) -> bool:
    """Whether two words may belong to one phrase: blanks, and one mark that joins them."""
    marks = [one for one in between if not _is_blank(one)]
    if not marks:
        return True
    return len(marks) == 1 and (marks[0] in JOINS or between.startswith("."))


def _is_blank(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) == "Cf"


def uncovered(
    text: str, phrases: Listed, places: Iterable[tuple[int, int]]
) -> tuple[int, int] | None:
    """The first place of a listed phrase that overlaps none of these places, if there is one."""
    marked = sorted(places)  # none overlaps another
    for start, stop in occurrences(text, phrases):
        at = bisect_left(marked, (stop,)) - 1
        if at < 0 or marked[at][1] <= start:
            return start, stop
    return None
