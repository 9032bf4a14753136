"""The examples of "Combinatorial Algorithms for String Sanitization"."""

from __future__ import annotations

import pytest

import sfumato as sf
from oracles import patterns as oracle
from sfumato.metrics.patterns import edit_distance

FIRST = ("aabaaacbcbbbaabbacaab", ["baaa", "bbaa"])
FIGURE = ("aabaaaababbbaab", ["aaaa", "baaa", "bbaa"])
FOURTH = ("aaabbaabaccbbb", ["aabb", "abba", "bbaa", "baab", "ccbb"])


@pytest.mark.parametrize(
    ("example", "expected"),
    [
        (FIRST, "aabaa#aaacbcbbba#baabbacaab"),  # Example 1
        (FIGURE, "aabaa#aaababbba#baab"),
        (FOURTH, "aaabaccb#cbbb"),  # Example 4
    ],
)
def test_tfs(example, expected):
    assert sf.sanitize(*example, method="tfs").data == expected


def test_pfs_example_2():
    release = sf.sanitize(*FIRST, method="pfs")
    assert release.data == "aaacbcbbba#aabaabbacaab"
    assert len(release.data) == 23


@pytest.mark.parametrize("replacement", ["hide-and-mine", "mcsr", "integer-program"])
def test_tpm_example_3(replacement):
    release = sf.sanitize(*FIRST, replacement=replacement, tau=1)
    assert release.data == "aaacbcbbbacaabaabbacaab"
    assert release.loss["ghosts"] == release.loss["lost"] == 0


def test_etfs_examples_4_and_7():
    text, patterns = FOURTH
    release = sf.sanitize(text, patterns, method="etfs")
    assert release.loss["edit_distance"] == 4 == oracle.edit_distance(text, release.data)
    assert oracle.edit_distance(text, sf.sanitize(text, patterns, method="tfs").data) == 5
    assert oracle.windows(release.data, 4) == oracle.kept(text, patterns, 4)


def de_bruijn(alphabet: str, order: int) -> str:
    """A de Bruijn sequence of this order, not wrapped: every word of `order` letters once."""
    text, seen = alphabet[0] * order, {alphabet[0] * order}
    while True:
        tail = text[len(text) - order + 1 :]
        for letter in reversed(alphabet):
            if tail + letter not in seen:
                seen.add(tail + letter)
                text += letter
                break
        else:
            return text


@pytest.mark.parametrize(("alphabet", "k"), [("ab", 4), ("ab", 5), ("abc", 3), ("abc", 4)])
def test_de_bruijn_sequences_reach_the_upper_bound_example_5(alphabet, k):
    text = de_bruijn(alphabet, k - 1)
    count = len(text) - k + 1
    release = sf.sanitize(text, positions=range(1, count, 2), length=k, method="tfs")
    assert len(release.data) == -(-count // 2) * k + -(-count // 2) - 1
    if count % 2 == 1:
        assert len(release.data) == -(-count // 2) * k + count // 2
    assert len(sf.sanitize(text, positions=range(1, count, 2), length=k, method="pfs").data) == len(
        release.data
    )


@pytest.mark.data
@pytest.mark.parametrize(("name", "tau", "patterns"), [("tru", 10, 20), ("old", 20, 60)])
def test_tpm_loses_nothing_and_distorts_several_times_less_than_ba(
    data_folder, name, tau, patterns
):
    text = (data_folder / f"{name}.txt").read_text("utf-8").rstrip("\n")
    options = {"tau": tau, "separator": "§"}
    tpm = sf.sanitize(text, draw=patterns, length=4, **options)
    secret = tpm.sides.patterns
    assert all(verdict.holds for verdict in sf.verify(text, tpm))
    assert tpm.loss["lost"] == tpm.loss["ghosts"] == 0
    ba = sf.sanitize(text, secret, "ba", **options)
    assert ba.loss["distortion"] > 3 * tpm.loss["distortion"]
    assert ba.loss["lost"] > 0
    # The paper's heuristic assumes the worst and makes ghosts; the greedy one makes none.
    assert sf.sanitize(text, secret, "tpm", "mcsr", **options).loss["ghosts"] > 0


@pytest.mark.data
def test_tfs_and_etfs_on_tru(data_folder):
    text = (data_folder / "tru.txt").read_text("utf-8").rstrip("\n")
    options = {"tau": 10, "length": 4, "separator": "§"}
    etfs = sf.sanitize(text, draw=10, method="etfs", **options)
    assert all(verdict.holds for verdict in sf.verify(text, etfs))
    tfs = sf.sanitize(text, etfs.sides.patterns, "tfs", separator="§")
    assert etfs.loss["edit_distance"] <= edit_distance(text, tfs.data)
