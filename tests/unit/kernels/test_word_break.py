"""Words: the standard's own cases, the tables against the database, and what the face refuses."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import numpy as np
import pytest

from sfumato.kernels import _checks, checks

ROOT = Path(__file__).parents[3]
EXCERPT = Path(__file__).with_name("WordBreakTest-excerpt.txt")
UNICODE = Path("/usr/share/unicode")
with_database = pytest.mark.skipif(
    not (UNICODE / "auxiliary").is_dir(), reason="no Unicode Character Database (unicode-data)"
)
NONE = (np.array([], dtype=np.int32), np.array([], dtype=np.int64), np.array([], dtype=np.int64))


def spans(*found: tuple[int, int, int]) -> checks.Spans:
    documents, starts, stops = np.array(found, dtype=np.int64).reshape(-1, 3).T.copy()
    return documents.astype(np.int32), starts, stops


def cases(path: Path) -> list[tuple[str, list[int]]]:
    """The texts of a file like WordBreakTest.txt, and their boundaries."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if marks := line.partition("#")[0].split():
            text = "".join(chr(int(point, 16)) for point in marks[1::2])
            found.append((text, [i for i, mark in enumerate(marks[::2]) if mark == "÷"]))
    return found


def test_an_excerpt_of_the_cases_of_the_standard():
    found = cases(EXCERPT)
    assert len(found) == 64
    for text, boundaries in found:
        assert checks.word_boundaries(text) == boundaries, ascii(text)


@with_database
def test_all_cases_of_the_standard():
    found = cases(UNICODE / "auxiliary" / "WordBreakTest.txt")
    assert len(found) == 1823
    for text, boundaries in found:
        assert checks.word_boundaries(text) == boundaries, ascii(text)


@with_database
def test_the_table_is_what_its_maker_writes():
    maker = runpy.run_path(str(ROOT / "tools" / "make_checks_tables.py"))
    written = (ROOT / "cpp" / "checks" / "word_break.inc").read_bytes()
    assert maker["table"](UNICODE).encode() == written


def listed(name: str, values: str) -> list[tuple[int, int, str]]:
    pattern = rf"^([0-9A-F]+)(?:\.\.([0-9A-F]+))? *; ({values}) *#"
    text = (UNICODE / name).read_text(encoding="utf-8")
    return [
        (int(first, 16), int(last or first, 16) + 1, value)
        for first, last, value in re.findall(pattern, text, re.MULTILINE)
    ]


