"""Releases of sequences that nobody made on purpose: every verdict is that of the definition."""

from __future__ import annotations

import random
from collections import Counter
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from oracles import patterns as oracle
from sfumato.core.claims import Claim
from sfumato.core.release import Release, Sides
from sfumato.core.spans import Changes
from sfumato.verification.patterns import check_patterns

NAMES = ["pattern-free", "frequency-kept", "no-lost", "nothing-invented"]
ORDERS = ["total", "subsequence", "blocks"]


def judged(name, original, data, patterns, k=2, **stated):
    """One verdict; `stated` are parameters of the claim and side inputs."""
    sides = {one: stated.pop(one) for one in ("implausible", "reference") if one in stated}
    usual = {"k": k, "separator": "#", "collection": False}
    usual |= {"listed": "implausible" in sides, "reference": "reference" in sides}
    claim = Claim(name, "", usual | stated)
    parts = {"claims": (), "changes": Changes.of(), "loss": {}, "parameters": {}}
    release = Release(verb="sanitize", data=data, sides=Sides(patterns=patterns, **sides), **parts)
    return check_patterns([claim], original, release)[0]


def some_case(chance):
    text = "".join(chance.choices("ab" if chance.random() < 0.5 else "abé", k=chance.randint(0, 9)))
    k = chance.randint(1, 3)
    patterns = ["".join(chance.choices("ab", k=k + chance.randint(0, 1))) for _ in range(2)]
    kept = oracle.marked(text, patterns, k)
    data = oracle.tfs(text, kept, k) if chance.random() < 0.6 else text
    for _ in range(chance.randint(0, 2)):
        at = chance.randint(0, len(data))
        data = data[:at] + chance.choice(["", "a", "b", "#"]) + data[at + chance.randint(0, 1) :]
    return text, data, patterns, k


def expected(name, order, text, data, patterns, k):
    sensitive = oracle.marked(text, patterns, k)
    before, after = oracle.kept(text, sensitive, k), oracle.windows(data, k)
    if name == "pattern-free":
        return not any(one in data for one in patterns)
    if name == "frequency-kept":
        return Counter(before) == Counter(after)
    if name == "no-lost":
        return not Counter(before) - Counter(after)
    if name == "nothing-invented":
        return oracle.is_subsequence(data, text)
    if order == "total":
        return before == after
    if order == "subsequence":
        return oracle.is_subsequence(before, after)
    return oracle.keeps_chains(text, data, sensitive, k)


@pytest.mark.parametrize("number", range(10))
@pytest.mark.parametrize(
    ("name", "order"), [*((name, None) for name in NAMES), *(("order-kept", o) for o in ORDERS)]
)
def test_verdicts_are_those_of_the_definition(number, name, order):
    chance = random.Random(number)
    more = {} if order is None else {"order": order}
    for _ in range(40):
        text, data, patterns, k = some_case(chance)
        wanted = expected(name, order, text, data, patterns, k)
        case = text, data, patterns, k
        assert judged(name, text, data, patterns, k, **more).holds == wanted, case
        # The same of lists of symbols, and of a collection of one sequence.
        lists = [list(text), list(data), [list(one) for one in patterns]]
        assert judged(name, *lists, k, **more).holds == wanted, case
        alone = judged(name, [text], [data], patterns, k, **more, collection=True)
        assert alone.holds == wanted, case


def test_places_are_told_by_sequence_and_offset():
    many = {"collection": True}
    verdict = judged("pattern-free", ["abba", "bab"], ["b", "bab"], ["ab"], **many)
    assert (verdict.holds, verdict.where) == (False, "sequence 1, offset 1")
    assert verdict.measured == {"occurrences": 1}
    verdict = judged("no-lost", ["bb", "aabb"], ["bb", "bb"], ["ab"], **many)
    assert (verdict.holds, verdict.where) == (False, "original's sequence 1, offset 0")
    verdict = judged("nothing-invented", ["ab", "ab"], ["ab", "aa"], ["ba"], **many)
    assert verdict.where == "sequence 1, offset 1"


def test_sequences_stay_apart():
    many = {"collection": True}
    assert judged("pattern-free", [], [], ["ab"], **many).holds
    assert judged("pattern-free", ["a", "b"], ["a", "b"], ["ab"], **many).holds
    assert not judged("pattern-free", ["ab", ""], ["ab", ""], ["ab"], **many).holds
    assert not judged("nothing-invented", ["a", "b"], ["b", "a"], ["ab"], **many).holds
    assert "2 sequences became 1" in judged("no-lost", ["a", "b"], ["a"], ["ab"], **many).reason


