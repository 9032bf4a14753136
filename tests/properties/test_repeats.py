"""Suffix array, PLCP and repeat lengths against their definitions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import repeats as oracle
from sfumato.kernels.repeats import NARROW_LIMIT, SuffixIndex

WIDTHS = (np.uint8, np.uint16, np.uint32)
LIMITS = (NARROW_LIMIT, 0)


def fibonacci(n: int) -> list[int]:
    a, b = [1], [1, 2]
    while len(b) < n:
        a, b = b, b + a
    return b[:n]


def de_bruijn(sigma: int, order: int) -> list[int]:
    """A cyclic sequence with every word of `order` symbols exactly once (Fredricksen, Maiorana)."""
    a, sequence = [0] * (sigma * order), []

    def extend(t: int, p: int) -> None:
        if t > order:
            if order % p == 0:
                sequence.extend(a[1 : p + 1])
            return
        a[t] = a[t - p]
        extend(t + 1, p)
        for symbol in range(a[t - p] + 1, sigma):
            a[t] = symbol
            extend(t + 1, t)

    extend(1, 1)
    return [symbol + 1 for symbol in sequence]


def check(codes: list[int], ks: list[int], width: type, limit: int) -> None:
    index = SuffixIndex(np.array(codes, width), narrow_limit=limit)
    assert index.suffix_array.dtype == (np.int32 if limit or not codes else np.int64)
    assert index.suffix_array.tolist() == oracle.suffix_array(codes)
    assert index.plcp.tolist() == oracle.plcp(codes)
    for k in ks:
        assert index.repeat_lengths(k).tolist() == oracle.repeat_lengths(codes, k)
    assert index.repeat_lengths(ks[0], last=True).tolist() == oracle.repeat_lengths(codes, ks[0])


@pytest.mark.parametrize("n", range(11))
def test_all_binary_strings(n: int) -> None:
    for symbols in itertools.product((1, 2), repeat=n):
        codes = list(symbols)
        index = SuffixIndex(np.array(codes, np.uint8))
        assert index.suffix_array.tolist() == oracle.suffix_array(codes)
        assert index.plcp.tolist() == oracle.plcp(codes)
        for k in range(1, n + 2):
            assert index.repeat_lengths(k).tolist() == oracle.repeat_lengths(codes, k)


@pytest.mark.parametrize("n", range(8))
def test_all_strings_of_two_symbols_and_breaks(n: int) -> None:
    for symbols in itertools.product((0, 1, 2), repeat=n):
        index = SuffixIndex(np.array(symbols, np.uint16))
        for k in (1, 2, 3):
            assert index.repeat_lengths(k).tolist() == oracle.repeat_lengths(symbols, k)


@settings(max_examples=200)
@given(
    st.lists(st.integers(0, 3), max_size=40),
    st.integers(1, 6),
    st.sampled_from(WIDTHS),
    st.sampled_from(LIMITS),
)
def test_small_alphabets(codes: list[int], k: int, width: type, limit: int) -> None:
    check([min(code, len(codes)) for code in codes], [k, 2], width, limit)


@settings(max_examples=100)
@given(
    st.integers(1, 60).flatmap(lambda n: st.lists(st.integers(0, n), min_size=n, max_size=n)),
    st.sampled_from((np.uint8, np.uint16, np.uint32)),
    st.sampled_from(LIMITS),
)
def test_codes_up_to_the_length(codes: list[int], width: type, limit: int) -> None:
    check(codes, [2, 3], width, limit)


documents = st.lists(
    st.tuples(st.lists(st.integers(0, 2), max_size=6), st.integers(-2, 3)), min_size=1, max_size=8
)


@settings(max_examples=300)
@given(documents, st.integers(1, 5), st.sampled_from(LIMITS))
def test_distinct_labels(parts: list[tuple[list[int], int]], k: int, limit: int) -> None:
    codes = [code for document, _ in parts for code in [*document, 0]]
    ends = np.cumsum([len(document) + 1 for document, _ in parts]) - 1
    labels = np.array([label for _, label in parts], np.int32)
    index = SuffixIndex(np.array(codes, np.uint8), narrow_limit=limit)
    expected = oracle.repeat_lengths(codes, k, labels.tolist(), ends.tolist())
    assert index.repeat_lengths(k, labels=labels, ends=ends).tolist() == expected
    assert index.repeat_lengths(k, labels=labels, ends=ends, last=True).tolist() == expected


def test_a_name_repeated_by_one_person_counts_once() -> None:
    codes = np.array([1, 2, 3, 0, 1, 2, 3, 0, 2, 3, 0], np.uint8)
    ends, labels = np.array([3, 7, 10]), np.array([1, 1, 2], np.int32)
    index = SuffixIndex(codes)
    lengths = index.repeat_lengths(2, labels=labels, ends=ends)
    assert lengths.tolist() == [0, 2, 1, 0, 0, 2, 1, 0, 2, 1, 0]
    assert index.repeat_lengths(2).tolist() == [3, 2, 1, 0, 3, 2, 1, 0, 2, 1, 0]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize(
    "codes",
    [
        [1] * 60,
        [0] * 20,
        fibonacci(89),
        de_bruijn(2, 6),
        de_bruijn(4, 3),
        ([1, 2, 3, 1, 2, 0]) * 12,
        list(range(1, 41)),
        list(range(40, 0, -1)),
    ],
    ids=["aaaa", "breaks", "fibonacci", "binary", "quaternary", "copies", "up", "down"],
)
def test_hard_cases(codes: list[int], width: type, limit: int) -> None:
    check(codes, [2, 1, 3, 7, len(codes), len(codes) + 1], width, limit)


def lengths_by_windows(index: SuffixIndex, k: int) -> np.ndarray:
    """L by the paper's two windows over the LCP array, in O(kn): no oracle, but another way."""
    order, n = index.suffix_array, len(index.suffix_array)
    lcp = index.plcp[order]
    shared = np.zeros(n + k - 1, lcp.dtype)
    for i in range(k - 1, n):
        shared[i] = lcp[i - k + 2 : i + 1].min()
    result = np.zeros(n, lcp.dtype)
    for i in range(n):
        result[order[i]] = shared[i : i + k].max()
    return result


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("limit", LIMITS)
def test_texts_of_many_blocks(width: type, limit: int) -> None:
    """Longer than every block in the kernels, with long and short repeats and breaks."""
    random = np.random.default_rng(0)
    phrase = random.integers(1, 5, 700)
    codes = np.concatenate(
        [np.where(random.random(700) < 0.02, random.integers(0, 5, 700), phrase) for _ in range(40)]
    ).astype(width)
    index = SuffixIndex(codes, narrow_limit=limit)
    order = index.suffix_array.astype(np.int64)
    assert np.array_equal(np.sort(order), np.arange(len(codes)))
    text = codes.astype(np.uint8).tobytes()
    assert all(text[a:] < text[b:] for a, b in itertools.pairwise(order.tolist()))
    for k in (2, 3, 17, 18, 50, 300, 9000):
        assert np.array_equal(index.repeat_lengths(k), lengths_by_windows(index, k))


@pytest.mark.parametrize("sigma", [3, 60, 255])
@pytest.mark.parametrize("limit", LIMITS)
def test_widths_agree(sigma: int, limit: int) -> None:
    """Bytes with few different substrings are sorted another way than other texts."""
    random = np.random.default_rng(sigma)
    codes = random.integers(0, sigma, 150_000).astype(np.uint8)
    codes[50_000:90_000] = codes[5_000:45_000]
    index = SuffixIndex(codes, narrow_limit=limit)
    for width in WIDTHS[1:]:
        other = SuffixIndex(codes.astype(width), narrow_limit=limit)
        assert np.array_equal(index.suffix_array, other.suffix_array)
        assert np.array_equal(index.plcp, other.plcp)
