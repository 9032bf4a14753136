"""Drawn classes: they tell no more than their shares, and are as demanded whoever is in them."""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import records_drawn as oracle

import sfumato as sf
from sfumato.core.claims import Claim
from sfumato.kernels.records import CategoryColumn, NumberColumn, People, Sensitive
from sfumato.kernels.records_drawn import drawn
from sfumato.kernels.records_strata import always_hold
from sfumato.verification.records_cover import fewest_values

CASES = [
    ("aabb", [1, 2, 3, 9], 2, {"diversity": "distinct", "l": 2}),
    ("aabc", [1, 1, 2, 3], 2, {"diversity": "distinct", "l": 2}),
    ("aaab", [1, 2, 3, 4], 2, {"diversity": "distinct", "l": 2}),
    ("aaaabb", [1, 2, 3, 4, 7, 9], 3, {"diversity": "entropy", "l": 1.5}),
    ("aabbcc", [1, 2, 3, 4, 7, 9], 2, {"diversity": "recursive", "l": 2, "c": 2.0}),
    ("aaabbb", [1, 1, 1, 4, 4, 4], 2, {"t": 0.1}),
    ("aabbc", [1, 2, 5, 6, 9], 2, {"diversity": "distinct", "l": 2}),
]


def table(codes, ages, demanded, distinct=None):
    ranks = np.array([sorted(set(ages)).index(one) for one in ages], np.int32)
    column = NumberColumn(ranks, ranks, np.array(sorted(set(ages)), float))
    secret = Sensitive(np.array(codes, np.int32), distinct or max(codes) + 1, **demanded)
    return People(len(ages), [column], [secret])


@pytest.mark.parametrize(("values", "ages", "k", "demanded"), CASES)
def test_each_value_of_a_class_is_as_likely_as_its_share(values, ages, k, demanded):
    names = sorted(set(values))
    count = len(values) // k
    least, more = divmod(len(values), count)
    drawn_classes = set()

    def method(world, order, apart):
        people = table([names.index(one) for one in world], ages, demanded, len(names))
        draws = (np.array(order), np.array(apart))
        found = drawn(people, k, 1.0, lambda turn: draws[min(turn, 1)])
        assert people.hold(found.classes, k)
        drawn_classes.add(tuple(found.classes))
        return found.classes

    for shares, told in oracle.beliefs(values, method, more * (least + 1)):
        assert told == shares
    assert len(drawn_classes) > 1 or values == "aaab"


demands = st.sampled_from(
    [
        {"diversity": "distinct", "l": 2},
        {"diversity": "distinct", "l": 3},
        {"diversity": "entropy", "l": 1.7},
        {"diversity": "recursive", "l": 2, "c": 2.0},
        {"t": 0.3},
        {"t": 0.4, "ordered": True},
        {"diversity": "entropy", "l": 1.5, "t": 0.5},
    ]
)


@st.composite
def strata_of_people(draw):
    rows, width = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    distinct = draw(st.integers(1, 4))
    codes = draw(
        st.lists(st.integers(0, distinct - 1), min_size=rows * width, max_size=rows * width)
    )
    if draw(st.booleans()):
        codes.sort()
    return np.array(codes, np.int32), np.arange(rows * width).reshape(rows, width)


@settings(max_examples=300, deadline=None)
@given(strata_of_people(), demands, st.booleans(), st.data())
def test_what_always_holds_holds_whoever_is_in_it(made, demanded, missing, data):
    codes, strata = made
    seen, codes = np.unique(codes, return_inverse=True)
    sets = None
    if data.draw(st.booleans()) and not demanded.get("ordered"):
        sets = [sorted(data.draw(st.sets(st.integers(0, 3), min_size=1, max_size=3))) for _ in seen]
        if missing:
            sets[0] = []
    one = Sensitive(
        codes.astype(np.int32),
        len(seen),
        missing=missing,
        offsets=None if sets is None else np.cumsum([0, *map(len, sets)]).astype(np.int64),
        values=np.array([v for s in sets or () for v in s], np.int32),
        **demanded,
    )
    people = People(len(codes), [CategoryColumn(np.zeros(len(codes), np.int32), 1)], [one])
    if always_hold([one], strata):
        for chosen in product(*strata.tolist()):
            assert people.satisfied(np.array(chosen, np.uint32), 1), chosen


sets_of_values = st.lists(
    st.frozensets(st.integers(0, 5), min_size=1, max_size=4), min_size=1, max_size=7
)


