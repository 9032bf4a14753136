from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.attacks.result import AttackResult


def result(successes, trials, control=None, **options):
    given = {"baseline": 0.01, "unit": "person", "background": "all", "control_of": "others"}
    return AttackResult.of("a", successes, trials, control=control, **(given | options))


def test_a_result_knows_whether_it_beats_the_control():
    strong, weak = result(90, 100, (5, 100)), result(8, 100, (5, 100))
    assert strong.is_above_control
    assert not weak.is_above_control
    assert strong.low < strong.success < strong.high
    assert strong.risk > 0.8


@pytest.mark.parametrize(
    ("found", "word"),
    [
        (result(61, 1000, (1, 1000)), "above"),  # 0.061 (0.048 to 0.078) against 0.001
        (result(61, 1000, (1, 1000), baseline=0.05), "above"),  # whatever guessing gives
        (result(61, 1000, (50, 1000)), "near"),
        (result(1, 1000, (61, 1000)), "below"),
        (result(9, 10, (0, 0)), "no control"),
        (result(9, 10), "no control"),
        (result(0, 0, (1, 10)), "no trials"),
    ],
)
def test_the_word_is_what_the_intervals_say(found, word):
    assert found.verdict == word
    assert found.as_dict()["verdict"] == word
    assert found.is_above_control == (word == "above")


def test_a_control_of_nobody_is_none():
    empty = result(9, 10, (0, 0))
    assert empty.control is empty.control_low is empty.control_of is None
    assert empty.control_trials == 0


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40), st.integers(1, 40))
def test_the_word_follows_the_intervals_and_their_difference(right, wrong, others, others_wrong):
    found = result(right, right + wrong, (others, others + others_wrong))
    if not right + wrong:
        assert found.verdict == "no trials"
        return
    overlap = found.low <= found.control_high and found.control_low <= found.high
    assert (found.verdict in ("near", "perhaps above")) == overlap
    if not overlap:
        assert found.verdict == ("above" if found.success > found.control else "below")
        return
    down, up = found.success - found.low, found.control_high - found.control
    lowest = found.success - found.control - (down**2 + up**2) ** 0.5  # Newcombe, 1998, method 10
    assert (found.verdict == "perhaps above") == (lowest > 0)


def test_a_difference_that_is_probably_not_chance_is_no_near():
    """38 of 144 against 20 of 144: the intervals overlap, and a test of the difference does not."""
    assert result(38, 144, (20, 144)).verdict == "perhaps above"
    assert result(8, 180, (1, 180)).verdict == "perhaps above"
    assert result(30, 144, (20, 144)).verdict == "near"


def test_a_result_is_plain_json_and_has_no_control_if_none_was_given():
    empty = result(0, 0, baseline=0.5, unit="star", detail={"stars": 3})
    told = json.loads(json.dumps(empty.as_dict()))
    assert told["detail"] == {"stars": 3}
    assert told["background"] == "all"
    assert empty.control is empty.control_low is None
    assert (empty.low, empty.high, empty.risk) == (0.0, 1.0, 0.0)


def test_risk_stays_a_share():
    assert result(1, 1, baseline=1.0).risk == 0.0
    assert result(0, 9, (3, 9), baseline=0.1).risk == 0.0
