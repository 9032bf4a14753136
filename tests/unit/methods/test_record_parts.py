"""Large tables in parts: cut at exact medians, clustered part by part."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.kernels.records import CategoryColumn, NumberColumn, People, TermColumn
from sfumato.methods.records import parts


@st.composite
def tables(draw):
    people = draw(st.integers(1, 60))
    codes = st.lists(st.integers(-1, 5), min_size=people, max_size=people)
    low = np.array(draw(codes), np.int32)
    values = np.array([0.0, 1, 5, 6, 9, 40])
    category = np.maximum(np.array(draw(codes), np.int32), 0)
    return People(people, [NumberColumn(low, low, values), CategoryColumn(category, 6)])


@settings(max_examples=80, deadline=None)
@given(tables(), st.integers(1, 6), st.integers(1, 30))
def test_parts_have_everybody_once_and_k_people(table, k, most):
    found = parts.parts_of(table, k, most)
    assert sorted(np.concatenate(found).tolist()) == list(range(table.count))
    for members in found:
        assert (np.diff(members) > 0).all()
        assert len(members) >= min(k, table.count)
        if len(members) > most:  # no column could be cut
            for column in table.columns:
                key = parts.keys_of(column)[0][members]
                middle = np.sort(key)[len(key) // 2]
                for border in (middle, middle + 1):
                    left = int((key < border).sum())
                    assert left < k or len(key) - left < k


def test_the_widest_column_is_cut_at_its_median():
    ages = np.array([0, 1, 2, 3, 4, 5, 6, 7], np.int32)
    values = np.array([0.0, 1, 2, 3, 4, 5, 6, 100])
    job = np.array([0, 1, 0, 1, 0, 1, 0, 1], np.int32)
    table = People(8, [NumberColumn(ages, ages, values), CategoryColumn(job, 2)])
    # Both are as wide as in all: the first is cut; then age is narrower than in all, and job is.
    found = sorted(one.tolist() for one in parts.parts_of(table, 2, 3))
    assert found == [[0, 2], [1, 3], [4, 6], [5, 7]]


def test_terms_are_not_cut():
    terms = TermColumn(np.zeros(6, np.int32), 1, np.arange(7, dtype=np.int64))
    assert len(parts.parts_of(People(6, [terms]), 1, 2)) == 1


def test_a_table_of_many_parts_is_verified_and_loses_little_more(monkeypatch):
    choice = np.random.default_rng(7)
    frame = pl.DataFrame(
        {"age": choice.integers(18, 90, 1200), "job": choice.integers(0, 9, 1200).astype(str)}
    )
    schema = {"columns": {"age": {"kind": "number"}, "job": {}}}
    whole = sf.anonymize(frame, schema, k=5, key="a key of sixteen bytes")
    monkeypatch.setattr(parts, "PART", 300)
    cut = sf.anonymize(frame, schema, k=5, key="a key of sixteen bytes")
    assert all(one.holds for one in sf.verify(frame, cut))
    assert cut.loss["NCP"] == pytest.approx(whole.loss["NCP"], rel=0.25)
