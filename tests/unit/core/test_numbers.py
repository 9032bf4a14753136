"""No rounding makes a certainty, and every number is near what is shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.numbers import number, percent, share

SHARES = st.floats(0, 1, exclude_min=True, exclude_max=True)


@given(SHARES)
def test_shares_between_are_never_shown_as_certain(value):
    assert percent(value) not in ("0%", "100%", "0.0%", "0.00%", "100.0%", "-0%")
    assert share(value) not in ("0.000", "1.000")
    assert number(value) not in ("0", "1")


@given(SHARES)
def test_what_is_shown_is_near(value):
    if percent(value)[0] not in "<>":
        assert abs(float(percent(value).rstrip("%")) - 100 * value) <= 0.5
    if share(value)[0] not in "<>":
        assert abs(float(share(value)) - value) <= 0.0005
    if number(value)[0] not in "<>":
        assert abs(float(number(value)) - value) <= 0.005 * value


def test_certainties_are_shown_as_such():
    assert (percent(0.0), percent(1.0)) == ("0%", "100%")
    assert (share(0), share(1)) == ("0.000", "1.000")
    assert (number(0.0), number(1.0), number(-1.0)) == ("0", "1", "-1")
