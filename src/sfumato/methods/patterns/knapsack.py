"""The multiple-choice knapsack: one item a class, the least cost, a bounded weight."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import CannotBeMet

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Reals = NDArray[np.float64]

TOLERANCE = 1e-9
# States of the dynamic program over all classes (some fifteen seconds) and in one (200 MB).
MOST_STATES, MOST_AT_ONCE = 400_000_000, 4_000_000


class _TooManyStates(Exception):
    """The dynamic program would take too long."""


@dataclass(frozen=True, slots=True, eq=False)
class _Class:
    """The items of one class that no other one dominates: weights rise, costs fall."""

    items: NDArray[np.int64]
    costs: Reals
    weights: Reals


def multiple_choice_knapsack(costs: Reals, weights: Reals, capacity: float) -> NDArray[np.int32]:
    """The item of every class (row) with the least total cost and a total weight <= capacity.

    Items of infinite cost are never taken. When each class can have its cheapest item, that is the
    answer; else the hulls' greedy and its linear bound, and between the two a dynamic program over
    states that are not dominated, which makes it exact. Where that meets too many states (weights
    that follow the costs), the greedy's answer is taken, with a warning that says how near it is.

    Paper: MCK in Lemma 5 and Section 5.2 (there solved heuristically). Cost: O(q l log l) when
    the capacity does not bind; the dynamic program is pseudo-polynomial.

    >>> costs, weights = np.array([[5.0, 2.0], [4.0, 0.0]]), np.array([[1.0, 3.0], [1.0, 3.0]])
    >>> multiple_choice_knapsack(costs, weights, 4)
    array([0, 1], dtype=int32)
    """
    classes = [_undominated(c, w) for c, w in zip(costs, weights, strict=True)]
    lightest = sum(float(one.weights[0]) for one in classes)
    if lightest > capacity + TOLERANCE:
        raise CannotBeMet(
            f"the lightest admissible choices weigh {lightest:g}, more than theta={capacity:g}",
            where="theta",
            remedy="raise theta",
        )
    if sum(float(one.weights[-1]) for one in classes) <= capacity + TOLERANCE:
        picks = [len(one.items) - 1 for one in classes]
    else:
        picks, cost, bound, price = _greedy(classes, capacity)
        if cost - bound > TOLERANCE:
            try:
                picks = _exact(classes, capacity, picks, cost, price)
            except _TooManyStates:
                warnings.warn(
                    f"the replacements cost {cost:g}, at most {cost - bound:.2g} more than the "
                    "least: finding that takes too many steps",
                    stacklevel=2,
                )
    chosen = [one.items[pick] for one, pick in zip(classes, picks, strict=True)]
    return np.array(chosen, np.int32)


def _undominated(costs: Reals, weights: Reals) -> _Class:
    items = np.flatnonzero(np.isfinite(costs))
    # By weight, then cost; the last item (deletion) and later letters lose ties.
    items = items[np.lexsort((items, costs[items], weights[items]))]
    before = np.concatenate(([np.inf], np.minimum.accumulate(costs[items])[:-1]))
    items = items[costs[items] < before]
    return _Class(items, costs[items], weights[items])


def _hull(one: _Class) -> list[int]:
    """The items on the lower convex hull of (weight, cost)."""
    hull: list[int] = []
    for i in range(len(one.items)):
        while len(hull) > 1:
            a, b = hull[-2], hull[-1]
            old = (one.costs[a] - one.costs[b]) * (one.weights[i] - one.weights[b])
            new = (one.costs[b] - one.costs[i]) * (one.weights[b] - one.weights[a])
            if old > new:
                break
            hull.pop()
        hull.append(i)
    return hull


def _greedy(classes: list[_Class], capacity: float) -> tuple[list[int], float, float, float]:
    """Steps along the hulls by saving a weight, while they fit: picks, cost, bound, price.

    The bound is the linear relaxation's: the first step that does not fit, taken in part; `price`
    is what that step saves a weight.
    """
    steps = []
    for c, one in enumerate(classes):
        hull = _hull(one)
        for a, b in pairwise(hull):
            saving, weight = one.costs[a] - one.costs[b], one.weights[b] - one.weights[a]
            steps.append((-saving / weight, c, a, b))
    steps.sort()
    picks = [0] * len(classes)
    cost = sum(float(one.costs[0]) for one in classes)
    room = capacity - sum(float(one.weights[0]) for one in classes)
    bound, price, stuck = None, 0.0, set()
    for slope, c, a, b in steps:
        weight = float(classes[c].weights[b] - classes[c].weights[a])
        if weight > room + TOLERANCE and bound is None:
            bound, price = cost + slope * room, -slope
        if weight > room + TOLERANCE or c in stuck:
            stuck.add(c)
            continue
        picks[c], room, cost = b, room - weight, cost + slope * weight
    return picks, cost, cost if bound is None else bound, price


def _exact(
    classes: list[_Class], capacity: float, picks: list[int], cost: float, price: float
) -> list[int]:
    """States (weight, cost) class by class; those dominated or beyond the best known are dropped.

    A state's bound: the capacity priced as in the linear relaxation (Lagrange).
    """
    priced = [float((one.costs + price * one.weights).min()) for one in classes]
    rest = np.concatenate((np.cumsum(priced[::-1])[::-1][1:], [0.0])) - price * capacity
    weights, values = np.zeros(1), np.zeros(1)
    history: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    states = 0
    for one, later in zip(classes, rest, strict=True):
        here = len(weights) * len(one.items)
        states += here
        if states > MOST_STATES or here > MOST_AT_ONCE:
            raise _TooManyStates
        heavy = (weights[:, None] + one.weights).ravel()
        dear = (values[:, None] + one.costs).ravel()
        fits = (heavy <= capacity + TOLERANCE) & (dear + price * heavy + later <= cost + TOLERANCE)
        kept = np.flatnonzero(fits)
        kept = kept[np.lexsort((dear[kept], heavy[kept]))]
        before = np.concatenate(([np.inf], np.minimum.accumulate(dear[kept])[:-1]))
        kept = kept[dear[kept] < before]
        if not len(kept):
            return picks
        history.append((kept // len(one.items), kept % len(one.items)))
        weights, values = heavy[kept], dear[kept]
    at = int(np.argmin(values))
    if values[at] >= cost - TOLERANCE:
        return picks
    result = []
    for parents, items in reversed(history):
        result.append(int(items[at]))
        at = int(parents[at])
    return result[::-1]
