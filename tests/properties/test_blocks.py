"""Documents in many blocks: the same lengths, stars and verdicts as in one place.

The blocks are exchanged in this process, by the functions that Spark calls (tests/spark).
"""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.corpus import Corpus
from sfumato.core.labels import group_labels
from sfumato.engines import VERBS
from sfumato.engines.exchange import GATHERED, Here
from sfumato.engines.messages import answered, grouped
from sfumato.engines.repeats import repeat_lengths
from sfumato.engines.stretches import Factors, Sums, counted
from sfumato.engines.suppress import starred
from sfumato.engines.suppress_checks import judged
from sfumato.kernels.repeats import SuffixIndex
from sfumato.methods.substrings.options import checked
from sfumato.verification import verify

DEFAULTS = {
    "unit": "character",
    "align": "word",
    "min_run": 1,
    "run_price": 0,
    "cover": "fewest",
    "keep": None,
    "mask": "★",
    "collapse": False,
    "strict": False,
    "guess": None,
    "reach": None,
    "knows": None,
    "common": 0.1,
    "copies": "report",
}
word = st.sampled_from(["the", "a", "of", "cat", "Ann", "Bob", "12", "日本", "x★y", "ü"])
between = st.sampled_from([" ", ", ", ". ", "\n", " - ", " ★ "])
text = st.lists(st.tuples(word, between).map("".join), max_size=10).map("".join)


@st.composite
def corpora(draw):
    texts = draw(st.lists(text, min_size=2, max_size=7))
    copied = draw(st.lists(st.sampled_from(range(len(texts))), max_size=2))
    texts += [texts[i] + draw(text) for i in copied]
    people = [f"p{draw(st.integers(0, 4))}" for _ in texts]
    return texts, people


options = st.one_of(
    st.fixed_dictionaries(
        {
            "guess": st.sampled_from([0.5, 0.3, 0.8, 1]),
            "reach": st.sampled_from([None, 1, 2, 3, 5]),
            "collapse": st.booleans(),
            "keep": st.sampled_from([None, ",."]),
            "strict": st.booleans(),
            "min_run": st.sampled_from([1, 1, 4]),
            "run_price": st.sampled_from([0, 0, 3]),
        }
    ),
    st.fixed_dictionaries(
        {
            "guess": st.none(),
            "unit": st.sampled_from(["character", "grapheme"]),
            "align": st.sampled_from(["word", "character"]),
            "cover": st.sampled_from(["fewest", "longest-first"]),
            "min_run": st.sampled_from([1, 2]),
        }
    ),
)


def blocks_of(texts, labels, count):
    """The texts in so many blocks, all of a person in one."""
    where = np.arange(len(texts)) % count if labels is None else labels % count
    return [
        {
            "ids": np.flatnonzero(where == b),
            "texts": [texts[i] for i in np.flatnonzero(where == b)],
            "labels": None
            if labels is None
            else np.unique(labels[where == b], return_inverse=True)[1].astype(np.int32),
        }
        for b in range(count)
    ]


def prepared(corpus, chosen, count, k, several):
    """The local releases, the blocks, and all parameters; what cannot be met is left aside."""
    texts, people = corpus
    groups = people if count == "groups" else None
    ks = [k, k + several] if several else [k]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            here = sf.suppress(texts, k=ks, count=count, groups=groups, **chosen)
        except sf.SfumatoError:
            assume(False)
    parameters = checked(Corpus.of(texts), groups, count, **{**DEFAULTS, **chosen})
    labels = {
        "occurrences": None,
        "documents": np.arange(len(texts), dtype=np.int32),
        "groups": group_labels(people, len(texts)),
    }[count]
    return here, ks, parameters, labels


counts = st.sampled_from(["occurrences", "documents", "groups"])


@settings(max_examples=60)
@given(
    *(corpora(), options, counts, st.integers(1, 4), st.integers(0, 2), st.integers(1, 4)),
    st.sampled_from([0, 8, GATHERED]),
)
def test_stars_are_those_of_one_place(corpus, chosen, count, k, several, parts, most):
    here, ks, parameters, labels = prepared(corpus, chosen, count, k, several)
    rows = blocks_of(corpus[0], labels, parts)
    for one, rounds, blocks in starred(Here(parts), rows, ks, parameters, most=most):
        found = {int(i): text for b in blocks for i, text in zip(b["ids"], b["texts"], strict=True)}
        assert [found[i] for i in range(len(found))] == here[one].data
        assert rounds == here[one].loss.get("rounds", 1)
        for name in ("suppressed", "runs"):
            assert sum(b["measured"][name] for b in blocks) == here[one].loss[name]
        for name in ("separators_blanked", "documents_all_starred"):
            if name in here[one].counts:
                assert sum(b["measured"][name] for b in blocks) == here[one].counts[name]