@settings(max_examples=300, deadline=None)
@given(sets_of_values, st.integers(1, 4))
def test_no_few_values_cover_a_class(people, l):  # noqa: E741 - the paper's letter
    least = oracle.fewest_values(people)
    words = [frozenset(map(str, one)) for one in people]
    assert fewest_values(words, 9) == least
    assert fewest_values(words, l - 1) == min(least, l)
    known = sorted({tuple(sorted(one)) for one in people})
    codes = np.array([known.index(tuple(sorted(one))) for one in people], np.int32)
    sensitive = Sensitive(
        codes,
        len(known),
        diversity="distinct",
        l=l,
        offsets=np.cumsum([0, *map(len, known)]).astype(np.int64),
        values=np.array([value for one in known for value in one], np.int32),
    )
    alike = People(len(people), [CategoryColumn(np.zeros(len(people), np.int32), 1)], [sensitive])
    everybody = np.arange(len(people), dtype=np.uint32)
    assert alike.satisfied(everybody, 1) == (least >= l and len(known) >= l)


SCHEMA = {"person": "id", "columns": {"age": {"kind": "number"}, "ill": {"role": "sensitive"}}}
LISTS = {
    "person": "id",
    "columns": {"age": {"kind": "number"}, "ill": {"role": "sensitive", "kind": "set"}},
}


def rows_of(people):
    rows = [(i, 20 + i, ill) for i, ills in enumerate(people) for ill in sorted(ills)]
    return pl.DataFrame(rows, schema=["id", "age", "ill"], orient="row")


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sets(st.sampled_from("abcde"), min_size=1, max_size=3), min_size=4, max_size=14),
    st.sampled_from(["distinct", "entropy", "recursive"]),
    st.sampled_from(["drawn", "chosen"]),
    st.sampled_from(["clusters", "mondrian"]),
)
def test_releases_of_people_with_several_values_hold(people, diversity, strata, partitioner):
    frame = rows_of(people)
    try:
        release = sf.anonymize(
            frame,
            SCHEMA,
            k=2,
            l=2,
            c=3.0,
            diversity=diversity,
            strata=strata,
            partitioner=partitioner,
        )
    except sf.CannotBeMet:
        return
    for original in (frame, None):
        assert all(one.holds for one in sf.verify(original, release))
    shown = release.data.group_by("age", "id").agg(pl.col("ill"))
    for _, part in shown.group_by("age"):
        assert len(frozenset.intersection(*map(frozenset, part["ill"].to_list()))) == 0


@pytest.mark.parametrize("lists", [False, True])
@pytest.mark.parametrize("diversity", ["distinct", "entropy", "recursive"])
def test_a_class_that_shares_one_of_several_values_is_found(diversity, lists):
    """Everybody of the first class has flu: two different sets, and nothing is open."""
    people = [{"flu", "gout"}, {"flu", "cold"}, {"gout", "cold"}, {"gout"}, {"hiv"}, {"cold"}]
    schema, frame = (LISTS if lists else SCHEMA), rows_of(people)
    if lists:
        frame = frame.group_by("id", "age", maintain_order=True).agg("ill")
    release = sf.anonymize(frame, schema, k=2, shuffle=False, key=b"k" * 16)
    classes = np.array([0, 0, 1, 1, 1, 1])[frame["id"].to_numpy()]
    cells = pl.Series(["[20-21]", "[22-25]"]).gather(classes)
    wrong = sf.Release(
        **{name: getattr(release, name) for name in release.__dataclass_fields__}
        | {"data": release.data.with_columns(cells.alias("age"))}
    )
    parameters = {"l": 2, "diversity": diversity, "c": 3.0, "column": "ill"}
    from sfumato.verification.records import check_records

    text = f"Every class has {diversity} 2-diversity of a sensitive column."
    verdict = check_records(Claim("l-diversity", text, parameters), frame, wrong)
    assert not verdict.holds
    assert "1 values are enough" in verdict.reason
    right = Claim("l-diversity", text, {**parameters, "l": 1})
    assert check_records(right, frame, wrong).holds


def test_many_people_are_formed_in_blocks(monkeypatch):
    rng = np.random.default_rng(3)
    ages, values = rng.integers(18, 90, 900), rng.permutation(900) % 3
    monkeypatch.setattr("sfumato.kernels.records_drawn.MOST_CLASSES", 30)
    people = table(values.tolist(), ages.tolist(), {"diversity": "distinct", "l": 3}, 3)
    found = drawn(people, 3, 1.0, lambda turn: np.random.default_rng(turn).permutation(900))
    assert people.hold(found.classes, 3)
    assert np.bincount(found.classes).tolist() == [3] * 300
