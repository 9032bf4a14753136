from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from sfumato import BadInput
from sfumato.metrics.intervals import SMALL, clopper_pearson, interval, wilson

COUNTS = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@settings(max_examples=100)
@given(COUNTS)
def test_intervals_are_scipys(counts):
    successes, trials = counts
    for ours, method in ((wilson, "wilson"), (clopper_pearson, "exact")):
        theirs = binomtest(successes, trials).proportion_ci(method=method)
        assert ours(successes, trials) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_few_trials_take_the_exact_interval():
    assert interval(3, SMALL - 1) == clopper_pearson(3, SMALL - 1)
    assert interval(3, SMALL) == wilson(3, SMALL)
    assert interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("successes", "trials"), [(-1, 4), (5, 4)])
def test_impossible_counts_are_refused(successes, trials):
    with pytest.raises(BadInput):
        interval(successes, trials)
