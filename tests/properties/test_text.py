"""Codes, tokens, masks and runs equal their definitions, on real Unicode of all widths."""

from __future__ import annotations

import sys
from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import text as oracle
from sfumato.kernels import text

# At least one symbol of every class of word break and grapheme break, of all three widths.
LATIN = "ab1_.,:'\" \r\n\x85\xad\xe9"
WIDE = (
    "\u05d0\u05d1\u2019\u30ab\u30fc\u3042\u6f22\u0301\u200d\u2060\u2764\u24c2\u3000\u2003"
    "\ud55c\ud558\u1112\u1161\u11ab\u0903\u0600\ufe0f\u0661\ud800\udfff"
)
ASTRAL = "\U0001f600\U0001f468\U0001f1eb\U0001f1f7\U0001f3fd\U00020000\U0010ffff"
UNITS = st.sampled_from(["word", "grapheme"])

document = st.one_of(
    st.text("ab ", max_size=8),
    st.text(LATIN, max_size=12),
    st.text(LATIN + WIDE, max_size=12),
    st.text(WIDE + ASTRAL, max_size=12),
    st.text(max_size=6),
)
corpus = st.lists(document, max_size=5)
many = settings(max_examples=200)


@st.composite
def counted(draw):
    """Texts with what may be counted and left out."""
    texts = draw(corpus)
    labels = draw(st.none() | st.just([draw(st.integers(-2, 2)) for _ in texts]))
    breaks = draw(st.sampled_from(["", "a", "b★\U0001f600"]))
    return texts, draw(st.integers(1, 4)), labels, breaks


@st.composite
def starred(draw):
    texts = draw(corpus)
    n = sum(map(len, texts)) + len(texts)
    return texts, draw(st.lists(st.sampled_from([0, 0, 1, 255]), min_size=n, max_size=n))


def as_array(labels):
    return None if labels is None else np.array(labels, np.int32)


@many
@given(counted())
def test_codes(case):
    texts, at_least, labels, breaks = case
    encoded = text.encode(texts, at_least=at_least, labels=as_array(labels), breaks=breaks)
    codes, symbols = oracle.encode(texts, at_least, labels, breaks)
    assert encoded.codes.tolist() == codes
    assert encoded.ends.tolist() == oracle.ends(texts)
    assert encoded.symbols == symbols
    assert encoded.codes.dtype == np.uint8


@many
@given(corpus, UNITS)
def test_tokens(texts, unit):
    tokens = text.token_starts(texts, unit)
    starts, words = oracle.tokens(texts, unit)
    assert tokens.starts.tolist() == starts
    assert tokens.words.tolist() == words


@many
@given(document, UNITS)
def test_boundaries_of_the_standard(one, unit):
    assert text.boundaries(one, unit).tolist() == oracle.boundaries(one, unit)


def test_boundaries_of_all_short_strings_of_classes():
    for unit in ("word", "grapheme"):
        kinds = {oracle.classes(s, unit): s for s in LATIN + WIDE + ASTRAL}
        for size in (1, 2, 3):
            for symbols in product(kinds.values(), repeat=size):
                one = "".join(symbols)
                assert text.boundaries(one, unit).tolist() == oracle.boundaries(one, unit)


def test_the_samples_have_every_class():
    for unit, letters in (("word", oracle.WORD_LETTERS), ("grapheme", oracle.GRAPHEME_LETTERS)):
        assert set(letters) <= set(oracle.classes(LATIN + WIDE + ASTRAL, unit))


@many
@given(counted(), UNITS, st.booleans())
def test_numbered_tokens(case, unit, only_words):
    texts, at_least, labels, breaks = case
    tokens = text.token_starts(texts, unit)
    numbered = text.number_tokens(
        texts,
        tokens,
        only_words=only_words,
        at_least=at_least,
        labels=as_array(labels),
        breaks=breaks,
    )
    codes, positions, counts = oracle.number_tokens(
        texts, unit, only_words, at_least, labels, breaks
    )
    assert numbered.codes.tolist() == codes
    assert numbered.positions.tolist() == positions
    assert numbered.counts.tolist() == counts
    assert numbered.symbols == len(counts)
    assert numbered.ends.tolist() == [i for i, p in enumerate(positions) if p == -1]


@many
@given(starred(), st.sampled_from(["*", "★", "\xb7", "\U0001f600", "[x]", "ab★"]), st.booleans())
def test_masked_texts(case, mask, collapse):
    texts, stars = case
    masked = text.mask_texts(texts, np.array(stars, np.uint8), mask, collapse)
    assert masked == oracle.mask_texts(texts, stars, mask, collapse)
    flags = np.array(stars, np.uint8) != 0
    assert text.mask_texts(texts, flags, mask, collapse) == masked
    runs = oracle.star_runs(stars, oracle.ends(texts))
    for d, (before, after) in enumerate(zip(texts, masked, strict=True)):
        if any(run[0] == d for run in runs):
            # as narrow as CPython itself makes it
            assert sys.getsizeof(after) == sys.getsizeof("".join([*after]))
        else:
            assert after is before


@many
@given(starred())
def test_runs_of_stars(case):
    texts, stars = case
    runs = text.star_runs(np.array(stars, np.uint8), np.array(oracle.ends(texts), np.int64))
    found = list(zip(*(column.tolist() for column in runs), strict=True))
    assert found == oracle.star_runs(stars, oracle.ends(texts))


@many
@given(corpus, st.text(LATIN + WIDE + ASTRAL, max_size=5))
def test_visible_symbols(texts, keep):
    marks = [int(s is not None and s in keep) for s in oracle.layout(texts)]
    assert text.visible_symbols(texts, keep).tolist() == marks
