"""Repeat lengths by buckets on disk against the definition and the index in memory."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import repeats as oracle
from sfumato.kernels.external import WIDE, repeat_lengths
from sfumato.kernels.repeats import SuffixIndex

WIDTHS = (np.uint8, np.uint16, np.uint32)
LIMITS = (WIDE, 0)
BUCKET_OF_16 = 1  # bytes: the smallest bucket there is
ALL_AT_ONCE = 1 << 20


def check(codes, k, *, cap=4096, memory=BUCKET_OF_16, labels=None, ends=None, limit=WIDE):
    """Against the index in memory, which has its own oracle."""
    expected = SuffixIndex(codes).repeat_lengths(k, labels=labels, ends=ends)
    if k > 1:  # k = 1 needs no order, and has no cap
        expected = np.minimum(expected, cap)
    found = repeat_lengths(
        codes, k, labels=labels, ends=ends, memory=memory, cap=cap, wide_beyond=limit
    )
    assert found.lengths.dtype == np.int32
    assert found.lengths.tolist() == expected.tolist()
    if k > 1:
        assert found.capped == np.count_nonzero(expected >= cap)


@pytest.mark.parametrize("n", range(7))
def test_all_strings_of_two_symbols_and_breaks(n: int) -> None:
    for symbols in itertools.product((0, 1, 2), repeat=n):
        for k in (1, 2, 3):
            found = repeat_lengths(np.array(symbols, np.uint8), k, memory=BUCKET_OF_16)
            assert found.lengths.tolist() == oracle.repeat_lengths(symbols, k)
            assert found.capped == 0


@settings(max_examples=200)
@given(
    st.lists(st.integers(0, 2), min_size=17, max_size=60),
    st.integers(1, 6),
    st.integers(1, 12),
    st.sampled_from(WIDTHS),
    st.sampled_from(LIMITS),
)
def test_the_definition_with_many_buckets(
    codes: list[int], k: int, cap: int, width: type, limit: int
) -> None:
    text = np.array(codes, width)
    found = repeat_lengths(text, k, memory=BUCKET_OF_16, wide_beyond=limit)
    expected = oracle.repeat_lengths(codes, k)
    assert found.lengths.tolist() == expected
    cut = repeat_lengths(text, k, memory=BUCKET_OF_16, cap=cap, wide_beyond=limit)
    assert cut.lengths.tolist() == [min(one, cap) if k > 1 else one for one in expected]
    assert cut.capped == sum(one >= cap for one in expected if k > 1)


documents = st.lists(
    st.tuples(st.lists(st.integers(0, 2), max_size=12), st.integers(-2, 3)), min_size=3, max_size=9
)


@settings(max_examples=200)
@given(documents, st.integers(1, 5), st.integers(1, 9), st.sampled_from(WIDTHS))
def test_distinct_labels_by_the_definition(
    parts: list[tuple[list[int], int]], k: int, cap: int, width: type
) -> None:
    codes = [code for document, _ in parts for code in [*document, 0]]
    ends = np.cumsum([len(document) + 1 for document, _ in parts]) - 1
    labels = np.array([label for _, label in parts], np.int32)
    expected = oracle.repeat_lengths(codes, k, labels.tolist(), ends.tolist())
    text, given = np.array(codes, width), {"labels": labels, "ends": ends}
    found = repeat_lengths(text, k, memory=BUCKET_OF_16, **given)
    assert found.lengths.tolist() == expected
    check(text, k, cap=cap, **given)


def fibonacci(n: int) -> list[int]:
    a, b = [1], [1, 2]
    while len(b) < n:
        a, b = b, b + a
    return b[:n]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize(
    "codes",
    [
        [1] * 600,
        [0] * 100,
        fibonacci(700),
        ([1, 2, 3, 1, 2, 0]) * 80,
        ([*range(1, 90), 0]) * 8,
        ([1] * 50 + [2]) * 12,
        list(range(1, 256)),
        list(range(255, 0, -1)),
    ],
    ids=["aaaa", "breaks", "fibonacci", "copies", "documents", "runs", "up", "down"],
)
def test_hard_cases(codes: list[int], width: type, limit: int) -> None:
    text = np.array(codes, width)
    for k, cap in itertools.product((1, 2, 9, len(codes)), (1, 8, 17, 4096)):
        check(text, k, cap=cap, limit=limit)
    check(text, len(codes) + 1)
    check(text, 2, memory=ALL_AT_ONCE, limit=limit)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("memory", [BUCKET_OF_16, 4_000, 40_000])
def test_runs_of_one_symbol_in_few_documents(width: type, memory: int) -> None:
    """A class too large for a bucket that few labels share: it is not split deeper."""
    codes = np.array(([1] * 300 + [0]) * 6 + [1, 2, 0] * 5, width)
    ends = np.flatnonzero(codes == 0)
    for labels in (np.arange(len(ends)), np.minimum(np.arange(len(ends)), 1), ends % 3):
        for k in (2, 3, 7, 12):
            check(codes, k, memory=memory, labels=labels.astype(np.int32), ends=ends)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("largest", [3, 40, 250, 30_000])
@pytest.mark.parametrize("memory", [2_000, 60_000])
def test_longer_texts(width: type, largest: int, memory: int) -> None:
    """Phrases with errors, so that repeats of all lengths occur; codes beyond one byte."""
    random = np.random.default_rng(largest)
    if width == np.uint8 and largest > 255:
        largest = 255
    phrase = random.integers(1, largest, 700)
    noise = [random.random(700) < share for share in np.repeat([0, 0.002, 0.02, 0.3], 12)]
    codes = np.concatenate(
        [np.append(np.where(one, random.integers(0, largest, 700), phrase), 0) for one in noise]
    ).astype(width)
    ends = np.arange(700, len(codes), 701)
    labels = random.integers(0, 20, len(ends)).astype(np.int32)
    for k in (2, 5, 40):
        check(codes, k, memory=memory)
        check(codes, k, memory=memory, cap=100)
        check(codes, k, memory=memory, labels=labels, ends=ends)


def test_codes_in_a_file(tmp_path) -> None:
    codes = np.array([1, 2, 0] * 50, np.uint8)
    codes.tofile(tmp_path / "codes")
    mapped = np.memmap(tmp_path / "codes", np.uint8, "r")
    check(mapped, 3)
