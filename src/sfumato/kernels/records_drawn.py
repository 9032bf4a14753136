"""Classes from which nobody learns more about sensitive values than their shares in the class.

Who knows everybody's columns and this code could run it on every table that may be the original;
classes that were chosen by the sensitive values would then tell them (the minimality attack). So
people are put in an order drawn under a key, sorted by their sensitive values and cut into equally
large strata. Classes have one person of every stratum, and are formed without knowing what the
strata stand for. Give the people of all classes each other's values, stratum for stratum: the same
classes come of it, as likely as before. So to who lacks the key each member of a class has each of
its values equally likely, and what is demanded of the class's shares holds of what can be learned.
That every class is as demanded, whoever of a stratum is in it, is found out from the values alone,
before people are looked at. Compare Xiao, Tao & Koudas 2010 (transparent anonymization).
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from . import _core
from .records import STEPS, NumberColumn, Partition, TermColumn
from .records_strata import always_hold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from .records import Column, Effort, People, Sensitive

    People64 = NDArray[np.int64]
    Draw = Callable[[int], NDArray[np.int64]]
    """A permutation of all people, another one for every number; drawn under a key."""
    Step = Callable[[float], None] | None

MOST_CLASSES = 4_000  # among which people are dealt and exchanged
DRAWS = 20  # of the few people of whom classes have one more
GROUPS = (0, 2, 4, 8)  # of a column's values, within which another's are sorted; 0: all
MOST_ORDERS = 6


def drawn(
    people: People, k: int, weight: float, draw: Draw, effort: Effort = "default", step: Step = None
) -> Partition:
    """Classes of at least k that are as demanded and tell no more than their sensitive values.

    Cost: O(people x `MOST_CLASSES` x columns), and O(people log people) for each number of strata.
    """
    classes, size = np.zeros(people.count, np.int32), max(k, 1)
    turn = cache(draw)
    orders = list(sorted_orders(people.sensitive, turn(0))) if size * 2 <= people.count else []
    while size * 2 <= people.count:
        for order in orders:
            strata = _strata(people, order, size, turn)
            if strata is not None:
                return _formed(people, classes, strata, k, weight, effort, step)
        size += max(1, size // 8)
    return Partition(classes)


def sorted_orders(sensitive: Sequence[Sensitive], order: People64) -> Iterator[People64]:
    """People by their sensitive values, as drawn where these are equal; several ways of several.

    >>> from sfumato.kernels.records import Sensitive
    >>> values = Sensitive(np.array([1, 0, 1, 0], np.int32), 2)
    >>> next(sorted_orders([values], np.array([3, 2, 1, 0]))).tolist()
    [3, 1, 2, 0]
    """
    ranks = [_ranks(one) for one in sensitive]
    ways = list(permutations(range(len(ranks))))[:MOST_ORDERS]
    for groups in GROUPS if len(ranks) > 1 else (0,):
        for way in ways:
            keys = [ranks[i] for i in way]
            if groups:  # all but the last only roughly, so that the others vary within
                keys[:-1] = [_in_groups(one, groups) for one in keys[:-1]]
            yield order[np.lexsort([one[order] for one in reversed(keys)])]


def _ranks(one: Sensitive) -> People64:
    """Ordered values by their order, others the most frequent first."""
    ranks = np.arange(one.distinct)
    if not one.ordered:
        counts = np.bincount(one.codes, minlength=one.distinct)
        ranks[np.argsort(-counts, kind="stable")] = np.arange(one.distinct)
    if one.offsets is not None and not one.ordered:
        ranks = _ranks_of_sets(one)
    return ranks[one.codes]


def _ranks_of_sets(one: Sensitive) -> People64:
    """Sets by the most frequent value they have: the last ones have none of the frequent."""
    assert one.offsets is not None
    people = np.bincount(one.codes, minlength=one.distinct)
    sizes = np.diff(one.offsets)
    width = int(one.values.max(initial=-1)) + 1
    counts = np.bincount(one.values, np.repeat(people, sizes), width)
    place = np.empty(width, np.int64)
    place[np.argsort(-counts, kind="stable")] = np.arange(width)
    sets = [
        tuple(np.sort(place[one.values[a:b]]).tolist())
        for a, b in zip(one.offsets[:-1], one.offsets[1:], strict=True)
    ]
    order = sorted(range(one.distinct), key=lambda code: sets[code])
    ranks = np.empty(one.distinct, np.int64)
    ranks[order] = np.arange(one.distinct)
    return ranks


def _in_groups(ranks: People64, groups: int) -> People64:
    """Values in so many groups of about as many people each."""
    counts = np.bincount(ranks)
    return ((np.cumsum(counts) - counts) * groups // len(ranks))[ranks]


def _strata(people: People, order: People64, size: int, draw: Draw) -> list[People64] | None:
    """Strata of so many classes of `size` people, and of the few that have one more.

    Who is in the latter is drawn, again and again until their classes always hold: by their
    values alone, and never by who they are.
    """
    count = people.count // size
    least, more = divmod(people.count, count)
    starts = np.arange(least) * people.count // least
    if not always_hold(people.sensitive, order[starts[:, None] + np.arange(count)]):
        return None  # nor would it without a few
    for attempt in range(1, DRAWS + 1 if more else 2):
        apart = np.zeros(people.count, bool)
        if more:
            apart[draw(attempt)[: more * (least + 1)]] = True
        parts = [order[~apart[order]], order[apart[order]]]
        cut = [
            one.reshape(strata, -1)
            for one, strata in zip(parts, (least, least + 1), strict=True)
            if len(one)
        ]
        if all(always_hold(people.sensitive, one) for one in cut):
            return cut
    return None


def _formed(
    people: People,
    classes: NDArray[np.int32],
    strata: list[People64],
    k: int,
    weight: float,
    effort: Effort,
    step: Step,
) -> Partition:
    """Every stratum's people dealt to classes and exchanged between them, block by block."""
    each, most = STEPS[effort]
    steps = min(each * people.count, most)
    blocks = [block for one in strata for block in _blocks(people, _unnamed(one), weight)]
    first = 0
    for number, block in enumerate(blocks):
        width = block.shape[1]
        part = int(steps * block.size / people.count)
        flat = _core.exchanged_strata(
            people._table,
            np.ascontiguousarray(block).ravel(),
            width,
            k,
            weight,
            part,
            _part(step, number, len(blocks)),
        )
        rows = np.asarray(flat, np.int64).reshape(width, -1)
        classes[rows] = np.arange(first, first + width, dtype=np.int32)[:, None]
        first += width
    return Partition(classes)


