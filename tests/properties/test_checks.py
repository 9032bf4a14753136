"""The checks against their definitions, and on planted violations."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import checks as oracle
from sfumato.kernels import checks

# One alphabet for each width of CPython's strings, and all of them mixed.
ALPHABETS = ("ab", "äb", "é€", "月日", "😀a", "a€😀")
MASK = "*"
MASKS = ("*", "★", "🟥")


def spans(found: list[oracle.Stretch]) -> checks.Spans:
    columns = np.array(found, dtype=np.int64).reshape(-1, 3)
    return (
        columns[:, 0].astype(np.int32),
        np.ascontiguousarray(columns[:, 1]),
        np.ascontiguousarray(columns[:, 2]),
    )


def listed(compared: checks.LegibleStretches) -> list[oracle.Stretch]:
    columns = compared.documents.tolist(), compared.starts.tolist(), compared.stops.tolist()
    return list(zip(*columns, strict=True))


def as_labels(labels: list[int] | None) -> np.ndarray | None:
    return None if labels is None else np.array(labels, dtype=np.int32)


def counted(
    reference: list[str],
    queries: list[str],
    found: list[oracle.Stretch],
    k: int,
    labels: list[int] | None = None,
    **options: object,
) -> tuple[int, int, int, int]:
    result = checks.count_stretches(
        reference, *spans(found), queries, k, labels=as_labels(labels), **options
    )
    return result.smallest, result.first, result.failures, result.checked


def numbered(texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """The texts as tokens: far apart, negative and positive."""
    tokens = [(ord(symbol) - 98) * 2**40 for text in texts for symbol in text]
    ends = list(itertools.accumulate(len(text) for text in texts))
    return np.array(tokens, dtype=np.int64), np.array(ends, dtype=np.int64)


@st.composite
def collections(draw: st.DrawFn) -> tuple[list[str], list[int] | None]:
    alphabet = draw(st.sampled_from(ALPHABETS))
    texts = draw(st.lists(st.text(alphabet, max_size=14), max_size=5))
    labels = st.lists(st.integers(-2, 2), min_size=len(texts), max_size=len(texts))
    return texts, draw(st.none() | labels)


@st.composite
def questions(draw: st.DrawFn) -> tuple[list[str], list[str], list[oracle.Stretch]]:
    """A reference, queries and any stretches of the queries, equal and overlapping ones too."""
    alphabet = draw(st.sampled_from(ALPHABETS))
    texts = st.lists(st.text(alphabet, max_size=14), max_size=5)
    reference, queries = draw(texts), draw(texts)
    every = [
        (d, i, j)
        for d, query in enumerate(queries)
        for i, j in itertools.combinations(range(len(query) + 1), 2)
    ]
    chosen = draw(st.lists(st.sampled_from(every), max_size=12)) if every else []
    return reference, queries, chosen


@settings(max_examples=200)
@given(questions(), st.integers(1, 6), st.data())
def test_counts(question, k, data):
    reference, queries, found = question
    size = len(reference)
    labels = data.draw(st.none() | st.lists(st.integers(-2, 2), min_size=size, max_size=size))
    expected = oracle.counted(reference, queries, found, k, labels)
    for at_once, part_size in itertools.product((1, 7, checks.AT_ONCE), (1, 5, checks.PART_SIZE)):
        sizes = {"at_once": at_once, "part_size": part_size}
        assert counted(reference, queries, found, k, labels, **sizes) == expected
    tokens = checks.count_sequences(
        *numbered(reference), *spans(found), *numbered(queries), k, labels=as_labels(labels)
    )
    assert (tokens.smallest, tokens.first, tokens.failures, tokens.checked) == expected


@settings(max_examples=200)
@given(questions(), questions(), st.integers(1, 4), st.sampled_from(["", "a", "b", "日€"]))
def test_counts_within_stretches_and_without_breaks(question, other, k, breaks):
    _, queries, found = question
    _, pieces, within = other
    labels = list(range(len(pieces)))
    inside = [pieces[d][i:j] for d, i, j in within]
    asked = [queries[d][i:j] for d, i, j in found]
    for some in (None, labels):
        of_pieces = None if some is None else [some[d] for d, _, _ in within]
        broken = [len(set(stretch) & set(breaks)) > 0 for stretch in asked]
        counts = [
            0 if bad else oracle.count(inside, stretch, of_pieces)
            for stretch, bad in zip(asked, broken, strict=True)
        ]
        result = counted(pieces, queries, found, k, some, within=spans(within), breaks=breaks)
        assert result[0] == min([k, *counts])
        assert result[2] == sum(number < k for number in counts)


@settings(max_examples=100)
@given(collections(), st.integers(1, 4), st.sampled_from(MASKS))
def test_an_honest_release_is_accepted_and_a_star_taken_away_is_judged(collection, k, mask):
    texts, labels = collection
    releases = oracle.suppress(texts, k, mask, labels)
    compared = checks.compare_masked(texts, releases, mask)
    assert compared.first_difference is None
    assert compared.masked == sum(release.count(mask) for release in releases)
    assert listed(compared) == oracle.stretches(releases, mask)
    assert counted(texts, releases, listed(compared), k, labels)[:3] == (k, -1, 0)
    for document, release in enumerate(releases):
        for p in [p for p, symbol in enumerate(release) if symbol == mask]:
            bare = [*releases]
            bare[document] = release[:p] + texts[document][p] + release[p + 1 :]
            found = listed(checks.compare_masked(texts, bare, mask))
            expected = oracle.counted(texts, bare, found, k, labels)
            assert counted(texts, bare, found, k, labels) == expected
            assert expected[2] > 0  # the oracle's stars are the fewest: each of them matters
            assert found[expected[1]][0] == document
            assert found[expected[1]][1] <= p < found[expected[1]][2]


@settings(max_examples=100)
@given(collections(), st.integers(2, 3), st.data())
def test_a_star_more_than_needed_may_be_taken_away(collection, k, data):
    texts, labels = collection
    releases = oracle.suppress(texts, k, MASK, labels)
    legible = [
        (d, p)
        for d, release in enumerate(releases)
        for p, symbol in enumerate(release)
        if symbol != MASK
    ]
    for d, p in data.draw(st.lists(st.sampled_from(legible), max_size=3)) if legible else []:
        starred = [*releases]
        starred[d] = releases[d][:p] + MASK + releases[d][p + 1 :]
        compared = checks.compare_masked(texts, starred, MASK)
        assert counted(texts, starred, listed(compared), k, labels)[:3] == (k, -1, 0)
    compared = checks.compare_masked(texts, releases, MASK)
    assert counted(texts, releases, listed(compared), k, labels)[:3] == (k, -1, 0)


def test_every_release_of_every_short_binary_text():
    verdicts = []
    for size in range(7):
        for text in map("".join, itertools.product("ab", repeat=size)):
            for shown in itertools.product((False, True), repeat=size):
                release = "".join(s if keep else MASK for s, keep in zip(text, shown, strict=True))
                found = oracle.stretches([release], MASK)
                assert listed(checks.compare_masked([text], [release], MASK)) == found
                for k in (1, 2, 3):
                    expected = oracle.counted([text], [release], found, k)
                    assert counted([text], [release], found, k) == expected
                    strict = oracle.counted([release], [release], found, k)
                    assert counted([release], [release], found, k, breaks=MASK) == strict
                    verdicts.append(expected[2] == 0)
    assert len(set(verdicts)) == 2


@settings(max_examples=200)
@given(
    st.lists(st.text("a€😀*", max_size=8), max_size=4),
    st.lists(st.text("a€😀*", max_size=8), max_size=4),
    st.data(),
)
def test_differences(originals, others, data):
    releases = data.draw(
        st.just(others)
        | st.tuples(
            *(
                st.tuples(*(st.sampled_from([symbol, MASK]) for symbol in text)).map("".join)
                for text in originals
            )
        ).map(list)
    )
    compared = checks.compare_masked(originals, releases, MASK)
    assert compared.first_difference == oracle.first_difference(originals, releases, MASK)
    assert listed(compared) == oracle.stretches(releases, MASK)


@settings(max_examples=200)
@given(
    st.text("ab", max_size=9) | st.text("a😀", max_size=9),
    st.text("ab*", max_size=7) | st.text("a😀*", max_size=7),
    st.sampled_from(["*", "★", "[€]", "🟥-"]),
)
def test_alignment_is_decided_exactly(original, pattern, mask):
    release = pattern.replace("*", mask)
    for collapsed in (True, False):
        compared = checks.align_collapsed([original], [release], mask, collapsed=collapsed)
        possible = oracle.can_become(original, release.split(mask), collapsed)
        assert (compared.first_difference is None) == possible
        assert listed(compared) == oracle.stretches([release], mask)
        if possible:
            assert compared.masked == len(original) - len(pattern.replace("*", ""))


def test_every_short_alignment():
    verdicts = []
    for size in range(6):
        for original in map("".join, itertools.product("ab", repeat=size)):
            for length in range(5):
                for release in map("".join, itertools.product("ab*", repeat=length)):
                    for collapsed in (True, False):
                        compared = checks.align_collapsed(
                            [original], [release], "*", collapsed=collapsed
                        )
                        expected = oracle.can_become(original, release.split("*"), collapsed)
                        assert (compared.first_difference is None) == expected
                        verdicts.append(expected)
    assert len(set(verdicts)) == 2


@settings(max_examples=200)
@given(questions(), st.sampled_from(["", "a", "b", "a€", "月日", "😀é"]))
def test_kept_symbols_are_stripped(question, keep):
    _, texts, found = question
    expected = []
    for d, i, j in found:
        stretch = texts[d][i:j]
        stripped = stretch.strip(keep) if keep else stretch
        if stripped:
            start = i + len(stretch) - len(stretch.lstrip(keep) if keep else stretch)
            expected.append((d, start, start + len(stripped)))
    columns = [array.tolist() for array in checks.strip_kept(texts, *spans(found), keep)]
    assert list(zip(*columns, strict=True)) == expected


@pytest.mark.parametrize("k", [1, 2, 5, 300])
@pytest.mark.parametrize("symbol", ["a", "é", "月", "😀"])
def test_one_symbol_repeated(symbol, k):
    n = 2000
    text = symbol * n
    longest = n - k + 1
    assert counted([text], [text], [(0, 0, longest)], k) == (k, -1, 0, 1)
    found = [(0, 0, length) for length in range(longest - 20, longest + 1)]
    assert counted([text], [text], found, k)[2] == 0
    if k > 1:
        assert counted([text], [text], [*found, (0, 0, longest + 1)], k) == (k - 1, 21, 1, 22)


def test_copies_of_one_document():
    document = "the same words again and again, " * 3
    texts = [document] * 50
    labels = list(range(50))
    found = [(d, 0, len(document)) for d in range(50)]
    assert counted(texts, texts, found, 50, labels) == (50, -1, 0, 50)
    assert counted(texts, texts, found, 51, labels) == (50, 0, 50, 50)
    assert counted(texts, texts, found, 2, [7] * 50) == (1, 0, 50, 50)


def test_repetitive_texts():
    a, b = "a", "ab"
    while len(b) < 600:
        a, b = b, b + a
    long_ago = b[:40] + "c" + b[:300]
    texts = [b, long_ago]
    found = [(1, i, j) for i in range(0, 341, 17) for j in range(i + 1, 342, 23)]
    for k in (2, 3, 9):
        for labels in (None, [0, 1], [3, 3]):
            expected = oracle.counted(texts, texts, found, k, labels)
            for part_size in (1, 10, 130, 500, checks.PART_SIZE):
                assert counted(texts, texts, found, k, labels, part_size=part_size) == expected


@pytest.mark.parametrize("part_size", [1, 100, 128, 256, 700, checks.PART_SIZE])
def test_every_occurrence_counts_once_however_the_reference_is_read(part_size):
    """A count of exactly c is enough for k = c and not for k = c + 1."""
    text = "ab" * 400 + "abc" * 300
    texts = [text, "c" + text[:333]]
    found = [(0, i, i + length) for length in (1, 2, 3, 5, 260) for i in range(3)]
    for stretch in found:
        exact = oracle.count(texts, text[slice(*stretch[1:])])
        for k in (exact, exact + 1):
            expected = oracle.counted(texts, texts, [stretch], k)
            assert counted(texts, texts, [stretch], k, part_size=part_size) == expected


@given(st.sampled_from(ALPHABETS), st.integers(1, 50), st.integers(1, 4000), st.data())
@settings(max_examples=300)
def test_passes_within_an_allowance_count_what_one_pass_counts(alphabet, k, memory, data):
    documents = data.draw(st.lists(st.text(alphabet, max_size=12), min_size=1, max_size=30))
    found = [
        (i, start, stop)
        for i, text in enumerate(documents)
        for start in range(0, len(text), 3)
        for stop in range(start + 1, len(text) + 1, 4)
    ]
    labels = data.draw(
        st.none() | st.lists(st.integers(0, 9), min_size=len(documents), max_size=len(documents))
    )
    expected = counted(documents, documents, found, k, labels)
    assert counted(documents, documents, found, k, labels, memory=memory) == expected
    tokens, ends = numbered(documents)
    sequences = checks.count_sequences(
        tokens, ends, *spans(found), tokens, ends, k, labels=as_labels(labels), memory=memory
    )
    assert (sequences.smallest, sequences.first, sequences.failures, sequences.checked) == expected


def test_a_rare_stretch_is_found_in_whichever_pass_it_is_counted():
    documents = [f"{'calm ' * 20}{chr(0x4E00 + i) * 9}" for i in range(200)]
    found = [(i, 0, 100) for i in range(200)] + [(150, 100, 109), (199, 100, 109)]
    labels = list(range(200))
    for memory in (1, 10_000, 10**9):
        assert counted(documents, documents, found, 2, labels, memory=memory) == (1, 200, 2, 202)
