"""Writes cpp/text/unicode_tables.inc, what segmentation needs to know of each code point.

    python tools/make_unicode_tables.py [folder of the Unicode Character Database]

The folder is Debian's `unicode-data` (/usr/share/unicode) unless told otherwise. The same data
gives the same bytes.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

UNICODE = Path("/usr/share/unicode")
TABLES = Path(__file__).parent.parent / "cpp" / "text" / "unicode_tables.inc"
CODE_POINTS = 0x110000
BLOCK = 128

WORD_BREAK = [
    "Other",
    "CR",
    "LF",
    "Newline",
    "Extend",
    "ZWJ",
    "Format",
    "Regional_Indicator",
    "Katakana",
    "Hebrew_Letter",
    "ALetter",
    "Single_Quote",
    "Double_Quote",
    "MidNumLet",
    "MidLetter",
    "MidNum",
    "Numeric",
    "ExtendNumLet",
    "WSegSpace",
]
GRAPHEME_BREAK = [
    "Other",
    "CR",
    "LF",
    "Control",
    "Extend",
    "ZWJ",
    "Regional_Indicator",
    "Prepend",
    "SpacingMark",
    "L",
    "V",
    "T",
    "LV",
    "LVT",
]
WORDS = {"ALetter", "Hebrew_Letter", "Numeric", "Katakana"}

# A property is one number: word break | grapheme break << 5 | pictographic << 9 | word << 10.
GRAPHEME_SHIFT, PICTOGRAPHIC, WORD = 5, 1 << 9, 1 << 10


def ranges(path: Path) -> Iterator[tuple[range, str]]:
    """The lines `first..last ; value` of a file of the database."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if entry := line.partition("#")[0].strip():
            points, value = (field.strip() for field in entry.split(";")[:2])
            first, _, last = points.partition("..")
            yield range(int(first, 16), int(last or first, 16) + 1), value


def properties(folder: Path) -> list[int]:
    """The property of every code point."""
    table = [0] * CODE_POINTS
    for points, value in ranges(folder / "auxiliary" / "WordBreakProperty.txt"):
        for point in points:
            table[point] |= WORD_BREAK.index(value) | (WORD if value in WORDS else 0)
    for points, value in ranges(folder / "auxiliary" / "GraphemeBreakProperty.txt"):
        for point in points:
            table[point] |= GRAPHEME_BREAK.index(value) << GRAPHEME_SHIFT
    for points, value in ranges(folder / "emoji" / "emoji-data.txt"):
        for point in points if value == "Extended_Pictographic" else ():
            table[point] |= PICTOGRAPHIC
    for points, value in ranges(folder / "extracted" / "DerivedGeneralCategory.txt"):
        for point in points if value[0] in "LN" else ():
            table[point] |= WORD
    return table


def version(folder: Path) -> str:
    """The version of Unicode that the folder holds."""
    first = (folder / "auxiliary" / "WordBreakProperty.txt").read_text(encoding="utf-8")[:80]
    found = re.match(r"# WordBreakProperty-([0-9.]+)\.txt", first)
    if not found:
        raise SystemExit(f"{folder}: WordBreakProperty.txt does not name its version")
    return found[1]


def numbers(values: Iterable[int]) -> Iterator[str]:
    """Lines of a C++ initialiser, at most 100 columns wide."""
    line = "   "
    for value in values:
        if len(line) + len(f" {value},") > 100:
            yield line
            line = "   "
        line += f" {value},"
    yield line


def tables(folder: Path = UNICODE) -> str:
    """The text of the tables: equal blocks of code points are stored once."""
    table = properties(folder)
    blocks: dict[tuple[int, ...], int] = {}
    index = [
        blocks.setdefault(tuple(table[first : first + BLOCK]), len(blocks))
        for first in range(0, CODE_POINTS, BLOCK)
    ]
    entries = [value for block in blocks for value in block]
    lines = [
        f"// Unicode {version(folder)}, made by tools/make_unicode_tables.py; do not edit.",
        "// symbol_properties[symbol_blocks[c / symbol_block] * symbol_block + c % symbol_block]:",
        "// word break | grapheme break << 5 | pictographic << 9 | part of a word << 10.",
        "enum WordBreak : unsigned char {",
        *(f"    WB_{name}," for name in WORD_BREAK),
        "};",
        "enum GraphemeBreak : unsigned char {",
        *(f"    GB_{name}," for name in GRAPHEME_BREAK),
        "};",
        f"inline constexpr unsigned symbol_block = {BLOCK};",
        f"inline constexpr unsigned short symbol_blocks[{len(index)}] = {{",
        *numbers(index),
        "};",
        f"inline constexpr unsigned short symbol_properties[{len(entries)}] = {{",
        *numbers(entries),
        "};",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if sys.argv[1:] else UNICODE
    TABLES.write_text(tables(folder), encoding="utf-8", newline="\n")
