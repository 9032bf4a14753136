"""Deletion, replacement in given sequences, short strings, implausible patterns of any length."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import sfumato as sf
from oracles import patterns as oracle
from sfumato.formats.sequences import Event

pytestmark = pytest.mark.filterwarnings("ignore:no non-sensitive window")


def words(least=1, most=3, alphabet="abc"):
    return st.text(alphabet, min_size=least, max_size=most)


def verdicts(text, release):
    return {verdict.claim.name: verdict.holds for verdict in sf.verify(text, release)}


@settings(max_examples=300)
@given(st.text("abc", max_size=11), st.lists(words(), min_size=1, max_size=4))
def test_the_fewest_symbols_are_deleted_and_none_is_made(text, patterns):
    release = sf.sanitize(text, patterns, "delete")
    assert not any(pattern in release.data for pattern in patterns)
    assert oracle.is_subsequence(release.data, text)
    assert len(text) - len(release.data) == oracle.fewest_deleted(text, patterns)
    assert release.counts["deleted"] == len(text) - len(release.data)
    assert verdicts(text, release) == {"pattern-free": True, "nothing-invented": True}
    left = list(text)
    for change in reversed(release.changes):
        assert not change.replacement
        del left[change.start : change.stop]
    assert "".join(left) == release.data


def test_deletion_on_all_binary_texts_of_eight():
    for letters in product("ab", repeat=8):
        text = "".join(letters)
        for patterns in (["ab"], ["aba", "bb"], ["aa", "bab"], ["ab", "ba"]):
            made = sf.sanitize(text, patterns, "delete").data
            assert len(text) - len(made) == oracle.fewest_deleted(text, patterns)


@given(st.lists(st.text("ab", max_size=9), min_size=1, max_size=4), st.data())
def test_deletion_in_collections_and_of_symbols(texts, data):
    patterns = ["aba", "bb"]
    release = sf.sanitize(texts, patterns, "delete")
    as_lists = [list(text) for text in texts]
    other = sf.sanitize(as_lists, [list(one) for one in patterns], "delete")
    assert ["".join(one) for one in other.data] == release.data
    assert all(verdicts(texts, release).values())
    at = data.draw(st.integers(0, len(texts) - 1))
    spoilt = [*release.data]
    spoilt[at] = data.draw(st.text("ab", max_size=9))
    held = verdicts(texts, replace(release, data=spoilt))
    assert held["nothing-invented"] == oracle.is_subsequence(spoilt[at], texts[at])


def test_a_separator_of_other_methods_is_a_symbol_like_others():
    assert sf.sanitize("a#b#", ["#b"], "delete").data in ("a##", "ab#", "a#")
    assert sf.sanitize(["x", None, "y"], [["x", None]], "delete").data in (["x", "y"], [None, "y"])


def test_long_texts_are_taken_apart():
    text = "abcde" * 4000
    release = sf.sanitize(text, ["bcdea", "ecd"], "delete")
    assert all(verdicts(text, release).values())
    assert release.counts["deleted"] == 3999


def test_events_keep_their_times_and_no_other():
    events = [Event(f"{what}\x1e{hour}") for hour, what in enumerate("abcab")]
    release = sf.sanitize([events], [["b", "c"]], "delete")
    assert [one.time for one in release.data[0]] in (["0", "1", "3", "4"], ["0", "2", "3", "4"])
    assert all(verdicts([events], release).values())
    moved = [*release.data[0][:-1], Event("b\x1e9")]
    assert not verdicts([events], replace(release, data=[moved]))["nothing-invented"]
    assert not verdicts([events], replace(release, data=[["a"]]))["nothing-invented"]


@settings(max_examples=200)
@given(
    st.text("abc#", max_size=16),
    st.lists(words(2, 3), min_size=1, max_size=3),
    st.sampled_from(["hide-and-mine", "mcsr"]),
)
@example("ab##", ["bab"], "hide-and-mine")
@example("#", ["ab"], "mcsr")
def test_separators_of_a_given_sequence_are_replaced(text, patterns, replacement):
    if any(one in text for one in patterns):
        with pytest.raises(sf.BadInput, match="occur in it"):
            sf.sanitize(text, patterns, "replace", replacement)
        return
    try:
        release = sf.sanitize(text, patterns, "replace", replacement)
    except sf.CannotBeMet:
        return
    assert "#" not in release.data
    assert not any(one in release.data for one in patterns)
    k = min(map(len, patterns))
    rest = iter(oracle.windows(release.data, k))
    assert all(window in rest for window in oracle.windows(text, k))
    assert all(verdicts(text, release).values())


@settings(max_examples=200)
@given(st.text("abc", max_size=18), st.lists(words(3, 3), min_size=1, max_size=3))
def test_others_outputs_are_gone_on_with(text, patterns):
    """Replacing in the X or Y of a first run is the same as replacing at once."""
    for first, whole in (("tfs", "tm"), ("pfs", "tpm")):
        given = sf.sanitize(text, patterns, first).data
        try:
            at_once = sf.sanitize(text, patterns, whole).data
            later = sf.sanitize(given, patterns, "replace")
        except sf.CannotBeMet:
            continue
        if first == "tfs" and set(given) >= set(text):
            assert later.data == at_once
        assert all(verdicts(given, later).values())


@settings(max_examples=300)
@given(
    words(0, 4, "ab"),
    words(0, 4, "ab"),
    st.lists(words(3, 3, "ab"), min_size=1, max_size=4),
    st.lists(words(1, 4, "ab"), max_size=2),
)
def test_short_strings_are_shortest(left, right, sensitive, listed):
    text = f"{left}#{right}"
    if any(one in text for one in sensitive):
        return
    forbidden = [*sensitive, *listed]
    wanted = oracle.shortest_filling(left, right, "ab", forbidden, 8)
    # Both letters are there, at the end of another sequence, and a third has no separator.
    try:
        release = sf.sanitize([text, "ab"], sensitive, "replace", implausible=listed or None)
    except sf.CannotBeMet:
        assert wanted is None
        return
    assert len(release.data[0]) - len(left + right) == wanted


@settings(max_examples=300)
@given(
    st.text("abc", min_size=4, max_size=16),
    st.lists(words(2, 3), min_size=1, max_size=3),
    st.lists(words(1, 5), min_size=1, max_size=3),
    st.sampled_from(["tm", "tpm", "tmi"]),
)
def test_no_listed_pattern_of_any_length_is_made(text, patterns, listed, method):
    try:
        release = sf.sanitize(text, patterns, method, implausible=listed)
    except sf.CannotBeMet:
        return
    for one in listed:
        assert one in text or one not in release.data
    assert all(verdicts(text, release).values())
    made = release.data + listed[0]
    k = min(map(len, patterns))
    if len(listed[0]) != k and listed[0] not in text:
        assert not verdicts(text, replace(release, data=made))["no-implausible"]


def test_what_no_letter_fits_gets_a_short_string():
    # Between a and b every letter of the text, and deletion, would make a sensitive pattern.
    text, patterns = "aacbbcaadd", ["ab", "ac", "cb", "bc", "ca"]
    release = sf.sanitize(text, patterns, "tm")
    assert not any(one in release.data for one in patterns)
    assert release.counts["invented"] > release.counts["replaced"] - 1
    assert all(verdicts(text, release).values())


def test_what_is_written_is_announced():
    release = sf.sanitize("aabaaacbcbbbaabbacaab", ["baaa", "bbaa"])
    assert release.counts["invented"] == 1
    assert any("invented symbols in the release: 1;" in one for one in release.warnings)
    said = " ".join(claim["statement"] for claim in release.certificate()["claims"])
    assert "are invented" in said
    assert "invented" not in release.certificate()["counts"]
    kept = sf.sanitize("aabaaacbcbbbaabbacaab", ["baaa", "bbaa"], "delete")
    assert not any("invented" in one for one in kept.warnings)
