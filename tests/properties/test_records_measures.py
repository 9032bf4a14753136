"""Losses and coverage of recoded cells against their definitions, on small random tables."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from oracles import record_measures as oracle
from sfumato.metrics.records import measure, ncp
from sfumato.schema import Column
from sfumato.verification.records_cells import covered

NUMBERS = st.lists(st.tuples(st.integers(-3, 9), st.integers(0, 2)), min_size=1, max_size=8)
WORDS = ["Bonn", "Ulm", "Rome", "Oslo"]
TOWNS = ["a", "b", "a,b", "c"]


@settings(max_examples=50)
@given(NUMBERS)
def test_the_loss_of_numbers(pairs):
    """Classes of people and the range of each, against the width of all."""
    values = [value for value, _ in pairs]
    ranges = {c: [v for v, own in pairs if own == c] for _, c in pairs}
    cells = [f"[{min(ranges[c])}-{max(ranges[c])}]" for _, c in pairs]
    expected = np.mean([oracle.number_loss(min(r := ranges[c]), max(r), values) for _, c in pairs])
    schema = {"columns": {"x": {"kind": "number"}}}
    found = ncp(pl.DataFrame({"x": values}), pl.DataFrame({"x": cells}), schema)
    assert found.relational == pytest.approx(expected)


@settings(max_examples=50)
@given(st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 2)), min_size=1, max_size=8))
def test_the_loss_of_categories(pairs):
    values = [value for value, _ in pairs]
    named = {c: sorted({v for v, own in pairs if own == c}) for _, c in pairs}
    cells = [one[0] if len(one := named[c]) == 1 else f"({','.join(one)})" for _, c in pairs]
    expected = np.mean([oracle.set_loss(set(named[c]), values) for _, c in pairs])
    schema = {"columns": {"x": {"kind": "category"}}}
    found = ncp(pl.DataFrame({"x": values}), pl.DataFrame({"x": cells}), schema)
    assert found.relational == pytest.approx(expected)


@settings(max_examples=50)
@given(
    st.lists(st.lists(st.sampled_from(WORDS), max_size=4), min_size=2, max_size=9),
    st.integers(1, 3),
    st.sampled_from(["mondrian", "gdf", "clusters"]),
)
def test_the_loss_of_texts(texts, k, partitioner):
    """What all of a class mention is kept; a person without terms loses nothing."""
    if len(texts) < k:
        return
    frame = pl.DataFrame({"note": [" ".join(words) for words in texts]})
    found = [
        sf.Span(number, place.start(), place.end(), "GPE")
        for number, text in enumerate(frame["note"])
        for place in re.finditer(r"\w+", text)
    ]
    schema = {"columns": {"note": {"kind": "text"}}}
    release = sf.anonymize(frame, schema, k=k, partitioner=partitioner, recognizer=found)
    members: dict[int, list[set[str]]] = {}
    for number, row in zip(release.sides.classes, release.sides.rows, strict=True):
        members.setdefault(number, []).append(set(texts[row]))
    lost = [
        oracle.term_loss(set.intersection(*own), one) for own in members.values() for one in own
    ]
    assert release.loss["NCP_X"] == pytest.approx(np.mean(lost))
    assert measure(frame, release)[0].textual == pytest.approx(np.mean(lost))


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.tuples(st.none() | st.integers(-3, 9), st.integers(-3, 9), st.integers(0, 5)),
        min_size=1,
        max_size=8,
    ),
    st.booleans(),
)
def test_ranges_cover_what_lies_in_them(rows, marked):
    mark = "|missing" if marked else ""
    cells = [f"[{low}-{low + width}]{mark}" for _, low, width in rows]
    values = pl.Series([value for value, _, _ in rows], dtype=pl.Int64)
    expected = [
        marked if value is None else low <= value <= low + width for value, low, width in rows
    ]
    assert covered(Column(kind="number"), values, pl.Series(cells)).to_list() == expected


@settings(max_examples=50)
@given(
    st.lists(
        st.tuples(
            st.none() | st.sampled_from("abcd"), st.none() | st.sets(st.sampled_from("abcd"))
        ),
        min_size=1,
        max_size=8,
    )
)
def test_sets_cover_what_they_name(rows):
    cells = [None if named is None else f"({','.join(sorted(named))})" for _, named in rows]
    values = pl.Series([value for value, _ in rows], dtype=pl.String)
    expected = [
        named is None if value is None else named is not None and value in named
        for value, named in rows
    ]
    found = covered(Column(kind="category"), values, pl.Series(cells, dtype=pl.String))
    assert found.to_list() == expected


def test_values_with_commas_are_looked_for_whole():
    values = pl.Series(TOWNS)
    found = covered(Column(kind="category"), values, pl.Series(["(a,b,c)"] * len(TOWNS)))
    assert found.to_list() == [True, True, True, True]
    found = covered(Column(kind="category"), values, pl.Series(["(ab,c)"] * len(TOWNS)))
    assert found.to_list() == [False, False, False, True]
