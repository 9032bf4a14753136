from __future__ import annotations

import json

from sfumato.attacks.result import AttackResult


def test_a_result_knows_whether_it_beats_the_control():
    strong = AttackResult.of("a", 90, 100, baseline=0.01, unit="person", control=(5, 100))
    weak = AttackResult.of("a", 8, 100, baseline=0.01, unit="person", control=(5, 100))
    assert strong.is_above_control
    assert not weak.is_above_control
    assert strong.low < strong.success < strong.high
    assert strong.risk > 0.8


def test_a_result_is_plain_json_and_has_no_control_if_none_was_given():
    result = AttackResult.of("a", 0, 0, baseline=0.5, unit="star", detail={"stars": 3})
    assert json.loads(json.dumps(result.as_dict()))["detail"] == {"stars": 3}
    assert result.control is result.control_low is None
    assert (result.low, result.high, result.risk) == (0.0, 1.0, 0.0)


def test_risk_stays_a_share():
    assert AttackResult.of("a", 1, 1, baseline=1.0, unit="x").risk == 0.0
    assert AttackResult.of("a", 0, 9, baseline=0.1, unit="x", control=(3, 9)).risk == 0.0
