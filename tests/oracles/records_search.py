"""The least loss of all partitions, by trying them all; and its bound, from the definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .records import Class, OraclePeople, loss, satisfied


def partitions(people: Sequence[int]) -> Iterator[list[Class]]:
    """All ways to divide people into classes."""
    if not people:
        yield []
        return
    first, rest = people[0], people[1:]
    for smaller in partitions(rest):
        yield [[first], *smaller]
        for number in range(len(smaller)):
            joined = [first, *smaller[number]]
            yield [*smaller[:number], joined, *smaller[number + 1 :]]


def total(people: OraclePeople, classes: Sequence[Class], k: int, weight: float) -> float:
    """What all classes lose; terms of fewer than k people are lost from the start."""
    return sum(sum(loss(people, members, weight, k).values()) for members in classes)


def optimum(people: OraclePeople, k: int, weight: float) -> float:
    """The least loss of any partition whose classes are all as demanded."""
    return min(
        total(people, classes, k, weight)
        for classes in partitions(range(people.count))
        if all(satisfied(people, members, k) for members in classes)
    )


def bounds(people: OraclePeople, k: int, weight: float) -> list[float]:
    """Of each person what the (k - 1)-th cheapest pair with another one costs her."""
    result = []
    for p in range(people.count):
        alone = loss(people, [p], weight, k)[p]
        pairs = sorted(loss(people, [p, q], weight, k)[p] for q in range(people.count) if q != p)
        result.append(pairs[k - 2] if k > 1 else alone)
    return result
