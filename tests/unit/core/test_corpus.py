"""Texts in any form, and back in the same form."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.corpus import Corpus
from sfumato.core.errors import BadInput
from sfumato.core.labels import group_labels, label_form, told_as_one
from sfumato.verification.labels import group_labels as checked_labels
from sfumato.verification.labels import whose


def shout(given):
    corpus = Corpus.of(given)
    return corpus.rebuild([text.upper() for text in corpus.texts])


def test_plain_python():
    assert shout("one") == "ONE"
    assert shout(["one", "two"]) == ["ONE", "TWO"]
    assert shout(("one",)) == ("ONE",)
    assert shout([]) == []
    assert shout(["one", None]) == ["ONE", None]


def test_pandas_keeps_index_name_and_dtype():
    series = pd.Series(["one", None, "two"], index=[5, 3, 9], name="note", dtype="string")
    result = shout(series)
    assert result.index.tolist() == [5, 3, 9]
    assert result.name == "note"
    assert result.dtype == series.dtype
    assert result[5] == "ONE"
    assert pd.isna(result[3])


def test_polars_keeps_name_and_missing_values():
    result = shout(pl.Series("note", ["one", None]))
    assert result.equals(pl.Series("note", ["ONE", None]), check_names=True)


@pytest.mark.parametrize("make", [pa.array, lambda values: pa.chunked_array([values])])
def test_arrow(make):
    result = shout(make(["one", None]))
    assert type(result) is type(make(["x"]))
    assert result.to_pylist() == ["ONE", None]


def test_numpy():
    assert shout(np.array(["one", "two"], dtype=object)).tolist() == ["ONE", "TWO"]


@pytest.mark.parametrize(
    "wrong", [7, b"bytes", iter(["a"]), {"a": 1}, pd.DataFrame({"a": ["x"]}), [b"x"], ["a", 1.5]]
)
def test_what_is_no_text_is_refused(wrong):
    with pytest.raises(BadInput):
        Corpus.of(wrong)


def test_group_labels_of_any_kind():
    assert group_labels(pl.Series([7, 3, 7]), 3).tolist() == [0, 1, 0]
    assert group_labels(("x", "y"), 2).tolist() == [0, 1]


@pytest.mark.parametrize("groups", [["a"], ["a", None], ["a", float("nan")], "ab"])
def test_groups_that_do_not_fit_are_refused(groups):
    with pytest.raises(BadInput):
        group_labels(groups, 2)


@pytest.mark.parametrize(
    "groups",
    [
        ["p1", "p1 "],
        ["p1", "p1\u200b"],
        ["p1", "p\u00ad1"],
        ["p1", "P1"],
        [1, "1"],
        ["1", "1.0"],
        ["é", "e\u0301"],
        ["a b", "a\u00a0b"],
    ],
)
def test_one_person_under_two_spellings_is_no_crowd(groups):
    assert group_labels(groups, 2).tolist() == [0, 0]
    assert checked_labels(groups, 2).tolist() == [0, 0]
    assert groups == [1, "1"] or told_as_one(groups)[0].startswith("1 labels")


LABELS = st.text(st.sampled_from("aA1０ é́ﬁß\u200b\u00ad\u00a0\t.0-"), max_size=4) | st.text(
    max_size=3
)


@given(LABELS, LABELS)
def test_method_and_check_agree_who_is_one(one, other):
    assert (label_form(one) == label_form(other)) == (whose(one) == whose(other))
    assert label_form(label_form(one)) == label_form(one)


@given(st.integers(-5, 5) | st.floats(-3, 3) | st.booleans())
def test_labels_of_other_kinds_are_read_alike(label):
    assert label_form(label) == whose(label)


def test_groups_without_anything_to_see_are_none():
    with pytest.raises(BadInput, match="no group"):
        group_labels(["a", "\u200b "], 2)
    assert told_as_one(["a", "b", None]) == ()
