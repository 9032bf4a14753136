"""Stretches counted under stars are those of a suffix array; and what stands elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels import checks, repeats
from sfumato.kernels.repeats import NOBODY, SharedStretches, SuffixIndex, shared_when_shown

documents = st.lists(st.lists(st.integers(0, 4), max_size=12), min_size=1, max_size=8)


def laid_out(texts: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Documents as codes, each with a break behind it, and where these breaks are."""
    codes = np.array([code for text in texts for code in [*text, 0]], np.uint8)
    return codes, np.cumsum([len(text) + 1 for text in texts]) - 1


def by_index(codes, k, labels, ends):
    return SuffixIndex(codes).repeat_lengths(
        k, labels=labels, ends=None if labels is None else ends, last=True
    )


@given(documents, st.data(), st.integers(1, 6))
def test_the_same_as_an_index_tells(texts, data, k):
    codes, ends = laid_out(texts)
    people = st.lists(
        st.sampled_from([-7, 0, 3, 9, NOBODY]), min_size=len(texts), max_size=len(texts)
    )
    labels = data.draw(st.none() | people.map(lambda some: np.array(some, np.int32)))
    found = SharedStretches(codes, k, labels=labels, ends=ends)
    flags = st.lists(st.integers(0, 2), min_size=len(codes), max_size=len(codes))
    for _ in range(3):  # stars come and go; 2 is on trial, and legible
        stars = np.array(data.draw(flags), np.uint8)
        left = codes * (stars != 1)
        assert found.repeat_lengths(stars).tolist() == by_index(left, k, labels, ends).tolist()


@given(documents, st.data(), st.integers(0, 6))
def test_words_that_k_share_once_they_are_shown(texts, data, k):
    codes, ends = laid_out(texts)
    people = st.lists(st.integers(0, 3), min_size=len(texts), max_size=len(texts))
    labels = data.draw(st.none() | people.map(lambda some: np.array(some, np.int32)))
    flags = st.lists(st.integers(0, 1), min_size=len(codes), max_size=len(codes))
    stars = np.array(data.draw(flags), np.uint8)
    asked = stars * np.array(data.draw(flags), np.uint8)
    asked[ends] = 0
    whose = np.arange(len(codes))
    if labels is not None:
        whose = np.repeat(labels, np.diff(ends, prepend=-1))
    expected = [
        int(
            asked[p]
            and codes[p] != 0
            and len(
                {whose[q] for q in range(len(codes)) if codes[q] == codes[p] and not stars[q]}
                | {whose[p]}
            )
            >= k
        )
        for p in range(len(codes))
    ]
    found = shared_when_shown(codes, k, labels=labels, ends=ends, stars=stars, asked=asked)
    assert found.tolist() == expected


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32])
def test_long_repeats_are_left_to_an_index(monkeypatch, kind):
    texts = [[1 + i % 3 for i in range(60)]] * 4
    codes, ends = laid_out(texts)
    codes, labels = codes.astype(kind), np.arange(4, dtype=np.int32)
    expected = by_index(codes, 3, labels, ends).tolist()
    indexed = []
    monkeypatch.setattr(
        repeats, "SuffixIndex", lambda *a, **b: indexed.append(1) or SuffixIndex(*a, **b)
    )
    found = SharedStretches(codes, 3, labels=labels, ends=ends)
    assert found.repeat_lengths(np.zeros(len(codes), np.uint8)).tolist() == expected
    assert indexed == [1]


@given(
    st.lists(st.tuples(st.integers(-1, 5), st.integers(0, 3), st.booleans()), max_size=60),
    st.booleans(),
)
def test_how_often_a_value_stands_elsewhere(places, apart):
    values = np.array([value for value, _, _ in places], np.int64)
    labels = np.array([label for _, label, _ in places], np.int32) if apart else None
    asked = np.array([ask for _, _, ask in places], bool)
    whose = [label if apart else i for i, (_, label, _) in enumerate(places)]
    expected = [
        sum(v == value and w != own for (v, _, _), w in zip(places, whose, strict=True))
        if value >= 0
        else 0
        for (value, _, _), own in zip(places, whose, strict=True)
    ]
    counts, numbers = checks.elsewhere(values, labels)
    assert counts.tolist() == expected
    some, _ = checks.elsewhere(values, labels, asked)
    assert some.tolist() == [count * ask for count, ask in zip(expected, asked, strict=True)]
    for i, one in enumerate(values):
        assert [n == numbers[i] for n in numbers] == [v == one for v in values]
