"""`suppress` on unusual texts and with parameters that do not fit together."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pytest

import sfumato as sf
from sfumato.core.errors import BadInput


def released(texts, **options):
    release = sf.suppress(texts, **options)
    assert all(verdict.holds for verdict in sf.verify(texts, release))
    return release.data


def test_a_grapheme_is_starred_whole():
    family, flag, accented = "👨‍👩‍👧", "🇫🇷", "e\u0301"
    texts = [f"x {family} y", f"x {flag} y", f"x {accented} y"]
    for data in (
        released(texts, k=3, unit="grapheme", align="character"),
        released(texts, k=3, unit="grapheme"),
        released(texts, k=3),
    ):
        assert data == [f"x {'★' * len(part)} y" for part in (family, flag, accented)], data


def test_single_characters_may_split_a_grapheme():
    assert released(["e\u0301", "e\u0300"], k=2, align="character") == ["e★", "e★"]


def test_han_and_hiragana_are_words_and_a_katakana_name_is_one():
    texts = ["山田はスミスと会う", "川田はジョンと会う"]
    assert released(texts, k=2) == ["★田は★★★と会う", "★田は★★★と会う"]


def test_right_to_left_and_astral():
    texts = ["שלום דוד 𝒳", "שלום רחל 𝒳", "שלום אבי 𝒳"]
    assert released(texts, k=3) == ["שלום ★★★ 𝒳"] * 3


@pytest.mark.filterwarnings("ignore:fewer than")
def test_empty_equal_and_missing_documents():
    assert released(["", "same", "same", ""], k=2) == ["", "same", "same", ""]
    assert released(["", ""], k=3) == ["", ""]
    assert released([None, "same", "same"], k=2) == [None, "same", "same"]
    assert released("", k=7) == ""


def test_fewer_documents_than_k():
    with pytest.warns(UserWarning, match="fewer than k=3 documents"):
        assert released(["one", "one"], k=3) == ["★★★", "★★★"]
    with pytest.warns(UserWarning, match="fewer than k=2 groups"):
        assert released(["one", "one"], k=2, groups=["ann", "ann"]) == ["★★★", "★★★"]
    with pytest.warns(UserWarning, match="every symbol is starred"):
        assert released("abc", k=2) == "★★★"


def test_a_text_that_contains_the_mask():
    with pytest.warns(UserWarning, match="already has 2 symbols"):
        release = sf.suppress(["a ★ b", "a ★ b"], k=2)
    assert release.data == ["a ★ b", "a ★ b"]
    assert release.loss["suppressed"] == 0
    assert release.counts["already_masked"] == 2
    assert released(["a ★ b", "a ★ b"], k=2, mask="#") == ["a ★ b", "a ★ b"]
    with pytest.raises(sf.BadInput, match="already contains the mask"):
        sf.suppress(["a [x] b"], k=2, mask="[x]")
    with pytest.raises(sf.BadInput, match="overlaps itself"):
        sf.suppress(["a * b"], k=2, mask="**")
    assert released(["Ann ill", "Bob ill"], k=2, mask="**") == ["****** ill"] * 2


def test_a_repeat_never_crosses_a_documents_end():
    assert released(["ab", "ab", "ba", "ba"], k=2, count="occurrences", align="character") == [
        *["ab", "ab"],
        *["ba", "ba"],
    ]
    assert released(["xa", "bx", "xa b"], k=1) == ["xa", "bx", "xa b"]


def test_run_price_joins_stars():
    texts = ["Ann B Cho has flu", "Eve F Gil has flu", "Ida J Kim has flu"]
    assert released(texts, k=3) == ["★★★ ★ ★★★ has flu"] * 3
    assert released(texts, k=3, run_price=2) == ["★★★★★★★★★ has flu"] * 3


def test_frames_come_back_as_they_were():
    series = pd.Series(["Ann ill", "Bob ill"], index=[7, 8], name="note")
    pd.testing.assert_series_equal(
        released(series, k=2), pd.Series(["★★★ ill", "★★★ ill"], index=[7, 8], name="note")
    )
    column = pl.Series("note", ["Ann ill", "Bob ill"])
    groups = pl.Series("who", [1, 2])
    assert released(column, k=2, groups=groups).to_list() == ["★★★ ill", "★★★ ill"]


@pytest.mark.parametrize(
    "options",
    [
        {"k": 0},
        {"k": 2.0},
        {"k": True},
        {"k": []},
        {"k": [2, -1]},
        {"count": "people"},
        {"count": "groups"},
        {"groups": ["a"], "count": "documents"},
        {"groups": ["a", "b"]},
        {"unit": "line"},
        {"align": "line"},
        {"cover": "most"},
        {"min_run": 0},
        {"run_price": -1},
        {"run_price": 1, "cover": "longest-first"},
        {"mask": ""},
        {"mask": ".", "keep": "."},
        {"unit": "word", "keep": "."},
        {"strict": True, "cover": "word-and-repeats"},
        {"engine": "dask"},
    ],
)
def test_parameters_that_do_not_fit_are_refused(options):
    with pytest.raises(sf.BadInput):
        sf.suppress(["one"], **{"k": 1, **options})


def test_an_engine_that_is_not_there():
    with pytest.raises(sf.NotInstalled):
        sf.suppress(["one"], k=1, engine="spark")


def test_progress_is_reported_and_can_stop_the_work():
    shares = []
    text = "abra" * 1000
    sf.suppress(text, k=2, align="character", progress=lambda *report: shares.append(report))
    assert shares
    assert all(stage == "suppress" and 0 <= share <= 1 for stage, share in shares)

    class Stopped(Exception):
        pass

    def stop(_stage, _share):
        raise Stopped

    with pytest.raises(Stopped):
        sf.suppress(text, k=2, align="character", progress=stop)


def test_a_k_beyond_counting_is_bad_input():
    with pytest.raises(BadInput, match="below 2"):
        sf.suppress("aaa", k=2**31)
