"""Writes cpp/checks/word_break.inc, the ranges that verification splits text into words by.

    python tools/make_checks_tables.py [folder of the Unicode Character Database, version 15.0]

The folder is Debian's `unicode-data` (/usr/share/unicode) unless told otherwise. The same data
gives the same bytes. Nothing here is shared with the tables of the kernels that make releases.
"""

from __future__ import annotations

import re
import sys
from itertools import groupby
from pathlib import Path

UNICODE = Path("/usr/share/unicode")
TABLE = Path(__file__).parent.parent / "cpp" / "checks" / "word_break.inc"
VERSION = re.compile(r"^# (\w+-15\.0\.0\.txt$|Used with Emoji Version 15\.0 )", re.MULTILINE)
ENTRY = re.compile(r"^([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*(\w+)", re.MULTILINE)
HEAD = """\
// Made by tools/make_checks_tables.py from the Unicode Character Database 15.0; do not edit.
// First and last code point, Word_Break | Extended_Pictographic | General_Category L* or N*.
"""


def values(path: Path) -> list[tuple[int, int, str]]:
    """First code point, last code point and value of each entry of a file of the database."""
    text = path.read_text(encoding="utf-8")
    if not VERSION.search(text):
        raise SystemExit(f"{path} is not of Unicode 15.0: give a folder with that version")
    return [
        (int(first, 16), int(last or first, 16), value)
        for first, last, value in ENTRY.findall(text)
    ]


def marks(folder: Path) -> dict[int, str]:
    """What is known of each code point, as the C++ expression for it; none for Other alone."""
    breaks = values(folder / "auxiliary" / "WordBreakProperty.txt")
    emoji = values(folder / "emoji" / "emoji-data.txt")
    categories = values(folder / "extracted" / "DerivedGeneralCategory.txt")
    pictographic = [
        (first, last, "PICTOGRAPHIC")
        for first, last, value in emoji
        if value == "Extended_Pictographic"
    ]
    letters = [
        (first, last, "LETTER_OR_NUMBER") for first, last, value in categories if value[0] in "LN"
    ]
    found: dict[int, str] = {}
    for first, last, mark in [*breaks, *pictographic, *letters]:
        for point in range(first, last + 1):
            found[point] = f"{found[point]} | {mark}" if point in found else mark
    return found


def table(folder: Path) -> str:
    """The text of the table: maximal ranges of code points that are marked alike, in order."""
    rows = []
    # Neighbours that are marked alike keep the same distance from their rank.
    ranked = enumerate(sorted(marks(folder).items()))
    for (_, mark), run in groupby(ranked, lambda item: (item[1][0] - item[0], item[1][1])):
        points = [point for _, (point, _) in run]
        rows.append(f"{{0x{points[0]:04X}, 0x{points[-1]:04X}, {mark}}},\n")
    return HEAD + "".join(rows)


if __name__ == "__main__":
    TABLE.write_text(
        table(Path(sys.argv[1]) if len(sys.argv) > 1 else UNICODE), encoding="ascii", newline="\n"
    )
