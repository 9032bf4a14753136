"""`sanitize` as people use it: long patterns, small and large alphabets, texts that repeat."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from oracles import patterns as oracle

pytestmark = pytest.mark.filterwarnings("ignore:no non-sensitive window")

ALPHABETS = st.sampled_from(["a", "ab", "abc", "abcdefghijklmnopqrst"])


@st.composite
def repeating(draw, alphabet):
    """A text of single letters, runs of one letter and copies of what stands already."""
    text = ""
    for _ in range(draw(st.integers(0, 12))):
        kind = draw(st.sampled_from(["letter", "run", "copy"]))
        if kind == "copy" and text:
            start = draw(st.integers(0, len(text) - 1))
            text += text[start : start + draw(st.integers(1, 20))]
        else:
            text += draw(st.sampled_from(alphabet)) * draw(
                st.integers(1, 20 if kind == "run" else 1)
            )
    return text


@st.composite
def cases(draw):
    alphabet = draw(ALPHABETS)
    text = draw(repeating(alphabet))
    k = draw(st.integers(1, 20))
    patterns = []
    for _ in range(draw(st.integers(1, 4))):
        size = k + draw(st.sampled_from([0, 0, 1, 4]))
        if len(text) >= size and draw(st.integers(0, 4)):
            start = draw(st.integers(0, len(text) - size))
            patterns.append(text[start : start + size])
        else:
            patterns.append(draw(st.text(alphabet, min_size=size, max_size=size)))
    return text, patterns


METHODS = st.sampled_from(["tfs", "pfs", "tm", "tpm", "tmi", "etfs", "ba", "ba-reverse"])
REPLACEMENTS = st.sampled_from(["hide-and-mine", "mcsr", "integer-program"])


def replay(text, changes):
    pieces, at = [], 0
    for change in changes:
        pieces += [text[at : change.start], change.replacement]
        at = change.stop
    return "".join(pieces) + text[at:]


def test_blocks_that_end_where_the_text_does():
    # The last piece is one symbol that overlaps by k-1: it once was taken for a block of its own.
    assert sf.sanitize("baaaab", ["aaaa"]).data == "baaab"
    patterns = ["baaab", "aaba", "abaa", "bbbb"]
    release = sf.sanitize("abbaabaabbababbbbbba", patterns, "pfs")
    assert release.data == "abbaab#baabbababbba"
    assert all(v.holds for v in sf.verify("abbaabaabbababbbbbba", release))


@settings(max_examples=500)
@given(cases(), METHODS, REPLACEMENTS, st.integers(1, 20), st.booleans())
def test_every_method_hides_and_verifies_or_says_that_it_cannot(
    case, method, replacement, tau, shuffle
):
    text, patterns = case
    k = min(map(len, patterns))
    options = {"tau": tau, "shuffle": shuffle}
    if method in ("tm", "tpm", "tmi"):
        options["replacement"] = replacement
    if method == "tmi":
        options |= {"rho": -0.5} if k > 2 else {"implausible": [text[:k].ljust(k, "a")]}
    try:
        release = sf.sanitize(text, patterns, method, **options)
    except sf.CannotBeMet:
        assert method in ("tm", "tpm", "tmi")
        return
    z, marked = release.data, oracle.marked(text, patterns, k)
    assert all(verdict.holds for verdict in sf.verify(text, release))
    assert not any(pattern in z for pattern in patterns)
    assert replay(text, release.changes) == z
    if len(text) >= k:
        assert release.loss["ghosts"] == len(oracle.ghosts(text, z, k, tau))
        assert release.loss["lost"] == len(oracle.lost(text, z, marked, k, tau))
    if method == "tfs":
        assert z == oracle.tfs(text, marked, k)
    if method == "pfs":
        blocks = [block for block in oracle.tfs(text, marked, k).split("#") if block]
        if len(blocks) < 6:
            assert len(z) == oracle.shortest_arrangement(blocks, k)


@settings(max_examples=200)
@given(cases(), METHODS.filter(lambda method: method != "tmi"))
def test_hidden_counts_the_occurrences_of_the_patterns(case, method):
    text, patterns = case
    try:
        release = sf.sanitize(text, [*patterns, patterns[0]], method)
    except sf.CannotBeMet:
        return
    distinct = set(patterns)
    expected = sum(text.startswith(one, i) for one in distinct for i in range(len(text)))
    assert release.counts["hidden"] == expected
    assert release.counts["patterns"] == len(distinct)
    assert release.counts["separators"] == release.data.count("#")
    absent = sum(one not in text for one in distinct)
    told = [one for one in release.warnings if "occur nowhere" in one]
    assert [f"input: {absent} of {len(distinct)};" in one for one in told] == [True] * bool(absent)


@settings(max_examples=150)
@given(st.lists(repeating("ab"), max_size=4), st.integers(1, 12), METHODS, st.booleans())
def test_collections_of_symbols_with_blanks_in_their_names(texts, k, method, keep_short):
    long = next((text for text in texts if len(text) >= k), "a" * k)
    pattern = [f"step {symbol}" for symbol in long[-k:]]
    sequences = [[f"step {symbol}" for symbol in text] for text in texts]
    options = {"implausible": [pattern]} if method == "tmi" else {}
    try:
        release = sf.sanitize(
            sequences, [pattern], method, collection=True, keep_short=keep_short, **options
        )
    except sf.CannotBeMet:
        return
    assert all(verdict.holds for verdict in sf.verify(sequences, release))
    for one in release.data:
        assert pattern not in [one[i : i + k] for i in range(len(one))]
