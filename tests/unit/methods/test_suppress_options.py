"""`suppress` on unusual texts and with parameters that do not fit together."""

from __future__ import annotations

from dataclasses import replace

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


def test_empty_equal_and_missing_documents():
    assert released(["", "same", "same", ""], k=2) == ["", "same", "same", ""]
    assert released(["", ""], k=3) == ["", ""]
    assert released([], k=3) == []
    assert released([None, "same", "same"], k=2) == [None, "same", "same"]
    assert released("", k=7) == ""


@pytest.mark.parametrize(
    ("texts", "options", "told"),
    [
        (["one", "one"], {"k": 3}, "2 documents"),
        (["one", ""], {"k": [1, 2, 3]}, "2 documents"),
        (["one", "one"], {"k": 2, "groups": ["ann", "ann"]}, "1 people"),
        ("abc", {"k": 4}, "3 symbols"),
        ("one two", {"k": 3, "unit": "word"}, "2 words"),
        (["one", "two"], {"k": 3, "cover": "word", "count": "occurrences"}, "2 words"),
        (["one", "one"], {"k": 3, "strict": True}, "2 documents"),
    ],
)
def test_fewer_than_k_of_what_is_counted_cannot_be_met(texts, options, told):
    with pytest.raises(sf.CannotBeMet, match=f"{told} cannot be"):
        sf.suppress(texts, **options)


def test_where_nothing_is_shared_everything_is_starred():
    with pytest.warns(UserWarning, match="every symbol is starred"):
        assert released("abc", k=2) == "★★★"
    assert released("...", k=3, unit="word", guess=None) == "..."  # no word stands there
    assert released("...", k=3, unit="word") == "   "


BLANKS_LETTERS_DIGITS = [" ", "e", "7", "\u00a0", "\u3000", "\u200b", "\n", "é", "京", "٣", "Ⅷ"]
BLANKS_LETTERS_DIGITS += ["ⓐ", "\u0301", "\u2800", "\u3164", "xx", "12", "a b", "\u00ad", "™"]


@pytest.mark.parametrize("mask", BLANKS_LETTERS_DIGITS)
def test_a_mask_that_looks_like_text_is_refused_by_every_verb(mask):
    texts = ["Ann has 7 cats.", "Bob has 7 cats."]
    for call in (
        lambda: sf.suppress(texts, k=2, mask=mask),
        lambda: sf.suppress(texts, k=2, mask=mask, collapse=True),
        lambda: sf.redact(texts, ["Ann", "Bob"], k=2, mask=mask),
        lambda: sf.redact(texts, ["Ann", "Bob"], k=2, mask=[mask]),
        lambda: sf.generalize(texts, t=2, mask=mask),
        lambda: sf.sanitize(texts, ["7 c"], separator=mask),
    ):
        with pytest.raises(sf.BadInput):
            call()


@pytest.mark.parametrize("mask", [".", ",", "-", "[x]", "..."])
def test_punctuation_of_the_text_is_no_mask(mask):
    texts = ["Ann - has, [x] cats...", "Bob - has, [x] cats..."]
    with pytest.raises(sf.BadInput, match="already contains the mask"):
        sf.suppress(texts, k=2, mask=mask)


@pytest.mark.parametrize("mask", [" ", "e", ",", "7", "has", "\u200b"])
@pytest.mark.parametrize("strict", [False, True])
def test_a_release_whose_mask_stands_for_itself_is_rejected(mask, strict):
    texts = ["Eve has 7, Ann has 7\u200b", "Bob has 7, Ida has 7\u200b"]
    release = sf.suppress(texts, k=1, strict=strict, spans=[sf.Span(0, 0, 1)])
    claims = tuple(
        replace(one, parameters={**one.parameters, "mask": mask}) for one in release.claims
    )
    data = [mask * 3 + texts[0][3:], texts[1]]
    for shown in (data, texts):
        spoilt = replace(release, claims=claims, data=shown)
        assert not any(verdict.holds for verdict in sf.verify(texts, spoilt))


@pytest.mark.parametrize("mask", [" ", "a", "★"])
def test_a_redacted_release_whose_mask_stands_for_itself_is_rejected(mask):
    text = "The ★ crew drew a ★ straw."
    release = sf.redact(text, ["crew", "craw", "draw", "drew"], k=2)
    claims = tuple(
        replace(one, parameters={**one.parameters, "mask": mask}) for one in release.claims
    )
    spoilt = replace(release, claims=claims, data=release.data.replace("*", mask))
    assert not any(verdict.holds for verdict in sf.verify(text, spoilt))


def test_a_text_that_contains_the_mask():
    with pytest.warns(UserWarning, match="already has 2 symbols"):
        release = sf.suppress(["a ★ b", "a ★ b"], k=2)
    assert release.data == ["a ★ b", "a ★ b"]
    assert release.loss["suppressed"] == 0
    assert release.counts["already_masked"] == 2
    assert released(["a ★ b", "a ★ b"], k=2, mask="#") == ["a ★ b", "a ★ b"]
    with pytest.raises(sf.BadInput, match="already contains the mask"):
        sf.suppress(["a [x] b"], k=1, mask="[x]")
    with pytest.raises(sf.BadInput, match="overlaps itself"):
        sf.suppress(["a * b"], k=1, mask="**")
    assert released(["Ann ill", "Bob ill"], k=2, mask="**") == ["****** ill"] * 2


def test_a_repeat_never_crosses_a_documents_end():
    assert released(["ab", "ab", "ba", "ba"], k=2, count="occurrences", align="character") == [
        *["ab", "ab"],
        *["ba", "ba"],
    ]
    assert released(["xa", "bx", "xa b"], k=1) == ["xa", "bx", "xa b"]


def test_run_price_joins_stars():
    texts = ["Ann B Cho has flu", "Eve F Gil has flu", "Ida J Kim has flu"]
    assert released(texts, k=3, guess=None) == ["★★★ ★ ★★★ has flu"] * 3
    assert released(texts, k=3, guess=None, run_price=2) == ["★★★★★★★★★ has flu"] * 3
    assert released(texts, k=3, run_price=2) == ["★★★ ★ ★★★ has flu"] * 3


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


def test_an_engine_that_is_not_there_or_has_other_data():
    with pytest.raises((sf.NotInstalled, sf.BadInput)):
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