@settings(max_examples=60)
@given(
    *(corpora(), options, counts, st.integers(2, 4), st.integers(1, 4)),
    *(st.randoms(use_true_random=False), st.booleans()),
)
def test_verdicts_are_those_of_one_place(corpus, chosen, count, k, parts, random, plant):
    """Also of releases in which a run of stars was written back."""
    here, ks, _, labels = prepared(corpus, chosen, count, k, 0)
    texts, release = corpus[0], here[ks[0]]
    data = list(release.data)
    if plant and not chosen.get("collapse"):
        i = random.randrange(len(data))
        runs = [j for j, symbol in enumerate(data[i]) if symbol == "★"]
        if runs:
            start = stop = random.choice(runs)
            while start and data[i][start - 1] == "★":
                start -= 1
            while stop < len(data[i]) and data[i][stop] == "★":
                stop += 1
            data[i] = data[i][:start] + texts[i][start:stop] + data[i][stop:]
    (local,) = verify(texts, replace(release, data=data))
    rows = [
        {**row, "before": row["texts"], "after": [data[i] for i in row["ids"]]}
        for row in blocks_of(texts, labels, parts)
    ]
    verdict = judged(Here(parts), rows, release.claims[0])
    assert verdict.holds == local.holds
    if "stretch" in local.reason:
        for name in ("stretches", "smallest_count", "violations"):
            if local.measured["stretches"]:
                assert verdict.measured.get(name) == local.measured.get(name)


symbols = st.lists(st.integers(0, 3), max_size=30)


@settings(max_examples=150)
@given(
    st.lists(st.tuples(symbols, st.integers(0, 5)), min_size=1, max_size=7),
    *(
        st.integers(1, 5),
        st.booleans(),
        st.sampled_from([None, None, 1, 2, 3, 4, 6, 9]),
        st.integers(1, 4),
        st.sampled_from([0, 6, GATHERED]),
    ),
)
def test_repeats_reach_as_far_as_in_the_suffix_array(documents, k, people, cap, parts, most):
    labels = np.array([label for _, label in documents], np.int32)
    codes = np.array([c for one, _ in documents for c in (*one, 0)], np.uint8)
    ends = np.cumsum([len(one) + 1 for one, _ in documents]) - 1
    known = {"labels": labels, "ends": ends} if people else {}
    lengths = SuffixIndex(codes).repeat_lengths(k, **known)
    expected = lengths if cap is None else np.minimum(lengths, cap)
    owner = np.repeat(labels, np.diff(ends, prepend=-1)).astype(np.int64)
    shared = [0] + [
        len(np.unique(owner[codes == c])) if people else np.count_nonzero(codes == c)
        for c in range(1, 4)
    ]
    chosen = [np.flatnonzero(owner % parts == part) for part in range(parts)]
    blocks = [
        {
            "codes": codes[at].astype(np.int64),
            "owner": owner[at] if people else None,
            "numbers": np.array([0, 9, 5, 7], np.uint64),
            "shared": np.array(shared),
        }
        for at in chosen
    ]
    made = repeat_lengths(Here(parts), blocks, k, cap=cap, most=most)
    for at, block in zip(chosen, made, strict=True):
        assert block["lengths"].tolist() == expected[at].tolist()


@settings(max_examples=100)
@given(st.lists(symbols.map(lambda one: [c or -1 for c in one]), min_size=1, max_size=4), st.data())
def test_stretches_are_counted(known, data):
    stretches = []
    for one in known:
        starts = data.draw(st.lists(st.integers(0, max(0, len(one) - 1)), max_size=3))
        found = [(a, a + data.draw(st.integers(1, 12))) for a in starts]
        stretches.append([(a, b) for a, b in found if b <= len(one) and -1 not in one[a:b]])
    blocks = [
        {
            "known": np.array([*one, -1]),
            "asked": np.array([*one, -1]),
            "owner": np.zeros(len(one) + 1, np.int64),
            "starts": np.array([a for a, _ in found], np.int64),
            "stops": np.array([b for _, b in found], np.int64),
        }
        for one, found in zip(known, stretches, strict=True)
    ]
    for block, one, found in zip(
        counted(Here(2), blocks, Factors.drawn()), known, stretches, strict=True
    ):
        for (a, b), count in zip(found, block["counts"], strict=True):
            in_one = [
                any(other[i : i + b - a] == one[a:b] for i in range(len(other))) for other in known
            ]
            assert count == sum(in_one)


def test_long_copies_are_counted_and_named():
    """Beyond the tier of 32 symbols the lengths take several numbers."""
    passage = list(range(1, 201))
    blocks = [
        {
            "known": np.array([7, *passage[:size], -1]),
            "asked": np.array(passage),
            "owner": None,
            "starts": np.array([0, 0, 3, 64]),
            "stops": np.array([200, 150, 120, 199]),
        }
        for size in (200, 180, 110)
    ]
    for block in counted(Here(3), blocks, Factors.drawn()):
        assert block["counts"].tolist() == [1, 2, 2, 1]


def test_different_stretches_have_different_sums():
    sums = Sums.of(np.random.default_rng(1).integers(0, 3, 500), Factors.drawn())
    starts = np.repeat(np.arange(400), 20)
    keys = sums.keys(starts, np.tile(np.arange(60, 80), 400))
    assert grouped(keys)[1] == len(keys)


def test_an_answer_does_not_depend_on_the_order_of_questions():
    asked = [(b, ((np.array([b % 2]), np.array([1])), (np.array([b]),))) for b in range(4)]
    first = dict(answered(asked, 0, 1))
    again = dict(answered(asked[::-1], 0, 1))
    for b in range(4):
        assert first[b][0] == again[b][0]
        assert first[b][1][0].tolist() == again[b][1][0].tolist() == [2 if b % 2 == 0 else 4]


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_a_verb_on_spark_wants_a_frame_of_spark(verb):
    pytest.importorskip("pyspark", reason="no pyspark: make spark")
    with pytest.raises(sf.BadInput, match="DataFrame of Spark"):
        getattr(sf, verb)(["a"], ["b"], engine="spark")
