"""Counting classes, diversity and closeness against their definitions, on random small tables."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from oracles import record_measures as oracle
from sfumato.core.claims import Claim
from sfumato.core.release import Release, Sides
from sfumato.core.spans import Changes
from sfumato.schema import Column, as_schema
from sfumato.verification import records_secrets as secrets
from sfumato.verification.records_own_values import Bound
from sfumato.verification.records_texts import _aligned, _spliced

NONE = Changes(*(pl.Series([], dtype=pl.Int64).to_numpy() for _ in range(3)), [], [])
ROWS = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from("ab"), st.integers(0, 2), st.integers(0, 3)),
    min_size=1,
    max_size=12,
)


@settings(max_examples=200)
@given(ROWS, st.integers(1, 4))
def test_k_is_counted_over_people(rows, k):
    """A release that changes nothing is verified exactly when the brute force count says so."""
    table = pl.DataFrame(rows, schema=["id", "x", "y", "z"], orient="row")
    signatures = {
        person: tuple(frozenset(row[i] for row in rows if row[0] == person) for i in (1, 2))
        for person in {row[0] for row in rows}
    }
    sizes = [len(members) for members in oracle.class_members(signatures)]
    numbers = {person: number for number, person in enumerate(sorted(signatures), 1)}
    schema = as_schema(
        {
            "person": "id",
            "columns": {
                "x": {"kind": "category"},
                "y": {"kind": "number"},
                "z": {"kind": "category", "role": "insensitive"},
            },
        }
    )
    claim = Claim("k-anonymity", "", {"k": k, "person": "id", "quasi": ["x", "y"], "text": []})
    data = table.with_columns(pl.col("id").replace_strict(numbers))
    release = Release(
        verb="anonymize",
        data=data,
        claims=(claim,),
        changes=NONE,
        loss={},
        parameters={},
        sides=Sides(schema=schema),
    )
    verdict = sf.verify(table, release)[0]
    assert verdict.holds == (min(sizes) >= k)
    if verdict.holds:
        assert verdict.measured["classes"] == len(sizes)


VOTES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4)), min_size=1, max_size=14)


def by_class(pairs):
    classes = sorted({c for c, _ in pairs})
    return [[v for c, v in pairs if c == one] for one in classes], [v for _, v in pairs]


@settings(max_examples=200)
@given(VOTES, st.integers(1, 3))
def test_diversity_and_closeness_are_their_definitions(pairs, level):
    groups, everybody = by_class(pairs)
    ranks = {v: i for i, v in enumerate(sorted(set(everybody)))}
    counts = secrets.votes(pl.Series([v for _, v in pairs]), pl.Series([c for c, _ in pairs]))
    places = counts["value"].replace_strict(ranks, return_dtype=pl.Int64)
    for found, expected in (
        (secrets.distinct_values(counts)["l"], [oracle.distinct_diversity(g) for g in groups]),
        (secrets.entropies(counts)["l"], [oracle.entropy_diversity(g) for g in groups]),
        (
            secrets.recursive(counts, level)["c"],
            [oracle.recursive_diversity(g, level) for g in groups],
        ),
        (
            secrets.equal_distances(counts).sort("class")["t"],
            [oracle.equal_distance(g, everybody) for g in groups],
        ),
        (
            secrets.ordered_distances(counts, places).sort("class")["t"],
            [oracle.ordered_distance(g, everybody) for g in groups],
        ),
    ):
        assert found.to_list() == pytest.approx(expected)


def test_ranks_follow_the_kind():
    ordered = Column(kind="ordered", order=["low", "high"], role="sensitive")
    assert secrets.ranks(ordered, pl.Series(["high", "low", None])).to_list() == [2, 1, 0]
    number = Column(kind="number", role="sensitive")
    assert secrets.ranks(number, pl.Series(["10", "9", "10"])).to_list() == [1, 0, 1]
    dates = Column(kind="date", format="%d.%m.%Y", role="sensitive")
    read = secrets.read_values(dates, pl.Series(["01.02.2003", "02.01.2003", "1.2.2003"]))
    assert secrets.ranks(dates, read).to_list() == [1, 0, 1]


SECRET = {"person": "id", "columns": {"x": {}, "s": {"kind": "category", "role": "sensitive"}}}


@pytest.mark.parametrize(
    ("claim", "passes"),
    [
        ({"name": "l-diversity", "l": 2, "diversity": "distinct"}, True),
        ({"name": "l-diversity", "l": 3, "diversity": "distinct"}, False),
        ({"name": "l-diversity", "l": 1.8, "diversity": "entropy"}, True),
        ({"name": "l-diversity", "l": 2, "diversity": "entropy"}, False),
        ({"name": "l-diversity", "l": 2, "diversity": "recursive", "c": 2.5}, True),
        ({"name": "l-diversity", "l": 2, "diversity": "recursive", "c": 2}, False),
        ({"name": "t-closeness", "t": 0.2, "distance": "equal"}, True),
        ({"name": "t-closeness", "t": 0.1, "distance": "equal"}, False),
        ({"name": "t-closeness", "t": 0.2, "distance": "ordered"}, True),
        ({"name": "t-closeness", "t": 0.1, "distance": "ordered"}, False),
    ],
)
def test_diversity_and_closeness_are_judged(claim, passes):
    """Two classes: flu, flu, hiv and flu, hiv, hiv; somebody's second row is no second vote."""
    table = pl.DataFrame(
        {
            "id": [1, 2, 3, 3, 4, 5, 6],
            "x": ["a", "a", "a", "a", "b", "b", "b"],
            "s": ["flu", "flu", "hiv", "hiv", "flu", "hiv", "hiv"],
        }
    )
    name, rest = claim.pop("name"), claim
    schema = as_schema(SECRET)
    stated = Claim(name, "", {"c": None, "column": "s", **rest})
    release = Release(
        verb="anonymize",
        data=table,
        claims=(stated,),
        changes=NONE,
        loss={},
        parameters={},
        sides=Sides(schema=schema),
    )
    assert sf.verify(table, release)[0].holds is passes


TEXT = st.text("ab c", max_size=12)


@settings(max_examples=200)
@given(TEXT, st.data())
def test_alignment_finds_changes_that_give_the_release(text, data):
    """Whatever the terms became, some reading of the release as changes within them is found."""
    edges = sorted(set(data.draw(st.lists(st.integers(0, len(text)), max_size=6))))
    bounds = [Bound(a, b, "ab") for a, b in zip(edges[::2], edges[1::2], strict=False)]
    new = [
        (a, b, data.draw(st.sampled_from([text[a:b], "ab", "Ab", "x y"]))) for a, b, *_ in bounds
    ]
    released = _spliced(text, new)
    found = _aligned(text, released, bounds)
    assert found is not None
    assert _spliced(text, found) == released


def test_alignment_refuses_changes_elsewhere():
    assert _aligned("one two three", "one 2 three", [Bound(4, 7, "n")]) == [(4, 7, "2")]
    assert _aligned("one two three", "0ne 2 three", [Bound(4, 7, "n")]) is None
    assert _aligned("one two three", "one 2 thre", [Bound(4, 7, "n")]) is None
