"""Repeats counted stretch by stretch are those of a suffix array; and what stands elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels import checks, repeats
from sfumato.kernels.repeats import NOBODY, ShortRepeats, SuffixIndex, short_repeat_lengths

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
    found = short_repeat_lengths(codes, k, labels=labels, ends=ends)
    assert found.tolist() == by_index(codes, k, labels, ends).tolist()


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
    assert short_repeat_lengths(codes, 3, labels=labels, ends=ends).tolist() == expected
    assert indexed == [1]


def test_counts_in_vain_are_tried_less_and_less_often(monkeypatch):
    codes, ends = laid_out([[1 + i % 3 for i in range(60)]] * 4)
    seen, tried, kernel = [], [], repeats._core.repeats_by_levels
    monkeypatch.setattr(
        repeats._core, "repeats_by_levels", lambda *given: tried.append(len(seen)) or kernel(*given)
    )
    expected = ShortRepeats()
    while len(seen) < 20:
        found = short_repeat_lengths(codes, 3, labels=None, ends=ends, expected=expected)
        seen.append(found.tolist() == by_index(codes, 3, None, ends).tolist())
    assert all(seen)
    assert tried == [0, 2, 5, 10, 19]


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
