"""The measures are what their definitions say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.judging import entity_recall, token_counts, weighted_precision
from sfumato.core.spans import Gold
from sfumato.judging.sweep import knee
from sfumato.metrics.entities import entity_scores
from sfumato.metrics.tokens import token_scores


@st.composite
def marked_texts(draw):
    text = draw(st.text("ab ,é", min_size=1, max_size=14))
    masked = draw(st.sets(st.integers(0, len(text) - 1)))
    bounds = st.tuples(st.integers(0, len(text) - 1), st.integers(1, 5))
    gold = [
        (start, min(len(text), start + size), role, entity)
        for (start, size), role, entity in draw(
            st.lists(
                st.tuples(bounds, st.sampled_from(["direct", "quasi"]), st.sampled_from("xyz")),
                max_size=5,
            )
        )
    ]
    return text, masked, gold


def flags(text, masked):
    return [np.isin(np.arange(len(text)), sorted(masked))]


@settings(max_examples=200)
@given(marked_texts(), st.sampled_from([0.0, 0.2, 0.5]))
def test_token_scores_are_their_definition(case, share):
    text, masked, gold = case
    spans = [Gold(0, start, stop) for start, stop, _, _ in gold]
    found = token_scores([text], flags(text, masked), spans, share, " ,")
    places = [one[:2] for one in gold]
    expected = token_counts(text, masked, places, share, " ,")
    assert (found.right, found.wrong, found.missed) == expected


@settings(max_examples=200)
@given(marked_texts())
def test_entity_scores_are_their_definition(case):
    text, masked, gold = case
    spans = [Gold(0, a, b, "X", role=role, entity=entity) for a, b, role, entity in gold]
    found = entity_scores([text], flags(text, masked), spans)
    for role, recall, count in (
        ("direct", found.direct_recall, found.direct_entities),
        ("quasi", found.quasi_recall, found.quasi_entities),
    ):
        some, of = entity_recall(text, masked, gold, role)
        assert count == of
        assert recall == pytest.approx(some / of if of else 1.0)
    expected = weighted_precision(text, masked, [one[:2] for one in gold])
    assert found.weighted_precision == pytest.approx(expected)


@settings(max_examples=100)
@given(
    st.lists(
        st.tuples(st.floats(0, 1), st.floats(0, 1)),
        min_size=3,
        max_size=8,
        unique_by=lambda p: p[0],
    )
)
def test_the_knee_is_farthest_below_the_line_between_the_ends(points):
    points = sorted(points)
    found = knee(points)
    (x0, y0), (x1, y1) = points[0], points[-1]
    low, high = min(y for _, y in points), max(y for _, y in points)
    if high == low:
        assert found is None
        return
    below = [(y0 + (y1 - y0) * (x - x0) / (x1 - x0) - y) / (high - low) for x, y in points]
    if found is None:
        assert max(below) < 1e-6
    else:
        assert below[found] == pytest.approx(max(below))
