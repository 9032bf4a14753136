"""Changes that a release states are those that were made, and thresholds are those of the claim."""

from __future__ import annotations

import pytest

from sfumato.verification.base_values import Violation
from sfumato.verification.stated_changes import must_be_applied, threshold


def test_the_original_with_its_changes_is_the_release():
    must_be_applied("an ache now", "a pain now", {(0, 2): "a", (3, 7): "pain"}, 0)
    with pytest.raises(Violation, match="not the original"):
        must_be_applied("an ache now", "a pain", {(0, 2): "a", (3, 7): "pain"}, 0)


def test_changes_that_overlap_are_refused_whatever_they_make():
    with pytest.raises(Violation, match="overlap"):
        must_be_applied("abcd", "xyd", {(0, 2): "x", (1, 3): "y"}, 0)
    must_be_applied("abcd", "xyd", {(0, 2): "x", (2, 3): "y"}, 0)


@pytest.mark.parametrize(
    ("t", "single", "found"),
    [
        (7, True, 7),
        (7, False, 7),
        ([2, 3, 5], True, 5),
        ([2, 3, 5], False, 3),
        ([2, [3, 4, 8], 5], False, 8),
    ],
)
def test_the_threshold_of_a_segment(t, single, found):
    """Of one text a list has its segments, of several texts their documents, or both."""
    assert threshold(t, single, 1, 2) == found