def _unnamed(strata: People64) -> People64:
    """People of each stratum in the order of the table, strata by their first person."""
    inside = np.sort(strata, axis=1)
    unnamed: People64 = inside[np.argsort(inside[:, 0], kind="stable")]
    return unnamed


def _blocks(people: People, strata: People64, weight: float) -> list[People64]:
    """Strata cut until few classes come of a block, on each side as many of every stratum."""
    if strata.shape[1] <= MOST_CLASSES:
        return [strata]
    columns = [one for one in people.columns if not isinstance(one, TermColumn) and weight > 0]
    spans = [_span(column, strata) for column in columns]
    if not spans or max(spans) == 0:
        half = strata.shape[1] // 2
        sides = strata[:, :half], strata[:, half:]
    else:
        codes = _codes(columns[int(np.argmax(spans))])
        order = np.argsort(codes[strata], axis=1, kind="stable")
        ordered = np.take_along_axis(strata, order, axis=1)
        half = strata.shape[1] // 2
        sides = ordered[:, :half], ordered[:, half:]
    return [block for side in sides for block in _blocks(people, _unnamed(side), weight)]


def _codes(column: Column) -> NDArray[np.int32]:
    if isinstance(column, NumberColumn):
        return column.low
    if column.offsets is None:
        return column.codes
    first = np.full(len(column.offsets) - 1, -1, np.int32)
    full = np.diff(column.offsets) > 0
    first[full] = column.codes[column.offsets[:-1][full]]
    return first


def _span(column: Column, strata: People64) -> float:
    codes = _codes(column)[strata]
    if isinstance(column, NumberColumn):
        there, values = codes[codes >= 0], column.values
        if not len(there) or len(values) < 2:
            return 0.0
        return float((values[there.max()] - values[there.min()]) / (values[-1] - values[0]))
    return len(np.unique(codes)) / max(column.distinct, 1) if column.distinct > 1 else 0.0


def _part(step: Step, number: int, of: int) -> Step:
    return None if step is None else lambda share: step((number + share) / of)
