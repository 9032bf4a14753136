"""Every cover equals brute force over all masks."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import covers as oracle
from sfumato.kernels.covers import cover


def lengths_of(text: str, k: int) -> list[int]:
    """L(p) from the definition."""

    def occurs(piece: str) -> bool:
        return sum(text.startswith(piece, p) for p in range(len(text))) >= k

    return [
        max(size for size in range(len(text) - p + 1) if size == 0 or occurs(text[p : p + size]))
        for p in range(len(text))
    ]


def run(lengths, **options):
    stars = cover(np.array([*lengths, 0], np.int32), np.array([len(lengths)], np.int64), **options)
    assert stars[-1] == 0
    return stars[:-1].tolist()


def as_tokens(cuts: list[int], n: int) -> np.ndarray:
    return np.array(sorted({0, *cuts, n} | {n + 1}), np.int64)


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_fewest_is_the_minimum_on_all_binary_strings(k):
    for n in range(9):
        for letters in product("ab", repeat=n):
            lengths = lengths_of("".join(letters), k)
            stars, no = run(lengths), [0] * n
            assert oracle.is_valid(stars, lengths, no, 1)
            assert sum(stars) == oracle.fewest(lengths, list(range(n + 1)), no)


@settings(max_examples=300)
@given(
    st.text("ab c", min_size=1, max_size=11),
    st.integers(1, 4),
    st.integers(1, 5),
    st.integers(0, 3),
    st.booleans(),
    st.lists(st.integers(1, 10), max_size=4),
)
def test_fewest_with_every_option_is_the_minimum(text, k, min_run, price, keep, cuts):
    n, lengths = len(text), lengths_of(text, k)
    kept = [int(keep and letter == " ") for letter in text]
    tokens = [0, *sorted({c for c in cuts if c < n}), n]
    stars = run(
        lengths,
        tokens=np.array([*tokens, n + 1], np.int64),
        kept=np.array([*kept, 0], np.uint8),
        min_run=min_run,
        run_price=price,
    )
    assert oracle.is_valid(stars, lengths, kept, min_run)
    found = sum(stars) + price * oracle.runs_of_stars(stars, kept)
    assert found == oracle.fewest(lengths, tokens, kept, min_run, price)


@settings(max_examples=200)
@given(st.text("ab", max_size=12), st.integers(1, 4), st.integers(1, 4), st.integers(0, 2))
def test_symbols_and_single_symbol_tokens_agree_in_cost(text, k, min_run, price):
    n, lengths = len(text), lengths_of(text, k)
    options = {"min_run": min_run, "run_price": price}
    plain = run(lengths, **options)
    tokens = run(lengths, tokens=np.arange(n + 2, dtype=np.int64), **options)
    no = [0] * n
    assert sum(plain) + price * oracle.runs_of_stars(plain, no) == sum(
        tokens
    ) + price * oracle.runs_of_stars(tokens, no)


@settings(max_examples=300)
@given(st.text("abc", max_size=16), st.integers(1, 4), st.integers(1, 4))
def test_longest_first_is_algorithm_2(text, k, min_run):
    lengths = lengths_of(text, k)
    assert run(lengths, how="longest-first", min_run=min_run) == oracle.longest_first(
        lengths, min_run
    )


@settings(max_examples=200)
@given(st.text("ab", min_size=1, max_size=10), st.integers(1, 3), st.data())
def test_blocked_positions_are_starred_and_the_rest_is_the_minimum(text, k, data):
    n, lengths = len(text), lengths_of(text, k)
    blocked = data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    stars = run(lengths, blocked=np.array([*blocked, 0], np.uint8))
    assert all(star >= block for star, block in zip(stars, blocked, strict=True))
    best = min(
        sum(mask)
        for mask in oracle.masks(list(range(n + 1)), [0] * n)
        if oracle.is_valid(mask, lengths, [0] * n, 1)
        and all(m >= b for m, b in zip(mask, blocked, strict=True))
    )
    assert sum(stars) == best


def test_documents_are_covered_apart():
    lengths = np.array([1, 0, 1, 0], np.int32)  # "a", "a": twice the same document
    assert cover(lengths, np.array([1, 3], np.int64)).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("dtype", [np.int16, np.uint32, np.float64])
def test_other_dtypes_are_refused(dtype):
    with pytest.raises(TypeError):
        cover(np.zeros(3, dtype), np.array([2], np.int64))
    with pytest.raises(TypeError):
        cover(np.zeros(3, np.int32), np.array([2], np.int64), kept=np.zeros(3, dtype))


@pytest.mark.parametrize(
    "options",
    [
        {"ends": [3]},
        {"ends": [1, 1]},
        {"kept": [0]},
        {"blocked": [0] * 9},
        {"tokens": [0, 1]},
        {"tokens": [0, 3]},
    ],
)
def test_arrays_that_do_not_fit_are_refused(options):
    ends = np.array(options.pop("ends", [2]), np.int64)
    arrays = {
        name: np.array(value, np.int64 if name == "tokens" else np.uint8)
        for name, value in options.items()
    }
    with pytest.raises(ValueError):
        cover(np.zeros(3, np.int32), ends, **arrays)
