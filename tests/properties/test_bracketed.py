"""Placeholders and intervals are words with their brackets: by a regular expression, in the method
and in verification."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.kernels import checks, text

# At most 40 symbols with the brackets.
WHOLE = re.compile(r"\[(?:[A-Z][A-Z0-9_]*\]|[0-9.-]*[0-9]-[0-9][0-9.-]*[\])])")
PIECES = ["[", "]", ")", "A", "B_", "7", "36", "-", ".", " ", "é", "[PERSON]", "[24-36]", "x" * 20]
TEXTS = st.lists(st.sampled_from([*PIECES, "A" * 19, "1" * 18]), max_size=14).map("".join)


def words_of(one: str) -> list[tuple[int, int]]:
    """Words with a letter or a number, those in brackets whole."""
    whole, at = [], 0
    while found := WHOLE.search(one, at):
        short = found.end() - found.start() <= 40
        whole += [found.span()] if short else []
        at = found.end() if short else found.start() + 1
    inside = {i for start, stop in whole for i in range(start + 1, stop)}
    edges = [edge for edge in text.boundaries(one, "word").tolist() if edge not in inside]
    return [(a, b) for a, b in pairwise(edges) if any(c.isalnum() for c in one[a:b])]


@given(TEXTS)
def test_they_are_words_for_the_method_and_for_verification(one):
    tokens = text.token_starts([one], "token")
    spans = pairwise(tokens.starts.tolist())
    pairs = zip(spans, tokens.words.tolist(), strict=True)
    assert [span for span, is_word in pairs if is_word] == words_of(one)
    laid = checks.lay_words([one], [one], "★")
    ours = [(a, b) for a, b in zip(laid.starts.tolist(), laid.stops.tolist(), strict=True) if b > a]
    assert ours == words_of(one)


@pytest.mark.filterwarnings("ignore")
@given(st.lists(TEXTS, min_size=3, max_size=6), st.integers(1, 3), st.booleans())
def test_none_is_starred_by_half(texts, k, strict):
    release = sf.suppress(texts, k=k, strict=strict)
    assert all(verdict.holds for verdict in sf.verify(texts, release))
    for before, after in zip(texts, release.data, strict=True):
        for start, stop in words_of(before):
            assert after[start:stop] in (before[start:stop], "★" * (stop - start))
