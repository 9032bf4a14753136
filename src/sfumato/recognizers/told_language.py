"""Which language a text is in, by how often three letters follow each other.

The table is made by tools/make_languages.py from wordfreq's word lists.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

FILE = Path(__file__).parent / "data" / "languages.json"
LANGUAGES = ("en", "es", "de", "fr", "nl", "it", "pt")
ENOUGH = 12  # letters; shorter texts are taken for what the others are
READ = 4_000  # letters


def language_of(text: str) -> str | None:
    """The language of a text: en, es, de, fr, nl, it, pt or ja; None if it is too short to tell.

    Cost: O(1), for the beginning is read.

    >>> language_of("Der Patient wohnt in Köln."), language_of("患者は東京に住んでいます。")
    ('de', 'ja')
    """
    letters = [symbol for symbol in text[: 2 * READ] if symbol.isalpha()][:READ]
    kana = sum("ぁ" <= symbol <= "ヺ" for symbol in letters)
    if letters and 20 * kana > len(letters):
        return "ja"
    if len(letters) < ENOUGH:
        return None
    scores, known = [0] * len(LANGUAGES), _table()
    cleaned = "".join(x if x.isalpha() else " " for x in text[: 2 * READ].lower())
    padded = " " + " ".join(cleaned.split()) + " "
    for at in range(len(padded) - 2):
        row = known.get(padded[at : at + 3])
        if row is not None:
            for place, one in enumerate(row):
                scores[place] += one
    if not any(scores):
        return None
    return LANGUAGES[scores.index(max(scores))]


@cache
def _table() -> dict[str, list[int]]:
    held = json.loads(FILE.read_text("utf-8"))
    trigrams: dict[str, list[int]] = held["trigrams"]
    return trigrams
