"""Default word boundaries, literally: the rules of UAX #29 (Unicode 15.0) as regular expressions.

A text is written as one letter for each symbol, its kind, and every position is tried against the
rules in their order. Only the symbols of KINDS are known here.
"""

from __future__ import annotations

import re
from itertools import pairwise

# A letter for each value of Word_Break; small p and a for the values of Other and ALetter that are
# Extended_Pictographic. Symbols are of all widths that CPython stores.
KINDS = {
    "A": "aZé\xb5ßЖक가\U00010400\U0001d400",  # ALetter
    "a": "ℹ\u24c2\U0001f170",  # ALetter and Extended_Pictographic
    "H": "\u05d0\u05ea\ufb1d",  # Hebrew_Letter
    "N": "07\u0663\u066b\U0001d7ce",  # Numeric
    "K": "ア\u3031\uff71\U0001b000",  # Katakana
    "_": "_\u202f\u203f",  # ExtendNumLet
    "L": ":\xb7\u05f4",  # MidLetter
    "M": ".\u2019\u2024",  # MidNumLet
    "D": ",;\u037e",  # MidNum
    "S": "'",  # Single_Quote
    "Q": '"',  # Double_Quote
    "R": "\U0001f1e6\U0001f1ff",  # Regional_Indicator
    "W": " \u2003\u3000",  # WSegSpace
    "E": "\u0308\u0901\uff9e\U0001f3fb\U000e0100",  # Extend
    "F": "\xad\u061c\u200e\U000e0001",  # Format
    "Z": "\u200d",  # ZWJ
    "C": "\r",  # CR
    "J": "\n",  # LF
    "B": "\x0b\x85\u2028",  # Newline
    "p": "\xa9\u2764\U0001f600\U0001f468",  # Other and Extended_Pictographic
    "O": "!$\t\xb2\xa0\u3042\u0e01\u6f22\u2460\U00020000\ud800\udfff\ue000\U0010ffff",  # Other
}
KIND = {symbol: kind for kind, symbols in KINDS.items() for symbol in symbols}
LETTERS_AND_NUMBERS = {
    *(symbol for kind in "AaHNK" for symbol in KINDS[kind]),
    # Of General_Category L* or N*, though their Word_Break says nothing of it.
    *"\xb2\u3042\u0e01\u6f22\u2460\U00020000\uff9e",
}

AH_LETTER, MID_NUM_LET_Q = "AaH", "MS"
IGNORED = "[EFZ]*"


def set_of(kinds: str) -> str:
    """WB4: a symbol of some kind, with what is ignored after it."""
    return f"[{kinds}]{IGNORED}"


AHLetter, Numeric, Hebrew, RI = (set_of(kinds) for kinds in (AH_LETTER, "N", "H", "R"))
MidLetterOrQ, MidNumOrQ = set_of("L" + MID_NUM_LET_Q), set_of("D" + MID_NUM_LET_Q)

# Name, what stands before the position, what stands after it, and whether the text breaks there.
RULES = [
    ("WB3", "C", "J", False),
    ("WB3a", "[BCJ]", "", True),
    ("WB3b", "", "[BCJ]", True),
    ("WB3c", "Z", "[ap]", False),
    ("WB3d", "W", "W", False),
    ("WB4", "", "[EFZ]", False),
    ("WB5", AHLetter, AHLetter, False),
    ("WB6", AHLetter, MidLetterOrQ + AHLetter, False),
    ("WB7", AHLetter + MidLetterOrQ, AHLetter, False),
    ("WB7a", Hebrew, "S", False),
    ("WB7b", Hebrew, set_of("Q") + Hebrew, False),
    ("WB7c", Hebrew + set_of("Q"), Hebrew, False),
    ("WB8", Numeric, Numeric, False),
    ("WB9", AHLetter, Numeric, False),
    ("WB10", Numeric, AHLetter, False),
    ("WB11", Numeric + MidNumOrQ, Numeric, False),
    ("WB12", Numeric, MidNumOrQ + Numeric, False),
    ("WB13", set_of("K"), "K", False),
    ("WB13a", set_of(AH_LETTER + "NK_"), "_", False),
    ("WB13b", set_of("_"), f"[{AH_LETTER}NK]", False),
    # Ignored symbols that follow nothing, at the start of the text or a line, are no RI either.
    ("WB15", f"^{IGNORED}({RI}{RI})*{RI}", "R", False),
    ("WB16", f"[^REFZ]{IGNORED}({RI}{RI})*{RI}", "R", False),
    ("WB999", "", "", True),
]
COMPILED = [(re.compile(f"(?:{b})$"), re.compile(a), breaks, name) for name, b, a, breaks in RULES]


def word_boundaries(text: str, without: str = "") -> list[int]:
    """Every position that the first rule that fits makes a boundary; both ends (WB1, WB2)."""
    kinds = "".join(KIND[symbol] for symbol in text)
    return [
        position
        for position in range(len(kinds) + 1)
        if text and (position in (0, len(kinds)) or is_break(kinds, position, without))
    ]


def is_break(kinds: str, position: int, without: str) -> bool:
    """What the first rule that fits says."""
    before, after = kinds[:position], kinds[position:]
    return next(
        breaks
        for left, right, breaks, name in COMPILED
        if name != without and left.search(before) and right.match(after)
    )


def words(text: str) -> list[tuple[int, int]]:
    """The segments that contain a letter or number, white space cut into single symbols."""
    return [
        (start, stop)
        for start, stop in pairwise(word_boundaries(text, without="WB3d"))
        if LETTERS_AND_NUMBERS.intersection(text[start:stop])
    ]


def number_words(
    reference: list[str], stretches: list[str]
) -> tuple[list[list[int]], list[list[int]]]:
    """The words of each document and of each stretch, numbered as they first occur."""
    numbers: dict[str, int] = {}

    def read(text: str) -> list[int]:
        return [numbers.setdefault(text[a:b], len(numbers)) for a, b in words(text)]

    return [read(text) for text in reference], [read(text) for text in stretches]
