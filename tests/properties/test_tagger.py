"""The compiled tagger against its definition: tokens, features, Viterbi, training."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import tagger as oracle
from sfumato.kernels import tagger

SYMBOLS = "abA Bs'’.,!-\n0 9@éÉßΣ́漢字😀\x00\ud800İ"
WORDS = [
    "Ann",
    "ann",
    "ANN",
    "Arbor",
    "of",
    "in",
    ".",
    ",",
    "\n",
    "\n\n",
    "'s",
    "O'Brien",
    "12",
    "(",
    "St",
]
PHRASES = {"ann": 1, "ann arbor": 4, "Ann Arbor of": 2, "st": 256, "of": 1 << 14, "é": 8}
texts = st.one_of(
    st.text(SYMBOLS, max_size=30),
    st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=10).map("".join),
)


def packed(table: dict[int, dict[int, int]], between: np.ndarray, types: int) -> tagger.Weights:
    """Weights by feature and label as the arrays of the kernel."""
    starts = np.zeros((1 << 17) + 1, np.uint32)
    checks, firsts, weights = [], [0], []
    for key in sorted(table):
        starts[(key >> 16) + 1] += 1
        checks.append(key & 0xFFFF)
        for y, value in sorted(table[key].items()):
            weights.append(y | value % 256 << 8)
        firsts.append(len(weights))
    arrays = (
        np.cumsum(starts).astype(np.uint32),
        np.array(checks, np.uint16),
        np.array(firsts, np.uint32),
        np.array(weights, np.uint16),
        between,
    )
    return tagger.Weights(types, dict(zip(tagger.Weights.NAMES, arrays, strict=True)))


def steps(between: np.ndarray, labels: oracle.Labels) -> dict:
    n = labels.count
    result = {(a, b): int(between[a * n + b]) for a in range(n) for b in range(n)}
    result |= {(None, b): int(between[n * n + b]) for b in range(n)}
    return result | {(a, None): int(between[n * n + n + a]) for a in range(n)}


def path_of(spans: list[tuple[int, int, int]], length: int, labels: oracle.Labels) -> list[int]:
    path, k = [0] * length, labels.types
    for first, last, kind in spans:
        path[first : last + 1] = [1 + 2 * k + kind] * (last + 1 - first)
        path[first], path[last] = 1 + kind, 1 + 3 * k + kind
        if first == last:
            path[first] = 1 + k + kind
    return path


@given(texts)
def test_tokens_are_where_the_definition_has_them(text):
    # A weight on a feature that every token has makes each token a mention of its own.
    between = np.zeros(35, np.int16)
    keys = {oracle.key_of(f) for _, rows in oracle.features(text, {}) for row in rows for f in row}
    weights = packed({key: {2: 100} for key in keys}, between, 1)
    found = tagger.tag([text], tagger.lexicon({}), weights)
    expected = [(token.start, token.stop) for token in oracle.tokens(text)]
    assert list(zip(found.starts.tolist(), found.stops.tolist(), strict=True)) == expected


@settings(deadline=None, max_examples=50)
@given(
    texts,
    st.randoms(use_true_random=False),
    st.integers(1, 3),
    st.integers(-2, 2),
    st.sets(st.integers(0, 30), max_size=6),
)
def test_the_best_sequence_has_the_best_score(text, random, types, lean, cuts):
    labels = oracle.Labels(types)
    n = labels.count
    ends = sorted(cut for cut in cuts if cut <= len(text))
    told = [
        (a, b, random.randrange(types), random.randrange(1 << 24))
        for a, b in zip(ends[::2], ends[1::2], strict=False)
    ]
    pieces = oracle.features(text, oracle.listed(PHRASES), told, labels)
    keys = sorted({oracle.key_of(f) for _, rows in pieces for row in rows for f in row})
    table = {
        key: {y: random.randint(-20, 20) for y in range(n) if random.random() < 0.5}
        for key in keys
        if random.random() < 0.7
    }
    between = np.array([random.randint(-9, 9) for _ in range(n * n + 2 * n)], np.int16)
    weights = packed(table, between, types)
    kinds = (np.int64, np.int64, np.int32, np.uint32)
    columns = [np.array([one[i] for one in told], kind) for i, kind in enumerate(kinds)]
    hints = tagger.Hints(np.zeros(len(told), np.int64), *columns)
    found = tagger.tag(
        *([text], tagger.lexicon(PHRASES), weights, None, lean / tagger.UNIT),
        hints=hints if told else None,
    )
    spans = list(zip(*(x.tolist() for x in found[1:4]), strict=True))
    ways = steps(between, labels)
    for every, rows in pieces:
        scores = [[0] * n for _ in rows]
        for t, row in enumerate(rows):
            for feature in row:
                for y, value in table.get(oracle.key_of(feature), {}).items():
                    scores[t][y] += value
            scores[t][0] -= lean
        for t, (label, _) in enumerate(oracle.hinted(every, told, labels)):
            scores[t][label] += 3 * tagger.UNIT if label else 0
        best, _ = oracle.best(scores, ways, labels)
        at = {token.start: t for t, token in enumerate(every)}
        ends = {token.stop: t for t, token in enumerate(every)}
        here = [(at[a], ends[b], kind) for a, b, kind in spans if a in at]
        path = path_of(here, len(rows), labels)
        taken = list(zip((None, *path), (*path, None), strict=True))
        assert all(labels.legal(*step) for step in taken)
        score = sum(ways[step] for step in taken)
        assert score + sum(scores[t][y] for t, y in enumerate(path)) == best


@given(texts)
def test_listed_phrases_are_where_the_definition_has_them(text):
    found = tagger.listed([text], tagger.lexicon(PHRASES))
    phrases = oracle.listed(PHRASES)
    every = oracle.tokens(text)
    words = [oracle.word_of(text, token, phrases) for token in every]
    expected, t = [], 0
    while t < len(every):
        ends = [
            end
            for end in range(t + 1, min(t + 8, len(every)) + 1)
            if all(token.gap <= oracle.BLANKS for token in every[t + 1 : end])
            and phrases.get(tuple(w.folded for w in words[t:end]), 0) & ~oracle.BEGINS_LONGER
            and (every[t].word or end > t + 1)
        ]
        if ends:
            names = tuple(w.folded for w in words[t : ends[-1]])
            classes = phrases[names] & ~oracle.BEGINS_LONGER
            expected.append((every[t].start, every[ends[-1] - 1].stop, classes))
        t = ends[-1] if ends else t + 1
    assert list(zip(*(x.tolist() for x in found[1:4]), strict=True)) == expected


def marks_of(places: list[tuple[int, int, int, int]]) -> tagger.Marks:
    columns = [[place[i] for place in places] for i in range(4)]
    kinds = (np.int64, np.int64, np.int64, np.int32)
    return tagger.Marks(*(np.array(x, k) for x, k in zip(columns, kinds, strict=True)))


@settings(deadline=None, max_examples=25)
@given(
    st.lists(
        st.lists(st.sampled_from(["Ann", "left", "Bo"]), min_size=1, max_size=3),
        min_size=1,
        max_size=3,
    ),
    st.sampled_from([(0.1, 0.0, 0.0), (0.3, 0.2, 0.5)]),
    st.integers(0, 3),
    st.booleans(),
)
def test_training_is_the_definition(sentences, settings_, seed, free):
    rate, l1, l2 = settings_
    given_texts = [" ".join(words) for words in sentences]
    labels, places, lessons = oracle.Labels(1), [], []
    for d, text in enumerate(given_texts):
        ((every, rows),) = oracle.features(text, {})
        allowed = []
        for token in every:
            word = text[token.start : token.stop]
            if word == "left":
                allowed.append({0, 1, 2, 3, 4} if free else {0})
                continue
            places.append((d, token.start, token.stop, 0))
            allowed.append({2})
        lessons.append(oracle.Lesson([[oracle.key_of(f) for f in row] for row in rows], allowed))
    expected, between = oracle.learnt(lessons, labels, 2, rate, l1, l2, seed)
    got = tagger.train(
        given_texts, tagger.lexicon({}), 1, marks_of(places),
        np.full(len(given_texts), int(free), np.uint32),
        epochs=2, rate=rate, l1=l1, l2=l2, rare=1, seed=seed,
    )  # fmt: skip
    arrays = got.arrays
    table = {}
    for bucket in np.flatnonzero(np.diff(arrays["starts"].astype(np.int64))):
        for f in range(arrays["starts"][bucket], arrays["starts"][bucket + 1]):
            key = int(bucket) << 16 | int(arrays["checks"][f])
            for w in range(arrays["firsts"][f], arrays["firsts"][f + 1]):
                label, weight = arrays["weights"][w : w + 1].view(np.int8).tolist()
                table[key, label] = weight
    for key in expected.keys() | table.keys():
        assert abs(table.get(key, 0) - expected.get(key, 0.0) * tagger.UNIT) < 0.51, key
    for step, value in steps(arrays["transitions"], labels).items():
        assert abs(value - between.get(step, 0.0) * tagger.UNIT) < 0.51, step


TEXTS = ["Mr. Ho left.", "Mr. Oak left early.", "We left.", "Ms. Ho stayed."] * 5
PLACES = [(d, 4, 4 + size, 0) for d, size in enumerate([2, 3, 0, 2] * 5) if size]


def test_training_gives_the_same_bytes_and_a_base_is_kept():
    lexicon = tagger.lexicon({"ho": 2})
    one, two = (tagger.train(TEXTS, lexicon, 1, marks_of(PLACES)) for _ in range(2))
    assert all(one.arrays[name].tobytes() == two.arrays[name].tobytes() for name in one.NAMES)
    # Nothing new to learn: what is added to the base changes little, and what it finds stays.
    more = tagger.train(TEXTS, lexicon, 1, marks_of(PLACES), base=one, epochs=3)
    again = tagger.tag(TEXTS, lexicon, more, one)
    assert again.starts.tolist() == [4] * 15
    # Something new: the base finds no clubs after "joined", base and addition do.
    clubs = ["They joined Vex.", "I joined Qua today."] * 6
    marks = marks_of(
        [(d, clubs[d].index("joined") + 7, clubs[d].index("joined") + 10, 0) for d in range(12)]
    )
    more = tagger.train(clubs, lexicon, 1, marks, base=one)
    assert tagger.tag(["You joined Zed."], lexicon, one).starts.tolist() == []
    found = tagger.tag(["You joined Zed.", "Mr. Po left."], lexicon, more, one)
    assert found.starts.tolist() == [11, 4]


def test_rare_features_are_left_out():
    every, some = (
        tagger.train(TEXTS, tagger.lexicon({}), 1, marks_of(PLACES), rare=rare, l1=0.0)
        for rare in (1, 100)
    )
    assert len(every.arrays["checks"]) > 0
    assert len(some.arrays["checks"]) == 0


@pytest.mark.parametrize("spoil", [
    {"weights": np.array([5], np.uint16)},
    {"firsts": np.array([0, 9], np.uint32)},
    {"transitions": np.zeros(3, np.int16)},
    {"starts": np.zeros(4, np.uint32)},
])  # fmt: skip
def test_weights_that_do_not_fit_are_refused(spoil):
    good = packed({0: {1: 5}}, np.zeros(35, np.int16), 1).arrays
    with pytest.raises(ValueError):
        _ = tagger.Weights(1, good | spoil).kernel


def test_arrays_of_other_kinds_are_refused():
    with pytest.raises(TypeError):
        _ = tagger.Lexicon(
            {"starts": np.zeros(3), "checks": np.zeros(1), "bits": np.zeros(1)}
        ).kernel
    with pytest.raises(TypeError):
        tagger.listed(["a", 3], tagger.lexicon({}))  # type: ignore[list-item]


@pytest.mark.parametrize(
    "text", ["a" * 3_000_000, "Ann " * 500_000, "." * 1_000_000, "\x00" * 10, "\ud800Ann\udfff"]
)
def test_hostile_texts_are_read(text):
    weights = tagger.train(TEXTS, tagger.lexicon({}), 1, marks_of(PLACES))
    found = tagger.tag([text, "Mr. Ho left."], tagger.lexicon(PHRASES), weights)
    assert (found.documents == 1).sum() == 1
    assert (found.stops[found.documents == 0] <= len(text)).all()
