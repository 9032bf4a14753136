"""The rate of guessed stars equals its definition."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import text as oracle
from sfumato.kernels.text import guess_rate

code = st.sampled_from([1, 2, 1, 2, 1, 2, 3, 0])
flag = st.sampled_from([0, 0, 0, 1])


@settings(max_examples=200)
@given(
    st.lists(st.tuples(code, flag), min_size=20, max_size=60),
    st.integers(0, 5),
    st.integers(1, 30),
    st.integers(0, 2**64 - 1),
    st.sampled_from([np.uint8, np.uint16, np.uint32]),
)
def test_guess_rate(release, context, sample, seed, dtype):
    codes, stars = [code for code, _ in release], [star for _, star in release]
    rate = guess_rate(
        np.array(codes, dtype), np.array(stars, np.uint8), context=context, sample=sample, seed=seed
    )
    assert rate == oracle.guess_rate(codes, stars, context, sample, seed)


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(2, 300), st.floats(0.02, 0.9), st.integers(1, 5))
def test_guess_rate_on_longer_texts(seed, symbols, share, context):
    """Repetitive enough for deep contexts, long enough for big and small slices."""
    random = np.random.default_rng(seed)
    words = [random.integers(0, symbols, random.integers(1, 9)) for _ in range(6)]
    codes = np.concatenate([words[i] for i in random.integers(0, len(words), 120)])
    codes = codes.astype(np.uint16)
    stars = (random.random(len(codes)) < share).astype(np.uint8)
    stars[: len(codes) // 4] &= random.random(len(codes) // 4) < 0.2
    rate = guess_rate(codes, stars, context=context, sample=10**6)
    assert rate == oracle.guess_rate(codes.tolist(), stars.tolist(), context, 10**6, 0)


def test_same_seed_same_rate():
    random = np.random.default_rng(1)
    codes = random.integers(1, 5, 5000).astype(np.uint8)
    stars = (random.random(5000) < 0.3).astype(np.uint8)
    rates = {guess_rate(codes, stars, sample=50, seed=seed) for seed in (7, 7, 7)}
    assert len(rates) == 1
    assert len({guess_rate(codes, stars, sample=50, seed=seed) for seed in range(20)}) > 1


def test_without_stars_or_without_anything_visible_nothing_is_guessed():
    codes = np.array([1, 2, 0, 1, 0], np.uint8)
    assert guess_rate(codes[:0], codes[:0]) == 0
    assert guess_rate(codes, np.zeros(5, np.uint8)) == 0
    assert guess_rate(codes, np.array([1, 1, 0, 1, 0], np.uint8)) == 0
