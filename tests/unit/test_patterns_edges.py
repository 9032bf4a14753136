"""Degenerate inputs of `sanitize`, its kinds of input, its options and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

import sfumato as sf
from sfumato.kernels import patterns as kernels

METHODS = ["tfs", "pfs", "etfs", "tpm", "tm", "ba", "ba-reverse"]
quiet = pytest.mark.filterwarnings("ignore:no non-sensitive window")


def holds(original, release):
    return all(verdict.holds for verdict in sf.verify(original, release))


@quiet
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("text", "patterns"),
    [
        ("", ["ab"]),
        ("a", ["ab"]),  # k > n
        ("abc", ["abc"]),  # k = n, everything sensitive
        ("aaaa", ["aa"]),  # one letter only
        ("aaaa", ["bb"]),
        ("abcab", ["a"]),  # k = 1
        ("abcab", ["a", "b", "c"]),
        ("aaaabaaaa", ["aaaa"]),  # adjacent and overlapping occurrences
        ("ababab", ["ab", "ba"]),
        ("abcabc", ["xyz"]),  # a pattern that does not occur
        ("abcabc", []),
        ("aäa\U0001f600aäa", ["äa"]),
    ],
)
def test_degenerate_cases_hold(method, text, patterns):
    try:
        release = sf.sanitize(text, patterns, method)
    except sf.CannotBeMet:
        assert method in ("tpm", "tm")
        return
    assert holds(text, release)
    assert not any(pattern in release.data for pattern in patterns)


def test_tfs_of_nothing_is_empty_and_says_so():
    for text in ("ab", "aaaa"):
        with pytest.warns(UserWarning, match="empty"):
            release = sf.sanitize(text, ["aaaa"], "tfs")
        assert release.data == ""
        assert any("empty" in warning for warning in release.warnings)


def test_k_1_removes_symbols_without_separators():
    assert sf.sanitize("abcab", ["a"], "tfs").data == "bcb"
    assert sf.sanitize("abcab", ["a"], "tpm").data == "bcb"


def test_no_patterns_change_nothing():
    release = sf.sanitize("abcabc", [], "tpm", length=3)
    assert release.data == "abcabc"
    assert not release.changes


def test_short_sequences_of_a_collection_stay():
    texts = ["ab", "abcab", ""]
    assert sf.sanitize(texts, ["abc"], "tfs").data == ["ab", "bcab", ""]
    assert sf.sanitize(texts, ["abc"], "tfs", keep_short=False).data == ["", "bcab", ""]
    assert sf.sanitize("ab", ["abc"], "tfs", keep_short=True).data == "ab"


def test_every_kind_of_sequence_comes_back_as_its_kind():
    words = ["home", "bus", "clinic", "bus"]
    pattern = [["bus", "clinic"]]
    hidden = ["home", "bus", "#", "clinic", "bus"]
    assert sf.sanitize(words, pattern, "tfs").data == hidden
    assert sf.sanitize(tuple(words), pattern, "tfs").data == tuple(hidden)
    assert sf.sanitize([1, 2, 3, 2], [[2, 3]], "tfs").data == [1, 2, "#", 3, 2]
    array = sf.sanitize(np.array([1, 2, 3, 2]), [[2, 3]], "tfs", separator=-1).data
    assert isinstance(array, np.ndarray)
    assert array.tolist() == [1, 2, -1, 3, 2]
    places = [(0, 1), (2, 3), (0, 1)]
    found = sf.sanitize(places, [[(2, 3), (0, 1)]], "tfs", collection=False)
    assert found.data == [(0, 1), (2, 3)]
    assert holds(places, found)
    many = sf.sanitize([words, words[::-1]], pattern, "tfs")
    assert many.data == [hidden, ["clinic", "bus", "home"]]
    assert sf.sanitize(("abab", "ba"), ["ab"], "tfs").data == ("ba", "ba")


def test_columns_of_frames_come_back_as_columns():
    import pandas
    import polars

    column = pandas.Series(["abab", None, "ba"], index=[3, 4, 5], name="trace")
    release = sf.sanitize(column, ["ab"], "tfs")
    assert release.data.tolist()[::2] == ["ba", "ba"]
    assert release.data.index.tolist() == [3, 4, 5]
    assert holds(column, release)
    numbers = polars.Series("visits", [1, 2, 3, 2])
    assert sf.sanitize(numbers, [[2, 1]], "tpm").data.to_list() == [1, 2, 3, 2]


def test_an_array_that_cannot_hold_the_separator_is_refused():
    with pytest.raises(sf.BadInput, match="separator"):
        sf.sanitize(np.array([1, 2, 3, 2]), [[2, 3]], "tfs")


def test_patterns_by_file_positions_and_drawing(tmp_path):
    text = "abcabcabcacb"
    (tmp_path / "secret.txt").write_text("bca\n\ncab\n")
    by_file = sf.sanitize(text, tmp_path / "secret.txt", "tfs")
    assert by_file.data == sf.sanitize(text, ["bca", "cab"], "tfs").data
    (tmp_path / "steps.txt").write_text("2 3\n")
    steps = sf.sanitize([1, 2, 3, 2], tmp_path / "steps.txt", "tfs")
    assert steps.data == [1, 2, "#", 3, 2]
    many = sf.sanitize([["a", "bus"], ["bus", "a"]], tmp_path / "secret.txt", "tfs")
    assert many.data == [["a", "bus"], ["bus", "a"]]
    with pytest.raises(sf.BadInput, match="collection"):
        sf.sanitize(["home", "bus"], tmp_path / "secret.txt")
    by_place = sf.sanitize(text, positions=[1, 4, 2], length=3, method="tfs")  # closed over equals
    assert by_place.data == by_file.data
    frequent = "abcabdabc"  # abc alone occurs twice
    drawn = sf.sanitize(frequent, draw=1, length=3, tau=2, method="tfs")
    assert drawn.data == sf.sanitize(frequent, ["abc"], "tfs").data
    pairs = sf.sanitize(["abab", "bb"], positions=[(0, 1)], length=2, method="tfs", collection=True)
    assert pairs.sides.patterns == ["ba"]
    with pytest.raises(sf.CannotBeMet):
        sf.sanitize(frequent, draw=2, length=3, tau=2)
    seeds = {str(sf.sanitize(text, draw=1, length=2, seed=s).sides.patterns) for s in range(9)}
    assert len(seeds) > 1


def test_a_set_of_patterns_of_several_kinds():
    release = sf.sanitize([1, "a", 3, 1], {(1, "a"), ("a", 3)}, "tfs")
    assert release.data == [3, 1]


def test_no_patterns_are_told():
    assert "nothing is hidden" in sf.sanitize("abab", [], length=2).warnings[0]


def test_longer_patterns_need_no_equal_length():
    release = sf.sanitize("abcabdabc", ["abd", "bcabd"], "tfs")
    assert release.parameters["k"] == 3
    assert holds("abcabdabc", release)
    shorter = sf.sanitize("abcabdabc", ["abd"], "tfs", length=2)
    assert shorter.parameters["k"] == 2
    assert "abd" not in shorter.data


def test_other_arrangements_are_tried():
    # aaaa#bb has no admissible letter, and deletion joins a and b; bb#aaaa has one.
    assert sf.sanitize("aaaabb", ["ab"], "pfs").data == "aaaa#bb"
    release = sf.sanitize("aaaabb", ["ab"], "tpm")
    assert release.data == "bbaaaaa"
    assert holds("aaaabb", release)
    with pytest.raises(sf.CannotBeMet):
        sf.sanitize("aaaabb", ["ab"], "tm")


def test_large_alphabets_use_the_frequent_letters():
    rng = np.random.default_rng(0)
    words = (rng.zipf(1.5, 3000) % 900).tolist()
    release = sf.sanitize(words, draw=5, length=2, tau=3, letters=10)
    assert holds(words, release)
    assert release.counts["hidden"] > 0


def test_a_release_of_symbols_shows_in_a_notebook():
    page = sf.sanitize([1, 2, 3, 2], [[2, 3]], "tfs")._repr_html_()
    assert "1 2 # 3 2" in page.replace("<mark>", "").replace("</mark>", "")


def test_progress_is_reported():
    seen = []
    text = "ab" * 50
    sf.sanitize(text, ["aba"], "tpm", progress=lambda what, share: seen.append((what, share)))
    assert seen
    assert all(what == "sanitize" and 0 <= share <= 1 for what, share in seen)


@pytest.mark.parametrize(
    "options",
    [
        {"tau": 0},
        {"tau": 1.5},
        {"rho": 0.5},
        {"rho": -1.0, "method": "tfs"},
        {"rho": -1.0, "length": 2},
        {"method": "tmi"},
        {"method": "nothing"},
        {"replacement": "nothing"},
        {"theta": 3},
        {"theta": -1, "replacement": "mcsr"},
        {"ghost": len},
        {"length": 9},
        {"length": 0},
        {"separator": "a"},
        {"separator": "##"},
        {"separator": None},
        {"positions": [0]},
        {"draw": 3},
        {"implausible": [""], "method": "tm"},
        {"letters": 0},
        {"reference": "abc"},
        {"tau": 2**63},
        {"collection": True},
        {"collection": "no"},
        {"ghost": 3, "replacement": "mcsr"},
        {"sub": lambda letter, place: None, "replacement": "mcsr"},
        {"sub": lambda letter, place: float("nan"), "replacement": "mcsr"},
        {"ghost": lambda *known: -1, "replacement": "mcsr"},
        {"engine": "nothing"},
    ],
)
def test_what_cannot_be_meant_is_refused(options):
    with pytest.raises(sf.BadInput):
        sf.sanitize("abcabcabcbabca", ["abca"], **options)


@pytest.mark.parametrize(
    "call",
    [
        lambda: sf.sanitize("abc", "ab"),
        lambda: sf.sanitize("abc", [["a", "b"]]),
        lambda: sf.sanitize("abc", None),
        lambda: sf.sanitize(["home", "bus"], ["bus"], collection=False),
        lambda: sf.sanitize([["home", "bus"]], ["bus"]),
        lambda: sf.sanitize(iter("abc"), ["ab"]),
        lambda: sf.sanitize([{"a": 1}], [["a"]], collection=False),
        lambda: sf.sanitize(["ab", 3], [["a"]], collection=True),
        lambda: sf.sanitize(["ab", "cd"], draw=1, length=1),
        lambda: sf.sanitize("abc", positions=[0]),
        lambda: sf.sanitize("abc", positions=[2], length=2),
        lambda: sf.sanitize("abc", positions=[1.5], length=2),
        lambda: sf.sanitize("abc", positions=1, length=2),
        lambda: sf.sanitize("abc", positions=[(0, 1)], length=2),
        lambda: sf.sanitize([[1, 2]], positions=[1], length=2),
        lambda: sf.sanitize([1, 2, 3], [[1, {}]]),
        lambda: sf.sanitize("abc", draw=-1, length=2),
    ],
)
def test_inputs_of_the_wrong_kind_are_refused(call):
    with pytest.raises(sf.BadInput):
        call()


def test_etfs_refuses_what_would_take_too_long():
    rng = np.random.default_rng(0)
    text = "".join("abcd"[i] for i in rng.integers(0, 4, 200_000))
    with pytest.raises(sf.BadInput, match="minutes"):
        sf.sanitize(text, ["abca", "bcda", "acac", "dada", "cccc"] * 3 + ["abbb"], "etfs")


@pytest.mark.parametrize("dtype", [np.int64, np.uint8, np.float64])
def test_kernels_refuse_other_dtypes(dtype):
    wrong, right = np.zeros(4, dtype), np.zeros(4, np.int32)
    for call in (
        lambda: kernels.sensitive_windows(wrong, right, 2),
        lambda: kernels.count_windows(wrong, right, 2),
        lambda: kernels.distinct_windows(wrong, 2),
        lambda: kernels.compared_windows(right, wrong, 2),
        lambda: kernels.candidate_windows(right, wrong, 2),
        lambda: kernels.etfs(wrong, np.zeros(0, np.int64), 2, 4),
        lambda: kernels.edit_distance(wrong, right),
    ):
        with pytest.raises(TypeError):
            call()


def test_kernels_refuse_arrays_that_do_not_fit():
    text = np.array([1, 2, 1, -1], np.int32)
    for call in (
        lambda: kernels.sensitive_windows(text, np.ones(3, np.int32), 2),
        lambda: kernels.tfs(text, np.array([9]), np.zeros(4, np.uint8), 2),
        lambda: kernels.tfs(text, np.array([3]), np.zeros(2, np.uint8), 2),
        lambda: kernels.etfs(text[:3], np.array([5]), 2, 3),
        lambda: kernels.count_windows(text, text, 0),
    ):
        with pytest.raises(ValueError):
            call()
