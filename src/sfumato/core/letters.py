"""Which characters belong to words, which are seen, and which differ in case or width alone."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

# Scripts that are written without spaces, or glue endings to names: a term may stand anywhere.
WITHOUT_WORDS = (
    "[\u0e00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf"
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u303c\u3040-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97f\ua9e0-\ua9ff\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc"
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff]"
)
_WITHOUT_WORDS = re.compile(WITHOUT_WORDS)

# Of these the scripts that put no blank between words at all, so that a line may break anywhere.
_UNSPACED = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf\u3005-\u3007"
    "\u3021-\u3029\u3031-\u303c\u3041-\u3096\u309d-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d\U0001b000-\U0001b16f\U00020000-\U0003ffff]"
)


# What shows nothing though it is no control or format character: fillers and joiners.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)


def is_invisible(character: str) -> bool:
    """Whether a character shows nothing and parts no words: soft hyphens, zero-width ones.

    >>> [is_invisible(one) for one in ("\\u00ad", "\\u200b", "\\ufeff", " ", "\\n", "a")]
    [True, True, True, False, False, False]
    """
    kind = unicodedata.category(character)
    if kind in ("Cf", "Cc"):
        return not character.isspace()
    return _UNSEEN.match(character) is not None


def is_unspaced(character: str) -> bool:
    """Whether a character is of a script without blanks between words: what parts two is a break
    of the line, or shows how long a name is, and parts no words.

    >>> [is_unspaced(one) for one in ("京", "の", "ไ", "서", "a", "。")]
    [True, True, True, False, False, False]
    """
    return _UNSPACED.match(character) is not None


def is_wordlike(character: str) -> bool:
    """Whether a character is part of a word: a letter, mark or digit of a script with words.

    Between two such characters no term begins or ends when whole words are asked for.

    >>> is_wordlike("é"), is_wordlike("7"), is_wordlike("-"), is_wordlike("京")
    (True, True, False, False)
    """
    return unicodedata.category(character)[0] in "LMN" and not _WITHOUT_WORDS.match(character)


def compose(text: str) -> tuple[str, list[int] | None]:
    """A text with composed letters (NFC), and where each of its characters began (None: where it
    stands); one more than its characters, for the end.

    >>> compose("cafe\\u0301s")
    ('cafés', [0, 1, 2, 3, 5, 6])
    """
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return text, None
    letters: list[str] = []
    starts: list[int] = []
    at = 0
    while at < len(text):
        stop = at + 1
        while stop < len(text) and (
            unicodedata.combining(text[stop]) or "\u1160" <= text[stop] <= "\u11ff"
        ):
            stop += 1
        composed = unicodedata.normalize("NFC", text[at:stop])
        letters.append(composed)
        starts += [min(at + i, stop - 1) if i else at for i in range(len(composed))]
        at = stop
    return "".join(letters), [*starts, len(text)]


BETWEEN, LETTER, DIGIT, SINGLE, UNSEEN = range(5)  # what a character is in a word


@lru_cache(maxsize=1 << 16)
def in_words(character: str) -> tuple[int, str]:
    """What a character is in a word, and what it is read as where words are compared.

    Words are runs of letters or of digits; characters of scripts without blanks are words of their
    own. Case, accents, width and other compatibility forms do not count; what shows nothing, and
    a combining accent, belongs to the character before it.

    >>> [in_words(one) for one in ("É", "７", "-", "京", "\\u00ad", "ﬁ")]
    [(1, 'e'), (2, '7'), (0, ''), (3, '京'), (4, ''), (1, 'fi')]
    """
    if is_invisible(character) or unicodedata.combining(character):
        return UNSEEN, ""
    if unicodedata.category(character)[0] not in "LMN":
        return BETWEEN, ""
    value = unicodedata.digit(character, None)
    if value is not None:
        return DIGIT, str(value)
    read = unicodedata.normalize("NFKD", character).casefold()
    read = unicodedata.normalize("NFKD", read)
    read = "".join(one for one in read if not unicodedata.combining(one))
    if not read or any(unicodedata.category(one)[0] not in "LMN" for one in read):
        return SINGLE, character
    if _WITHOUT_WORDS.match(character):
        return SINGLE, read
    if read.isdigit() and read.isascii():
        return DIGIT, read
    return LETTER, read


class Word(NamedTuple):
    """A word of a text: what it is read as, what it is, and where it stands."""

    read: str
    kind: int
    start: int
    stop: int


def words(text: str) -> list[Word]:
    """The words of a text, one after the other. Cost: O(text).

    >>> [(one.read, one.start, one.stop) for one in words("Zoë's 22nd")]
    [('zoe', 0, 3), ('s', 4, 5), ('22', 6, 8), ('nd', 8, 10)]
    """
    result: list[Word] = []
    open_ = BETWEEN
    for at, character in enumerate(text):
        kind, read = in_words(character)
        last = result[-1] if result else None
        if kind == UNSEEN:
            if open_ != BETWEEN and last is not None:
                result[-1] = last._replace(stop=at + 1)
            continue
        if kind == open_ != SINGLE and kind != BETWEEN and last is not None:
            result[-1] = Word(last.read + read, kind, last.start, at + 1)
        elif kind != BETWEEN:
            result.append(Word(read, kind, at, at + 1))
        open_ = kind
    return result


# Letters of other scripts, and of phonetics, that look like Latin ones; case by case.
_LOOK_ALIKE = """
a аαɑᴀ b вьʙ c сϲᴄ d ԁᴅđ e еєҽᴇ f ғꜰƒ g ɡԍɢ h һнʜħ i іιıɪ j јᴊ k кκᴋ l ӏʟł m мᴍ n пηոɴ o оοօσᴏø
p рρᴘ q ԛ r гяʀ s ѕꜱ t тτᴛŧ u υսᴜ v ѵνᴠ w ѡԝωᴡ x хχ y уүγʏ z ᴢ
A АΑ B ВΒ C СϹ D Đ E ЕΕ F Ϝ G Ԍ H НΗĦ I ІΙӀ J Ј K КΚ L Ł M МΜ N Ν O ОΟՕØ P РΡ Q Ԛ R Я S Ѕ T ТΤŦ U Ս
V Ѵ W Ԝ X ХΧ Y ҮΥУ Z Ζ
"""
_looks = _LOOK_ALIKE.split()
LOOK_ALIKE = {
    other: latin
    for latin, others in zip(_looks[::2], _looks[1::2], strict=True)
    for other in others
}
"""For each such letter the Latin one that it looks like."""


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
