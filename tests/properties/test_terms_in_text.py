"""Finding terms in text, and starring them, against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import terms as oracle
from sfumato.kernels import terms as kernel

TERMS = st.lists(st.text("abc", min_size=1, max_size=4), min_size=1, max_size=6, unique=True)


def found(texts, terms, wordlike=None):
    text, ends = kernel.layout(texts)
    flags = None if wordlike is None else np.array([wordlike(chr(c)) for c in text], np.uint8)
    arrays = kernel.find_terms(kernel.Automaton.of(terms), text, ends, flags)
    return sorted(zip(*(array.tolist() for array in arrays), strict=True))


def is_letter(letter):
    return letter.isalpha()


def flags_of(is_one):
    flags = np.zeros(kernel.CODE_POINTS, np.uint8)
    flags[:128] = [is_one(chr(point)) for point in range(128)]
    return flags


def term_strings(terms, stars):
    symbols, ends = kernel.layout(terms)
    offsets = np.concatenate([[0], ends]).astype(np.int64)
    groups = np.arange(len(terms), dtype=np.uint32)
    return kernel.TermStrings(symbols, stars, offsets, groups, -1, 0)


@settings(max_examples=200)
@given(st.lists(st.text("abc -", max_size=12), max_size=3), TERMS, st.booleans())
def test_every_occurrence_is_found(texts, terms, whole_words):
    wordlike = is_letter if whole_words else None
    expected, shift = [], 0
    for text in texts:
        for start, stop, term in oracle.occurrences(text, terms, wordlike):
            expected.append((start + shift, stop + shift, terms.index(term)))
        shift += len(text)
    assert found(texts, terms, wordlike) == sorted(expected)


@settings(max_examples=200)
@given(
    st.text("abc -", max_size=14),
    TERMS,
    st.lists(st.text("abc", min_size=1, max_size=3), max_size=2, unique=True),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_marks_are_the_definition(text, terms, direct, whole_words, random):
    wordlike = is_letter if whole_words else None
    stars = [[random.random() < 0.5 for _ in term] for term in terms]
    published = {
        term: "".join("*" if star else a for a, star in zip(term, row, strict=True))
        for term, row in zip(terms, stars, strict=True)
    }
    flat = np.array([int(star) for row in stars for star in row], np.uint8)
    strings = term_strings(terms, flat)
    points, ends = kernel.layout([text])
    found = kernel.mark_terms(
        kernel.Automaton.of(terms),
        kernel.Automaton.of(direct) if direct else None,
        strings,
        points,
        ends,
        None if wordlike is None else flags_of(is_letter),
    )
    starts, stops, which, marks = found[:4]
    result = [
        "*" if mark in (kernel.OVERLAP, kernel.DIRECT, kernel.STARRED) else a
        for a, mark in zip(text, marks, strict=True)
    ]
    for start, stop, term in zip(starts, stops, which, strict=True):
        assert (marks[start:stop] == kernel.REPLACED).all()
        result[start:stop] = published[terms[term]]
    assert "".join(result) == oracle.redact(text, published, direct, wordlike)
    assert not oracle.occurrences(result, direct, wordlike)
    for start, stop, _ in oracle.occurrences(result, terms, wordlike):
        assert any(a <= start and stop <= b for a, b in zip(starts, stops, strict=True))


def test_overlapping_terms_leave_none_in_clear():
    assert oracle.redact("abcd", {"abc": "*bc", "bcd": "bc*"}) == "*bc*"


def test_neighbouring_patterns_that_spell_a_term_are_starred():
    assert oracle.redact("xabcdy", {"xab": "*ab", "cdy": "cd*", "abcd": "ab**"}) == "*ab***"


@pytest.mark.parametrize("letters", ["\ud800\udc00", "e\u0301a", "𝒳𝒴𝒵", "\x00a", "東京都"])
def test_any_code_point_can_be_in_a_term(letters):
    terms = [letters, letters[0]]
    text = letters + "-" + letters
    expected = [(s, e, terms.index(t)) for s, e, t in oracle.occurrences(text, terms, None)]
    assert found([text], terms) == sorted(expected)


def test_no_terms_find_nothing():
    assert found(["abc"], []) == []


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.int64, np.float64])
def test_other_dtypes_are_refused(dtype):
    automaton = kernel.Automaton.of(["ab"])
    with pytest.raises(TypeError):
        kernel.find_terms(automaton, np.zeros(3, dtype), np.array([3], np.int64))
    with pytest.raises(TypeError):
        kernel.find_terms(automaton, np.zeros(3, np.uint32), np.array([3], np.uint32))
    if dtype != np.uint8:
        with pytest.raises(TypeError):
            kernel.find_terms(
                automaton, np.zeros(3, np.uint32), np.array([3], np.int64), np.zeros(3, dtype)
            )


def test_an_automaton_with_broken_links_is_refused():
    good = kernel.Automaton.of(["ab", "b"])
    for name in ("first", "fail", "suffix", "term"):
        arrays = {n: getattr(good, n).copy() for n in ("first", "code", "fail", "suffix", "term")}
        arrays[name][1] = 77
        with pytest.raises(ValueError):
            kernel.Automaton(**arrays, lengths=good.lengths, alphabet=good.alphabet)


def test_blocked_places_are_flags_of_bytes_one_for_every_character():
    text, ends = kernel.layout(["abcd"])
    strings = term_strings(["bc"], np.zeros(2, np.uint8))
    terms = kernel.Automaton.of(["bc"])
    blocked = np.array([0, 1, 0, 0], np.uint8)
    found = kernel.mark_terms(terms, None, strings, text, ends, blocked=blocked)
    assert found.starts.size == 0  # what is left of the term is starred as well
    assert found.marks.tolist() == [0, kernel.DIRECT, kernel.OVERLAP, 0]
    with pytest.raises(TypeError):
        kernel.mark_terms(terms, None, strings, text, ends, blocked=blocked.astype(np.int64))
    with pytest.raises(ValueError):
        kernel.mark_terms(terms, None, strings, text, ends, blocked=blocked[:3])


def test_strings_of_other_terms_are_refused():
    text, ends = kernel.layout(["abcd"])
    other = term_strings(["bcd"], np.zeros(3, np.uint8))
    with pytest.raises(ValueError):
        kernel.mark_terms(kernel.Automaton.of(["bc"]), None, other, text, ends)
    with pytest.raises(ValueError):
        term_strings(["bc"], np.zeros(3, np.uint8))
