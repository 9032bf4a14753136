"""The reader of stars and the cover against it, compared with their definitions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import reader as oracle

from sfumato.kernels import reader as kernel
from sfumato.kernels.repeats import SuffixIndex

WORDS = ("a", "b", "c", "dd", "ee", "ff")
GUESSES = st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(1, 5), Fraction(3, 10)])


@st.composite
def readers(draw, most=5, documents=4, words=WORDS, breaks=True):
    token = st.sampled_from([*words, None] if breaks else words)
    texts = draw(st.lists(st.lists(token, max_size=most), min_size=1, max_size=documents))
    labels = draw(
        st.one_of(
            st.none(),
            st.just(list(range(len(texts)))),
            st.lists(st.integers(0, 2), min_size=len(texts), max_size=len(texts)),
        )
    )
    public = draw(st.lists(st.lists(token, max_size=most), max_size=2))
    return oracle.Reader(texts, labels, draw(GUESSES), draw(st.booleans()), public)


def arrays(documents):
    numbers = {word: i + 1 for i, word in enumerate(WORDS)} | {None: 0}
    codes = np.array([c for d in documents for c in (*map(numbers.get, d), 0)], np.uint32)
    ends = np.cumsum([len(d) + 1 for d in documents]) - 1
    sizes = np.array([n for d in documents for n in (*(len(t or "?") for t in d), 0)], np.int64)
    return codes, ends.astype(np.int64), sizes


def bits_of(reader):
    codes, ends, sizes = arrays([*reader.documents, *reader.public])
    return kernel.guessed(
        codes,
        ends,
        reader.guess,
        lengths=sizes.astype(np.uint32) if reader.lengths else None,
        labels=None if reader.labels is None else np.array(reader.labels, np.int32),
        judged=len(reader.documents),
    )


@settings(max_examples=400, deadline=None)
@given(readers())
def test_what_is_guessed(reader):
    bits = iter(bits_of(reader).tolist())
    for d, document in enumerate(reader.documents):
        for i, token in enumerate(document):
            here = next(bits)
            if token is None:
                assert here == 0
                continue
            assert bool(here & kernel.LEFT) == reader.in_left(d, i)
            assert bool(here & kernel.RIGHT) == reader.in_right(d, i)
            assert bool(here & kernel.BOTH) == reader.in_both(d, i)
            if i + 1 < len(document) and document[i + 1] is not None:
                left = not reader.in_left(d, i) and not reader.in_right(d, i + 1)
                assert bool(here & kernel.PAIR) == (left and reader.pair(d, i))
        next(bits)


def flat(flags):
    return np.array([f for d in flags for f in (*d, False)], np.uint8)


@settings(max_examples=400, deadline=None)
@given(readers(most=6), st.data())
def test_reading_through_and_that_more_stars_never_show_more(reader, data):
    _, ends, _ = arrays(reader.documents)
    one = [
        tuple(data.draw(st.booleans()) or token is None for token in document)
        for document in reader.documents
    ]
    more = [tuple(flag or data.draw(st.booleans()) for flag in flags) for flags in one]
    bits, left = bits_of(reader), []
    for stars in (one, more):
        expected = [reader.read(d, flags) for d, flags in enumerate(stars)]
        assert kernel.read_through(bits, ends, flat(stars)).tolist() == flat(expected).tolist()
        left.append(flat(expected))
    assert (left[0] <= left[1]).all()


def covered(reader, k, *, reach=None, starred=None):
    codes, ends, sizes = arrays(reader.documents)
    labels = None if reader.labels is None else np.array(reader.labels, np.int32)
    lengths = SuffixIndex(codes.astype(np.uint8)).repeat_lengths(
        k, labels=labels, ends=None if labels is None else ends
    )
    lengths = np.minimum(
        lengths, np.repeat(ends, np.diff(ends, prepend=-1)) - np.arange(len(codes))
    )
    lengths = lengths.astype(np.int32)
    if reach is not None:
        kernel.within_reach(lengths, ends, reach)
    breaks = np.array(
        [f for d in reader.documents for f in (*(t is None for t in d), False)], np.uint8
    )
    free = breaks if starred is None else breaks | flat(starred)
    stops = np.cumsum(sizes + 1)
    stars = kernel.cover(lengths, ends, bits_of(reader), (stops - sizes, stops), starred=free)
    return stars, int(sizes[(stars == 1) & (free == 0)].sum()), free


def split(reader, stars):
    found, at = [], 0
    for document in reader.documents:
        found.append(tuple(bool(f) for f in stars[at : at + len(document)]))
        at += len(document) + 1
    return found


@settings(max_examples=500, deadline=None)
@given(readers(most=6, documents=3), st.integers(1, 3), st.sampled_from([None, 1, 2, 3]))
def test_the_cover_is_least(reader, k, reach):
    stars, cost, _ = covered(reader, k, reach=reach)
    assert oracle.holds(reader, split(reader, stars), k, reach=reach)
    assert cost == oracle.least(reader, k, reach=reach)


@settings(max_examples=250, deadline=None)
@given(readers(most=5, documents=3), st.integers(1, 3), st.data())
def test_the_cover_beside_stars_that_stand_already(reader, k, data):
    starred = [tuple(data.draw(st.booleans()) for _ in document) for document in reader.documents]
    stars, cost, free = covered(reader, k, starred=starred)
    assert oracle.holds(reader, split(reader, stars | free), k)
    assert cost == oracle.least(reader, k, starred=starred)
