"""Verdicts on sanitized sequences, right and spoilt, against the definitions."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from oracles import patterns as oracle
from sfumato.core.release import Sides

pytestmark = pytest.mark.filterwarnings("ignore:no non-sensitive window")


def expected(claim: sf.Claim, text: str, z: str, patterns: list[str], k: int) -> bool:
    """The claim by its definition."""
    marked = oracle.marked(text, patterns, k)
    before, after = Counter(oracle.kept(text, marked, k)), Counter(oracle.windows(z, k))
    if claim.name == "pattern-free":
        return not any(pattern in z for pattern in patterns)
    if claim.name == "frequency-kept":
        return before == after
    if claim.name == "no-lost":
        return all(after[window] >= count for window, count in before.items())
    if claim.name == "no-implausible":
        real = Counter(oracle.windows(text, k))
        made = [window for window in after if after[window] > real[window]]
        return all(oracle.z_score(window, text) >= claim.parameters["rho"] for window in made)
    if claim.parameters["order"] == "total":
        return oracle.kept(text, marked, k) == oracle.windows(z, k)
    if claim.parameters["order"] == "subsequence":
        rest = iter(oracle.windows(z, k))
        return all(window in rest for window in oracle.kept(text, marked, k))
    return oracle.keeps_chains(text, z, marked, k)


@st.composite
def releases(draw):
    text = draw(st.text("abc", max_size=20))
    k = draw(st.integers(1, 4))
    word = st.text("abc", min_size=k, max_size=k + draw(st.integers(0, 2)))
    patterns = draw(st.lists(word, min_size=1, max_size=3))
    method = draw(st.sampled_from(["tfs", "pfs", "etfs", "tm", "tpm", "tmi", "ba"]))
    options = {"rho": -0.4} if method == "tmi" else {}
    return text, patterns, method, options


@settings(max_examples=400)
@given(releases(), st.data())
def test_verdicts_equal_the_definitions(instance, data):
    text, patterns, method, options = instance
    k = min(map(len, patterns))
    if method == "tmi" and k < 3:
        return
    try:
        release = sf.sanitize(text, patterns, method, **options)
    except sf.CannotBeMet:
        return
    assert all(verdict.holds for verdict in sf.verify(text, release))
    z = release.data
    at = data.draw(st.integers(0, len(z)))
    size = data.draw(st.integers(0, 3))
    spoilt = z[:at] + data.draw(st.text("abc#", max_size=3)) + z[at + size :]
    if data.draw(st.booleans()):
        cut = data.draw(st.integers(0, len(spoilt)))
        spoilt = spoilt[cut:] + spoilt[:cut]
    for verdict in sf.verify(text, replace(release, data=spoilt)):
        assert verdict.holds == expected(verdict.claim, text, spoilt, patterns, k)


@settings(max_examples=100)
@given(
    st.lists(st.text("ab", max_size=9), min_size=1, max_size=4),
    st.sampled_from(["tfs", "pfs", "etfs", "tm", "tpm"]),
    st.integers(0, 3),
)
def test_collections_hold_and_do_not_when_sequences_are_swapped(texts, method, at):
    patterns = ["aba", "bb"]
    try:
        release = sf.sanitize(texts, patterns, method)
    except sf.CannotBeMet:
        return
    assert all(verdict.holds for verdict in sf.verify(texts, release))
    words = sf.sanitize([list(text) for text in texts], [list(p) for p in patterns], method)
    original = [list(text) for text in texts]
    assert all(verdict.holds for verdict in sf.verify(original, words))
    swapped = release.data[1:] + release.data[:1]
    wrong = any(
        not expected(claim, text, z, patterns, 2)
        for text, z in zip(texts, swapped, strict=True)
        for claim in release.claims
        if claim.name == "order-kept"
        and oracle.marked("#".join(texts), patterns, 2) == oracle.marked(text, patterns, 2)
    )
    if wrong:
        verdicts = sf.verify(texts, replace(release, data=swapped))
        assert not all(verdict.holds for verdict in verdicts)


def test_a_lost_sequence_is_noticed():
    release = sf.sanitize(["abab", "abba"], ["ab"], "tfs")
    verdicts = sf.verify(["abab", "abba"], replace(release, data=release.data[:1]))
    assert not any(verdict.holds for verdict in verdicts)


def test_without_patterns_nothing_holds():
    release = sf.sanitize("abab", ["ab"], "tfs")
    verdicts = sf.verify("abab", replace(release, sides=Sides()))
    assert not any(verdict.holds for verdict in verdicts)


def test_listed_and_reference_implausible_patterns():
    text, patterns = "aabaaacbcbbbaabbacaab", ["baaa", "bbaa"]
    release = sf.sanitize(text, patterns, "tm", implausible=["bbac"])
    assert all(verdict.holds for verdict in sf.verify(text, release))
    spoilt = release.data.replace("#", "") + "bbacbbac"
    names = {v.claim.name: v.holds for v in sf.verify(text, replace(release, data=spoilt))}
    assert not names["no-implausible"]
    other = sf.sanitize(text, patterns, "tmi", rho=-0.1, reference="abcabcacbbacb" * 3)
    assert all(verdict.holds for verdict in sf.verify(text, other))
    for made in (release, other):  # without the list or the reference nothing is known of it
        known = Sides(patterns=patterns)
        names = {v.claim.name: v.holds for v in sf.verify(text, replace(made, sides=known))}
        assert names.pop("no-implausible") is False
        assert all(names.values())


def test_a_separator_that_is_text_is_none():
    release = sf.sanitize("abab", ["ab"], "tfs")
    claims = tuple(
        replace(claim, parameters={**claim.parameters, "separator": "a"})
        for claim in release.claims
    )
    verdicts = sf.verify("cbcb", replace(release, claims=claims))
    assert not any(verdict.holds for verdict in verdicts)
    assert all("separator" in verdict.reason for verdict in verdicts)