# Extend and Format, which no rule tells apart, are one kind here.
KINDS = [
    "Other",
    "CR",
    "LF",
    "Newline",
    "Extend",
    "ZWJ",
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
PICTOGRAPHIC = 32

# The symbol stands in place of each "?". No two kinds break alike in all of them.
PROBES = "a?a|1?1|א?א|א?|?:a|?'|?_|_?|ア?| ?|?\u0308|a\u200d?| \u200d?|\r?|?\n|?😀|\U0001f1e6?|"


def kinds() -> np.ndarray:
    """The kind of every code point, as a number."""
    found = np.zeros(0x110000, dtype=np.uint8)
    for first, stop, kind in listed("auxiliary/WordBreakProperty.txt", r"\w+"):
        found[first:stop] = KINDS.index(kind.replace("Format", "Extend"))
    for first, stop, _ in listed("emoji/emoji-data.txt", "Extended_Pictographic"):
        found[first:stop] += PICTOGRAPHIC
    return found


def splits(points: np.ndarray) -> np.ndarray:
    """Where the probes break, one row for each code point."""
    row = np.array([ord(symbol) for symbol in PROBES.replace("|", "\x85")], dtype=np.uint32)
    rows = np.tile(row, (len(points), 1))
    rows[:, row == ord("?")] = points[:, None]
    text = rows.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    breaks = np.zeros(rows.size, dtype=bool)
    breaks[_checks.segments(text, True)[0] - 1] = True
    return breaks.reshape(rows.shape)


@with_database
def test_every_code_point_breaks_as_its_kind_does():
    found = kinds()
    every = np.unique(found)
    assert every.tolist() == [*range(18), PICTOGRAPHIC, PICTOGRAPHIC + KINDS.index("ALetter")]
    expected = splits(np.array([np.argmax(found == kind) for kind in every]))
    assert len(np.unique(expected, axis=0)) == len(every)
    for start in range(0, 0x110000, 0x8000):
        # Where the database lists nothing, a sample will do.
        step = 1 if found[start : start + 0x8000].any() else 61
        points = np.arange(start, start + 0x8000, step)
        right = expected[np.searchsorted(every, found[points])]
        wrong = (splits(points) != right).any(axis=1)
        assert not wrong.any(), hex(points[wrong][0])


@with_database
def test_every_letter_and_number_is_a_word():
    expected = np.zeros(0x110000, dtype=bool)
    first = 0
    for line in (UNICODE / "UnicodeData.txt").read_text(encoding="utf-8").splitlines():
        point, name, category = line.split(";")[:3]
        first = first if name.endswith(", Last>") else int(point, 16)
        expected[first : int(point, 16) + 1] = category[0] in "LN"
    kinds_of_words = "ALetter|Hebrew_Letter|Numeric|Katakana"
    for first, stop, _ in listed("auxiliary/WordBreakProperty.txt", kinds_of_words):
        expected[first:stop] = True
    text = "".join(f"{chr(point)}\n" for point in range(0x110000))
    found = np.zeros(0x110000, dtype=bool)
    found[[start // 2 for start, _ in checks.words(text)]] = True
    assert (found == expected).all()


EXAMPLES = {
    "": [],
    " \t\r\n": [],
    "...!": [],
    "The quick (“brown”) fox can’t jump 32.3 feet, right?": (
        ["The", "quick", "brown", "fox", "can’t", "jump", "32.3", "feet", "right"]
    ),
    "o'clock 'tis dogs'": ["o'clock", "tis", "dogs"],
    "1,234.5 3:4 12'30 1, 2": ["1,234.5", "3", "4", "12'30", "1", "2"],
    "a:b a::b a.b. e.g.": ["a:b", "a", "b", "a.b", "e.g"],
    'צה"ל ג\' "א"': ['צה"ל', "ג'", "א"],
    "snake_case __x__ _": ["snake_case", "__x__"],
    "カタカナ ひら 漢字": ["カタカナ", "ひ", "ら", "漢", "字"],
    "ｶﾞｷﾞ": ["ｶﾞｷﾞ"],
    "cafe\u0301 co\xadop x\u200dy": ["cafe\u0301", "co\xadop", "x\u200dy"],
    "👩\u200d👩\u200d👧 🇩🇪🇫🇷": [],
    "a\u200d😀": ["a\u200d😀"],
    "① x²": ["①", "x", "²"],
    "𝐀𝟎 𐐀𐐁": ["𝐀𝟎", "𐐀𐐁"],
    "a\ud800b\udc00": ["a", "b"],
    "a\r\nb\x85\u0308c": ["a", "b", "c"],
}


@pytest.mark.parametrize("text", EXAMPLES, ids=ascii)
def test_examples(text: str):
    assert [text[start:stop] for start, stop in checks.words(text)] == EXAMPLES[text]


def test_flags_and_joined_emoji_are_segments_of_their_own():
    assert checks.word_boundaries("🇩🇪🇫🇷🇮") == [0, 2, 4, 5]
    assert checks.word_boundaries("👩\u200d👧👧\U0001f3fb") == [0, 3, 5]
    assert checks.word_boundaries("") == []


def test_equal_words_have_equal_numbers_whatever_their_width():
    reference = ["ab", "ab é", "ab 漢", "ab 😀 漢"]
    found = checks.number_words(reference, ["é ab", "😀漢é"], spans((1, 1, 3), (0, 0, 4)))
    assert found.reference.tolist() == [0, 0, 1, 0, 2, 0, 2]
    assert found.reference_ends.tolist() == [1, 3, 5, 7]
    assert found.queries.tolist() == [2, 1, 1, 0]
    assert found.query_ends.tolist() == [2, 4]
    assert found.query_starts.tolist() == [1, 2, 0, 2]


def test_words_are_compared_exactly():
    texts = ["Ab ab é e\u0301 ab\xad ab"]
    assert checks.number_words(texts, [], NONE).reference.tolist() == [0, 1, 2, 3, 4, 1]


def test_a_span_is_split_as_a_text_of_its_own():
    found = checks.number_words([], ["3.50"], spans((0, 0, 4), (0, 0, 2), (0, 2, 4)))
    assert found.queries.tolist() == [0, 1, 2]
    assert found.query_starts.tolist() == [0, 0, 2]


def test_nothing_gives_nothing():
    for reference, ends in (([], []), (["", " "], [0, 0])):
        found = checks.number_words(reference, [], NONE)
        assert found.reference_ends.tolist() == ends
        for array in (found.reference, found.queries, found.query_ends, found.query_starts):
            assert array.tolist() == []
            assert array.dtype == np.int64


@pytest.mark.parametrize("at", [0, 1, 2])
def test_spans_of_another_type(at: int):
    wrong = list(spans((0, 0, 1)))
    wrong[at] = wrong[at].astype(np.int16)
    with pytest.raises(TypeError):
        checks.number_words(["a"], ["a"], tuple(wrong))


@pytest.mark.parametrize("span", [(0, 0, 3), (0, 1, 1), (0, -1, 1), (1, 0, 1), (-1, 0, 1)])
def test_spans_outside_a_document(span: tuple[int, int, int]):
    with pytest.raises(ValueError, match="stretch 1 ") as caught:
        checks.number_words([], ["Zq"], spans((0, 0, 1), span))
    assert "Zq" not in str(caught.value)


def test_documents_that_are_no_text():
    with pytest.raises(TypeError):
        checks.number_words([b"a"], [], NONE)
    with pytest.raises(TypeError):
        checks.words(b"a")


def test_progress_rises_to_one_and_may_interrupt():
    shares: list[float] = []
    texts = ["a b. " * 300_000] * 2
    checks.number_words(texts, texts, spans((0, 0, 1_500_000)), progress=shares.append)
    assert len(shares) >= 4
    assert shares == sorted(shares)
    assert shares[-1] == 1.0

    def stop(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        checks.number_words(texts, [], NONE, progress=stop)