def test_what_is_missing_is_asked_for():
    assert "patterns are needed" in judged("no-lost", "ab", "ab", None).reason
    for told in ("implausible", "reference"):
        verdict = judged("no-implausible", "ab", "ab", ["ba"], rho=None, **{told: None})
        assert not verdict.holds
        assert "needed to judge" in verdict.reason


def test_a_separator_stands_for_nothing_else():
    for patterns, text, holds in (
        (["ab"], "ba#", False),
        (["a#"], "ba", False),
        (["ab"], "b", True),
    ):
        assert judged("pattern-free", text, "b#a", patterns).holds is holds
    assert judged("pattern-free", "ba#", "b#a", ["ab"], separated=True).holds
    assert not judged("pattern-free", "ba", "ba", ["ab"], separator="a").holds
    assert judged("pattern-free", "ba", "ba", ["ab"], separator=None).holds
    numbers = {"separator": 0}
    assert judged("pattern-free", [1, 2], [1, 0, 2], [[1, 2]], **numbers).holds
    assert not judged("pattern-free", [1, 0], [1, 0], [[1, 2]], **numbers).holds
    assert not judged("pattern-free", [1, 3, 2], [1, 2], [[1, 2]], separator=None).holds


def test_a_release_alone_is_searched():
    assert judged("pattern-free", None, "b#a", ["ab"]).holds
    assert not judged("pattern-free", None, "bab", ["ab"]).holds


@pytest.mark.parametrize("form", [pl.Series, np.array, list])
def test_sequences_of_any_kind_are_read(form):
    assert not judged("pattern-free", form(["x", "y"]), form(["x", "y"]), [["x", "y"]]).holds
    assert judged("pattern-free", form(["x", "y"]), form(["x", "z"]), [["x", "y"]]).holds


@pytest.mark.parametrize("number", range(6))
def test_created_windows_are_scored_by_the_definition(number):
    chance = random.Random(number)
    seen = set()
    for _ in range(40):
        text, data, patterns, _ = some_case(chance)
        k, rho = 3, chance.choice([-0.6, 0.0, 0.3])
        told = "".join(chance.choices("ab", k=12))
        by = chance.choice([{}, {"reference": told}])
        real, after = Counter(oracle.windows(text, k)), Counter(oracle.windows(data, k))
        made = [one for one in after if after[one] > real[one]]
        wanted = all(oracle.z_score(one, told if by else text) >= rho for one in made)
        verdict = judged("no-implausible", text, data, patterns, k, rho=rho, **by)
        assert verdict.holds == wanted, (text, data, rho, by)
        lists = {name: list(one) for name, one in by.items()}
        again = judged("no-implausible", list(text), list(data), [["x"]], k, rho=rho, **lists)
        assert again.holds == wanted
        seen.add(wanted)
    assert len(seen) == 2


def test_listed_patterns_are_not_made():
    stated = {"rho": None, "implausible": ["bb", "aaa"]}
    verdict = judged("no-implausible", "abab", "abbab", ["x"], **stated)
    assert (verdict.holds, verdict.where) == (False, "sequence 0, offset 1")
    assert judged("no-implausible", "abb", "abb", ["x"], **stated).holds  # it was there before
    longer = judged("no-implausible", "aaba", "baaa", ["x"], **stated, other_lengths=True)
    assert (longer.holds, longer.where) == (False, "sequence 0, offset 1")
    assert judged("no-implausible", "aaba", "baaa", ["x"], **stated).holds  # of k alone
    assert judged("no-implausible", "aaab", "baaa", ["x"], **stated, other_lengths=True).holds
    assert judged("no-implausible", "abab", "ab", ["x"], **stated, other_lengths=True).holds


class Event(SimpleNamespace):
    """Equal to every event of its name, whenever it was."""

    def __eq__(self, other):
        return self.name == other.name

    def __hash__(self):
        return hash(self.name)


def test_events_keep_their_times():
    first, second = Event(name="a", time=1), Event(name="a", time=2)
    moved = Event(name="a", time=3)
    for data, timed, holds in (
        ([second], True, True),
        ([first, second], True, True),
        ([second, first], True, False),
        ([moved], True, False),
        ([moved], False, True),
    ):
        verdict = judged("nothing-invented", [first, second], data, [["b"]], timed=timed)
        assert verdict.holds is holds
    assert not judged("nothing-invented", ["a"], ["a"], [["b"]], timed=True).holds  # no time
