"""(k, k^m)-anonymity by its definition, and the largest sets that may show an item, naively."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations


def holds(shown: Sequence[frozenset[int]], classes: Sequence[int], k: int, m: int) -> bool:
    """Every set of up to m items that one of a class shows is shown by k people of the class."""
    for person, items in enumerate(shown):
        peers = [shown[i] for i in range(len(shown)) if classes[i] == classes[person] >= 0]
        if classes[person] < 0:
            if items:
                return False
            continue
        if len(peers) < k and items:
            return False
        for size in range(1, m + 1):
            for known in combinations(sorted(items), size):
                if sum(set(known) <= peer for peer in peers) < k:
                    return False
    return True


def greedy(
    held: Sequence[Sequence[int]],
    classes: Sequence[int],
    k: int,
    m: int,
    above: Mapping[int, Sequence[int]] | None = None,
) -> list[dict[int, int]]:
    """What each person shows each item as: the heaviest items first, then what is more general."""
    result: list[dict[int, int]] = [{} for _ in held]
    for number in sorted({c for c in classes if c >= 0}):
        people = [i for i, c in enumerate(classes) if c == number]
        weight: Counter[int] = Counter()
        exact: dict[int, float] = {}
        for i in people:
            for item in held[i]:
                weight[item] += 1
                exact[item] = exact.get(item, 0.0) + 1 / len(held[i])
        order = sorted((one for one in weight if weight[one] >= k), key=lambda x: (-exact[x], x))
        for item in order:
            _offer(item, people, {i: [item] for i in people if item in held[i]}, result, k, m)
        wider = sorted(
            {up for i in people for item in held[i] for up in (above or {}).get(item, ())}
        )
        for item in wider:
            below = {
                i: [
                    one
                    for one in held[i]
                    if one not in result[i] and item in (above or {}).get(one, ())
                ]
                for i in people
            }
            if any(below.values()):
                _offer(item, people, {i: one for i, one in below.items() if one}, result, k, m)
    return result


def _offer(
    item: int,
    people: Sequence[int],
    wanted: dict[int, list[int]],
    result: list[dict[int, int]],
    k: int,
    m: int,
) -> None:
    fixed = {i for i in people if item in result[i].values()}
    inside = set(wanted) | fixed
    while True:
        sets = {i: set(result[i].values()) - {item} for i in inside}
        gone = {
            i
            for i in inside
            for size in range(m)
            for known in combinations(sorted(sets[i]), size)
            if sum(set(known) <= sets[j] for j in inside) < k
        }
        if not gone:
            break
        inside -= gone
    for i in inside & set(wanted):
        for one in wanted[i]:
            result[i][one] = item


def words_hold(shown: Sequence[set[str]], k: int, m: int, common: Fraction) -> bool:
    """The same of words: every set of up to m that are not common, shown by one, k people show."""
    counts = Counter(word for one in shown for word in one)
    free = {word for word, n in counts.items() if n >= k and Fraction(n, len(shown)) > common}
    return all(
        sum(set(known) <= other for other in shown) >= k
        for one in shown
        for size in range(1, m + 1)
        for known in combinations(sorted(one - free), size)
    )
