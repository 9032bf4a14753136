"""Patterns and groups of terms against their definitions."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from oracles import terms as oracle
from sfumato.kernels import terms as kernel


def columns_of(terms):
    """The codes of terms of one length, position by position."""
    length = len(terms[0])
    alphabet = sorted({letter for term in terms for letter in term})
    codes = [[alphabet.index(letter) for letter in term] for term in terms]
    return np.ascontiguousarray(np.array(codes, np.uint16).reshape(-1, length).T), len(alphabet)


def shown(term, kept):
    return "".join(a if keep else "*" for a, keep in zip(term, kept, strict=True))


def lists(letters="ab", longest=5, most=12, least=1):
    return st.integers(1, longest).flatmap(
        lambda length: st.lists(
            st.text(letters, min_size=length, max_size=length),
            min_size=min(least, len(letters) ** length),
            max_size=most,
            unique=True,
        )
    )


def check_list(terms, k):
    columns, alphabet = columns_of(terms)
    kept, matches = kernel.best_patterns(columns, alphabet, k)
    for row, term in enumerate(terms):
        counts = kernel.pattern_matches(columns, columns[:, row].copy())
        for bits, count in enumerate(counts):
            stars = [i for i in range(len(term)) if not bits >> (len(term) - 1 - i) & 1]
            assert count == oracle.matches(oracle.starred(term, stars), terms)
        pattern = shown(term, kept[row])
        assert pattern == oracle.publish_matching(term, terms, k)
        assert matches[row] == oracle.matches(pattern, terms)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_every_list_of_two_letter_terms(k):
    everything = ["".join(letters) for letters in product("ab", repeat=2)]
    for size in range(1, 5):
        for terms in combinations(everything, size):
            check_list(list(terms), k)


@pytest.mark.parametrize("k", [2, 3])
def test_every_list_of_five_three_letter_terms(k):
    everything = ["".join(letters) for letters in product("ab", repeat=3)]
    for terms in combinations(everything, 5):
        check_list(list(terms), k)


@settings(max_examples=200)
@given(lists("abc", 6, 15), st.integers(1, 5))
def test_patterns_are_the_definition(terms, k):
    check_list(terms, k)


@settings(max_examples=200)
@given(lists("abc", 5, 9, least=2), st.integers(1, 4))
def test_groups_hold_k_and_have_the_fewest_stars(terms, k):
    k = min(k, len(terms))
    columns, alphabet = columns_of(terms)
    kept, _ = kernel.best_patterns(columns, alphabet, k)
    least = (kept == 0).sum(1).astype(np.uint32)
    grouped = kernel.group_terms(columns, alphabet, k, least)
    published = [shown(term, row) for term, row in zip(terms, grouped, strict=True)]
    assert all(published.count(one) >= k for one in published)
    stars = sum(one.count("*") for one in published)
    assert least.sum() <= stars == oracle.fewest_stars(terms, k)  # of up to 16 terms
    assert np.array_equal(grouped, kernel.group_terms(columns, alphabet, k, least))


def test_four_terms_need_four_stars():
    words = sf.TermDictionary(["aa", "ba", "bb", "cb"])
    assert [words.publish(term, 2) for term in words.terms] == ["*a", "*a", "*b", "*b"]


def test_groups_of_larger_lists_are_regrouped_exactly_some_at_a_time():
    """Two lists whose terms differ in every place from the other's: the optima add up.

    Measured: 1.03 times these, 1.06 without.
    """
    random = np.random.default_rng(1)
    for k in (2, 3):
        near = sorted({"".join(random.choice(list("abc"), 4)) for _ in range(11)})
        far = [term.translate(str.maketrans("abc", "xyz")) for term in near]
        terms = [*near, *far]
        columns, alphabet = columns_of(terms)
        kept, _ = kernel.best_patterns(columns, alphabet, k)
        least = (kept == 0).sum(1).astype(np.uint32)
        stars = int((kernel.group_terms(columns, alphabet, k, least) == 0).sum())
        before = int((kernel.group_terms(columns, alphabet, k, least, False) == 0).sum())
        fewest = 2 * oracle.fewest_stars(near, k)
        assert fewest <= stars <= min(before, 1.06 * fewest)


def test_groups_without_the_exact_step_are_those_of_version_0_1():
    """Measured: 1.036 times the optimum over these lists; a worse heuristic fails here."""
    random = np.random.default_rng(0)
    found = best = 0
    for _ in range(100):
        terms = sorted({"".join(random.choice(list("abc"), 4)) for _ in range(10)})
        columns, alphabet = columns_of(terms)
        k = int(random.integers(2, 4))
        kept, _ = kernel.best_patterns(columns, alphabet, k)
        least = (kept == 0).sum(1).astype(np.uint32)
        found += int((kernel.group_terms(columns, alphabet, k, least, False) == 0).sum())
        best += oracle.fewest_stars(terms, k)
    assert best <= found <= 1.05 * best


@settings(max_examples=100)
@given(st.lists(st.text("ab", min_size=40, max_size=40), min_size=2, max_size=6, unique=True))
def test_long_terms_take_no_exponential_time(terms):
    columns, alphabet = columns_of(terms)
    kept, matches = kernel.best_patterns(columns, alphabet, 2)
    for row, term in enumerate(terms):
        distance = min(
            sum(a != b for a, b in zip(term, other, strict=True))
            for other in terms
            if other != term
        )
        assert (kept[row] == 0).sum() == distance
        assert matches[row] == oracle.matches(shown(term, kept[row]), terms)


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.int64, np.float64])
def test_other_dtypes_are_refused(dtype):
    columns = np.zeros((2, 3), dtype)
    with pytest.raises(TypeError):
        kernel.pattern_matches(columns, np.zeros(2, dtype))
    with pytest.raises(TypeError):
        kernel.best_patterns(columns, 5, 2)
    with pytest.raises(TypeError):
        kernel.group_terms(columns, 5, 2, np.zeros(3, np.uint32))
    with pytest.raises(TypeError):
        kernel.group_terms(np.zeros((2, 3), np.uint16), 5, 2, np.zeros(3, dtype))


def test_arrays_that_do_not_fit_are_refused():
    columns = np.full((2, 3), 7, np.uint16)
    with pytest.raises(ValueError):
        kernel.best_patterns(columns, 7, 2)
    with pytest.raises(ValueError):
        kernel.pattern_matches(columns, np.zeros(3, np.uint16))
    with pytest.raises(ValueError):
        kernel.group_terms(columns, 8, 4, np.zeros(3, np.uint32))
    with pytest.raises(ValueError):
        kernel.group_terms(columns, 8, 2, np.zeros(2, np.uint32))
