"""Changes are a lazy sequence over arrays."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.core.spans import Change, Changes, RepeatedMarks, Same


@pytest.fixture
def changes():
    starts, stops = np.array([0, 5, 1]), np.array([2, 6, 4])
    return Changes(
        np.array([0, 0, 2]), starts, stops, RepeatedMarks("★", stops - starts), Same("rare", 3)
    )


def test_elements_and_slices(changes):
    assert changes[-1] == Change(2, 1, 4, "★★★", "rare")
    assert len(changes[1:]) == 2
    assert list(changes[1:]) == list(changes)[1:]
    with pytest.raises(IndexError):
        changes[3]


def test_of_document(changes):
    assert [change.start for change in changes.of_document(0)] == [0, 5]
    assert len(changes.of_document(1)) == 0


def test_same_is_bounded():
    with pytest.raises(IndexError):
        Same("x", 2)[2]
    assert list(Same("x", 5)[1:3]) == ["x", "x"]
