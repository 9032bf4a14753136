"""Which language a text is in, by how often three letters follow each other.

The table is made by tools/make_languages.py from wordfreq's word lists.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from pathlib import Path

FILE = Path(__file__).parent / "data" / "languages.json"
LANGUAGES = ("en", "es", "de", "fr", "nl", "it", "pt")
ENOUGH = 12  # letters; shorter texts are taken for what the others are
READ = 4_000  # letters
# All scores of a word are one number: so many bits for a language, each raised above 0.
BITS, RAISED = 40, 1000
KEPT = 30  # letters: the scores of words are kept where none is longer
_WORD = re.compile("[a-z]+")


def language_of(text: str) -> str | None:
    """The language of a text: en, es, de, fr, nl, it, pt or ja; None if it is too short to tell.

    Cost: O(1), for the beginning is read.

    >>> language_of("Der Patient wohnt in Köln."), language_of("患者は東京に住んでいます。")
    ('de', 'ja')
    """
    read = text[: 2 * READ]
    if read.isascii():
        words = _WORD.findall(read.lower())
        enough = sum(map(len, words)) >= ENOUGH
    else:
        letters = [symbol for symbol in read if symbol.isalpha()][:READ]
        if letters and 20 * sum("ぁ" <= symbol <= "ヺ" for symbol in letters) > len(letters):
            return "ja"
        words = "".join(x if x.isalpha() else " " for x in read.lower()).split()
        enough = len(letters) >= ENOUGH
    short = max(map(len, words), default=0) <= KEPT
    scores = sum(map(_known_score if short else _score, words)) if enough else 0
    if not scores:
        return None
    return max(LANGUAGES, key=lambda one: scores >> BITS * LANGUAGES.index(one) & (1 << BITS) - 1)


def _score(word: str) -> int:
    """What the letters of a word tell for each language: no trigram is of two words."""
    padded, known = f" {word} ", _table()
    return sum(known.get(padded[at : at + 3], 0) for at in range(len(word)))


_known_score = lru_cache(maxsize=1 << 16)(_score)


@cache
def _table() -> dict[str, int]:
    """Of every three letters their scores for all languages, in one number."""
    held: dict[str, list[int]] = json.loads(FILE.read_text("utf-8"))["trigrams"]
    return {
        three: sum(one + RAISED << BITS * place for place, one in enumerate(row))
        for three, row in held.items()
    }
