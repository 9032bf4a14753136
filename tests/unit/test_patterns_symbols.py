"""Symbols that hold blanks, from Python and from files; separators that can be told from text."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

import sfumato as sf
from sfumato.core.release import Sides
from sfumato.formats.sequences import symbol_patterns

VISITS = [["home", "blood test", "ICU"], ["ICU", "home"], ["blood test"]]


def holds(original, release):
    return all(verdict.holds for verdict in sf.verify(original, release))


def test_a_single_symbol_with_a_blank_is_hidden():
    release = sf.sanitize(VISITS, [["blood test"]])
    assert release.data == [["home", "ICU"], ["ICU", "home"], []]
    assert release.counts["hidden"] == 2
    assert holds(VISITS, release)
    spoilt = replace(release, data=VISITS)
    assert not holds(VISITS, spoilt)


def test_a_single_event_is_counted_though_no_separator_is_needed():
    release = sf.sanitize([["ICU", "home"] * 128, ["ICU"] * 128], [["ICU"]])
    assert release.counts["hidden"] == 256
    assert release.counts["separators"] == release.counts["replaced"] == 0


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("p.txt", '"blood test"\n', [["blood test"]]),
        ("p.txt", 'ICU  "blood test"\r\nhome\n', [["ICU", "blood test"], ["home"]]),
        ("p.txt", "ICU\tblood test\n", [["ICU", "blood test"]]),
        ("p.txt", '"a ""b"" c" d\n', [['a "b" c', "d"]]),
        ("p.csv", "blood test\nICU,blood test,\n\n", [["blood test"], ["ICU", "blood test"]]),
        ("p.csv", '"a, b",c\n', [["a, b", "c"]]),
    ],
)
def test_symbols_with_blanks_can_be_written(tmp_path, name, text, expected):
    (tmp_path / name).write_bytes(text.encode())
    assert symbol_patterns(tmp_path / name, name) == expected
    sequence = ["start", *expected[0], "stop"]
    release = sf.sanitize([sequence], tmp_path / name, "tfs")
    assert release.counts["hidden"] >= 1
    assert holds([sequence], release)


@pytest.mark.parametrize("line", ["blood test", "ICU blood test", "blood  test ICU"])
def test_a_line_whose_blanks_stand_in_a_symbol_is_refused(tmp_path, line):
    (tmp_path / "p.txt").write_text(f"home\n{line}\n")
    with pytest.raises(sf.BadInput, match=r"line 2.*quotes") as refused:
        sf.sanitize(VISITS, tmp_path / "p.txt")
    assert "ICU" not in str(refused.value)


def test_quotes_that_do_not_match_are_refused(tmp_path):
    for name, text in (("p.txt", 'home\n"blood test\n'), ("p.csv", 'a,"b')):
        (tmp_path / name).write_text(text)
        with pytest.raises(sf.BadInput, match="quotes"):
            sf.sanitize(VISITS, tmp_path / name)


@pytest.mark.parametrize("separator", [" ", "e", "7", "\u00a0", "\u200b", "\x01", "é", "Ⅷ", "ⓐ"])
def test_a_separator_that_looks_like_text_is_refused(separator):
    with pytest.raises(sf.BadInput, match="separator"):
        sf.sanitize("abab", ["ba"], "tfs", separator=separator)
    with pytest.raises(sf.BadInput, match="separator"):
        sf.sanitize([["ab", "b"]], [["ab"]], "tfs", separator=f"{separator}{separator}")


def test_a_separator_with_a_blank_is_refused():
    with pytest.raises(sf.BadInput, match="separator"):
        sf.sanitize([["ab", "b"]], [["ab"]], "tfs", separator="# #")


@pytest.mark.parametrize("separator", ["c", "d", " ", "#"])
def test_a_separator_that_stands_for_itself_is_rejected(separator):
    text = "abcab#d ab"
    release = sf.sanitize(text, ["ab"], "tfs", separator="★")
    claims = tuple(
        replace(one, parameters={**one.parameters, "separator": separator})
        for one in release.claims
    )
    spoilt = replace(release, claims=claims, data=text)
    assert not any(verdict.holds for verdict in sf.verify(text, spoilt))
    pattern = replace(spoilt, sides=Sides(patterns=[f"a{separator}b"]))
    assert not any(verdict.holds for verdict in sf.verify("ababab", pattern))


def test_the_order_of_many_distinct_symbols_is_checked_in_linear_time():
    sequence = [f"t{i * 7919 % 40_000}" for i in range(40_000)]
    sequence += sequence[:2_000]
    release = sf.sanitize(sequence, [sequence[5:7], sequence[100:102]], "pfs")
    start = time.process_time()
    assert holds(sequence, release)
    # One state has 40,000 edges: searched one by one they take 8 s.
    assert time.process_time() - start < 3
    data = list(release.data)
    data[10], data[11] = data[11], data[10]
    assert not holds(sequence, replace(release, data=data))
