"""Words and grapheme clusters are those of Unicode 15.0, and white space is cut further."""

from __future__ import annotations

import importlib.util
from itertools import pairwise
from pathlib import Path

import pytest

from sfumato.kernels import text

ROOT = Path(__file__).parents[3]
UNICODE = Path("/usr/share/unicode")

# Cases in the notation of the standard's own test files: ÷ is a boundary, × is none.
WORDS = """
÷ 000D × 000A ÷ 0061 ÷ 000A ÷ 0308 ÷
÷ 0020 × 0020 ÷
÷ 0020 × 0308 ÷ 0020 ÷
÷ 0061 × 0308 ÷
÷ 0020 × 200D ÷ 0646 ÷
÷ 0646 × 200D ÷ 0020 ÷
÷ 0041 × 0041 × 0041 ÷
÷ 0041 × 003A × 0041 ÷
÷ 0041 ÷ 003A ÷ 003A ÷ 0041 ÷
÷ 0041 × 0308 × 0027 × 0308 × 0041 ÷
÷ 0061 ÷ 002C ÷ 0061 ÷
÷ 05D0 × 0027 ÷
÷ 05D0 × 0022 × 05D0 ÷
÷ 05D0 ÷ 0022 ÷ 0061 ÷
÷ 0031 × 002E × 0031 ÷
÷ 0031 × 002C × 0308 × 0031 ÷
÷ 0031 ÷ 002E ÷ 002E ÷ 0031 ÷
÷ 0061 × 0031 × 0061 ÷
÷ 0041 × 005F × 0030 × 005F × 3031 × 005F ÷
÷ 3031 × 3031 ÷ 0041 ÷
÷ 3042 ÷ 3044 ÷ 6F22 ÷ 5B57 ÷
÷ 1F1E6 × 1F1E7 ÷ 1F1E8 ÷ 0062 ÷
÷ 0061 ÷ 1F1E6 × 200D × 1F1E7 ÷ 1F1E8 ÷ 0062 ÷
÷ 1F476 × 1F3FF ÷ 1F476 ÷
÷ 1F6D1 × 200D × 1F6D1 ÷
÷ 0061 × 200D × 1F6D1 ÷
÷ 2701 × 200D × 2701 ÷
÷ 0061 × 005F × 0031 ÷ 002C ÷ 003A ÷ 0061 ÷
÷ D800 ÷ 0061 ÷
"""
GRAPHEMES = """
÷ 000D × 000A ÷ 0061 ÷ 000A ÷ 0308 ÷
÷ 0020 ÷ 0020 ÷
÷ 0061 × 0308 ÷ 0062 ÷
÷ 0061 × 0903 ÷ 0062 ÷
÷ 0061 ÷ 0600 × 0062 ÷
÷ 0600 ÷ 000D ÷
÷ 1100 × 1100 ÷
÷ 1100 × 1161 × 11A8 ÷ 1161 ÷
÷ AC00 × 11A8 ÷ 1100 ÷
÷ AC01 × 11A8 ÷ 1100 ÷
÷ 11A8 ÷ 1161 ÷
÷ 0061 ÷ 1F1E6 × 1F1E7 × 200D ÷ 1F1E8 ÷ 0062 ÷
÷ 0061 ÷ 1F1E6 × 200D ÷ 1F1E7 × 1F1E8 ÷ 0062 ÷
÷ 0061 ÷ 1F1E6 × 1F1E7 ÷ 1F1E8 × 1F1E9 ÷ 0062 ÷
÷ 0061 × 1F3FF ÷ 1F476 × 200D × 1F6D1 ÷
÷ 1F476 × 1F3FF × 0308 × 200D × 1F476 × 1F3FF ÷
÷ 0061 × 200D ÷ 1F6D1 ÷
÷ 1F476 × 200D × 200D ÷ 1F476 ÷
÷ D800 ÷ DC00 ÷
"""


