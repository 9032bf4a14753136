"""Words of French and Italian that are elided before vowels: they tell how the next begins."""

from __future__ import annotations

import re

# Before an apostrophe, and before a blank.
ELIDED = {
    "fr": "l d qu jusqu lorsqu puisqu",
    "it": "l d un dell all nell sull dall quest quell",
}
WHOLE = {
    "fr": "le la de que jusque lorsque puisque",
    "it": "il lo la i gli di un uno una del dello della al allo alla nel nello nella sul sullo "
    "sulla dal dallo dalla questo questa quel quello quella",
}
ELIDING = {
    name: re.compile(
        rf"(?:^|(?<=[\W_]))(?:(?:{'|'.join(ELIDED[name].split())})['’]|"
        rf"(?:{'|'.join(WHOLE[name].split())})\s+)$",
        re.IGNORECASE,
    )
    for name in ELIDED
}
BEFORE_A_BLANK = frozenset(word for words in WHOLE.values() for word in words.split())
VOWELS = frozenset("aeiouàâäáãåèéêëìíîïòóôöõùúûüœæ")


def elided_before(term: str) -> bool | None:
    """Whether a word is elided before a term; None where its first letter does not tell.

    >>> [elided_before(term) for term in ("infirmier", "Boulanger", "héros")]
    [True, False, None]
    """
    first = term[:1].lower()
    if first in VOWELS:
        return True
    return None if first in "hyw" or not first.isalpha() else False


def may_be_elided(text: str) -> bool:
    """Whether the last word of a text may be elided in some language; where not, it surely is not.

    >>> may_be_elided("Il parle de "), may_be_elided("by ")
    (True, False)
    """
    if not text or not text[-1].isspace():
        return text[-1:] in "'’"
    words = text.rsplit(None, 1)
    if not words or not words[-1][-1].isalpha():
        return False
    word = words[-1]  # of ASCII letters alone: the expressions need it as a whole
    return word.lower() in BEFORE_A_BLANK or not (word.isascii() and word.isalnum())


def eliding_before(text: str, language: str | None) -> int | None:
    """Where a word begins that stands last in a text and may be elided before the next one.

    >>> eliding_before("Elle est l'", "fr"), eliding_before("Il parle de ", "fr")
    (9, 9)
    >>> eliding_before("a la ", "es") is None
    True
    """
    if not may_be_elided(text):
        return None
    known = ELIDING.get(language or "")
    found = known.search(text, max(0, len(text) - 20)) if known is not None else None
    return None if found is None else found.start()
