"""Every search equals enumeration on small cases; the heuristic is feasible and never better."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import meanings as oracle
from sfumato.kernels.meanings import plausible_smallest, plausible_uniform
from sfumato.methods.meanings.exact import exact_smallest, exact_uniform
from sfumato.methods.meanings.exhaustive import esearch_prune, uep
from sfumato.methods.meanings.ladders import Ladder, ladder_of_volumes
from sfumato.methods.meanings.lub import lub_search
from sfumato.methods.meanings.plausibility import cost

volumes = st.lists(st.integers(1, 40), max_size=4).map(lambda some: [1, *sorted(some)])
texts = st.lists(volumes, min_size=1, max_size=6)
alphas = st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0])
thresholds = st.one_of(st.integers(1, 64), st.sampled_from([1024, 4096, 16384]))


def entropies(ladders, levels):
    return [ladder.entropies[j] for ladder, j in zip(ladders, levels, strict=True)]


@settings(max_examples=300)
@given(texts, thresholds)
def test_smallest_is_the_minimum(rows, t):
    ladders = [ladder_of_volumes(row) for row in rows]
    least = oracle.least_volume(rows, t)
    pruned, exact = esearch_prune(ladders, t), exact_smallest(ladders, t)
    if least is None:
        assert pruned is None
        assert exact is None
        return
    for levels in (pruned, exact):
        assert math.prod(row[j] for row, j in zip(rows, levels, strict=True)) == least
    key = [
        (round(cost(entropies(ladders, levels), math.log2(t), 0.0), 9), sum(levels))
        for levels in (pruned, exact)
    ]
    assert key[0] == key[1]


@settings(max_examples=300)
@given(texts, thresholds, alphas)
def test_uniform_is_the_minimum(rows, t, alpha):
    ladders, log_t = [ladder_of_volumes(row) for row in rows], math.log2(t)
    least = oracle.least_cost([ladder.entropies for ladder in ladders], log_t, alpha)
    pruned, exact = uep(ladders, log_t, alpha), exact_uniform(ladders, log_t, alpha)
    if least is None:
        assert pruned is None
        assert exact is None
        return
    for levels in (pruned, exact):
        assert math.prod(row[j] for row, j in zip(rows, levels, strict=True)) >= t
        assert cost(entropies(ladders, levels), log_t, alpha) == pytest.approx(least, abs=1e-9)


@settings(max_examples=200)
@given(
    st.lists(
        st.lists(st.floats(0, 8, allow_nan=False), min_size=1, max_size=4), min_size=2, max_size=5
    ),
    st.floats(0, 24),
    alphas,
)
def test_uniform_is_the_minimum_of_entropies_in_any_order(rows, log_t, alpha):
    ladders = [Ladder(tuple(range(len(row))), (1,) * len(row), tuple(row)) for row in rows]
    least = oracle.least_cost(rows, log_t, alpha)
    exact = exact_uniform(ladders, log_t, alpha)
    if least is None or exact is None:
        # The two may differ only where the sum of the entropies equals log t up to rounding.
        most = sum(map(max, rows))
        assert (least is None and exact is None) or abs(most - log_t) < 1e-8
        return
    found = entropies(ladders, exact)
    assert math.fsum(found) >= log_t - 1e-9
    assert cost(found, log_t, alpha) == pytest.approx(least, abs=1e-7)


@settings(max_examples=300)
@given(texts, thresholds, alphas)
def test_lub_is_feasible_whenever_a_text_is(rows, t, alpha):
    ladders, log_t = [ladder_of_volumes(row) for row in rows], math.log2(t)
    levels, best = lub_search(ladders, log_t, alpha), exact_uniform(ladders, log_t, alpha)
    assert (levels is None) == (best is None)
    if levels is not None:
        assert math.prod(row[j] for row, j in zip(rows, levels, strict=True)) >= t
        found, least = (cost(entropies(ladders, x), log_t, alpha) for x in (levels, best))
        assert found >= least - 1e-9


@settings(max_examples=200)
@given(texts, thresholds, alphas, st.data())
def test_no_search_goes_below_a_floor(rows, t, alpha, data):
    floors = [data.draw(st.integers(0, len(row) - 1)) for row in rows]
    ladders = [ladder_of_volumes(r).from_level(f) for r, f in zip(rows, floors, strict=True)]
    above = [row[floor:] for row, floor in zip(rows, floors, strict=True)]
    log_t = math.log2(t)
    found = {
        "pruned": esearch_prune(ladders, t),
        "smallest": exact_smallest(ladders, t),
        "uep": uep(ladders, log_t, alpha),
        "uniform": exact_uniform(ladders, log_t, alpha),
        "lub": lub_search(ladders, log_t, alpha),
    }
    for levels in found.values():
        assert levels is None or all(j >= f for j, f in zip(levels, floors, strict=True))
    least = oracle.least_volume(above, t)
    for name in ("pruned", "smallest"):
        product = found[name] and math.prod(r[j] for r, j in zip(rows, found[name], strict=True))
        assert product == least


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.int32])
def test_other_dtypes_are_refused(dtype):
    with pytest.raises(TypeError):
        plausible_uniform(np.zeros(2, dtype), np.array([0, 2]), 1.0, 0.5)
    with pytest.raises(TypeError):
        plausible_uniform(np.zeros(2), np.array([0, 2], np.int32), 1.0, 0.5)
    if dtype is not np.int64:
        with pytest.raises(TypeError):
            plausible_smallest(np.ones(2, dtype), np.array([0, 2]), 1)


@pytest.mark.parametrize("starts", [[], [1, 2], [0, 1], [0, 3, 2]])
def test_arrays_that_do_not_fit_are_refused(starts):
    with pytest.raises(ValueError):
        plausible_uniform(np.zeros(2), np.array(starts, np.int64), 1.0, 0.5)


def test_volumes_below_one_and_large_thresholds_are_refused():
    with pytest.raises(ValueError):
        plausible_smallest(np.array([0]), np.array([0, 1]), 1)
    with pytest.raises(ValueError):
        plausible_smallest(np.array([1]), np.array([0, 1]), 1 << 41)
