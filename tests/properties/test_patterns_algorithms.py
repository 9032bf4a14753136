"""Every algorithm of string sanitization against its definition, on tiny and exhaustive cases."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import sfumato as sf
from oracles import patterns as oracle
from sfumato.kernels import patterns as kernels
from sfumato.methods.patterns import knapsack
from sfumato.methods.patterns.hide_and_mine import SWEEPS

pytestmark = pytest.mark.filterwarnings("ignore:no non-sensitive window")


def texts(alphabet: str, longest: int):
    for n in range(longest + 1):
        yield from map("".join, product(alphabet, repeat=n))


def sets_of_patterns(alphabet: str, k: int, most: int):
    words = ["".join(letters) for letters in product(alphabet, repeat=k)]
    for size in range(1, most + 1):
        yield from map(list, combinations(words, size))


@st.composite
def instances(draw, alphabet="ab", longest=14, ks=(1, 2, 3, 4)):
    k = draw(st.sampled_from(ks))
    text = draw(st.text(alphabet, max_size=longest))
    word = st.text(alphabet, min_size=k, max_size=k)
    patterns = draw(st.lists(word, min_size=1, max_size=4, unique=True))
    return text, patterns, k


@settings(max_examples=300)
@given(instances("abc", 24))
def test_tfs_is_the_scan_over_the_windows(instance):
    text, patterns, k = instance
    x = sf.sanitize(text, patterns, method="tfs").data
    assert x == oracle.tfs(text, patterns, k)
    m = max(0, len(text) - k + 1)
    assert 0 <= len(x) <= -(-m // 2) * k + m // 2
    places = [i for i, symbol in enumerate(x) if symbol == "#"]
    assert all(b - a > k for a, b in zip([-1, *places], [*places, len(x)], strict=True) if places)


@pytest.mark.parametrize(("k", "longest", "limit"), [(1, 4, 5), (2, 5, 6), (3, 6, 6)])
def test_tfs_is_shortest_on_all_binary_strings(k, longest, limit):
    for text in texts("ab", longest):
        for patterns in sets_of_patterns("ab", k, 2):
            x = sf.sanitize(text, patterns, method="tfs").data
            if len(x) <= limit:
                assert oracle.shortest(text, patterns, k, "ab", len(x)) == len(x)


@settings(max_examples=300)
@given(instances("ab", 18, (2, 3)))
def test_pfs_is_shortest_over_arrangements_of_the_blocks(instance):
    text, patterns, k = instance
    x = oracle.tfs(text, patterns, k)
    blocks = [block for block in x.split("#") if block]
    if len(blocks) > 6:
        return
    for options in ({}, {"shuffle": True, "seed": 5}):
        y = sf.sanitize(text, patterns, method="pfs", **options).data
        assert len(y) == oracle.shortest_arrangement(blocks, k)
        assert sorted(oracle.windows(y, k)) == sorted(oracle.windows(x, k))
        assert oracle.keeps_chains(text, y, patterns, k)


@settings(max_examples=200)
@given(st.lists(st.text("ab", max_size=14), min_size=1, max_size=3), st.integers(0, 9), st.data())
def test_exchanged_paths_are_another_shortest_arrangement(texts, seed, data):
    from sfumato.methods.patterns.pfs import exchanged, pfs
    from sfumato.methods.patterns.sensitive import sensitive_windows
    from sfumato.methods.patterns.sequences import encode
    from sfumato.methods.patterns.tfs import text_of, tfs

    patterns, k = ["aab", "bab", "bba"], 3
    encoded = encode(texts, patterns, None)
    pieces = pfs(encoded, tfs(encoded, sensitive_windows(encoded, patterns, None, "#")), k)
    before = text_of(encoded, pieces, "#")
    separators = sum(text.count("#") for text in before)
    some = data.draw(st.sets(st.integers(0, separators - 1))) if separators else set()
    after = text_of(encoded, exchanged(pieces, np.array(sorted(some), np.int64), seed), "#")
    for old, new in zip(before, after, strict=True):
        assert sorted(old.split("#")) == sorted(new.split("#"))
    pieces_differ = all(len(set(one.split("#"))) == len(one.split("#")) for one in before)
    if len(some) == 1 and pieces_differ:
        assert before != after


def test_pfs_is_shortest_on_all_binary_strings_of_nine():
    for text in texts("ab", 9):
        for patterns in (["aa"], ["ab"], ["aba"], ["aab", "bba"]):
            k = len(patterns[0])
            blocks = [block for block in oracle.tfs(text, patterns, k).split("#") if block]
            y = sf.sanitize(text, patterns, method="pfs").data
            assert len(y) == oracle.shortest_arrangement(blocks, k)


@pytest.mark.parametrize(("k", "longest"), [(1, 4), (2, 5), (3, 5)])
def test_etfs_has_the_least_edit_distance_on_all_binary_strings(k, longest):
    for text in texts("ab", longest):
        for patterns in sets_of_patterns("ab", k, 2):
            release = sf.sanitize(text, patterns, method="etfs")
            assert oracle.windows(release.data, k) == oracle.kept(text, patterns, k)
            distance = oracle.edit_distance(text, release.data)
            assert release.loss["edit_distance"] == distance
            # Strings of |W| + d symbols and more are d away at least.
            longest_nearer = min(len(text) + distance - 1, 7)
            best = oracle.least_edit_distance(text, patterns, k, "ab", longest_nearer)
            assert best is None or best >= distance


@settings(max_examples=200)
@given(instances("abc", 40, (2, 3, 4)))
def test_etfs_is_valid_and_no_further_than_tfs(instance):
    text, patterns, k = instance
    release = sf.sanitize(text, patterns, method="etfs")
    assert oracle.windows(release.data, k) == oracle.kept(text, patterns, k)
    distance = oracle.edit_distance(text, release.data)
    assert release.loss["edit_distance"] == distance
    assert distance <= oracle.edit_distance(text, oracle.tfs(text, patterns, k))


@settings(max_examples=150)
@given(instances("abc", 60, (2, 3, 4)))
def test_the_band_of_etfs_loses_nothing(instance):
    text, patterns, k = instance
    codes = np.array([ord(letter) for letter in text], np.int32)
    kept = np.array(
        [i for i in range(len(text) - k + 1) if text[i : i + k] not in patterns], np.int64
    )
    whole = kernels.etfs(codes, kept, k, len(text))[2]
    most = oracle.edit_distance(text, oracle.tfs(text, patterns, k))
    assert kernels.etfs(codes, kept, k, most)[2] == whole


METHODS = st.sampled_from(["tpm", "tm"])
REPLACEMENTS = st.sampled_from(["hide-and-mine", "mcsr", "integer-program"])


@settings(max_examples=300)
@given(instances("abc", 24, (2, 3, 4)), METHODS, REPLACEMENTS, st.integers(1, 3))
def test_pipelines_hide_everything_and_lose_nothing(instance, method, replacement, tau):
    text, patterns, k = instance
    try:
        release = sf.sanitize(text, patterns, method, replacement, tau)
    except sf.CannotBeMet:
        return
    z = release.data
    assert "#" not in z
    assert not any(pattern in z for pattern in patterns)
    assert oracle.keeps_chains(text, z, patterns, k)
    if method == "tm":
        rest = iter(oracle.windows(z, k))
        assert all(window in rest for window in oracle.kept(text, patterns, k))
    assert not oracle.lost(text, z, patterns, k, tau)
    assert release.loss["lost"] == 0
    assert release.loss["ghosts"] == len(oracle.ghosts(text, z, k, tau))
    assert release.loss["distortion"] == oracle.distortion(text, z, patterns, k)


@settings(max_examples=200)
@given(instances("ab", 18, (2, 3)), st.integers(1, 3))
@example(("aabbaa", ["abb", "bab", "bba"], 3), 1)  # no letter can stand between aab and baa
def test_integer_program_has_the_fewest_ghosts(instance, tau):
    text, patterns, k = instance
    x = oracle.tfs(text, patterns, k)
    if x.count("#") > 5 or not x:
        return
    choices = [*sorted(set(text)), ""]
    best = oracle.fewest_ghosts(text, x, k, choices, tau, patterns)
    try:
        release = sf.sanitize(text, patterns, "tm", "integer-program", tau)
    except sf.CannotBeMet:
        assert best is None
        return
    if best is None:  # where no letter can stand, a short string may
        assert all(verdict.holds for verdict in sf.verify(text, release))
    else:
        assert release.loss["ghosts"] == best
    if best is not None:
        assert sf.sanitize(text, patterns, "tm", tau=tau).loss["ghosts"] >= best


@settings(max_examples=300)
@given(instances("abc", 40, (2, 3)), st.integers(1, 4))
def test_hide_and_mine_is_the_greedy_choice_refined(instance, tau):
    text, patterns, k = instance
    x, letters = oracle.tfs(text, patterns, k), sorted(set(text))
    greedy = oracle.hide_and_mine(x, k, letters, tau, patterns)
    try:
        z = sf.sanitize(text, patterns, "tm", tau=tau).data
    except sf.CannotBeMet:
        assert greedy is None
        return
    if greedy is None:  # short strings were written
        assert not any(pattern in z for pattern in patterns)
        return
    picks = oracle.refined(x, k, letters, tau, patterns, greedy, SWEEPS)
    assert z == oracle.written(x, picks)
    # Refining never makes more ghosts, and with as many never more distortion.
    first = oracle.written(x, greedy)
    assert (len(oracle.ghosts(text, z, k, tau)), oracle.distortion(text, z, patterns, k)) <= (
        len(oracle.ghosts(text, first, k, tau)),
        oracle.distortion(text, first, patterns, k),
    )


@settings(max_examples=200)
@given(
    instances("ab", 18, (2, 3)),
    st.integers(1, 3),
    st.lists(st.integers(0, 4), min_size=3, max_size=3),
    st.integers(0, 14),
)
def test_mcsr_equals_enumeration(instance, tau, weights, theta):
    text, patterns, k = instance
    x = oracle.tfs(text, patterns, k)
    letters = sorted(set(text))
    if x.count("#") > 5 or not x:
        return
    weight = dict(zip([*letters, ""], weights, strict=False))
    weight.setdefault("", 1)
    choices = [*letters, ""]
    best = oracle.mcsr_cost(x, k, choices, tau, patterns, weight.__getitem__, theta)

    def sub(letter, place):
        return weight[letter or ""]

    try:
        z = sf.sanitize(text, patterns, "tm", "mcsr", tau, theta, sub=sub).data
    except sf.CannotBeMet:
        assert best is None
        return
    assert best is not None
    # Read the choices back off the release and price them by the definition.
    candidate = oracle.candidates(x, k, choices, tau)
    pieces = x.split("#")
    rows = oracle.contexts(x, k, choices)
    costs = [
        sum(w in candidate for i, j in enumerate(pick) for w in oracle.windows(rows[i][j], k))
        for pick in product(range(len(choices)), repeat=len(rows))
        if pieces[0]
        + "".join(choices[j] + piece for j, piece in zip(pick, pieces[1:], strict=True))
        == z
        and sum(weight[choices[j]] for j in pick) <= theta
    ]
    assert min(costs) == best


@settings(max_examples=150)
@given(instances("ab", 18, (2, 3)), st.integers(1, 3))
def test_mcsr_takes_any_ghost_cost(instance, tau):
    text, patterns, _ = instance

    def one(pattern, frequency, place):
        assert isinstance(pattern, str)
        return 1.0

    try:
        plain = sf.sanitize(text, patterns, "tpm", "mcsr", tau)
    except sf.CannotBeMet:
        return
    assert sf.sanitize(text, patterns, "tpm", "mcsr", tau, ghost=one).data == plain.data


@settings(max_examples=200)
@given(instances("abc", 30, (3, 4)), st.sampled_from([-0.2, -0.5, -1.0]), st.integers(1, 2))
def test_tmi_creates_nothing_implausible(instance, rho, tau):
    text, patterns, k = instance
    try:
        z = sf.sanitize(text, patterns, "tmi", rho=rho, tau=tau).data
    except sf.CannotBeMet:
        return
    before, after = oracle.windows(text, k), oracle.windows(z, k)
    for window in set(after):
        if after.count(window) > before.count(window):
            assert oracle.z_score(window, text) >= rho


@settings(max_examples=200)
@given(instances("abc", 24, (1, 2, 3)), st.booleans())
def test_baseline_hides_everything_and_changes_letters_only(instance, reverse):
    text, patterns, k = instance
    release = sf.sanitize(text, patterns, "ba-reverse" if reverse else "ba", tau=2)
    z = release.data
    assert len(z) == len(text)
    assert not any(pattern in z for pattern in patterns)
    assert release.loss["lost"] == len(oracle.lost(text, z, patterns, k, 2))
    assert release.loss["ghosts"] == len(oracle.ghosts(text, z, k, 2))
    assert release.loss["distortion"] == oracle.distortion(text, z, patterns, k)


def test_ghosts_may_cost_by_place_and_frequency():
    text, patterns, k = "aabaaacbcbbbaabbacaab", ["baaa", "bbaa"], 4
    seen = []
    y = sf.sanitize(text, patterns, "tfs").data

    def late(pattern, frequency, place):
        window = y[place : place + k]
        assert any(a == "#" or a == b for a, b in zip(window, pattern, strict=False))
        assert frequency == oracle.windows(y, k).count(pattern)
        seen.append(place)
        return 1.0 + place

    release = sf.sanitize(text, patterns, "tm", "mcsr", tau=2, ghost=late)
    assert min(seen) >= y.index("#") - k + 1
    assert max(seen) <= y.rindex("#")
    assert not any(pattern in release.data for pattern in patterns)
    # With a cost for c alone, no c is written where another letter will do.
    plain = sf.sanitize(
        text, patterns, "tm", "mcsr", sub=lambda letter, place: 9 * (letter == "c"), theta=9
    )
    assert plain.data.count("c") <= text.count("c") + 1


def test_baseline_on_a_small_case():
    # a is the most frequent letter of "ab"; c the least frequent one not in it
    assert sf.sanitize("aababb", ["ab"], method="ba").data == "a#b#bb"
    assert sf.sanitize("aabaccc", ["ab"], method="ba").data == "acbaccc"


def replay(text: str, changes) -> str:
    pieces, at = [], 0
    for change in changes:
        pieces += [text[at : change.start], change.replacement]
        at = change.stop
    return "".join(pieces) + text[at:]


@settings(max_examples=300)
@given(
    instances("abc", 24),
    st.sampled_from(["tfs", "pfs", "etfs", "tm", "tpm", "ba"]),
    st.booleans(),
)
def test_changes_turn_the_original_into_the_release(instance, method, shuffle):
    text, patterns, _ = instance
    try:
        release = sf.sanitize(text, patterns, method, shuffle=shuffle)
    except sf.CannotBeMet:
        return
    assert replay(text, release.changes) == release.data


@settings(max_examples=200)
@given(
    st.text("abc", max_size=24),
    st.lists(st.text("abc", min_size=2, max_size=6), min_size=1, max_size=4),
)
def test_mixed_lengths_mark_the_rarest_window(text, patterns):
    k = min(map(len, patterns))
    marked = sorted(oracle.marked(text, patterns, k))
    mixed = sf.sanitize(text, patterns, method="tfs").data
    assert mixed == oracle.tfs(text, marked, k)
    assert not any(pattern in mixed for pattern in patterns)


@settings(max_examples=200)
@given(
    st.lists(st.text("ab", max_size=10), max_size=4),
    st.lists(st.text("ab", min_size=2, max_size=2), min_size=1, max_size=2, unique=True),
    st.sampled_from(["tfs", "pfs", "etfs"]),
)
def test_collections_are_sanitized_one_by_one(texts, patterns, method):
    together = sf.sanitize(texts, patterns, method).data
    apart = [text if len(text) < 2 else sf.sanitize(text, patterns, method).data for text in texts]
    assert together == apart
    release = sf.sanitize(texts, patterns, method)
    for d, (text, one) in enumerate(zip(texts, together, strict=True)):
        assert replay(text, release.changes.of_document(d)) == one
    tokens = sf.sanitize([list(text) for text in texts], list(map(list, patterns)), method).data
    if texts:
        assert ["".join(one) for one in tokens] == together


@settings(max_examples=200)
@given(st.lists(st.integers(0, 2), max_size=20), st.lists(st.integers(0, 3), max_size=20))
def test_edit_distance(a, b):
    found = kernels.edit_distance(np.array(a, np.int32), np.array(b, np.int32))
    assert found == oracle.edit_distance(a, b)


def test_a_knapsack_of_too_many_states_is_answered_nearly(monkeypatch):
    random = np.random.default_rng(0)
    weights = random.random((60, 5))
    costs = 2 - weights + random.random((60, 5)) / 100  # heavier is cheaper, by nearly as much
    least = knapsack.multiple_choice_knapsack(costs, weights, 25.0)
    monkeypatch.setattr(knapsack, "MOST_STATES", 100)
    with pytest.warns(UserWarning, match="more than the least") as told:
        near = knapsack.multiple_choice_knapsack(costs, weights, 25.0)
    rows = np.arange(60)
    assert weights[rows, near].sum() <= 25.0
    gap = costs[rows, near].sum() - costs[rows, least].sum()
    assert 0 < gap <= float(str(told[0].message).split("at most ")[1].split()[0]) * 1.1
