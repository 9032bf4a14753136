"""Which characters belong to words, and which differ in case or width alone."""

from __future__ import annotations

import re
import unicodedata

# Scripts that are written without spaces, or glue endings to names: a term may stand anywhere.
_WITHOUT_WORDS = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf"
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u303c\u3040-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97f\ua9e0-\ua9ff\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc"
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff]"
)


def is_wordlike(character: str) -> bool:
    """Whether a character is part of a word: a letter, mark or digit of a script with words.

    Between two such characters no term begins or ends when whole words are asked for.

    >>> is_wordlike("é"), is_wordlike("7"), is_wordlike("-"), is_wordlike("京")
    (True, True, False, False)
    """
    return unicodedata.category(character)[0] in "LMN" and not _WITHOUT_WORDS.match(character)


def fold_case(character: str) -> str:
    """One character without its case, as one character.

    >>> fold_case("É"), fold_case("ẞ"), fold_case("ß")
    ('é', 'ß', 'ß')
    """
    for folded in (character.casefold(), character.lower()):
        if len(folded) == 1:
            return folded
    return character


def fold_width(character: str) -> str:
    """One full-width or half-width character in its usual width, as one character.

    >>> fold_width("Ａ"), fold_width("ｶ"), fold_width("é")
    ('A', 'カ', 'é')
    """
    if not unicodedata.decomposition(character).startswith(("<wide>", "<narrow>")):
        return character
    folded = unicodedata.normalize("NFKC", character)
    return folded if len(folded) == 1 else character


def join_sound_mark(character: str, mark: str) -> str | None:
    """A kana and the half-width sound mark after it as one kana, None if they do not join.

    >>> join_sound_mark("カ", "ﾞ"), join_sound_mark("a", "ﾞ")
    ('ガ', None)
    """
    if mark not in ("\uff9e", "\uff9f"):
        return None
    joined = unicodedata.normalize("NFC", character + unicodedata.normalize("NFKC", mark))
    return joined if len(joined) == 1 else None
