"""The language of a text, against its definition: every three letters of the whole text counted."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from sfumato.recognizers.told_language import ENOUGH, FILE, LANGUAGES, READ, language_of

TRIGRAMS = json.loads(FILE.read_text("utf-8"))["trigrams"]
SYMBOLS = "abcdeéèñ nstrio uüßçãø.,'\n12²ⅷİſẞΣ漢 ARTÉ\x00\u2028"


def by_definition(text: str) -> str | None:
    letters = [symbol for symbol in text[: 2 * READ] if symbol.isalpha()][:READ]
    if letters and 20 * sum("ぁ" <= symbol <= "ヺ" for symbol in letters) > len(letters):
        return "ja"
    if len(letters) < ENOUGH:
        return None
    shown = "".join(x if x.isalpha() else " " for x in text[: 2 * READ].lower())
    padded = " " + " ".join(shown.split()) + " "
    rows = [TRIGRAMS.get(padded[at : at + 3]) for at in range(len(padded) - 2)]
    known = [row for row in rows if row is not None]
    if not known:
        return None
    scores = [sum(row[place] for row in known) for place in range(len(LANGUAGES))]
    return LANGUAGES[scores.index(max(scores))]


@given(st.text(SYMBOLS, max_size=80) | st.text("aeinrst lod", min_size=8, max_size=60))
def test_a_language_is_told_by_all_three_letters(text):
    assert language_of(text) == by_definition(text)


@given(st.lists(st.sampled_from(sorted(TRIGRAMS)), min_size=3, max_size=12))
def test_words_of_known_letters_are_told_alike(threes):
    for text in ("".join(threes), " ".join(threes)):
        assert language_of(text) == by_definition(text)


def test_long_texts_are_read_to_the_same_letter():
    for text in ("x" * 3990 + "é" * 5000, "ü" * 9000, " " * 9000 + "the", "der " * 4000 + "the"):
        assert language_of(text) == by_definition(text)