def parse(line: str) -> tuple[str, list[int]]:
    """A string, and where its boundaries are."""
    marks = line.split()
    symbols = [chr(int(mark, 16)) for mark in marks[1::2]]
    return "".join(symbols), [i for i, mark in enumerate(marks[::2]) if mark == "÷"]


def check(lines: list[str], unit: str) -> int:
    for line in lines:
        string, expected = parse(line)
        for before in ("", "\U00010000\n"):  # read as narrow as it is, and as wide as can be
            found = text.boundaries(before + string, unit).tolist()
            shifted = {len(before) + i for i in expected} | set(range(len(before)))
            assert set(found) == shifted, line
    return len(lines)


@pytest.fixture
def unicode_folder() -> Path:
    if not UNICODE.is_dir():
        pytest.skip(f"no {UNICODE}; Debian's package unicode-data has it")
    return UNICODE


@pytest.mark.parametrize(("cases", "unit"), [(WORDS, "word"), (GRAPHEMES, "grapheme")])
def test_cases_of_the_standard(cases, unit):
    assert check(cases.split("\n")[1:-1], unit) >= 19


@pytest.mark.data
@pytest.mark.parametrize(("unit", "count"), [("word", 1823), ("grapheme", 602)])
def test_all_cases_of_the_standard(unicode_folder, unit, count):
    path = unicode_folder / "auxiliary" / f"{unit.title()}BreakTest.txt"
    lines = [line.partition("#")[0] for line in path.read_text(encoding="utf-8").splitlines()]
    assert check([line for line in lines if line.strip()], unit) == count


@pytest.mark.data
def test_the_tables_are_made_of_the_data(unicode_folder):
    path = ROOT / "tools" / "make_unicode_tables.py"
    spec = importlib.util.spec_from_file_location("make_unicode_tables", path)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert tool.TABLES.read_bytes() == tool.tables(unicode_folder).encode()


def pieces(document: str, unit: str = "word") -> list[str]:
    starts = text.token_starts([document], unit).starts.tolist()
    return [document[i:j] for i, j in pairwise(starts[:-1])]


def words(document: str) -> list[str]:
    tokens = text.token_starts([document], "word")
    return [piece for piece, word in zip(pieces(document), tokens.words, strict=False) if word]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("Dr. O'Neil paid $3.50, e.g. twice", "Dr O'Neil paid 3.50 e.g twice"),
        ("snake_case naïve cafe\u0301", "snake_case naïve cafe\u0301"),
        ("カタカナと漢字", "カタカナ と 漢 字"),
        ('דו"ח צה״ל', 'דו"ח צה״ל'),
        ("한국어 😀 ½ Ⅳ", "한국어 ½ Ⅳ"),
        ("... _ — ★", ""),
    ],
)
def test_words(document, expected):
    assert words(document) == expected.split()


def test_white_space_is_cut_into_single_symbols():
    assert pieces("a  \u3000 b\r\n\tc") == ["a", " ", " ", "\u3000", " ", "b", "\r\n", "\t", "c"]
    assert pieces(" \u0301 ") == [" \u0301", " "]


def test_graphemes():
    assert pieces("e\u0301👨‍👩‍👧🇫🇷한", "grapheme") == ["e\u0301", "👨‍👩‍👧", "🇫🇷", "한"]


def test_tokens_tile_the_layout():
    tokens = text.token_starts(["", "a b", ""], "word")
    assert tokens.starts.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert tokens.words.tolist() == [False, True, False, True, False, False]
    empty = text.token_starts([], "grapheme")
    assert empty.starts.tolist() == [0]
    assert empty.words.tolist() == []


def test_a_long_text_is_segmented_as_its_parts():
    """Blocks of work leave no trace, nor does a mark followed by a million extenders."""
    document = "don't " * 500_000
    starts = text.token_starts([document], "word").starts
    assert len(starts) == 2 * 500_000 + 2
    assert pieces("a." + "\u0301" * 3_000_000 + "b") == ["a." + "\u0301" * 3_000_000 + "b"]
