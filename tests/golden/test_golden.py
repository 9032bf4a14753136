"""The command line does what it did: `python tests/golden/record.py CASE` records a change."""

from __future__ import annotations

import pytest

from golden.cases import CASES
from golden.record import RECORDED, observed, recorded


@pytest.mark.parametrize("name", CASES)
def test_a_case_does_what_was_recorded(name):
    assert observed(name) == recorded(name)


def test_every_recorded_case_is_run():
    assert {path.stem for path in RECORDED.glob("*.json")} == set(CASES)
